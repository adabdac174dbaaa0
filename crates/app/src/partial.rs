//! A long output that survives an interruption.
//!
//! It is written to `NAME.partial` beside its target and renamed when it is whole. A journal, `NAME.partial.journal`,
//! names its inputs and the bytes that are there for sure. It has lines of text. Each is appended after the bytes it
//! speaks of have been flushed to the disk.
//!
//! ```text
//! frumious setup journal 1
//! inputs DIGEST
//! mark SECTION ENTRIES LENGTH DIGEST      the first LENGTH bytes end behind so many entries; digest of those since the mark before
//! ```
//!
//! Who finds a journal for the same inputs reads the bytes again, up to the last mark whose digest is right, and goes
//! on there. A line that was not finished, or that is wrong in any way, ends the journal. Digests are BLAKE2b-256: they
//! guard against disks, not against people who may write to the folder.
//!
//! Both files are locked as long as they are written, and then compared with the files of their names. Of several
//! processes that begin one file at a time one goes on, and the others fail. Neither is opened through a link.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use blake2::digest::consts::U32;
use blake2::{Blake2b, Digest};
use frumious_snarkjs::groth16::{KeyOutput, Position};

use crate::failure::{Code, Failure};
use crate::files::opening::{is_at, open_locked};
use crate::files::{Readers, Replacing, cannot_write, followed, keep_mode, put};

/// A file that is being written, or was begun before.
pub struct PartialFile {
    target: PathBuf,
    /// The files that it may replace.
    replacing: Replacing,
    partial: PathBuf,
    journal_path: PathBuf,
    file: BufWriter<File>,
    journal: File,
    start: Option<Position>,
    /// The last mark, or the start of the file.
    marked: Mark,
    marked_at: Instant,
    /// Of the bytes since the last mark, and their number.
    digest: Blake2b<U32>,
    unmarked: u64,
}

/// Up to where the file is there for sure.
#[derive(Clone, Copy)]
struct Mark {
    section: u32,
    length: u64,
}

impl PartialFile {
    /// Begins a file that will be at `target`, or goes on with one that was begun from the same `inputs`. These are a
    /// digest of all that its contents depend on.
    ///
    /// # Errors
    /// A failure if another process is writing the file, or if it cannot be made.
    pub fn open(target: &Path, inputs: &[u8; 32]) -> Result<Self, Failure> {
        // Through a link, so that the rename replaces the file and not the link.
        let target = &followed(target).map_err(|error| cannot_write(target, &error))?;
        let partial = with_suffix(target, ".partial");
        let journal_path = with_suffix(target, ".partial.journal");
        let taken = "another process is making this file";
        // The journal first, and removed last: who has it has both.
        let journal = open_locked(&journal_path, taken)
            .map_err(|error| cannot_write(&journal_path, &error))?;
        let begun = open_locked(&partial, taken)
            .and_then(|file| begin(target, &partial, &journal_path, inputs, (file, &journal)));
        begun.map_err(|error| {
            if journal.metadata().is_ok_and(|metadata| metadata.len() == 0) {
                // Made just now, and of nothing; if it stays it is only in the way.
                let _ = fs::remove_file(&journal_path);
            }
            cannot_write(&partial, &error)
        })
    }

    /// Where it is written meanwhile.
    pub fn path(&self) -> &Path {
        &self.partial
    }

