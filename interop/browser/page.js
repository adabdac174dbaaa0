// The server and the pages of the browser package's tests: Chromium with a folder of the package, or with faults in it.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, resolve } from "node:path";
import { after, before } from "node:test";
import { chromium } from "playwright-core";
import { circuits, filesOf } from "../src/circuits.js";
import { withKeyAndWitness } from "../src/keys.js";
import { readJson, root } from "../src/tools.js";

const browserBinary = process.env.CHROMIUM ?? "/usr/bin/chromium";
const noBrowser = existsSync(browserBinary) || process.env.CI === "true" ? false : "no chromium here";
const given = process.env.FRUMIOUS_BROWSER;
const folder = given && resolve(root, given);
const noPackage = folder || process.env.CI === "true" ? false : "FRUMIOUS_BROWSER names no folder of the package";

/** Why there are no tests here, or false. */
export const skip = noBrowser || noPackage;

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const ISOLATED = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };
/** Headers of all files, by folder: those of isolation, unless they are here. */
const HEADERS = {
  alone: {},
  "no-wasm": { ...ISOLATED, "content-security-policy": "default-src 'self'; script-src 'self' 'unsafe-inline'" },
};
/** A page takes the package from a folder of the server, so that one may have other scripts. */
const html = (where) => `<!doctype html><title>frumious</title><script src="/snarkjs/snarkjs.min.js"></script><script type="module">
  globalThis.frumious = await import("/${where}/index.js");
</script>`;

/** Scripts of the package with faults put in, by folder: each has the package's other scripts. */
const FAULTS = {
  "first-breaks": { "worker.js": (text) => text.replace("called(running", "(name === 'prove' ? undefined : called)(running") },
  "thread-breaks": { "worker.js": (text) => text.replace("exports.work()", "throw new Error('on purpose')") },
  "no-memory": { "module.js": (text) => text.replace("exports.buffer(length)", "0") },
  "no-threads": { "frumious-threads.wasm": () => undefined },
};

/** Before the scripts of a page: memories that it makes, or that modules it instantiates have, in order. */
export const MEMORIES = `
  globalThis.memories = [];
  const { Memory, instantiate } = WebAssembly;
  WebAssembly.Memory = function (...given) {
    const memory = new Memory(...given);
    memories.push(memory);
    return memory;
  };
  WebAssembly.Memory.prototype = Memory.prototype;
  WebAssembly.instantiate = async (...given) => {
    const instance = await instantiate(...given);
    if (instance.exports.memory) memories.push(instance.exports.memory);
    return instance;
  };
`;

/** Serves pages for the tests of a file, which gives its own name. Functions that open them, and offer files to them. */
export function site(own) {
  let server, browser;
  const files = new Map();
  const made = new Map();

  before(async () => {
    server = createServer((request, response) => {
      const path = new URL(request.url, "http://page").pathname;
      const [, where, name] = path.split("/");
      const body = name === "page" ? html(where) : content(where, name);
      if (body === undefined) return response.writeHead(404).end();
      const type = TYPES[name === "page" ? ".html" : extname(path)] ?? "application/octet-stream";
      response.writeHead(200, { "content-type": type, ...(HEADERS[where] ?? ISOLATED) });
      response.end(body);
    });
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    const args = ["--no-sandbox", "--js-flags=--expose-gc"];
    browser = await chromium.launch({ executablePath: browserBinary, args });
  });
  after(async () => {
    await browser?.close();
    await new Promise((done) => server?.close(done) ?? done());
  });

  function content(where, name) {
    if (where === "files") return files.has(name) ? readFileSync(files.get(name)) : undefined;
    const file = join(where === "snarkjs" ? join(root, "node_modules/snarkjs/build") : folder, name ?? "");
    if (!name || !existsSync(file)) return undefined;
    const fault = FAULTS[where]?.[name];
    if (!fault) return readFileSync(file);
    const faulty = fault(String(readFileSync(file)));
    assert.notEqual(faulty, String(readFileSync(file)));
    return faulty;
  }

  /** A page with the package of a folder: "alone" is not isolated, all others are. `script` runs before its own. */
  async function opened(where, script) {
    const opened = await browser.newPage();
    if (script) await opened.addInitScript(`{ ${script} }`);
    await opened.goto(`http://127.0.0.1:${server.address().port}/${where}/page`);
    await opened.waitForFunction(() => globalThis.frumious && globalThis.snarkjs);
    assert.equal(await opened.evaluate("crossOriginIsolated"), where !== "alone");
    return opened;
  }

  /** Offers the files of a circuit to the page: their addresses. */
  function offered(name) {
    if (!made.has(name)) made.set(name, make(name));
    return made.get(name);
  }

  async function make(name) {
    const circuit = circuits.find((circuit) => circuit.name === name);
    const { zkey, wtns } = await withKeyAndWitness(circuit, `${own}-${name}`);
    const { wasm, input } = filesOf(circuit);
    for (const [ending, path] of Object.entries({ zkey, wtns, wasm })) files.set(`${name}.${ending}`, path);
    return { name, input: readJson(input) };
  }

  /** What becomes of proofs in a page, and of one more at last. */
  async function outcomes(where, body, { circuit = "multiplier", script } = {}) {
    const { name, input } = await offered(circuit);
    const page = await opened(where, script);
    const seen = await page.evaluate(`(async ({ name, input }) => {
      const bytes = async (ending) => new Uint8Array(await (await fetch("/files/" + name + "." + ending)).arrayBuffer());
      const [zkey, witness, wasm] = [await bytes("zkey"), await bytes("wtns"), await bytes("wasm")];
      const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
      const told = (act) => act().then(() => "no error", (error) => error instanceof frumious.FrumiousError ? error.code : String(error));
      const proved = (key) => told(() => frumious.groth16.prove(key ?? zkey, witness));
      const seen = [];
      ${body}
      return seen;
    })(${JSON.stringify({ name, input })})`);
    await page.close();
    return seen;
  }

  return { opened, offered, outcomes };
}
