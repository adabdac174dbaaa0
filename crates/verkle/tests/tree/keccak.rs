//! Keccak-256, for the code hashes that test vectors leave out. Source: FIPS 202, with Keccak's own padding.

pub fn keccak256(message: &[u8]) -> [u8; 32] {
    const RATE: usize = 136;
    let mut padded = message.to_vec();
    padded.push(1);
    padded.resize(padded.len().next_multiple_of(RATE), 0);
    *padded.last_mut().expect("not empty") |= 0x80;
    let mut state = [0u64; 25];
    for block in padded.chunks(RATE) {
        for (lane, bytes) in state.iter_mut().zip(block.chunks(8)) {
            *lane ^= u64::from_le_bytes(bytes.try_into().expect("8 bytes"));
        }
        permute(&mut state);
    }
    core::array::from_fn(|i| state[i / 8].to_le_bytes()[i % 8])
}

fn permute(a: &mut [u64; 25]) {
    let mut lfsr = 1u8;
    for _ in 0..24 {
        let c: [u64; 5] = core::array::from_fn(|x| (0..5).fold(0, |sum, y| sum ^ a[x + 5 * y]));
        for i in 0..25 {
            a[i] ^= c[(i + 4) % 5] ^ c[(i + 1) % 5].rotate_left(1);
        }
        let (mut x, mut y, mut moved) = (1, 0, a[1]);
        for t in 1..25u32 {
            (x, y) = (y, (2 * x + 3 * y) % 5);
            moved = core::mem::replace(&mut a[x + 5 * y], moved.rotate_left(t * (t + 1) / 2 % 64));
        }
        for row in a.chunks_mut(5) {
            let old: [u64; 5] = core::array::from_fn(|x| row[x]);
            for x in 0..5 {
                row[x] = old[x] ^ (!old[(x + 1) % 5] & old[(x + 2) % 5]);
            }
        }
        for j in 0..7 {
            if lfsr & 1 == 1 {
                a[0] ^= 1 << ((1 << j) - 1);
            }
            lfsr = lfsr << 1 ^ if lfsr & 0x80 == 0 { 0 } else { 0x71 };
        }
    }
}

#[test]
fn of_nothing_and_of_two_blocks() {
    assert_eq!(keccak256(&[]), frumious_verkle::tree::EMPTY_CODE_HASH);
    // EIP-55's and Solidity's selector of transfer(address,uint256), from any ABI table.
    assert_eq!(
        keccak256(b"transfer(address,uint256)")[..4],
        [0xa9, 0x05, 0x9c, 0xbb]
    );
}
