// circom's C++ programs and graphs of others, run by Frumious, beside circom's own runtime: byte for byte.
//   FRUMIOUS_TAPE_RUNS  inputs for each small circuit, default 20
import assert from "node:assert/strict";
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { assertSameBytes, BAD_INPUT, directory, frumious, INVALID, readJson, VALID } from "../src/tools.js";
import { compile, filesOf } from "../src/circuits.js";
import { byItsCrate, FORMATS, generatedCircuits, generatorsOf, make, missingTools, text } from "../src/generators.js";
import { PRIMES, Random, recordedCircuits, runtimeOf } from "../src/tapes.js";

const RUNS = Number(process.env.FRUMIOUS_TAPE_RUNS ?? 20);
/** Of those that take a second each in circom's runtime. */
const FEW = 3;
const missing = missingTools();

/** circom's C++ looks at no index: beyond an array it reads and writes whatever is there, and may print without end. */
const isDefined = (circuit, { i, j }) => circuit.of !== "indexed" || (i < 5 && j < 5);

for (const circuit of generatedCircuits) {
  describe(`generators of ${circuit.name}`, { skip: missing ?? circuit.missing ?? false }, () => {
    const work = directory("work", "generators", circuit.name);
    const [json, wtns] = ["input.json", "witness.wtns"].map((name) => join(work, name));
    const { program, graph } = generatorsOf(circuit);
    /** Inputs with what circom's runtime makes of them. */
    const cases = [];

    before(async () => {
      await compile(circuit);
      await make(circuit);
      const theirs = await runtimeOf(circuit);
      const random = new Random(`generators ${circuit.name}`);
      const count = circuit.key === "dev" && circuit.of !== "squarings" ? Math.min(FEW, RUNS) : RUNS;
      for (let run = 0; run < count; run++) {
        const inputs = run === 0 && circuit.folder === undefined ? readJson(filesOf(circuit).input) : JSON.parse(text(circuit.random(random, PRIMES[circuit.curve])));
        cases.push({ inputs, expected: await theirs(inputs) });
      }
    });

    async function ours(generator, inputs, ...options) {
      writeFileSync(json, JSON.stringify(inputs));
      rmSync(wtns, { force: true });
      const result = await frumious(["witness", "--log", "--json", "--wasm-time", "60", ...options, generator, json, wtns]);
      assert.equal(existsSync(wtns), result.code === VALID, result.stderr);
      return result;
    }

    test("the program", async () => {
      let made = 0;
      for (const { inputs, expected } of cases.filter(({ inputs }) => isDefined(circuit, inputs))) {
        const story = JSON.stringify(inputs).slice(0, 1000);
        const { code, stderr } = await ours(program, inputs);
        if (expected.bytes) {
          assert.equal(code, VALID, `${story}: ${stderr}`);
          assertSameBytes(wtns, expected.bytes, `witness of ${story}`);
          assert.deepEqual([...stderr.matchAll(/log: (.*)$/gm)].map(([, line]) => line), expected.lines, story);
          made++;
        } else if (/Assert Failed/.test(expected.error)) {
          assert.equal(code, INVALID, `${story}: ${stderr}`);
          for (const [, template, line] of expected.error.matchAll(/Error in (?:template|function) (\w+)_\d+ line: (\d+)/g)) {
            assert.match(stderr, new RegExp(`template \\w+ line ${line}|template ${template}`), story);
            break;
          }
        } else assert.equal(code, BAD_INPUT, `${story}: ${expected.error}: ${stderr}`);
      }
      assert.ok(made > 0, "no inputs are good");
    });

    for (const format of circuit.graph ? FORMATS : []) {
      test(`the graph ${format}`, async (context) => {
        if (!existsSync(graph(format))) return context.skip("this format does not have all of its operations");
        const cacheFolder = join(work, `cache-${format}`);
        rmSync(cacheFolder, { recursive: true, force: true });
        const ways = [];
        const good = cases.filter(({ expected }) => expected.bytes); // a graph has no assertions
        for (const { inputs, expected } of [...good, good[0]]) {
          const story = JSON.stringify(inputs).slice(0, 1000);
          const { code, stdout, stderr } = await ours(graph(format), inputs, "--cache", cacheFolder);
          assert.equal(code, VALID, `${story}: ${stderr}`);
          assertSameBytes(wtns, expected.bytes, `witness of ${story}`);
          ways.push(JSON.parse(stdout).way);
          if (ways.length > FEW) continue;
          // It is a graph of theirs: they read it, too. The first format divides by zero with a panic.
          const theirs = await byItsCrate(graph(format), json);
          assert.ok(theirs || format === "rs3", `not by its own crate: ${story}`);
          if (theirs) assertSameBytes(theirs, expected.bytes, `by its own crate: ${story}`);
        }
        assert.deepEqual(ways, ["recorded", ...Array(good.length).fill("replayed")]);
      });
    }
  });
}

describe("programs that are none", { skip: missing ?? false }, () => {
  const work = directory("work", "programs");
  const circuit = recordedCircuits.find(({ name }) => name === "multiplier");
  const [copy, json, wtns] = ["copy", "input.json", "witness.wtns"].map((name) => join(work, name));

  before(async () => {
    await compile(circuit);
    await make(circuit);
    writeFileSync(json, JSON.stringify({ a: 3, b: 11 }));
  });

  async function refused(why) {
    rmSync(wtns, { force: true });
    const { stderr } = await frumious(["witness", copy, json, wtns], { expect: BAD_INPUT, seconds: 20 });
    assert.match(stderr, why);
    assert.ok(!existsSync(wtns), "a witness is written");
  }

  test("without its data", async () => {
    copyFileSync(generatorsOf(circuit).program, copy);
    rmSync(`${copy}.dat`, { force: true });
    await refused(/copy\.dat/);
  });

  test("with other data", async () => {
    copyFileSync(generatorsOf(circuit).program, copy);
    const data = readFileSync(`${generatorsOf(circuit).program}.dat`);
    for (const changed of [Buffer.alloc(0), data.subarray(0, data.length / 2), Buffer.alloc(data.length, 0xff)]) {
      writeFileSync(`${copy}.dat`, changed);
      await refused(/\w/);
    }
  });

  test("cut short", async () => {
    const bytes = readFileSync(generatorsOf(circuit).program);
    copyFileSync(`${generatorsOf(circuit).program}.dat`, `${copy}.dat`);
    for (const length of [4, 64, 4096, bytes.length / 2]) {
      writeFileSync(copy, bytes.subarray(0, length));
      await refused(/\w/);
    }
  });
});
