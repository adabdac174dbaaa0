// Keys, proofs and signals in gnark's own layout: gnark verifies ours, and we verify those that gnark makes.
// (arkworks reads ours in the tests of crates/snarkjs.)
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { circuits } from "../src/circuits.js";
import { withKeyAndWitness } from "../src/keys.js";
import { BAD_INPUT, directory, frumious, INVALID, readJson, root, run, snarkjs, VALID } from "../src/tools.js";

const program = join(directory("work"), "gnark");
const missing = await build();

/** Builds gnark's side; what is missing, if it cannot be built. */
async function build() {
  try {
    const { code, stderr } = await run("go", ["build", "-o", program, "."], { cwd: join(root, "gnark"), seconds: 1200 });
    if (code === 0) return undefined;
    throw new Error(stderr);
  } catch (error) {
    if (process.env.CI === "true") throw error;
    return `no gnark: ${error.message.split("\n")[0]}`;
  }
}

for (const [name, curve] of [["multiplier", "bn128"], ["multiplier_bls12381", "bls12381"], ["no_public", "bn128"]]) {
  describe(`gnark, ${name}`, { skip: missing ?? false }, () => {
    let at, zkey, wtns;
    before(async () => {
      ({ at, zkey, wtns } = await withKeyAndWitness(circuits.find((circuit) => circuit.name === name), `gnark-${name}`));
      await frumious(["prove", zkey, wtns, at("proof.json"), at("public.json")], { expect: VALID });
      await frumious(["export", "vkey", zkey, at("vkey.json")], { expect: VALID });
    });

    async function exported(key, proof = at("proof.json"), signals = at("public.json")) {
      await frumious(["export", "vkey", key, at("vkey.bin"), "--format", "gnark"], { expect: VALID });
      await frumious(["export", "proof", proof, at("proof.bin"), "--format", "gnark"], { expect: VALID });
      await frumious(["export", "public", signals, at("public.bin"), "--format", "gnark", "--curve", curve], { expect: VALID });
      return run(program, ["verify", curve, at("vkey.bin"), at("proof.bin"), at("public.bin")]);
    }

    test("gnark verifies our proofs and writes what it has read, with keys from zkey and from JSON", async () => {
      for (const key of [zkey, at("vkey.json")]) {
        const { code, stderr } = await exported(key);
        assert.equal(code, 0, stderr);
      }
    });

    test("gnark refuses the proof of something else", async () => {
      const proof = readJson(at("proof.json"));
      writeFileSync(at("wrong.json"), JSON.stringify({ ...proof, pi_a: proof.pi_c }));
      assert.equal((await exported(zkey, at("wrong.json"))).code, 1);
      const signals = readJson(at("public.json"));
      if (signals.length === 0) return;
      writeFileSync(at("wrong.json"), JSON.stringify(["7", ...signals.slice(1)]));
      assert.equal((await exported(zkey, at("proof.json"), at("wrong.json"))).code, 1);
    });

    test("what was exported is imported as it was", async () => {
      for (const format of ["gnark", "arkworks", "sui"]) {
        for (const [what, json, ...options] of [["vkey", "vkey.json"], ["proof", "proof.json"], ["public", "public.json", "--curve", curve]]) {
          await frumious(["export", what, at(json), at("bytes"), "--format", format, ...options], { expect: VALID });
          // No signal at all has no byte in Sui's layout, and there are no files without a byte.
          if (readFileSync(at("bytes")).length === 0) continue;
          await frumious(["import", what, at("bytes"), at("again.json"), "--format", format, "--curve", curve, "--force"], { expect: VALID });
          assert.deepEqual(readJson(at("again.json")), readJson(at(json)), `${format}, ${what}`);
        }
      }
    });
  });
}

for (const curve of ["bn128", "bls12381"]) {
  test(`keys and proofs of gnark over ${curve} are imported and verified, by us and by snarkjs`, { skip: missing ?? false }, async () => {
    const folder = directory("work", `gnark-made-${curve}`);
    const at = (name) => join(folder, name);
    const { code, stderr } = await run(program, ["make", curve, folder]);
    assert.equal(code, 0, stderr);
    for (const what of ["vkey", "proof", "public"]) {
      await frumious(["import", what, at(`${what}.bin`), at(`${what}.json`), "--format", "gnark", "--curve", curve, "--force"], { expect: VALID });
    }
    assert.deepEqual(readJson(at("public.json")), ["33", "1089"]);
    await frumious(["verify", at("vkey.json"), at("public.json"), at("proof.json")], { expect: VALID });
    await snarkjs(["groth16", "verify", at("vkey.json"), at("public.json"), at("proof.json")]);
    writeFileSync(at("wrong.json"), JSON.stringify(["33", "1088"]));
    await frumious(["verify", at("vkey.json"), at("wrong.json"), at("proof.json")], { expect: INVALID });
    const other = curve === "bn128" ? "bls12381" : "bn128";
    await frumious(["import", "proof", at("proof.bin"), at("other.json"), "--format", "gnark", "--curve", other], { expect: BAD_INPUT });
    await frumious(["import", "proof", at("proof.bin"), at("other.json"), "--format", "arkworks", "--curve", curve], { expect: BAD_INPUT });
  });
}
