//! Everything before the entries.
//!
//! | byte | length | what |
//! |---|---|---|
//! | 0 | 8 | `frumtbl\n` |
//! | 8 | 4 | version, 1 |
//! | 12 | 4 | number of tables |
//! | 16 | 16 | name of the group, zeros after it |
//! | 32 | 8 | number of points |
//! | 40 | 8 | number of checksums |
//! | 48 | 16 | zeros |
//! | 64 | 32 | SHA-256 of the points |
//! | 96 | 32 | SHA-256 of everything before the entries but this field |

use super::super::strategy::MAX_TABLES;
use super::super::{Digits, FixedGroup, Order, Problem, Strategy};
use super::Mistake;
use sha2::{Digest, Sha256};

/// The contents of the header, the parameters and the checksums.
pub(super) struct Header {
    pub(super) group: &'static str,
    pub(super) points: u64,
    pub(super) basis: [u8; 32],
    pub(super) strategies: Vec<Strategy>,
    pub(super) checksums: Vec<[u8; 32]>,
}

impl Header {
    /// Bytes before the entries.
    pub(super) fn length(&self) -> usize {
        padded(checksums_start(self.strategies.len()) + 32 * self.checksums.len())
    }

    /// Header, parameters, checksums and padding.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; PARAMETERS_AT];
        bytes[..8].copy_from_slice(MAGIC);
        put(&mut bytes, VERSION_AT, &VERSION.to_le_bytes());
        put(
            &mut bytes,
            TABLES_AT,
            &(self.strategies.len() as u32).to_le_bytes(),
        );
        put(&mut bytes, GROUP_AT, self.group.as_bytes());
        put(&mut bytes, POINTS_AT, &self.points.to_le_bytes());
        put(
            &mut bytes,
            COUNT_AT,
            &(self.checksums.len() as u64).to_le_bytes(),
        );
        put(&mut bytes, BASIS_AT, &self.basis);
        for strategy in &self.strategies {
            for number in numbers_of(strategy) {
                bytes.extend(number.to_le_bytes());
            }
        }
        bytes.extend(self.checksums.iter().flatten());
        bytes.resize(self.length(), 0);
        let digest = digest(&bytes);
        put(&mut bytes, DIGEST_AT, &digest);
        bytes
    }

    /// The header of a file for `points` points of `G`.
    pub(super) fn parse<G: FixedGroup>(bytes: &[u8], points: u64) -> Result<Self, Mistake> {
        let header = |offset, problem| Mistake::new("header", offset, problem);
        let short = |section, expected: u64| {
            let problem = Problem::Length {
                expected,
                actual: bytes.len() as u64,
            };
            Mistake::new(section, bytes.len(), problem)
        };
        if bytes.len() < MAGIC.len() || !bytes.starts_with(MAGIC) {
            return Err(header(0, Problem::Magic));
        }
        if bytes.len() < PARAMETERS_AT {
            return Err(short("header", PARAMETERS_AT as u64));
        }
        let version = u32_at(bytes, VERSION_AT);
        if version != VERSION {
            return Err(header(VERSION_AT, Problem::Version(version)));
        }
        let mut group = [0; GROUP_LENGTH];
        group[..G::NAME.len()].copy_from_slice(G::NAME.as_bytes());
        let found = &bytes[GROUP_AT..GROUP_AT + GROUP_LENGTH];
        if *found != group {
            let name = String::from_utf8_lossy(found)
                .trim_end_matches('\0')
                .to_owned();
            return Err(header(GROUP_AT, Problem::Group(name)));
        }
        let actual = u64_at(bytes, POINTS_AT);
        if actual != points {
            let problem = Problem::Points {
                expected: points,
                actual,
            };
            return Err(header(POINTS_AT, problem));
        }
        let tables = u32_at(bytes, TABLES_AT);
        if tables as usize > MAX_TABLES {
            let problem = Problem::Parameters(format!("{tables} tables, at most {MAX_TABLES}"));
            return Err(header(TABLES_AT, problem));
        }
        // Both counts are held against the file's length before anything is made of that size.
        let checksums_at = checksums_start(tables as usize);
        if bytes.len() < checksums_at {
            return Err(short("parameters", checksums_at as u64));
        }
        let count = u64_at(bytes, COUNT_AT);
        let end = count
            .checked_mul(32)
            .and_then(|length| length.checked_add(checksums_at as u64))
            .and_then(|end| end.checked_next_multiple_of(PAGE as u64))
            .unwrap_or(u64::MAX);
        if (bytes.len() as u64) < end {
            return Err(short("checksums", end));
        }
        let end = end as usize;
        if digest(&bytes[..end]) != bytes[DIGEST_AT..DIGEST_AT + 32] {
            return Err(header(DIGEST_AT, Problem::Checksum));
        }
        let strategies = bytes[PARAMETERS_AT..checksums_at]
            .chunks_exact(PARAMETERS_LENGTH)
            .enumerate()
            .map(|(table, numbers)| {
                strategy_of(numbers).ok_or_else(|| {
                    let offset = PARAMETERS_AT + table * PARAMETERS_LENGTH;
                    let problem = Problem::Parameters("an unknown kind of table".to_owned());
                    Mistake::new("parameters", offset, problem)
                })
            })
            .collect::<Result<_, _>>()?;
        let checksums = bytes[checksums_at..checksums_at + 32 * count as usize]
            .chunks_exact(32)
            .map(|chunk| core::array::from_fn(|place| chunk[place]))
            .collect();
        Ok(Self {
            group: G::NAME,
            points,
            basis: core::array::from_fn(|place| bytes[BASIS_AT + place]),
            strategies,
            checksums,
        })
    }
}

