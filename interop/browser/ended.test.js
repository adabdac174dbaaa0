// The ends of the browser package's engines: calls are refused at once, choices hold, and no memory keeps a witness.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { MEMORIES, site, skip } from "./page.js";

/** In the page: whether a memory is all zeros, and a wait for it of at most ten seconds. */
const WIPED = `
  const isWiped = (memory) => new Uint32Array(memory.buffer).every((word) => word === 0);
  const wiped = async (memory) => {
    for (let i = 0; i < 100 && !isWiped(memory); i++) await pause(100);
    return isWiped(memory);
  };
`;

describe("ends of the browser package's engines", { skip }, () => {
  const { outcomes } = site("ended");

  for (const where of ["alone", "threads"]) {
    test(`${where}: a call that is ended at any moment gives a proof or an error with a code`, async () => {
      const seen = await outcomes(where, `
        for (let ticks = 0; ticks <= 12; ticks++) {
          const key = await frumious.ProvingKey.open(zkey);
          const verdict = told(() => frumious.groth16.verify(key.verificationKey(), [], {})); // is malformed
          const outcomes = [proved(key), verdict.then((code) => (code === "bad_input" ? "no error" : code)), proved()];
          for (let i = 0; i < ticks; i++) await null;
          await frumious.terminate();
          seen.push(...await Promise.all(outcomes));
          await frumious.threads();
          const alone = proved(await frumious.ProvingKey.open(zkey));
          for (let i = 0; i < ticks; i++) await null;
          await frumious.terminate();
          seen.push(await alone);
        }
      `);
      for (const outcome of seen) assert.ok(["no error", "internal"].includes(outcome), outcome);
      assert.ok(seen.includes("internal"));
    });

    test(`${where}: the memory of an engine that is ended is wiped, and nothing writes to it any more`, async () => {
      const seen = await outcomes(where, `
        ${WIPED}
        // The last memory is that of the engine: others are of what was tried before.
        const begun = async () => [await frumious.ProvingKey.open(zkey), memories.at(-1)];
        const [used, memory] = await begun();
        const proof = await proved(used);
        await frumious.terminate();
        seen.push(proof, await wiped(memory));

        // While it proves: whoever waits is told at once, and nothing is written after the wipe.
        const [busy, other] = await begun();
        const waiting = proved(busy);
        await pause(60);
        await frumious.terminate();
        await waiting;
        seen.push(await wiped(other));
        await pause(300);
        seen.push(isWiped(other), other !== memory);

        used.close();
        seen.push(await proved(used), await proved(busy));
        used.close(); // as often as one likes
      `, { circuit: "eddsa_poseidon", script: MEMORIES });
      assert.deepEqual(seen, ["no error", true, true, true, true, "bad_input", "internal"]);
    });

    test(`${where}: the memory of an engine that is ended is freed while a key of it is named`, async () => {
      const [freed] = await outcomes(where, `
        const named = [];
        for (let i = 0; i < 3; i++) {
          named.push(await frumious.ProvingKey.open(zkey));
          await frumious.terminate();
        }
        named[0].close();
        const weak = memories.map((memory) => new WeakRef(memory));
        memories.length = 0;
        for (let i = 0; i < 150 && weak.some((one) => one.deref()); i++) {
          await pause(100);
          gc();
        }
        seen.push([weak.length >= 3, weak.filter((one) => one.deref()).length, named.length]);
      `, { circuit: "eddsa_poseidon", script: MEMORIES });
      assert.deepEqual(freed, [true, 0, 3]);
    });
  }

  test("whoever waits for workers is told before they are gone", async () => {
    const seen = await outcomes("threads", `
      ${WIPED}
      const key = await frumious.ProvingKey.open(zkey);
      const memory = memories.at(-1);
      const waiting = proved(key);
      await pause(20);
      const ended = frumious.terminate();
      seen.push(await waiting, isWiped(memory));
      await ended;
      seen.push(isWiped(memory), await wiped(memory));
    `, { circuit: "eddsa_poseidon", script: MEMORIES });
    assert.deepEqual(seen, ["internal", false, false, true]);
  });

  test("the choice of init holds from its call on, and the last of several", async () => {
    const seen = await outcomes("threads", `
      const { init, terminate, threads } = frumious;
      await terminate();
      const before = threads();
      const chosen = init(undefined, { threads: 1 });
      const beside = proved();
      const meanwhile = threads();
      await chosen;
      seen.push(await threads(), await meanwhile, await beside, await before.then(() => "no error", ({ code }) => code));

      await terminate();
      await Promise.all([init(undefined, { threads: 1 }), init(undefined, { threads: 2 }).then(async () => seen.push(await threads()))]);
      seen.push(await threads());
      const first = init(undefined, { threads: 1 }).then(threads); // when it resolves, a later choice runs
      await init(undefined, { threads: 3 });
      seen.push(await first, await threads());

      const replaced = init(undefined, { threads: 1 });
      const between = [threads(), proved()]; // wait for a choice that is replaced while it starts
      await Promise.all([replaced, init(undefined, { threads: 2 })]);
      seen.push(...await Promise.all(between));

      const bad = told(() => init(new Uint8Array(4)));
      const good = told(() => init(undefined, { threads: 2 }));
      seen.push(await bad, await good, await threads(), await proved());
    `);
    assert.deepEqual(seen, [1, 1, "no error", "no error", 2, 2, 3, 3, 2, "no error", "bad_input", "no error", 2, "no error"]);
  });

  test("the memory of a circuit's module is wiped, whether there is a witness or not", async () => {
    const seen = await outcomes("alone", `
      ${WIPED}
      const key = await frumious.ProvingKey.open(zkey);
      const { groth16, wtns } = frumious;
      const target = { type: "mem" };
      const [first, ...names] = Object.keys(input);
      const more = { ...input, [first]: [].concat(input[first], 1) };
      const part = Object.fromEntries(names.map((name) => [name, input[name]]));
      const acts = [
        () => groth16.fullProve(input, wasm, key),
        () => wtns.calculate(input, wasm, target),
        () => groth16.fullProve(part, wasm, key),
        () => groth16.fullProve({ ...part, ...more }, wasm, key),
        () => groth16.fullProve(input, wasm, new Uint8Array(0)),
      ];
      for (const act of acts) {
        const before = memories.length;
        seen.push(await told(act), memories.length - before, isWiped(memories.at(-1)));
      }
      seen.push(target.data.join() === witness.join());
    `, { circuit: "eddsa_poseidon", script: MEMORIES });
    const wiped = (outcome) => [outcome, 1, true];
    assert.deepEqual(seen, [...["no error", "no error", "bad_input", "bad_input", "bad_input"].flatMap(wiped), true]);
  });
});
