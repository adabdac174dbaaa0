// Malformed JSON, each made from a valid document by one edit. Rows: [what, edit]; `edit` changes the parsed document, or gives a text.
import { OUTSIDE_SUBGROUP, Q, R } from "./bn254.js";

const decimal = (number) => String(number);
const outsideSubgroup = [...OUTSIDE_SUBGROUP.map((c) => c.map(decimal)), ["1", "0"]];
const infinity2 = [["0", "0"], ["1", "0"], ["0", "0"]];

const text = [
  ["empty file", () => ""],
  ["not JSON", () => "{\"pi_a\": [1, 2"],
  ["binary", () => Buffer.from([0xff, 0xfe, 0x00, 0x80])],
  ["a hundred thousand brackets", () => "[".repeat(100_000)],
  ["another value after it", (_, json) => `${json} {}`],
  ["null", () => "null"],
  ["a number", () => "7"],
  ["the wrong kind of value", (value) => (Array.isArray(value) ? "{}" : "[]")],
];

/** What can be wrong with a number at a place of the document. */
function number(set, modulus) {
  return [
    ["number as a JSON number", (v) => set(v, 7)],
    ["number as null", (v) => set(v, null)],
    ["empty number", (v) => set(v, "")],
    ["negative number", (v) => set(v, "-1")],
    ["fraction", (v) => set(v, "1.5")],
    ["number with a blank", (v) => set(v, " 1")],
    ["hexadecimal number", (v) => set(v, "0x0b")],
    ["word for a number", (v) => set(v, "three")],
    ["number = modulus", (v) => set(v, decimal(modulus))],
    ["number = 2^256", (v) => set(v, decimal(2n ** 256n))],
    ["number of a million digits", (v) => set(v, "9".repeat(1_000_000))],
  ];
}

const envelope = [
  ["another protocol", (v) => void (v.protocol = "plonk")],
  ["no protocol", (v) => void delete v.protocol],
  ["another curve", (v) => void (v.curve = "bls12381")],
];

const vkey = [
  ...text,
  ...envelope,
  ...number((v, n) => void (v.vk_alpha_1[0] = n), Q),
  ["no alpha", (v) => void delete v.vk_alpha_1],
  ["alpha of two numbers", (v) => void v.vk_alpha_1.pop()],
  ["alpha off the curve", (v) => void (v.vk_alpha_1 = ["1", "3", "1"])],
  ["alpha at infinity", (v) => void (v.vk_alpha_1 = ["0", "1", "0"])],
  ["beta outside the subgroup", (v) => void (v.vk_beta_2 = outsideSubgroup)],
  ["gamma at infinity", (v) => void (v.vk_gamma_2 = infinity2)],
  ["delta with z = 2", (v) => void (v.vk_delta_2[2] = ["2", "0"])],
  ["no IC", (v) => void delete v.IC],
  ["empty IC", (v) => void (v.IC = [])],
  ["IC one short", (v) => void v.IC.pop()],
  ["IC one long", (v) => void v.IC.push(v.IC[0])],
  ["IC off the curve", (v) => void (v.IC[1] = ["1", "3", "1"])],
  ["nPublic 2^64", (v, json) => json.replace(/"nPublic": \d+/, '"nPublic": 18446744073709551616')],
];

const proof = [
  ...text,
  ...envelope,
  ...number((v, n) => void (v.pi_b[1][0] = n), Q),
  ["no pi_c", (v) => void delete v.pi_c],
  ["pi_a off the curve", (v) => void (v.pi_a = ["1", "3", "1"])],
  ["pi_a = (0, 0)", (v) => void (v.pi_a = ["0", "0", "1"])],
  ["pi_b outside the subgroup", (v) => void (v.pi_b = outsideSubgroup)],
  ["pi_b with its coordinates swapped", (v) => void v.pi_b.forEach((c) => c.reverse())],
  ["pi_b as a point of G1", (v) => void (v.pi_b = v.pi_a)],
];

const publicSignals = [
  ...text,
  ...number((v, n) => void (v[0] = n), R),
  ["one signal short", (v) => void v.pop()],
  ["one signal long", (v) => void v.push("0")],
  ["no signal", (v) => void v.splice(0)],
  ["a nested signal", (v) => void (v[0] = [v[0]])],
];

export const malformedJson = { vkey, public: publicSignals, proof };

/** The bytes of the damaged document. */
export function damaged(json, edit) {
  const value = JSON.parse(json);
  const bytes = edit(value, json) ?? JSON.stringify(value, null, 1);
  return Buffer.from(bytes);
}
