// The circuits: what each proves, where its key comes from, and how it is compiled.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { buildEddsa, buildPoseidon } from "circomlibjs";
import { PROGRAMS } from "./programs.js";
import { circom, directory, fixtures, readJson, root, run } from "./tools.js";

const rollupFixture = join(fixtures, "groth16/rollup");
const circomlib = "node_modules/circomlib/circuits";

/**
 * `key` is one of: "ceremony" (made by snarkjs alone), "ptau" (`frumious setup` from a snarkjs ceremony, then a contribution by snarkjs), "dev" (`frumious setup --dev`).
 * `domain` and `nPublic` are what the key must say. `missing` is why a circuit cannot be had here, if so. `curve` is what circom calls
 * `--prime`; `of` is the circuit whose source is compiled, if it is another one's; `simplification` is `--O2` unless it says otherwise.
 */
export const circuits = [
  { name: "multiplier", key: "ceremony", domain: 4, nPublic: 2, input: () => ({ a: "3", b: "11" }) },
  { name: "domain2", key: "ptau", domain: 2, nPublic: 0, input: () => ({ a: "3", b: "11" }) },
  { name: "domain2_public", key: "ptau", domain: 2, nPublic: 1, input: () => ({ a: "5" }) },
  { name: "unused", key: "ptau", domain: 4, nPublic: 1, input: () => ({ a: "3", b: "11", path: ["1", "2", "3", "4"] }) },
  { name: "no_public", key: "ptau", domain: 4, nPublic: 0, input: () => ({ p: "274177", q: "67280421310721" }) },
  { name: "squarings", key: "ptau", domain: 256, nPublic: 2, input: () => ({ x: "3", step: "11" }) },
  { name: "poseidon_chain", key: "dev", domain: 1024, nPublic: 1, input: () => ({ x: "1", salt: ["7", "8", "9", "10"] }) },
  { name: "eddsa_poseidon", key: "dev", domain: 8192, nPublic: 3, input: signedMessage },
  { name: "sha256_512", key: "dev", domain: 65536, nPublic: 256, input: () => ({ in: bitsOf("frumious", 512) }) },
  rollup(1),
  ...[
    { of: "multiplier", key: "ceremony", domain: 4, nPublic: 2, input: () => ({ a: "-3", b: "11" }) },
    { of: "domain2", key: "ptau", domain: 2, nPublic: 0, input: () => ({ a: "3", b: "11" }) },
    { of: "no_public", key: "ptau", domain: 4, nPublic: 0, input: () => ({ p: "274177", q: "67280421310721" }) },
    { of: "squarings", key: "dev", domain: 256, nPublic: 2, input: () => ({ x: "3", step: "11" }) },
    { of: "poseidon_chain", key: "dev", domain: 1024, nPublic: 1, input: () => ({ x: "1", salt: ["7", "8", "9", "10"] }) },
  ].map((circuit) => ({ ...circuit, name: `${circuit.of}_bls12381`, curve: "bls12381" })),
].map(complete);

/** The rollups that `test/rollup.test.js` sets beside ours: of one transfer, and of as many (4 or 17) as FRUMIOUS_ROLLUP says. */
export const rollups = [circuits.find(({ name }) => name === "rollup1")];
if (process.env.FRUMIOUS_ROLLUP > 1) rollups.push(complete(rollup(Number(process.env.FRUMIOUS_ROLLUP))));

function complete(circuit) {
  return { curve: "bn128", of: circuit.name, ...circuit };
}

function rollup(transfers) {
  const domain = { 1: 2 ** 15, 4: 2 ** 17, 17: 2 ** 19 }[transfers];
  if (domain === undefined) throw new Error(`the fixtures have no rollup of ${transfers} transfers, but of 1, 4 and 17`);
  const name = `rollup${transfers}`;
  const files = { source: (folder) => rollupSource(folder, name), input: () => rollupInput(name) };
  return { name, transfers, key: "dev", domain, nPublic: 3, ...files, missing: missingFixture() };
}

/** Paths of the files of a circuit that `prepare.js` has made. */
export function filesOf({ name, of }) {
  const folder = directory("circuits", name);
  return {
    folder,
    r1cs: join(folder, `${of}.r1cs`),
    wasm: join(folder, `${of}_js`, `${of}.wasm`),
    input: join(folder, "input.json"),
    wtns: join(folder, "witness.wtns"),
  };
}

/** Compiles a circuit and writes its input, unless the cache has them for the same sources and tools. */
export async function compile(circuit) {
  const files = filesOf(circuit);
  const source = circuit.source?.(files.folder) ?? join(root, "circuits", circuit.folder ?? "", `${circuit.of}.circom`);
  const stamp = join(files.folder, "stamp");
  const digest = digestOf([source, join(root, "package-lock.json"), join(root, "src/circuits.js"), join(root, "src/programs.js")]);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === digest) return false;

  rmSync(stamp, { force: true });
  const output = relative(root, files.folder);
  const outputs = ["--r1cs", "--wasm", ...(PROGRAMS.includes(circuit.name) ? ["--c"] : [])]; // C++ costs no time of its own
  await circom(["--prime", circuit.curve, circuit.simplification ?? "--O2", ...outputs, "-l", circomlib, "-o", output, relative(root, source)]);
  writeFileSync(files.input, JSON.stringify(await circuit.input()));
  writeFileSync(stamp, digest);
  return true;
}

function digestOf(paths) {
  const hash = createHash("sha256");
  for (const path of paths) hash.update(readFileSync(path));
  return hash.digest("hex");
}

function bitsOf(seed, count) {
  const bytes = createHash("sha512").update(seed).digest();
  return Array.from({ length: count }, (_, i) => String((bytes[i >> 3] >> (7 - (i & 7))) & 1));
}

async function signedMessage() {
  const [eddsa, { F }] = [await buildEddsa(), await buildPoseidon()];
  const key = createHash("sha256").update("frumious").digest();
  const message = F.e(1234567n);
  const [Ax, Ay] = eddsa.prv2pub(key);
  const { R8, S } = eddsa.signPoseidon(key, message);
  const decimal = (x) => F.toObject(x).toString();
  return { enabled: "1", Ax: decimal(Ax), Ay: decimal(Ay), S: S.toString(), R8x: decimal(R8[0]), R8y: decimal(R8[1]), M: decimal(message) };
}

/** circom sees only files below `interop/`: the fixture's sources are copied there. */
function rollupSource(folder, name) {
  for (const file of readdirSync(rollupFixture)) {
    // Not a copy with its mode: the fixtures may be read-only, and this file is written again.
    if (file.endsWith(".circom")) writeFileSync(join(folder, file), readFileSync(join(rollupFixture, file)));
  }
  return join(folder, `${name}.circom`);
}

/** The fixture's own generator, a CommonJS script, run as it is. */
async function rollupInput(name) {
  const folder = directory("rollup-inputs");
  const script = join(folder, "mkinputs.cjs");
  writeFileSync(script, readFileSync(join(rollupFixture, "mkinputs.js")));
  const { code, stderr } = await run(process.execPath, [script, folder]);
  if (code !== 0) throw new Error(`mkinputs.js: ${stderr}`);
  return readJson(join(folder, name, "input.json"));
}

/** Beside a developer's clone the fixtures may be missing; in CI they may not. */
function missingFixture() {
  if (existsSync(rollupFixture)) return undefined;
  if (process.env.CI === "true") throw new Error(`no fixtures at ${fixtures}: set FRUMIOUS_FIXTURES`);
  return `no fixtures at ${fixtures}`;
}

