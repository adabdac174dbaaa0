// Contributors with bellman's programs: parameters are the same bytes by both tools, each goes on from the other's, and
// what a key is made of is verified.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { transcripts } from "../src/ceremony.js";
import { circuits, filesOf } from "../src/circuits.js";
import { assertSameBytes, BAD_INPUT, directory, frumious, INVALID, snarkjs, VALID } from "../src/tools.js";

for (const name of ["multiplier", "squarings", "no_public_bls12381"]) {
  const circuit = circuits.find((it) => it.name === name);
  describe(`${name}: parameters by both tools`, () => {
    const { prepared } = transcripts(circuit.curve);
    const { r1cs, wasm, input } = filesOf(circuit);
    let at;
    const both = async (key) => {
      await frumious(["zkey", "verify", r1cs, prepared, key], { expect: VALID });
      await snarkjs(["zkey", "verify", r1cs, prepared, key]);
    };

    before(async () => {
      const folder = directory("work", `bellman-${name}`);
      at = (file) => join(folder, file);
      // By snarkjs, so that the sections of keys are in its order.
      await snarkjs(["groth16", "setup", r1cs, prepared, at("0.zkey")]);
      await frumious(["zkey", "contribute", "--force", at("0.zkey"), at("1.zkey"), "--name=first"], { expect: VALID });
    });

    test("exports are the same bytes", async () => {
      for (const key of ["0", "1"]) {
        await frumious(["zkey", "export", "bellman", "--force", at(`${key}.zkey`), at("ours")], { expect: VALID });
        await snarkjs(["zkeb", at(`${key}.zkey`), at(`${key}.mpcparams`)]);
        assertSameBytes(at("ours"), at(`${key}.mpcparams`), "parameters");
      }
    });

    test("ours contributes to theirs, and both import the same key", async () => {
      await frumious(["zkey", "bellman", "contribute", "--force", circuit.curve, at("1.mpcparams"), at("2.mpcparams"), "-e=some text"], { expect: VALID });
      await snarkjs(["zkey", "import", "bellman", at("1.zkey"), at("2.mpcparams"), at("theirs.zkey"), "-n=second"]);
      await frumious(["zkey", "import", "bellman", "--force", at("1.zkey"), at("2.mpcparams"), at("2.zkey"), "-n", "second"], { expect: VALID });
      assertSameBytes(at("2.zkey"), at("theirs.zkey"), "key");
      await both(at("2.zkey"));
    });

    test("theirs contributes to ours, and the key goes on, and proves", async () => {
      await frumious(["snarkjs", "zkeb", at("2.zkey"), at("again.mpcparams"), "--force"], { expect: VALID });
      assertSameBytes(at("again.mpcparams"), at("2.mpcparams"), "parameters");
      await snarkjs(["zkey", "bellman", "contribute", circuit.curve, at("again.mpcparams"), at("3.mpcparams"), "-e=some text"]);
      await frumious(["snarkjs", "zkib", at("2.zkey"), at("3.mpcparams"), at("3.zkey"), "-n=third", "--force"], { expect: VALID });
      await both(at("3.zkey"));
      await frumious(["zkey", "contribute", "--force", at("3.zkey"), at("4.zkey")], { expect: VALID });
      await both(at("4.zkey"));
      await frumious(["fullprove", "--force", input, wasm, at("4.zkey"), at("proof.json"), at("public.json")], { expect: VALID });
      await snarkjs(["zkey", "export", "verificationkey", at("4.zkey"), at("vkey.json")]);
      await snarkjs(["groth16", "verify", at("vkey.json"), at("public.json"), at("proof.json")]);
    });

    test("altered parameters are refused with their place", async () => {
      const g1 = circuit.curve === "bn128" ? 64 : 96;
      const params = readFileSync(at("2.mpcparams"));
      const h = 9 * g1 + 4 + g1 * params.readUInt32BE(9 * g1);
      const l = h + 4 + g1 * params.readUInt32BE(h);
      const last = params.length - 5 * g1 - 64;
      const alpha = params.subarray(0, g1);
      for (const [code, place, bytes, told] of [
        [INVALID, h + 4, alpha, /H: its points/],
        [INVALID, l + 4, alpha, /L: its points/],
        [INVALID, last, alpha, /contribution 2: delta after it/],
        [INVALID, params.length - 1, Buffer.from([~params.at(-1) & 0xff]), /contribution 2: its transcript/],
        [BAD_INPUT, h + 4 + g1 - 1, Buffer.from([~params[h + 4 + g1 - 1] & 0xff]), /mpcparams file, H, byte/],
        [BAD_INPUT, h, Buffer.from([0xff]), /mpcparams file, H, byte/],
      ]) {
        const altered = Buffer.from(params);
        bytes.copy(altered, place);
        writeFileSync(at("bad.mpcparams"), altered);
        const { stderr } = await frumious(["zkey", "import", "bellman", "--force", at("1.zkey"), at("bad.mpcparams"), at("bad.zkey")], { expect: code });
        assert.match(stderr, told);
      }
    });
  });
}
