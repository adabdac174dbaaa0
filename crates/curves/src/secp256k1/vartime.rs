//! Sums of multiples in time that depends on points and scalars: what verification of signatures is made of.
//!
//! The scalar of a variable point is split by the endomorphism, the generator's at `2^128`; so four non-adjacent forms
//! share at most 130 doublings. Source: see [`crate::glv`] and [`crate::weierstrass`]'s Jacobian coordinates.

use super::generator::odd_multiples;
use super::point::LATTICE;
use super::{Affine, Fq, Fr, Projective};
use crate::glv::non_adjacent_form_vartime;
use crate::weierstrass::jacobian::{Jacobian, OddMultiples};
use std::sync::OnceLock;

/// Widths of the non-adjacent forms for a variable point and for the generator, whose tables take 128 KiB.
const WINDOW: u32 = 5;
const GENERATOR_WINDOW: u32 = 12;

impl Projective {
    /// `scalar·self`; time depends on both. About 127 doublings and 43 additions.
    pub fn mul_vartime(&self, scalar: &Fr) -> Self {
        self.mul_add_generator_vartime(scalar, &Fr::ZERO)
    }

    /// `a·self + b·G`; time depends on all of them. About 127 doublings and 63 additions. For `b·G` alone
    /// [`Self::mul_generator`] is faster.
    pub fn mul_add_generator_vartime(&self, a: &Fr, b: &Fr) -> Self {
        let own = Variable::new_vartime(self, a);
        let fixed = Fixed::new_vartime(b);
        let length = own.length.max(fixed.length);
        let mut sum = Jacobian::IDENTITY;
        for bit in (0..length).rev() {
            sum = sum.double();
            sum = own.add_vartime(sum, bit);
            sum = fixed.add_vartime(sum, bit, own.scale);
        }
        // from x = X/Z², y = Y/Z³ to x = X/Z, y = Y/Z
        let z = sum.z * own.scale;
        Self {
            x: sum.x * z,
            y: sum.y,
            z: z.square() * z,
        }
    }

    /// The affine form, infinity as `(0, 0)`; time depends on the point.
    pub fn to_affine_vartime(&self) -> Affine {
        let inverse = self.z.invert_vartime().unwrap_or(Fq::ZERO);
        Affine {
            x: self.x * inverse,
            y: self.y * inverse,
        }
    }
}

/// `scalar·point` as two forms over tables of the point and of its image under the endomorphism.
struct Variable {
    forms: [[i16; 130]; 2],
    tables: [[[Fq; 2]; 1 << (WINDOW - 2)]; 2],
    /// The tables are on the curve isomorphic by this.
    scale: Fq,
    /// Digits up to the last that is not zero.
    length: usize,
}

impl Variable {
    fn new_vartime(point: &Projective, scalar: &Fr) -> Self {
        if point.z == Fq::ZERO || *scalar == Fr::ZERO {
            return Self {
                forms: [[0; 130]; 2],
                tables: [[[Fq::ZERO; 2]; _]; 2],
                scale: Fq::ONE,
                length: 0,
            };
        }
        // (X·Z, Y·Z²) is affine on the curve isomorphic by Z
        let image = [point.x * point.z, point.y * point.z.square()];
        let multiples = OddMultiples::new_vartime(image, point.z);
        let halves = LATTICE.split(&scalar.to_canonical_limbs());
        let forms = halves.map(|half| {
            let mut form = non_adjacent_form_vartime(&half.magnitude, WINDOW);
            if bool::from(half.negative) {
                form.iter_mut().for_each(|digit| *digit = -*digit);
            }
            form
        });
        Self {
            forms,
            tables: [
                multiples.points,
                multiples.points.map(|[x, y]| [x * Projective::BETA, y]),
            ],
            scale: multiples.scale,
            length: length_vartime(&forms),
        }
    }

    #[inline(always)]
    fn add_vartime(&self, mut sum: Jacobian<Fq>, bit: usize) -> Jacobian<Fq> {
        for (form, table) in self.forms.iter().zip(&self.tables) {
            if form[bit] != 0 {
                sum = sum.add_affine_vartime(entry_vartime(table, form[bit]));
            }
        }
        sum
    }
}

/// `scalar·G` as two forms over the tables of `G` and of `2^128·G`.
struct Fixed {
    forms: [[i16; 130]; 2],
    tables: &'static [Vec<[Fq; 2]>; 2],
    length: usize,
}

impl Fixed {
    fn new_vartime(scalar: &Fr) -> Self {
        let [w0, w1, w2, w3] = scalar.to_canonical_limbs();
        let forms =
            [[w0, w1], [w2, w3]].map(|half| non_adjacent_form_vartime(&half, GENERATOR_WINDOW));
        Self {
            forms,
            tables: generator_tables(),
            length: length_vartime(&forms),
        }
    }

    #[inline(always)]
    fn add_vartime(&self, mut sum: Jacobian<Fq>, bit: usize, scale: Fq) -> Jacobian<Fq> {
        for (form, table) in self.forms.iter().zip(self.tables) {
            if form[bit] != 0 {
                sum = sum.add_unscaled_vartime(entry_vartime(table, form[bit]), scale);
            }
        }
        sum
    }
}

/// Odd multiples of `G` and of `2^128·G`, computed when first asked for (about half a millisecond).
fn generator_tables() -> &'static [Vec<[Fq; 2]>; 2] {
    static TABLES: OnceLock<[Vec<[Fq; 2]>; 2]> = OnceLock::new();
    TABLES.get_or_init(|| {
        let low = Projective::GENERATOR;
        let high = (0..128).fold(low, |point, _| point.double());
        [low, high].map(|base| {
            odd_multiples(&base, 1 << (GENERATOR_WINDOW - 2))
                .map(|Affine { x, y }| [x, y])
                .collect()
        })
    })
}

/// The odd multiple `digit` from a table of the positive ones.
#[inline(always)]
fn entry_vartime(table: &[[Fq; 2]], digit: i16) -> [Fq; 2] {
    let [x, y] = table[digit.unsigned_abs() as usize / 2];
    [x, if digit < 0 { -y } else { y }]
}

fn length_vartime(forms: &[[i16; 130]; 2]) -> usize {
    let last = |form: &[i16; 130]| form.iter().rposition(|digit| *digit != 0);
    forms
        .iter()
        .filter_map(last)
        .max()
        .map_or(0, |last| last + 1)
}
