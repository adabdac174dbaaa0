/** A file: its bytes, snarkjs's `{ type: "mem", data }`, or a URL, which is fetched. */
export type File = string | URL | Uint8Array | ArrayBuffer | { type: 'mem'; data: Uint8Array };

/** Points are decimal coordinates, as snarkjs has them. */
export interface Proof {
  pi_a: string[];
  pi_b: string[][];
  pi_c: string[];
  protocol: 'groth16';
  curve: 'bn128' | 'bls12381';
}

/** Public signals, decimal. */
export type PublicSignals = string[];

export interface ProofWithSignals {
  proof: Proof;
  publicSignals: PublicSignals;
}

/** An input signal: a number, a text with one, an array of signals, or the fields of a bus. */
export type Signal = number | bigint | boolean | string | Signal[] | { [field: string]: Signal };

/** The inputs of a circuit by name. */
export type Inputs = Record<string, Signal>;

export interface ProofOptions {
  /** Verify the proof before it is given. Default: true. */
  verify?: boolean;
}

export interface WitnessOptions {
  /** Receives the lines that the circuit's `log()` writes. They may tell secrets. */
  onLog?: (line: string) => void;
}

export interface KeyOptions {
  /** Accept a key that nobody contributed to, under which anyone can forge. Only in tests. */
  allowUncontributed?: boolean;
}

/** An error of Frumious. */
export class FrumiousError extends Error {
  /** A stable word: `unsatisfied`, `bad_input`, `not_found`, `uncontributed`, `memory_limit`, `internal`. */
  readonly code: string;
}

/**
 * Chooses threads and module for all later calls. Default: as many threads as there are processors (at most 16) where
 * the page is isolated, else one; `frumious-threads.wasm` or `frumious.wasm` beside the script. Keys that are open end.
 */
export function init(
  source?: string | URL | BufferSource | WebAssembly.Module,
  options?: { threads?: number },
): Promise<void>;

/** The number of threads that prove. */
export function threads(): Promise<number>;

/** Ends all workers, and forgets the keys that are open. The next call starts anew. */
export function terminate(): Promise<void>;

/** A proving key that stays open, for any number of proofs. */
export class ProvingKey {
  /** Opens a `.zkey` or an `.fkey`. */
  static open(zkey: File): Promise<ProvingKey>;
  /** As snarkjs's `zKey.exportVerificationKey`. */
  verificationKey(): object;
  /** Frees its memory. */
  close(): void;
  private constructor();
}

export const groth16: {
  prove(zkey: File | ProvingKey, witness: File, logger?: unknown, options?: ProofOptions): Promise<ProofWithSignals>;
  fullProve(
    inputs: Inputs,
    wasm: File | WebAssembly.Module,
    zkey: File | ProvingKey,
    logger?: unknown,
    calculatorOptions?: unknown,
    options?: ProofOptions & WitnessOptions,
  ): Promise<ProofWithSignals>;
  verify(
    verificationKey: object,
    publicSignals: PublicSignals,
    proof: Proof,
    logger?: unknown,
    options?: KeyOptions,
  ): Promise<boolean>;
};

export const wtns: {
  calculate(
    inputs: Inputs,
    wasm: File | WebAssembly.Module,
    wtns: { type: 'mem'; data?: Uint8Array },
    options?: WitnessOptions,
  ): Promise<void>;
};
