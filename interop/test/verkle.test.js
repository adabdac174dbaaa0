// Commitments, hashes, proofs and execution witnesses, against rust-verkle.
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { describe, test } from "node:test";
import { BAD_INPUT, frumious, INVALID, readJson, root, VALID } from "../src/tools.js";
import { accepts, block, commit, generator, hex, jsonFile, R, rustVerkle, scalarBytes, unhex, WIDTH } from "../src/verkle.js";

const EDGES = [0n, 1n, 2n, R - 1n, R - 2n, (R - 1n) / 2n, (R + 1n) / 2n, 1n << 128n, (1n << 128n) - 1n, 1n << 252n].map(scalarBytes);

/** A vector of `length` scalars, of which about one in `sparseness` is not zero, edge values among them. */
function vector(random, length, sparseness) {
  const scalar = () => (random.below(4) === 0 ? random.oneOf(EDGES) : random.scalar());
  return Array.from({ length }, () => (random.below(sparseness) === 0 ? scalar() : EDGES[0]));
}

describe("commitments", () => {
  test("of 250 vectors, in every form", async () => {
    const random = generator("commitments");
    const lengths = [1, 2, 4, 5, 6, 16, 128, 255, WIDTH];
    const vectors = Array.from({ length: 250 }, (_, i) => vector(random, i < 10 ? WIDTH : random.oneOf(lengths), i < 60 ? 1 : random.oneOf([8, 64])));
    const ours = await commit("vectors", vectors);
    for (const [i, scalars] of vectors.entries()) {
      const theirs = rustVerkle.commitToScalars(scalars);
      assert.equal(ours[i].commitment, hex(rustVerkle.serializeCommitment(theirs)));
      assert.equal(ours[i].hash, hex(rustVerkle.hashCommitment(theirs)));
      // Either representative of the class.
      assert.equal(hex(rustVerkle.serializeCommitment(unhex(ours[i].uncompressed_le))), ours[i].commitment);
    }
  });

  test("that rust-verkle updated", async () => {
    const random = generator("updates");
    const before = Array.from({ length: 60 }, () => vector(random, WIDTH, 100));
    const changes = before.map(() => ({ index: random.below(WIDTH), scalar: random.oneOf([random.scalar(), ...EDGES]) }));
    const after = before.map((scalars, i) => scalars.with(changes[i].index, changes[i].scalar));
    const [old, updated] = [await commit("before", before), await commit("after", after)];
    for (const [i, { index, scalar }] of changes.entries()) {
      const theirs = rustVerkle.updateCommitment(unhex(old[i].uncompressed_le), index, before[i][index], scalar);
      assert.equal(hex(rustVerkle.serializeCommitment(theirs)), updated[i].commitment);
    }
  });

  test("of nothing", async () => {
    const [ours] = await commit("nothing", [[]]);
    assert.equal(ours.commitment, hex(rustVerkle.serializeCommitment(rustVerkle.zeroCommitment)));
    assert.equal(ours.hash, hex(rustVerkle.hashCommitment(rustVerkle.zeroCommitment)));
  });

  test("that are hashes of addresses: tree keys", async () => {
    const random = generator("tree keys");
    const cases = Array.from({ length: 200 }, () => ({ address: random.bytes(32), index: random.bytes(32) }));
    const halves = (bytes) => [bytes.subarray(0, 16), bytes.subarray(16)].map((half) => Buffer.concat([half, Buffer.alloc(16)]));
    const head = scalarBytes(2n + 256n * 64n);
    const ours = await commit("keys", cases.map(({ address, index }) => [head, ...halves(address), ...halves(index)]));
    for (const [i, { address, index }] of cases.entries()) {
      assert.equal(ours[i].hash, hex(rustVerkle.getTreeKeyHash(address, index)));
      assert.equal(`${ours[i].hash.slice(0, 64)}2a`, hex(rustVerkle.getTreeKey(address, index, 0x2a)));
    }
  });
});

/** Polynomials and points for a proof. */
function statement(seed, polynomials, pointsEach) {
  const random = generator(seed);
  const openings = Array.from({ length: polynomials }, () => {
    const scalars = vector(random, WIDTH, random.oneOf([1, 16, 100]));
    const points = Array.from({ length: 1 + random.below(pointsEach) }, () => random.below(WIDTH));
    return { serializedCommitment: rustVerkle.serializeCommitment(rustVerkle.commitToScalars(scalars)), vector: scalars, indices: points };
  });
  // A polynomial again, at the same points.
  return polynomials > 2 ? [...openings, openings[0]] : openings;
}

/** The statement as Frumious takes it, without the commitments. */
function openingsFile(name, statement) {
  return jsonFile(`${name}-openings`, statement.map(({ vector, indices }) => ({ polynomial: vector.map(hex), points: indices })));
}

/** The statement as rust-verkle's verifier takes it. */
function verifierInput(statement) {
  return statement.map(({ serializedCommitment, vector, indices }) => ({
    serializedCommitment,
    indexValuePairs: indices.map((index) => ({ index, value: vector[index] })),
  }));
}

