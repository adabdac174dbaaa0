// Malformed binary files, each made from a valid one by one edit. Rows: [what, edit, place, when].
//
// `edit` takes a `BinFile` and gives the bytes. `place` is where the error has to point: a section's type, "table" for the
// frame around the sections, or nothing when the edit contradicts two places and either is right. `when`: "check" marks what
// only a full check of the key has to find, "unsatisfied" what is well-formed but no solution.
import { u256, u32 } from "./binfile.js";
import { OFF_CURVE, OUTSIDE_SUBGROUP_BYTES, Q, R } from "./bn254.js";

const U32_MAX = 2 ** 32 - 1;
const LENGTHS = [2n ** 32n, 2n ** 63n, 2n ** 64n - 13n, 2n ** 64n - 1n];
const BLS12_381_R = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;
const G1 = 64;
const G2 = 128;
const COEFFICIENT = 44;

/** The frame that every kind of file has, with the sections a reader needs. */
function frame(magic, needed) {
  return [
    ["empty file", () => Buffer.alloc(0), "whole"],
    ["text file", () => Buffer.from("this is no such file\n".repeat(50)), "table"],
    ["bad magic", (f) => f.overwritten(0, "zzzz"), "table"],
    ["magic of another kind", (f) => f.overwritten(0, magic === "zkey" ? "wtns" : "zkey"), "table"],
    ["version 9", (f) => f.overwritten(4, u32(9)), "table"],
    ["version 2^32-1", (f) => f.overwritten(4, u32(U32_MAX)), "table"],
    ["no sections", (f) => f.overwritten(8, u32(0))],
    ["one section more than there are", (f) => f.overwritten(8, u32(f.sections.length + 1))],
    ["2^32-1 sections", (f) => f.overwritten(8, u32(U32_MAX))],
    ...needed.flatMap((type) => [
      [`section ${type} missing`, (f) => f.without(type), type],
      [`section ${type} twice`, (f) => f.duplicated(type), type],
      [`section ${type} one byte short`, (f) => f.resized(type, -1), type],
      [`section ${type} one byte long`, (f) => f.resized(type, 1), type],
      [`section ${type} empty`, (f) => f.resized(type, -f.section(type).length), type],
      [`section ${type} reaching into the next`, (f) => f.withLength(type, f.section(type).length + 12)],
      ...LENGTHS.map((length) => [`section ${type} of ${length} bytes`, (f) => f.withLength(type, length)]),
    ]),
  ];
}

