//! Points that are on the twist but not in G2.

use frumious_curves::bn254::{Fq, Fq2, G2Affine};

/// The twist's order is r times a large cofactor: nearly every point on it is outside G2.
pub fn point_outside_g2() -> G2Affine {
    let point = (1..).find_map(|x| {
        let x = Fq2::new(Fq::from_u64(x), Fq::ZERO);
        let y = (x * x * x + G2Affine::B).sqrt().into_option()?;
        Some(G2Affine { x, y })
    });
    let point = point.unwrap();
    assert!(bool::from(point.is_on_curve()) && !bool::from(point.is_in_subgroup()));
    point
}
