// Other witness generators of the same circuits: circom's C++, and graphs in the formats of two crates.
import assert from "node:assert/strict";
import { copyFileSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { spawnSync } from "node:child_process";
import { filesOf } from "./circuits.js";
import { GRAPHS, LARGE_GRAPHS, PROGRAMS } from "./programs.js";
import { cache, circom, directory, root, run } from "./tools.js";
import { PRIMES, Random, recordedCircuits } from "./tapes.js";

/** Names of the circuits to test, if not all. */
const only = process.env.FRUMIOUS_GENERATORS?.split(",");
/** Whether graphs are written and read by the crates of others, which takes longer to compile than all else here. */
export const withGraphs = process.env.FRUMIOUS_GRAPHS !== "none";

const circomlib = "node_modules/circomlib/circuits";

/** The files of graphs, by the end of their names: see graphs/src/main.rs. */
export const FORMATS = ["wtns1", "wtns2", "rs3", "rs5"];

/** As `recordedCircuits`, with `graph`, true if there are graphs of it. */
export const generatedCircuits = recordedCircuits.filter(({ name }) => PROGRAMS.includes(name) && (only === undefined || only.includes(name))).map((circuit) => ({ ...circuit, graph: hasGraphs(circuit.name) }));

function hasGraphs(name) {
  return withGraphs && GRAPHS.includes(name) && (!LARGE_GRAPHS.includes(name) || only !== undefined);
}

/** Why there is nothing to test here, if so: the tools are not npm's. In CI they must be there. */
export function missingTools() {
  const has = (program, ...args) => spawnSync(program, args, { stdio: "ignore" }).status === 0;
  const missing = ["g++", "make", "nasm", "protoc"].filter((program) => !has(program, "--version"));
  const header = (name) => spawnSync("g++", ["-fsyntax-only", "-x", "c++", "-"], { input: `#include <${name}>\n` }).status === 0;
  missing.push(...["gmp.h", "nlohmann/json.hpp"].filter((name) => !missing.includes("g++") && !header(name)));
  if (missing.length === 0) return undefined;
  const what = `missing: ${missing.join(", ")} (apt-get install g++ make nasm libgmp-dev nlohmann-json3-dev protobuf-compiler libclang-dev)`;
  if (process.env.CI === "true") throw new Error(what);
  return what;
}

/** Paths of what `make` makes. */
export function generatorsOf({ name, of }) {
  const folder = directory("generators", name);
  const program = join(folder, `${of}_cpp`, of);
  return { folder, program, graph: (format) => join(folder, `${of}.${format}`) };
}

const tool = join(cache, "graphs/release/graphs");

/** Compiles circom's C++ and writes the graphs, unless they are there, of the circuit as it is now. */
export async function make(circuit) {
  const compiled = readFileSync(join(filesOf(circuit).folder, "stamp"), "utf8");
  const { folder } = generatorsOf(circuit);
  const stamp = join(folder, "stamp");
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== compiled) rmSync(folder, { recursive: true });
  await makeMissing(circuit);
  writeFileSync(stamp, compiled);
}

async function makeMissing(circuit) {
  const { folder, program, graph } = generatorsOf(circuit);
  const sources = `${circuit.of}_cpp`;
  if (!existsSync(program)) {
    cpSync(join(filesOf(circuit).folder, sources), join(folder, sources), { recursive: true });
    await makeProgram(join(folder, sources), circuit.of, circuit.curve);
  }
  if (!circuit.graph || existsSync(graph("rs5"))) return;
  await makeTool();
  const [trace, names, straight] = [join(folder, "trace"), join(folder, "names.json"), directory("generators", circuit.name, "straight")];
  const branches = readFileSync(join(folder, sources, `${circuit.of}.cpp`), "utf8").includes("IsZero_");
  if (branches) await compileTo(circuit, straight, straightCircomlib());
  await done(join(root, "graphs/trace.sh"), [join(branches ? straight : folder, sources), circuit.of, trace]);
  writeFileSync(names, text(circuit.random(new Random("names"), PRIMES[circuit.curve])));
  await done(tool, ["write", trace, names, join(folder, circuit.of)]);
}

/** Compiles the crates of others that write and run graphs, unless they are there. */
export async function makeTool() {
  if (existsSync(tool)) return false;
  await done("cargo", ["build", "--quiet", "--release", "--locked", "--manifest-path", join(root, "graphs/Cargo.toml"), "--target-dir", join(cache, "graphs")]);
  return true;
}

/** Runs circom's makefile. Objects of sources that are the same for each circuit are compiled once. */
async function makeProgram(folder, name, curve) {
  const kept = directory("generators-objects", curve);
  const sources = ["main.cpp", "calcwit.cpp", "fr.cpp", "fr.asm", "circom.hpp", "calcwit.hpp", "fr.hpp"];
  const objects = ["main.o", "calcwit.o", "fr.o", "fr_asm.o"];
  const copy = (names, from, to) => names.forEach((name) => copyFileSync(join(from, name), join(to, name)));
  const bytes = (from, name) => readFileSync(join(from, name));
  const isSame = (name) => existsSync(join(kept, name)) && bytes(kept, name).equals(bytes(folder, name));
  const areKept = objects.every((name) => existsSync(join(kept, name))) && sources.every(isSame);
  if (areKept) copy(objects, kept, folder);
  if (!areKept) await done("make", ["-C", folder, "CFLAGS=-std=c++11 -O1 -I.", ...objects]);
  // The circuit's own code is large, and runs for some milliseconds.
  await done("make", ["-C", folder, "CFLAGS=-std=c++11 -I.", name]);
  if (!areKept) copy([...objects, ...sources], folder, kept);
}

async function compileTo(circuit, folder, library) {
  const source = circuit.source?.(folder) ?? join(root, "circuits", circuit.folder ?? "", `${circuit.of}.circom`);
  await circom(["--prime", circuit.curve, circuit.simplification ?? "--O2", "--c", "-l", library, "-o", relative(root, folder), relative(root, source)]);
}

/** circomlib with a hint that does not branch: 1/0 is 0 in circom anyway. */
function straightCircomlib() {
  const copy = directory("circomlib-straight");
  cpSync(join(root, circomlib), copy, { recursive: true });
  const path = join(copy, "comparators.circom");
  const changed = readFileSync(path, "utf8").replace("in!=0 ? 1/in : 0", "1/in");
  assert.match(changed, /inv <-- 1\/in;/);
  writeFileSync(path, changed);
  return relative(root, copy);
}

/** The witness by the crate whose format it is, as bytes. */
export async function byItsCrate(graph, input) {
  const out = `${input}.crate.wtns`;
  rmSync(out, { force: true });
  const { code } = await run(tool, ["run", graph, input, out]);
  return code === 0 ? readFileSync(out) : undefined;
}

export function text(inputs) {
  return JSON.stringify(inputs, (_, value) => (typeof value === "bigint" ? String(value) : value));
}

async function done(program, args) {
  const { code, stdout, stderr } = await run(program, args, { seconds: 1800 });
  if (code !== 0) throw new Error(`${program} ${args.join(" ")}\n${stdout}${stderr}`);
}
