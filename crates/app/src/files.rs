//! Files that come into being whole or not at all.
//!
//! An output is written to a new file beside its target (`temporary`), flushed to the disk, and renamed over it. Who
//! looks sees the old file or the new one. A target that is no regular file (`/dev/stdout`, a pipe) is written to
//! directly.
//!
//! Inputs are regular files (`frumious_mapping`), and a path that is swapped for a pipe is refused at once. Or they are
//! streams that are open already ([`streams`]). A pipe as an output is waited for: who names one has somebody who reads
//! it.

pub mod opening;
mod paths;
mod replacing;
mod staying;
pub mod streams;
mod temporary;
mod together;
pub(crate) mod unnamed;

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use frumious_mapping::open_regular_file;
pub(crate) use temporary::keep_mode;
use temporary::{Temporary, remove_abandoned};
use together::LockedFolders;
use zeroize::Zeroizing;

use crate::failure::{Code, Failure};
pub(crate) use paths::followed;
use paths::{ends_with_name, folder_of, leads_to_descriptor, same_file};
pub use paths::{is_absent, is_replaced};
pub use replacing::allow_replacing;
pub(crate) use replacing::{Replacing, put};
use staying::refuse_to_stay;
pub use streams::{give_minus_its_meaning, is_dash, is_stream};

/// Who may read an output.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    /// Whoever the process's umask lets.
    Anyone,
    /// Its owner: the file holds a witness, or tells of one.
    Owner,
}

/// A file being written. Dropped before [`OutputFile::commit`], it leaves nothing behind.
pub struct OutputFile {
    target: PathBuf,
    place: Place,
    /// The files that it may replace.
    replacing: Replacing,
    /// Bytes still to be written, wiped in the end.
    buffer: Zeroizing<Vec<u8>>,
}

/// Where an output is written to.
enum Place {
    /// To a new file, which will have this name.
    Beside(Temporary, OsString),
    /// To the target, which is no regular file.
    Target(File),
}

impl OutputFile {
    /// Begins a file that will be at `target`.
    ///
    /// # Errors
    /// A failure with the path, if the file cannot be made.
    pub fn create(target: &Path, readers: Readers) -> Result<Self, Failure> {
        let mut file = Self::create_replacing(target, readers)?;
        if readers == Readers::Anyone && matches!(file.place, Place::Beside(..)) {
            file.replacing = Replacing::noted(&file.target);
        }
        Ok(file)
    }

    /// As [`OutputFile::create`], of a file that its writer reads again.
    ///
    /// # Errors
    /// A failure with the path for a stream, too: that is told before the work, and not after it.
    pub fn create_to_read(target: &Path) -> Result<Self, Failure> {
        let file = Self::create(target, Readers::Anyone)?;
        match file.place {
            Place::Beside(..) => Ok(file),
            Place::Target(_) => {
                let reason = "it is read again when it is written: give it the name of a file";
                Err(Failure::new(Code::Usage, reason).about(target))
            }
        }
    }

    /// As [`OutputFile::create`], for what is made again at any time: it replaces whatever is there.
    fn create_replacing(target: &Path, readers: Readers) -> Result<Self, Failure> {
        let file = Self::begin(target, readers)?;
        if let Place::Beside(_, name) = &file.place {
            remove_abandoned(&file.target, name);
        }
        Ok(file)
    }

    fn begin(target: &Path, readers: Readers) -> Result<Self, Failure> {
        match begin(target, readers) {
            Ok((target, place)) => Ok(Self {
                target,
                place,
                replacing: Replacing::Anything,
                buffer: Zeroizing::default(),
            }),
            Err(error) => Err(cannot_write(target, &error)),
        }
    }

