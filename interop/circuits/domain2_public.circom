pragma circom 2.0.0;

// No constraint at all and one public signal: a domain of two, every B point at infinity.
template Echo() {
    signal input a;
}

component main {public [a]} = Echo();
