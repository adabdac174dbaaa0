//! The sums over the key.

use super::Phase;
use super::memory::AtOnce;
use crate::engine::Projective;
use crate::key::{Entries, Part, PointWindow};
use crate::{Error, ProvingEngine, ProvingKey, Witness};
use frumious_curves::Group;
use frumious_curves::engine::ScalarField;
use frumious_field::Integer;
use frumious_msm::{EncodedPoint, Pending, msm_vartime, together_vartime};
use frumious_parallel::part;
use std::ops::Range;
use zeroize::Zeroizing;

/// Sums of the key's points, weighed by the witness and by the quotient, for the proof with r = s = 0.
pub(super) struct Sums<E: ProvingEngine> {
    /// Σ w_i·A_i over all wires.
    pub(super) a: Projective<E::G1>,
    /// Σ w_i·B_i in G2 over all wires.
    pub(super) b2: Projective<E::G2>,
    /// Σ w_i·C_i over the wires that are not public, plus Σ h_i·H_i over the domain.
    pub(super) c: Projective<E::G1>,
}

/// The sums, one after the other, each over one window of the key after the other. Those over H and C are one sum if
/// `at_once` says so, and each part is one window.
///
/// Each is parallel in itself, so that one set of buckets is alive at a time. `witness`: one value for each wire; `h`:
/// one for each domain element, dropped after its sum.
pub(super) fn compute_vartime<E: ProvingEngine>(
    key: &ProvingKey<E>,
    witness: &Witness<'_, E::Fr>,
    h: Zeroizing<Vec<Integer<E::Fr>>>,
    at_once: AtOnce,
    enter: impl Fn(Phase),
) -> Result<Sums<E>, Error> {
    let wires = Scalars::Witness { witness, first: 0 };
    let private = Scalars::Witness {
        witness,
        first: key.n_public() + 1,
    };
    let as_one = match at_once {
        AtOnce::HAndC => of_h_and_c_vartime(key, &h, &private, &enter)?,
        AtOnce::All | AtOnce::One => None,
    };
    let c = match as_one {
        Some(sum) => {
            drop(h);
            sum
        }
        None => {
            enter(Phase::SumH);
            let of_h = in_g1_vartime(key, Part::H, &Scalars::Given(&h), Some(Part::C))?;
            drop(h);
            enter(Phase::SumC);
            of_h + in_g1_vartime(key, Part::C, &private, Some(Part::A))?
        }
    };
    enter(Phase::SumA);
    let a = in_g1_vartime(key, Part::A, &wires, Some(Part::B2))?;
    enter(Phase::SumB2);
    let mut b2 = Sum::<E::G2, E::Fr>::new(&wires);
    key.source().b2(&mut |window| b2.add_vartime(&window));
    Ok(Sums { a, b2: b2.total, c })
}

/// The sum over H and C, which have one set of buckets; none if a part is not one window.
fn of_h_and_c_vartime<E: ProvingEngine>(
    key: &ProvingKey<E>,
    h: &[Integer<E::Fr>],
    private: &Scalars<'_, E::Fr>,
    enter: impl Fn(Phase),
) -> Result<Option<Projective<E::G1>>, Error> {
    let (mut sum, mut is_cut, mut of_c) = (None, false, Ok(()));
    let source = key.source();
    enter(Phase::SumHAndC);
    source.expect(Part::C);
    let of_h = source.g1(Part::H, &mut |window_h| {
        of_c = source.g1(Part::C, &mut |window_c| {
            expect_next(key, &window_c, Some(Part::A));
            is_cut |= !window_h.is_last || !window_c.is_last;
            if is_cut {
                return;
            }
            let (mut copies_h, mut copies_c) = (Zeroizing::default(), Zeroizing::default());
            let scalars_h = Scalars::Given(h);
            let scalars = [
                scalars_h.of_entries(&window_h.entries, &mut copies_h),
                private.of_entries(&window_c.entries, &mut copies_c),
            ];
            let points = [window_h.points, window_c.points];
            let mut pending = Pending::of_lists(points, scalars).expect(LENGTHS);
            together_vartime(&mut [&mut pending]);
            sum = pending.total();
        });
    });
    of_h.and(of_c).map_err(Error::Source)?;
    Ok(sum.filter(|_| !is_cut))
}

/// `Σ w_i·B_i` in G1 over all wires, for blinding by r and s.
pub(super) fn b1_vartime<E: ProvingEngine>(
    key: &ProvingKey<E>,
    witness: &Witness<'_, E::Fr>,
) -> Result<Projective<E::G1>, Error> {
    in_g1_vartime(key, Part::B1, &Scalars::Witness { witness, first: 0 }, None)
}

