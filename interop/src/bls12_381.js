// The few facts about BLS12-381 that wrong calldata takes.
import assert from "node:assert/strict";

/** Modulus of the coordinates, and order of the groups (EIP-2537). */
export const Q = 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn;
export const R = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;

/** A point of y² = x³ + 4 whose order does not divide r, as the words of EIP-2537. */
const [X, Y] = [0n, 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaa9n];
export const OUTSIDE_G1 = [X, Y].flatMap((number) => [number >> 256n, number & (2n ** 256n - 1n)]);
assert.equal((Y * Y - X ** 3n - 4n) % Q, 0n);
