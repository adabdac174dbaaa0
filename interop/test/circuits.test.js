// Each circuit, both ways: what Frumious proves snarkjs, Frumious and the EVM accept, and what snarkjs proves Frumious accepts.
import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import { BinFile, u256 } from "../src/binfile.js";
import * as bls12381 from "../src/bls12_381.js";
import { Q, R } from "../src/bn254.js";
import { circuits } from "../src/circuits.js";
import { deploy, Hardfork, wordsOf } from "../src/evm.js";
import { withKeyAndWitness } from "../src/keys.js";
import { assertSameBytes, frumious, INVALID, readJson, snarkjs, VALID } from "../src/tools.js";

/** Ways to make a proof with Frumious: [name, arguments before proof.json and public.json]. */
const WAYS_TO_PROVE = [
  ["prove", "prove", "<zkey>", "<wtns>"],
  ["prove --no-zk", "prove", "--no-zk", "<zkey>", "<wtns>"],
  ["prove --threads 1", "prove", "--threads", "1", "<zkey>", "<wtns>"],
  ["prove --check", "prove", "--check", "<zkey>", "<wtns>"],
  ["fullprove", "fullprove", "<input>", "<wasm>", "<zkey>"],
];

for (const circuit of circuits) {
  describe(`${circuit.name}, key by ${circuit.key}`, { skip: circuit.missing ?? false }, () => {
    let at, wasm, input, zkey, wtns;
    before(async () => {
      ({ at, wasm, input, zkey, wtns } = await withKeyAndWitness(circuit, circuit.name));
      await frumious(["export", "vkey", zkey, at("vkey.json")], { expect: VALID });
    });

    test("the key has the expected domain and number of public signals", () => {
      const header = new BinFile(readFileSync(zkey)).payload(2);
      const counts = 4 + header.readUInt32LE(0) + 4 + 32; // after q and r with their widths
      const [nPublic, domain] = [header.readUInt32LE(counts + 4), header.readUInt32LE(counts + 8)];
      assert.deepEqual({ domain, nPublic }, { domain: circuit.domain, nPublic: circuit.nPublic });
    });

    test("the witness has snarkjs' bytes", async () => {
      await frumious(["witness", wasm, input, at("frumious.wtns")], { expect: VALID });
      assertSameBytes(at("frumious.wtns"), wtns, "witness");
    });

    test("the verification key has snarkjs' bytes", async () => {
      await snarkjs(["zkey", "export", "verificationkey", zkey, at("snarkjs.vkey.json")]);
      assertSameBytes(at("vkey.json"), at("snarkjs.vkey.json"), "verification key");
    });

    for (const [how, ...prove] of WAYS_TO_PROVE) {
      test(`frumious ${how}, snarkjs and frumious verify`, async () => {
        const [proof, signals] = freshOutputs(at, how);
        await frumious([...prove.map(fill), proof, signals], { expect: VALID });
        await snarkjs(["groth16", "verify", at("vkey.json"), signals, proof]);
        await frumious(["verify", at("vkey.json"), signals, proof], { expect: VALID });
        const text = readFileSync(proof, "utf8");
        assert.equal(text, JSON.stringify(JSON.parse(text), null, 1), "proof.json is laid out as snarkjs lays it out");
      });
    }

    test("snarkjs prove, frumious verify; same public.json and form of proof.json", async () => {
      await snarkjs(["groth16", "prove", zkey, wtns, at("snarkjs.proof.json"), at("snarkjs.public.json")]);
      await frumious(["verify", at("vkey.json"), at("snarkjs.public.json"), at("snarkjs.proof.json")], { expect: VALID });
      assertSameBytes(at("prove.public.json"), at("snarkjs.public.json"), "public signals");
      assert.equal(shapeOf(at("prove.proof.json")), shapeOf(at("snarkjs.proof.json")));
    });

    test("neither verifies the proof for other public signals, nor another proof for them", async () => {
      if (circuit.nPublic > 0) {
        const signals = readJson(at("prove.public.json"));
        signals[0] = String((BigInt(signals[0]) + 1n) % R);
        writeFileSync(at("wrong.public.json"), JSON.stringify(signals));
        await frumious(["verify", at("vkey.json"), at("wrong.public.json"), at("prove.proof.json")], { expect: INVALID });
        await snarkjs(["groth16", "verify", at("vkey.json"), at("wrong.public.json"), at("prove.proof.json")], { expect: 1 });
      }
      const [proof, other] = [readJson(at("prove.proof.json")), readJson(at("snarkjs.proof.json"))];
      writeFileSync(at("mixed.proof.json"), JSON.stringify({ ...proof, pi_c: other.pi_c }));
      await frumious(["verify", at("vkey.json"), at("prove.public.json"), at("mixed.proof.json")], { expect: INVALID });
      await snarkjs(["groth16", "verify", at("vkey.json"), at("prove.public.json"), at("mixed.proof.json")], { expect: 1 });
    });

    test("an unsatisfied witness makes no proof", async () => {
      const witness = new BinFile(readFileSync(wtns));
      const last = witness.payload(2).subarray(-32).readBigUInt64LE(0);
      writeFileSync(at("wrong.wtns"), witness.patched(2, -32, u256(last + 1n)));
      const outputs = freshOutputs(at, "unsatisfied");
      // A wire that no constraint uses may have any value.
      const expect = circuit.of === "domain2_public" ? VALID : INVALID;
      const { stderr } = await frumious(["prove", zkey, at("wrong.wtns"), ...outputs], { expect });
      if (expect === INVALID) assert.match(stderr, /satisf/i);
    });

    if (circuit.curve !== "bn128") {
      test("the contract over BLS12-381 accepts the proof in an EVM of Prague, and nothing else", async (t) => {
        await frumious(["export", "solidity", zkey, at("verifier.sol")], { expect: VALID });
        await frumious(["export", "solidity", at("vkey.json"), at("verifier2.sol")], { expect: VALID });
        assertSameBytes(at("verifier.sol"), at("verifier2.sol"), "contract from the key and from the verification key");
        const { stdout } = await frumious(["export", "calldata", at("prove.public.json"), at("prove.proof.json")], { expect: VALID });
        const source = readFileSync(at("verifier.sol"), "utf8");
        const { name, verifyProof } = await deploy(source);
        assert.equal(name, "Groth16Verifier");
        const words = wordsOf(stdout);
        assert.equal(words.length, 16 + circuit.nPublic);
        const { result, gas } = await verifyProof(words);
        assert.equal(result, "true");
        t.diagnostic(`${gas} gas`);
        for (const [what, wrong] of wrongCalldataOverBls12381(words)) {
          const { result } = await verifyProof(wrong);
          assert.ok(result === "false" || (what === "too short" && result === "revert"), `${what}: ${result}`);
        }
        // Before the hard fork there is nothing at those addresses: no proof is valid.
        const before = await deploy(source, Hardfork.Cancun);
        assert.equal((await before.verifyProof(words)).result, "false");
      });
      return;
    }

    test("calldata has snarkjs' bytes", async () => {
      const files = [at("prove.public.json"), at("prove.proof.json")];
      const { stdout } = await frumious(["export", "calldata", ...files], { expect: VALID });
      const { stdout: expected } = await snarkjs(["zkey", "export", "soliditycalldata", ...files]);
      assert.equal(stdout, expected);
      writeFileSync(at("calldata"), stdout);
    });

    test("the contract accepts the proof in an EVM, and nothing else", async (t) => {
      await frumious(["export", "solidity", zkey, at("verifier.sol")], { expect: VALID });
      await frumious(["export", "solidity", at("vkey.json"), at("verifier2.sol")], { expect: VALID });
      assertSameBytes(at("verifier.sol"), at("verifier2.sol"), "contract from the key and from the verification key");
      const { name, verifyProof } = await deploy(readFileSync(at("verifier.sol"), "utf8"));
      assert.equal(name, "Groth16Verifier");
      const words = wordsOf(readFileSync(at("calldata"), "utf8"));
      assert.equal(words.length, 8 + circuit.nPublic);

      const { result, gas } = await verifyProof(words);
      assert.equal(result, "true");
      t.diagnostic(`${gas} gas`);
      for (const [what, wrong] of wrongCalldata(words)) {
        const { result } = await verifyProof(wrong);
        assert.ok(result === "false" || (what === "too short" && result === "revert"), `${what}: ${result}`);
      }
    });

    function fill(argument) {
      return { "<zkey>": zkey, "<wtns>": wtns, "<wasm>": wasm, "<input>": input }[argument] ?? argument;
    }
  });
}

