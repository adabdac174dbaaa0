//! Recorded runs of witness generators, kept between processes.
//!
//! | file | content |
//! |---|---|
//! | `key` | 32 random bytes, for this folder only |
//! | `MODULE-N.ftape` | a keyed digest of the rest (BLAKE3), then run number N of the module |
//!
//! `MODULE` is a keyed digest of the module and of our version. The folder is its owner's alone (0700), and what was
//! changed in it by anything but us is not used: it has another digest. Files appear whole or not at all, and whoever
//! comes second with the same run leaves the first one's. Runs hold no values of inputs.

use std::fs;
use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use frumious_curves::PairingEngine;
use frumious_mapping::open_regular_file;
use frumious_witness::{RecordedRun, Tapes};

use crate::failure::Failure;

/// A folder of recorded runs.
pub struct TapeCache {
    folder: PathBuf,
    key: [u8; 32],
}

/// A module, as the cache knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleId(String);

impl ModuleId {
    fn of(digest: &blake3::Hasher) -> Self {
        Self(digest.finalize().to_hex()[..32].to_owned())
    }
}

impl TapeCache {
    /// The cache in `folder`, which is made if it is not there; without one, in `frumious/tapes` of the user's cache
    /// (`XDG_CACHE_HOME`, or `.cache` at home).
    ///
    /// # Errors
    /// A [`Failure`] of exit code 2 or 3 for a folder that cannot be made or read, or is not its user's alone. Without
    /// a folder, if neither variable is set.
    pub fn open(folder: Option<&Path>) -> Result<Self, Failure> {
        let folder = match folder {
            Some(folder) => folder.to_owned(),
            None => default_folder().ok_or_else(|| {
                Failure::bad_input("no cache: neither XDG_CACHE_HOME nor HOME is set")
            })?,
        };
        let failed = |error: io::Error| {
            Failure::bad_input(format!("{}: cannot be a cache: {error}", folder.display()))
        };
        make_private(&folder).map_err(failed)?;
        let key = read_or_make_key(&folder).map_err(failed)?;
        Ok(Self { folder, key })
    }

    /// The name of a module in the cache.
    pub fn id(&self, module: &[u8]) -> ModuleId {
        ModuleId::of(self.begin_id().update(module))
    }

    /// The name of the module in a file, read a piece at a time. None if it cannot be read, or is no file.
    pub fn id_of_file(&self, path: &Path) -> Option<ModuleId> {
        let (file, _) = open_regular_file(path).ok()?;
        let mut digest = self.begin_id();
        digest
            .update_reader(file)
            .ok()
            .map(|digest| ModuleId::of(digest))
    }

    fn begin_id(&self) -> blake3::Hasher {
        self.digest_for(env!("CARGO_PKG_VERSION"))
    }

    /// A digest under a key for one purpose. A prefix in its place would put all that follows askew of the blocks that
    /// are digested side by side.
    fn digest_for(&self, purpose: &str) -> blake3::Hasher {
        let key = blake3::keyed_hash(&self.key, purpose.as_bytes());
        blake3::Hasher::new_keyed(key.as_bytes())
    }

    /// The runs of a module. Files that were changed, or are of another version, count as none.
    pub fn load<E: PairingEngine>(&self, module: &ModuleId) -> Tapes<E> {
        let mut tapes = Tapes::default();
        for number in 0..Tapes::<E>::MOST {
            let path = self.path(module, number);
            if !path.exists() {
                break;
            }
            if let Some(run) = self.checked::<E>(module, &path) {
                tapes.add(run);
            }
        }
        tapes
    }

