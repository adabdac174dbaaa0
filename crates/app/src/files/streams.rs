//! Inputs and outputs that are no files on a disk: `-`, and the descriptors that a shell opened.
//!
//! A pipe that has a name is none of them: whoever swaps a file for one would have us wait.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use frumious_mapping::FileBytes;
use zeroize::Zeroizing;

use crate::failure::{About, Code, Failure};

/// True for `-`, and for a pipe that this process was started with.
pub fn is_stream(path: &Path) -> bool {
    let is_file = || fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    is_minus(path) || (is_descriptor(path) && !is_file())
}

/// True for a name of what this process was started with, be it a pipe or a file.
///
/// An output goes there as it is: whoever opened it has it open, and would not see a file that takes its name.
pub fn is_descriptor(path: &Path) -> bool {
    let names = ["/dev/stdin", "/dev/stdout", "/dev/stderr"];
    let folders = ["/dev/fd", "/proc/self/fd"];
    names.iter().any(|name| path == Path::new(name))
        || folders
            .iter()
            .any(|folder| path.parent() == Some(Path::new(folder)))
}

/// True for the names of standard error.
fn is_error(path: &Path) -> bool {
    let names = ["/dev/stderr", "/dev/fd/2", "/proc/self/fd/2"];
    names.iter().any(|name| path == Path::new(name))
}

/// An open descriptor, by its name, to write to. Of a file, behind what is in it.
///
/// # Errors
/// Those of the system: it opens no socket by a name.
pub(super) fn open_descriptor(path: &Path) -> io::Result<File> {
    match is_error(path) {
        true => standard_error(),
        false => OpenOptions::new().append(true).open(path),
    }
}

/// Refuses an output that is a descriptor and cannot be opened, without opening it.
///
/// # Errors
/// Those of the system, as [`open_descriptor`].
pub(super) fn look_at_descriptor(path: &Path) -> io::Result<()> {
    let found = fs::metadata(path)?;
    #[cfg(unix)]
    if std::os::unix::fs::FileTypeExt::is_socket(&found.file_type()) && !is_error(path) {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "a socket has no name by which it is opened: it can be standard output (-)",
        ));
    }
    let _ = found;
    Ok(())
}

/// True for `-`, and for an output the system's names of standard output: what is printed there would mix with it.
pub fn is_dash(path: &Path) -> bool {
    let names = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
    is_minus(path) || names.iter().any(|name| path == Path::new(name))
}

/// True for `-` alone, which is standard input where a file is read.
fn is_minus(path: &Path) -> bool {
    path == Path::new("-") && HAS_MINUS.load(Relaxed)
}

/// From now on `-` is standard input or output. In a library it is a name: the streams are the program's.
pub fn give_minus_its_meaning() {
    HAS_MINUS.store(true, Relaxed);
}

static HAS_MINUS: AtomicBool = AtomicBool::new(false);

/// All of a stream, to its end; wiped when dropped.
///
/// # Errors
/// A [`Failure`] if it cannot be read, does not fit memory, or has more than [`LONGEST_STREAM_BYTES`].
pub fn read_stream(path: &Path) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let read = match is_minus(path) {
        true => read_to_end(io::stdin().lock()),
        false => File::open(path)
            .map_err(Failure::from)
            .and_then(read_to_end),
    };
    read.about(path)
}

fn read_to_end(from: impl Read) -> Result<Zeroizing<Vec<u8>>, Failure> {
    // An endless stream must end somewhere.
    let mut from = from.take(LONGEST_STREAM_BYTES + 1);
    let mut bytes = Zeroizing::new(Vec::new());
    let mut chunk = Zeroizing::new(vec![0; CHUNK_BYTES]);
    loop {
        let read = match from.read(&mut chunk) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error.into()),
        };
        if bytes.len() + read > bytes.capacity() {
            // Into a larger place, so that the smaller one can be wiped.
            let mut larger = Zeroizing::new(Vec::new());
            let room = (2 * bytes.len()).max(read).max(CHUNK_BYTES);
            larger
                .try_reserve_exact(room)
                .map_err(|error| Failure::new(Code::MemoryLimit, error.to_string()))?;
            larger.extend_from_slice(&bytes);
            bytes = larger;
        }
        bytes.extend_from_slice(&chunk[..read]);
    }
    match bytes.len() as u64 {
        0 => Err(Failure::bad_input("nothing comes out of it (byte 0)")),
        length if length > LONGEST_STREAM_BYTES => Err(Failure::bad_input(format!(
            "more than {LONGEST_STREAM_BYTES} bytes come out of it: give a file"
        ))),
        _ => Ok(bytes),
    }
}

/// The bytes of a file that holds no secret: mapped, or all of a stream.
///
/// # Errors
/// A [`Failure`] with the path.
pub fn map(path: &Path) -> Result<FileBytes, Failure> {
    match is_stream(path) {
        true => owned(path),
        false => FileBytes::map(path).about(path),
    }
}

/// The bytes of a file that holds no secret: read to its end.
///
/// # Errors
/// A [`Failure`] with the path.
pub fn read(path: &Path) -> Result<FileBytes, Failure> {
    match is_stream(path) {
        true => owned(path),
        false => FileBytes::read(path).about(path),
    }
}

fn owned(path: &Path) -> Result<FileBytes, Failure> {
    let mut bytes = read_stream(path)?;
    Ok(FileBytes::from(std::mem::take(&mut *bytes)))
}

/// Standard output, for a file of its own.
pub(super) fn standard_output() -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
    }
    #[cfg(windows)]
    {
        use std::os::windows::io::AsHandle;
        Ok(File::from(io::stdout().as_handle().try_clone_to_owned()?))
    }
}

/// Standard error, for a file of its own.
fn standard_error() -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        Ok(File::from(io::stderr().as_fd().try_clone_to_owned()?))
    }
    #[cfg(windows)]
    {
        use std::os::windows::io::AsHandle;
        Ok(File::from(io::stderr().as_handle().try_clone_to_owned()?))
    }
}

/// 4 GiB.
pub const LONGEST_STREAM_BYTES: u64 = 1 << 32;
const CHUNK_BYTES: usize = 1 << 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_read_to_its_end_in_pieces_of_any_size() {
        struct Slow(usize);
        impl Read for Slow {
            fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
                let n = into.len().min(self.0).min(1000);
                into[..n].fill(7);
                self.0 -= n;
                Ok(n)
            }
        }
        for length in [1, 999, 1000, 65_536, 65_537, 200_001] {
            let bytes = read_to_end(Slow(length)).expect("it can be read");
            assert_eq!(*bytes, vec![7; length]);
        }
        assert!(read_to_end(Slow(0)).is_err());
    }

    #[test]
    fn standard_output_is_known_by_its_names() {
        give_minus_its_meaning();
        for (path, expected) in [
            ("-", true),
            ("/dev/stdout", true),
            ("/dev/fd/1", true),
            ("/proc/self/fd/1", true),
            ("/dev/fd/11", false),
            ("/dev/stderr", false),
            ("stdout", false),
        ] {
            assert_eq!(is_dash(Path::new(path)), expected, "{path}");
        }
    }

    #[test]
    fn only_what_is_open_already_is_a_stream() {
        give_minus_its_meaning();
        for (path, expected) in [
            ("-", true),
            ("/dev/fd/4999", true),
            ("./-", false),
            ("/dev/null", false),
            ("/tmp", false),
            ("none", false),
        ] {
            assert_eq!(is_stream(Path::new(path)), expected, "{path}");
        }
    }
}
