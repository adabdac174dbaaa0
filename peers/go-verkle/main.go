// Command peers-go-verkle measures go-ipa and go-verkle for peers/run; the requests it answers are those of package harness.
//
// It is built twice: with go.mod, the dependencies that go-verkle's own release asks for, and with latest.mod, which differs in a newer gnark-crypto
// (the field arithmetic below go-ipa, whose Legendre symbol is nine times as fast).
package main

import (
	"sync"

	"github.com/crate-crypto/go-ipa/ipa"

	"frumious/harness"
)

// label starts every transcript here; tree proofs use the same.
const label = "vt"

// settings has the basis, the tables and the domain; made at first need, as it takes seconds.
var settings = sync.OnceValue(func() *ipa.IPAConfig { return harness.Must(ipa.NewIPASettings()) })

func main() {
	harness.Serve(harness.Program{
		Side: "go-ipa",
		Modules: []string{
			"github.com/crate-crypto/go-ipa", "github.com/ethereum/go-verkle", "github.com/consensys/gnark-crypto",
		},
		Builders: []map[string]harness.Builder{fieldRows(), scalarRows(), groupRows(), commitRows(), multiproofRows(), treeRows()},
		Crossing: crossings(),
		Forget:   forgetOpenings,
	})
}
