//! The five sums over the key.

use super::Phase;
use crate::engine::Group;
use crate::key::{Windows, encoded, first_window};
use crate::{ProvingEngine, ProvingKey};
use frumious_circom::FileBytes;
use frumious_circom::generic::{PresentEntries, StoredPoints, Wtns};
use frumious_curves::engine::PairingGroup;
use frumious_msm::{EncodedPoint, msm_vartime};
use std::ops::Range;
use zeroize::Zeroizing;

/// What the key's points, weighed by the witness and by the quotient, add up to.
pub(super) struct Sums<E: ProvingEngine> {
    /// Σ w_i·A_i over all wires.
    pub(super) a: Group<E::G1>,
    /// Σ w_i·B_i in G1 over all wires; none if the proof is not blinded.
    pub(super) b1: Option<Group<E::G1>>,
    /// Σ w_i·B_i in G2 over all wires.
    pub(super) b2: Group<E::G2>,
    /// Σ w_i·C_i over the wires that are not public, plus Σ h_i·H_i over the domain.
    pub(super) c: Group<E::G1>,
}

/// Has the points of the first sum read from the file soon.
pub(super) fn read_ahead<E: ProvingEngine>(key: &ProvingKey<E>) {
    let file = key.file();
    file.bytes()
        .read_ahead(first_of(StoredPoints::whole(file.h())));
}

/// The sums, one after the other, each over one window of the key after the other: each is parallel in itself, and only one set of buckets is alive at a
/// time.
///
/// `witness`: one value for each wire; `h`: canonical, one for each domain element, dropped after its sum.
pub(super) fn compute_vartime<E: ProvingEngine>(
    key: &ProvingKey<E>,
    witness: &Wtns<E>,
    h: Zeroizing<Vec<[u64; 4]>>,
    with_b1: bool,
    enter: impl Fn(Phase),
) -> Sums<E> {
    let key_file = key.file();
    let file = key_file.bytes();
    let from_witness = |first: usize| Scalars::Witness { witness, first };
    enter(Phase::SumH);
    let h_points = StoredPoints::whole(key_file.h());
    let sum_h = sum_vartime(
        file,
        h_points,
        &Scalars::<E>::Given(&h),
        first_of(key_file.a()),
    );
    drop(h);
    enter(Phase::SumA);
    let next = if with_b1 {
        first_of(key_file.b1())
    } else {
        first_of(key_file.b2())
    };
    let a = sum_vartime(file, key_file.a(), &from_witness(0), next);
    let b1 = with_b1.then(|| {
        enter(Phase::SumB1);
        sum_vartime(
            file,
            key_file.b1(),
            &from_witness(0),
            first_of(key_file.b2()),
        )
    });
    enter(Phase::SumB2);
    let b2 = sum_vartime(
        file,
        key_file.b2(),
        &from_witness(0),
        first_of(key_file.c()),
    );
    enter(Phase::SumC);
    let sum_c = sum_vartime(file, key_file.c(), &from_witness(key.num_public() + 1), &[]);
    Sums {
        a,
        b1,
        b2,
        c: sum_c + sum_h,
    }
}

/// What points are multiplied by.
enum Scalars<'a, E: ProvingEngine> {
    /// Canonical values.
    Given(&'a [[u64; 4]]),
    /// Values of the wires from `first` on.
    Witness { witness: &'a Wtns<E>, first: usize },
}

/// The bytes of a section that are wanted first.
fn first_of<'a, P: EncodedPoint>(stored: StoredPoints<'a, P>) -> &'a [u8] {
    first_window(stored.present().as_bytes(), P::BYTES)
}

impl<E: ProvingEngine> Scalars<'_, E> {
    /// The scalars of all entries of a window, copied into `copies` if they are not in memory.
    fn of_window<'b>(
        &'b self,
        window: Range<usize>,
        copies: &'b mut Vec<[u64; 4]>,
    ) -> &'b [[u64; 4]] {
        match self {
            Scalars::Given(scalars) => &scalars[window],
            Scalars::Witness { witness, first } => {
                witness.chunk(first + window.start..first + window.end, copies)
            }
        }
    }

    /// Copies of the scalars of the next `n` entries that have points.
    fn gather<'b>(
        &self,
        entries: &mut PresentEntries<'_>,
        n: usize,
        copies: &'b mut Vec<[u64; 4]>,
    ) -> &'b [[u64; 4]] {
        let scalar = |entry: usize| match self {
            Scalars::Given(scalars) => scalars.get(entry).copied(),
            Scalars::Witness { witness, first } => {
                let wire = first + entry;
                (wire < witness.len()).then(|| witness.get(wire))
            }
        };
        copies.clear();
        copies.reserve_exact(n); // at once, so that nothing is left behind by a reallocation
        copies.extend(entries.take(n).filter_map(scalar));
        // As many as there are, unless the file changes under the mapping.
        copies.resize(n, [0; 4]);
        copies
    }
}

/// `Σ scalars[i]·points[i]` over the points that are stored; there is a scalar for each entry. `then`: bytes of the file to be read ahead for the sum that
/// comes next.
fn sum_vartime<E: ProvingEngine, P: EncodedPoint>(
    file: &FileBytes,
    stored: StoredPoints<'_, P>,
    scalars: &Scalars<'_, E>,
    then: &[u8],
) -> Group<P> {
    let mut sum = Group::<P>::from(<P as PairingGroup>::IDENTITY);
    let mut copies = Zeroizing::new(Vec::new());
    let points = stored.present();
    let mut entries = stored.entries();
    for window in Windows::new(file, points.as_bytes(), P::BYTES).then(then) {
        let scalars = match &mut entries {
            Some(entries) => scalars.gather(entries, window.len(), &mut copies),
            None => scalars.of_window(window.clone(), &mut copies),
        };
        sum += msm_vartime(&encoded(points.slice(window)), scalars).expect(LENGTHS);
    }
    sum
}

const LENGTHS: &str = "a scalar for each point of a window";
