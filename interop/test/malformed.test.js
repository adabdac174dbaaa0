// Malformed files through the command line: exit code 2, a message that names file, section and byte, no output, no crash, no hang.
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import { BinFile } from "../src/binfile.js";
import { transcripts } from "../src/ceremony.js";
import { circuits } from "../src/circuits.js";
import { withKeyAndWitness } from "../src/keys.js";
import { malformed } from "../src/malformed.js";
import { damaged, malformedJson } from "../src/malformed_json.js";
import { BAD_INPUT, frumious, INVALID, snarkjs, VALID } from "../src/tools.js";

const SECONDS = 20;
const concurrency = 2;
let good; // paths of valid files, by kind, of one circuit
let at;

/** By kind of file: the commands that have to refuse a bad one, and those that only must not crash on it. */
const commands = {
  zkey: {
    refuse: [(zkey, out) => ["prove", zkey, good.wtns, out("proof.json"), out("public.json")]],
    survive: [(zkey) => ["inspect", zkey], (zkey, out) => ["export", "vkey", zkey, out("vkey.json")], (zkey, out) => ["export", "solidity", zkey, out("sol")]],
  },
  wtns: {
    refuse: [(wtns, out) => ["prove", good.zkey, wtns, out("proof.json"), out("public.json")]],
    survive: [(wtns) => ["inspect", wtns]],
  },
  r1cs: {
    refuse: [(r1cs, out) => ["setup", "--dev", r1cs, out("zkey")], (r1cs, out) => ["setup", r1cs, good.ptau, out("zkey")]],
    survive: [(r1cs) => ["inspect", r1cs]],
  },
  ptau: {
    refuse: [(ptau, out) => ["setup", good.r1cs, ptau, out("zkey")]],
    survive: [(ptau) => ["inspect", ptau]],
  },
  vkey: {
    refuse: [(vkey) => ["verify", vkey, good.public, good.proof], (vkey, out) => ["export", "solidity", vkey, out("sol")]],
    survive: [(vkey) => ["inspect", vkey]],
  },
  public: {
    refuse: [(signals) => ["verify", good.vkey, signals, good.proof]],
    survive: [(signals) => ["inspect", signals], (signals) => ["export", "calldata", signals, good.proof]],
  },
  proof: {
    refuse: [(proof) => ["verify", good.vkey, good.public, proof], (proof) => ["export", "calldata", good.public, proof]],
    survive: [(proof) => ["inspect", proof]],
  },
};

before(async () => {
  const circuit = circuits.find(({ name }) => name === "multiplier");
  const made = await withKeyAndWitness(circuit, "malformed", "ceremony");
  at = made.at;
  good = { ...made, ptau: transcripts().prepared, vkey: at("vkey.json"), public: at("public.json"), proof: at("proof.json") };
  await snarkjs(["zkey", "export", "verificationkey", good.zkey, good.vkey]);
  await snarkjs(["groth16", "prove", good.zkey, good.wtns, good.proof, good.public]);
});

for (const [kind, rows] of Object.entries(malformed)) {
  describe(`malformed .${kind}`, { concurrency }, () => {
    for (const [what, edit, place, when] of rows) {
      test(what, async () => {
        const file = new BinFile(readFileSync(good[kind]));
        const bytes = edit(file);
        const verdict = when === "unsatisfied" ? INVALID : BAD_INPUT;
        const path = written(kind, what, bytes);
        for (const command of commands[kind].refuse) {
          const message = await refused(kind, command, path, { verdict, when });
          if (verdict === BAD_INPUT && place !== "other") assertPlace(message, place, bytes, file);
        }
        for (const command of commands[kind].survive) await survives(command, path);
        rmSync(path);
      });
    }

    test("truncated in and at the end of every section's header and payload", async () => {
      const file = new BinFile(readFileSync(good[kind]));
      for (const length of file.cuts()) {
        const path = written(kind, `cut at ${length}`, file.truncated(length));
        for (const command of commands[kind].refuse) {
          const message = await refused(kind, command, path, { verdict: BAD_INPUT });
          assertPlace(message, undefined, file.truncated(length), file);
        }
        for (const command of commands[kind].survive) await survives(command, path);
        rmSync(path);
      }
    });
  });
}

