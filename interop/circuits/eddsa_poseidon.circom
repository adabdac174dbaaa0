pragma circom 2.0.0;

include "eddsaposeidon.circom";

component main {public [Ax, Ay, M]} = EdDSAPoseidonVerifier();