    /// Bytes that were there when it was opened.
    pub fn resumed_bytes(&self) -> u64 {
        match self.start {
            Some(_) => self.marked.length,
            None => 0,
        }
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// A failure with the path, if the file cannot be written, is no longer ours, or cannot be put in its place. If a
    /// file that only `--force` replaces came there meanwhile, nothing is left of this one.
    pub fn commit(mut self) -> Result<(), Failure> {
        let ready = self.file.flush().and_then(|()| {
            self.file.get_ref().sync_data()?;
            self.still_ours()?;
            keep_mode(self.file.get_ref(), &self.target, Readers::Anyone)
        });
        ready.map_err(|error| cannot_write(&self.target, &error))?;
        match put(&self.partial, &self.target, self.replacing) {
            Err(failure) if failure.code() == Code::WouldReplace => {
                // The journal last: who has it has both. If this fails they are only in the way.
                let _ = fs::remove_file(&self.partial);
                let _ = fs::remove_file(&self.journal_path);
                return Err(failure);
            }
            renamed => renamed?,
        }
        fs::remove_file(&self.journal_path).map_err(|error| cannot_write(&self.target, &error))
    }

    /// Lets `convert` make the target of the whole file, and removes it. If that fails, the file stays.
    ///
    /// # Errors
    /// That of `convert`; a failure with the path, if the partial file cannot be written or removed.
    pub fn commit_through(
        mut self,
        convert: impl FnOnce(&Path) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let flushed = self.file.flush().and_then(|()| self.still_ours());
        flushed.map_err(|error| cannot_write(&self.partial, &error))?;
        if let Err(failure) = convert(&self.partial) {
            return Err(self.keep_or_remove(failure));
        }
        let removed =
            fs::remove_file(&self.partial).and_then(|()| fs::remove_file(&self.journal_path));
        removed.map_err(|error| cannot_write(&self.partial, &error))
    }

    /// After a failure: keeps what is there for sure, and says so, or leaves nothing behind if there is nothing.
    pub fn keep_or_remove(self, failure: Failure) -> Failure {
        if self.marked.length > 0 {
            let kept = format!(
                "what is done is kept in {}: the same command goes on with it",
                self.partial.display()
            );
            return failure.adding(&kept);
        }
        // If even this fails there is nothing left to try.
        let _ = fs::remove_file(&self.partial);
        let _ = fs::remove_file(&self.journal_path);
        failure
    }

    /// True if both names stand for the files that were written.
    fn still_ours(&self) -> io::Result<()> {
        let ours =
            is_at(self.file.get_ref(), &self.partial) && is_at(&self.journal, &self.journal_path);
        match ours {
            true => Ok(()),
            false => Err(io::Error::other(
                "somebody else removed or replaced it meanwhile",
            )),
        }
    }

    fn mark(&mut self, position: Position) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_data()?;
        let length = self.marked.length + self.unmarked;
        let Position { section, entries } = position;
        let digest = hex(&self.digest.finalize_reset());
        writeln!(self.journal, "mark {section} {entries} {length} {digest}")?;
        self.journal.sync_data()?;
        self.marked = Mark { section, length };
        self.unmarked = 0;
        self.marked_at = Instant::now();
        Ok(())
    }
}

impl KeyOutput for PartialFile {
    fn start(&self) -> Option<Position> {
        self.start
    }

    fn checkpoint(&mut self, position: Position) -> io::Result<()> {
        if self.unmarked >= BYTES_BETWEEN_MARKS
            || self.marked.section != position.section
            || self.marked_at.elapsed() >= TIME_BETWEEN_MARKS
        {
            self.mark(position)?;
        }
        Ok(())
    }
}

impl Write for PartialFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        frumious_parallel::check_cancelled();
        let written = self.file.write(bytes)?;
        self.digest.update(&bytes[..written]);
        self.unmarked += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Read for PartialFile {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.file.get_mut().read(bytes)
    }
}

impl Seek for PartialFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to) // writes what is buffered first
    }
}

/// `file` and journal are open and locked.
fn begin(
    target: &Path,
    partial: &Path,
    journal_path: &Path,
    inputs: &[u8; 32],
    (mut file, journal): (File, &File),
) -> io::Result<PartialFile> {
    let mut journal = journal.try_clone()?; // one lock for both
    let head = format!("{TITLE}\ninputs {}\n", hex(inputs));
    let whole = whole_part(&journal, &mut file, &head)?;
    journal.set_len(whole.journal_length)?;
    journal.seek(SeekFrom::End(0))?;
    if whole.journal_length == 0 {
        journal.write_all(head.as_bytes())?;
        journal.sync_data()?;
    }
    file.set_len(whole.mark.length)?;
    file.seek(SeekFrom::End(0))?;
    Ok(PartialFile {
        target: target.to_owned(),
        replacing: Replacing::noted(target),
        partial: partial.to_owned(),
        journal_path: journal_path.to_owned(),
        file: BufWriter::with_capacity(BUFFER_BYTES, file),
        journal,
        start: whole.position,
        marked: whole.mark,
        marked_at: Instant::now(),
        digest: Blake2b::new(),
        unmarked: 0,
    })
}

