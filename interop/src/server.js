// A prover server in a folder of its own.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { frumiousBinary, root } from "./tools.js";

/** The command that has `serve`. CI's release is without it. */
const program = process.env.FRUMIOUS_SERVER ? resolve(root, process.env.FRUMIOUS_SERVER) : frumiousBinary;

/** Starts `frumious serve` in a folder with a configuration; `{ url, stop }` when it listens. */
export async function serve(folder, configuration) {
  const path = join(folder, "frumious.toml");
  writeFileSync(path, configuration);
  const child = spawn(program, ["serve", "--config", path], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise((done) => child.on("exit", done));
  let said = "";
  const lines = createInterface({ input: child.stderr });
  const url = await new Promise((listening, fail) => {
    lines.on("line", (line) => {
      said += `${line}\n`;
      const found = line.match(/^listening at (.*)$/);
      if (found) listening(found[1]);
    });
    ended.then(() => fail(new Error(`the server ended: ${said}`)));
  });
  const stop = async () => {
    child.kill("SIGTERM");
    assert.equal(await ended, 0, said);
  };
  return { url, stop };
}
