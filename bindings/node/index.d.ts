/** A file: a path, its bytes, or snarkjs's `{ type: "mem", data }`. */
export type File = string | Uint8Array | { type: 'mem'; data: Uint8Array } | { type: 'file'; fileName: string };

/** Where a file goes: a path, or `{ type: "mem" }`, whose `data` is set. */
export type OutputFile = string | { type: 'mem'; data?: Uint8Array } | { type: 'file'; fileName: string };

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

/** An input signal: a number, a decimal or hexadecimal text, or an array of them. */
export type Signal = number | bigint | string | Signal[];

/** The inputs of a circuit by name, or the text of `input.json`. */
export type Inputs = Record<string, Signal> | string;

/** What a task needs of an `AbortSignal`: a program may have neither DOM's types nor Node's. */
export interface TaskSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export interface TaskOptions {
  /** Stops the task within 0.2 s; the promise is rejected with the signal's reason. An `AbortSignal` is one. */
  signal?: TaskSignal;
  /** Called with the name of a phase and the part of it that is done, from 0 to 1. Not after the promise is settled. */
  onProgress?: (phase: string, done: number) => void;
}

export interface VerifyKeyOptions extends TaskOptions {
  /** The longest beacons to compute: 2^K applications of SHA-256. Default: 32. */
  maxIterationsExp?: number;
}

export interface ProofOptions extends TaskOptions {
  /** Verify the proof before it is given. Default: true. */
  verify?: boolean;
  /** At most so many bytes of private memory. */
  maxMemory?: number;
  /** A folder for an encrypted file that takes part of the vectors. */
  spill?: string;
}

export interface WitnessOptions extends TaskOptions {
  /** The folder of recorded runs, or false for none. Default: the user's cache folder. */
  cache?: string | boolean;
  /** At most so many bytes for the generator. Default: 4 GiB. */
  maxWitnessMemory?: number;
  /** At most so many seconds for the generator. Default: one hour. */
  maxWitnessSeconds?: number;
}

export interface KeyOptions {
  /** Accept a key that nobody contributed to, under which anyone can forge. Only in tests. */
  allowUncontributed?: boolean;
}

/** An error of Frumious. */
export class FrumiousError extends Error {
  /** A stable word: `unsatisfied`, `bad_input`, `wrong_kind`, `not_found`, `memory_limit`, `interrupted`, ... */
  readonly code: string;
}

/** A proving key that stays open, for any number of proofs, also at once. */
export class ProvingKey {
  /** Opens a `.zkey` or an `.fkey`. A file is mapped: it must not change while the key is in use. */
  static open(zkey: File): Promise<ProvingKey>;
  readonly curve: 'bn128' | 'bls12381';
  readonly nWires: number;
  readonly nPublic: number;
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
    wasm: string | { type: 'file'; fileName: string },
    zkey: File | ProvingKey,
    logger?: unknown,
    calculatorOptions?: unknown,
    options?: (ProofOptions & WitnessOptions) | null,
  ): Promise<ProofWithSignals>;
  verify(
    verificationKey: object,
    publicSignals: PublicSignals,
    proof: Proof,
    logger?: unknown,
    options?: KeyOptions | null,
  ): Promise<boolean>;
  exportSolidityCallData(proof: Proof, publicSignals: PublicSignals): Promise<string>;
};

export const wtns: {
  calculate(
    inputs: Inputs,
    wasm: string | { type: 'file'; fileName: string },
    wtns: OutputFile,
    options?: WitnessOptions | null,
  ): Promise<void>;
};

/** Keys and ceremonies. Files in memory pass through a temporary folder. Outputs replace what is at their path. */
export const zKey: {
  /** Writes the key before any contribution: the circuit's hash, of 64 bytes. */
  newZKey(
    r1cs: File,
    ptau: File,
    zkey: OutputFile,
    logger?: unknown,
    options?: TaskOptions | null,
  ): Promise<Uint8Array>;
  /** The hash of the contribution, of 64 bytes. The system's randomness is mixed with the entropy. */
  contribute(
    zkeyOld: File,
    zkeyNew: OutputFile,
    name?: string | null,
    entropy?: string,
    logger?: unknown,
    options?: TaskOptions | null,
  ): Promise<Uint8Array>;
  /** The hash of the contribution, of 64 bytes. `beaconHash` is hexadecimal, `iterationsExp` from 10 to 63. */
  beacon(
    zkeyOld: File,
    zkeyNew: OutputFile,
    name: string | null | undefined,
    beaconHash: string,
    iterationsExp: number | string,
    logger?: unknown,
    options?: TaskOptions | null,
  ): Promise<Uint8Array>;
  /** False for a key that is not the circuit's or has a wrong contribution. A malformed file is an error. */
  verifyFromR1cs(
    r1cs: File,
    ptau: File,
    zkey: File,
    logger?: unknown,
    options?: VerifyKeyOptions | null,
  ): Promise<boolean>;
  /** As `verifyFromR1cs`, by the key before any contribution. */
  verifyFromInit(
    initial: File,
    ptau: File,
    zkey: File,
    logger?: unknown,
    options?: VerifyKeyOptions | null,
  ): Promise<boolean>;
  /** Writes the key's parameters in the form of bellman's programs. */
  exportBellman(zkey: File, mpcparams: OutputFile, logger?: unknown, options?: TaskOptions | null): Promise<void>;
  /** Writes the key that parameters lead to. False if they are not the key's with valid contributions. */
  importBellman(
    zkeyOld: File,
    mpcparams: File,
    zkeyNew: OutputFile,
    name?: string | null,
    logger?: unknown,
    options?: TaskOptions | null,
  ): Promise<boolean>;
  /** The hash of the contribution to parameters, of 64 bytes. */
  bellmanContribute(
    curve: 'bn128' | 'bls12381' | { name: string },
    challenge: File,
    response: OutputFile,
    entropy?: string,
    logger?: unknown,
    options?: TaskOptions | null,
  ): Promise<Uint8Array>;
  /** The whole key; numbers are decimal strings. */
  exportJson(zkey: File): Promise<object>;
  exportVerificationKey(zkey: File, logger?: unknown, options?: KeyOptions | null): Promise<object>;
  exportSolidityVerifier(
    zkey: File,
    templates?: unknown,
    logger?: unknown,
    options?: KeyOptions | null,
  ): Promise<string>;
};