    /// Keeps a run; false if there are as many of the module as are kept.
    ///
    /// # Errors
    /// A [`Failure`] of exit code 2 or 3 if it cannot be written.
    pub fn store<E: PairingEngine>(
        &self,
        module: &ModuleId,
        run: &RecordedRun<E::Fr>,
    ) -> Result<bool, Failure> {
        let content = run.to_bytes();
        let digest = self.digest(module, &content);
        let failed = |error: io::Error| {
            let folder = self.folder.display();
            Failure::bad_input(format!("{folder}: the tape was not kept: {error}"))
        };
        let mut file = tempfile::NamedTempFile::new_in(&self.folder).map_err(failed)?;
        file.write_all(digest.as_bytes())
            .and_then(|()| file.write_all(&content))
            .map_err(failed)?;
        for number in 0..Tapes::<E>::MOST {
            let path = self.path(module, number);
            if path.exists() {
                match self.checked::<E>(module, &path) {
                    Some(known) if known == *run => return Ok(true),
                    Some(_) => continue,
                    None => {
                        let replaced = file.persist(&path);
                        return replaced.map(|_| true).map_err(|error| failed(error.error));
                    }
                }
            }
            match file.persist_noclobber(&path) {
                Ok(_) => return Ok(true),
                Err(error) if error.error.kind() == ErrorKind::AlreadyExists => {
                    // Another process was first, perhaps with the same run.
                    if self.checked::<E>(module, &path).as_ref() == Some(run) {
                        return Ok(true);
                    }
                    file = error.file;
                }
                Err(error) => return Err(failed(error.error)),
            }
        }
        Ok(false)
    }

    /// The run in a file, if it is as we wrote it. The digest is known when the last byte was read, and nothing runs
    /// before.
    fn checked<E: PairingEngine>(
        &self,
        module: &ModuleId,
        path: &Path,
    ) -> Option<RecordedRun<E::Fr>> {
        let mut file = fs::File::open(path).ok()?;
        let length = file.metadata().ok()?.len().checked_sub(32)?;
        let mut digest = [0; 32];
        file.read_exact(&mut digest).ok()?;
        let source = Digesting {
            file: file.take(length),
            digest: self.begin_digest(module),
        };
        let mut source = BufReader::with_capacity(PIECE_BYTES, source);
        let run = RecordedRun::read(&mut source, length).ok()?;
        let is_ours = source.into_inner().digest.finalize() == digest; // in constant time
        is_ours.then_some(run)
    }

    fn digest(&self, module: &ModuleId, content: &[u8]) -> blake3::Hash {
        self.begin_digest(module).update(content).finalize()
    }

    fn begin_digest(&self, module: &ModuleId) -> blake3::Hasher {
        self.digest_for(&module.0)
    }

    fn path(&self, module: &ModuleId, number: usize) -> PathBuf {
        self.folder.join(format!("{}-{number}.ftape", module.0))
    }
}

/// Bytes that are digested at once.
const PIECE_BYTES: usize = 1 << 17;

/// A file that is digested while it is read.
struct Digesting {
    file: io::Take<fs::File>,
    digest: blake3::Hasher,
}

impl Read for Digesting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.digest.update(&buffer[..read]);
        Ok(read)
    }
}

fn default_folder() -> Option<PathBuf> {
    let absolute = |name: &str| {
        let path = std::env::var_os(name).map(PathBuf::from);
        path.filter(|path| path.is_absolute())
    };
    let caches = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    Some(caches.join("frumious").join("tapes"))
}

/// Makes a folder that only its owner may enter, or makes sure that it is one.
#[cfg(unix)]
fn make_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt, MetadataExt};
    if let Some(parent) = folder.parent() {
        fs::create_dir_all(parent)?;
    }
    match fs::DirBuilder::new().mode(0o700).create(folder) {
        Ok(()) => return Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error),
    }
    let found = fs::symlink_metadata(folder)?;
    let user = rustix::process::geteuid().as_raw();
    match found.is_dir() && found.uid() == user && found.mode() & 0o077 == 0 {
        true => Ok(()),
        false => Err(io::Error::new(
            ErrorKind::PermissionDenied,
            "it must be a folder of its user that nobody else may enter (mode 0700)",
        )),
    }
}

#[cfg(not(unix))]
fn make_private(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

fn read_or_make_key(folder: &Path) -> io::Result<[u8; 32]> {
    let path = folder.join("key");
    let mut bytes = [0; 32];
    if !path.exists() {
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?; // its owner's alone
        file.write_all(&bytes)?;
        file.as_file().sync_all()?;
        match file.persist_noclobber(&path) {
            Ok(_) => return Ok(bytes),
            Err(error) if error.error.kind() == ErrorKind::AlreadyExists => {} // another process was first
            Err(error) => return Err(error.error),
        }
    }
    let found = fs::read(&path)?;
    bytes = found
        .try_into()
        .map_err(|_| io::Error::new(ErrorKind::InvalidData, "its key is not 32 bytes"))?;
    Ok(bytes)
}

#[cfg(all(test, unix))]
mod tests;
