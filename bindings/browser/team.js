// The module with threads: one worker is called, the others are threads of its work. The page itself never waits.
import { FrumiousError, ours } from './error.js';
import { wipe } from './module.js';

const BYTES_OF_PAGE = 1 << 16;
/** Pages of a thread's stack and of its thread-local values. */
const PAGES_OF_PLACE = 32;
/** Pages of the memory at first, as it was linked, and at most: fewer where a browser has not so many addresses. */
const PAGES = 256;
const MOST_PAGES = [65_536, 32_768, 16_384];
/** Where a page has no locks: longer than any browser lets an ended worker run, as far as is known. Milliseconds. */
const SURELY_GONE = 5_000;

/** The memory, and workers that call the module's functions. */
export class Team {
  #workers = [];
  #waiting = new Map();
  #last = 0;
  /** The name of a lock that each worker shares as long as it lives. */
  #lock = `frumious-${crypto.randomUUID()}`;

  /** Starts so many threads. */
  static async start(module, threads) {
    const team = new Team();
    try {
      team.memory = sharedMemory();
      await Promise.all(Array.from({ length: threads }, (_, thread) => team.#worker(module, thread > 0)));
      if ((await team.call('threads', threads)) !== 1) throw new FrumiousError('internal', 'the threads did not start');
      return team;
    } catch (error) {
      const code = error instanceof RangeError ? 'memory_limit' : 'internal';
      team.end(ours(error, code, 'the threads did not start: '));
      throw team.ended;
    }
  }

  /** Calls a function in the first worker. The page goes on meanwhile. */
  call(name, ...values) {
    return new Promise((done, failed) => {
      if (this.ended) throw this.ended;
      this.#last += 1;
      this.#waiting.set(this.#last, { done, failed });
      this.#workers[0].postMessage({ call: this.#last, name, values });
    });
  }

  /**
   * Ends all workers. Whoever waits for them gets this error, at once; the memory is wiped when they are gone.
   *
   * `terminate` does not wait: Chromium lets a worker that is in the module run on for two seconds, as threads without
   * work are, too. Until then it would write to a memory that is wiped already, or run astray on zeros. So the wipe
   * waits for the workers' lock, which the browser frees after their last instruction. Nobody waits for the wipe. Keys
   * may name this team for long: the memory goes without them.
   */
  end(error) {
    if (this.ended) return;
    this.ended = error;
    for (const worker of this.#workers) worker.terminate();
    for (const { failed } of this.#waiting.values()) failed(error);
    const { memory } = this;
    this.#waiting.clear();
    this.#workers = [];
    this.memory = undefined;
    if (memory !== undefined) gone(this.#lock).then(() => wipe(memory));
  }

  /** A worker, when it is ready. If one breaks off all end: the others would wait for it. */
  async #worker(module, isThread) {
    const place = [this.memory.grow(PAGES_OF_PLACE) * BYTES_OF_PAGE, PAGES_OF_PLACE * BYTES_OF_PAGE];
    const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'frumious' });
    this.#workers.push(worker);
    return new Promise((done, failed) => {
      const number = -this.#workers.length;
      this.#waiting.set(number, { done, failed });
      worker.onmessage = ({ data: { call = number, value, broken } }) => {
        if (broken !== undefined) return this.end(new FrumiousError('internal', broken));
        this.#waiting.get(call)?.done(value);
        this.#waiting.delete(call);
      };
      worker.onerror = (event) => {
        event.preventDefault();
        this.end(new FrumiousError('internal', `a worker did not start: ${event.message ?? 'no reason is told'}`));
      };
      worker.postMessage({ module, memory: this.memory, place, isThread, lock: this.#lock });
    });
  }
}

/** Waits for the end of all workers that hold this lock. One that never began holds none, and was given nothing. */
async function gone(lock) {
  try {
    await navigator.locks.request(lock, () => {});
  } catch {
    await new Promise((done) => setTimeout(done, SURELY_GONE)); // a page without locks
  }
}

function sharedMemory() {
  for (const maximum of MOST_PAGES) {
    try {
      return new WebAssembly.Memory({ initial: PAGES, maximum, shared: true });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  throw new FrumiousError('memory_limit', 'the browser gives no memory that threads share');
}
