// Command peers-go measures gnark-crypto and gnark for peers/run; the requests it answers are those of package harness.
package main

import "frumious/harness"

func main() {
	harness.Serve(harness.Program{
		Side:    "gnark",
		Modules: []string{"github.com/consensys/gnark-crypto", "github.com/consensys/gnark"},
		Builders: []map[string]harness.Builder{
			fqRows(), frRows(), fftRows(), msmRows(), groupRows(), pairingRows(), groth16Rows(),
			bls12FqRows(), bls12Fq2Rows(), bls12FrRows(), bls12Rows(),
		},
		Forget: dropCircuits,
	})
}
