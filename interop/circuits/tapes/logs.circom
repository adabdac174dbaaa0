pragma circom 2.2.0;

// Lines of a log: texts, values, and lines that depend on the inputs.
template Logs() {
    signal input a;
    signal input b;
    signal output c;
    log("inputs", a, b);
    c <== a * b;
    log("product", c);
    log(c + 1);
    if (a > b) { log("a is greater"); } else { log("a is not greater", b - a); }
    for (var i = 0; i < 3; i++) { log(i, a + i); }
    log();
    assert(a != 7);
}

component main = Logs();
