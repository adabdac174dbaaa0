// Keys: `frumious setup` makes what snarkjs makes from the same ceremony, and both tools go on with each other's keys.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { BinFile } from "../src/binfile.js";
import { contribute, transcripts } from "../src/ceremony.js";
import { circuits, filesOf } from "../src/circuits.js";
import { withKeyAndWitness } from "../src/keys.js";
import { assertSameBytes, BAD_INPUT, directory, frumious, snarkjs, VALID } from "../src/tools.js";

const ZKEY_SECTIONS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const { raw, prepared } = transcripts();
const bls12381 = transcripts("bls12381").prepared;
const named = (name) => circuits.find((circuit) => circuit.name === name);

describe("setup from a ceremony", () => {
  for (const circuit of circuits.filter(({ key }) => key !== "dev")) {
    test(`${circuit.name}: every section has the bytes of snarkjs groth16 setup`, async () => {
      const folder = directory("work", `keys-${circuit.name}`);
      const [ours, theirs] = [join(folder, "frumious.zkey"), join(folder, "snarkjs.zkey")];
      const { r1cs } = filesOf(circuit);
      const { prepared } = transcripts(circuit.curve);
      await frumious(["setup", "--force", r1cs, prepared, ours], { expect: VALID });
      await snarkjs(["groth16", "setup", r1cs, prepared, theirs]);
      const [a, b] = [ours, theirs].map((path) => new BinFile(readFileSync(path)));
      assert.deepEqual(a.sections.map(({ type }) => type).sort(), b.sections.map(({ type }) => type).sort());
      for (const type of ZKEY_SECTIONS) assertSameBytes(a.payload(type), b.payload(type), `section ${type}`);
    });
  }

  test("a transcript that is not prepared for the second phase is refused, by that name", async () => {
    const folder = directory("work", "keys-refused");
    const { stderr } = await frumious(["setup", filesOf(named("multiplier")).r1cs, raw, join(folder, "none.zkey")], { expect: BAD_INPUT });
    assert.match(stderr, /prepare/i);
  });

  test("a transcript of another curve is refused, by the names of both", async () => {
    const folder = directory("work", "keys-refused");
    for (const [name, ptau] of [["multiplier", bls12381], ["multiplier_bls12381", prepared]]) {
      const { stderr } = await frumious(["setup", filesOf(named(name)).r1cs, ptau, join(folder, "none.zkey")], { expect: BAD_INPUT });
      assert.match(stderr, /ptau file, section 1 \(header\), byte 24: the prime is not .*BN254/);
      assert.match(stderr, /BLS12-381/);
    }
  });

  test("a circuit too large for the transcript is refused", async () => {
    const folder = directory("work", "keys-refused");
    const { stderr } = await frumious(["setup", filesOf(named("eddsa_poseidon")).r1cs, prepared, join(folder, "none.zkey")], { expect: BAD_INPUT });
    assert.match(stderr, /power|large/i);
  });
});

for (const name of ["no_public", "squarings", "no_public_bls12381"]) {
  describe(`${name}: a key of frumious setup goes on in snarkjs' ceremony`, () => {
    const { prepared } = transcripts(named(name).curve);
    let at, r1cs, zkey, wtns;
    before(async () => {
      ({ at, r1cs, zkey, wtns } = await withKeyAndWitness(named(name), `contribute-${name}`, "uncontributed"));
    });

    test("snarkjs zkey verify accepts it, before and after zkey contribute", async () => {
      await snarkjs(["zkey", "verify", r1cs, prepared, zkey]);
      await contribute(zkey, at("contributed.zkey"));
      await snarkjs(["zkey", "verify", r1cs, prepared, at("contributed.zkey")]);
    });

    test("frumious proves with the contributed key", () => provesAndVerifies(at, at("contributed.zkey"), wtns));
  });
}

describe("the forms a key may have", () => {
  let at, r1cs, zkey, wtns;
  before(async () => {
    ({ at, r1cs, zkey, wtns } = await withKeyAndWitness(named("multiplier"), "forms", "dev"));
  });

  const forms = [
    ["sections in reverse order", (f) => f.reversed()],
    ["no section 10, as in old keys", (f) => f.without(10)],
    ["a section of a type nobody knows", (f) => f.withExtra(99, Buffer.from("anything"))],
    ["bytes after the last section", (f) => Buffer.concat([f.bytes, Buffer.from("anything")])],
  ];
  for (const [what, edit] of forms) {
    test(what, async () => {
      const path = at(`${what.replaceAll(/\W+/g, "-")}.zkey`);
      writeFileSync(path, edit(new BinFile(readFileSync(zkey))));
      await provesAndVerifies(at, path, wtns);
    });
  }

  test("setup --dev says that it is unsafe, and no two keys are the same", async () => {
    const { stderr } = await frumious(["setup", "--force", "--dev", r1cs, at("second.zkey")], { expect: VALID });
    assert.match(stderr, /unsafe|insecure/i);
    const [a, b] = [zkey, at("second.zkey")].map((path) => new BinFile(readFileSync(path)).payload(2));
    assert.ok(!a.subarray(84).equals(b.subarray(84)), "the toxic waste is drawn anew");
  });

  test("no two proofs are the same, unless without zero knowledge", async () => {
    const proofs = async (...flags) => {
      const [first, second] = [at("first.json"), at("second.json")];
      for (const proof of [first, second]) await frumious(["prove", ...flags, zkey, wtns, proof, at("public.json")], { expect: VALID });
      return readFileSync(first).equals(readFileSync(second));
    };
    assert.equal(await proofs(), false);
    assert.equal(await proofs("--no-zk"), true);
  });
});

async function provesAndVerifies(at, zkey, wtns) {
  const [proof, signals, vkey] = [at("proof.json"), at("public.json"), at("vkey.json")];
  await snarkjs(["zkey", "export", "verificationkey", zkey, vkey]);
  await frumious(["prove", zkey, wtns, proof, signals], { expect: VALID });
  await snarkjs(["groth16", "verify", vkey, signals, proof]);
}