/// A strategy as four numbers of eight bytes: its kind, and what belongs to that.
fn numbers_of(strategy: &Strategy) -> [u64; 4] {
    match *strategy {
        Strategy::Windows { points, count } => [1, points as u64, count as u64, 0],
        Strategy::Comb {
            rounds,
            bits,
            digits,
        } => {
            let digits = match digits {
                Digits::Unsigned => 0,
                Digits::Signed { order } => match order {
                    Order::Consecutive => 1,
                    Order::Strided => 2,
                },
            };
            [2, rounds as u64, bits as u64, digits]
        }
    }
}

/// The inverse of [`numbers_of`], none for other numbers. Bounds are checked when the table is shaped.
fn strategy_of(bytes: &[u8]) -> Option<Strategy> {
    let [kind, first, second, third]: [u64; 4] = core::array::from_fn(|i| u64_at(bytes, 8 * i));
    let (first, second) = (first.try_into().ok()?, second.try_into().ok()?);
    match (kind, third) {
        (1, 0) => Some(Strategy::Windows {
            points: first,
            count: second,
        }),
        (2, 0..=2) => Some(Strategy::Comb {
            rounds: first,
            bits: second,
            digits: match third {
                0 => Digits::Unsigned,
                1 => Digits::Signed {
                    order: Order::Consecutive,
                },
                _ => Digits::Signed {
                    order: Order::Strided,
                },
            },
        }),
        _ => None,
    }
}

/// SHA-256 of the bytes without the field for it.
fn digest(bytes: &[u8]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(&bytes[..DIGEST_AT]);
    hasher.update(&bytes[PARAMETERS_AT..]);
    hasher.finalize().into()
}

fn put(bytes: &mut [u8], at: usize, field: &[u8]) {
    bytes[at..at + field.len()].copy_from_slice(field);
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(core::array::from_fn(|place| bytes[at + place]))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(core::array::from_fn(|place| bytes[at + place]))
}

fn padded(length: usize) -> usize {
    length.next_multiple_of(PAGE)
}

/// Where the checksums of a file with so many tables start.
const fn checksums_start(tables: usize) -> usize {
    PARAMETERS_AT + tables * PARAMETERS_LENGTH
}

const MAGIC: &[u8; 8] = b"frumtbl\n";
const VERSION: u32 = 1;
const VERSION_AT: usize = 8;
const TABLES_AT: usize = 12;
const GROUP_AT: usize = 16;
const GROUP_LENGTH: usize = 16;
const POINTS_AT: usize = 32;
const COUNT_AT: usize = 40;
/// Where the digest of the points is.
pub(super) const BASIS_AT: usize = 64;
const DIGEST_AT: usize = 96;
/// Where the strategies start.
pub(super) const PARAMETERS_AT: usize = 128;
const PARAMETERS_LENGTH: usize = 32;
/// Entries start at a page, so that each of Banderwagon's lies in two cache lines.
pub(super) const PAGE: usize = 4096;