/// The part of a file and its journal that can be relied on.
struct Whole {
    position: Option<Position>,
    mark: Mark,
    /// Bytes of the journal that say so, none if it belongs to other inputs.
    journal_length: u64,
}

/// Reads the journal, which begins with `head`, and the bytes that it speaks of.
fn whole_part(journal: &File, file: &mut File, head: &str) -> io::Result<Whole> {
    let mut whole = Whole {
        position: None,
        mark: Mark {
            section: 0,
            length: 0,
        },
        journal_length: 0,
    };
    let mut journal = BufReader::new(journal);
    let mut found = vec![0; head.len()];
    let read = journal.read_exact(&mut found);
    if read.is_err() || found != head.as_bytes() {
        return Ok(whole);
    }
    whole.journal_length = head.len() as u64;
    let file_length = file.metadata()?.len();
    let mut line = Vec::new();
    loop {
        frumious_parallel::check_cancelled();
        line.clear();
        journal
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)?;
        let Some((position, length, digest)) = parse(&line) else {
            return Ok(whole);
        };
        if length < whole.mark.length || length > file_length {
            return Ok(whole);
        }
        let mut hasher = Blake2b::<U32>::new();
        io::copy(
            &mut Read::take(&mut *file, length - whole.mark.length),
            &mut HashWriter(&mut hasher),
        )?;
        if hex(&hasher.finalize()) != digest {
            return Ok(whole);
        }
        whole.position = Some(position);
        whole.mark = Mark {
            section: position.section,
            length,
        };
        whole.journal_length += line.len() as u64;
    }
}

/// The position, the length and the digest of a whole line.
fn parse(line: &[u8]) -> Option<(Position, u64, &str)> {
    let line = std::str::from_utf8(line).ok()?.strip_suffix('\n')?;
    let mut words = line.strip_prefix("mark ")?.split(' ');
    let position = Position {
        section: words.next()?.parse().ok()?,
        entries: words.next()?.parse().ok()?,
    };
    let length = words.next()?.parse().ok()?;
    let digest = words.next()?;
    words.next().is_none().then_some((position, length, digest))
}

struct HashWriter<'a>(&'a mut Blake2b<U32>);

