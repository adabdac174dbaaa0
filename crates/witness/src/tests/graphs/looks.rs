//! Reading a graph that nobody wants any more ends soon, however long each of its parts is.

use std::thread;
use std::time::Duration;

use frumious_parallel::{Cancellation, Cancelled};

use super::writer::{File, node, varint};
use crate::Graph;

/// Of decompressed bytes.
const MOST: u64 = 1 << 28;

/// Reads bytes when this is not wanted any more, and before it is so.
fn is_stopped_at_once(bytes: &[u8]) {
    assert!(
        Graph::from_bytes(bytes, MOST).is_err(),
        "refused at its end"
    );
    let cancellation = Cancellation::new();
    let outcome = cancellation.run(|| {
        cancellation.cancel();
        Graph::from_bytes(bytes, MOST).is_ok()
    });
    assert_eq!(outcome, Err(Cancelled));
}

/// Fails if none of some attempts was stopped: a thread may come too late to ask for it.
fn is_stopped_on_the_way(bytes: &[u8]) {
    let stopped = (0..5).any(|_| {
        let cancellation = Cancellation::new();
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(5));
                cancellation.cancel();
            });
            cancellation.run(|| Graph::from_bytes(bytes, MOST).is_ok()) == Err(Cancelled)
        })
    });
    assert!(stopped);
}

/// Of circom-witnesscalc: wires, of which none is there.
#[test]
fn metadata_are_stopped() {
    let mut file = File::of_two();
    file.nodes.clear();
    file.wires = vec![0; 1 << 19];
    is_stopped_at_once(&file.bytes());
}

/// Of circom-witness-rs to 0.3: nodes, behind which nothing follows.
#[test]
fn nodes_that_are_counted_are_stopped() {
    let mut bytes = Vec::new();
    varint(&mut bytes, 1 << 17);
    for _ in 0..1 << 17 {
        bytes.extend([3, 2, 0, 0]); // a sum
    }
    is_stopped_at_once(&bytes);
}

#[test]
fn nodes_are_stopped() {
    let mut file = File::of_two();
    file.nodes.resize(1 << 20, node(4, &[0, 1, 2]));
    is_stopped_on_the_way(&file.bytes());
}

/// A frame of Zstandard (RFC 8878, section 3.1.1): blocks of one byte, repeated.
#[test]
fn decompression_is_stopped() {
    const LARGEST_BLOCK: u32 = 1 << 17;
    const REPEATED: u32 = 1 << 1;
    let mut bytes = b"CWGR\x04PZ\0".to_vec();
    bytes.extend([0x28, 0xb5, 0x2f, 0xfd, 0, 0x38]); // magic; nothing told but the window of 2^17 bytes
    for block in (0..1 << 10).rev() {
        let header = LARGEST_BLOCK << 3 | REPEATED | u32::from(block == 0);
        bytes.extend_from_slice(&header.to_le_bytes()[..3]);
        bytes.push(0);
    }
    is_stopped_on_the_way(&bytes);
}
