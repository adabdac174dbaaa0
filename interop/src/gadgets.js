// The gadgets of crates/r1cs, through its example program `gadgets`, and the circuits of circomlib that have the same results.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { BinFile } from "./binfile.js";
import { R } from "./bn254.js";
import { filesOf } from "./circuits.js";
import { directory, root, run, snarkjs } from "./tools.js";

const program = resolve(root, process.env.FRUMIOUS_GADGETS ?? "../target/release/examples/gadgets");

/** As those of `circuits.js`, but only for witnesses, which a compilation of a fraction of the time makes as well. */
export const gadgetCircuits = ["gadgets_merkle", "gadgets_mimc", "gadgets_sha256"].map((name) => ({
  name,
  of: name,
  curve: "bn128",
  simplification: "--O0",
  input: () => ({}),
}));

/** `{ outputs: decimal strings, constraints }` of our circuit for these values. */
export async function gadget(name, values) {
  assert.ok(existsSync(program), `no gadgets at ${program}: build the example or set FRUMIOUS_GADGETS`);
  const { code, stdout, stderr } = await run(program, [name, ...values.map(String)]);
  assert.equal(code, 0, `gadgets ${name}: ${stderr}`);
  return JSON.parse(stdout);
}

/** The first `count` outputs of a circuit in its witness by snarkjs, as decimal strings. */
export async function circomOutputs(name, input, count) {
  const { wasm } = filesOf(gadgetCircuits.find((circuit) => circuit.name === name));
  const work = directory("work", "gadgets");
  const [json, wtns] = ["json", "wtns"].map((extension) => join(work, `${name}.${extension}`));
  writeFileSync(json, JSON.stringify(input, (_, value) => (typeof value === "bigint" ? String(value) : value)));
  await snarkjs(["wtns", "calculate", wasm, json, wtns]);
  const values = new BinFile(readFileSync(wtns)).payload(2);
  return Array.from({ length: count }, (_, i) => {
    const bytes = Buffer.from(values.subarray(32 * (i + 1), 32 * (i + 2))).reverse();
    return BigInt(`0x${bytes.toString("hex")}`).toString();
  });
}

/** `count` integers below r that depend on the seed. */
export function scalars(seed, count) {
  const bytes = (i) => createHash("sha512").update(`${seed} ${i}`).digest("hex");
  return Array.from({ length: count }, (_, i) => BigInt(`0x${bytes(i)}`) % R);
}
