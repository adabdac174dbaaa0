// The phase of a ceremony that all circuits share: each tool goes on from the other's powers of tau, beacons and
// Lagrange bases are the same bytes, and both verify, or refuse, the same files.
import assert from "node:assert/strict";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { assertSameBytes, directory, frumious, INVALID, snarkjs, VALID } from "../src/tools.js";

const BEACON = "0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20";

/** The hashes after a title, of either tool's output: without colours and blanks. */
function hashes({ stdout }, title) {
  const text = stdout.replaceAll(/\u001b\[[0-9;]*m/g, "");
  return [...text.matchAll(new RegExp(`${title}: *\\n((?:\\s+(?:[0-9a-f]{8} ?){4}\\n){4})`, "g"))].map(([, lines]) => lines.replaceAll(/\s+/g, ""));
}

for (const [curve, power] of [["bn128", 6], ["bls12381", 4]]) {
  describe(`${curve}: powers of tau by both tools`, () => {
    let at;
    const both = async (powers) => {
      const [ours, theirs] = [await frumious(["powersoftau", "verify", powers], { expect: VALID }), await snarkjs(["powersoftau", "verify", powers])];
      assert.match(ours.stdout, /Powers of Tau Ok!/);
      const next = hashes(ours, "Next Challenge");
      assert.deepEqual(next, hashes(theirs, "Next Challenge"));
      // Theirs has two hashes of this name for each contribution: of the response, and of the challenge it answers.
      const responses = hashes(ours, "Response Hash").flatMap((response, k) => [response, hashes(ours, "\\nChallenge")[k]]);
      assert.deepEqual(responses, hashes(theirs, "Response Hash"));
      return next;
    };

    before(async () => {
      const folder = directory("work", `powers-${curve}`);
      at = (file) => join(folder, file);
      await frumious(["powersoftau", "new", "--force", curve, String(power), at("0.ptau")], { expect: VALID });
    });

    test("new powers are the same bytes", async () => {
      await snarkjs(["powersoftau", "new", curve, String(power), at("theirs.ptau")]);
      assertSameBytes(at("0.ptau"), at("theirs.ptau"), "powers");
    });

    test("ours, theirs, ours again, and a beacon: both verify each file, with the same hashes", async () => {
      const ours = await frumious(["powersoftau", "contribute", "--force", at("0.ptau"), at("1.ptau"), "--name=ours"], { expect: VALID });
      assert.deepEqual(await both(at("1.ptau")), hashes(ours, "Next Challenge Hash"));
      const theirs = await snarkjs(["powersoftau", "contribute", at("1.ptau"), at("2.ptau"), "--name=theirs", "-e=some text"]);
      await frumious(["powersoftau", "contribute", "--force", at("2.ptau"), at("3.ptau"), "-n", "again", "-e", "some text"], { expect: VALID });
      await snarkjs(["powersoftau", "beacon", at("3.ptau"), at("4.ptau"), BEACON, "10", "-n=beacon"]);
      const chain = await both(at("4.ptau"));
      assert.equal(chain.length, 4);
      assert.deepEqual([chain[2]], hashes(theirs, "Next Challenge Hash"));
    });

    test("beacons are the same bytes", async () => {
      for (const [from, beacon, iterations, name] of [["0", BEACON, "10", "the last one"], ["4", "ff", "11", "ö".repeat(80)], ["0", "ab".repeat(255), "10"]]) {
        const options = name === undefined ? [] : [`--name=${name}`];
        await frumious(["powersoftau", "beacon", "--force", at(`${from}.ptau`), at("ours.ptau"), beacon, iterations, ...options], { expect: VALID });
        await snarkjs(["powersoftau", "beacon", at(`${from}.ptau`), at("theirs.ptau"), beacon, iterations, ...options]);
        assertSameBytes(at("ours.ptau"), at("theirs.ptau"), "powers");
      }
      await both(at("ours.ptau"));
    });

    test("prepared for phase 2, and cut to fewer powers", async () => {
      await frumious(["powersoftau", "prepare", "phase2", "--force", at("4.ptau"), at("prepared.ptau")], { expect: VALID });
      await snarkjs(["powersoftau", "prepare", "phase2", at("4.ptau"), at("theirs.ptau")]);
      assertSameBytes(at("prepared.ptau"), at("theirs.ptau"), "powers");
      await both(at("prepared.ptau"));
      await snarkjs(["powersoftau", "truncate", at("prepared.ptau")]);
      copyFileSync(at("prepared.ptau"), at("ours.ptau"));
      await frumious(["powersoftau", "truncate", "--force", at("ours.ptau")], { expect: VALID });
      for (let fewer = 1; fewer < power; fewer++) {
        const cut = at(`prepared_${String(fewer).padStart(2, "0")}.ptau`);
        assertSameBytes(at(`ours_${String(fewer).padStart(2, "0")}.ptau`), cut, "powers");
        await frumious(["powersoftau", "verify", cut], { expect: VALID });
        await frumious(["powersoftau", "prepare", "phase2", "--force", cut, at("again.ptau")], { expect: VALID });
        await frumious(["powersoftau", "verify", at("again.ptau")], { expect: VALID });
      }
    });

    test("bases of early versions of snarkjs, without the last block of section 12, are made anew", async () => {
      const whole = readFileSync(at("prepared.ptau"));
      let place = 12;
      while (whole.readUInt32LE(place) !== 12) place += 12 + Number(whole.readBigUInt64LE(place + 4));
      const length = Number(whole.readBigUInt64LE(place + 4));
      const last = 2 ** (power + 1) * (curve === "bn128" ? 64 : 96);
      const early = Buffer.concat([whole.subarray(0, place + 12 + length - last), whole.subarray(place + 12 + length)]);
      early.writeBigUInt64LE(BigInt(length - last), place + 4);
      writeFileSync(at("early.ptau"), early);
      await snarkjs(["powersoftau", "convert", at("early.ptau"), at("theirs.ptau")]);
      await frumious(["powersoftau", "convert", "--force", at("early.ptau"), at("ours.ptau")], { expect: VALID });
      assertSameBytes(at("ours.ptau"), at("theirs.ptau"), "powers");
      assertSameBytes(at("ours.ptau"), at("prepared.ptau"), "powers");
    });

    test("challenges are the same bytes, and responses to them make the same powers", async () => {
      for (const from of ["0", "4"]) {
        await frumious(["powersoftau", "export", "challenge", "--force", at(`${from}.ptau`), at("ours.challenge")], { expect: VALID });
        await snarkjs(["powersoftau", "export", "challenge", at(`${from}.ptau`), at("theirs.challenge")]);
        assertSameBytes(at("ours.challenge"), at("theirs.challenge"), "challenge");
        await snarkjs(["powersoftau", "challenge", "contribute", curve, at("ours.challenge"), at("response"), "-e=some text"]);
        await frumious(["powersoftau", "import", "response", "--force", at(`${from}.ptau`), at("response"), at("ours.ptau"), "--name=them"], { expect: VALID });
        await snarkjs(["powersoftau", "import", "response", at(`${from}.ptau`), at("response"), at("theirs.ptau"), "--name=them"]);
        assertSameBytes(at("ours.ptau"), at("theirs.ptau"), "powers");
        await both(at("ours.ptau"));
      }
    });

    test("both refuse powers that are not the end of their chain", async () => {
      // The contributions of one file over the powers of another: they end the file.
      await frumious(["powersoftau", "contribute", "--force", at("0.ptau"), at("a.ptau")], { expect: VALID });
      await frumious(["powersoftau", "contribute", "--force", at("0.ptau"), at("b.ptau")], { expect: VALID });
      const [a, b] = [at("a.ptau"), at("b.ptau")].map((path) => readFileSync(path));
      const head = readFileSync(at("0.ptau")).length - 16;
      writeFileSync(at("bad.ptau"), Buffer.concat([a.subarray(0, head), b.subarray(head)]));
      const { stderr } = await frumious(["powersoftau", "verify", at("bad.ptau")], { expect: INVALID });
      assert.match(stderr, /section 2/);
      await snarkjs(["powersoftau", "verify", at("bad.ptau")], { expect: 1 });
    });
  });
}
