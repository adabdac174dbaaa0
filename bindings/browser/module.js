// The modules of WebAssembly: taken from where they are, and set going. src/page.rs lists their functions.
import { FrumiousError, ours, refused } from './error.js';

/** The most bytes that a browser fills with random ones at once. */
const MOST_RANDOM = 65_536;
/** Bytes by which memory grows. */
const PAGE = 65_536;
/** Bytes that are wiped at once: about 50 ms, in which the page does nothing else. */
const WIPED_AT_ONCE = 2 ** 26;

/** The functions that the page calls in both modules. */
const FUNCTIONS = ['buffer', 'open', 'close', 'prove', 'verify', 'verification_key', 'answer', 'answer_length'];

/** The bytes at a URL. */
export async function fetched(url) {
  let response;
  try {
    response = await fetch(url);
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    const code = error instanceof RangeError ? 'memory_limit' : 'not_found'; // no room for the bytes, or no bytes
    throw ours(error, code, `${url} is not fetched: `);
  }
  throw new FrumiousError('not_found', `${url}: status ${response.status}`);
}

/** A module from its URL, its bytes, or itself. */
export async function module(source) {
  if (source instanceof WebAssembly.Module) return source;
  const bytes = typeof source === 'string' || source instanceof URL ? await fetched(source) : source;
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    // The browser's message tells which of the two it is: a bad file, or a policy without 'wasm-unsafe-eval'.
    throw refused(`a module of WebAssembly is not compiled: ${error.message}`, error);
  }
}

/** True for a module of this package. */
export function isOurs(module) {
  const names = new Set(WebAssembly.Module.exports(module).map(({ name }) => name));
  return FUNCTIONS.every((name) => names.has(name));
}

/** True for the module with threads: its memory comes from outside, as they share it. */
export const hasThreads = (module) => WebAssembly.Module.imports(module).some(({ kind }) => kind === 'memory');

/** A status of `called` beside those of the functions. */
export const NO_MEMORY = -1;

/** Calls a function. Bytes among its values are copied into buffers of the module. */
export function called({ exports, memory }, name, values) {
  const given = [];
  for (const value of values) {
    if (!(value instanceof Uint8Array)) {
      given.push(value);
      continue;
    }
    const { length } = value;
    const address = exports.buffer(length);
    if (address === 0) return NO_MEMORY;
    copy(value, memory, address, length);
    given.push(address);
  }
  return exports[name](...given);
}

/** Copies bytes to an address with room for this many. False if they are more or fewer by now: no byte is copied. */
export function copy(bytes, memory, address, length) {
  if (bytes.length !== length) return false;
  // Of a fixed length, as shared bytes may grow even now.
  const fixed = new Uint8Array(bytes.buffer, bytes.byteOffset, length);
  new Uint8Array(memory.buffer, address >>> 0, length).set(fixed);
  return true;
}

/** Fills a memory with zeros, part by part. Nothing may run in it any more. */
export async function wipe(memory) {
  const bytes = new Uint8Array(memory.buffer);
  for (let at = 0; at < bytes.length; at += WIPED_AT_ONCE) {
    if (at > 0) await new Promise((done) => setTimeout(done)); // the page's turn
    bytes.fill(0, at, at + WIPED_AT_ONCE);
  }
}

/** The functions of a module, and its memory. One that is not shared gets its thread-local values, too. */
export async function instantiated(module, shared) {
  let memory = shared;
  const random = (address, length) => {
    for (let at = 0; at < length; at += MOST_RANDOM) {
      const some = new Uint8Array(Math.min(MOST_RANDOM, length - at)); // shared memory is not filled itself
      crypto.getRandomValues(some);
      new Uint8Array(memory.buffer, (address >>> 0) + at, some.length).set(some);
      some.fill(0);
    }
  };
  const { exports } = await WebAssembly.instantiate(module, { page: { random }, env: { memory } });
  if (memory === undefined) {
    memory = exports.memory;
    exports.__wasm_init_tls(memory.grow(Math.ceil(exports.__tls_size.value / PAGE)) * PAGE);
  }
  return { exports, memory };
}
