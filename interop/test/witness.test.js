// input.json in the forms snarkjs takes, and in forms nobody should take.
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { circuits, filesOf } from "../src/circuits.js";
import { assertSameBytes, BAD_INPUT, directory, frumious, INVALID, readJson, snarkjs, VALID } from "../src/tools.js";

const work = directory("work", "witness");
const filesNamed = (name) => filesOf(circuits.find((circuit) => circuit.name === name));
const input = (name) => readJson(filesNamed(name).input);

/** [what, circuit, input]: snarkjs and Frumious must calculate the same witness. */
const accepted = [
  ["numbers", "multiplier", { a: 3, b: 11 }],
  ["decimal and hexadecimal strings", "multiplier", { a: "3", b: "0x0b" }],
  ["negative numbers", "multiplier", { a: -3, b: "-11" }],
  ["numbers above r", "multiplier", { a: "3", b: String(2n ** 256n + 12345n) }],
  ["zeros", "multiplier", { a: 0, b: "0" }],
  ["an array of one for a single signal", "multiplier", { a: ["3"], b: [11] }],
  ["keys in another order", "multiplier", { b: "11", a: "3" }],
  ["a nested array", "poseidon_chain", { x: "1", salt: [["7", "8"], ["9", "10"]] }],
];

/** [what, circuit, input as value or text, exit code]: no witness. */
const rejected = [
  ["not JSON", "multiplier", "{", BAD_INPUT],
  ["an array", "multiplier", [], BAD_INPUT],
  ["deep nesting", "multiplier", `{"a": ${"[".repeat(100_000)}`, BAD_INPUT],
  ["a signal missing", "multiplier", { a: "3" }, BAD_INPUT],
  ["a signal of another circuit", "multiplier", { a: "3", b: "11", c: "33" }, BAD_INPUT],
  ["too few values", "poseidon_chain", { x: "1", salt: ["7", "8", "9"] }, BAD_INPUT],
  ["too many values", "poseidon_chain", { x: "1", salt: ["7", "8", "9", "10", "11"] }, BAD_INPUT],
  ["null", "multiplier", { a: null, b: "11" }, BAD_INPUT],
  ["a word", "multiplier", { a: "three", b: "11" }, BAD_INPUT],
  ["a fraction", "multiplier", { a: 1.5, b: "11" }, BAD_INPUT],
  ["an object", "multiplier", { a: {}, b: "11" }, BAD_INPUT],
  ["no divisors", "no_public", { p: "3", q: "5" }, INVALID],
  ["a signature of another message", "eddsa_poseidon", { ...input("eddsa_poseidon"), M: "1" }, INVALID],
];

const wasmHeader = Buffer.from("\0asm\x01\0\0\0");
/** (func $f (loop (br 0))) (start $f): sections of types, functions, start, code. */
const ENDLESS_START = Buffer.from("01040160000003020100080100" + "0a0901070003400c000b0b", "hex");

/** [what, bytes of the wasm file]. */
const badWasm = [
  ["empty", () => Buffer.alloc(0)],
  ["not wasm", () => Buffer.from("(module)")],
  ["no exports", () => wasmHeader],
  ["truncated", (wasm) => wasm.subarray(0, wasm.length / 2)],
  ["section of 2^32-1 bytes", () => Buffer.concat([wasmHeader, Buffer.from([1, 0xff, 0xff, 0xff, 0xff, 0x0f])])],
  ["an endless loop at its start", () => Buffer.concat([wasmHeader, ENDLESS_START])],
  ["code replaced", (wasm) => Buffer.concat([wasm.subarray(0, wasm.length / 4), Buffer.alloc(wasm.length / 2, 0xff)])],
];

describe("inputs that snarkjs takes", () => {
  for (const [what, name, value] of accepted) {
    test(`${what} (${name})`, async () => {
      const [path, ours, theirs] = paths(what);
      writeFileSync(path, JSON.stringify(value));
      const { wasm } = filesNamed(name);
      await snarkjs(["wtns", "calculate", wasm, path, theirs]);
      await frumious(["witness", wasm, path, ours], { expect: VALID });
      assertSameBytes(ours, theirs, "witness");
    });
  }
});

describe("inputs that make no witness", () => {
  for (const [what, name, value, expect] of rejected) {
    test(`${what} (${name})`, async () => {
      const [path, ours] = paths(what);
      writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
      const { stderr } = await frumious(["witness", filesNamed(name).wasm, path, ours], { expect, seconds: 20 });
      assert.match(stderr, /\w/);
      assert.ok(!existsSync(ours), "a witness is written");
    });
  }
});

describe("files that are no witness calculator", () => {
  for (const [what, edit] of badWasm) {
    test(what, async () => {
      const [path, ours] = paths(what);
      const { wasm, input } = filesNamed("multiplier");
      writeFileSync(`${path}.wasm`, edit(readFileSync(wasm)));
      const { stderr } = await frumious(["witness", "--wasm-time", "2", `${path}.wasm`, input, ours], { expect: BAD_INPUT, seconds: 20 });
      assert.ok(stderr.includes(`${path}.wasm`), stderr);
    });
  }
});

/** Paths of the input and of both witnesses; no witness is left from an earlier run. */
function paths(what) {
  const base = join(work, what.replaceAll(/\W+/g, "-"));
  const outputs = [`${base}.frumious.wtns`, `${base}.snarkjs.wtns`];
  for (const path of outputs) rmSync(path, { force: true });
  return [`${base}.json`, ...outputs];
}