impl Write for HashWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A digest of the contents of files, in their order. In parallel.
pub fn digest_of(files: &[&[u8]]) -> [u8; 32] {
    let mut all = Blake2b::<U32>::new();
    for file in files {
        all.update((file.len() as u64).to_le_bytes());
        let pieces = frumious_parallel::map_indices(file.len().div_ceil(PIECE), |index| {
            let piece = &file[index * PIECE..file.len().min((index + 1) * PIECE)];
            Blake2b::<U32>::digest(piece)
        });
        for piece in pieces {
            all.update(piece);
        }
    }
    all.finalize().into()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

const TITLE: &str = "frumious setup journal 1";
const BUFFER_BYTES: usize = 1 << 20;
const BYTES_BETWEEN_MARKS: u64 = 64 << 20;
const TIME_BETWEEN_MARKS: Duration = Duration::from_secs(5);
/// Bytes of an input that are hashed by one task.
const PIECE: usize = 1 << 24;
/// More than a line with the largest numbers has.
const LONGEST_LINE: u64 = 200;

#[cfg(test)]
mod tests {
    use super::*;

    const INPUTS: [u8; 32] = [7; 32];

    fn position(entries: u64) -> Position {
        Position {
            section: entries as u32 + 3,
            entries,
        }
    }

    /// A file of three marked pieces and a rest.
    fn begun(target: &Path) {
        let mut file = PartialFile::open(target, &INPUTS).expect("it can be begun");
        assert_eq!((file.start(), file.resumed_bytes()), (None, 0));
        for k in 1..=3 {
            file.write_all(&[k; 1000]).expect("it can be written");
            file.checkpoint(position(k.into()))
                .expect("it can be marked");
        }
        file.write_all(b"rest").expect("it can be written");
        file.flush().expect("it can be written");
    }

    fn resumed(target: &Path) -> (Option<Position>, u64) {
        let file = PartialFile::open(target, &INPUTS).expect("it can be opened");
        let length = fs::metadata(file.path()).expect("it is there").len();
        assert_eq!(length, file.resumed_bytes());
        (file.start(), length)
    }

    #[test]
    fn what_was_marked_is_found_again_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let target = folder.path().join("key");
        let (partial, journal) = (
            folder.path().join("key.partial"),
            folder.path().join("key.partial.journal"),
        );
        begun(&target);
        assert_eq!(resumed(&target), (Some(position(3)), 3000));
        assert_eq!(resumed(&target), (Some(position(3)), 3000));

        // A line that was not finished, then bytes that changed, then bytes that are missing.
        let text = fs::read_to_string(&journal).expect("it is there");
        fs::write(&journal, &text[..text.len() - 1]).expect("it can be written");
        assert_eq!(resumed(&target), (Some(position(2)), 2000));
        let mut bytes = fs::read(&partial).expect("it is there");
        bytes[1500] ^= 1;
        fs::write(&partial, &bytes).expect("it can be written");
        assert_eq!(resumed(&target), (Some(position(1)), 1000));
        fs::write(&partial, &bytes[..999]).expect("it can be written");
        assert_eq!(resumed(&target), (None, 0));
    }

    #[test]
    fn other_inputs_begin_anew() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let target = folder.path().join("key");
        begun(&target);
        let file = PartialFile::open(&target, &[8; 32]).expect("it can be opened");
        assert_eq!(file.start(), None);
        drop(file);
        let file = PartialFile::open(&target, &INPUTS).expect("it can be opened");
        assert_eq!(file.start(), None);
    }

    #[test]
    fn committed_files_are_in_their_place_and_leave_nothing() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let target = folder.path().join("key");
        begun(&target);
        assert!(!target.exists());
        let mut file = PartialFile::open(&target, &INPUTS).expect("it can be opened");
        assert!(
            PartialFile::open(&target, &INPUTS).is_err(),
            "two at a time"
        );
        file.write_all(b"end").expect("it can be written");
        file.commit().expect("it can be renamed");
        let bytes = fs::read(&target).expect("it is there");
        assert_eq!((bytes.len(), &bytes[3000..]), (3003, &b"end"[..]));
        assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 1);
    }

    #[test]
    fn a_key_that_came_meanwhile_stays() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let target = folder.path().join("key");
        begun(&target);
        let file = PartialFile::open(&target, &INPUTS).expect("it can be opened");
        fs::write(&target, "fkey of somebody else").expect("it can be written");
        let failure = file.commit().expect_err("a key is there");
        assert_eq!(failure.code(), Code::WouldReplace);
        let bytes = fs::read(&target).expect("it is there");
        assert_eq!(bytes, b"fkey of somebody else");
        assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_file_that_is_not_there_makes_that_file() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("key", &link).expect("it can be linked");
        begun(&link);
        let file = PartialFile::open(&link, &INPUTS).expect("it can be opened");
        assert_eq!(file.path(), folder.path().join("key.partial"));
        file.commit().expect("it can be renamed");
        let metadata = fs::symlink_metadata(&link).expect("it is there");
        assert!(metadata.is_symlink());
        assert!(folder.path().join("key").is_file());
    }

    #[test]
    fn digests_depend_on_where_a_file_ends() {
        let digests = [
            digest_of(&[b"ab", b"c"]),
            digest_of(&[b"a", b"bc"]),
            digest_of(&[b"abc"]),
            digest_of(&[]),
        ];
        for (i, digest) in digests.iter().enumerate() {
            assert!(!digests[..i].contains(digest));
        }
    }
}
