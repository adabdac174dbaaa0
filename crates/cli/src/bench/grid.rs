//! Which tables are measured.

use frumious_msm::fixed::{Banderwagon, Budget, Digits, Order, Preset, Strategy};

use crate::arguments::bench::MsmFixed;
use frumious_app::failure::Failure;
use frumious_app::verkle::table_bytes;

/// Tables that are used together.
pub struct Candidate {
    /// Names a line of the report and, up to the comma, a curve of the plot.
    pub name: String,
    pub strategies: Vec<Strategy>,
    /// Size in bytes.
    pub bytes: usize,
}

/// Points of Verkle's vectors.
pub const POINTS: usize = 256;

/// The grid of a scan, or the presets; the smaller ones of each first.
pub fn candidates(arguments: &MsmFixed) -> Result<Vec<Candidate>, Failure> {
    let all = match arguments.scan {
        true => scan(arguments),
        false => presets()?,
    };
    let limit = (arguments.max_mib as usize) << 20;
    Ok(all
        .into_iter()
        .filter(|candidate| candidate.bytes <= limit)
        .collect())
}

fn presets() -> Result<Vec<Candidate>, Failure> {
    let presets = [
        ("verifier", Preset::Verifier),
        ("small", Preset::Small),
        ("default", Preset::Default),
        ("full", Preset::Full),
    ];
    presets
        .into_iter()
        .map(|(name, preset)| {
            let strategies = Budget::from(preset)
                .strategies::<Banderwagon>(POINTS)
                .map_err(|error| Failure::bad_input(error.to_string()))?;
            Ok(Candidate {
                name: name.to_owned(),
                bytes: table_bytes(&strategies),
                strategies,
            })
        })
        .collect()
}

fn scan(arguments: &MsmFixed) -> Vec<Candidate> {
    let (rounds, bits): (&[usize], &[usize]) = match arguments.quick {
        false => (
            &[8, 11, 16, 23, 32, 64, 128, 253],
            &[4, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16],
        ),
        true => (&[11, 23, 64, 128], &[6, 8, 10, 12]),
    };
    let digits = match arguments.signed {
        true => Digits::Signed {
            order: Order::Consecutive,
        },
        false => Digits::Unsigned,
    };
    let pairs = rounds
        .iter()
        .flat_map(|t| bits.iter().map(move |b| (*t, *b)));
    pairs
        .map(|(rounds, bits)| {
            let strategies = vec![Strategy::Comb {
                rounds,
                bits,
                digits,
            }];
            Candidate {
                name: format!("t = {rounds}, b = {bits}"),
                bytes: table_bytes(&strategies),
                strategies,
            }
        })
        .collect()
}
