// snarkjs's functions for Groth16 in a page or a worker. Nothing leaves its memory.
import * as running from './engine.js';
import { FrumiousError, guarded, refused } from './error.js';
import { fetched, module } from './module.js';
import { calculate } from './witness.js';

export { FrumiousError };

export const init = guarded(running.init);
export const terminate = guarded(running.terminate);

/** The number of threads that prove, from the next call on. */
export const threads = guarded(async () => (await running.engine()).threads);

/** The bytes of a file: bytes, snarkjs's `{ type: "mem", data }`, or a URL, which is fetched. */
async function bytes(file, what) {
  if (file?.type === 'mem') return bytes(file.data, what);
  if (file instanceof Uint8Array) return file;
  if (file instanceof ArrayBuffer) return new Uint8Array(file);
  if (typeof file !== 'string' && !(file instanceof URL)) throw refused(`${what}: neither bytes nor a URL`);
  return fetched(file);
}

/** JSON, with integers of any size as texts: that is how files have signals and coordinates. */
const decimal = (_name, value) => (typeof value === 'bigint' ? value.toString() : value);
const text = (value) => new TextEncoder().encode(JSON.stringify(value, decimal) ?? 'null');

/** The module of a circuit. */
async function circuit(wasm) {
  return wasm instanceof WebAssembly.Module ? wasm : module(await bytes(wasm, 'wasm'));
}

/** Given to the constructor by `open` alone. */
const OPENED = Symbol('opened');

/** A proving key that stays open, for any number of proofs. */
export class ProvingKey {
  /** Undefined when the key is closed: a key that is named for long does not keep an engine that was ended. */
  #engine;
  #number;
  #verificationKey;

  /** Opens a `.zkey` or an `.fkey`: checked and prepared. */
  static open = guarded(async (zkey) => {
    const file = await bytes(zkey, 'zkey');
    const engine = await running.engine();
    return new ProvingKey(OPENED, engine, await engine.open(file));
  });

  /** @private */
  constructor(opened, engine, { number, verificationKey } = {}) {
    if (opened !== OPENED) throw refused('a key is opened by ProvingKey.open');
    this.#engine = engine;
    this.#number = number;
    this.#verificationKey = verificationKey;
  }

  /** @private */
  async prove(witness, verify) {
    if (this.#engine === undefined) throw refused('the key is closed');
    return this.#engine.prove(this.#number, witness, verify);
  }

  /** As snarkjs's `zKey.exportVerificationKey`. */
  verificationKey() {
    return structuredClone(this.#verificationKey);
  }

  /** Frees its memory. */
  close() {
    this.#engine?.close(this.#number);
    this.#engine = undefined;
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
  prove: guarded(async (zkey, witness, _logger, options) => {
    const { verify = true } = options ?? {};
    const values = await bytes(witness, 'witness');
    return withKey(zkey, (key) => key.prove(values, verify));
  }),

  /** As snarkjs. The page runs circom's module, whose memory is wiped as the witness is. */
  fullProve: guarded(async (inputs, wasm, zkey, _logger, _calculatorOptions, options) => {
    const { verify = true, onLog } = options ?? {};
    const values = await calculate(await circuit(wasm), inputs, onLog);
    try {
      return await withKey(zkey, (key) => key.prove(values, verify));
    } finally {
      values.fill(0);
    }
  }),

  /** As snarkjs: whether the proof is valid. Malformed parts are errors. */
  verify: guarded(async (key, publicSignals, proof, _logger, options) => {
    const { allowUncontributed = false } = options ?? {};
    const engine = await running.engine();
    return engine.verify([key, publicSignals, proof].map(text), allowUncontributed);
  }),
};

export const wtns = {
  /** As snarkjs, into `data` of `{ type: "mem" }`. */
  calculate: guarded(async (inputs, wasm, file, options) => {
    const { onLog } = options ?? {};
    if (file?.type !== 'mem') throw refused('wtns: { type: "mem" } is expected');
    file.data = await calculate(await circuit(wasm), inputs, onLog);
  }),
};