/// The sum over a range of a part in G1: of as many entries from `first` on as there are scalars.
pub(super) fn part_of_g1_vartime<E: ProvingEngine>(
    key: &ProvingKey<E>,
    part: Part,
    first: usize,
    scalars: &Witness<'_, E::Fr>,
) -> Result<Projective<E::G1>, Error> {
    let scalars = &Scalars::Witness {
        witness: scalars,
        first: 0,
    };
    let mut sum = Sum::<E::G1, E::Fr>::new(scalars);
    let summed = key.source().g1(part, &mut |window| {
        sum.add_range_vartime(&window, first..first + scalars.len());
    });
    summed.map_err(Error::Source)?;
    Ok(sum.total)
}

/// As [`part_of_g1_vartime`] of part B2.
pub(super) fn part_of_b2_vartime<E: ProvingEngine>(
    key: &ProvingKey<E>,
    first: usize,
    scalars: &Witness<'_, E::Fr>,
) -> Projective<E::G2> {
    let scalars = &Scalars::Witness {
        witness: scalars,
        first: 0,
    };
    let mut sum = Sum::<E::G2, E::Fr>::new(scalars);
    key.source().b2(&mut |window| {
        sum.add_range_vartime(&window, first..first + scalars.len());
    });
    sum.total
}

/// The sum over a part in G1, after which `next` is wanted.
fn in_g1_vartime<E: ProvingEngine>(
    key: &ProvingKey<E>,
    part: Part,
    scalars: &Scalars<'_, E::Fr>,
    next: Option<Part>,
) -> Result<Projective<E::G1>, Error> {
    let mut sum = Sum::<E::G1, E::Fr>::new(scalars);
    let summed = key.source().g1(part, &mut |window| {
        expect_next(key, &window, next);
        sum.add_vartime(&window);
    });
    summed.map_err(Error::Source)?;
    Ok(sum.total)
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
    /// Entries that are summed.
    reached: usize,
}

impl<'a, A: EncodedPoint<Scalar = F>, F: ScalarField> Sum<'a, A, F> {
    fn new(scalars: &'a Scalars<'a, F>) -> Self {
        Self {
            scalars,
            total: A::default().into(),
            copies: Zeroizing::default(),
            reached: 0,
        }
    }

    /// Adds the points of a window, each times the scalar of its entry.
    fn add_vartime(&mut self, window: &PointWindow<'_, A>) {
        let end = match &window.entries {
            Entries::All(range) => range.end,
            Entries::Listed(entries) => entries
                .last()
                .map_or(self.reached, |last| *last as usize + 1),
        };
        let total = self.scalars.len().max(1) as f64;
        let scalars = self.scalars.of_entries(&window.entries, &mut self.copies);
        let sum = || msm_vartime(window.points, scalars).expect(LENGTHS);
        self.total += part(self.reached as f64 / total, end as f64 / total, sum);
        self.reached = end;
    }

    /// Adds those points of a window that belong to the entries `wanted`, of which the first has the first scalar.
    fn add_range_vartime(&mut self, window: &PointWindow<'_, A>, wanted: Range<usize>) {
        let moved: Vec<u32>;
        let (places, entries) = match &window.entries {
            Entries::All(range) => {
                let start = range.start.max(wanted.start);
                let end = range.end.min(wanted.end).max(start);
                let entries = start.saturating_sub(wanted.start)..end.saturating_sub(wanted.start);
                let places = start - range.start..end - range.start;
                (places, Entries::All(entries))
            }
            Entries::Listed(entries) => {
                let before =
                    |bound: usize| entries.partition_point(|entry| (*entry as usize) < bound);
                let places = before(wanted.start)..before(wanted.end);
                let first = wanted.start as u32; // at most an entry's number, or there is no place
                moved = entries[places.clone()]
                    .iter()
                    .map(|entry| entry - first)
                    .collect();
                (places, Entries::Listed(&moved))
            }
        };
        if !places.is_empty() {
            self.add_vartime(&PointWindow {
                points: window.points.slice(places),
                entries,
                is_last: window.is_last,
            });
        }
    }
}

impl<F: ScalarField> Scalars<'_, F> {
    /// Number of entries.
    fn len(&self) -> usize {
        match self {
            Scalars::Given(scalars) => scalars.len(),
            Scalars::Witness { witness, first } => witness.len().saturating_sub(*first),
        }
    }

    /// The scalars of a window's entries, copied into `copies` if they do not lie side by side in memory.
    fn of_entries<'b>(
        &'b self,
        entries: &Entries<'_>,
        copies: &'b mut Zeroizing<Vec<Integer<F>>>,
    ) -> &'b [Integer<F>] {
        match entries {
            Entries::All(range) => self.of_range(range.clone(), copies),
            Entries::Listed(entries) => self.gather(entries, copies),
        }
    }

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
