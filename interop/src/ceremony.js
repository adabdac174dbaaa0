// Powers of tau and keys made by snarkjs alone: small ceremonies, as preparing the second phase costs it 20 s at 2^10, and 5 s at 2^8.
import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { directory, snarkjs } from "./tools.js";

/** The ceremonies that every "ceremony" and "ptau" key comes from, by curve: the binary logarithm of the largest domain. */
const POWER = { bn128: 8, bls12381: 6 };

/** Paths of the transcripts: as contributed to (`raw`, no Lagrange sections) and prepared for the second phase. */
export function transcripts(curve = "bn128") {
  const folder = directory("ceremony");
  const suffix = `${curve === "bn128" ? "" : `-${curve}-`}${POWER[curve]}.ptau`;
  return { raw: join(folder, `raw${suffix}`), prepared: join(folder, `prepared${suffix}`) };
}

/** Runs a ceremony with one contribution, unless the cache has it. The last step is a rename: what exists is whole. */
export async function powersOfTau(curve) {
  const { raw, prepared } = transcripts(curve);
  if (existsSync(prepared)) return false;
  const [first, unfinished] = [`${raw}.first`, `${prepared}.unfinished`];
  await snarkjs(["powersoftau", "new", curve, String(POWER[curve]), first]);
  await snarkjs(["powersoftau", "contribute", first, raw, "--name=interop", "-e=frumious interop"]);
  await snarkjs(["powersoftau", "prepare", "phase2", raw, unfinished]);
  renameSync(unfinished, prepared);
  return true;
}

/** A key as a ceremony leaves it: snarkjs' setup, then one contribution of the second phase. */
export async function ceremonyKey(r1cs, zkey, curve) {
  const initial = `${zkey}.initial`;
  await snarkjs(["groth16", "setup", r1cs, transcripts(curve).prepared, initial]);
  await contribute(initial, zkey);
  return initial;
}

export function contribute(zkey, contributed) {
  return snarkjs(["zkey", "contribute", zkey, contributed, "--name=interop", "-e=frumious interop"]);
}
