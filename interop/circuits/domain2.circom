pragma circom 2.0.0;

// One constraint and no public signal: the smallest domain a key can have, two points.
template Product() {
    signal input a;
    signal input b;
    signal c;
    c <== a * b;
}

component main = Product();
