pragma circom 2.2.0;

include "comparators.circom";

// Components that are made in loops, wait for inputs in another order, and share a template.
template Square() {
    signal input in;
    signal input factor;
    signal output out;
    signal squared <== in * in;
    out <== squared * factor;
}

template Parts(n) {
    signal input in[n][2];
    signal output sum;
    signal output zeros;
    component squares[n];
    component isZero[n];
    for (var i = 0; i < n; i++) {
        squares[i] = Square();
        isZero[i] = IsZero();
    }
    var total = 0;
    var count = 0;
    for (var i = n - 1; i >= 0; i--) {
        squares[i].factor <== in[i][1];
        squares[i].in <== in[i][0];
        isZero[i].in <== squares[i].out;
        total += squares[i].out;
        count += isZero[i].out;
    }
    sum <== total;
    zeros <== count;
}

component main = Parts(6);
