// Commands of snarkjs, one after the other in a process that stays: see snarkjs_host.cjs.
import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("snarkjs_host.cjs", import.meta.url));
let host;
let last = Promise.resolve();

/** Runs `snarkjs` and requires success, unless another exit code is expected. */
export async function snarkjs(args, { expect = 0, seconds = 300 } = {}) {
  const result = last.then(() => command(args, seconds));
  last = result.catch(() => {});
  const { code, stdout, stderr } = await result;
  assert.equal(code, expect, `snarkjs ${args.join(" ")}\n${stdout}${stderr}`);
  return { code, stdout, stderr };
}

function command(args, seconds) {
  host ??= fork(program, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const child = host;
  child.ref();
  child.channel.ref();
  return new Promise((done, fail) => {
    const timer = setTimeout(() => child.kill("SIGKILL"), seconds * 1000);
    const died = (code, signal) => {
      clearTimeout(timer);
      host = undefined;
      fail(new Error(`snarkjs ${args.join(" ")}: its process ended: ${signal ?? code}`));
    };
    child.once("exit", died);
    child.once("message", (result) => {
      clearTimeout(timer);
      child.off("exit", died);
      child.unref(); // it keeps no test file from ending
      child.channel.unref();
      done(result);
    });
    child.send({ args });
  });
}
