// The module of WebAssembly behind the package: buffers in, answers out (src/page.rs lists its functions).

/** An error of Frumious. `code` is a stable word. */
export class FrumiousError extends Error {
  constructor(code, message) {
    super(message);
    this.name = 'FrumiousError';
    this.code = code;
  }
}

/** The most bytes that a browser fills with random ones at once. */
const MOST_RANDOM = 65_536;

let compiled;
let current;

/** Takes the module from another place: a URL, its bytes, or a `WebAssembly.Module`. Default: beside this script. */
export async function init(source = new URL('./frumious.wasm', import.meta.url)) {
  compiled = module(source);
  current = undefined;
  try {
    await engine();
  } catch (error) {
    compiled = undefined; // the next call tries again
    throw error;
  }
}

/** A module from its URL, its bytes, or itself. */
export async function module(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source !== 'string' && !(source instanceof URL)) return WebAssembly.compile(source);
  const response = await fetch(source);
  if (!response.ok) throw new FrumiousError('not_found', `${source}: status ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** The running module. */
export function engine() {
  if (compiled === undefined) return init().then(() => current);
  current ??= compiled.then((ready) => Engine.start(ready));
  return current;
}

class Engine {
  static async start(ready) {
    const started = new Engine();
    const random = (address, length) => {
      for (let at = 0; at < length; at += MOST_RANDOM) {
        crypto.getRandomValues(started.bytes(address + at, Math.min(MOST_RANDOM, length - at)));
      }
    };
    const instance = await WebAssembly.instantiate(ready, { page: { random } });
    started.exports = instance.exports;
    return started;
  }

  /** Bytes of the module's memory, until it grows. */
  bytes(address, length) {
    return new Uint8Array(this.exports.memory.buffer, address >>> 0, length);
  }

  /** The address of a copy of these bytes. */
  give(bytes) {
    const address = this.call('buffer', bytes.length);
    if (address === 0) throw new FrumiousError('memory_limit', `there is no memory for ${bytes.length} bytes`);
    this.bytes(address, bytes.length).set(bytes);
    return address;
  }

  /** Calls a function. A module that breaks off is not used again. */
  call(name, ...values) {
    if (this.broken) throw new FrumiousError('internal', 'the module has broken off: open the key again');
    try {
      return this.exports[name](...values);
    } catch (error) {
      this.broken = true;
      current = undefined;
      throw new FrumiousError('internal', `the module broke off, perhaps for want of memory: ${error.message}`);
    }
  }

  /** The last answer. */
  answer() {
    const bytes = this.bytes(this.call('answer'), this.call('answer_length'));
    return JSON.parse(new TextDecoder().decode(bytes));
  }

  /** The last answer as an error. */
  refusal() {
    const { code, message } = this.answer();
    return new FrumiousError(code, message);
  }
}
