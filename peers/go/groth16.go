package main

import (
	"fmt"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark-crypto/ecc/bn254/fr"
	"github.com/consensys/gnark/backend/groth16"
	"github.com/consensys/gnark/backend/witness"
	"github.com/consensys/gnark/constraint"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"
	"github.com/consensys/gnark/logger"

	"frumious/harness"
)

// slack keeps every system's evaluation domain at the power of two: some count the public wires into it beside the constraints.
const slack = 8

// squarings is the circuit X^(2^n) = Y, with Y public and one constraint a squaring.
type squarings struct {
	X frontend.Variable
	Y frontend.Variable `gnark:",public"`
	n int
}

func (c *squarings) Define(api frontend.API) error {
	x := c.X
	for range c.n - 1 {
		x = api.Mul(x, x)
	}
	api.AssertIsEqual(api.Mul(x, x), c.Y)
	return nil
}

// circuitState is what the three Groth16 rows of one size share.
type circuitState struct {
	system  constraint.ConstraintSystem
	full    witness.Witness
	public  witness.Witness
	pk      groth16.ProvingKey
	vk      groth16.VerifyingKey
	proof   groth16.Proof
	setUp   bool
	proofed bool
}

var circuits = map[int]*circuitState{}

func dropCircuits() { circuits = map[int]*circuitState{} }

// groth16Rows measures Groth16 on a chain of 2^SIZE - slack squarings. Proving includes solving the witness, which gnark cannot do apart.
func groth16Rows() map[string]harness.Builder {
	logger.Disable()
	return map[string]harness.Builder{
		"groth16.setup": func(logSize int) (harness.Row, error) {
			c, err := circuitOf(logSize)
			return harness.Row{Op: func() { c.setup() }, Count: 1}, err
		},
		"groth16.prove": func(logSize int) (harness.Row, error) {
			c, err := circuitOf(logSize)
			if err == nil && !c.setUp {
				c.setup()
			}
			return harness.Row{Op: func() { c.prove() }, Count: 1}, err
		},
		"groth16.verify": func(logSize int) (harness.Row, error) {
			c, err := circuitOf(logSize)
			if err != nil {
				return harness.Row{}, err
			}
			if !c.setUp {
				c.setup()
			}
			if !c.proofed {
				c.prove()
			}
			op := func() {
				if err := groth16.Verify(c.proof, c.vk, c.public); err != nil {
					panic(err)
				}
			}
			return harness.Row{Op: op, Count: 1}, nil
		},
	}
}

func (c *circuitState) setup() {
	var err error
	c.pk, c.vk = nil, nil // so that two keys need not be held at once
	if c.pk, c.vk, err = groth16.Setup(c.system); err != nil {
		panic(err)
	}
	c.setUp, c.proofed = true, false
}

func (c *circuitState) prove() {
	c.proof = harness.Must(groth16.Prove(c.system, c.pk, c.full))
	c.proofed = true
}

func circuitOf(logSize int) (*circuitState, error) {
	if c, ok := circuits[logSize]; ok {
		return c, nil
	}
	n := 1<<logSize - slack
	field := ecc.BN254.ScalarField()
	system, err := frontend.Compile(field, r1cs.NewBuilder, &squarings{n: n})
	if err != nil {
		return nil, err
	}
	var y fr.Element
	y.SetUint64(3)
	for range n {
		y.Square(&y)
	}
	full, err := frontend.NewWitness(&squarings{X: 3, Y: y}, field)
	if err != nil {
		return nil, err
	}
	public, err := full.Public()
	if err != nil {
		return nil, err
	}
	if got := system.GetNbConstraints(); got < n || got > n+slack {
		return nil, fmt.Errorf("circuit of %d squarings has %d constraints", n, got)
	}
	circuits[logSize] = &circuitState{system: system, full: full, public: public}
	return circuits[logSize], nil
}
