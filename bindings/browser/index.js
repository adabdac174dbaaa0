// snarkjs's functions for Groth16 in a page or a worker. Nothing leaves its memory.
import { FrumiousError, engine, init, module } from './engine.js';
import { calculate } from './witness.js';

export { FrumiousError, init };

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

  /** Opens a `.zkey` or an `.fkey`: checked and prepared. */
  static async open(zkey) {
    const file = await bytes(zkey, 'zkey');
    const key = new ProvingKey();
    key.#engine = await engine();
    key.#number = key.#engine.call('open', key.#engine.give(file));
    if (key.#number === 0) throw key.#engine.refusal();
    return key;
  }

  /** @private */
  prove(witness, verify) {
    if (this.#engine.call('prove', this.#number, this.#engine.give(witness), verify ? 1 : 0) !== 1) {
      throw this.#engine.refusal();
    }
    return this.#engine.answer();
  }

  /** As snarkjs's `zKey.exportVerificationKey`. */
  verificationKey() {
    if (this.#engine.call('verification_key', this.#number) !== 1) throw this.#engine.refusal();
    return this.#engine.answer();
  }

  /** Frees its memory. */
  close() {
    if (!this.#engine.broken) this.#engine.call('close', this.#number);
  }
}

/** Does something with a key, which is opened for it unless it is open. */
async function withKey(zkey, act) {
  if (zkey instanceof ProvingKey) return act(zkey);
  const key = await ProvingKey.open(zkey);
  try {
    return act(key);
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
    const given = [key, publicSignals, proof].map((value) => running.give(text(value)));
    const verdict = running.call('verify', ...given, allowUncontributed ? 1 : 0);
    if (verdict > 1) throw running.refusal();
    return verdict === 1;
  },
};

export const wtns = {
  /** As snarkjs, into `data` of `{ type: "mem" }`. */
  async calculate(inputs, wasm, file, { onLog } = {}) {
    if (file?.type !== 'mem') throw new TypeError('wtns: { type: "mem" } is expected');
    file.data = await calculate(await circuit(wasm), inputs, onLog);
  },
};
