// The gadgets of crates/r1cs beside circomlib's circuits: the same outputs for the same inputs.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { buildPoseidon } from "circomlibjs";
import { R } from "../src/bn254.js";
import { circomOutputs, gadget, scalars } from "../src/gadgets.js";

/** Sets of 16 inputs and a key, edge values among them. */
const inputs = [
  ["zeros", Array(16).fill(0n), 0n],
  ["ones", Array(16).fill(1n), 1n],
  ["minus one", Array(16).fill(R - 1n), R - 1n],
  ["any", scalars("inputs", 16), scalars("key", 1)[0]],
];

// By circomlibjs: circom takes minutes to compile all lengths. Its circuit of two inputs is in the Merkle roots below.
describe("Poseidon", () => {
  for (const [what, values] of inputs) {
    test(`1 to 16 inputs (${what})`, async () => {
      const poseidon = await buildPoseidon();
      for (let n = 1; n <= 16; n++) {
        const expected = poseidon.F.toString(poseidon(values.slice(0, n)));
        assert.deepEqual((await gadget("poseidon", values.slice(0, n))).outputs, [expected], `${n} inputs`);
      }
    });
  }
});

describe("MiMC", () => {
  for (const [what, values, key] of inputs) {
    test(`MiMC-7, its hash of 1 to 3 inputs, MiMC-Sponge (${what})`, async () => {
      const all = values.slice(0, 3);
      const expected = await circomOutputs("gadgets_mimc", { in: all, key }, 1 + 3 + 2 + 1);
      const ours = [await gadget("mimc7", [values[0], key])];
      for (let n = 1; n <= 3; n++) ours.push(await gadget("multi_mimc7", [key, ...values.slice(0, n)]));
      ours.push(await gadget("mimc_sponge", [2, key, values[0]]));
      ours.push(await gadget("mimc_sponge", [1, key, ...all]));
      assert.deepEqual(ours.flatMap(({ outputs }) => outputs), expected);
    });
  }
});

describe("Merkle roots", () => {
  const depth = 8;
  for (const [what, place] of [["the first leaf", 0], ["the last leaf", 2 ** depth - 1], ["a leaf between", 0b10110010]]) {
    test(what, async () => {
      const siblings = scalars(`siblings of ${what}`, depth);
      const bits = siblings.map((_, i) => (place >> i) & 1);
      const leaves = scalars(`values of ${what}`, 2);
      const roots = [];
      for (const leaf of leaves) roots.push(await circomOutputs("gadgets_merkle", { leaf, bits, siblings }, 2));
      for (const [i, hash] of ["poseidon", "mimc_sponge"].entries()) {
        const { outputs } = await gadget(`merkle_${hash}`, [...leaves, ...bits, ...siblings]);
        assert.deepEqual(outputs, roots.map((root) => root[i]));
      }
    });
  }
});

describe("SHA-256", () => {
  for (const [what, bit] of [["zeros", () => 0], ["ones", () => 1], ["any", (_, i) => Number(scalars(`bit ${i}`, 1)[0] & 1n)]]) {
    test(`1, 447 and 448 bits (${what})`, async () => {
      const bits = Array.from({ length: 448 }, bit);
      const expected = await circomOutputs("gadgets_sha256", { in: bits }, 3 * 256);
      const ours = [];
      for (const length of [1, 447, 448]) ours.push(await gadget("sha256", bits.slice(0, length)));
      assert.deepEqual(ours.flatMap(({ outputs }) => outputs), expected);
      assert.ok(ours[1].constraints < 18_000, `${ours[1].constraints} constraints for a block, circomlib: some 29,000`);
    });
  }
});
