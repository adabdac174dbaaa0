// The rollup that is built in Rust beside the one that is written in circom: one statement, proofs of both are verified by snarkjs.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import { rollups } from "../src/circuits.js";
import { withKeyAndWitness } from "../src/keys.js";
import { assertSameBytes, frumious, snarkjs, VALID } from "../src/tools.js";

for (const circuit of rollups) describe(`rollup, transfers: ${circuit.transfers}`, { skip: circuit.missing ?? false }, () => {
  let at, wasm, zkey, own;
  before(async () => {
    ({ at, wasm, zkey } = await withKeyAndWitness(circuit, `${circuit.name}-in-rust`));
    own = (name) => at(`own/${name}`);
    await frumious(["demo", "rollup", "--force", "--transfers", String(circuit.transfers), "--dir", at("own")], { expect: VALID });
  });

  test("snarkjs verifies the proof of the circuit in Rust", async () => {
    await snarkjs(["groth16", "verify", own("verification_key.json"), own("public.json"), own("proof.json")]);
  });

  test("snarkjs exports the same verification key from the key of the circuit in Rust", async () => {
    await snarkjs(["zkey", "export", "verificationkey", own("rollup.zkey"), at("own.vkey.json")]);
    assert.deepEqual(JSON.parse(readFileSync(at("own.vkey.json"))), JSON.parse(readFileSync(own("verification_key.json"))));
  });

  test("the circom circuit proves the same statement from the same inputs", async () => {
    const outputs = [at("circom.proof.json"), at("circom.public.json")];
    await frumious(["fullprove", own("input.json"), wasm, zkey, ...outputs], { expect: VALID });
    assertSameBytes(at("circom.public.json"), own("public.json"), "public signals");
    await frumious(["export", "vkey", zkey, at("circom.vkey.json")], { expect: VALID });
    await snarkjs(["groth16", "verify", at("circom.vkey.json"), own("public.json"), at("circom.proof.json")]);
  });
});
