pragma circom 2.2.0;

// Division of a by b in base 2^8, by functions whose loops depend on the inputs.
function digits(x) {
    var count = 0;
    while (x > 0) { x = x >> 8; count++; }
    return count;
}

function quotient(a, b) {
    var q = 0;
    var rest = 0;
    for (var i = digits(a) - 1; i >= 0; i--) {
        rest = (rest << 8) + ((a >> (8 * i)) & 0xff);
        var digit = 0;
        while (rest >= b) {
            rest -= b;
            digit++;
            assert(digit < 256);
        }
        q = (q << 8) + digit;
    }
    return q;
}

template LongDivision() {
    signal input a;
    signal input b;
    signal output q;
    signal output lengths[2];
    q <-- quotient(a, b);
    lengths[0] <-- digits(a);
    lengths[1] <-- digits(b);
    q * 0 === 0;
    lengths[0] * 0 === 0;
    lengths[1] * 0 === 0;
}

component main = LongDivision();
