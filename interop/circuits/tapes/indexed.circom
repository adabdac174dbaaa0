pragma circom 2.2.0;

// An array indexed by a signal, read and written; an index beyond it is an error.
template Indexed(n) {
    signal input values[n];
    signal input i;
    signal input j;
    signal output out[n];
    signal output picked;
    var swapped[n];
    for (var k = 0; k < n; k++) { swapped[k] = values[k]; }
    var t = swapped[i];
    swapped[i] = swapped[j];
    swapped[j] = t;
    for (var k = 0; k < n; k++) { out[k] <-- swapped[k]; }
    picked <-- values[(i + j) % n];
    var before = 0;
    var after = 0;
    for (var k = 0; k < n; k++) { before += values[k]; after += out[k]; }
    before === after;
    picked * 0 === 0;
}

component main = Indexed(5);
