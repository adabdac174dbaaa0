package main

import (
	"encoding/hex"
	"runtime"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/consensys/gnark-crypto/ecc/bn254/fr"
	"github.com/consensys/gnark-crypto/ecc/bn254/fr/fft"

	"frumious/harness"
)

// fftRows measures transforms over the scalar field; SIZE is log2 of the domain, the twiddles are computed beforehand (the library's default), and
// the tasks are as many as the processors the driver gave us.
//
// gnark-crypto's forward transform ends in bit-reversed order; "fft" and "fft.coset" put it back in natural order, "fft.any_order" does not.
// "fft.extend" (inverse, then forward on the coset) needs no reversal: it is what a prover runs.
func fftRows() map[string]harness.Builder {
	transform := func(run func(d *fft.Domain, a []fr.Element)) harness.Builder {
		return func(logSize int) (harness.Row, error) {
			n := 1 << logSize
			domain := fft.NewDomain(uint64(n))
			a := drawFr(harness.StreamA, n)
			return harness.Row{Op: func() { run(domain, a) }, Count: 1, Check: func() string {
				fresh := drawFr(harness.StreamA, n)
				run(domain, fresh)
				second := fresh[1].Bytes()
				return hex.EncodeToString(second[:])
			}}, nil
		}
	}
	tasks := fft.WithNbTasks(runtime.GOMAXPROCS(0))
	anyOrder := transform(func(d *fft.Domain, a []fr.Element) { d.FFT(a, fft.DIF, tasks) })
	return map[string]harness.Builder{
		"fft": transform(func(d *fft.Domain, a []fr.Element) {
			d.FFT(a, fft.DIF, tasks)
			fft.BitReverse(a)
		}),
		"fft.any_order": func(logSize int) (harness.Row, error) {
			r, err := anyOrder(logSize)
			r.Check = nil // the order is not that of the others
			return r, err
		},
		"fft.coset": transform(func(d *fft.Domain, a []fr.Element) {
			d.FFT(a, fft.DIF, fft.OnCoset(), tasks)
			fft.BitReverse(a)
		}),
		"fft.extend": transform(func(d *fft.Domain, a []fr.Element) {
			d.FFTInverse(a, fft.DIF, tasks)
			d.FFT(a, fft.DIT, fft.OnCoset(), tasks)
		}),
	}
}

// msmRows measures multi-scalar multiplications; SIZE is log2 of the number of points.
func msmRows() map[string]harness.Builder {
	config := ecc.MultiExpConfig{NbTasks: runtime.GOMAXPROCS(0)}
	g1 := func(draw func(n int) []fr.Element) harness.Builder {
		return func(logSize int) (harness.Row, error) {
			points, scalars := drawG1(1<<logSize), draw(1<<logSize)
			var out bn254.G1Affine
			op := func() { harness.Must(out.MultiExp(points, scalars, config)) }
			return harness.Row{Op: op, Count: 1, Check: func() string {
				op()
				return canonicalG1(&out)
			}}, nil
		}
	}
	return map[string]harness.Builder{
		"msm.g1":       g1(func(n int) []fr.Element { return drawFr(harness.StreamA, n) }),
		"msm.g1.bits":  g1(func(n int) []fr.Element { return drawWitness(n, (*harness.SplitMix).BitScalar) }),
		"msm.g1.mixed": g1(func(n int) []fr.Element { return drawWitness(n, (*harness.SplitMix).MixedScalar) }),
		"msm.g2": func(logSize int) (harness.Row, error) {
			points, scalars := drawG2(1<<logSize), drawFr(harness.StreamA, 1<<logSize)
			var out bn254.G2Affine
			op := func() { harness.Must(out.MultiExp(points, scalars, config)) }
			return harness.Row{Op: op, Count: 1, Check: func() string {
				op()
				return canonicalG2(&out)
			}}, nil
		},
	}
}
