//! Contract code as values of the tree.

use super::Value;

/// Bytes of code in a value; the byte before them counts push data.
pub const CHUNK_BYTES: usize = 31;

/// The code as values of 31 bytes of code each, the last filled up with zeros. Before them a byte counts the leading
/// ones that are data of a push instruction of an earlier chunk, at most 31. Empty code has no values.
///
/// The byte lets a chunk be checked for jump destinations without the ones before it. Source: EIP-6800, "Code".
pub fn chunkify(code: &[u8]) -> Vec<Value> {
    let mut data_left = 0;
    code.chunks(CHUNK_BYTES)
        .map(|bytes| {
            let mut value = [0; 32];
            value[1..=bytes.len()].copy_from_slice(bytes);
            // At most 31, so it fits the byte.
            value[0] = data_left.min(CHUNK_BYTES) as u8;
            data_left = data_behind(bytes, data_left);
            value
        })
        .collect()
}

/// Number of bytes behind these that are push data, when the first `position` of these are.
fn data_behind(bytes: &[u8], mut position: usize) -> usize {
    while position < bytes.len() {
        position += 1 + push_bytes(bytes[position]);
    }
    position - bytes.len()
}

/// Bytes of data behind this instruction: those of PUSH1 (0x60) to PUSH32 (0x7f).
fn push_bytes(instruction: u8) -> usize {
    match instruction {
        0x60..=0x7f => usize::from(instruction) - 0x5f,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges() {
        assert!(chunkify(&[]).is_empty());
        assert_eq!(chunkify(&[0x00]), [[0; 32]]);
        assert_eq!(chunkify(&[1; 31]).len(), 1);
        assert_eq!(chunkify(&[1; 32]).len(), 2);
    }

    #[test]
    fn push32_at_the_end_of_a_chunk_spans_two() {
        let mut code = vec![0x01; 30];
        code.push(0x7f);
        code.extend([0x60; 33]); // 32 bytes of data, then a PUSH1
        code.push(0x7f); // its data
        let counts: Vec<u8> = chunkify(&code).iter().map(|value| value[0]).collect();
        // The PUSH1 is the second byte of the third chunk: only one byte there is data from before.
        assert_eq!(counts, [0, 31, 1]);
    }

    /// The same from the definition: a byte is data if an instruction at most 32 before it reaches it.
    #[test]
    fn random_code_against_marks() {
        let mut state = 7u32;
        for length in 0..300 {
            let code: Vec<u8> = (0..length)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    0x58 + (state >> 16) as u8 % 0x28
                })
                .collect();
            let mut is_data = vec![false; code.len() + 64];
            for i in 0..code.len() {
                if !is_data[i] {
                    is_data[i + 1..i + 1 + push_bytes(code[i])].fill(true);
                }
            }
            for (c, value) in chunkify(&code).iter().enumerate() {
                let marks = &is_data[31 * c..];
                let first_data = marks.iter().take(31).take_while(|&&mark| mark).count();
                // Data of a push that starts in this very chunk cannot be at its start.
                assert_eq!(
                    usize::from(value[0]),
                    first_data,
                    "length {length}, chunk {c}"
                );
            }
        }
    }
}
