// Paths that are no files, outputs that cannot be written, and files that change while they are in use.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, rmSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { circuits } from "../src/circuits.js";
import { withKeyAndWitness } from "../src/keys.js";
import { BAD_INPUT, directory, frumious, snarkjs, TRY_AGAIN, VALID } from "../src/tools.js";

const named = (name) => circuits.find((circuit) => circuit.name === name);
const odd = directory("work", "odd");

/** [what, path]. */
const notFiles = [
  ["a directory", odd],
  ["nothing", join(odd, "nothing")],
  ["a path through a file", join("/dev/null", "file")],
  ["an endless device", "/dev/zero"],
  ["a pipe nobody writes to", join(odd, "pipe")],
  ["a link to itself", join(odd, "loop")],
  ["a name of 5000 characters", join(odd, "x".repeat(5000))],
];

describe("paths that are no files", { concurrency: 2 }, () => {
  let good;
  before(async () => {
    for (const name of ["pipe", "loop"]) rmSync(join(odd, name), { force: true });
    execFileSync("mkfifo", [join(odd, "pipe")]);
    symlinkSync(join(odd, "loop"), join(odd, "loop"));
    good = await withKeyAndWitness(named("domain2"), "odd-good", "dev");
    await frumious(["prove", good.zkey, good.wtns, good.at("proof.json"), good.at("public.json")], { expect: VALID });
    await frumious(["export", "vkey", good.zkey, good.at("vkey.json")], { expect: VALID });
  });

  for (const [what, path] of notFiles) {
    test(`${what}, as every argument of every command`, async () => {
      for (const args of commandsWith(good, path)) {
        const { stderr } = await frumious(args, { expect: BAD_INPUT, seconds: 20 });
        assert.ok(stderr.includes(path.slice(0, 200)), `the message names the path: ${stderr}`);
      }
    });
  }

  test("an output that cannot be written", async () => {
    const missing = good.at("no/such/folder/proof.json");
    for (const args of [
      ["prove", good.zkey, good.wtns, missing, good.at("unwritten.json")],
      ["prove", good.zkey, good.wtns, good.at("unwritten.json"), missing],
      ["setup", "--dev", good.r1cs, missing],
      ["witness", good.wasm, good.input, missing],
      ["export", "vkey", good.zkey, missing],
      ["export", "solidity", good.zkey, odd],
    ]) {
      const { stderr } = await frumious(args, { expect: BAD_INPUT });
      assert.match(stderr, /no\/such\/folder|odd/);
    }
  });

  test("bad usage", async () => {
    for (const args of [[], ["nonsense"], ["prove", "--nonsense"], ["export"], ["inspect"]]) {
      const { stderr } = await frumious(args, { expect: BAD_INPUT });
      assert.match(stderr, /usage/i);
    }
  });
});

/** Each command with `path` in the place of one of its inputs. */
function commandsWith(good, path) {
  const out = (name) => good.at(`unwritten.${name}`);
  const { zkey, wtns, r1cs, wasm, input } = good;
  const json = ["vkey.json", "public.json", "proof.json"].map((name) => good.at(name));
  return [
    ["prove", path, wtns, out("proof"), out("public")],
    ["prove", zkey, path, out("proof"), out("public")],
    ["fullprove", path, wasm, zkey, out("proof"), out("public")],
    ["fullprove", input, path, zkey, out("proof"), out("public")],
    ["fullprove", input, wasm, path, out("proof"), out("public")],
    ["witness", path, input, out("wtns")],
    ["witness", wasm, path, out("wtns")],
    ["setup", r1cs, path, out("zkey")],
    ["setup", "--dev", path, out("zkey")],
    ...json.map((_, i) => ["verify", ...json.with(i, path)]),
    ["export", "vkey", path, out("vkey")],
    ["export", "solidity", path, out("sol")],
    ["export", "calldata", path, json[2]],
    ["export", "calldata", json[1], path],
    ["inspect", path],
  ];
}

describe("a file cut short while it is in use", () => {
  // Large enough that the cuts fall into reading, transforms and sums alike.
  const circuit = named("sha256_512");
  const MOMENTS = [0.02, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9];
  let good;
  before(async () => {
    good = await withKeyAndWitness(circuit, "cut", "dev");
    await frumious(["export", "vkey", good.zkey, good.at("vkey.json")], { expect: VALID });
  });

  /** [what, the file that is cut, command on it]. */
  const uses = [
    ["key, prove", "zkey", (zkey, out) => ["prove", zkey, good.wtns, out("proof.json"), out("public.json")]],
    ["key, prove --check", "zkey", (zkey, out) => ["prove", "--check", zkey, good.wtns, out("proof.json"), out("public.json")]],
    ["circuit, setup --dev", "r1cs", (r1cs, out) => ["setup", "--dev", r1cs, out("zkey")]],
  ];
  for (const [what, kind, command] of uses) {
    test(what, async (t) => {
      const path = good.at(`cut.${kind}`);
      const out = (name) => good.at(`cut.out.${name}`);
      const start = performance.now();
      await frumious(command(good[kind], out), { expect: VALID });
      const wholeTime = performance.now() - start;

      const codes = [];
      for (const moment of MOMENTS) {
        copyFileSync(good[kind], path);
        for (const name of ["proof.json", "public.json", "zkey"]) rmSync(out(name), { force: true });
        const cut = () => setTimeout(() => truncateSync(path, 5000), moment * wholeTime);
        const { code, stderr } = await frumious(command(path, out), { whileRunning: cut, seconds: 120 });
        assert.ok([VALID, BAD_INPUT, TRY_AGAIN].includes(code), `exit code ${code}: ${stderr}`);
        if (code !== VALID) assert.ok(stderr.includes(path), stderr);
        else if (existsSync(out("proof.json"))) await snarkjs(["groth16", "verify", good.at("vkey.json"), out("public.json"), out("proof.json")]);
        codes.push(code);
      }
      assert.ok(codes.includes(BAD_INPUT), "at least one cut falls into the use");
      t.diagnostic(`exit codes ${codes.join(" ")}`);
    });
  }
});
