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
const ISOLATED = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };
/** A page takes the package from a folder of the server, so that one may have other scripts. */
const page = (where) => `<!doctype html><title>frumious</title><script src="/snarkjs/snarkjs.min.js"></script><script type="module">
  globalThis.frumious = await import("/${where}/index.js");
</script>`;

/** Scripts of the package with faults put in, by folder: each has the package's other scripts. */
const FAULTS = {
  "first-breaks": { "worker.js": (text) => text.replace("called(running", "(name === 'prove' ? undefined : called)(running") },
  "thread-breaks": { "worker.js": (text) => text.replace("exports.work()", "throw new Error('on purpose')") },
  "no-memory": { "module.js": (text) => text.replace("exports.buffer(value.length)", "0") },
  "no-threads": { "frumious-threads.wasm": () => undefined },
};

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

const NAMES = ["multiplier", "multiplier_bls12381", "eddsa_poseidon", "rollup1"];

describe("the browser package", { skip: noBrowser || noPackage }, () => {
  let server, browser, files;

  before(async () => {
    files = new Map();
    server = createServer((request, response) => {
      const path = new URL(request.url, "http://page").pathname;
      const [, where, name] = path.split("/");
      const body = name === "page" ? page(where) : content(where, name);
      if (body === undefined) return response.writeHead(404).end();
      const type = TYPES[name === "page" ? ".html" : extname(path)] ?? "application/octet-stream";
      response.writeHead(200, { "content-type": type, ...(where === "alone" ? {} : ISOLATED) });
      response.end(body);
    });
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    browser = await chromium.launch({ executablePath: browserBinary, args: ["--no-sandbox"] });
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

  /** A page with the package of a folder: "alone" is not isolated, all others are. */
  async function opened(where) {
    const opened = await browser.newPage();
    await opened.goto(`http://127.0.0.1:${server.address().port}/${where}/page`);
    await opened.waitForFunction(() => globalThis.frumious && globalThis.snarkjs);
    assert.equal(await opened.evaluate("crossOriginIsolated"), where !== "alone");
    return opened;
  }

  /** Offers the files of a circuit to the page: their addresses. */
  async function offered(name) {
    const circuit = circuits.find((circuit) => circuit.name === name);
    const { zkey, wtns } = await withKeyAndWitness(circuit, `browser-${name}`);
    const { wasm, input } = filesOf(circuit);
    for (const [ending, path] of Object.entries({ zkey, wtns, wasm })) files.set(`${name}.${ending}`, path);
    return { name, input: readJson(input) };
  }

  for (const [where, name] of ["alone", "threads"].flatMap((where) => NAMES.map((name) => [where, name]))) {
    test(`${name}, ${where}: proofs of both are verified by both`, { skip: circuits.find((circuit) => circuit.name === name).missing }, async (t) => {
      const page = await opened(where);
      const seen = await page.evaluate(`(async ({ name, input, singleThread }) => {
        const measured = ${measured};
        const bytes = async (ending) => new Uint8Array(await (await fetch("/files/" + name + "." + ending)).arrayBuffer());
        const [zkey, wtns, wasm] = [await bytes("zkey"), await bytes("wtns"), await bytes("wasm")];
        const options = { singleThread };
        const ours = frumious.groth16, theirs = snarkjs.groth16;
        const open = await frumious.ProvingKey.open(zkey);
        const key = open.verificationKey();
        const lax = { allowUncontributed: true };
        const seen = { key, theirKey: await snarkjs.zKey.exportVerificationKey(zkey), verdicts: [], milliseconds: {}, threads: await frumious.threads() };

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
      })(${JSON.stringify({ ...(await offered(name)), singleThread: where === "alone" })})`);
      const processors = await page.evaluate("navigator.hardwareConcurrency");
      assert.equal(seen.threads, where === "alone" ? 1 : Math.min(processors, 16));
      await page.close();
      assert.deepEqual(seen.key, seen.theirKey);
      for (const verdict of seen.verdicts) assert.deepEqual(verdict, [true, true, false]);
      assert.ok(seen.sameWitness);
      // Told, not judged: the machine may be busy.
      t.diagnostic(JSON.stringify(Object.fromEntries(Object.entries(seen.milliseconds).map(([what, time]) => [what, Number(time.toFixed(1))]))));
    });
  }

  for (const where of ["alone", "threads"]) test(`${where}: errors have codes, no value of an input, and leave the package usable`, async () => {
    const { name, input } = await offered("multiplier");
    const page = await opened(where);
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

  /** What becomes of proofs in a page, and of one more at last. */
  async function outcomes(where, body, circuit = "multiplier") {
    const { name } = await offered(circuit);
    const page = await opened(where);
    const seen = await page.evaluate(`(async ({ name }) => {
      const bytes = async (ending) => new Uint8Array(await (await fetch("/files/" + name + "." + ending)).arrayBuffer());
      const [zkey, witness] = [await bytes("zkey"), await bytes("wtns")];
      const told = (act) => act().then(() => "no error", (error) => error.code ?? error.name);
      const proved = (key) => told(() => frumious.groth16.prove(key ?? zkey, witness));
      const seen = [];
      ${body}
      return seen;
    })(${JSON.stringify({ name })})`);
    await page.close();
    return seen;
  }

  test("a page proves many at once, with any number of threads", async () => {
    const seen = await outcomes("threads", `
      for (const threads of [1, 2, 3, 5]) {
        await frumious.init(undefined, { threads });
        seen.push(await frumious.threads());
        const key = await frumious.ProvingKey.open(zkey);
        seen.push(new Set(await Promise.all(Array.from({ length: 8 }, (_, i) => proved(i % 2 ? key : zkey)))).size);
        seen.push(await proved(key));
      }
      for (const threads of [0, 1.5, "2"]) seen.push(await told(() => frumious.init(undefined, { threads })));
    `);
    const each = [1, 2, 3, 5].flatMap((threads) => [threads, 1, "no error"]);
    assert.deepEqual(seen, [...each, "TypeError", "TypeError", "TypeError"]);
  });

  test("while workers prove, the page goes on", async () => {
    const [ticks] = await outcomes("threads", `
      const key = await frumious.ProvingKey.open(zkey);
      let ticks = 0;
      const clock = setInterval(() => (ticks += 1), 1);
      if ((await proved(key)) !== "no error") throw new Error("no proof");
      clearInterval(clock);
      seen.push(ticks);
    `, "eddsa_poseidon");
    assert.ok(ticks >= 3, `the page's clock went on ${ticks} times`);
  });

  test("an engine that is ended refuses what waits for it and its keys, and a new one starts", async () => {
    const body = `
      const key = await frumious.ProvingKey.open(zkey);
      const waiting = [proved(), proved(key), told(() => frumious.groth16.verify(key.verificationKey(), [], {}))];
      await new Promise((done) => setTimeout(done, 5)); // all three are at it
      await frumious.terminate();
      seen.push(...await Promise.all(waiting), await proved(key));
      key.close();
      seen.push(await proved(), await told(() => frumious.terminate()), await told(() => frumious.terminate()), await proved());
    `;
    for (const where of ["alone", "threads"]) {
      const seen = await outcomes(where, body, "eddsa_poseidon");
      assert.deepEqual(seen.slice(3), ["internal", "no error", "no error", "no error", "no error"], where);
      // Those in the page's own thread may be done before it ends.
      const possible = where === "alone" ? ["no error", "internal", "bad_input"] : ["internal"];
      for (const outcome of seen.slice(0, 3)) assert.ok(possible.includes(outcome), `${where}: ${outcome}`);
    }
  });

  test("a module that breaks off in the middle is an error, and the next call takes a new one", async () => {
    const seen = await outcomes("first-breaks", `
      const key = await frumious.ProvingKey.open(zkey);
      const valid = key.verificationKey();
      seen.push(...await Promise.all([proved(key), proved()]), await proved(key));
      seen.push(await told(() => frumious.ProvingKey.open(zkey)), await frumious.threads() > 0);
    `);
    assert.deepEqual(seen, ["internal", "internal", "internal", "no error", true]);
  });

  test("texts for which there is no memory are an error, and the next call is answered", async () => {
    const seen = await outcomes("no-memory", `
      const key = await frumious.ProvingKey.open(zkey);
      seen.push(await told(() => frumious.groth16.verify(key.verificationKey(), [], {})), await proved(key));
    `);
    assert.deepEqual(seen, ["memory_limit", "no error"]);
  });

  test("where threads do not start, one proves, unless more were asked for", async () => {
    for (const where of ["thread-breaks", "no-threads"]) {
      const seen = await outcomes(where, `
        await frumious.init(undefined, {});
        seen.push(await proved(), await frumious.threads());
        seen.push(await told(() => frumious.init(undefined, { threads: 2 })));
        seen.push(await told(() => frumious.init(undefined, { threads: 1 })), await proved());
      `);
      const refused = where === "no-threads" ? "not_found" : "internal";
      assert.deepEqual(seen, ["no error", 1, refused, "no error", "no error"], where);
    }
    const seen = await outcomes("alone", `
      seen.push(await frumious.threads(), await told(() => frumious.init(undefined, { threads: 2 })));
      seen.push(await told(() => frumious.init("/package/frumious-threads.wasm")));
      seen.push(await told(() => frumious.init("/package/frumious.wasm")), await proved());
    `);
    assert.deepEqual(seen, [1, "bad_input", "bad_input", "no error", "no error"]);
  });
});