const zkey = [
  ...frame("zkey", [1, 2, 3, 4, 5, 6, 7, 8, 9]),
  ...[0, 2, 10, U32_MAX].map((protocol) => [`protocol ${protocol}`, (f) => f.patched(1, 0, u32(protocol)), 1]),
  ...[0, 48, U32_MAX].map((n8) => [`base field of ${n8} bytes`, (f) => f.patched(2, 0, u32(n8)), 2]),
  ["another base field", (f) => f.patched(2, 4, u256(Q + 2n)), 2],
  ["BLS12-381's scalar field", (f) => f.patched(2, 40, u256(BLS12_381_R)), 2],
  ...[0, 1, 5, U32_MAX].map((n) => [`nVars ${n}`, (f) => f.patched(2, 72, u32(n))]),
  ["nPublic > nVars", (f) => f.patched(2, 76, u32(f.payload(2).readUInt32LE(72) + 1)), 2],
  ["nPublic = nVars", (f) => f.patched(2, 76, u32(f.payload(2).readUInt32LE(72))), 2],
  ["nPublic 2^32-1", (f) => f.patched(2, 76, u32(U32_MAX)), 2],
  ...[0, 3, 2 ** 28 + 1, 2 ** 29, 2 ** 31, U32_MAX].map((n) => [`domain ${n}`, (f) => f.patched(2, 80, u32(n)), 2]),
  ["domain 2^28 with few points", (f) => f.patched(2, 80, u32(2 ** 28)), 9],
  ["domain of half the points", (f) => f.patched(2, 80, u32(f.payload(2).readUInt32LE(80) / 2))],
  ["alpha1 off the curve", (f) => f.patched(2, 84, OFF_CURVE), 2],
  ["alpha1 at infinity", (f) => f.patched(2, 84, Buffer.alloc(G1)), 2],
  ["beta1 = q", (f) => f.patched(2, 148, u256(Q)), 2],
  ["beta2 outside the subgroup", (f) => f.patched(2, 212, OUTSIDE_SUBGROUP_BYTES), 2],
  ["gamma2 at infinity", (f) => f.patched(2, 340, Buffer.alloc(G2)), 2],
  ["delta1 of all ones", (f) => f.patched(2, 468, Buffer.alloc(G1, 0xff)), 2],
  ["delta2 off the twist", (f) => f.patched(2, 532, Buffer.concat([OFF_CURVE, OFF_CURVE])), 2],
  ["IC off the curve", (f) => f.patched(3, 0, OFF_CURVE), 3],
  ["nCoefs 2^32-1", (f) => f.patched(4, 0, u32(U32_MAX)), 4],
  ["nCoefs one less", (f) => f.patched(4, 0, u32(f.payload(4).readUInt32LE(0) - 1)), 4],
  ["nCoefs one more", (f) => f.patched(4, 0, u32(f.payload(4).readUInt32LE(0) + 1)), 4],
  ["matrix 2", (f) => f.patched(4, 4, u32(2)), 4],
  ["matrix 2^32-1", (f) => f.patched(4, -COEFFICIENT, u32(U32_MAX)), 4],
  ["constraint = domain", (f) => f.patched(4, 8, u32(f.payload(2).readUInt32LE(80))), 4],
  ["constraint 2^32-1", (f) => f.patched(4, 8, u32(U32_MAX)), 4],
  ["signal = nVars", (f) => f.patched(4, 12, u32(f.payload(2).readUInt32LE(72))), 4],
  ["signal 2^32-1", (f) => f.patched(4, -COEFFICIENT + 8, u32(U32_MAX)), 4],
  ["coefficient r", (f) => f.patched(4, 16, u256(R)), 4],
  ["coefficient 2^256-1", (f) => f.patched(4, 16, Buffer.alloc(32, 0xff)), 4],
  ...[5, 6, 8, 9].map((type) => [`section ${type} with a point off the curve`, (f) => f.patched(type, 0, OFF_CURVE), type, type === 6 ? "unread" : "check"]),
  ...[5, 6, 8, 9].map((type) => [`section ${type} with x = q`, (f) => f.patched(type, 0, u256(Q)), type, type === 6 ? "unread" : "check"]),
  ["B2 off the twist", (f) => f.patched(7, 0, Buffer.concat([OFF_CURVE, OFF_CURVE])), 7, "check"],
  ["B1 and B2 not the same wires", (f) => f.patched(7, 0, f.payload(2).subarray(212, 212 + G2)), 7, "check"],
];

const wtns = [
  ...frame("wtns", [1, 2]),
  ...[0, 31, U32_MAX].map((n8) => [`field of ${n8} bytes`, (f) => f.patched(1, 0, u32(n8)), 1]),
  ["BLS12-381's scalar field", (f) => f.patched(1, 4, u256(BLS12_381_R)), 1],
  ...[0, 1, 2 ** 31, U32_MAX].map((n) => [`${n} values`, (f) => f.patched(1, 36, u32(n)), 2]),
  ["w[0] = 2", (f) => f.patched(2, 0, u256(2n)), 2],
  ["w[0] = 0", (f) => f.patched(2, 0, u256(0n)), 2],
  ["w[0] = r + 1", (f) => f.patched(2, 0, u256(R + 1n)), 2],
  ["the last value = r", (f) => f.patched(2, -32, u256(R)), 2],
  ["the last value plus r", (f) => f.patched(2, -32, u256(R + f.payload(2).readBigUInt64LE(f.section(2).length - 32))), 2],
  ["a value 2^256-1", (f) => f.patched(2, 32, Buffer.alloc(32, 0xff)), 2],
  ["a value of a circuit with more wires", (f) => withValues(f, 1), "other"],
  ["a value of a circuit with fewer wires", (f) => withValues(f, -1), "other"],
  ["an output that is wrong", (f) => f.patched(2, 32, u256(1n)), undefined, "unsatisfied"],
  ["an inner wire that is wrong", (f) => f.patched(2, -32, u256(1n)), undefined, "unsatisfied"],
];

