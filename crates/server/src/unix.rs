//! Unix sockets: bound for the server's user alone, from their first moment.

use std::fs::{self, DirBuilder, Permissions};
use std::io::{Error, ErrorKind, Result};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::SocketAddr;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType};
use rustix::process::geteuid;
use tokio::net::UnixListener;

/// Binds a socket in a folder that nobody else enters, and then gives it its name. A socket that an earlier server left
/// is replaced, if nobody listens there.
///
/// # Errors
/// Those of the operating system; [`ErrorKind::AddrInUse`] for a name that something else has.
pub fn bind_unix(path: &Path) -> Result<UnixListener> {
    SocketAddr::from_pathname(path)?; // no client could name a longer one
    if let Ok(found) = fs::symlink_metadata(path)
        && !(found.file_type().is_socket() && is_left(path))
    {
        return Err(ErrorKind::AddrInUse.into());
    }
    let mut private = path.as_os_str().to_owned();
    private.push(format!(".{}", std::process::id()));
    let private = PathBuf::from(private);
    let inside = private.join(SOCKET);
    make_private(&private)?;
    let bound = bind_below(&private).and_then(|listener| {
        fs::set_permissions(&inside, Permissions::from_mode(0o600))?;
        fs::rename(&inside, path)?;
        Ok(listener)
    });
    let _ = fs::remove_file(&inside); // if it did not take its name
    fs::remove_dir(&private)?;
    bound
}

/// Looks for what [`bind_unix`] would be refused by, and binds nothing. A socket may be that of a server that runs.
///
/// # Errors
/// As [`bind_unix`].
pub fn check_unix(path: &Path) -> Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.file_type().is_socket() => Ok(()),
        Ok(_) => Err(ErrorKind::AddrInUse.into()),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let folder = path.parent().unwrap_or(path);
            let is_folder = fs::metadata(folder)?.is_dir();
            is_folder
                .then_some(())
                .ok_or(ErrorKind::NotADirectory.into())
        }
        Err(error) => Err(error),
    }
}

/// True if nobody listens at a socket. Whoever may not connect, meets another kind of socket, or a server that is too
/// busy to answer, does not know that.
fn is_left(path: &Path) -> bool {
    let (family, kind) = (AddressFamily::UNIX, SocketType::STREAM);
    let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC; // a full backlog would be waited for
    let socket = rustix::net::socket_with(family, kind, flags, None);
    let address = SocketAddrUnix::new(path);
    let connected = socket.and_then(|socket| rustix::net::connect(&socket, &address?));
    connected == Err(Errno::CONNREFUSED)
}

/// Binds in a folder by its descriptor: the folder's name may be too long for an address.
fn bind_below(folder: &Path) -> Result<UnixListener> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let open = rustix::fs::open(folder, flags, Mode::empty())?;
    let short = PathBuf::from(format!("/proc/self/fd/{}", open.as_raw_fd()));
    match short.exists() {
        true => UnixListener::bind(short.join(SOCKET)),
        false => UnixListener::bind(folder.join(SOCKET)),
    }
}

/// Makes a folder. A server of the same number, as each is in a container, may have been killed and have left it.
fn make_private(folder: &Path) -> Result<()> {
    let make = || DirBuilder::new().mode(0o700).create(folder);
    match make() {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let found = fs::symlink_metadata(folder)?;
            if !found.is_dir() || found.uid() != geteuid().as_raw() {
                let reason = format!("{} is in the way", folder.display());
                return Err(Error::new(ErrorKind::AlreadyExists, reason));
            }
            let inside = folder.join(SOCKET);
            if fs::symlink_metadata(&inside).is_ok_and(|found| found.file_type().is_socket()) {
                fs::remove_file(&inside)?;
            }
            fs::remove_dir(folder)?;
            make()
        }
        made => made,
    }
}

const SOCKET: &str = "s";

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::{UnixDatagram, UnixStream};
    use std::time::Duration;

    fn bind(path: &Path) -> Result<UnixListener> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .build()?;
        runtime.block_on(async { bind_unix(path) })
    }

    #[test]
    fn a_path_may_be_as_long_as_an_address_takes() {
        let folder = tempfile::tempdir().expect("a folder");
        let name = |length: usize| {
            let rest = length - folder.path().as_os_str().len() - 1;
            folder.path().join("x".repeat(rest))
        };
        for length in [90, 97, 98, 102, 107] {
            let path = name(length);
            let listener = bind(&path).unwrap_or_else(|error| panic!("{length}: {error}"));
            UnixStream::connect(&path).expect("somebody listens");
            let mode = fs::metadata(&path).expect("it is there").mode();
            assert_eq!(mode & 0o777, 0o600, "{length}");
            drop(listener);
        }
        bind(&name(108)).expect_err("no client can name it");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 5);
    }

    #[test]
    fn what_a_killed_server_of_the_same_number_left_is_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("f.sock");
        let left = folder.path().join(format!("f.sock.{}", std::process::id()));
        for has_socket in [false, true] {
            fs::create_dir(&left).expect("a folder");
            if has_socket {
                std::os::unix::net::UnixListener::bind(left.join(SOCKET)).expect("a socket");
            }
            bind(&path).expect("it is replaced");
            assert!(!left.exists());
        }
        // Of somebody else, by what is in it.
        fs::create_dir_all(left.join("more")).expect("a folder");
        bind(&path).expect_err("it is not empty");
        assert!(left.join("more").exists());
    }

    #[test]
    fn a_socket_of_another_kind_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("f.sock");
        let other = UnixDatagram::bind(&path).expect("a socket");
        let error = bind(&path).expect_err("somebody has it");
        assert_eq!(error.kind(), ErrorKind::AddrInUse);
        let sender = UnixDatagram::unbound().expect("a socket");
        sender.send_to(b"x", &path).expect("it is there");
        drop(other);
        bind(&path).expect("nobody has it");
    }

    #[test]
    fn a_server_that_is_too_busy_to_answer_is_not_waited_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("f.sock");
        let (family, kind) = (AddressFamily::UNIX, SocketType::STREAM);
        let busy = rustix::net::socket(family, kind, None).expect("a socket");
        let address = SocketAddrUnix::new(&path).expect("an address");
        rustix::net::bind(&busy, &address).expect("it is bound");
        rustix::net::listen(&busy, 0).expect("it listens");
        let _waiting = UnixStream::connect(&path).expect("there is room for one");
        let (sender, told) = std::sync::mpsc::channel();
        std::thread::spawn(move || sender.send(bind(&path).map(|_| ())));
        let error = told.recv_timeout(Duration::from_secs(20));
        let error = error.expect("it waits").expect_err("somebody has it");
        assert_eq!(error.kind(), ErrorKind::AddrInUse);
    }
}
