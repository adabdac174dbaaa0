pragma circom 2.2.0;

// Operations on bits, with distances of shifts that are inputs.
template Bitwise() {
    signal input a;
    signal input b;
    signal input by;
    signal output out[10];
    out[0] <-- a & b;
    out[1] <-- a | b;
    out[2] <-- a ^ b;
    out[3] <-- ~a;
    out[4] <-- a << by;
    out[5] <-- a >> by;
    out[6] <-- (a >> 3) & 1;
    out[7] <-- (a >> 253) & 1;
    out[8] <-- (a << 250) & (~b);
    out[9] <-- (a >> 254) & 1;
    for (var i = 0; i < 10; i++) { out[i] * 0 === 0; }
}

component main = Bitwise();
