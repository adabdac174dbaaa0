//! The hash of a circuit under a ceremony, which every contribution to the circuit's own phase builds on.
//!
//! BLAKE2b-512 over, in this order: α, β in G1, β in G2, γ, δ in G1, δ in G2. Then IC, the quotient's points, C, A, B1,
//! B2, each preceded by its length as 32 bits, big-endian. Points are in their uncompressed form: coordinates
//! big-endian, the imaginary part first (as in EIP-197; for BLS12-381 without flags), infinity all zeros. The
//! quotient's points are here τ^(n+i) − τ^i, i < n − 1, as phase 2 of the first ceremonies had them, although section 9
//! has others. Source: observed of snarkjs 0.7.6 (`groth16 setup`), whose hashes are reproduced in the tests.

mod overrun;

use crate::generic::{Ptau, ZkeyWriter};
use blake2::{Blake2b512, Digest};
use frumious_circom::{Error, FileKind};
use frumious_curves::Group;
use frumious_curves::engine::PairingGroup;
use frumious_groth16::{KeyHeader, ProvingEngine};
use frumious_parallel::{for_each_chunk_mut, map_indices};
use std::io::{Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;

/// The hash, while the key is being made.
pub(super) struct CircuitHash<E> {
    blake: Blake2b512,
    engine: PhantomData<E>,
}

impl<E: ProvingEngine> CircuitHash<E> {
    pub(super) fn new(header: &KeyHeader<E>) -> Self {
        let mut blake = Blake2b512::new();
        update(&mut blake, &header.alpha_g1);
        update(&mut blake, &header.beta_g1);
        update(&mut blake, &header.beta_g2);
        update(&mut blake, &header.gamma_g2);
        update(&mut blake, &header.delta_g1);
        update(&mut blake, &header.delta_g2);
        Self {
            blake,
            engine: PhantomData,
        }
    }

    /// One section's points, read back from the key: to be called for IC, then (after
    /// [`quotient_points`](Self::quotient_points)) C, A, B1, B2. The key has all of its sections but the last.
    pub(super) fn section<A: PairingGroup, W: Read + Write + Seek>(
        &mut self,
        key: &mut ZkeyWriter<E, W>,
        number: u32,
    ) -> Result<(), Error> {
        let (offset, n) = key.section_place(number);
        self.length(n as usize);
        let read_error = |source| Error::Write {
            file: FileKind::Zkey,
            source,
        };
        let out = key.output();
        let end = out.stream_position().map_err(read_error)?;
        out.seek(SeekFrom::Start(offset)).map_err(read_error)?;
        let mut bytes = vec![0; A::BYTES * GROUP.min(n as usize)];
        for start in (0..n as usize).step_by(GROUP) {
            let piece = &mut bytes[..A::BYTES * GROUP.min(n as usize - start)];
            out.read_exact(piece).map_err(read_error)?;
            for_each_chunk_mut(piece, A::BYTES * TASK, |_, points| {
                for point in points.chunks_exact_mut(A::BYTES) {
                    let decoded = A::from_montgomery_bytes_unchecked(point);
                    point.copy_from_slice(decoded.to_big_endian_bytes().as_ref());
                }
            });
            self.blake.update(piece);
        }
        out.seek(SeekFrom::Start(end)).map_err(read_error)?;
        Ok(())
    }

    /// The quotient's points for the domain of 2^`log_n`. One more of them than announced for domains from 2^15 on:
    /// snarkjs hashes whole blocks of 2^14 there.
    pub(super) fn quotient_points(&mut self, ptau: &Ptau<E>, log_n: u32) -> Result<(), Error> {
        let n = 1_usize << log_n;
        self.length(n - 1);
        let powers = ptau.tau_g1();
        let announced = if n - 1 > BLOCK { n } else { n - 1 };
        // 2n − 1 powers are there for sure; the last difference of whole blocks needs one more.
        let available = announced.min(powers.len() - n);
        for group in (0..available).step_by(GROUP) {
            let in_group = GROUP.min(available - group);
            let blocks = map_indices(in_group.div_ceil(TASK), |task| {
                let start = group + task * TASK;
                let end = (start + TASK).min(group + in_group);
                let difference = |i: usize| {
                    let low = -powers.get(i)?;
                    Ok::<_, Error>(low.plus(&powers.get(n + i)?.into()))
                };
                let differences: Vec<_> = (start..end).map(difference).collect::<Result<_, _>>()?;
                Ok::<_, Error>(E::G1::normalise_vartime(&differences))
            });
            for block in blocks {
                for point in block? {
                    update(&mut self.blake, &point);
                }
            }
        }
        if available < announced {
            self.blake.update(overrun::last_difference(ptau, n));
        }
        Ok(())
    }

    pub(super) fn finish(self) -> [u8; 64] {
        self.blake.finalize().into()
    }

    fn length(&mut self, length: usize) {
        let length = u32::try_from(length).expect("a zkey's header counts in 32 bits");
        self.blake.update(length.to_be_bytes());
    }
}

fn update(blake: &mut Blake2b512, point: &impl PairingGroup) {
    blake.update(point.to_big_endian_bytes());
}

/// Points that snarkjs hashes at a time.
const BLOCK: usize = 1 << 14;
/// Differences held at once, and of one task.
const GROUP: usize = 1 << 16;
const TASK: usize = 1 << 10;
