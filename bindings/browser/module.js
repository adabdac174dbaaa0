// The modules of WebAssembly: taken from where they are, and set going. src/page.rs lists their functions.
import { FrumiousError } from './error.js';

/** The most bytes that a browser fills with random ones at once. */
const MOST_RANDOM = 65_536;

/** A module from its URL, its bytes, or itself. */
export async function module(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source !== 'string' && !(source instanceof URL)) return WebAssembly.compile(source);
  const response = await fetch(source);
  if (!response.ok) throw new FrumiousError('not_found', `${source}: status ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
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
    const address = exports.buffer(value.length);
    if (address === 0) return NO_MEMORY;
    new Uint8Array(memory.buffer, address >>> 0, value.length).set(value);
    given.push(address);
  }
  return exports[name](...given);
}

/** Bytes by which memory grows. */
const PAGE = 65_536;

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
