//! The gas of calls. Source: EIP-2537, "Gas schedule"; the discounts in thousandths, for 1 to 128 pairs and for more as
//! for 128.

use super::{G1_BYTES, G2_BYTES, SCALAR_BYTES};

/// Gas of [`g1_add`](super::g1_add).
pub const G1_ADD_GAS: u64 = 375;
/// Gas of [`g2_add`](super::g2_add).
pub const G2_ADD_GAS: u64 = 600;
/// Gas of [`map_fp_to_g1`](super::map_fp_to_g1).
pub const MAP_FP_TO_G1_GAS: u64 = 5500;
/// Gas of [`map_fp2_to_g2`](super::map_fp2_to_g2).
pub const MAP_FP2_TO_G2_GAS: u64 = 23_800;

/// Gas of [`g1_msm`](super::g1_msm), for whole pairs.
pub fn g1_msm_gas(input: &[u8]) -> u64 {
    msm_gas(
        input.len() / (G1_BYTES + SCALAR_BYTES),
        12_000,
        &G1_DISCOUNTS,
    )
}

/// Gas of [`g2_msm`](super::g2_msm), for whole pairs.
pub fn g2_msm_gas(input: &[u8]) -> u64 {
    msm_gas(
        input.len() / (G2_BYTES + SCALAR_BYTES),
        22_500,
        &G2_DISCOUNTS,
    )
}

/// Gas of [`pairing_check`](super::pairing_check), for each call and each whole pair.
pub fn pairing_check_gas(input: &[u8]) -> u64 {
    37_700 + 32_600 * (input.len() / (G1_BYTES + G2_BYTES)) as u64
}

fn msm_gas(pairs: usize, product: u64, discounts: &[u16; 128]) -> u64 {
    match pairs.checked_sub(1) {
        Some(before) => {
            let discount = discounts[before.min(discounts.len() - 1)];
            pairs as u64 * product * u64::from(discount) / 1000
        }
        None => 0,
    }
}

#[rustfmt::skip]
const G1_DISCOUNTS: [u16; 128] = [
    1000, 949, 848, 797, 764, 750, 738, 728, 719, 712, 705, 698, 692, 687, 682, 677,
    673, 669, 665, 661, 658, 654, 651, 648, 645, 642, 640, 637, 635, 632, 630, 627,
    625, 623, 621, 619, 617, 615, 613, 611, 609, 608, 606, 604, 603, 601, 599, 598,
    596, 595, 593, 592, 591, 589, 588, 586, 585, 584, 582, 581, 580, 579, 577, 576,
    575, 574, 573, 572, 570, 569, 568, 567, 566, 565, 564, 563, 562, 561, 560, 559,
    558, 557, 556, 555, 554, 553, 552, 551, 550, 549, 548, 547, 547, 546, 545, 544,
    543, 542, 541, 540, 540, 539, 538, 537, 536, 536, 535, 534, 533, 532, 532, 531,
    530, 529, 528, 528, 527, 526, 525, 525, 524, 523, 522, 522, 521, 520, 520, 519,
];

#[rustfmt::skip]
const G2_DISCOUNTS: [u16; 128] = [
    1000, 1000, 923, 884, 855, 832, 812, 796, 782, 770, 759, 749, 740, 732, 724, 717,
    711, 704, 699, 693, 688, 683, 679, 674, 670, 666, 663, 659, 655, 652, 649, 646,
    643, 640, 637, 634, 632, 629, 627, 624, 622, 620, 618, 615, 613, 611, 609, 607,
    606, 604, 602, 600, 598, 597, 595, 593, 592, 590, 589, 587, 586, 584, 583, 582,
    580, 579, 578, 576, 575, 574, 573, 571, 570, 569, 568, 567, 566, 565, 563, 562,
    561, 560, 559, 558, 557, 556, 555, 554, 553, 552, 552, 551, 550, 549, 548, 547,
    546, 545, 545, 544, 543, 542, 541, 541, 540, 539, 538, 537, 537, 536, 535, 535,
    534, 533, 532, 532, 531, 530, 530, 529, 528, 528, 527, 526, 526, 525, 524, 524,
];
