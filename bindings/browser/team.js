// The module with threads: one worker is called, the others are threads of its work. The page itself never waits.
import { FrumiousError } from './error.js';

const BYTES_OF_PAGE = 1 << 16;
/** Pages of a thread's stack and of its thread-local values. */
const PAGES_OF_PLACE = 32;
/** Pages of the memory at first, as it was linked, and at most: fewer where a browser has not so many addresses. */
const PAGES = 256;
const MOST_PAGES = [65_536, 32_768, 16_384];

/** The memory, and workers that call the module's functions. */
export class Team {
  #workers = [];
  #waiting = new Map();
  #last = 0;

  /** Starts so many threads. */
  static async start(module, threads) {
    const team = new Team();
    try {
      team.memory = sharedMemory();
      await Promise.all(Array.from({ length: threads }, (_, thread) => team.#worker(module, thread > 0)));
      if ((await team.call('threads', threads)) !== 1) throw new FrumiousError('internal', 'the threads did not start');
      return team;
    } catch (error) {
      team.end(error);
      throw error;
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

  /** Ends all workers. Whoever waits for them gets this error. */
  end(error) {
    this.ended ??= error;
    for (const worker of this.#workers) worker.terminate();
    for (const { failed } of this.#waiting.values()) failed(this.ended);
    this.#waiting.clear();
  }

  /** A worker, when it is ready. If one breaks off all end: the others would wait for it. */
  #worker(module, isThread) {
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
      worker.postMessage({ module, memory: this.memory, place, isThread });
    });
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
