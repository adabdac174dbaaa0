// The few facts about BN254 that damaging a file takes.
import assert from "node:assert/strict";
import { u256 } from "./binfile.js";

/** Modulus of the coordinates, and order of the groups (EIP-196). */
export const Q = 21888242871839275222246405745257275088696311157297823662689037894645226208583n;
export const R = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;

/** A coordinate as .zkey and .ptau hold it: times 2^256 modulo q, little-endian. */
export function montgomery(coordinate) {
  return u256((coordinate << 256n) % Q);
}

/** (1, 3) is not on y² = x³ + 3. */
export const OFF_CURVE = Buffer.concat([montgomery(1n), montgomery(3n)]);

/** A point of the twist y² = x³ + 3/(9+u) over Fq[u]/(u²+1), with x = 1, whose order does not divide r: [x, y], each [c0, c1]. */
export const OUTSIDE_SUBGROUP = [
  [1n, 0n],
  [
    18278151005453108793778860132295291098363647455926340152056652516292830556603n,
    5912654199736721486680175016176231956195085055698687135131307249486702594212n,
  ],
];
export const OUTSIDE_SUBGROUP_BYTES = Buffer.concat(OUTSIDE_SUBGROUP.flat().map(montgomery));

// (9+u)·y² = (9+u) + 3 puts it on the twist; that it is outside the subgroup was found with ffjavascript: r times it is not infinity.
{
  const [, [a, b]] = OUTSIDE_SUBGROUP;
  const [re, im] = [a * a - b * b, 2n * a * b];
  const product = [9n * re - im, 9n * im + re].map((c) => ((c % Q) + Q) % Q);
  assert.deepEqual(product, [12n, 1n]);
}
