// Programs that were written for rapidsnark, linked with the C library as a release has it: the crate rust-rapidsnark
// as it is published, and Go over cgo with the first and the present header. snarkjs verifies their proofs.
import assert from "node:assert/strict";
import { existsSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { before, describe, test } from "node:test";
import { circuits } from "../src/circuits.js";
import { withKeyAndWitness } from "../src/keys.js";
import { directory, frumious, root, run, snarkjs, VALID } from "../src/tools.js";

const library = resolve(root, process.env.FRUMIOUS_C ?? "../target/release/libfrumious_c.a");
const work = directory("work", "callers");
const at = (name) => join(work, name);
await layOut();
const rust = await build("rust-rapidsnark", "cargo", ["build", "--locked", "--quiet", "--manifest-path", join(root, "callers/rust/Cargo.toml"), "--target-dir", at("rust")], { RAPIDSNARK_LIB_DIR: at("rust-links") }, "rust/debug/caller");
const goFlags = { CGO_ENABLED: "1", CGO_CFLAGS: `-I${at("library/include/frumious")}` };
const goBuild = (name) => ["build", "-C", join(root, "callers/go"), "-o", at(name), "."];
const goShared = await build("Go", "go", goBuild("go-shared"), { ...goFlags, CGO_LDFLAGS: `-L${at("library/lib")} -Wl,-rpath,${at("library/lib")}` }, "go-shared");
const goStatic = await build("Go", "go", goBuild("go-static"), { ...goFlags, CGO_LDFLAGS: `-L${at("links")} -lpthread -ldl -lm` }, "go-static");

/** The library as it is installed, and folders with its static form alone. */
async function layOut() {
  assert.ok(existsSync(library), `no library at ${library}: build it or set FRUMIOUS_C`);
  for (const folder of ["library", "links", "rust-links"]) rmSync(at(folder), { recursive: true, force: true });
  const { code, stderr } = await run("cargo", ["xtask", "library", library, at("library")], { cwd: resolve(root, "..") });
  assert.equal(code, 0, stderr);
  for (const folder of ["links", "rust-links"]) symlinkSync(at("library/lib/librapidsnark.a"), join(directory("work", "callers", folder), "librapidsnark.a"));
  // What rapidsnark is made of: nothing of it is needed.
  for (const name of ["fr", "fq", "gmp"]) writeFileSync(at(`rust-links/lib${name}.a`), "!<arch>\n");
}

/** Builds a program: its path, or what is missing. */
async function build(what, compiler, args, settings, name) {
  try {
    const { code, stderr } = await run("env", [...Object.entries(settings).map(([name, value]) => `${name}=${value}`), compiler, ...args], { seconds: 1200 });
    if (code === 0) return { program: at(name) };
    throw new Error(stderr);
  } catch (error) {
    if (process.env.CI === "true") throw error;
    return { missing: `no ${what}: ${error.message.split("\n")[0]}` };
  }
}

const cutOff = "It was cut off or is corrupt";
for (const [name, each] of [["multiplier", 4], ["rollup1", 0]]) {
  const circuit = circuits.find((circuit) => circuit.name === name);
  describe(`callers of rapidsnark, ${name}`, { skip: circuit.missing ?? false }, () => {
    let zkey, wtns, vkey;
    before(async () => {
      ({ zkey, wtns } = await withKeyAndWitness(circuit, `callers-${name}`));
      vkey = at(`${name}.vkey.json`);
      await frumious(["export", "vkey", zkey, vkey, "--force"], { expect: VALID });
    });

    for (const [what, { program, missing }, proofs] of [
      ["rust-rapidsnark", rust, ["proof"]],
      ["Go, shared library", goShared, ["proof", "proof.older"]],
      ["Go, static library", goStatic, ["proof", "proof.older"]],
    ]) {
      test(what, { skip: missing ?? false }, async () => {
        for (const file of [...proofs, "public"]) rmSync(at(file), { force: true });
        const { code, stdout, stderr } = await run(program, [zkey, wtns, vkey, at("proof"), at("public"), ...(program === rust.program ? [] : [`${each}`])]);
        assert.equal(code, 0, stderr);
        const [ours, wrong, short] = stdout.split("\n");
        assert.deepEqual([ours, wrong], ["valid", "invalid"]);
        assert.ok(short.includes(cutOff), short);
        for (const proof of proofs) await snarkjs(["groth16", "verify", vkey, at("public"), at(proof)]);
      });
    }
  });
}
