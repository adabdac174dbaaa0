//! The sums side by side, where the key hands out each part as one window. H and C are one sum.
//!
//! They take more memory at once than one after the other: the scalars of all of them. [`memory`](super::memory) counts
//! it. On one thread nothing is gained.

use super::Phase;
use super::sums::Sums;
use super::wipe::wipe;
use crate::key::{Entries, Part};
use crate::{Error, ProvingEngine, ProvingKey, Witness};
use frumious_curves::engine::ScalarField;
use frumious_field::Integer;
use frumious_msm::{AnyPending, Pending, together_vartime};
use frumious_parallel::{filled, for_each_chunk_mut, trace};
use zeroize::Zeroizing;

/// As [`sums::compute_vartime`](super::sums::compute_vartime), all at once; none if a part has no window, or several.
pub(super) fn compute_vartime<E: ProvingEngine>(
    key: &ProvingKey<E>,
    witness: &Witness<'_, E::Fr>,
    h: &[Integer<E::Fr>],
    enter: impl Fn(Phase),
) -> Result<Option<Sums<E>>, Error> {
    enter(Phase::Sums);
    let source = key.source();
    for part in [Part::A, Part::B2, Part::C] {
        source.expect(part);
    }
    let copied = match witness.integers() {
        Some(_) => Zeroizing::default(),
        None => copy(witness.len(), |wire| witness.get(wire)),
    };
    let wires = witness.integers().unwrap_or(&copied);
    let private = &wires[key.n_public() + 1..];
    let (mut sums, mut is_cut) = (None, false);
    let (mut of_a, mut of_c) = (Ok(()), Ok(()));
    let of_h = source.g1(Part::H, &mut |window_h| {
        of_a = source.g1(Part::A, &mut |window_a| {
            source.b2(&mut |window_b| {
                of_c = source.g1(Part::C, &mut |window_c| {
                    let in_g1 = [&window_h, &window_a, &window_c];
                    is_cut |= !in_g1.iter().all(|window| window.is_last) || !window_b.is_last;
                    if is_cut {
                        return;
                    }
                    let scalars_h = Scalars::of(h, &window_h.entries);
                    let scalars_a = Scalars::of(wires, &window_a.entries);
                    let scalars_b = Scalars::of(wires, &window_b.entries);
                    let scalars_c = Scalars::of(private, &window_c.entries);
                    let mut a = Pending::new(window_a.points, scalars_a.get()).expect(LENGTHS);
                    let mut b2 = Pending::new(window_b.points, scalars_b.get()).expect(LENGTHS);
                    let points = [window_h.points, window_c.points];
                    let scalars = [scalars_h.get(), scalars_c.get()];
                    let mut c = Pending::of_lists(points, scalars).expect(LENGTHS);
                    let all: &mut [&mut dyn AnyPending] = &mut [&mut a, &mut b2, &mut c];
                    together_vartime(all);
                    sums = match (a.total(), b2.total(), c.total()) {
                        (Some(a), Some(b2), Some(c)) => Some(Sums { a, b2, c }),
                        _ => None,
                    };
                    for scalars in [scalars_h, scalars_a, scalars_b, scalars_c] {
                        scalars.give_back();
                    }
                });
            });
        });
    });
    wipe(copied);
    of_h.and(of_a).and(of_c).map_err(Error::Source)?;
    Ok(sums.filter(|_| !is_cut))
}

/// Scalars of a window's entries.
enum Scalars<'a, F: ScalarField> {
    Range(&'a [Integer<F>]),
    Copied(Zeroizing<Vec<Integer<F>>>),
}

impl<'a, F: ScalarField> Scalars<'a, F> {
    fn of(all: &'a [Integer<F>], entries: &Entries<'_>) -> Self {
        match entries {
            Entries::All(range) => Self::Range(&all[range.clone()]),
            Entries::Listed(entries) => {
                Self::Copied(copy(entries.len(), |place| all[entries[place] as usize]))
            }
        }
    }

    fn get(&self) -> &[Integer<F>] {
        match self {
            Self::Range(scalars) => scalars,
            Self::Copied(scalars) => scalars,
        }
    }

    fn give_back(self) {
        if let Self::Copied(scalars) = self {
            wipe(scalars);
        }
    }
}

/// `[value(0), …]`, wiped when dropped; on all threads.
fn copy<F: ScalarField>(
    len: usize,
    value: impl Fn(usize) -> Integer<F> + Sync + Send,
) -> Zeroizing<Vec<Integer<F>>> {
    let mut copies = Zeroizing::new(filled(Integer::ZERO, len));
    for_each_chunk_mut(&mut copies, CHUNK, |index, chunk| {
        trace::moves(|| 2 * size_of_val(chunk) as u64);
        for (offset, copy) in chunk.iter_mut().enumerate() {
            *copy = value(index * CHUNK + offset);
        }
    });
    copies
}

const CHUNK: usize = 1 << 12;

const LENGTHS: &str = "a scalar for each point of a window";
