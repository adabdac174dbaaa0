// Command peers-go measures gnark-crypto and gnark for peers/run; the requests it answers are those of package harness. For peers/provers it is
// `peers-go prove R1CS WTNS KEY`.
package main

import (
	"fmt"
	"os"

	"frumious/harness"
)

func main() {
	if len(os.Args) == 5 && os.Args[1] == "prove" {
		if err := proveCircom(os.Args[2], os.Args[3], os.Args[4]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
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
