pragma circom 2.0.0;

include "babyjub.circom";
include "bitify.circom";
include "escalarmulany.circom";
include "escalarmulfix.circom";

// A sum of points, a multiple of the first one, which must be of the subgroup, and a multiple of the base point.
template BabyJubJub() {
    signal input p[2];
    signal input q[2];
    signal input scalar;
    signal input short;
    signal output sum[2];
    signal output multiple[2];
    signal output base8[2];

    component add = BabyAdd();
    add.x1 <== p[0];
    add.y1 <== p[1];
    add.x2 <== q[0];
    add.y2 <== q[1];
    sum[0] <== add.xout;
    sum[1] <== add.yout;

    component bits = Num2Bits_strict();
    bits.in <== scalar;
    component any = EscalarMulAny(254);
    for (var i = 0; i < 254; i++) { any.e[i] <== bits.out[i]; }
    any.p[0] <== p[0];
    any.p[1] <== p[1];
    multiple[0] <== any.out[0];
    multiple[1] <== any.out[1];

    component shortBits = Num2Bits(251);
    shortBits.in <== short;
    component fix = EscalarMulFix(251, [
        5299619240641551281634865583518297030282874472190772894086521144482721001553,
        16950150798460657717958625567821834550301663161624707787222815936182638968203
    ]);
    for (var i = 0; i < 251; i++) { fix.e[i] <== shortBits.out[i]; }
    base8[0] <== fix.out[0];
    base8[1] <== fix.out[1];
}

component main = BabyJubJub();
