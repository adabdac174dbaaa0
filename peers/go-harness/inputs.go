package harness

// Streams of the common inputs: every program of peers/ draws the same values from the same stream (peers/README.md, "Inputs").
const (
	StreamA        = 1 // first operands, scalars
	StreamB        = 2 // second operands
	StreamPoints   = 3 // the two scalars that start a chain of points
	StreamOpenings = 4 // polynomials and points of a multiproof
	StreamTree     = 5 // keys and values of a tree
	StreamWitness  = 6 // witness-like scalars
)

// SplitMix is the SplitMix64 generator (Steele, Lea, Flood, OOPSLA 2014): small enough to be the same in every language.
type SplitMix struct{ state uint64 }

// NewSplitMix gives the generator with this seed.
func NewSplitMix(seed uint64) SplitMix { return SplitMix{seed} }

// Next gives the next word.
func (s *SplitMix) Next() uint64 {
	s.state += 0x9e3779b97f4a7c15
	z := s.state
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return z ^ (z >> 31)
}

// Integer draws a plain integer below 2^253, hence below both BN254 moduli, as big-endian bytes: four words, least significant first.
func (s *SplitMix) Integer() (be [32]byte) {
	var w [4]uint64
	for i := range w {
		w[i] = s.Next()
	}
	w[3] >>= 3
	for i := range w {
		for j := range 8 {
			be[31-8*i-j] = byte(w[i] >> (8 * j))
		}
	}
	return be
}

// BitScalar draws the next scalar of a circuit of bits: of 100, 60 are 0 and 40 are 1.
func (s *SplitMix) BitScalar() (be [32]byte) {
	if s.Next()%100 >= 60 {
		be[31] = 1
	}
	return be
}

// MixedScalar draws the next scalar of a circuit of field arithmetic: of 100, 96 are uniform, the others 0 or 1.
func (s *SplitMix) MixedScalar() (be [32]byte) {
	if lot := s.Next() % 100; lot >= 96 {
		be[31] = byte(lot & 1)
		return be
	}
	return s.Integer()
}
