// What runs behind the package: buffers in, answers out. Either in the page's own thread, or in workers.
import { FrumiousError } from './error.js';
import { NO_MEMORY, called, hasThreads, instantiated, module } from './module.js';
import { Team } from './team.js';

/** More threads than these were not measured. */
const MOST_THREADS = 16;

const MODULE = new URL('./frumious.wasm', import.meta.url);
const MODULE_WITH_THREADS = new URL('./frumious-threads.wasm', import.meta.url);

/** As `init` has it. */
let chosen = {};
/** The promise of what runs. */
let running;

/**
 * Chooses the number of threads, and a module from another place: a URL, its bytes, or a `WebAssembly.Module`.
 * Default: as many threads as there are processors, in pages that are isolated, and the modules beside this script.
 */
export async function init(source, { threads } = {}) {
  if (threads !== undefined && !(Number.isInteger(threads) && threads > 0)) {
    throw new TypeError('threads: a number from 1 on');
  }
  await terminate();
  chosen = { source, threads };
  await engine();
}

/** Ends all workers, and forgets the keys that are open. The next call starts anew. */
export async function terminate() {
  const before = running;
  running = undefined;
  const found = await before?.catch(() => undefined);
  found?.end(new FrumiousError('internal', 'the engine was ended: open the key again'));
}

/** The engine that runs, or a new one. */
export async function engine() {
  const attempt = (running ??= started());
  const forget = () => {
    if (running === attempt) running = undefined;
  };
  const found = await attempt.catch((error) => {
    forget(); // the next call tries again
    throw error;
  });
  if (!found.ended) return found;
  forget();
  return engine();
}

async function started() {
  const { source, threads } = chosen;
  const possible = globalThis.crossOriginIsolated ? Math.min(navigator.hardwareConcurrency ?? 1, MOST_THREADS) : 1;
  if (source !== undefined) {
    const given = await module(source);
    return hasThreads(given) ? withThreads(given, threads ?? possible) : alone(given);
  }
  if ((threads ?? possible) > 1) {
    try {
      return await withThreads(await module(MODULE_WITH_THREADS), threads ?? possible);
    } catch (error) {
      // A page may forbid workers, or have no copy of that module: then one thread, unless more were asked for.
      if (threads !== undefined) throw error;
    }
  }
  return alone(await module(MODULE));
}

async function withThreads(module, threads) {
  if (!globalThis.crossOriginIsolated) {
    throw new FrumiousError('bad_input', 'threads take a page that is isolated (Cross-Origin-Opener-Policy)');
  }
  return new Engine(await Team.start(module, threads), threads);
}

async function alone(module) {
  return new Engine(new Alone(await instantiated(module)), 1);
}

/** The module in this thread. */
class Alone {
  #running;

  constructor(running) {
    this.#running = running;
    this.memory = running.memory;
  }

  call(name, ...values) {
    if (this.ended) throw this.ended;
    try {
      return called(this.#running, name, values);
    } catch (error) {
      const message = `the module broke off, perhaps for want of memory: ${error.message}`;
      this.end(new FrumiousError('internal', message));
      throw this.ended;
    }
  }

  end(error) {
    this.ended ??= error;
    this.#running = undefined;
    this.memory = undefined;
  }
}

/** The module's functions with values of JavaScript. */
class Engine {
  #module;
  #turn = Promise.resolve();

  constructor(module, threads) {
    this.#module = module;
    this.threads = threads;
  }

  /** The error of a module that broke off or was ended: it is not used again. */
  get ended() {
    return this.#module.ended;
  }

  end(error) {
    this.#module.end(error);
  }

  /** Opens a key: its number, and its verification key. */
  open(file) {
    return this.#inTurn(async () => {
      const number = await this.#call('open', await this.#give(file));
      if (number === 0) throw await this.#refusal();
      if ((await this.#call('verification_key', number)) !== 1) throw await this.#refusal();
      return { number, verificationKey: await this.#answer() };
    });
  }

  close(number) {
    if (this.ended) return;
    this.#inTurn(() => this.#call('close', number)).catch(() => {}); // one that ended meanwhile has no keys
  }

  prove(number, witness, verify) {
    return this.#inTurn(async () => {
      const status = await this.#call('prove', number, await this.#give(witness), verify ? 1 : 0);
      if (status !== 1) throw await this.#refusal();
      return this.#answer();
    });
  }

  /** The verdict on texts of JSON: a key, public signals and a proof. */
  verify(texts, allowUncontributed) {
    return this.#inTurn(async () => {
      // Texts go with the call: a worker takes longer to answer than to copy them.
      const verdict = await this.#call('verify', ...texts, allowUncontributed ? 1 : 0);
      if (verdict === NO_MEMORY) throw new FrumiousError('memory_limit', 'there is no memory for the texts');
      if (verdict > 1) throw await this.#refusal();
      return verdict === 1;
    });
  }

  /** One after another: there is one answer at a time. */
  #inTurn(act) {
    const turn = this.#turn.then(act);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  #call(name, ...values) {
    return this.#module.call(name, ...values);
  }

  /** The address of a copy of these bytes. */
  async #give(bytes) {
    const address = await this.#call('buffer', bytes.length);
    if (address === 0) throw new FrumiousError('memory_limit', `there is no memory for ${bytes.length} bytes`);
    this.#bytes(address, bytes.length).set(bytes);
    return address;
  }

  /** Bytes of the module's memory, until it grows. */
  #bytes(address, length) {
    return new Uint8Array(this.#module.memory.buffer, address >>> 0, length);
  }

  /** The last answer. */
  async #answer() {
    const bytes = this.#bytes(await this.#call('answer'), await this.#call('answer_length'));
    return JSON.parse(new TextDecoder().decode(bytes.slice())); // a decoder takes no shared memory
  }

  /** The last answer as an error. */
  async #refusal() {
    const { code, message } = await this.#answer();
    return new FrumiousError(code, message);
  }
}
