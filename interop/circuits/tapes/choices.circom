pragma circom 2.2.0;

// Hints by conditions, all comparisons and logic among them.
template Choices() {
    signal input a;
    signal input b;
    signal output out[8];
    out[0] <-- a > b ? a - b : b - a;
    out[1] <-- a < b && a != 0 ? a : b;
    out[2] <-- a <= b || b == 0 ? 1 : 2;
    out[3] <-- !(a >= b) ? a * b : a + b;
    out[4] <-- (a == b) + 2 * (a != b);
    var x = 0;
    if (a > 5) { if (b > 5) { x = a * b; } else { x = a - b; } } else { x = b; }
    out[5] <-- x;
    out[6] <-- a == 0 ? 0 : 1 / a;
    out[7] <-- b == 0 ? a : a / b;
    (out[0] - (a - b)) * (out[0] - (b - a)) === 0;
    (out[1] - a) * (out[1] - b) === 0;
    for (var i = 2; i < 8; i++) { out[i] * 0 === 0; }
}

component main = Choices();
