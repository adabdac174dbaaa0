//! Helpers of several tests: vectors, polynomials, one committer, scalars without a pattern.

#![allow(dead_code)] // each test takes what it needs

use frumious_curves::bandersnatch::Fr;
use frumious_verkle::{Claim, Committer, Opening, Preset, Values};
use serde_json::Value;
use std::sync::LazyLock;

/// The file of that name among the vectors, if they are here.
pub fn vector(name: &str) -> Option<Value> {
    let path = frumious_testing::shared(format!("vectors/verkle/{name}"))?;
    Some(serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap())
}

pub fn hex(text: &str) -> Vec<u8> {
    let text = text.strip_prefix("0x").unwrap_or(text);
    (0..text.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap())
        .collect()
}

/// A scalar from the hexadecimal digits of its bytes.
pub fn scalar(text: &str) -> Fr {
    Fr::from_bytes(&hex(text).try_into().unwrap()).unwrap()
}

pub fn polynomial(value: impl Fn(u64) -> u64) -> Values {
    core::array::from_fn(|i| Fr::from_u64(value(i as u64)))
}

/// Tables shared by all tests of a program.
pub fn committer() -> &'static Committer {
    static COMMITTER: LazyLock<Committer> =
        LazyLock::new(|| Committer::new(Preset::Small).unwrap());
    &COMMITTER
}

/// Openings of `polynomials` by index and point.
pub fn open<'a>(polynomials: &'a [Values], which: &[(usize, u8)]) -> Vec<Opening<'a>> {
    let commitments: Vec<_> = polynomials
        .iter()
        .map(|polynomial| committer().commit(polynomial).unwrap())
        .collect();
    which
        .iter()
        .map(|&(index, point)| Opening {
            commitment: commitments[index],
            polynomial: &polynomials[index],
            point,
        })
        .collect()
}

pub fn claims(openings: &[Opening<'_>]) -> Vec<Claim> {
    openings.iter().map(Opening::claim).collect()
}

/// SplitMix64 (Steele, Lea, Flood 2014).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn fill(&mut self, bytes: &mut [u8]) {
        for byte in bytes {
            *byte = self.next() as u8;
        }
    }

    pub fn scalar(&mut self) -> Fr {
        let mut bytes = [0; 64];
        self.fill(&mut bytes);
        Fr::from_uniform_bytes(&bytes)
    }

    pub fn polynomial(&mut self) -> Values {
        core::array::from_fn(|_| self.scalar())
    }

    /// With so many values that are not zero, at places without a pattern.
    pub fn sparse_polynomial(&mut self, count: usize) -> Values {
        let mut values = [Fr::ZERO; 256];
        for _ in 0..count {
            values[self.next() as usize % 256] = self.scalar();
        }
        values
    }
}
