//! The five sums over the key.

use super::Phase;
use crate::engine::Projective;
use crate::key::{Entries, Part, PointWindow};
use crate::{ProvingEngine, ProvingKey, Witness};
use frumious_curves::Group;
use frumious_curves::engine::ScalarField;
use frumious_field::Integer;
use frumious_msm::{EncodedPoint, msm_vartime};
use std::ops::Range;
use zeroize::Zeroizing;

/// Sums of the key's points, weighed by the witness and by the quotient.
pub(super) struct Sums<E: ProvingEngine> {
    /// Σ w_i·A_i over all wires.
    pub(super) a: Projective<E::G1>,
    /// Σ w_i·B_i in G1 over all wires; none if the proof is not blinded.
    pub(super) b1: Option<Projective<E::G1>>,
    /// Σ w_i·B_i in G2 over all wires.
    pub(super) b2: Projective<E::G2>,
    /// Σ w_i·C_i over the wires that are not public, plus Σ h_i·H_i over the domain.
    pub(super) c: Projective<E::G1>,
}

/// The sums, one after the other, each over one window of the key after the other.
///
/// Each is parallel in itself, so that one set of buckets is alive at a time. `witness`: one value for each wire; `h`:
/// one for each domain element, dropped after its sum.
pub(super) fn compute_vartime<E: ProvingEngine>(
    key: &ProvingKey<E>,
    witness: &Witness<'_, E::Fr>,
    h: Zeroizing<Vec<Integer<E::Fr>>>,
    with_b1: bool,
    enter: impl Fn(Phase),
) -> Sums<E> {
    let in_g1 = |part, scalars: &Scalars<'_, E::Fr>, next| {
        let mut sum = Sum::<E::G1, E::Fr>::new(scalars);
        key.source().g1(part, &mut |window| {
            expect_next(key, &window, next);
            sum.add_vartime(&window);
        });
        sum.total
    };
    let wires = Scalars::Witness { witness, first: 0 };
    enter(Phase::SumH);
    let sum_h = in_g1(Part::H, &Scalars::Given(&h), Some(Part::A));
    drop(h);
    enter(Phase::SumA);
    let after_a = if with_b1 { Part::B1 } else { Part::B2 };
    let a = in_g1(Part::A, &wires, Some(after_a));
    let b1 = with_b1.then(|| {
        enter(Phase::SumB1);
        in_g1(Part::B1, &wires, Some(Part::B2))
    });
    enter(Phase::SumB2);
    let mut b2 = Sum::<E::G2, E::Fr>::new(&wires);
    key.source().b2(&mut |window| {
        expect_next(key, &window, Some(Part::C));
        b2.add_vartime(&window);
    });
    enter(Phase::SumC);
    let private = Scalars::Witness {
        witness,
        first: key.n_public() + 1,
    };
    let sum_c = in_g1(Part::C, &private, None);
    Sums {
        a,
        b1,
        b2: b2.total,
        c: sum_c + sum_h,
    }
}

/// Has the part that comes next read ahead during the last window of this one.
fn expect_next<E: ProvingEngine, A>(
    key: &ProvingKey<E>,
    window: &PointWindow<'_, A>,
    next: Option<Part>,
) {
    if let (true, Some(part)) = (window.is_last, next) {
        key.source().expect(part);
    }
}

/// Scalars of a part's entries.
enum Scalars<'a, F> {
    /// One for each entry.
    Given(&'a [Integer<F>]),
    /// Values of the wires from `first` on.
    Witness {
        witness: &'a Witness<'a, F>,
        first: usize,
    },
}

/// A sum that grows window by window.
struct Sum<'a, A: Group, F> {
    scalars: &'a Scalars<'a, F>,
    total: Projective<A>,
    copies: Zeroizing<Vec<Integer<F>>>,
}

impl<'a, A: EncodedPoint<Scalar = F>, F: ScalarField> Sum<'a, A, F> {
    fn new(scalars: &'a Scalars<'a, F>) -> Self {
        Self {
            scalars,
            total: A::default().into(),
            copies: Zeroizing::default(),
        }
    }

    /// Adds the points of a window, each times the scalar of its entry.
    fn add_vartime(&mut self, window: &PointWindow<'_, A>) {
        let scalars = match &window.entries {
            Entries::All(range) => self.scalars.of_range(range.clone(), &mut self.copies),
            Entries::Listed(entries) => self.scalars.gather(entries, &mut self.copies),
        };
        self.total += msm_vartime(window.points, scalars).expect(LENGTHS);
    }
}

impl<F: ScalarField> Scalars<'_, F> {
    /// The scalars of a range of entries, copied into `copies` if they are not in memory.
    fn of_range<'b>(
        &'b self,
        range: Range<usize>,
        copies: &'b mut Zeroizing<Vec<Integer<F>>>,
    ) -> &'b [Integer<F>] {
        match self {
            Scalars::Given(scalars) => &scalars[range],
            Scalars::Witness { witness, first } => {
                witness.chunk(first + range.start..first + range.end, copies)
            }
        }
    }

    /// Copies of the scalars of some entries.
    fn gather<'b>(
        &self,
        entries: &[u32],
        copies: &'b mut Zeroizing<Vec<Integer<F>>>,
    ) -> &'b [Integer<F>] {
        let scalar = |entry: &u32| match self {
            Scalars::Given(scalars) => scalars[*entry as usize],
            Scalars::Witness { witness, first } => witness.get(first + *entry as usize),
        };
        copies.clear();
        copies.reserve_exact(entries.len()); // at once: a reallocation would leave a copy behind
        copies.extend(entries.iter().map(scalar));
        copies
    }
}

const LENGTHS: &str = "a scalar for each point of a window";
