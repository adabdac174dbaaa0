// What runs behind the package: buffers in, answers out. Either in the page's own thread, or in workers.
import { FrumiousError, ours, refused } from './error.js';
import { NO_MEMORY, called, copy, hasThreads, instantiated, isOurs, module, wipe } from './module.js';
import { Team } from './team.js';

/** Threads by default at most. More were not measured. */
const MOST_THREADS = 16;
/** Threads that a page may ask for: each takes 2 MiB of the memory, and a worker, of which browsers have few. */
const MOST_THREADS_ASKED = 64;
/** The number of no key. */
const NO_KEY = 0;
/** The first length that a module has no addresses for. */
const TOO_LONG = 2 ** 32;

const MODULE = new URL('./frumious.wasm', import.meta.url);
const MODULE_WITH_THREADS = new URL('./frumious-threads.wasm', import.meta.url);

const BY_DEFAULT = {};
/** The choice of the last `init`. */
let chosen = BY_DEFAULT;
/** The promise of what runs, or starts. */
let running;

/**
 * Chooses the number of threads, and a module from another place: a URL, its bytes, or a `WebAssembly.Module`.
 * Default: as many threads as there are processors, in pages that are isolated, and the modules beside this script.
 *
 * The choice holds from the call on, for all calls after it; of several the last one holds. The promise resolves when
 * this choice runs, or that of a later call. It rejects if this choice does not start.
 */
export async function init(source, options) {
  const { threads } = options ?? {};
  if (threads !== undefined && !(Number.isInteger(threads) && threads > 0 && threads <= MOST_THREADS_ASKED)) {
    throw refused(`init: threads is a number from 1 to ${MOST_THREADS_ASKED}`);
  }
  // No await up to here and until all is set: a call in between would start what was chosen before.
  const choice = { source, threads };
  const attempt = ended(running).then(() => started(choice));
  chosen = choice;
  running = attempt;
  try {
    await attempt;
  } catch (error) {
    forget(attempt);
    throw error;
  }
  if (running !== undefined && running !== attempt) await engine();
}

/** Ends all workers, and forgets the keys that are open. The next call starts anew. */
export async function terminate() {
  const before = running;
  running = undefined;
  await ended(before);
}

/** Ends an engine, which may still be starting. */
async function ended(before) {
  const found = await before?.catch(() => undefined);
  found?.end(new FrumiousError('internal', 'the engine was ended: open the key again'));
}

/** The next call tries again. */
function forget(attempt) {
  if (running === attempt) running = undefined;
}

/** The engine that runs, or a new one. */
export async function engine() {
  for (;;) {
    const attempt = (running ??= started(chosen));
    /** Another choice was made meanwhile: its engine is waited for, whatever became of this one. */
    const isReplaced = () => running !== undefined && running !== attempt;
    try {
      const found = await attempt;
      if (!found.ended && !isReplaced()) return found;
    } catch (error) {
      if (!isReplaced()) {
        forget(attempt);
        throw error;
      }
    }
    forget(attempt);
  }
}

async function started(choice) {
  try {
    return await startedAs(choice);
  } catch (error) {
    const known = ours(error, error instanceof RangeError ? 'memory_limit' : 'bad_input'); // no memory of its size
    if (choice === BY_DEFAULT) throw known;
    throw new FrumiousError(known.code, `what init chose does not start: ${known.message}`, known);
  }
}

async function startedAs({ source, threads }) {
  const possible = globalThis.crossOriginIsolated ? Math.min(navigator.hardwareConcurrency ?? 1, MOST_THREADS) : 1;
  if (source !== undefined) {
    const given = await module(source);
    if (!isOurs(given)) throw refused('the module is none of this package');
    if (hasThreads(given)) return withThreads(given, threads ?? possible);
    if (threads > 1) throw refused('the module has no threads');
    return alone(given);
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
    throw refused('threads take a page that is isolated (Cross-Origin-Opener-Policy)');
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

  /** Ends it, and wipes its memory: nothing runs in it, as it would run in this thread. */
  end(error) {
    if (this.ended) return;
    this.ended = error;
    const { memory } = this;
    this.#running = undefined;
    this.memory = undefined;
    wipe(memory);
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

  /** The address of a copy of these bytes, which may change while room is made for them. */
  async #give(bytes) {
    const { length } = bytes;
    const address = length < TOO_LONG ? await this.#call('buffer', length) : 0;
    if (address === 0) throw new FrumiousError('memory_limit', `there is no memory for ${length} bytes`);
    if (this.ended) throw this.ended;
    if (!copy(bytes, this.#module.memory, address, length)) {
      await this.#call('prove', NO_KEY, address, 0); // is refused, and frees the buffer
      throw refused(`the bytes were ${length}, and are ${bytes.length} by now`);
    }
    return address;
  }

  /** Bytes of the module's memory, until it grows. The module may have been ended since it answered. */
  #bytes(address, length) {
    if (this.ended) throw this.ended;
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
