// The browser package in Chromium, beside snarkjs in the same page: both prove, and each verifies the other's proofs.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, resolve, sep } from "node:path";
import { after, before, describe, test } from "node:test";
import { chromium } from "playwright-core";
import { circuits, filesOf } from "../src/circuits.js";
import { withKeyAndWitness } from "../src/keys.js";
import { readJson, root } from "../src/tools.js";

const browserBinary = process.env.CHROMIUM ?? "/usr/bin/chromium";
const noBrowser = existsSync(browserBinary) || process.env.CI === "true" ? false : "no chromium here";
const given = process.env.FRUMIOUS_BROWSER;
const folder = given && resolve(root, given);
const noPackage = folder || process.env.CI === "true" ? false : "FRUMIOUS_BROWSER names no folder of the package";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const PAGE = `<!doctype html><title>frumious</title><script src="/snarkjs/snarkjs.min.js"></script><script type="module">
  globalThis.frumious = await import("/package/index.js");
</script>`;

/** Of the runs of one function, the fastest, in milliseconds: the machine may be busy. In the page. */
const measured = `async (runs, act) => {
  let fastest = Infinity;
  for (let i = 0; i < runs; i++) {
    const start = performance.now();
    await act();
    fastest = Math.min(fastest, performance.now() - start);
  }
  return fastest;
}`;