/** Paths for proof.json and public.json where no earlier run has left any. */
function freshOutputs(at, how) {
  const name = how.replaceAll(" ", "");
  const outputs = [at(`${name}.proof.json`), at(`${name}.public.json`)];
  for (const path of outputs) rmSync(path, { force: true });
  return outputs;
}

/** A JSON text with every number replaced by one digit: keys, their order, nesting and white space. */
function shapeOf(path) {
  return readFileSync(path, "utf8").replaceAll(/"\d+"/g, '"0"');
}

/** Arguments of `verifyProof` that are not the valid ones: [what, words]. */
function wrongCalldata(words) {
  const changed = (index, value) => words.with(index, value);
  const wrong = [
    ["too short", words.slice(0, -1)],
    ["all zeros", words.map(() => 0n)],
    ["A negated", changed(1, Q - words[1])],
    ["A off the curve", changed(0, words[0] ^ 1n)],
    ["A.x + q", changed(0, words[0] + Q)],
    ["A.y + q", changed(1, words[1] + Q)],
    ["B not swapped", [...words.slice(0, 2), words[3], words[2], words[5], words[4], ...words.slice(6)]],
    ["B.x + q", changed(2, words[2] + Q)],
    ["C.x + q", changed(6, words[6] + Q)],
    ["C negated", changed(7, Q - words[7])],
    ["C at infinity", words.with(6, 0n).with(7, 0n)],
  ];
  if (words.length > 8) {
    wrong.push(
      ["public signal + 1", changed(8, words[8] + 1n)],
      ["public signal + r", changed(8, words[8] + R)],
      ["public signal 2^256 - 1", changed(8, 2n ** 256n - 1n)],
      ["last public signal = r", changed(words.length - 1, R)],
    );
  }
  return wrong;
}

