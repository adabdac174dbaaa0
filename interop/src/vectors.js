// Writes the graphs and witnesses that the crates' own tests read: crates/witness/tests/data/graphs.
//   node src/vectors.js      after `npm ci`, with the tools of src/generators.js
// The circuits are ours, and include nothing of circomlib's.
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compile } from "./circuits.js";
import { FORMATS, generatedCircuits, generatorsOf, make, missingTools, text } from "./generators.js";
import { PRIMES, Random, runtimeOf } from "./tapes.js";
import { root } from "./tools.js";

const missing = missingTools();
if (missing) throw new Error(missing);
const folder = join(root, "../crates/witness/tests/data/graphs");
mkdirSync(folder, { recursive: true });
for (const circuit of generatedCircuits.filter(({ name }) => ["tapes_bitwise", "tapes_powers", "multiplier"].includes(name))) {
  await compile(circuit);
  await make(circuit);
  for (const format of FORMATS) {
    const graph = generatorsOf(circuit).graph(format);
    if (existsSync(graph)) copyFileSync(graph, join(folder, `${circuit.of}.${format}`));
  }
  const random = new Random("vectors");
  const runtime = await runtimeOf(circuit);
  const lines = [];
  while (lines.length < 8) {
    const inputs = JSON.parse(text(circuit.random(random, PRIMES[circuit.curve])));
    const { bytes } = await runtime(inputs);
    if (bytes) lines.push(JSON.stringify({ inputs, wtns: bytes.toString("hex") }));
  }
  writeFileSync(join(folder, `${circuit.of}.jsonl`), `${lines.join("\n")}\n`);
}
