//! Files with a key: nobody but their owner and the server reads them, and nobody else writes them.
//!
//! systemd hands a credential over as root's, with an ACL that lets the service's user read it. `stat` then tells the
//! ACL's mask in place of the group's bits (acl(5)). By the mode alone it seems that a group reads it.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use frumious_app::failure::{About, Code, Failure};
use rustix::process::geteuid;

/// Refuses a file that others read or write. `what` names it in the message.
///
/// # Errors
/// A [`Failure`] with [`Code::Permission`] for such a file, or for one that cannot be looked at.
pub fn refuse_if_others_read(path: &Path, what: &str) -> Result<(), Failure> {
    let is_private = match bits(path)? {
        0 => true,
        GROUP_READS => is_credential(path) || acl(path).is_some_and(|acl| names_us_alone(&acl)),
        _ => false,
    };
    judge(is_private, path, what, 600)
}

/// As [`refuse_if_others_read`], of a file that its group may read: Debian's keys of TLS are the group `ssl-cert`'s.
///
/// # Errors
/// As [`refuse_if_others_read`].
pub fn refuse_if_strangers_read(path: &Path, what: &str) -> Result<(), Failure> {
    judge(matches!(bits(path)?, 0 | GROUP_READS), path, what, 640)
}

/// The mode of a file, for all but its owner.
fn bits(path: &Path) -> Result<u32, Failure> {
    let found = std::fs::metadata(path)
        .map_err(|error| Failure::of_system("cannot be read", &error))
        .about(path)?;
    Ok(found.mode() & 0o077)
}

fn judge(is_private: bool, path: &Path, what: &str, mode: u16) -> Result<(), Failure> {
    match is_private {
        true => Ok(()),
        false => {
            let reason = format!("others may read or change {what}: chmod {mode}");
            Err(Failure::new(Code::Permission, reason).about(path))
        }
    }
}

/// True for a file in the folder of systemd's credentials, which the service alone enters.
fn is_credential(path: &Path) -> bool {
    let folder = std::env::var_os("CREDENTIALS_DIRECTORY").filter(|folder| !folder.is_empty());
    let folder = folder.and_then(|folder| std::fs::canonicalize(folder).ok());
    let real = std::fs::canonicalize(path).ok();
    folder
        .zip(real)
        .is_some_and(|(folder, real)| real.starts_with(folder))
}

/// The access ACL as the kernel keeps it; none if the file has none, or a longer one than we read.
fn acl(path: &Path) -> Option<Vec<u8>> {
    let mut bytes = [0; 512];
    let length = rustix::fs::getxattr(path, ACL_NAME, &mut bytes).ok()?;
    Some(bytes[..length].to_vec())
}

/// True if the ACL gives nothing to groups, and to no user but the server's and the owner.
///
/// Source: Linux, `include/uapi/linux/posix_acl_xattr.h`. After 4 bytes of a version come tags, permissions and ids.
fn names_us_alone(acl: &[u8]) -> bool {
    let Some((&[2, 0, 0, 0], entries)) = acl.split_first_chunk() else {
        return false;
    };
    let (entries, rest) = entries.as_chunks::<8>();
    let is_ours = |&[tag, tag_high, bits, bits_high, id @ ..]: &[u8; 8]| {
        let tag = u16::from_le_bytes([tag, tag_high]);
        let is_nothing = [bits, bits_high] == [0, 0];
        let is_us = u32::from_le_bytes(id) == geteuid().as_raw();
        match tag {
            TAG_OWNER | TAG_MASK => true,
            TAG_USER => is_us || is_nothing,
            _ => is_nothing,
        }
    };
    rest.is_empty() && entries.iter().all(is_ours)
}

/// The bits of a mode that an ACL's mask may set.
const GROUP_READS: u32 = 0o040;

const ACL_NAME: &str = "system.posix_acl_access";

const TAG_OWNER: u16 = 1;
const TAG_USER: u16 = 2;
const TAG_MASK: u16 = 16;

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::XattrFlags;
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;

    fn file(mode: u32) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("key");
        std::fs::write(&path, "1".repeat(64)).expect("it can be written");
        let mode = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(&path, mode).expect("it can be changed");
        (folder, path)
    }

    fn is_fine(path: &Path) -> bool {
        refuse_if_others_read(path, "the key").is_ok()
    }

    #[test]
    fn a_file_that_others_read_or_write_is_refused() {
        for (mode, expected) in [(0o600, true), (0o400, true), (0o640, false), (0o604, false)] {
            assert_eq!(is_fine(&file(mode).1), expected, "{mode:o}");
        }
        for mode in [0o620, 0o602, 0o666] {
            let (_folder, path) = file(mode);
            assert!(!is_fine(&path), "{mode:o}");
            assert!(
                refuse_if_strangers_read(&path, "the key").is_err(),
                "{mode:o}"
            );
        }
        refuse_if_strangers_read(&file(0o640).1, "the key").expect("its group may read it");
        refuse_if_strangers_read(&file(0o604).1, "the key").expect_err("anybody may read it");
    }

    /// As systemd does: owner r, one user r, group nothing, mask r, others nothing.
    #[test]
    fn a_credential_of_systemd_is_read_by_its_user_alone() {
        let us = geteuid().as_raw();
        for (user, group, others, expected) in [
            (us, 0, 0, true),
            (us + 1, 0, 0, false),
            (us, 4, 0, false),
            (us, 0, 4, false),
        ] {
            let (_folder, path) = file(0o400);
            let nobody = u32::MAX;
            let entries = [
                (TAG_OWNER, 4, nobody),
                (TAG_USER, 4, user),
                (4, group, nobody),
                (TAG_MASK, 4, nobody),
                (32, others, nobody),
            ];
            let mut acl = vec![2, 0, 0, 0];
            for (tag, bits, id) in entries {
                acl.extend(tag.to_le_bytes());
                acl.extend(u16::to_le_bytes(bits));
                acl.extend(u32::to_le_bytes(id));
            }
            if let Err(error) = rustix::fs::setxattr(&path, ACL_NAME, &acl, XattrFlags::empty()) {
                eprintln!("skipped: this file system has no ACL ({error})");
                return;
            }
            let mode = std::fs::metadata(&path).expect("it is there").mode();
            assert_eq!(mode & 0o070, 0o040, "the mask is not in the mode");
            assert_eq!(is_fine(&path), expected, "{user} {group} {others}");
        }
    }
}
