// snarkjs's functions for Groth16 in a page or a worker. Nothing leaves its memory.
import { engine, init, terminate } from './engine.js';
import { FrumiousError } from './error.js';
import { module } from './module.js';
import { calculate } from './witness.js';

export { FrumiousError, init, terminate };

/** The number of threads that prove, from the next call on. */
export const threads = async () => (await engine()).threads;

/** The bytes of a file: bytes, snarkjs's `{ type: "mem", data }`, or a URL, which is fetched. */
async function bytes(file, what) {
  if (file?.type === 'mem') return bytes(file.data, what);
  if (file instanceof Uint8Array) return file;
  if (file instanceof ArrayBuffer) return new Uint8Array(file);
  if (typeof file !== 'string' && !(file instanceof URL)) throw new TypeError(`${what}: neither bytes nor a URL`);
  const response = await fetch(file);
  if (!response.ok) throw new FrumiousError('not_found', `${file}: status ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

const text = (value) => new TextEncoder().encode(JSON.stringify(value) ?? 'null');

/** The module of a circuit. */
async function circuit(wasm) {
  return wasm instanceof WebAssembly.Module ? wasm : module(await bytes(wasm, 'wasm'));
}

/** A proving key that stays open, for any number of proofs. */
export class ProvingKey {
  #engine;
  #number;
  #verificationKey;

  /** Opens a `.zkey` or an `.fkey`: checked and prepared. */
  static async open(zkey) {
    const file = await bytes(zkey, 'zkey');
    const key = new ProvingKey();
    key.#engine = await engine();
    ({ number: key.#number, verificationKey: key.#verificationKey } = await key.#engine.open(file));
    return key;
  }

  /** @private */
  prove(witness, verify) {
    return this.#engine.prove(this.#number, witness, verify);
  }

  /** As snarkjs's `zKey.exportVerificationKey`. */
  verificationKey() {
    return structuredClone(this.#verificationKey);
  }

  /** Frees its memory. */
  close() {
    this.#engine.close(this.#number);
  }
}

/** Does something with a key, which is opened for it unless it is open. */
async function withKey(zkey, act) {
  if (zkey instanceof ProvingKey) return act(zkey);
  const key = await ProvingKey.open(zkey);
  try {
    return await act(key);
  } finally {
    key.close();
  }
}

export const groth16 = {
  /** As snarkjs: `{ proof, publicSignals }`. */
  async prove(zkey, witness, _logger, { verify = true } = {}) {
    const values = await bytes(witness, 'witness');
    return withKey(zkey, (key) => key.prove(values, verify));
  },

  /** As snarkjs. The page runs circom's module; the witness is wiped. */
  async fullProve(inputs, wasm, zkey, _logger, _calculatorOptions, { verify = true, onLog } = {}) {
    const values = await calculate(await circuit(wasm), inputs, onLog);
    try {
      return await withKey(zkey, (key) => key.prove(values, verify));
    } finally {
      values.fill(0);
    }
  },

  /** As snarkjs: whether the proof is valid. Malformed parts are errors. */
  async verify(key, publicSignals, proof, _logger, { allowUncontributed = false } = {}) {
    const running = await engine();
    return running.verify([key, publicSignals, proof].map(text), allowUncontributed);
  },
};

export const wtns = {
  /** As snarkjs, into `data` of `{ type: "mem" }`. */
  async calculate(inputs, wasm, file, { onLog } = {}) {
    if (file?.type !== 'mem') throw new TypeError('wtns: { type: "mem" } is expected');
    file.data = await calculate(await circuit(wasm), inputs, onLog);
  },
};
