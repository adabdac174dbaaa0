// Powers of tau and keys made by snarkjs alone: small ceremonies, as preparing the second phase costs it 20 s at 2^10.
import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { directory, snarkjs } from "./tools.js";

/** The ceremony that every "ceremony" and "ptau" key comes from: its largest domain is 2^10. */
export const POWER = 10;

/** Paths of the transcripts: as contributed to (`raw`, no Lagrange sections) and prepared for the second phase. */
export function transcripts(power = POWER) {
  const folder = directory("ceremony");
  return { raw: join(folder, `raw${power}.ptau`), prepared: join(folder, `prepared${power}.ptau`) };
}

/** Runs a ceremony with one contribution, unless the cache has it. The last step is a rename: what exists is whole. */
export async function powersOfTau(power = POWER) {
  const { raw, prepared } = transcripts(power);
  if (existsSync(prepared)) return false;
  const [first, unfinished] = [`${raw}.first`, `${prepared}.unfinished`];
  await snarkjs(["powersoftau", "new", "bn128", String(power), first]);
  await snarkjs(["powersoftau", "contribute", first, raw, "--name=interop", "-e=frumious interop"]);
  await snarkjs(["powersoftau", "prepare", "phase2", raw, unfinished]);
  renameSync(unfinished, prepared);
  return true;
}

/** A key as a ceremony leaves it: snarkjs' setup, then one contribution of the second phase. */
export async function ceremonyKey(r1cs, zkey) {
  const initial = `${zkey}.initial`;
  await snarkjs(["groth16", "setup", r1cs, transcripts().prepared, initial]);
  await contribute(initial, zkey);
  return initial;
}

export function contribute(zkey, contributed) {
  return snarkjs(["zkey", "contribute", zkey, contributed, "--name=interop", "-e=frumious interop"]);
}
