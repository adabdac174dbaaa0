// One command line, given to snarkjs and to `frumious` by the name of snarkjs: the same exit code, and the same files
// but for those with randomness.
import assert from "node:assert/strict";
import { copyFileSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { filesOf, circuits } from "../src/circuits.js";
import { powersOfTau, transcripts } from "../src/ceremony.js";
import { assertSameBytes, directory, frumiousBinary, run, snarkjs, snarkjsMain } from "../src/tools.js";

const BEACON = "0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20";

/** Lines in their order, with the files that must be the same bytes. In braces: files of a circuit, and of a ceremony. */
const LINES = [
  ["powersoftau new bn128 3 p0.ptau", "p0.ptau"],
  ["ptb p0.ptau p1.ptau " + BEACON + " 10 -n=beacon", "p1.ptau"],
  ["ptec p1.ptau", "challenge"],
  ["ptcc bn128 challenge -e=text"],
  ["ptcc bls12381 challenge other -e=text"],
  ["ptcc bn128 absent other -e=text"],
  ["pt2 p1.ptau p2.ptau", "p2.ptau"],
  ["powersoftau verify p2.ptau"],
  ["ptt p2.ptau", "p2_01.ptau", "p2_02.ptau"],
  ["wtns calculate {wasm} {input}", "witness.wtns"],
  ["wc {wasm} {input} w.wtns", "w.wtns"],
  ["wchk {r1cs} witness.wtns"],
  ["wchk {r1cs} wrong.wtns"],
  ["wtns export json", "witness.json"],
  ["rej copy.r1cs", "copy.json"],
  ["r1cs export json {large} large.json", "large.json"],
  ["ri {r1cs}"],
  ["groth16 setup {r1cs} {powers} 0.zkey"], // the same sections in another order: keys.test.js
  ["zkb {first} circuit_final.zkey " + BEACON + " 10", "circuit_final.zkey"],
  ["zkv {r1cs} {powers} circuit_final.zkey"],
  ["zkey export json", "circuit_final.zkey.json"],
  ["zkej circuit_final.zkey key.json", "key.json"],
  ["zkej absent.zkey"],
  ["ptej p2.ptau p2.json", "p2.json"],
  ["powersoftau export json p1.ptau raw.json"],
  ["wtns debug {wasm} {input} d.wtns named.sym", "d.wtns"],
  ["wd -g -s -t {wasm} {input} d2.wtns named.sym", "d2.wtns"],
  ["wd {wasm} {input} d3.wtns absent.sym"],
  ["r1cs print {r1cs} absent.sym"],
  ["zkey verify {r1cs} {powers} circuit_final.zkey"],
  ["zkvi 0.zkey {powers} circuit_final.zkey"],
  ["zkv {r1cs} {powers} absent.zkey"],
  ["zkev", "circuit_vk.json"],
  ["zkev circuit_final.zkey verification_key.json", "verification_key.json"],
  ["zkesv"],
  ["g16p"],
  ["groth16 fullprove {input} {wasm} circuit_final.zkey proof2.json public2.json", "public2.json"],
  ["g16v"],
  ["groth16 verify verification_key.json public2.json proof2.json"],
  ["g16v verification_key.json wrong.json"],
  ["zkesc"],
  ["zkc circuit_final.zkey next.zkey -n=me -e=text"],
  ["g16p absent.zkey"],
  ["fi {r1cs}"],
  ["ptn bn128"],
  ["ptn bn128 2", "powersOfTau2_0000.ptau"],
  ["g16v a b c d"],
  ["nonsense"],
  ["groth16 verify --help"],
];

/** A list of signals: two of one wire, one that was simplified away, and one that no constraint has. */
const SYMBOLS = ["1,1,0,main.a", "2,2,0,main.b", "3,1,0,main.also", "4,-1,0,main.gone", ...Array.from({ length: 2000 }, (_, k) => `${k + 5},${k + 3},0,main.x[${k}]`)].join("\n") + "\n";

describe("snarkjs's command line", () => {
  const folders = {};
  let names;

  before(async () => {
    const circuit = circuits.find(({ name }) => name === "multiplier");
    const files = filesOf(circuit);
    await powersOfTau(circuit.curve);
    names = { ...files, powers: transcripts(circuit.curve).prepared };
    for (const name of ["ours", "theirs"]) {
      folders[name] = directory("work", "commandline", name);
      for (const file of readdirSync(folders[name])) rmSync(join(folders[name], file));
      writeFileSync(join(folders[name], "wrong.json"), '["1","2"]');
      writeFileSync(join(folders[name], "wrong.wtns"), "wtns");
      copyFileSync(files.r1cs, join(folders[name], "copy.r1cs"));
      writeFileSync(join(folders[name], "named.sym"), SYMBOLS);
    }
    names.large = filesOf(circuits.find(({ name }) => name === "eddsa_poseidon")).r1cs;
    names.first = join(folders.theirs, "0.zkey");
    symlinkSync(frumiousBinary, join(folders.ours, "snarkjs"));
  });

  for (const [line, ...same] of LINES) {
    test(line.replace(BEACON, "BEACON"), async () => {
      const words = line.split(" ").map((word) => word.replace(/^\{(\w+)\}$/, (_, name) => names[name]));
      const ours = await run(join(folders.ours, "snarkjs"), words, { cwd: folders.ours });
      const theirs = await run(process.execPath, [snarkjsMain, ...words], { cwd: folders.theirs });
      assert.equal(ours.code, theirs.code, `${ours.stdout}${ours.stderr}`);
      for (const file of same) assertSameBytes(join(folders.ours, file), join(folders.theirs, file), file);
      const made = (folder) => readdirSync(folder).filter((file) => file !== "snarkjs").sort();
      assert.deepEqual(made(folders.ours), made(folders.theirs));
      const verdict = /OK!|ZKey Ok!|Powers of Tau Ok!|WITNESS IS CORRECT|Invalid proof/;
      const said = theirs.stdout.match(verdict) ?? theirs.stderr.match(verdict);
      if (said) assert.ok(`${ours.stdout}${ours.stderr}`.includes(said[0]), `${said[0]}: ${ours.stdout}${ours.stderr}`);
    });
  }

  for (const circuit of ["multiplier", "poseidon_chain", "multiplier_bls12381"]) {
    test(`r1cs print of ${circuit} has the lines of snarkjs`, async () => {
      const words = ["r1cs", "print", filesOf(circuits.find(({ name }) => name === circuit)).r1cs, "named.sym"];
      const ours = await run(join(folders.ours, "snarkjs"), words, { cwd: folders.ours });
      // To a file: snarkjs ends without waiting until a pipe is read.
      const printed = join(folders.theirs, "printed");
      const theirs = await run("sh", ["-c", `exec "$@" > "${printed}"`, "sh", process.execPath, snarkjsMain, ...words], { cwd: folders.theirs });
      assert.deepEqual([ours.code, theirs.code], [0, 0], ours.stderr);
      const lines = readFileSync(printed, "utf8").replaceAll(/\u001b\[[0-9;]*m/g, "").replaceAll("[INFO]  snarkJS: ", "");
      rmSync(printed);
      assert.equal(ours.stdout, lines);
    });
  }

  for (const curve of ["bn128", "bls12381"]) {
    test(`challenges over ${curve} are answered by either, and both import and verify the response`, async () => {
      const at = (name) => join(folders.theirs, name);
      const [first, challenge] = [at(`c-${curve}.ptau`), at(`c-${curve}.challenge`)];
      const ours = async (words) => {
        const { code, stdout, stderr } = await run(join(folders.ours, "snarkjs"), words);
        assert.equal(code, 0, `${stdout}${stderr}`);
      };
      await snarkjs(["ptn", curve, "4", first]);
      await snarkjs(["ptec", first, challenge]);
      for (const [who, answer] of [["ours", ours], ["theirs", snarkjs]]) {
        const response = at(`${who}-${curve}.response`);
        await answer(["ptcc", curve, challenge, response, "-e=text"]);
        for (const [by, take] of [["mine", ours], ["other", snarkjs]]) {
          const made = at(`${by}-${who}-${curve}.ptau`);
          await take(["ptir", first, response, made, "-n=somebody"]);
          await snarkjs(["pt2", made, `${made}.prepared`]);
          for (const verify of [ours, snarkjs]) await verify(["ptv", `${made}.prepared`]);
        }
      }
    });

    test(`JSON of keys and powers over ${curve} has snarkjs' bytes`, async () => {
      const circuit = circuits.find((it) => it.name === (curve === "bn128" ? "no_public" : "no_public_bls12381"));
      const powers = transcripts(curve).prepared;
      const key = join(folders.theirs, "..", `${curve}.zkey`);
      for (const words of [["groth16", "setup", filesOf(circuit).r1cs, powers, key], ["zkej", key, `${curve}.key.json`], ["ptej", powers, `${curve}.powers.json`]]) {
        const theirs = await run(process.execPath, [snarkjsMain, ...words], { cwd: folders.theirs });
        assert.equal(theirs.code, 0, theirs.stderr);
        if (words[0] === "groth16") continue;
        const ours = await run(join(folders.ours, "snarkjs"), words, { cwd: folders.ours });
        assert.equal(ours.code, 0, ours.stderr);
        assertSameBytes(join(folders.ours, words[2]), join(folders.theirs, words[2]), words[2]);
      }
    });
  }
});