/** An honest witness of another number of values. */
function withValues(file, more) {
  const count = file.payload(1).readUInt32LE(36) + more;
  const values = Buffer.alloc(count * 32);
  file.payload(2).copy(values);
  const header = Buffer.concat([file.payload(1).subarray(0, 36), u32(count)]);
  return file.rebuilt([{ type: 1, payload: header }, { type: 2, payload: values }]);
}

// Section 1 of .r1cs: n8@0, prime@4, nWires@36, nPubOut@40, nPubIn@44, nPrvIn@48, nLabels@52, nConstraints@60.
const r1cs = [
  ...frame("r1cs", [1, 2]),
  ...[0, 31, U32_MAX].map((n8) => [`field of ${n8} bytes`, (f) => f.patched(1, 0, u32(n8)), 1]),
  // With BLS12-381's own it would be a circuit over that: every coefficient is below it.
  ["the scalar field of no known curve", (f) => f.patched(1, 4, u256(BLS12_381_R + 2n)), 1],
  ...[0, 1, 2].map((n) => [`${n} wires`, (f) => f.patched(1, 36, u32(n))]),
  ["2^32-1 outputs", (f) => f.patched(1, 40, u32(U32_MAX)), 1],
  ["2^32-1 public inputs", (f) => f.patched(1, 44, u32(U32_MAX)), 1],
  ["more constraints than there are", (f) => f.patched(1, 60, u32(f.payload(1).readUInt32LE(60) + 1)), 2],
  ["fewer constraints than there are", (f) => f.patched(1, 60, u32(f.payload(1).readUInt32LE(60) - 1)), 2],
  ["2^28 constraints", (f) => f.patched(1, 60, u32(2 ** 28))],
  ["2^32-1 constraints", (f) => f.patched(1, 60, u32(U32_MAX))],
  ["2^32-1 terms", (f) => f.patched(2, 0, u32(U32_MAX)), 2],
  ["wire = nWires", (f) => f.patched(2, 4, u32(f.payload(1).readUInt32LE(36))), 2],
  ["wire 2^32-1", (f) => f.patched(2, 4, u32(U32_MAX)), 2],
  ["coefficient r", (f) => f.patched(2, 8, u256(R)), 2],
  ["coefficient 2^256-1", (f) => f.patched(2, 8, Buffer.alloc(32, 0xff)), 2],
  ["custom gates", (f) => f.withExtra(4, Buffer.concat([u32(1), Buffer.from("gate\0"), u32(0)])), 4],
];

const ptau = [
  ...frame("ptau", [1, 12, 13, 14, 15]),
  ...[0, 31, U32_MAX].map((n8) => [`field of ${n8} bytes`, (f) => f.patched(1, 0, u32(n8)), 1]),
  ["another base field", (f) => f.patched(1, 4, u256(Q + 2n)), 1],
  ...[0, 29, 63, U32_MAX].map((power) => [`power ${power}`, (f) => f.patched(1, 36, u32(power))]),
  ["tau2 of one point", (f) => f.resized(3, 128 - f.section(3).length), 3],
  ["Lagrange points one short", (f) => f.resized(12, -G1), 12],
  ["Lagrange points in G2 one short", (f) => f.resized(13, -G2), 13],
  ["alpha1 off the curve", (f) => f.patched(4, 0, OFF_CURVE), 4],
  ["beta1 off the curve", (f) => f.patched(5, 0, OFF_CURVE), 5],
  ["beta2 outside the subgroup", (f) => f.patched(6, 0, OUTSIDE_SUBGROUP_BYTES), 6],
  // The block of the domain of 4, which the multiplier uses, starts at the fourth point.
  ["a Lagrange point off the curve", (f) => f.patched(12, 3 * G1, OFF_CURVE), 12],
  ["a Lagrange point of all ones", (f) => f.patched(14, 3 * G1, Buffer.alloc(G1, 0xff)), 14],
];

export const malformed = { zkey, wtns, r1cs, ptau };
