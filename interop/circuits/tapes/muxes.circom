pragma circom 2.2.0;

include "mux1.circom";
include "mux3.circom";
include "switcher.circom";

// Choices among signals by selectors, which are bits.
template Muxes() {
    signal input values[8];
    signal input selectors[3];
    signal output out[3];
    signal output sides[2];
    for (var i = 0; i < 3; i++) { selectors[i] * (selectors[i] - 1) === 0; }
    component one = Mux1();
    one.c <== [values[0], values[1]];
    one.s <== selectors[0];
    out[0] <== one.out;
    component three = Mux3();
    three.c <== values;
    three.s <== selectors;
    out[1] <== three.out;
    component other = MultiMux1(2);
    other.c <== [[values[2], values[3]], [values[4], values[5]]];
    other.s <== selectors[1];
    out[2] <== other.out[0] + other.out[1];
    component switcher = Switcher();
    switcher.sel <== selectors[2];
    switcher.L <== values[6];
    switcher.R <== values[7];
    sides <== [switcher.outL, switcher.outR];
}

component main = Muxes();
