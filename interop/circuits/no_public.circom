pragma circom 2.0.0;

// Knowledge of a divisor of 2^64 + 1 other than one and itself. No output, no public input: nPublic = 0.
template Divisor() {
    signal input p;
    signal input q;
    signal inverseOfP;
    signal inverseOfQ;
    p * q === 18446744073709551617;
    inverseOfP <-- p == 1 ? 0 : 1 / (p - 1);
    inverseOfQ <-- q == 1 ? 0 : 1 / (q - 1);
    inverseOfP * (p - 1) === 1;
    inverseOfQ * (q - 1) === 1;
}

component main = Divisor();
