pragma circom 2.2.0;

// Powers, inverses, quotients in the field, integer division and remainder.
template Powers() {
    signal input a;
    signal input b;
    signal output out[7];
    out[0] <-- a ** b;
    out[1] <-- a ** 5;
    out[2] <-- 1 / a;
    out[3] <-- 1 / (1 / a);
    out[4] <-- a / b;
    out[5] <-- a \ 7;
    out[6] <-- a % 1000003;
    for (var i = 0; i < 7; i++) { out[i] * 0 === 0; }
}

component main = Powers();
