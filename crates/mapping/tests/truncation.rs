//! A mapped file that is truncated while it is read ends the process with a message, not with a bare signal.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use std::process::Command;

use frumious_mapping::{FileBytes, exit_on_truncated_mapping};

/// Tells the test below that it runs as the child process, and which file to use.
const CHILD_FILE: &str = "FRUMIOUS_TRUNCATION_TEST_FILE";

#[test]
#[cfg(target_os = "linux")]
fn reading_beyond_a_truncation_exits_with_a_message() {
    if let Some(path) = std::env::var_os(CHILD_FILE) {
        read_beyond_the_end(path.as_ref());
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("huge.zkey");
    std::fs::write(&path, vec![7; 1 << 20]).unwrap();
    let output = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "reading_beyond_a_truncation_exits_with_a_message",
        ])
        .args(["--nocapture", "--test-threads=1"])
        .env(CHILD_FILE, &path)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{:?}", output.status);
    let message = String::from_utf8(output.stderr).unwrap();
    let expected = format!(
        "frumious: {}: the file was truncated while in use\n",
        path.display()
    );
    assert!(message.ends_with(&expected), "{message}");
}

fn read_beyond_the_end(path: &std::path::Path) -> ! {
    exit_on_truncated_mapping();
    // Mappings that have gone and one that is in order must not confuse the handler.
    for _ in 0..200 {
        drop(FileBytes::map(path).unwrap());
    }
    let sound = FileBytes::map(std::env::current_exe().unwrap()).unwrap();
    let bytes = FileBytes::map(path).unwrap();
    assert!(sound[0] == 0x7f && bytes[bytes.len() - 1] == 7);
    std::fs::File::options()
        .write(true)
        .open(path)
        .unwrap()
        .set_len(4096)
        .unwrap();
    let sum: u64 = bytes.iter().map(|&byte| u64::from(byte)).sum();
    unreachable!("the pages beyond 4096 are gone, but their sum is {sum}");
}
