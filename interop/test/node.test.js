// The Node package beside snarkjs: the same calls, results that snarkjs verifies, and errors by code.
import assert from "node:assert/strict";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { Worker } from "node:worker_threads";
import * as snarkjs from "snarkjs";
import { transcripts } from "../src/ceremony.js";
import { BinFile } from "../src/binfile.js";
import { circuits, filesOf } from "../src/circuits.js";
import { withKeyAndWitness } from "../src/keys.js";
import { directory, readJson, root } from "../src/tools.js";

const require = createRequire(import.meta.url);
const named = (name) => circuits.find((circuit) => circuit.name === name);

/** The package as it is installed: its scripts with the addon beside them. */
function installed() {
  const addon = resolve(root, process.env.FRUMIOUS_NODE ?? "../target/release/libfrumious_node.so");
  assert.ok(existsSync(addon), `no addon at ${addon}: build it or set FRUMIOUS_NODE`);
  const folder = directory("work", "node-package");
  const source = resolve(root, "../bindings/node");
  for (const name of readdirSync(source).filter((name) => /\.(js|json|d\.ts)$/.test(name))) {
    copyFileSync(join(source, name), join(folder, name));
  }
  copyFileSync(addon, join(folder, `frumious.${process.platform}-${process.arch}.node`));
  return folder;
}

const path = installed();
/** Where the package puts files in memory that need a path. */
const temporary = directory("work", "node-temporary");
process.env.TMPDIR = temporary;
const { ProvingKey, groth16, wtns, zKey } = require(path);

// snarkjs keeps threads for each curve, which would keep the process.
after(async () => {
  for (const name of ["curve_bn128", "curve_bls12381"]) await globalThis[name]?.terminate();
});

