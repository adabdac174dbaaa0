// A circuit with its key and its witness, each made as the table of circuits says.
import { ceremonyKey, contribute, transcripts } from "./ceremony.js";
import { filesOf } from "./circuits.js";
import { directory, frumious, snarkjs, VALID } from "./tools.js";
import { join } from "node:path";

const makeKey = {
  ceremony: (r1cs, zkey, curve) => ceremonyKey(r1cs, zkey, curve),
  ptau: async (r1cs, zkey, curve) => {
    await setupFromPtau(r1cs, `${zkey}.initial`, curve);
    await contribute(`${zkey}.initial`, zkey);
  },
  uncontributed: setupFromPtau,
  dev: (r1cs, zkey) => frumious(["setup", "--force", "--dev", r1cs, zkey], { expect: VALID }),
};

/** Makes the key and the witness in a folder of the caller's own; gives `at(name)`, the path of a file there. */
export async function withKeyAndWitness(circuit, folder, key = circuit.key) {
  const files = filesOf(circuit);
  const work = directory("work", folder);
  const at = (name) => join(work, name);
  const made = { ...files, at, zkey: at("circuit.zkey"), wtns: at("snarkjs.wtns") };
  await snarkjs(["wtns", "calculate", made.wasm, made.input, made.wtns]);
  await makeKey[key](made.r1cs, made.zkey, circuit.curve);
  return made;
}

/** A key that nobody has contributed to, which `frumious verify` and `export` refuse. */
function setupFromPtau(r1cs, zkey, curve) {
  return frumious(["setup", "--force", r1cs, transcripts(curve).prepared, zkey], { expect: VALID });
}
