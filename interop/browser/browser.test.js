// The browser package in Chromium, beside snarkjs in the same page: both prove, and each verifies the other's proofs.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { circuits } from "../src/circuits.js";
import { site, skip } from "./page.js";

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

describe("the browser package", { skip }, () => {
  const { opened, offered, outcomes } = site("browser");

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
    assert.deepEqual(seen, [...each, "bad_input", "bad_input", "bad_input"]);
  });

  test("while workers prove, the page goes on", async () => {
    const [ticks] = await outcomes("threads", `
      const key = await frumious.ProvingKey.open(zkey);
      let ticks = 0;
      const clock = setInterval(() => (ticks += 1), 1);
      if ((await proved(key)) !== "no error") throw new Error("no proof");
      clearInterval(clock);
      seen.push(ticks);
    `, { circuit: "eddsa_poseidon" });
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
      const seen = await outcomes(where, body, { circuit: "eddsa_poseidon" });
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