test("its types name nothing of DOM's or Node's, which a program may not have", () => {
  const types = readFileSync(join(path, "index.d.ts"), "utf8").replace(/\/\*\*.*?\*\//gs, "");
  assert.doesNotMatch(types, /\b(AbortSignal|Buffer|Event\w*|NodeJS)\b/);
});

for (const name of ["multiplier", "multiplier_bls12381"]) {
  describe(`the Node package, ${name}`, () => {
    let at, key, witness, wasm, input, vkey;
    const cache = directory("work", `node-cache-${name}`);

    before(async () => {
      const made = await withKeyAndWitness(named(name), `node-${name}`);
      ({ at, zkey: key, wtns: witness } = made);
      const files = filesOf(named(name));
      wasm = files.wasm;
      input = readJson(files.input);
      vkey = await snarkjs.zKey.exportVerificationKey(key);
    });

    /** Verified by snarkjs and by the package. */
    async function verified({ proof, publicSignals }, by = vkey) {
      assert.ok(await snarkjs.groth16.verify(by, publicSignals, proof), "snarkjs refuses");
      assert.ok(await groth16.verify(by, publicSignals, proof), "the package refuses");
      const wrong = [(BigInt(publicSignals[0]) + 1n).toString(), ...publicSignals.slice(1)];
      assert.equal(await groth16.verify(by, wrong, proof), false);
    }

    test("prove takes paths, bytes and memory files, as snarkjs", async () => {
      const bytes = { key: new Uint8Array(readFileSync(key)), witness: new Uint8Array(readFileSync(witness)) };
      await verified(await groth16.prove(key, witness));
      await verified(await groth16.prove(bytes.key, bytes.witness));
      await verified(await groth16.prove({ type: "mem", data: bytes.key }, { type: "mem", data: bytes.witness }));
    });

    test("fullProve takes inputs as snarkjs does, from a module and from a recorded run", async () => {
      for (let run = 0; run < 2; run++) {
        await verified(await groth16.fullProve(input, wasm, key, undefined, undefined, { cache }));
      }
      const big = Object.fromEntries(Object.entries(input).map(([name, value]) => [name, Array.isArray(value) ? value.map(BigInt) : BigInt(value)]));
      await verified(await groth16.fullProve(big, wasm, key, undefined, undefined, { cache: false }));
    });

    test("wtns.calculate writes snarkjs's witness, to a file and to memory", async () => {
      const theirs = { type: "mem" };
      await snarkjs.wtns.calculate(input, wasm, theirs);
      const ours = { type: "mem" };
      await wtns.calculate(input, wasm, ours, { cache });
      assert.deepEqual(Buffer.from(ours.data), Buffer.from(theirs.data));
      const file = at("node.wtns");
      await wtns.calculate(input, wasm, file, { cache: false });
      assert.deepEqual(readFileSync(file), Buffer.from(theirs.data));
      // A file that others may read is replaced by one that they may not.
      chmodSync(file, 0o644);
      await wtns.calculate(input, wasm, file, { cache: false });
      assert.equal(statSync(file).mode & 0o777, 0o600);
    });

    test("an open key makes many proofs at once, and tells about itself", async () => {
      const open = await ProvingKey.open(key);
      assert.equal(open.curve, name.endsWith("bls12381") ? "bls12381" : "bn128");
      assert.equal(open.nPublic, vkey.nPublic);
      const proofs = await Promise.all(Array.from({ length: 16 }, () => groth16.prove(open, witness)));
      for (const proof of proofs) await verified(proof);
    });

    test("progress comes in phases, and an AbortSignal stops", async () => {
      const phases = new Map();
      await groth16.prove(key, witness, undefined, { onProgress: (phase, done) => phases.set(phase, done) });
      assert.ok(phases.size > 2, [...phases.keys()].join());
      // The proof is done while this thread sleeps: its end and its progress are then delivered at once.
      const told = [];
      const sleeper = groth16.prove(key, witness, undefined, { onProgress: (phase) => told.push(phase) });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000);
      await sleeper;
      assert.deepEqual(new Set(told), new Set(phases.keys()), "told before the promise is settled");
      const before = told.length;
      await new Promise((resolve) => setTimeout(resolve, 50));
      assert.equal(told.length, before, "told after the promise was settled");
      await assert.rejects(groth16.prove(key, witness, undefined, { signal: AbortSignal.abort() }), { name: "AbortError" });
      const controller = new AbortController();
      const stopped = groth16.prove(key, witness, undefined, { signal: controller.signal });
      controller.abort(new Error("enough"));
      await stopped.then(verified, (error) => assert.equal(error.message, "enough"));
      for (const onProgress of [() => { throw new Error("mine"); }, async () => { throw new Error("mine"); }]) {
        await assert.rejects(groth16.prove(key, witness, undefined, { onProgress }), { message: "mine" });
      }
    });

    test("options may be null, and a typed array is no signal", async () => {
      await verified(await groth16.prove(key, witness, null, null));
      await verified(await groth16.fullProve(input, wasm, key, null, null, null));
      await wtns.calculate(input, wasm, { type: "mem" }, null);
      assert.deepEqual(await zKey.exportVerificationKey(key, null, null), vkey);
      const named = (error) => error instanceof TypeError && /^options: /.test(error.message);
      for (const options of [true, "verify", 5]) await assert.rejects(groth16.prove(key, witness, null, options), named);
      const [first] = Object.keys(input);
      for (const [value, kind] of [[new Uint8Array([3]), "Uint8Array"], [[1, Buffer.from([3])], "Buffer"]]) {
        const given = { ...input, [first]: value };
        const message = `inputs: "${first}": an array of numbers is expected, and no ${kind}: give Array.from(it)`;
        await assert.rejects(groth16.fullProve(given, wasm, key), { name: "TypeError", message });
      }
    });

    test("exports are snarkjs's", async () => {
      assert.deepEqual(await zKey.exportVerificationKey(key), vkey);
      const { proof, publicSignals } = await groth16.prove(key, witness);
      const calldata = await groth16.exportSolidityCallData(proof, publicSignals);
      if (name === "multiplier") {
        assert.equal(calldata, await snarkjs.groth16.exportSolidityCallData(proof, publicSignals));
      }
      assert.match(await zKey.exportSolidityVerifier(key), /contract Groth16Verifier/);
    });

    test("zKey makes, contributes to and verifies keys as snarkjs does, in files and in memory", async () => {
      const { r1cs } = filesOf(named(name));
      const powers = transcripts(named(name).curve).prepared;
      const same = (ours, theirs) => assert.deepEqual(Buffer.from(ours), Buffer.from(theirs));
      // Section by section, as snarkjs writes them in another order.
      const sameFile = (ours, theirs) => {
        const [a, b] = [ours, theirs].map((path) => new BinFile(readFileSync(path)));
        const types = (file) => file.sections.map(({ type }) => type).sort((x, y) => x - y);
        assert.deepEqual(types(a), types(b));
        for (const type of types(a)) same(a.payload(type), b.payload(type));
      };
      const files = (word) => [at(`node-${word}.zkey`), at(`node-${word}-theirs.zkey`)];
      const verifiedByBoth = async (last, first) => {
        for (const library of [{ zKey }, snarkjs]) {
          assert.equal(await library.zKey.verifyFromR1cs(r1cs, powers, last), true);
          assert.equal(await library.zKey.verifyFromInit(first, powers, last), true);
        }
      };

      const [first, theirs] = files("first");
      same(await zKey.newZKey(r1cs, powers, first), await snarkjs.zKey.newZKey(r1cs, powers, theirs));
      sameFile(first, theirs);
      const [second] = files("second");
      assert.equal((await zKey.contribute(first, second, "second", "some entropy")).length, 64);
      const [third, thirdByThem] = files("third");
      const beacon = ["a beacon", "0102030405060708", 10];
      same(await zKey.beacon(second, third, ...beacon), await snarkjs.zKey.beacon(second, thirdByThem, ...beacon));
      sameFile(third, thirdByThem);
      await verifiedByBoth(third, first);
      assert.deepEqual(await zKey.exportJson(third), JSON.parse(JSON.stringify(await snarkjs.zKey.exportJson(third))));

      const inMemory = (path) => ({ type: "mem", data: new Uint8Array(readFileSync(path)) });
      const [made, grown] = [{ type: "mem" }, { type: "mem" }];
      await zKey.newZKey(inMemory(r1cs), inMemory(powers).data, made);
      same(made.data, readFileSync(first));
      await zKey.contribute(made, grown);
      await verifiedByBoth(grown, made);
      await verified(await groth16.prove(grown, witness), await zKey.exportVerificationKey(grown));
    });

    test("zKey exchanges parameters with bellman's programs as snarkjs does", async () => {
      const powers = transcripts(named(name).curve).prepared;
      const { r1cs } = filesOf(named(name));
      const { curve } = named(name);
      const [first, ours, theirs] = ["b-first.zkey", "b-ours.zkey", "b-theirs.zkey"].map(at);
      await snarkjs.zKey.newZKey(r1cs, powers, first); // in snarkjs's order of sections
      const [exported, answered, again] = ["b-0.mpcparams", "b-1.mpcparams", "b-2.mpcparams"].map(at);
      await zKey.exportBellman(first, exported);
      await snarkjs.zKey.exportBellman(first, again);
      assert.deepEqual(readFileSync(exported), readFileSync(again));
      assert.equal((await zKey.bellmanContribute(curve, exported, answered, "text")).length, 64);
      assert.equal(await zKey.importBellman(first, answered, ours, "second"), true);
      await snarkjs.zKey.importBellman(first, answered, theirs, "second");
      assert.deepEqual(readFileSync(ours), readFileSync(theirs));
      for (const library of [{ zKey }, snarkjs]) assert.equal(await library.zKey.verifyFromR1cs(r1cs, powers, ours), true);

      const inMemory = { type: "mem" };
      const altered = new Uint8Array(readFileSync(answered));
      altered[altered.length - 1] ^= 1; // of the last transcript
      assert.equal(await zKey.importBellman(first, altered, inMemory), false);
      assert.equal(inMemory.data, undefined);
      assert.equal(await zKey.importBellman(first, readFileSync(answered), inMemory, "second"), true);
      assert.deepEqual(Buffer.from(inMemory.data), readFileSync(ours));
      await assert.rejects(zKey.bellmanContribute("bn254x", exported, again), { code: "bad_input" });
      await assert.rejects(zKey.importBellman(first, altered.slice(0, 99), ours), { code: "bad_input" });
    });

    test("zKey refuses what snarkjs refuses, and leaves no file", async () => {
      const { r1cs } = filesOf(named(name));
      const powers = transcripts(named(name).curve).prepared;
      const [first, target] = [at("node-refused.zkey"), at("node-none.zkey")];
      await zKey.newZKey(r1cs, powers, first);
      const code = (expected) => (error) => assert.equal(error.code, expected, error.message) ?? true;
      await assert.rejects(zKey.beacon(first, target, "b", "01", 9), code("bad_input"));
      await assert.rejects(zKey.beacon(first, target, "b", "", 10), code("bad_input"));
      await assert.rejects(zKey.beacon(first, target, "b", "01".repeat(256), 10), code("bad_input"));
      await assert.rejects(zKey.beacon(first, target, "b", "012", 10), TypeError);
      // What JavaScript would make another beacon of.
      for (const hash of [12, new Uint8Array([12])]) await assert.rejects(zKey.beacon(first, target, "b", hash, 10), TypeError);
      for (const exponent of [10.9, 2 ** 32 + 10, Number.NaN, "1e1", null]) {
        await assert.rejects(zKey.beacon(first, target, "b", "01", exponent), TypeError);
      }
      await assert.rejects(zKey.contribute(first, first, "in place"), code("bad_input"));
      await assert.rejects(zKey.contribute(first, new Uint8Array(1), "into bytes"), TypeError);
      await assert.rejects(zKey.contribute(r1cs, target), code("wrong_kind"));
      await assert.rejects(zKey.newZKey(r1cs, transcripts(named(name).curve).raw, target), code("bad_input"));
      await assert.rejects(zKey.contribute(first, target, "c", "e", undefined, { signal: AbortSignal.abort() }), { name: "AbortError" });
      assert.ok(!existsSync(target));

      // A point of L that is another one: the key is well-formed, but not the circuit's.
      const contributed = { type: "mem" };
      await zKey.contribute(first, contributed);
      const bytes = contributed.data.slice();
      const start = new BinFile(Buffer.from(bytes)).section(9).start;
      const size = name.endsWith("bls12381") ? 96 : 64;
      bytes.copyWithin(start, start + size, start + 2 * size);
      assert.equal(await zKey.verifyFromR1cs(r1cs, powers, bytes), false);
      assert.equal(await zKey.verifyFromInit(first, powers, bytes), false);
      for (const maxIterationsExp of [-1, 64, 1.5]) {
        await assert.rejects(zKey.verifyFromR1cs(r1cs, powers, bytes, undefined, { maxIterationsExp }), TypeError);
      }
      // A beacon of more applications than are to be computed.
      const beaconed = { type: "mem" };
      await zKey.beacon(first, beaconed, "b", "01", 11);
      await assert.rejects(zKey.verifyFromR1cs(r1cs, powers, beaconed.data, undefined, { maxIterationsExp: 10 }), code("time_limit"));
      assert.equal(await zKey.verifyFromInit(first, powers, beaconed.data, undefined, { maxIterationsExp: 11 }), true);
      await assert.rejects(zKey.verifyFromR1cs(r1cs, powers, bytes.slice(0, 100)), code("bad_input"));
      assert.deepEqual(readdirSync(temporary), []);
    });

    test("errors have the codes of docs/json.md, and no value of an input", async () => {
      const refused = (promise, code, words) => assert.rejects(promise, (error) => {
        assert.equal(error.code, code, `${error.code}: ${error.message}`);
        assert.match(error.message, words);
        return true;
      });
      await refused(groth16.prove(at("none.zkey"), witness), "not_found", /none\.zkey/);
      await refused(groth16.prove(witness, witness), "wrong_kind", /is a witness/);
      await refused(groth16.prove(key, new Uint8Array(100)), "bad_input", /wtns/);
      await refused(groth16.prove(key, witness, undefined, { maxMemory: 1 }), "memory_limit", /memory/);
      const bad = new Uint8Array(readFileSync(witness));
      bad[bad.length - 32] ^= 1;
      await refused(groth16.prove(key, bad), "unsatisfied", /./);
      const secret = "987654321987654321";
      const inputs = { ...input, notASignal: secret };
      await refused(groth16.fullProve(inputs, wasm, key, undefined, undefined, { cache: false }), "bad_input", /./);
      await groth16.fullProve(inputs, wasm, key, undefined, undefined, { cache: false }).catch((error) => {
        assert.ok(!error.message.includes(secret));
      });
      await refused(groth16.verify({}, [], {}), "bad_input", /./);
      await assert.rejects(groth16.prove(42, witness), TypeError);
      await assert.rejects(groth16.prove(key, witness, undefined, { maxMemory: Number.NaN }), TypeError);
      await refused(groth16.prove("-", witness), "not_found", /-/); // a name: standard input is the program's
      await assert.rejects(groth16.fullProve(input, readFileSync(wasm), key), TypeError);
    });

    test("worker threads prove side by side, and one that is ended takes nothing with it", async () => {
      const script = `
        const { workerData, parentPort } = require("node:worker_threads");
        const { groth16 } = require(workerData.path);
        (async () => {
          for (let i = 0; i < workerData.count; i++) parentPort.postMessage(await groth16.prove(workerData.key, workerData.witness));
        })();`;
      const start = (count) => new Worker(script, { eval: true, workerData: { path, key, witness, count } });
      const ended = start(1000);
      await new Promise((done) => ended.once("message", done));
      await ended.terminate();
      const workers = [start(3), start(3)].map((worker) => new Promise((done, fail) => {
        const proofs = [];
        worker.on("message", (proof) => proofs.push(proof)).on("error", fail).on("exit", () => done(proofs));
      }));
      for (const proofs of await Promise.all(workers)) {
        assert.equal(proofs.length, 3);
        for (const proof of proofs) await verified(proof);
      }
    });
  });
}
