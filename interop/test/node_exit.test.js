// A program over the Node package that ends while a task runs: it waits for no work that nobody will hear of.
import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { root, run } from "../src/tools.js";

const addon = resolve(root, process.env.FRUMIOUS_NODE ?? "../target/release/libfrumious_node.so");
const folder = mkdtempSync(join(tmpdir(), "frumious-exit-"));
const installed = join(folder, "frumious");
after(() => rmSync(folder, { recursive: true }));

test("a program ends at once, by process.exit and by an error, while a task runs", async () => {
  assert.ok(existsSync(addon), `no addon at ${addon}: build it or set FRUMIOUS_NODE`);
  mkdirSync(installed);
  const source = resolve(root, "../bindings/node");
  for (const name of readdirSync(source).filter((name) => /\.(js|json)$/.test(name))) {
    copyFileSync(join(source, name), join(installed, name));
  }
  copyFileSync(addon, join(installed, `frumious.${process.platform}-${process.arch}.node`));
  const key = resolve(root, "../crates/snarkjs/tests/data/contributed.zkey");
  // A beacon of 2^44 applications of SHA-256: weeks.
  const program = (end) => `
    const { zKey } = require(${JSON.stringify(installed)});
    const output = ${JSON.stringify(join(folder, "beacon.zkey"))};
    zKey.beacon(${JSON.stringify(key)}, output, "late", "0102", 44).catch(() => {});
    setTimeout(() => { ${end} }, 500);`;
  for (const [end, code] of [["process.exit(7)", 7], ["throw new Error('mine')", 1]]) {
    const ended = await run(process.execPath, ["-e", program(end)], { seconds: 20 });
    assert.deepEqual([ended.timedOut, ended.code], [false, code], ended.stderr);
  }
  assert.ok(!existsSync(join(folder, "beacon.zkey")));
});

test("arguments that are missing are named", async () => {
  const { groth16 } = (await import(join(installed, "index.js"))).default;
  await assert.rejects(groth16.verify(), { name: "TypeError", message: /^verification key/ });
  await assert.rejects(groth16.verify({}, ["1"]), { name: "TypeError", message: /^proof/ });
  await assert.rejects(groth16.fullProve(undefined, "c.wasm", "c.zkey"), { name: "TypeError", message: /^inputs/ });
  await assert.rejects(groth16.exportSolidityCallData({}), { name: "TypeError", message: /^public signals/ });
});

test("a system without glibc is told that it needs one", async () => {
  const program = `
    process.dlopen = () => { throw Object.assign(new Error("no ld-linux-x86-64.so.2"), { code: "ERR_DLOPEN_FAILED" }); };
    try { require(${JSON.stringify(installed)}); } catch (error) { console.log(error.message); }`;
  const ended = await run(process.execPath, ["-e", program]);
  assert.match(ended.stdout, /glibc 2\.34 .*no ld-linux/);
});