    /// Where it is found meanwhile.
    pub fn path(&self) -> PathBuf {
        match &self.place {
            Place::Beside(temporary, _) => temporary.path(),
            Place::Target(_) => self.target.clone(),
        }
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// A failure with the path, if the file cannot be written or put in its place. Also if a file that only `--force`
    /// replaces came there meanwhile. The target is then as it was.
    pub fn commit(mut self) -> Result<(), Failure> {
        self.sync()?;
        self.rename()
    }

    /// Everything to the disk. A witness does not wait for it. After a power loss it may be cut: its readers see that
    /// by the lengths in it, and it is calculated again.
    fn sync(&mut self) -> Result<(), Failure> {
        let written = self.write_buffer().and_then(|()| match &self.place {
            Place::Beside(temporary, _) if !temporary.is_for_owner() => temporary.file.sync_data(),
            Place::Beside(..) | Place::Target(_) => Ok(()),
        });
        written.map_err(|error| cannot_write(&self.target, &error))
    }

    /// Gives it its name.
    fn rename(mut self) -> Result<(), Failure> {
        match &mut self.place {
            Place::Beside(temporary, name) => temporary.rename(&self.target, name, self.replacing),
            Place::Target(_) => Ok(()),
        }
    }

    fn file(&mut self) -> &mut File {
        match &mut self.place {
            Place::Beside(temporary, _) => &mut temporary.file,
            Place::Target(file) => file,
        }
    }

    fn write_buffer(&mut self) -> io::Result<()> {
        frumious_parallel::check_cancelled();
        let buffer = std::mem::take(&mut self.buffer);
        let written = self.file().write_all(&buffer);
        self.buffer = buffer;
        self.buffer.clear();
        written
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.buffer.len() + bytes.len() > BUFFER_BYTES {
            self.write_buffer()?;
        }
        // All of it at once, and never more than there is room for, or a copy would be left behind.
        let room = BUFFER_BYTES - self.buffer.len();
        self.buffer.reserve_exact(room);
        let taken = bytes.len().min(BUFFER_BYTES);
        self.buffer.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_buffer()?;
        self.file().flush()
    }
}

/// The content so far is read back, for outputs that are hashed when they are whole. Streams cannot be.
impl Read for OutputFile {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.file().read(bytes)
    }
}

impl Seek for OutputFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.write_buffer()?;
        self.file().seek(to)
    }
}

/// Writes a whole file.
///
/// # Errors
/// As [`write_all`].
pub fn write(target: &Path, contents: &(impl AsRef<[u8]> + ?Sized)) -> Result<(), Failure> {
    write_all(&[(target, contents.as_ref())])
}

/// As [`write()`], a file that its owner alone can read.
///
/// # Errors
/// A failure with the path if it cannot be written.
pub fn write_for_owner(
    target: &Path,
    contents: &(impl AsRef<[u8]> + ?Sized),
) -> Result<(), Failure> {
    let mut file = OutputFile::create(target, Readers::Owner)?;
    file.write_all(contents.as_ref())
        .map_err(|error| cannot_write(target, &error))?;
    file.commit()
}

/// Writes several files that belong together. None is put in its place before all are on the disk. Then all are, in
/// this order; other processes that write the same names do not get between (`together`). They replace whatever is
/// there.
///
/// # Errors
/// A failure with the path of the first file that cannot be written.
pub fn write_all<C: AsRef<[u8]>>(contents: &[(&Path, C)]) -> Result<(), Failure> {
    let mut files = Vec::new();
    for (target, contents) in contents {
        let mut file = OutputFile::create_replacing(target, Readers::Anyone)?;
        file.write_all(contents.as_ref())
            .map_err(|error| cannot_write(target, &error))?;
        file.sync()?;
        files.push(file);
    }
    let targets: Vec<&Path> = files.iter().map(|file| &*file.target).collect();
    let locked = (targets.len() > 1).then(|| LockedFolders::of(&targets));
    let renamed = files.into_iter().try_for_each(OutputFile::rename);
    drop(locked);
    renamed
}

/// Makes sure, before the long work, that `outputs` can be written, and that none of them is another output or an
/// input. Notes what each may replace in the end (`replacing`).
///
/// # Errors
/// A failure for an output that cannot be made, or that would overwrite an input or another output.
pub fn check_outputs(outputs: &[&Path], inputs: &[&Path]) -> Result<(), Failure> {
    for (i, output) in outputs.iter().enumerate() {
        // A device or a pipe is not tried: opening it may wait for its other end.
        if is_replaced(output) || output.is_dir() {
            drop(OutputFile::begin(output, Readers::Anyone)?);
            replacing::note(output);
        }
        // Two names for one device or pipe are allowed: nothing is overwritten there.
        let others = outputs[..i].iter().chain(inputs);
        for other in others.filter(|other| is_replaced(other)) {
            if same_file(output, other) {
                return Err(Failure::bad_input(format!(
                    "{}: the output would overwrite {}",
                    output.display(),
                    other.display()
                )));
            }
        }
    }
    Ok(())
}

/// Makes sure, before the long work, that a stream that is named as an output is open.
///
/// # Errors
/// A failure with the path, if it is not.
pub fn expect_open(output: &Path) -> Result<(), Failure> {
    if is_dash(output) || !leads_to_descriptor(output) {
        return Ok(());
    }
    let looked = followed(output).and_then(|path| streams::look_at_descriptor(&path));
    looked.map_err(|error| cannot_write(output, &error))
}

