// Makes the slow files once, before the tests, which run side by side: compiled circuits, their inputs, the ceremony.
import { powersOfTau } from "./ceremony.js";
import { circuits, compile, rollups } from "./circuits.js";
import { gadgetCircuits } from "./gadgets.js";
import { makeTool, missingTools, withGraphs } from "./generators.js";
import { tapeCircuits } from "./tapes.js";

async function timed(what, make) {
  const start = performance.now();
  const made = await make();
  console.log(`${what}: ${made ? `${((performance.now() - start) / 1000).toFixed(1)} s` : "in the cache"}`);
}

await Promise.all([
  missingTools() ?? (withGraphs ? timed("writers of graphs", makeTool) : console.log("writers of graphs: left out by FRUMIOUS_GRAPHS=none")),
  (async () => {
    for (const curve of ["bn128", "bls12381"]) await timed(`powers of tau, ${curve}`, () => powersOfTau(curve));
  })(),
  (async () => {
    for (const circuit of [...circuits, ...rollups.slice(1), ...gadgetCircuits, ...tapeCircuits].filter(({ missing }) => !missing)) await timed(circuit.name, () => compile(circuit));
  })(),
]);
process.exit(0); // circomlibjs keeps worker threads alive
