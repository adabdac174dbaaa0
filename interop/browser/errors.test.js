// Whatever a page gives the browser package: errors are its own, with codes, and leave it usable.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { circuitModule, returning, TRAP } from "./modules.js";
import { site, skip } from "./page.js";

/** Modules that are circuits by their functions alone: what is told of each. */
const STRANGE = {
  "of no circuit": ["bad_input", {}],
  "with the prime 0": ["bad_input", { readSharedRWMemory: returning(0, 1) }],
  "with -1 wires": ["bad_input", { getWitnessSize: returning(-1) }],
  "with 2^31 - 1 wires": ["memory_limit", { getWitnessSize: returning(0x7fffffff) }],
  "with numbers of no word": ["bad_input", { getFieldNumLen32: returning(0) }],
  "with numbers of -1 words": ["bad_input", { getFieldNumLen32: returning(-1) }],
  "with numbers of 2^17 words": ["bad_input", { getFieldNumLen32: returning(1 << 17) }],
  "that traps": ["bad_input", { init: TRAP }],
  "that calls itself for ever": ["bad_input", { init: (own) => returning(0, 1, [0x41, 1, 0x10, own, 0x1a]) }],
  "without a function": ["bad_input", { getInputSize: undefined }],
};

describe("errors of the browser package", { skip }, () => {
  const { opened, offered, outcomes } = site("errors");

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
          return [error instanceof frumious.FrumiousError ? error.code : error.name, error.message];
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
        number: "bad_input", verify: "bad_input", notJson: "bad_input", infinite: "bad_input", unfinished: "uncontributed",
        unknown: "bad_input", missing: "bad_input", text: "bad_input", wasm: "bad_input", file: "bad_input",
        cuts: ["bad_input"], flips: undefined,
      },
    );
    for (const code of seen.flips) assert.ok(["no error", "bad_input", "unsatisfied"].includes(code), code);
    assert.ok(seen.flips.includes("bad_input"));
    assert.ok(!JSON.stringify(seen).includes("987654321987"));
    assert.equal(seen.afterwards, true);
  });

  for (const where of ["alone", "threads"]) test(`${where}: arguments of any kind are errors with codes`, async () => {
    const [seen] = await outcomes(where, `
      const { groth16, init, ProvingKey, wtns } = frumious;
      const { proof, publicSignals } = await groth16.prove(zkey, witness);
      const key = await ProvingKey.open(zkey);
      const vk = key.verificationKey();
      const lax = { allowUncontributed: true };
      const cycle = {};
      cycle.cycle = cycle;
      const list = [];
      list.push(list, list);
      const gone = () => {
        const bytes = witness.slice();
        structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
        return bytes;
      };
      const fourGiB = new Uint8Array(new WebAssembly.Memory({ initial: 65536 }).buffer);
      const made = async () => new ProvingKey();
      const other = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
      const acts = {
        unreachable: () => groth16.prove("http://127.0.0.1:9/x.zkey", witness),
        "no URL": () => groth16.prove("http://[", witness),
        "unreachable circuit": () => groth16.fullProve(input, "http://127.0.0.1:9/x.wasm", zkey),
        "detached buffer": () => groth16.prove(key, gone().buffer),
        "detached bytes": () => groth16.prove(zkey, gone()),
        "cyclic proof": () => groth16.verify(vk, publicSignals, cycle, undefined, lax),
        "cyclic inputs": () => groth16.fullProve({ ...input, cycle }, wasm, zkey),
        "cyclic list": () => groth16.fullProve({ ...input, list }, wasm, zkey),
        "a reader that throws": () => groth16.fullProve({ get a() { throw new Error("on purpose"); } }, wasm, zkey),
        "made key": made,
        "no circuit": () => groth16.fullProve(input, other, zkey),
        "cut circuit": () => groth16.fullProve(input, wasm.slice(0, 99), zkey),
        "frozen target": () => wtns.calculate(input, wasm, Object.freeze({ type: "mem" })),
        "no target": () => wtns.calculate(input, wasm, null),
        "4 GiB": () => groth16.prove(fourGiB, witness),
        "4 GiB of a witness": () => groth16.prove(key, fourGiB),
        "2500 threads": () => init(undefined, { threads: 2500 }),
        "other module": () => init(other),
        "a page": () => init("/threads/page"),
        "no module": () => init(42),
        "after all": async () => init(undefined, null),
        "options null": async () => {
          await groth16.prove(zkey, witness, undefined, null);
          await groth16.fullProve(input, wasm, zkey, undefined, undefined, null);
          await wtns.calculate(input, wasm, { type: "mem" }, null);
          if (await groth16.verify(vk, publicSignals, proof, undefined, null)) throw new Error("never");
        },
        "large integers": async () => {
          const large = { ...proof, pi_a: proof.pi_a.map(BigInt) };
          if (!(await groth16.verify(vk, publicSignals.map(BigInt), large, undefined, lax))) throw new Error("not valid");
          if (await groth16.verify(vk, publicSignals.map((one) => BigInt(one) + 1n), proof, undefined, lax)) throw new Error("valid");
        },
      };
      const all = {};
      for (const [what, act] of Object.entries(acts)) all[what] = await told(act);
      seen.push(all);
    `);
    const { "after all": after, "options null": none, "large integers": large, ...codes } = seen;
    // This key has a contribution, or is refused as one without: in either case the options were read.
    assert.ok(["uncontributed", "Error: never"].includes(none), none);
    assert.deepEqual([after, large], ["no error", "no error"]);
    const expected = Object.fromEntries(Object.keys(codes).map((what) => [what, "bad_input"]));
    for (const what of ["unreachable", "no URL", "unreachable circuit"]) expected[what] = "not_found";
    for (const what of ["4 GiB", "4 GiB of a witness"]) expected[what] = "memory_limit";
    assert.deepEqual(codes, expected);
  });

  test("modules that are no circuits are errors with codes", async () => {
    const modules = Object.fromEntries(Object.entries(STRANGE).map(([what, [, functions]]) => [what, circuitModule(functions)]));
    const [seen] = await outcomes("alone", `
      const all = {};
      for (const [what, code] of Object.entries(${JSON.stringify(modules)})) {
        all[what] = await told(() => frumious.groth16.fullProve({ a: 1 }, new Uint8Array(code), zkey));
      }
      seen.push(all);
    `);
    assert.deepEqual(seen, Object.fromEntries(Object.entries(STRANGE).map(([what, [code]]) => [what, code])));
  });

  test("a page whose policy forbids WebAssembly is told so", async () => {
    const seen = await outcomes("no-wasm", `
      const story = (act) => act().then(() => "no error", ({ code, message }) => [code, message]);
      seen.push(await story(() => frumious.groth16.prove(zkey, witness)));
      seen.push(await story(() => frumious.wtns.calculate(input, wasm, { type: "mem" })));
    `);
    for (const [code, message] of seen) {
      assert.equal(code, "bad_input");
      assert.match(message, /embedder|Content Security Policy/);
    }
  });

  test("a choice of init that does not start is told by every later call, until the next init", async () => {
    const seen = await outcomes("threads", `
      const story = (act) => act().then(() => "no error", ({ code, message }) => [code, message.includes("init")].join());
      const proof = () => story(() => frumious.groth16.prove(zkey, witness));
      seen.push(await story(() => frumious.init(new Uint8Array(4))), await proof(), await proof());
      seen.push(await story(() => frumious.init()), await proof());
      const single = await (await fetch("/threads/frumious.wasm")).arrayBuffer();
      seen.push(await story(() => frumious.init(single, { threads: 4 })), await proof());
      seen.push(await story(() => frumious.init(undefined, { threads: 2500 })), await proof()); // changes nothing
      seen.push(await story(() => frumious.init(single, { threads: 1 })), await proof(), await frumious.threads());
    `);
    const [bad, good] = ["bad_input,true", "no error"];
    assert.deepEqual(seen, [bad, bad, bad, good, good, bad, bad, bad, bad, good, good, 1]);
  });

  for (const where of ["alone", "threads"]) test(`${where}: bytes that grow or shrink meanwhile touch no others`, async () => {
    const seen = await outcomes(where, `
      const keys = [];
      for (let i = 0; i < 3; i++) keys.push(await frumious.ProvingKey.open(zkey));
      const size = witness.length;
      const change = {
        grown: () => new ArrayBuffer(size, { maxByteLength: 1 << 20 }),
        shrunk: () => new ArrayBuffer(size, { maxByteLength: 1 << 20 }),
        shared: () => new SharedArrayBuffer(size, { maxByteLength: 1 << 20 }),
      };
      for (const [how, make] of Object.entries(change)) {
        if (how === "shared" && !globalThis.crossOriginIsolated) continue;
        for (let ticks = 0; ticks < 8; ticks++) {
          await proved(keys[0]); // none of its turns is left
          const buffer = make();
          const bytes = new Uint8Array(buffer);
          bytes.set(witness);
          const refused = ({ code, message }) => (message.endsWith("by now") ? "resized" : code);
          const given = frumious.groth16.prove(keys[0], bytes).then(() => "no error", refused);
          for (let i = 0; i < ticks; i++) await null;
          if (how === "shrunk") buffer.resize(size - 40);
          else if (how === "grown") buffer.resize(20000);
          else buffer.grow(20000);
          bytes.fill(0x41, size);
          seen.push([how, ticks, await given, await proved(keys[0]), await proved(keys[2])].join());
        }
      }
    `);
    for (const line of seen) assert.match(line, /^\w+,\d,(no error|bad_input|resized),no error,no error$/);
    for (const how of ["grown", "shrunk", ...(where === "alone" ? [] : ["shared"])]) {
      assert.ok(seen.some((line) => line.startsWith(how) && line.includes("resized")), `${how}: no change came in between`);
    }
  });
});
