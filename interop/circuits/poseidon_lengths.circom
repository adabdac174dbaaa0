pragma circom 2.0.0;

include "poseidon.circom";

// Poseidon of the first `least`, ... `most` inputs. circom takes more than 2 GB of memory for all sixteen lengths at
// once, which its build for WebAssembly cannot always address.
template Hashes(least, most) {
    signal input in[most];
    signal output out[most - least + 1];
    component hash[most - least + 1];
    for (var n = least; n <= most; n++) {
        hash[n - least] = Poseidon(n);
        for (var i = 0; i < n; i++) {
            hash[n - least].inputs[i] <== in[i];
        }
        out[n - least] <== hash[n - least].out;
    }
}
