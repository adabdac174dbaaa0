pragma circom 2.2.0;

// Buses of circom 2.2, in arrays and within each other.
bus Point() {
    signal x;
    signal y;
}

bus Segment() {
    Point() ends[2];
    signal weight;
}

template Middle() {
    input Segment() segment;
    output Point() middle;
    middle.x <== (segment.ends[0].x + segment.ends[1].x) * segment.weight;
    middle.y <== (segment.ends[0].y + segment.ends[1].y) * segment.weight;
}

template Buses() {
    input Segment() segments[2];
    signal input scale;
    output Point() out;
    Point() middles[2];
    for (var i = 0; i < 2; i++) { middles[i] <== Middle()(segments[i]); }
    out.x <== middles[0].x * middles[1].x + scale;
    signal flipped <-- middles[0].y > middles[1].y ? 1 : 0;
    flipped * (flipped - 1) === 0;
    out.y <== flipped * (middles[0].y - middles[1].y) + middles[1].y;
}

component main = Buses();