describe("proofs", { concurrency: 2 }, () => {
  for (const [polynomials, pointsEach] of [[1, 1], [1, 8], [2, 1], [4, 3], [16, 4]]) {
    const name = `${polynomials}-of-${pointsEach}`;
    test(`of ${polynomials} polynomials at up to ${pointsEach} points are the same bytes, and verify both ways`, async () => {
      const theStatement = statement(name, polynomials, pointsEach);
      const theirs = rustVerkle.createProof(theStatement);
      const [proof, claims] = [jsonFile(`${name}-proof`, {}), jsonFile(`${name}-claims`, {})];
      await frumious(["verkle", "prove", openingsFile(name, theStatement), proof, claims], { expect: VALID });
      assert.equal(readJson(proof).proof, hex(theirs));
      assert.ok(rustVerkle.verifyProof(unhex(readJson(proof).proof), verifierInput(theStatement)));

      const theirProof = jsonFile(`${name}-theirs`, { proof: hex(theirs) });
      await frumious(["verkle", "verify", claims, theirProof], { expect: VALID });
      const expected = theStatement.flatMap(({ serializedCommitment, vector, indices }) =>
        indices.map((point) => ({ commitment: hex(serializedCommitment), point, value: hex(vector[point]) })),
      );
      assert.deepEqual(readJson(claims), expected);
    });
  }

  test("that are wrong are refused by both", async () => {
    const random = generator("wrong proofs");
    const theStatement = statement("wrong", 2, 2);
    const proof = Buffer.from(rustVerkle.createProof(theStatement));
    const input = verifierInput(theStatement);
    const claims = input.flatMap(({ serializedCommitment, indexValuePairs }) =>
      indexValuePairs.map(({ index, value }) => ({ commitment: hex(serializedCommitment), point: index, value: hex(value) })),
    );
    const claimsPath = jsonFile("wrong-claims", claims);
    // Each element and the scalar: a bit, or, for the elements, another one in its place.
    for (let word = 0; word < 18; word++) {
      const changed = Buffer.from(proof);
      const kind = word % 3 === 0 ? "element" : "bit";
      if (kind === "bit") changed[32 * word + random.below(32)] ^= 1 << random.below(8);
      else proof.copy(changed, 32 * word, 32 * (word + 1), 32 * (word + 2));
      const { code } = await frumious(["verkle", "verify", claimsPath, jsonFile("wrong-proof", { proof: hex(changed) })]);
      const verdict = accepts(() => rustVerkle.verifyProof(changed, input));
      assert.ok(!verdict && [INVALID, BAD_INPUT].includes(code), `${kind} in word ${word}: ${verdict} and ${code}`);
    }
    const { code } = await frumious(["verkle", "verify", claimsPath, jsonFile("right-proof", { proof: hex(proof) })]);
    assert.equal(code, VALID);
  });
});

describe("execution witnesses", { concurrency: 2 }, () => {
  const blocks = ["witness_valid_block_1", "witness_valid_block_72", "witness_invalid_block_72"];
  for (const name of blocks) {
    const it = block(name);
    test(`${name}, and with one string changed`, { skip: it ? false : "no vectors" }, async () => {
      const verdicts = { both: 0, neither: 0 };
      for (const [what, witness] of [["as it is", it.executionWitness], ...changes(it.executionWitness, 25)]) {
        const { code, stderr } = await frumious(["verkle", "witness", "verify", jsonFile(name, witness), it.pre_state_root]);
        const theirs = accepts(() => rustVerkle.verifyExecutionWitnessPreState(it.pre_state_root, JSON.stringify(witness)));
        assert.equal(code === VALID, theirs, `${what}: ${code} ${stderr}`);
        if (what === "as it is") assert.equal(theirs, it.valid);
        verdicts[theirs ? "both" : "neither"]++;
      }
      assert.ok(verdicts.neither >= 10, JSON.stringify(verdicts));
    });
  }
});

describe("forged execution witnesses", () => {
  for (const name of ["value", "absence"]) {
    test(`${name}: accepted by rust-verkle, and by us unless keys may be any`, async () => {
      const it = readJson(resolve(root, `../crates/verkle/tests/data/forged_${name}.json`));
      assert.ok(accepts(() => rustVerkle.verifyExecutionWitnessPreState(it.pre_state_root, JSON.stringify(it.executionWitness))));
      const verify = ["verkle", "witness", "verify", jsonFile(`forged-${name}`, it), it.pre_state_root];
      await frumious(verify, { expect: VALID });
      const { stderr } = await frumious([...verify, "--any-keys"], { expect: BAD_INPUT });
      assert.match(stderr, /commitmentsByPath\[0\]: may be a leaf/);
    });
  }
});

/** Copies of a witness with another digit in one of its strings, or another string in its place; [what, witness]. */
function changes(witness, count) {
  const random = generator("witnesses");
  const places = [];
  const visit = (value, path) => {
    if (typeof value === "string" && value.startsWith("0x") && value.length > 2) places.push(path);
    else if (value && typeof value === "object") for (const key of Object.keys(value)) visit(value[key], [...path, key]);
  };
  visit(witness, []);
  return Array.from({ length: count }, () => {
    const copy = structuredClone(witness);
    const path = random.oneOf(places);
    const parent = path.slice(0, -1).reduce((value, key) => value[key], copy);
    const key = path.at(-1);
    const text = parent[key];
    const at = 2 + random.below(text.length - 2);
    parent[key] = text.slice(0, at) + "0123456789abcdef"[(parseInt(text[at], 16) + 1 + random.below(15)) % 16] + text.slice(at + 1);
    return [`${path.join(".")}[${at}]`, copy];
  });
}