/** The same over BLS12-381, whose coordinates have two words. */
function wrongCalldataOverBls12381(words) {
  const { Q, R, OUTSIDE_G1 } = bls12381;
  const coordinate = (index) => (words[index] << 256n) | words[index + 1];
  const changed = (index, value) => words.with(index, value >> 256n).with(index + 1, value & (2n ** 256n - 1n));
  const wrong = [
    ["too short", words.slice(0, -1)],
    ["all zeros", words.map(() => 0n)],
    ["A negated", changed(2, Q - coordinate(2))],
    ["A off the curve", changed(0, coordinate(0) ^ 1n)],
    ["A outside its group", OUTSIDE_G1.reduce((words, word, index) => words.with(index, word), words)],
    ["C outside its group", OUTSIDE_G1.reduce((words, word, index) => words.with(12 + index, word), words)],
    ["A.x + q", changed(0, coordinate(0) + Q)],
    ["A.y + q", changed(2, coordinate(2) + Q)],
    ["A.x + 2^384", changed(0, coordinate(0) + 2n ** 384n)],
    ["B swapped", [...words.slice(0, 4), ...words.slice(6, 8), ...words.slice(4, 6), ...words.slice(10, 12), ...words.slice(8, 10), ...words.slice(12)]],
    ["B.x + q", changed(4, coordinate(4) + Q)],
    ["B.y + q", changed(10, coordinate(10) + Q)],
    ["C.x + q", changed(12, coordinate(12) + Q)],
    ["C negated", changed(14, Q - coordinate(14))],
    ["C at infinity", [12, 13, 14, 15].reduce((words, index) => words.with(index, 0n), words)],
  ];
  if (words.length > 16) {
    wrong.push(
      ["public signal + 1", words.with(16, (words[16] + 1n) % R)],
      ["public signal + r", words.with(16, words[16] + R)],
      ["public signal 2^256 - 1", words.with(16, 2n ** 256n - 1n)],
      ["last public signal = r", words.with(words.length - 1, R)],
    );
  }
  return wrong;
}
