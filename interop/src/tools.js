// The programs under test as child processes: every call has a time limit, and they share nothing but files.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export { snarkjs } from "./snarkjs.js";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
export const cache = join(root, ".cache");
/** Files that live outside the repository, beside it: the rollup circuit. */
export const fixtures = resolve(root, process.env.FRUMIOUS_FIXTURES ?? "../../shared/fixtures");

export const frumiousBinary = resolve(root, process.env.FRUMIOUS_BIN ?? "../target/release/frumious");
export const snarkjsMain = join(root, "node_modules/snarkjs/build/cli.cjs");
const circomMain = join(root, "node_modules/circom2/cli.js");

/** Exit codes of `frumious`: part of its contract. */
export const VALID = 0;
export const INVALID = 1;
export const BAD_INPUT = 2;
export const TRY_AGAIN = 3;

/** A directory under the cache, made if it is missing. */
export function directory(...parts) {
  const path = join(cache, ...parts);
  mkdirSync(path, { recursive: true });
  return path;
}

/** Runs a program to its end: `{ code, signal, timedOut, stdout, stderr }`. `whileRunning` gets the child process. */
export function run(program, args, { cwd = root, seconds = 300, whileRunning } = {}) {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    const output = { stdout: "", stderr: "" };
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      child.kill("SIGKILL");
    }, seconds * 1000);
    for (const stream of ["stdout", "stderr"]) {
      child[stream].setEncoding("utf8").on("data", (text) => (output[stream] += text));
    }
    child.on("error", fail);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      done({ code, signal, timedOut, ...output });
    });
    whileRunning?.(child);
  });
}

/** Runs `frumious`; whatever the arguments, it must end in time by itself, with one of its three exit codes and no panic. */
export async function frumious(args, { expect, ...options } = {}) {
  assert.ok(existsSync(frumiousBinary), `no frumious at ${frumiousBinary}: build it or set FRUMIOUS_BIN`);
  const result = await run(frumiousBinary, args, options);
  const story = `frumious ${args.join(" ")}\n${result.stdout}${result.stderr}`;
  assert.ok(!result.timedOut, `hangs: ${story}`);
  assert.equal(result.signal, null, `killed by ${result.signal}: ${story}`);
  assert.doesNotMatch(result.stderr, /panicked at|RUST_BACKTRACE|internal error/, story);
  assert.ok([VALID, INVALID, BAD_INPUT, TRY_AGAIN].includes(result.code), `exit code ${result.code}: ${story}`);
  if (expect !== undefined) assert.equal(result.code, expect, story);
  return result;
}

/** Runs `circom`. It sees only the folder it is started in, so every path is relative to `interop/`. */
export async function circom(args) {
  const result = await run(process.execPath, [circomMain, ...args], { seconds: 1200 });
  assert.equal(result.code, 0, `circom ${args.join(" ")}\n${result.stdout}${result.stderr}`);
}

export function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** Equal files, without printing megabytes when they are not. */
export function assertSameBytes(actual, expected, what) {
  const [a, b] = [actual, expected].map((file) => (typeof file === "string" ? readFileSync(file) : file));
  if (a.equals(b)) return;
  let offset = 0;
  while (offset < Math.min(a.length, b.length) && a[offset] === b[offset]) offset++;
  assert.fail(`${what}: ${a.length} bytes and ${b.length} bytes differ from offset ${offset}`);
}
