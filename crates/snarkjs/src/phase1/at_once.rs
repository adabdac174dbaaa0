//! Powers, and bases, checked all at once: true for those that hold, false without a reason for others.

use super::write::windows;
use crate::generic::{Points, Ptau, TauContribution};
use crate::groth16::check_in_ranges;
use frumious_circom::Error as FileError;
use frumious_curves::Group;
use frumious_curves::engine::PairingGroup;
use frumious_groth16::{Error, ProvingEngine, TauLists, are_lagrange_bases, are_powers};
use frumious_msm::{Encoded, EncodedPoint, PointList, ScaledPoint};

/// True if the points of sections 2 to 6 are in their groups, none at infinity, and are the powers that `last` led to.
/// `progress` is told how much is done, up to 0.7.
///
/// # Errors
/// [`Error::Randomness`]
pub(super) fn powers_hold<E: ProvingEngine>(
    ptau: &Ptau<E>,
    last: &TauContribution<E>,
    progress: &dyn Fn(f64),
) -> Result<bool, Error> {
    if points_hold(ptau).is_err() || !matches!(wrong_first(ptau, last), Ok(None)) {
        return Ok(false);
    }
    progress(0.2);
    let hold = are_powers::<E>(&powers_of(ptau))?;
    progress(0.7);
    Ok(hold)
}

/// Checks all points of the powers, but not that those of section 3 are in their group.
fn points_hold<E: ProvingEngine>(ptau: &Ptau<E>) -> Result<(), FileError> {
    fn check<P: PairingGroup + ScaledPoint>(points: Points<'_, P>) -> Result<(), FileError> {
        windows(points, |_, points| {
            check_in_ranges(points.len(), |range| points.check_finite(range))
        })
    }
    check(ptau.tau_g1())?;
    check(ptau.alpha_tau_g1())?;
    check(ptau.beta_tau_g1())?;
    check(ptau.points_of_beta_g2())?;
    check_on_curve(ptau.tau_g2(), true)
}

fn check_on_curve<P: PairingGroup + ScaledPoint>(
    points: Points<'_, P>,
    finite: bool,
) -> Result<(), FileError> {
    windows(points, |_, points| {
        check_in_ranges(points.len(), |range| points.check_on_curve(range, finite))
    })
}

/// The first of the sections whose first points are not those of the last contribution. Their points are on their
/// curves.
pub(super) fn wrong_first<E: ProvingEngine>(
    ptau: &Ptau<E>,
    last: &TauContribution<E>,
) -> Result<Option<u32>, FileError> {
    let [tau_g1, alpha, beta] = [ptau.tau_g1(), ptau.alpha_tau_g1(), ptau.beta_tau_g1()];
    let tau_g2 = ptau.tau_g2();
    let starts = |points: Points<'_, E::G1>, first: [E::G1; 2]| {
        (0..points.len().min(2)).all(|k| points.get_unchecked_encoding(k) == first[k])
    };
    let firsts = [
        (2, starts(tau_g1, [E::G1::GENERATOR, last.tau_g1])),
        (
            3,
            (0..tau_g2.len().min(2))
                .all(|k| tau_g2.get_unchecked_encoding(k) == [E::G2::GENERATOR, last.tau_g2][k]),
        ),
        (4, starts(alpha.slice(0..1), [last.alpha_g1; 2])),
        (5, starts(beta.slice(0..1), [last.beta_g1; 2])),
        (6, ptau.beta_g2()? == last.beta_g2),
    ];
    Ok(firsts.iter().find(|(_, right)| !right).map(|(id, _)| *id))
}

/// True if the points of sections 12 to 15 are in their groups, and are the bases of the powers, which hold.
///
/// # Errors
/// [`Error::Randomness`]
pub(super) fn bases_hold<E: ProvingEngine>(
    ptau: &Ptau<E>,
    progress: &dyn Fn(f64),
) -> Result<bool, Error> {
    fn in_group<P: PairingGroup + ScaledPoint>(points: Points<'_, P>) -> Result<(), FileError> {
        windows(points, |_, points| {
            check_in_ranges(points.len(), |range| points.check(range))
        })
    }
    let (Some(tau_g1), Some(tau_g2), Some(alpha), Some(beta)) = (
        ptau.all_lagrange::<E::G1>(12),
        ptau.all_lagrange::<E::G2>(13),
        ptau.all_lagrange::<E::G1>(14),
        ptau.all_lagrange::<E::G1>(15),
    ) else {
        return Ok(false);
    };
    let are_points = in_group(tau_g1)
        .and_then(|()| check_on_curve(tau_g2, false))
        .and_then(|()| in_group(alpha))
        .and_then(|()| in_group(beta));
    if are_points.is_err() {
        return Ok(false);
    }
    progress(0.2);
    let bases = TauLists {
        tau_g1: list(tau_g1),
        tau_g2: list(tau_g2),
        alpha_tau_g1: list(alpha),
        beta_tau_g1: list(beta),
    };
    let are_cut = ptau.power() < ptau.ceremony_power();
    let hold = are_lagrange_bases::<E>(&powers_of(ptau), &bases, are_cut)?;
    if hold {
        progress(1.0);
    }
    Ok(hold)
}

fn powers_of<E: ProvingEngine>(ptau: &Ptau<E>) -> TauLists<'_, E> {
    TauLists {
        tau_g1: list(ptau.tau_g1()),
        tau_g2: list(ptau.tau_g2()),
        alpha_tau_g1: list(ptau.alpha_tau_g1()),
        beta_tau_g1: list(ptau.beta_tau_g1()),
    }
}

pub(super) fn list<P: EncodedPoint>(points: Points<'_, P>) -> PointList<'_, P> {
    PointList::Encoded(Encoded::new(points.as_bytes()))
}
