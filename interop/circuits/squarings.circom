pragma circom 2.0.0;

// n squarings, each followed by an addition: x := x * x + step. The domain is filled to its last rows.
template Squarings(n) {
    signal input x;
    signal input step;
    signal output last;
    signal value[n + 1];
    value[0] <== x;
    for (var i = 0; i < n; i++) {
        value[i + 1] <== value[i] * value[i] + step;
    }
    last <== value[n];
}

component main {public [step]} = Squarings(250);