/// Reads a text file.
///
/// # Errors
/// A failure with the path, if the file cannot be read or is not UTF-8.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    let bytes = streams::read(path)?;
    std::str::from_utf8(&bytes)
        .map(str::to_owned)
        .map_err(|error| {
            let offset = error.valid_up_to();
            Failure::bad_input(format!("{}: not UTF-8 (byte {offset})", path.display()))
        })
}

/// Reads a file whose contents are secret: wiped when dropped.
///
/// # Errors
/// A failure with the path, if the file cannot be read, is not regular, or does not fit memory.
pub fn read_secret(path: &Path) -> Result<Zeroizing<Vec<u8>>, Failure> {
    if is_stream(path) {
        return streams::read_stream(path);
    }
    let (file, metadata) = open_regular_file(path).map_err(frumious_circom::Error::from)?;
    // Room for all of it, so that no copy remains in freed memory.
    let length = usize::try_from(metadata.len()).unwrap_or(usize::MAX);
    let mut bytes = Zeroizing::new(Vec::new());
    bytes
        .try_reserve_exact(length)
        .map_err(|error| Failure::bad_input(format!("{}: {error}", path.display())))?;
    let read = file.take(metadata.len()).read_to_end(&mut bytes);
    read.map_err(|error| Failure::bad_input(format!("{}: {error}", path.display())))?;
    Ok(bytes)
}

/// The failure to write to `target`.
pub fn cannot_write(target: &Path, error: &io::Error) -> Failure {
    let failure = Failure::of_system(&format!("cannot write {}", target.display()), error);
    let folder = folder_of(target);
    match folder.is_dir() {
        true if error.kind() == io::ErrorKind::NotADirectory && !ends_with_name(target) => {
            failure.hinting("Give the name of a file: this is one of a folder.")
        }
        true => failure,
        false => failure.hinting(&format!("There is no folder {}.", folder.display())),
    }
}

/// The target with links resolved, and where to write to.
fn begin(target: &Path, readers: Readers) -> io::Result<(PathBuf, Place)> {
    if is_dash(target) {
        return Ok((
            target.to_owned(),
            Place::Target(streams::standard_output()?),
        ));
    }
    // Through a link, so that the rename replaces the file and not the link.
    let target = followed(target)?;
    if target.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !ends_with_name(&target) {
        return Err(io::ErrorKind::NotADirectory.into()); // else told by the rename, after the work
    }
    if streams::is_descriptor(&target) {
        let file = streams::open_descriptor(&target)?;
        return Ok((target, Place::Target(file)));
    }
    if !is_replaced(&target) {
        let file = OpenOptions::new().write(true).open(&target)?;
        return Ok((target, Place::Target(file)));
    }
    refuse_to_stay(&target)?; // else told by the rename, too
    let name = target.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
    let place = Place::Beside(
        Temporary::beside(&target, name, readers)?,
        name.to_os_string(),
    );
    Ok((target, place))
}

