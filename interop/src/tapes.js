// Circuits whose witnesses are recorded and replayed, with random inputs: good ones, edge values, and such that fail.
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { copyFileSync, readFileSync } from "node:fs";
import { circuits, filesOf } from "./circuits.js";
import { root } from "./tools.js";

export const PRIMES = {
  bn128: 21888242871839275222246405745257275088548364400416034343698204186575808495617n,
  bls12381: 52435875175126190479447740508185965837690552500527637822603658699938581184513n,
};

/** Random numbers that are the same on every run. */
export class Random {
  #seed;
  #count = 0;

  constructor(seed) {
    this.#seed = seed;
  }

  /** An integer below 2^256. */
  any() {
    return BigInt(`0x${createHash("sha256").update(`${this.#seed} ${this.#count++}`).digest("hex")}`);
  }

  below(bound) {
    return this.any() % BigInt(bound);
  }

  pick(values) {
    return values[Number(this.below(values.length))];
  }

  bits(count) {
    return this.any() >> (256n - BigInt(count));
  }

  /** An element: small, near the prime, near its half, of some bits, or any. */
  element(p) {
    const near = this.below(5) - 2n;
    return this.pick([() => this.below(10), () => p - 1n - this.below(10), () => p / 2n + near, () => this.bits(1 + Number(this.below(250))), () => this.any() % p])();
  }

  list(count, value) {
    return Array.from({ length: count }, value);
  }
}

/** Numbers of few bits, and sometimes any element. */
const mostly = (bits) => (random, p) => (random.below(8) === 0n ? random.element(p) : random.bits(1 + Number(random.below(bits))));
const element = (random, p) => random.element(p);
const two = (a, b = a) => (random, p) => ({ a: a(random, p), b: b(random, p) });

/** [name, inputs by random numbers and prime]. */
const small = [
  ["comparisons", two(mostly(32))],
  ["bits", (random, p) => ({ in: mostly(64)(random, p) })],
  ["division", two(mostly(64))],
  ["choices", (random, p) => two(random.pick([mostly(4), element]))(random, p)],
  ["indexed", (random, p) => ({ values: random.list(5, () => random.element(p)), i: random.below(6), j: random.pick([random.below(5), p - 1n - random.below(2)]) })],
  ["long_division", (random) => ({ a: random.bits(1 + Number(random.below(40))), b: random.bits(1 + Number(random.below(20))) })],
  ["muxes", (random, p) => ({ values: random.list(8, () => random.element(p)), selectors: random.list(3, () => random.pick([0n, 1n, 0n, 1n, 0n, 1n, 2n])) })],
  ["buses", (random, p) => {
    const point = () => ({ x: random.element(p), y: random.element(p) });
    const segment = () => ({ ends: [point(), point()], weight: random.element(p) });
    return { segments: [segment(), segment()], scale: random.element(p) };
  }],
  ["logs", two(mostly(4))],
  ["bitwise", (random, p) => ({ a: random.element(p), b: random.element(p), by: random.pick([random.below(260), p - 1n - random.below(260), random.element(p)]) })],
  ["powers", two(element)],
  ["gcd", two(mostly(12))],
  ["parts", (random, p) => ({ in: random.list(6, () => [random.pick([0n, random.element(p)]), random.element(p)]) })],
  ["no_inputs", () => ({})],
];

/** Inputs of the circuits of `circuits.js`; those of the others are changed in one value. */
const generators = {
  multiplier: two(element),
  domain2: two(element),
  domain2_public: (random, p) => ({ a: random.element(p) }),
  no_public: (random, p) => random.pick([{ p: 274177n, q: 67280421310721n }, { p: 67280421310721n, q: 274177n }, { p: 3n, q: 5n }, { p: 1n, q: p - 1n }]),
  squarings: (random, p) => ({ x: random.element(p), step: random.element(p) }),
  poseidon_chain: (random, p) => ({ x: random.element(p), salt: random.list(4, () => random.element(p)) }),
  sha256_512: (random) => ({ in: random.list(512, () => random.pick([0n, 1n])) }),
};

/** As those of `circuits.js`, with `random`, which makes inputs, and for some only witnesses. */
export const tapeCircuits = Object.entries(PRIMES).flatMap(([curve]) =>
  small.map(([name, random]) => ({ name: `tapes_${name}${curve === "bn128" ? "" : "_bls12381"}`, of: name, folder: "tapes", curve, random, input: () => ({}) })),
);

export const recordedCircuits = [
  ...circuits.map((circuit) => ({ ...circuit, random: generators[circuit.of] ?? changed(circuit) })),
  ...tapeCircuits,
];

/** The circuit's own inputs with one of the values another one: most fail. */
function changed(circuit) {
  return (random, p) => {
    const inputs = JSON.parse(readFileSync(filesOf(circuit).input, "utf8"));
    const name = random.pick(Object.keys(inputs));
    if (random.below(3) === 0n) return inputs;
    if (Array.isArray(inputs[name])) inputs[name][Number(random.below(inputs[name].length))] = String(random.element(p));
    else inputs[name] = String(random.element(p));
    return inputs;
  };
}

const require = createRequire(join(root, "src/tapes.js"));

/** circom's own runtime on a module: `calculate(inputs)` gives `{ bytes, lines }` or `{ error, lines }`. */
export async function runtimeOf(circuit) {
  const { wasm } = filesOf(circuit);
  // A CommonJS script under another name: by its own it would be taken for a module of this package.
  const script = join(dirname(wasm), "witness_calculator.cjs");
  copyFileSync(join(dirname(wasm), "witness_calculator.js"), script);
  const build = require(script);
  const code = readFileSync(wasm);
  return async (inputs) => {
    const lines = [];
    const log = console.log;
    try {
      // A calculator for each: after an error the old one says the error's words again.
      const calculator = await build(code);
      console.log = (line) => lines.push(String(line));
      const bytes = await calculator.calculateWTNSBin(inputs, 0);
      return { bytes: Buffer.from(bytes), lines };
    } catch (error) {
      return { error: String(error.message ?? error), lines };
    } finally {
      console.log = log;
    }
  };
}
