// rust-verkle, compiled to WebAssembly by the Ethereum Foundation's JavaScript team, and inputs for both it and Frumious.
import { createHash } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { loadVerkleCrypto } from "verkle-cryptography-wasm";
import { directory, frumious, readJson, root, VALID } from "./tools.js";

/** Order of Banderwagon. */
export const R = 0x1cfb69d4ca675f520cce760202687600ff8f87007419047174fd06b52876e7e1n;
export const WIDTH = 256;

/** The published vectors beside the repository. */
const vectors = resolve(root, process.env.FRUMIOUS_VECTORS ?? "../../shared/vectors");
const work = directory("work", "verkle");

/** rust-verkle's functions; loading takes it about a second. */
export const rustVerkle = await loadVerkleCrypto();

/** A generator of values that look random and are the same on each run. */
export function generator(seed) {
  let counter = 0;
  const bytes = (length) => createHash("shake256", { outputLength: length }).update(`${seed} ${counter++}`).digest();
  const below = (bound) => bytes(6).readUIntBE(0, 6) % bound;
  const scalar = () => scalarBytes(BigInt(hex(bytes(48))) % R);
  return { bytes, below, scalar, oneOf: (values) => values[below(values.length)] };
}

/** 32 bytes, least significant first. */
export function scalarBytes(value) {
  return Buffer.from(value.toString(16).padStart(64, "0"), "hex").reverse();
}

export function hex(bytes) {
  return `0x${Buffer.from(bytes).toString("hex")}`;
}

export function unhex(text) {
  return Buffer.from(text.replace(/^0x/, ""), "hex");
}

/** Writes a JSON file for a command, and tells its path. */
export function jsonFile(name, value) {
  const path = join(work, `${name}.json`);
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
  return path;
}

/** What `frumious verkle commit` says of vectors of 32-byte scalars. */
export async function commit(name, vectors) {
  const path = jsonFile(name, vectors.map((vector) => vector.map(hex)));
  const { stdout } = await frumious(["verkle", "commit", "--json", path], { expect: VALID });
  return JSON.parse(stdout).commitments;
}

/** Whether rust-verkle accepts: it answers false or throws, also by a panic, if it does not. */
export function accepts(verification) {
  try {
    return verification();
  } catch {
    return false;
  }
}

/** A block of the kaustinen testnet with its witness; undefined without the vectors, but not when `CI=true`. */
export function block(name) {
  const path = join(vectors, "verkle", `${name}.json`);
  if (existsSync(path)) return readJson(path);
  if (process.env.CI === "true") throw new Error(`no vectors at ${vectors}: set FRUMIOUS_VECTORS`);
  return undefined;
}
