// BabyJubJub and EdDSA of crates/r1cs, through its example program `eddsa`, beside circomlib's circuits and circomlibjs.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { before, describe, test } from "node:test";
import { buildEddsa } from "circomlibjs";
import { BinFile } from "../src/binfile.js";
import { R } from "../src/bn254.js";
import { circom, directory, root, run, snarkjs } from "../src/tools.js";

const program = resolve(root, process.env.FRUMIOUS_EDDSA ?? "../target/release/examples/eddsa");
/** The order of the base point (EIP-2494). */
const L = 2736030358979909402780800718157159386076813972158567259200215660948447373041n;
const FIELDS = ["Ax", "Ay", "R8x", "R8y", "S", "M"];

/** What the program prints, split at spaces. */
async function ours(...args) {
  assert.ok(existsSync(program), `no eddsa at ${program}: build the example or set FRUMIOUS_EDDSA`);
  const { code, stdout, stderr } = await run(program, args.map(String));
  assert.equal(code, 0, `eddsa ${args.join(" ")}: ${stderr}`);
  return stdout.trim();
}

/** A circuit of `circuits/` for witnesses; `witness(input, expect)` gives its values after the one, if there are some. */
async function compiled(name) {
  const folder = directory("eddsa", name);
  await circom(["--O1", "--wasm", "-l", "node_modules/circomlib/circuits", "-o", relative(root, folder), `circuits/${name}.circom`]);
  return async (input, { expect = 0, count = 0 } = {}) => {
    const [json, wtns] = ["input.json", "witness.wtns"].map((file) => join(folder, file));
    writeFileSync(json, JSON.stringify(input, (_, value) => (typeof value === "bigint" ? String(value) : value)));
    await snarkjs(["wtns", "calculate", join(folder, `${name}_js/${name}.wasm`), json, wtns], { expect });
    if (expect !== 0) return undefined;
    const values = new BinFile(readFileSync(wtns)).payload(2);
    const value = (i) => Buffer.from(values.subarray(32 * (i + 1), 32 * (i + 2))).reverse().toString("hex");
    return Array.from({ length: count }, (_, i) => BigInt(`0x${value(i)}`).toString());
  };
}

describe("EdDSA with Poseidon", () => {
  let verifier, eddsa;
  before(async () => {
    [verifier, eddsa] = [await compiled("eddsa_poseidon"), await buildEddsa()];
  });

  const input = (values) => ({ enabled: "1", ...Object.fromEntries(FIELDS.map((field, i) => [field, values[i]])) });

  for (const [secret, message] of [[1n, 0n], [L - 1n, R - 1n], [1234567890123456789n, 42n]]) {
    test(`circomlib and circomlibjs accept what ${secret} signs`, async () => {
      const values = (await ours("sign", secret, message)).split(" ");
      assert.equal(await ours("verify", ...values), "valid");
      await verifier(input(values));
      const [ax, ay, rx, ry] = values.map((value) => eddsa.F.e(BigInt(value)));
      assert.ok(eddsa.verifyPoseidon(eddsa.F.e(message), { R8: [rx, ry], S: BigInt(values[4]) }, [ax, ay]));

      for (const [i, value] of values.entries()) {
        const wrong = values.with(i, (BigInt(value) + (i === 4 ? L : 1n)) % R);
        assert.match(await ours("verify", ...wrong), /^unsatisfied: signature: constraint \d+ of eddsa_poseidon$/, FIELDS[i]);
        await verifier(input(wrong), { expect: 1 });
      }
    });
  }

  for (const [seed, message] of [["frumious", 1234567n], ["key0", 0n], ["key1", R - 1n]]) {
    test(`our circuit accepts what circomlibjs signs by ${seed}`, async () => {
      const key = createHash("sha256").update(seed).digest();
      const A = eddsa.prv2pub(key);
      const { R8, S } = eddsa.signPoseidon(key, eddsa.F.e(message));
      const points = [...A, ...R8].map((value) => eddsa.F.toObject(value));
      assert.equal(await ours("verify", ...points, S, message), "valid");
    });
  }
});

describe("BabyJubJub", () => {
  let circuit;
  before(async () => {
    circuit = await compiled("baby_jubjub");
  });

  for (const [what, scalar, short] of [
    ["zero", 0n, 0n],
    ["one", 1n, 1n],
    ["l - 1", L - 1n, L - 1n],
    ["l", L, L],
    ["the largest", R - 1n, 2n ** 251n - 1n],
    ["all ones", 2n ** 253n - 1n, 2n ** 250n - 1n],
  ]) {
    test(`sums and multiples: ${what}`, async () => {
      const [third, q] = [await ours("base8", 3), await ours("base8", short)].map((text) => text.split(" "));
      // Eight times this is p: circomlib multiplies p itself.
      const p = (await ours("mul", ...third, 1)).split(" ");
      const sum = await ours("add", ...p, ...q);
      const multiple = await ours("mul", ...third, scalar);
      const expected = await circuit({ p, q, scalar, short }, { count: 6 });
      assert.deepEqual([sum, multiple, q.join(" ")].join(" ").split(" "), expected);
    });
  }
});
