// Witnesses that are recorded and replayed beside those of circom's own runtime: byte for byte, or the same error.
//   FRUMIOUS_TAPE_RUNS  inputs for each small circuit, default 20; 1000 takes nine minutes
import assert from "node:assert/strict";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { assertSameBytes, BAD_INPUT, directory, frumious, INVALID, readJson, VALID } from "../src/tools.js";
import { filesOf } from "../src/circuits.js";
import { PRIMES, Random, recordedCircuits, runtimeOf } from "../src/tapes.js";

const RUNS = Number(process.env.FRUMIOUS_TAPE_RUNS ?? 20);
/** Inputs for a tape that was made without any. */
const PREPARED_RUNS = 6;
/** Of those that take a second each. */
const FEW = 3;

for (const circuit of recordedCircuits) {
  describe(circuit.name, { skip: circuit.missing ?? false }, () => {
    const work = directory("work", "tapes", circuit.name);
    const [json, wtns, cache, prepared] = ["input.json", "witness.wtns", "cache", "prepared"].map((name) => join(work, name));
    const { wasm, input } = filesOf(circuit);

    /** Ours: `{ bytes, lines, way }` or `{ error, code, lines }`. */
    async function ours(inputs, cache) {
      writeFileSync(json, JSON.stringify(inputs));
      rmSync(wtns, { force: true });
      const { code, stdout, stderr } = await frumious(["witness", "--log", "--json", "--cache", cache, wasm, json, wtns]);
      const lines = [...stderr.matchAll(/log: (.*)$/gm)].map(([, line]) => line);
      if (code === VALID) return { bytes: wtns, lines, way: JSON.parse(stdout).way };
      assert.ok(!existsSync(wtns), "a witness is written");
      return { error: stderr, code, lines };
    }

    function assertSame(found, expected, inputs) {
      const story = JSON.stringify(inputs).slice(0, 1000);
      if (expected.bytes) {
        assert.equal(found.error, undefined, `${story}: ${found.error}`);
        assertSameBytes(found.bytes, expected.bytes, `witness of ${story}`);
        assert.deepEqual(found.lines, expected.lines, story);
        return;
      }
      assert.ok(found.error, `${story}: circom says ${expected.error}`);
      const [kind, ...trace] = expected.error.split("\n").map((line) => line.trim());
      if (/Assert Failed/.test(kind)) assert.equal(found.code, INVALID, `${story}: ${found.error}`);
      else assert.equal(found.code, BAD_INPUT, `${story}: ${expected.error}: ${found.error}`);
      for (const line of trace.filter((line) => /^Error in template/.test(line))) assert.ok(found.error.includes(line), `${line}: ${found.error}`);
    }

    test("recorded, replayed, and other inputs", async () => {
      rmSync(cache, { recursive: true, force: true });
      const theirs = await runtimeOf(circuit);
      const random = new Random(circuit.name);
      const p = PRIMES[circuit.curve];
      const next = () => JSON.parse(JSON.stringify(circuit.random(random, p), (_, value) => (typeof value === "bigint" ? String(value) : value)));
      let recorded = 0;
      const count = circuit.key === "dev" && circuit.of !== "squarings" ? Math.min(FEW, RUNS) : RUNS;
      for (let run = 0; run < count; run++) {
        const inputs = run === 0 && circuit.folder === undefined ? readJson(input) : next();
        const expected = await theirs(inputs);
        const first = await ours(inputs, cache);
        assertSame(first, expected, inputs);
        if (!expected.bytes) continue;
        if (first.way === "recorded") recorded++;
        else assert.ok(first.way === "replayed" || recorded >= 8, `${first.way} after ${recorded} runs`);
        if (first.way === "ran" || (run > 3 && first.way === "replayed")) continue;
        const again = await ours(inputs, cache);
        assert.equal(again.way, "replayed");
        assertSame(again, expected, inputs);
      }
      assert.ok(recorded > 0, "no run is recorded");
    });

    test("prepared without inputs", async () => {
      rmSync(prepared, { recursive: true, force: true });
      const { code, stdout } = await frumious(["witness", "--prepare", wasm, "--cache", prepared, "--json"]);
      assert.equal(code, VALID);
      assert.deepEqual([JSON.parse(stdout).way, JSON.parse(stdout).tapes], ["recorded", 1]);
      const theirs = await runtimeOf(circuit);
      const random = new Random(`${circuit.name} prepared`);
      const p = PRIMES[circuit.curve];
      let replayed = 0;
      for (let run = 0; run < PREPARED_RUNS; run++) {
        const next = () => JSON.parse(JSON.stringify(circuit.random(random, p), (_, value) => (typeof value === "bigint" ? String(value) : value)));
        const inputs = run === 0 && circuit.folder === undefined ? readJson(input) : next();
        const expected = await theirs(inputs);
        const found = await ours(inputs, prepared);
        assertSame(found, expected, inputs);
        if (expected.bytes && found.way === "replayed") replayed++;
      }
      // A loop that ends by a value, or an array that is read at one, goes another way for nearly all inputs.
      const isOfInputs = ["gcd", "indexed", "long_division"].includes(circuit.of);
      assert.ok(replayed > 0 || isOfInputs, "its tape serves no inputs");
    });
  });
}
