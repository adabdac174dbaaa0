// Which circuits have programs in C++ and graphs: names, for `circuits.js` to compile and `generators.js` to make.

/** Circuits without a branch or an index that depends on the inputs have graphs; of buses only the tests of the crate know. */
export const GRAPHS = ["multiplier", "squarings", "poseidon_chain", "eddsa_poseidon", "sha256_512", "rollup1", "tapes_bitwise", "tapes_comparisons", "tapes_division", "tapes_muxes", "tapes_powers", "tapes_bits"];
export const PROGRAMS = [...GRAPHS, "tapes_choices", "tapes_indexed", "tapes_long_division", "tapes_gcd", "tapes_logs", "tapes_buses", "tapes_no_inputs", "multiplier_bls12381", "tapes_comparisons_bls12381"];

/** Its graphs take minutes to make, and have no operation that others lack: only if FRUMIOUS_GENERATORS names it. */
export const LARGE_GRAPHS = ["rollup1"];
