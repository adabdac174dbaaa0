// Tasks of the addon as promises: errors, progress, cancellation; and files as snarkjs takes them.
'use strict';
const native = require('./native.js');

/** An error of Frumious: `code` is a stable word, as in docs/json.md. */
class FrumiousError extends Error {
  constructor(code, message) {
    super(message);
    this.name = 'FrumiousError';
    this.code = code;
  }
}

/** The result of an addon's promise, or its error taken apart. */
async function done(promise) {
  try {
    return await promise;
  } catch (error) {
    const parts = /^([a-z_]+): (.*)$/s.exec(error.message);
    if (!parts) throw error;
    throw new FrumiousError(parts[1], parts[2]);
  }
}

/** Cancellers of the tasks that run. */
const running = new Set();

// Node ends no thread of its pool: it waits for what runs there, which nobody is left to hear of.
process.on('exit', () => {
  for (const canceller of running) canceller.cancel();
});

/** Runs a task that an AbortSignal stops, and that tells its progress: all of it before the promise is settled. */
async function run(options, task) {
  const { signal, onProgress } = options;
  signal?.throwIfAborted();
  const canceller = new native.Canceller();
  const stop = () => canceller.cancel();
  signal?.addEventListener('abort', stop, { once: true });
  const told = progress(onProgress, stop);
  running.add(canceller);
  try {
    const result = task(canceller, told.call);
    try {
      return await done(result);
    } finally {
      await told.all;
      if (told.thrown) throw told.thrown.error;
    }
  } catch (error) {
    if (signal?.aborted && error.code === 'interrupted') throw signal.reason;
    throw error;
  } finally {
    running.delete(canceller);
    signal?.removeEventListener('abort', stop);
  }
}

/**
 * What the addon calls with each phase, and a promise that it has made its last call, whose phase is empty. What a call
 * throws is in `thrown`, and stops the task.
 */
function progress(onProgress, stop) {
  const told = {};
  if (!onProgress) return told;
  let end;
  told.all = new Promise((resolve) => { end = resolve; });
  const refuse = (error) => {
    told.thrown ??= { error };
    stop();
  };
  told.call = (phase, fraction) => {
    if (phase === '') return end();
    if (told.thrown) return;
    try {
      Promise.resolve(onProgress(phase, fraction)).catch(refuse);
    } catch (error) {
      refuse(error);
    }
  };
  return told;
}

/** A file as snarkjs takes it: a path, bytes, or `{ type: "mem", data }`. */
function file(given, what) {
  if (typeof given === 'string' || given instanceof Uint8Array) return given;
  if (given?.type === 'mem' && given.data instanceof Uint8Array) return given.data;
  if (given?.type === 'file' && typeof given.fileName === 'string') return given.fileName;
  throw new TypeError(`${what}: a path, a Uint8Array or { type: "mem", data } is expected`);
}

/** The options of a call. Where snarkjs's callers leave a place out they may write null. */
function settings(given) {
  if (given === undefined || given === null) return {};
  if (typeof given !== 'object') throw new TypeError('options: an object is expected');
  return given;
}

/** JSON in which numbers of any size are written as they are. */
function text(value, what) {
  if (value === undefined) throw new TypeError(`${what}: is missing`);
  let signal = '';
  return JSON.stringify(value, function (name, item) {
    if (!Array.isArray(this)) signal = name;
    // A Buffer has become an object of another form by now.
    const written = this[name];
    if (ArrayBuffer.isView(written)) {
      const kind = written.constructor.name;
      throw new TypeError(`${what}: "${signal}": an array of numbers is expected, and no ${kind}: give Array.from(it)`);
    }
    return typeof item === 'bigint' ? item.toString() : item;
  });
}

module.exports = { FrumiousError, done, run, settings, file, text };
