// snarkjs's `zKey`: keys of a circuit, contributions, verification, exports.
'use strict';
const fs = require('node:fs/promises');
const os = require('node:os');
const path = require('node:path');
const native = require('./native.js');
const { done, file, run, settings } = require('./tasks.js');

/** What `task` returns. It gets paths of files; files in memory are in a folder of their own meanwhile. Outputs come last. */
async function withPaths(files, outputs, task) {
  // Bytes as an output would take the result where nobody looks for it.
  if (outputs.some((given) => given instanceof Uint8Array)) {
    throw new TypeError('output: a path or { type: "mem" } is expected');
  }
  const folder = [...files, ...outputs].some(isInMemory) && (await fs.mkdtemp(path.join(os.tmpdir(), 'frumious-')));
  try {
    const paths = [];
    for (const [index, given] of files.entries()) {
      const known = file(given, 'file');
      if (typeof known === 'string') {
        paths.push(known);
      } else {
        paths.push(path.join(folder, `in${index}`));
        await fs.writeFile(paths.at(-1), known);
      }
    }
    const results = outputs.map((given, index) => (isInMemory(given) ? path.join(folder, `out${index}.zkey`) : file(given, 'file')));
    const result = await task(...paths, ...results);
    // Parameters that are refused lead to no key.
    for (const [index, given] of (result === false ? [] : outputs).entries()) {
      if (isInMemory(given)) given.data = new Uint8Array(await fs.readFile(results[index]));
    }
    return result;
  } finally {
    if (folder) await fs.rm(folder, { recursive: true, force: true });
  }
}

const isInMemory = (given) => given instanceof Uint8Array || given?.type === 'mem';

/** A hash as snarkjs returns it. */
const hash = (bytes) => new Uint8Array(bytes);

const accepts = (options) => options.allowUncontributed === true;

/** Bytes of hexadecimal digits, with or without 0x. */
function bytesOf(digits) {
  const plain = typeof digits === 'string' && /^(?:0x)?((?:[0-9a-f]{2})*)$/i.exec(digits);
  if (!plain) throw new TypeError('beaconHash: an even number of hexadecimal digits is expected');
  return Buffer.from(plain[1], 'hex');
}

/** The longest beacon that a verification computes: 2^K applications of SHA-256. */
function mostIterations({ maxIterationsExp }) {
  if (maxIterationsExp === undefined || maxIterationsExp === null) return undefined;
  if (!Number.isInteger(maxIterationsExp) || maxIterationsExp < 0 || maxIterationsExp > 63) {
    throw new TypeError('maxIterationsExp: a whole number up to 63 is expected');
  }
  return maxIterationsExp;
}

module.exports = {
  /** As snarkjs: writes the key before any contribution, and returns the circuit's hash. */
  async newZKey(r1cs, ptau, zkey, _logger, given) {
    const options = settings(given);
    const task = (...paths) => run(options, (...how) => native.newKey(...paths, ...how));
    return hash(await withPaths([r1cs, ptau], [zkey], task));
  },

  /** As snarkjs: the hash of the contribution. No entropy is asked for, as the system's randomness is mixed in. */
  async contribute(zkeyOld, zkeyNew, name, entropy, _logger, given) {
    const options = settings(given);
    const task = (...paths) =>
      run(options, (...how) => native.contribute(...paths, name ?? null, String(entropy ?? ''), ...how));
    return hash(await withPaths([zkeyOld], [zkeyNew], task));
  },

  /** As snarkjs: the hash of the contribution. */
  async beacon(zkeyOld, zkeyNew, name, beaconHash, iterationsExp, _logger, given) {
    const options = settings(given);
    const bytes = bytesOf(beaconHash);
    // A command line gives texts.
    const exponent = typeof iterationsExp === 'string' && /^[0-9]+$/.test(iterationsExp) ? Number(iterationsExp) : iterationsExp;
    if (!Number.isInteger(exponent) || exponent < 0 || exponent > 63) {
      throw new TypeError('iterationsExp: a whole number from 10 to 63 is expected');
    }
    const task = (...paths) =>
      run(options, (...how) => native.beacon(...paths, name ?? null, bytes, exponent, ...how));
    return hash(await withPaths([zkeyOld], [zkeyNew], task));
  },

  /** As snarkjs: whether the key is the circuit's and its contributions are valid. */
  async verifyFromR1cs(r1cs, ptau, zkey, _logger, given) {
    const options = settings(given);
    const most = mostIterations(options);
    const task = (circuit, ...paths) => run(options, (...how) => native.verifyKey(circuit, false, ...paths, most, ...how));
    return withPaths([r1cs, ptau, zkey], [], task);
  },

  /** As snarkjs, by the key before any contribution. */
  async verifyFromInit(initial, ptau, zkey, _logger, given) {
    const options = settings(given);
    const most = mostIterations(options);
    const task = (circuit, ...paths) => run(options, (...how) => native.verifyKey(circuit, true, ...paths, most, ...how));
    return withPaths([initial, ptau, zkey], [], task);
  },

  /** As snarkjs: writes the key's parameters for bellman's programs. */
  async exportBellman(zkey, mpcparams, _logger, given) {
    const options = settings(given);
    await withPaths([zkey], [mpcparams], (...paths) => run(options, (...how) => native.exportBellman(...paths, ...how)));
  },

  /** As snarkjs: writes the key of the parameters; false if they are not the key's with valid contributions. */
  async importBellman(zkeyOld, mpcparams, zkeyNew, name, _logger, given) {
    const options = settings(given);
    const task = (...paths) => run(options, (...how) => native.importBellman(...paths, name ?? null, ...how));
    return withPaths([zkeyOld, mpcparams], [zkeyNew], task);
  },

  /** As snarkjs: the hash of the contribution to parameters. `curve` is snarkjs's object, or its name. */
  async bellmanContribute(curve, challenge, response, entropy, _logger, given) {
    const options = settings(given);
    const name = String(curve?.name ?? curve);
    const task = (...paths) =>
      run(options, (...how) => native.contributeBellman(...paths, name, String(entropy ?? ''), ...how));
    return hash(await withPaths([challenge], [response], task));
  },

  /** As snarkjs: the whole key as an object. */
  async exportJson(zkey) {
    return JSON.parse((await done(native.exportKeyJson(file(zkey, 'zkey')))).toString());
  },

  /** As snarkjs: the verification key as an object. */
  async exportVerificationKey(zkey, _logger, given) {
    const options = settings(given);
    return JSON.parse(await done(native.exportVerificationKey(file(zkey, 'zkey'), accepts(options))));
  },

  /** As snarkjs, but for the templates: the contract is Frumious's. */
  async exportSolidityVerifier(zkey, _templates, _logger, given) {
    const options = settings(given);
    return done(native.exportSolidity(file(zkey, 'zkey'), accepts(options)));
  },
};