const BUFFER_BYTES: usize = 1 << 17;

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("the folder is there");
        let names = entries.map(|entry| entry.expect("it can be read").file_name());
        let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into()).collect();
        names.sort();
        names
    }

    #[test]
    fn an_output_is_there_whole_or_not_at_all() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let target = folder.path().join("out.json");
        fs::write(&target, "old").expect("it can be written");
        let mut file = OutputFile::create(&target, Readers::Anyone).expect("it can be created");
        file.write_all(b"new").expect("it can be written");
        assert_eq!(fs::read(&target).expect("it is there"), b"old");
        drop(file);
        assert_eq!(names(folder.path()), ["out.json"]);
        assert_eq!(fs::read(&target).expect("it is there"), b"old");
        write(&target, "new").expect("it can be written");
        assert_eq!(names(folder.path()), ["out.json"]);
        assert_eq!(fs::read(&target).expect("it is there"), b"new");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_killed_processes_left_is_removed() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let target = folder.path().join("out");
        let living = format!(".out.{}-7.tmp", std::process::id());
        // Process numbers are below 2^22.
        let left = [".out.4999999-0.tmp", ".out.x-0.tmp", ".other.4999999-0.tmp"];
        for name in left.iter().copied().chain([living.as_str()]) {
            fs::write(folder.path().join(name), "half").expect("it can be written");
        }
        write(&target, "whole").expect("it can be written");
        let mut expected = vec![left[1], left[2], living.as_str(), "out"];
        expected.sort_unstable();
        assert_eq!(names(folder.path()), expected);
    }

    #[test]
    fn of_several_files_none_is_replaced_if_one_cannot_be_written() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (good, bad) = (folder.path().join("good"), folder.path().join("none/bad"));
        assert!(write_all(&[(&good, "1"), (&bad, "2")]).is_err());
        assert!(names(folder.path()).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn files_that_belong_together_are_of_one_writer() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let names = ["signals", "proof"].map(|name| folder.path().join(name));
        let read = |path: &Path| fs::read_to_string(path).expect("it is there");
        for round in 0..50 {
            // At once, so that they meet; a folder is locked for each of them, not for the process.
            std::thread::scope(|scope| {
                for writer in ["1", "2", "3", "4"] {
                    let names = &names;
                    scope.spawn(move || {
                        let [signals, proof] = [&*names[0], &*names[1]];
                        write_all(&[(signals, writer), (proof, writer)]).expect("they are written");
                    });
                }
            });
            assert_eq!(read(&names[0]), read(&names[1]), "round {round}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_witnesses_are_private() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        fs::write(&target, "old").expect("it can be written");
        symlink(&target, &link).expect("it can be linked");
        let mut file = OutputFile::create(&link, Readers::Owner).expect("it can be created");
        file.write_all(b"new").expect("it can be written");
        file.commit().expect("it can be renamed");
        assert!(
            fs::symlink_metadata(&link)
                .expect("it is there")
                .is_symlink()
        );
        assert_eq!(fs::read(&target).expect("it is there"), b"new");
        let mode = fs::metadata(&target)
            .expect("it is there")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
        // A link to a file that is not there yet makes that file.
        let dangling = folder.path().join("dangling");
        symlink("later", &dangling).expect("it can be linked");
        write(&dangling, "new").expect("it can be written");
        let metadata = fs::symlink_metadata(&dangling).expect("it is there");
        assert!(metadata.is_symlink());
        assert_eq!(
            fs::read(folder.path().join("later")).expect("it is there"),
            b"new"
        );
        // A device stays a device.
        write(Path::new("/dev/null"), "nothing").expect("it can be written");
        assert!(!fs::metadata("/dev/null").expect("it is there").is_file());
    }

    /// As a container's `/var/log/proof.json -> /dev/stdout`, where a file takes all that is said there.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_link_to_an_open_file_adds_to_it() {
        use std::os::fd::AsRawFd;
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [log, link, second, closed] =
            ["log", "link", "second", "closed"].map(|name| folder.path().join(name));
        fs::write(&log, "before\n").expect("it can be written");
        let open = OpenOptions::new().append(true).open(&log);
        let open = open.expect("it is there");
        let descriptor = format!("/dev/fd/{}", open.as_raw_fd());
        std::os::unix::fs::symlink(descriptor, &link).expect("it links");
        std::os::unix::fs::symlink("link", &second).expect("it links");
        for target in [&link, &second] {
            assert!(!is_replaced(target));
            check_outputs(&[target], &[]).expect("it is open");
            expect_open(target).expect("it is open");
            write(target, "proof\n").expect("it can be written");
        }
        assert_eq!(
            fs::read_to_string(&log).expect("it is there"),
            "before\nproof\nproof\n"
        );
        std::os::unix::fs::symlink("/dev/fd/4999", &closed).expect("it links");
        expect_open(&closed).expect_err("it is not open");
    }

    #[test]
    fn outputs_must_differ_from_each_other_and_from_inputs() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (a, b) = (folder.path().join("a"), folder.path().join("b"));
        let a_again = folder.path().join("./a");
        assert!(check_outputs(&[&a, &b], &[]).is_ok());
        assert!(check_outputs(&[&a, &a_again], &[]).is_err());
        fs::write(&a, "input").expect("it can be written");
        assert!(check_outputs(&[&a_again], &[&a]).is_err());
        assert!(check_outputs(&[folder.path()], &[]).is_err());
        for end in ["/", "/.", "//"] {
            let named = folder.path().join(format!("none{end}"));
            let failure = check_outputs(&[&named], &[]).expect_err("a folder's name");
            let message = failure.message();
            assert!(message.contains("Give the name of a file"), "{message}");
        }
        assert!(check_outputs(&[Path::new("/dev/null"), Path::new("/dev/null")], &[]).is_ok());
    }
}
