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

/** An error of Frumious. No other is thrown. */
export class FrumiousError extends Error {
  /** A stable word: `unsatisfied`, `bad_input`, `not_found`, `uncontributed`, `memory_limit`, `internal`. */
  readonly code: string;
  /** The error behind it, where the browser or a function of the caller's threw one. */
  readonly cause?: unknown;
}

/**
 * Chooses threads and module for all later calls. Default: as many threads as there are processors (at most 16) where
 * the page is isolated, else one; `frumious-threads.wasm` or `frumious.wasm` beside the script. Keys that are open end.
 *
 * Resolves when this choice runs, or that of a later call: of several the last one holds. If it does not start, this
 * and later calls are refused until another `init`. `threads` is from 1 to 64; others are refused, and change nothing.
 */
export function init(
  source?: string | URL | BufferSource | WebAssembly.Module,
  options?: { threads?: number } | null,
): Promise<void>;

/** The number of threads that prove. */
export function threads(): Promise<number>;

/**
 * Ends all workers, refuses the calls that wait for them, and forgets the keys that are open. The next call starts
 * anew. The memory is wiped when the workers are gone, which may take seconds; nobody waits for that.
 */
export function terminate(): Promise<void>;

/** A proving key that stays open, for any number of proofs. */
export class ProvingKey {
  /** Opens a `.zkey` or an `.fkey`. */
  static open(zkey: File): Promise<ProvingKey>;
  /** As snarkjs's `zKey.exportVerificationKey`. */
  verificationKey(): object;
  /** Frees its memory. The key proves no more; `verificationKey` still answers. */
  close(): void;
  private constructor();
}

export const groth16: {
  prove(
    zkey: File | ProvingKey,
    witness: File,
    logger?: unknown,
    options?: ProofOptions | null,
  ): Promise<ProofWithSignals>;
  fullProve(
    inputs: Inputs,
    wasm: File | WebAssembly.Module,
    zkey: File | ProvingKey,
    logger?: unknown,
    calculatorOptions?: unknown,
    options?: (ProofOptions & WitnessOptions) | null,
  ): Promise<ProofWithSignals>;
  verify(
    verificationKey: object,
    publicSignals: readonly (string | bigint)[],
    proof: Proof,
    logger?: unknown,
    options?: KeyOptions | null,
  ): Promise<boolean>;
};

export const wtns: {
  calculate(
    inputs: Inputs,
    wasm: File | WebAssembly.Module,
    wtns: { type: 'mem'; data?: Uint8Array },
    options?: WitnessOptions | null,
  ): Promise<void>;
};
