pragma circom 2.2.0;

// The greatest common divisor, by a loop whose end depends on the inputs, with assertions.
function gcd(a, b) {
    while (b != 0) {
        var t = a % b;
        a = b;
        b = t;
    }
    return a;
}

template Gcd() {
    signal input a;
    signal input b;
    signal output g;
    signal p;
    signal q;
    assert(a > 0 && b > 0);
    g <-- gcd(a, b);
    p <-- a \ g;
    q <-- b \ g;
    p * g === a;
    q * g === b;
}

component main = Gcd();
