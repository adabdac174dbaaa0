// snarkjs's functions for Groth16, over the addon. Inputs never reach a disk.
'use strict';
const path = require('node:path');
const fs = require('node:fs/promises');
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

/** Runs a task that an AbortSignal stops, and that tells its progress: all of it before the promise is settled. */
async function run(options, task) {
  const { signal, onProgress } = options;
  signal?.throwIfAborted();
  const canceller = new native.Canceller();
  const stop = () => canceller.cancel();
  signal?.addEventListener('abort', stop, { once: true });
  const told = progress(onProgress);
  try {
    const running = task(canceller, told.call);
    try {
      return await done(running);
    } finally {
      await told.all;
    }
  } catch (error) {
    if (signal?.aborted && error.code === 'interrupted') throw signal.reason;
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** What the addon calls with each phase, and a promise that it has made its last call, whose phase is empty. */
function progress(onProgress) {
  if (!onProgress) return {};
  let end;
  const all = new Promise((resolve) => { end = resolve; });
  return { all, call: (phase, fraction) => (phase === '' ? end() : onProgress(phase, fraction)) };
}

/** A file as snarkjs takes it: a path, bytes, or `{ type: "mem", data }`. */
function file(given, what) {
  if (typeof given === 'string' || given instanceof Uint8Array) return given;
  if (given?.type === 'mem' && given.data instanceof Uint8Array) return given.data;
  if (given?.type === 'file' && typeof given.fileName === 'string') return given.fileName;
  throw new TypeError(`${what}: a path, a Uint8Array or { type: "mem", data } is expected`);
}

/** An open key, or a file of one. */
const keyOf = (given) => (given instanceof ProvingKey ? given.native : file(given, 'zkey'));

/** JSON in which numbers of any size are written as they are. */
function text(value) {
  return JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? item.toString() : item));
}

/** The generator with its inputs, for the addon. A module in memory is refused: its process reads a file. */
function generating(inputs, generator, options) {
  const given = file(generator, 'wasm');
  if (typeof given !== 'string') {
    throw new TypeError('wasm: a path is expected, as a process of its own reads the module');
  }
  return {
    generator: given,
    inputs: typeof inputs === 'string' ? inputs : text(inputs),
    child: [process.execPath, path.join(__dirname, 'child.js')],
    cached: options.cache !== false,
    cache: typeof options.cache === 'string' ? options.cache : undefined,
    maxMemory: options.maxWitnessMemory,
    maxSeconds: options.maxWitnessSeconds,
  };
}

const proofOptions = ({ verify, maxMemory, spill }) => ({ verify, maxMemory, spill });

/** A proving key that stays open, for any number of proofs, also at once. */
class ProvingKey {
  /** @private */
  constructor(key) {
    this.native = key;
  }

  static async open(zkey) {
    return new ProvingKey(await done(native.openKey(file(zkey, 'zkey'))));
  }

  get curve() {
    return this.native.curve;
  }

  get nWires() {
    return this.native.nWires;
  }

  get nPublic() {
    return this.native.nPublic;
  }
}

const groth16 = {
  /** As snarkjs: `{ proof, publicSignals }`. */
  async prove(zkey, witness, _logger, options = {}) {
    const values = file(witness, 'witness');
    const task = (...how) => native.proveWitness(keyOf(zkey), values, proofOptions(options), ...how);
    return JSON.parse(await run(options, task));
  },

  /** As snarkjs. The witness is neither written nor returned. */
  async fullProve(inputs, wasm, zkey, _logger, _calculatorOptions, options = {}) {
    const from = generating(inputs, wasm, options);
    const task = (...how) => native.proveInputs(keyOf(zkey), from, proofOptions(options), ...how);
    return JSON.parse(await run(options, task));
  },

  /** As snarkjs: whether the proof is valid. Malformed parts are errors. */
  async verify(key, publicSignals, proof, _logger, options = {}) {
    const uncontributed = options.allowUncontributed === true;
    return done(native.verify(text(key), text(publicSignals), text(proof), uncontributed));
  },

  /** As snarkjs: the arguments of the contract's function. */
  async exportSolidityCallData(proof, publicSignals) {
    return done(native.exportCalldata(text(proof), text(publicSignals)));
  },
};

const wtns = {
  /** As snarkjs: writes the witness to a file, or to `data` of `{ type: "mem" }`. */
  async calculate(inputs, wasm, wtnsFile, options = {}) {
    const from = generating(inputs, wasm, options);
    const bytes = await run(options, (...how) => native.calculateWitness(from, ...how));
    if (wtnsFile?.type === 'mem') {
      wtnsFile.data = new Uint8Array(bytes);
    } else {
      await fs.writeFile(file(wtnsFile, 'wtns'), bytes, { mode: 0o600 });
    }
  },
};

const zkey = {
  /** As snarkjs: the verification key as an object. */
  async exportVerificationKey(key, _logger, options = {}) {
    const uncontributed = options.allowUncontributed === true;
    return JSON.parse(await done(native.exportVerificationKey(file(key, 'zkey'), uncontributed)));
  },

  /** As snarkjs, but for the templates: the contract is Frumious's. */
  async exportSolidityVerifier(key, _templates, _logger, options = {}) {
    const uncontributed = options.allowUncontributed === true;
    return done(native.exportSolidity(file(key, 'zkey'), uncontributed));
  },
};

module.exports = { FrumiousError, ProvingKey, groth16, wtns, zkey };
