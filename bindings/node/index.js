// snarkjs's functions for Groth16, over the addon. Inputs never reach a disk.
'use strict';
const path = require('node:path');
const native = require('./native.js');
const { FrumiousError, done, file, run, settings, text } = require('./tasks.js');
const zKey = require('./keys.js');

/** An open key, or a file of one. */
const keyOf = (given) => (given instanceof ProvingKey ? given.native : file(given, 'zkey'));

/** The generator with its inputs, for the addon. A module in memory is refused: its process reads a file. */
function generating(inputs, generator, options) {
  const given = file(generator, 'wasm');
  if (typeof given !== 'string') {
    throw new TypeError('wasm: a path is expected, as a process of its own reads the module');
  }
  return {
    generator: given,
    inputs: typeof inputs === 'string' ? inputs : text(inputs, 'inputs'),
    child: [process.execPath, path.join(__dirname, 'child.js')],
    cached: options.cache !== false,
    cache: typeof options.cache === 'string' ? options.cache : undefined,
    maxMemory: bytes(options.maxWitnessMemory, 'maxWitnessMemory'),
    maxSeconds: options.maxWitnessSeconds,
  };
}

const proofOptions = ({ verify, maxMemory, spill }) => ({ verify, maxMemory: bytes(maxMemory, 'maxMemory'), spill });

/** A limit of memory, which JavaScript's rules would otherwise make a number of bytes of. */
function bytes(limit, name) {
  if (limit === undefined || limit === null || limit === Infinity) return undefined;
  if (!Number.isSafeInteger(limit) || limit < 0) throw new TypeError(`${name}: a whole number of bytes is expected`);
  return limit;
}

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
  async prove(zkey, witness, _logger, given) {
    const options = settings(given);
    const values = file(witness, 'witness');
    const task = (...how) => native.proveWitness(keyOf(zkey), values, proofOptions(options), ...how);
    return JSON.parse(await run(options, task));
  },

  /** As snarkjs. The witness is neither written nor returned. */
  async fullProve(inputs, wasm, zkey, _logger, _calculatorOptions, given) {
    const options = settings(given);
    const from = generating(inputs, wasm, options);
    const task = (...how) => native.proveInputs(keyOf(zkey), from, proofOptions(options), ...how);
    return JSON.parse(await run(options, task));
  },

  /** As snarkjs: whether the proof is valid. Malformed parts are errors. */
  async verify(key, publicSignals, proof, _logger, given) {
    const options = settings(given);
    const uncontributed = options.allowUncontributed === true;
    const parts = [text(key, 'verification key'), text(publicSignals, 'public signals'), text(proof, 'proof')];
    return done(native.verify(...parts, uncontributed));
  },

  /** As snarkjs: the arguments of the contract's function. */
  async exportSolidityCallData(proof, publicSignals) {
    return done(native.exportCalldata(text(proof, 'proof'), text(publicSignals, 'public signals')));
  },
};

const wtns = {
  /** As snarkjs: writes the witness to a file, or to `data` of `{ type: "mem" }`. */
  async calculate(inputs, wasm, wtnsFile, given) {
    const options = settings(given);
    const from = generating(inputs, wasm, options);
    if (wtnsFile?.type === 'mem') {
      const bytes = await run(options, (...how) => native.calculateWitness(from, ...how));
      wtnsFile.data = new Uint8Array(bytes);
      return;
    }
    const target = file(wtnsFile, 'wtns');
    if (typeof target !== 'string') throw new TypeError('wtns: a path or { type: "mem" } is expected');
    await run(options, (...how) => native.writeWitness(from, target, ...how));
  },
};

module.exports = { FrumiousError, ProvingKey, groth16, wtns, zKey };
