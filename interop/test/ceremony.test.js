// The circuit's own phase of a ceremony: each tool goes on from the other's keys, beacons are the same bytes, and both
// verify, or refuse, the same chains.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { transcripts } from "../src/ceremony.js";
import { circuits, filesOf } from "../src/circuits.js";
import { assertSameBytes, directory, frumious, INVALID, snarkjs, VALID } from "../src/tools.js";

const BEACON = "0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20";

/** The hashes of the contributions, the last first, of either tool's output. */
function hashes({ stdout }) {
  return [...stdout.matchAll(/ontribution (?:#\d+ .*|Hash): *\n((?:\s+(?:[0-9a-f]{8} ?){4}\n){4})/g)].map(([, lines]) => lines.replaceAll(/\s+/g, ""));
}

for (const name of ["multiplier", "squarings", "no_public_bls12381"]) {
  const circuit = circuits.find((it) => it.name === name);
  describe(`${name}: contributions by both tools`, () => {
    const { prepared } = transcripts(circuit.curve);
    const { r1cs } = filesOf(circuit);
    let at;
    const both = async (key) => {
      const [ours, theirs] = [await frumious(["zkey", "verify", r1cs, prepared, key], { expect: VALID }), await snarkjs(["zkey", "verify", r1cs, prepared, key])];
      assert.deepEqual(hashes(ours), hashes(theirs));
      assert.match(ours.stdout, /ZKey Ok!/);
      return hashes(ours);
    };

    before(async () => {
      const folder = directory("work", `ceremony-${name}`);
      at = (file) => join(folder, file);
      await frumious(["setup", "--force", r1cs, prepared, at("0.zkey")], { expect: VALID });
    });

    test("ours, theirs, ours again, and a beacon: both verify each key, with the same hashes", async () => {
      const ours = await frumious(["zkey", "contribute", "--force", at("0.zkey"), at("1.zkey"), "--name=ours"], { expect: VALID });
      assert.deepEqual(await both(at("1.zkey")), hashes(ours));
      const theirs = await snarkjs(["zkey", "contribute", at("1.zkey"), at("2.zkey"), "--name=theirs", "-e=some text"]);
      await frumious(["zkey", "contribute", "--force", at("2.zkey"), at("3.zkey"), "-n", "again", "-e", "some text"], { expect: VALID });
      await snarkjs(["zkey", "beacon", at("3.zkey"), at("4.zkey"), BEACON, "10", "-n=beacon"]);
      const chain = await both(at("4.zkey"));
      assert.equal(chain.length, 4);
      assert.equal(chain[2], hashes(theirs)[0]);
      assert.equal(chain[3], hashes(ours)[0]);
    });

    test("from their contribution alone", async () => {
      await snarkjs(["zkey", "contribute", at("0.zkey"), at("theirs.zkey"), "-e=some text"]);
      await both(at("theirs.zkey"));
    });

    test("beacons are the same bytes", async () => {
      for (const [beacon, iterations, name] of [[BEACON, "10", "the last one"], ["ff", "11", "ö".repeat(80)], ["ab".repeat(255), "10"]]) {
        const options = name === undefined ? [] : [`--name=${name}`];
        await frumious(["zkey", "beacon", "--force", at("0.zkey"), at("ours.zkey"), beacon, iterations, ...options], { expect: VALID });
        await snarkjs(["zkey", "beacon", at("0.zkey"), at("theirs.zkey"), beacon, iterations, ...options]);
        assertSameBytes(at("ours.zkey"), at("theirs.zkey"), "key");
      }
      await both(at("ours.zkey"));
    });

    test("zkey verify --from is theirs from init", async () => {
      await frumious(["zkey", "contribute", "--force", at("0.zkey"), at("from.zkey")], { expect: VALID });
      await frumious(["zkey", "verify", "--from", at("0.zkey"), prepared, at("from.zkey")], { expect: VALID });
      await snarkjs(["zkvi", at("0.zkey"), prepared, at("from.zkey")]);
    });

    test("both refuse a key that is not the end of its chain", async () => {
      // The head of one key, the rest of another: δ is not that of the last contribution.
      await frumious(["zkey", "contribute", "--force", at("0.zkey"), at("a.zkey")], { expect: VALID });
      await frumious(["zkey", "contribute", "--force", at("0.zkey"), at("b.zkey")], { expect: VALID });
      const [a, b] = [at("a.zkey"), at("b.zkey")].map((path) => readFileSync(path));
      const head = circuit.curve === "bn128" ? 24 + 4 + 12 + 660 : 24 + 4 + 12 + 964;
      writeFileSync(at("bad.zkey"), Buffer.concat([a.subarray(0, head), b.subarray(head)]));
      const { stderr } = await frumious(["zkey", "verify", r1cs, prepared, at("bad.zkey")], { expect: INVALID });
      assert.match(stderr, /delta in G1/);
      await snarkjs(["zkey", "verify", r1cs, prepared, at("bad.zkey")], { expect: 1 });
    });
  });
}