describe("the browser package", { skip: noBrowser || noPackage }, () => {
  let server, browser, page, files;

  before(async () => {
    files = new Map();
    server = createServer((request, response) => {
      const path = new URL(request.url, "http://page").pathname;
      const [, where, name] = path.split("/");
      const folders = { package: folder, snarkjs: join(root, "node_modules/snarkjs/build") };
      const file = where === "files" ? files.get(name) : folders[where] && join(folders[where], name);
      if (path !== "/" && !(file && existsSync(file))) return response.writeHead(404).end();
      response.writeHead(200, { "content-type": TYPES[path === "/" ? ".html" : extname(path)] ?? "application/octet-stream" });
      response.end(path === "/" ? PAGE : readFileSync(file));
    });
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    browser = await chromium.launch({ executablePath: browserBinary, args: ["--no-sandbox"] });
    page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.waitForFunction(() => globalThis.frumious && globalThis.snarkjs);
  });
  after(async () => {
    await browser?.close();
    await new Promise((done) => server?.close(done) ?? done());
  });

  /** Offers the files of a circuit to the page: their addresses. */
  async function offered(name) {
    const circuit = circuits.find((circuit) => circuit.name === name);
    const { zkey, wtns } = await withKeyAndWitness(circuit, `browser-${name}`);
    const { wasm, input } = filesOf(circuit);
    for (const [ending, path] of Object.entries({ zkey, wtns, wasm })) files.set(`${name}.${ending}`, path);
    return { name, input: readJson(input) };
  }

  for (const name of ["multiplier", "multiplier_bls12381", "eddsa_poseidon", "rollup1"]) {
    test(`${name}: proofs of both are verified by both`, { skip: circuits.find((circuit) => circuit.name === name).missing }, async (t) => {
      const seen = await page.evaluate(`(async ({ name, input }) => {
        const measured = ${measured};
        const bytes = async (ending) => new Uint8Array(await (await fetch("/files/" + name + "." + ending)).arrayBuffer());
        const [zkey, wtns, wasm] = [await bytes("zkey"), await bytes("wtns"), await bytes("wasm")];
        const options = { singleThread: true };
        const ours = frumious.groth16, theirs = snarkjs.groth16;
        const open = await frumious.ProvingKey.open(zkey);
        const key = open.verificationKey();
        const lax = { allowUncontributed: true };
        const seen = { key, theirKey: await snarkjs.zKey.exportVerificationKey(zkey), verdicts: [], milliseconds: {} };

        const [large, proofs, ms] = [zkey.length > 1e6, [], seen.milliseconds];
        const proved = async (what, prove) => {
          ms[what] = await measured(large ? 1 : 3, async () => (proofs[what] = await prove()));
          proofs.push(proofs[what]);
        };
        await proved("prove", () => ours.prove(zkey, wtns));
        await proved("prove, key open", () => ours.prove(open, { type: "mem", data: wtns }));
        await proved("prove, snarkjs", () => theirs.prove(zkey, wtns, undefined, options));
        proofs.push(await ours.fullProve(input, wasm, zkey));
        if (!large) proofs.push(await ours.fullProve(input, "/files/" + name + ".wasm", "/files/" + name + ".zkey"));
        for (const { proof, publicSignals } of proofs) {
          const wrong = [(BigInt(publicSignals[0] ?? 0) + 1n).toString(), ...publicSignals.slice(1)];
          seen.verdicts.push([
            await ours.verify(key, publicSignals, proof, undefined, lax),
            await theirs.verify(key, publicSignals, proof),
            publicSignals.length > 0 && await ours.verify(key, wrong, proof, undefined, lax),
          ]);
        }
        const [ourWitness, theirWitness] = [{ type: "mem" }, { type: "mem" }];
        await frumious.wtns.calculate(input, wasm, ourWitness);
        await snarkjs.wtns.calculate(input, wasm, theirWitness);
        seen.sameWitness = ourWitness.data.join() === theirWitness.data.join();

        const { proof, publicSignals } = proofs[0];
        ms.verify = await measured(10, () => ours.verify(key, publicSignals, proof, undefined, lax));
        ms["verify, snarkjs"] = await measured(10, () => theirs.verify(key, publicSignals, proof));
        open.close();
        return seen;
      })(${JSON.stringify(await offered(name))})`);
      assert.deepEqual(seen.key, seen.theirKey);
      for (const verdict of seen.verdicts) assert.deepEqual(verdict, [true, true, false]);
      assert.ok(seen.sameWitness);
      // Told, not judged: the machine may be busy.
      t.diagnostic(JSON.stringify(Object.fromEntries(Object.entries(seen.milliseconds).map(([what, time]) => [what, Number(time.toFixed(1))]))));
    });
  }

  test("errors have codes, no value of an input, and leave the package usable", async () => {
    const { name, input } = await offered("multiplier");
    const seen = await page.evaluate(`(async ({ name, input }) => {
      const { groth16, ProvingKey, wtns } = frumious;
      const bytes = async (ending) => new Uint8Array(await (await fetch("/files/" + name + "." + ending)).arrayBuffer());
      const [zkey, witness, wasm] = [await bytes("zkey"), await bytes("wtns"), await bytes("wasm")];
      const told = async (act) => {
        try {
          return ["no error", JSON.stringify(await act())];
        } catch (error) {
          return [error.code ?? error.name, error.message];
        }
      };
      const altered = witness.slice();
      altered[altered.length - 32] ^= 1;
      const closed = await ProvingKey.open(zkey);
      closed.close();
      const proof = await groth16.prove(zkey, witness);
      const key = await (async () => { const open = await ProvingKey.open(zkey); return open.verificationKey(); })();
      const unfinished = { ...key, vk_delta_2: key.vk_gamma_2 };
      const cuts = [];
      for (let length = 0; length < zkey.length; length += 97) cuts.push((await told(() => ProvingKey.open(zkey.slice(0, length))))[0]);
      const flips = [];
      for (let at = 0; at < zkey.length; at += 13) {
        const bad = zkey.slice();
        bad[at] ^= 255;
        flips.push((await told(() => groth16.prove(bad, witness)))[0]);
      }
      return {
        unsatisfied: await told(() => groth16.prove(zkey, altered)),
        empty: await told(() => groth16.prove(zkey, new Uint8Array(0))),
        swapped: await told(() => groth16.prove(witness, zkey)),
        closed: await told(() => groth16.prove(closed, witness)),
        absent: await told(() => groth16.prove("/files/none.zkey", witness)),
        number: await told(() => groth16.prove(42, witness)),
        verify: await told(() => groth16.verify({}, [], {})),
        notJson: await told(() => groth16.verify(undefined, undefined, undefined)),
        infinite: await told(() => groth16.verify(key, proof.publicSignals, { ...proof.proof, pi_a: ["1", "1", "1"] })),
        unfinished: await told(() => groth16.verify(unfinished, proof.publicSignals, proof.proof)),
        unknown: await told(() => groth16.fullProve({ ...input, other: "987654321987" }, wasm, zkey)),
        missing: await told(() => groth16.fullProve({ a: "3" }, wasm, zkey)),
        text: await told(() => groth16.fullProve({ ...input, b: "987654321987x" }, wasm, zkey)),
        wasm: await told(() => groth16.fullProve(input, witness, zkey)),
        file: await told(() => wtns.calculate(input, wasm, "path")),
        cuts: [...new Set(cuts)],
        flips: [...new Set(flips)],
        afterwards: await groth16.verify(key, proof.publicSignals, (await groth16.prove(zkey, witness)).proof),
      };
    })(${JSON.stringify({ name, input })})`);
    const codes = Object.fromEntries(Object.entries(seen).filter(([, told]) => Array.isArray(told)).map(([what, [code]]) => [what, code]));
    assert.deepEqual(
      { ...codes, cuts: seen.cuts, flips: undefined },
      {
        unsatisfied: "unsatisfied", empty: "bad_input", swapped: "bad_input", closed: "bad_input", absent: "not_found",
        number: "TypeError", verify: "bad_input", notJson: "bad_input", infinite: "bad_input", unfinished: "uncontributed",
        unknown: "bad_input", missing: "bad_input", text: "bad_input", wasm: "CompileError", file: "TypeError",
        cuts: ["bad_input"], flips: undefined,
      },
    );
    for (const code of seen.flips) assert.ok(["no error", "bad_input", "unsatisfied"].includes(code), code);
    assert.ok(seen.flips.includes("bad_input"));
    assert.ok(!JSON.stringify(seen).includes("987654321987"));
    assert.equal(seen.afterwards, true);
  });
});