for (const [kind, rows] of Object.entries(malformedJson)) {
  describe(`malformed ${kind}.json`, { concurrency }, () => {
    for (const [what, edit] of rows) {
      test(what, async () => {
        const path = written(kind, what, damaged(readFileSync(good[kind], "utf8"), edit));
        for (const command of commands[kind].refuse) await refused(kind, command, path, { verdict: BAD_INPUT });
        for (const command of commands[kind].survive) await survives(command, path);
        rmSync(path);
      });
    }
  });
}

function written(kind, what, bytes) {
  const path = at(`${kind}-${what.replaceAll(/[^\w=]+/g, "-")}.${kind}`);
  writeFileSync(path, bytes);
  return path;
}

/** Runs a command that has to fail with the verdict and leave no output; gives its message. */
async function refused(kind, command, path, { verdict, when }) {
  const [args, outputs] = withOutputs(command, path);
  if (when === "unread") {
    // No proof reads this part (SOUNDNESS.md); only a full check does.
    await frumious(args, { seconds: SECONDS, expect: VALID });
    for (const output of outputs) rmSync(output);
    args.splice(1, 0, "--check");
  }
  if (when === "check") {
    // Without a full check the proof is found to be wrong, or the point to be none; either way there is no proof.
    const { code } = await frumious(args, { seconds: SECONDS });
    assert.ok([INVALID, BAD_INPUT].includes(code), `exit code ${code}`);
    assertNoOutputs(outputs);
    args.splice(1, 0, "--check");
  }
  const { stderr } = await frumious(args, { seconds: SECONDS, expect: verdict });
  if (verdict === BAD_INPUT) assert.ok(stderr.includes(path), `the message names ${path}: ${stderr}`);
  assert.ok(stderr.trim().split("\n").length < 8, `a message, not a dump: ${stderr}`);
  assertNoOutputs(outputs);
  return stderr.replaceAll(path, "");
}

async function survives(command, path) {
  const [args] = withOutputs(command, path);
  await frumious(args, { seconds: SECONDS });
}

function withOutputs(command, path) {
  const outputs = [];
  const args = command(path, (extension) => {
    outputs.push(`${path}.out.${extension}`);
    return outputs.at(-1);
  });
  for (const output of outputs) rmSync(output, { force: true });
  return [args, outputs];
}

function assertNoOutputs(outputs) {
  for (const output of outputs) assert.ok(!existsSync(output), `${output} is written`);
}

/** The message says where: in the section that was damaged, if it still lies where it was. */
function assertPlace(message, place, bytes, file) {
  if (place === "whole") return;
  // What is another kind of file by its first bytes is told by its kind.
  const isKindTold = / (?:is|are) expected (?:first|second)/.test(message);
  if (isKindTold && !bytes.subarray(0, 28).equals(file.bytes.subarray(0, 28))) return;
  const found = message.match(/(?:section (\d+) \([^)]*\)|section table), byte (\d+)/);
  assert.ok(found, `the message names section and byte: ${message}`);
  const [, section, byte] = found;
  assert.ok(Number(byte) <= Math.max(bytes.length, file.bytes.length), `byte ${byte} is in the file: ${message}`);
  if (place === "table") assert.equal(section, undefined, message);
  if (typeof place !== "number") return;
  assert.equal(Number(section), place, message);
  if (bytes.length !== file.bytes.length) return;
  const { offset, end } = file.section(place);
  assert.ok(offset <= Number(byte) && Number(byte) <= end, `byte ${byte} is in section ${place}: ${message}`);
}
