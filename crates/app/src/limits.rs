//! Limits that a container sets: memory and CPU of its control groups, version 1 and 2.
//!
//! A process is in a group, which is in another, up to the root: the least limit counts. Pages of files are not counted
//! as used, as the kernel takes them back. Source: the kernel's documentation, `admin-guide/cgroup-v1/memory` and
//! `admin-guide/cgroup-v2`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Code, Failure};
use crate::observer::Observer;
use crate::quantities::{bytes, given_limit, limit};

/// Lets this process have as many files open as it may, and returns their number; none if nothing limits it.
///
/// A process begins with 1,024 on most systems, for programs that call `select`.
#[cfg(unix)]
pub fn raise_open_files() -> Option<u64> {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    let _ = setrlimit(Resource::Nofile, limit); // then it stays as it was
    getrlimit(Resource::Nofile).current
}

/// The limits of this process's groups.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Memory of the group whose limit leaves least room.
    pub memory: Option<GroupMemory>,
    /// CPUs, as time per time.
    pub cpus: Option<f64>,
}

/// The memory of a group, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupMemory {
    /// The most that its processes may have.
    pub limit: u64,
    /// The part that they have and cannot be taken back.
    pub used: u64,
}

impl GroupMemory {
    /// The part that is left.
    pub fn room(self) -> u64 {
        self.limit.saturating_sub(self.used)
    }
}

impl Limits {
    /// The limits now; none where there are no groups.
    pub fn now() -> Self {
        Self::below(Path::new("/"))
    }

    /// As the files below `root` tell.
    fn below(root: &Path) -> Self {
        let text = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
        let mut limits = Self::default();
        for group in text.lines().filter_map(Group::parse) {
            for folder in group.folders(&root.join("sys/fs/cgroup")) {
                limits.take(&folder, group.is_unified);
            }
        }
        limits
    }

    /// Adds the limits of one group.
    fn take(&mut self, folder: &Path, is_unified: bool) {
        let (memory, cpus) = match is_unified {
            true => (unified_memory(folder), unified_cpus(folder)),
            false => (old_memory(folder), old_cpus(folder)),
        };
        if let Some(found) = memory
            && self.memory.is_none_or(|known| found.room() < known.room())
        {
            self.memory = Some(found);
        }
        if let Some(found) = cpus
            && self.cpus.is_none_or(|known| found < known)
        {
            self.cpus = Some(found);
        }
    }
}

/// A line of `/proc/self/cgroup`: number, controllers, path.
struct Group<'a> {
    controllers: Vec<&'a str>,
    path: &'a str,
    is_unified: bool,
}

impl<'a> Group<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let mut fields = line.splitn(3, ':');
        let (_, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
        let is_unified = controllers.is_empty();
        let controllers: Vec<&str> = controllers.split(',').collect();
        let is_wanted = controllers
            .iter()
            .any(|name| ["memory", "cpu"].contains(name));
        (is_unified || is_wanted).then_some(Self {
            controllers,
            path,
            is_unified,
        })
    }

    /// The folders of the group and of those that it is in, below `mounts`. Where the group's own is not to be seen, as
    /// in a container, that is the mount's.
    fn folders(&self, mounts: &Path) -> Vec<PathBuf> {
        let names: Vec<String> = match self.is_unified {
            true => vec![String::new(), "unified".into()],
            false => {
                let joined = self.controllers.join(",");
                let single = self.controllers.iter().map(|name| (*name).to_owned());
                single.chain([joined]).collect()
            }
        };
        let mut folders = Vec::new();
        for mount in names.iter().map(|name| mounts.join(name)) {
            let mut folder = mount.join(self.path.trim_start_matches('/'));
            loop {
                if folder.is_dir() {
                    folders.push(folder.clone());
                }
                if folder == mount || !folder.pop() {
                    break;
                }
            }
        }
        folders
    }
}

fn unified_memory(folder: &Path) -> Option<GroupMemory> {
    let limits = ["memory.max", "memory.high"].map(|name| number(&folder.join(name)));
    let limit = limits.into_iter().flatten().min()?;
    let used = number(&folder.join("memory.current")).unwrap_or(0);
    let cached = file_pages(folder, ["active_file", "inactive_file"]);
    Some(GroupMemory {
        limit,
        used: used.saturating_sub(cached),
    })
}

fn old_memory(folder: &Path) -> Option<GroupMemory> {
    let limit = number(&folder.join("memory.limit_in_bytes"))?;
    let used = number(&folder.join("memory.usage_in_bytes")).unwrap_or(0);
    let cached = file_pages(folder, ["total_active_file", "total_inactive_file"]);
    // Without a limit it is 2^63, down to a page.
    (limit < 1 << 62).then_some(GroupMemory {
        limit,
        used: used.saturating_sub(cached),
    })
}

/// Bytes of pages of files, which can be taken back.
fn file_pages(folder: &Path, names: [&str; 2]) -> u64 {
    let text = fs::read_to_string(folder.join("memory.stat")).unwrap_or_default();
    let values = text.lines().filter_map(|line| line.split_once(' '));
    let of_files = values.filter(|(name, _)| names.contains(name));
    of_files
        .filter_map(|(_, value)| value.trim().parse::<u64>().ok())
        .sum()
}

/// `200000 100000`: time for each period, in microseconds.
fn unified_cpus(folder: &Path) -> Option<f64> {
    let text = fs::read_to_string(folder.join("cpu.max")).ok()?;
    let (time, period) = text.trim().split_once(' ')?;
    per(time.parse().ok()?, period.parse().ok()?)
}

fn old_cpus(folder: &Path) -> Option<f64> {
    let value = |name: &str| -> Option<f64> {
        fs::read_to_string(folder.join(name))
            .ok()?
            .trim()
            .parse()
            .ok()
    };
    // -1 for no limit.
    per(value("cpu.cfs_quota_us")?, value("cpu.cfs_period_us")?)
}

fn per(time: f64, period: f64) -> Option<f64> {
    (time > 0.0 && period > 0.0).then(|| time / period)
}

/// A file that has a number; none for `max`.
fn number(path: &Path) -> Option<u64> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

/// The memory that a task may take.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    /// Bytes; none if nothing limits them.
    pub limit: Option<u64>,
    /// The group that leaves no more than that, if it is less than what was asked for.
    by_group: Option<GroupMemory>,
}

impl Allowance {
    /// The memory that was asked for, or what the process's groups leave if that is less. Says so.
    pub fn of(requested: Option<u64>, observer: &dyn Observer) -> Self {
        let allowance = Self::under(requested, Limits::now().memory);
        if let (Some(limit), Some(group)) = (allowance.limit, allowance.by_group) {
            observer.note(&format!(
                "memory: the container allows {}, of which {} are left for this",
                bytes(group.limit),
                bytes(limit)
            ));
        }
        allowance
    }

    fn under(requested: Option<u64>, group: Option<GroupMemory>) -> Self {
        let room = group.map(|group| group.room().saturating_sub(RESERVE));
        match (requested, room) {
            (Some(requested), Some(room)) if requested <= room => Self {
                limit: Some(requested),
                by_group: None,
            },
            (_, Some(room)) => Self {
                limit: Some(room),
                by_group: group,
            },
            (requested, None) => Self {
                limit: requested,
                by_group: None,
            },
        }
    }

    /// A refusal for want of memory, of which `needed` bytes would do: by the container if that is what limits it.
    pub fn refusal(&self, needed: u64) -> Option<Failure> {
        let group = self.by_group?;
        let enough = needed.saturating_add(RESERVE).saturating_add(group.used);
        let message = format!(
            "needs at least {} of memory, and the container leaves {}",
            limit(needed),
            given_limit(self.limit.unwrap_or(0) >> 10 << 10),
        );
        let hint = format!("Give the container {} or more.", limit(enough));
        Some(Failure::new(Code::MemoryLimit, message).hinting(&hint))
    }
}

/// Makes sure that the process's groups leave `needed` bytes for work that cannot do with less.
///
/// # Errors
/// A [`Failure`] of exit code 3 with the limit that would do.
pub fn require(needed: u64) -> Result<(), Failure> {
    require_under(needed, Limits::now().memory)
}

fn require_under(needed: u64, group: Option<GroupMemory>) -> Result<(), Failure> {
    let allowance = Allowance::under(None, group);
    let is_enough = allowance.limit.is_none_or(|limit| needed <= limit);
    match allowance.refusal(needed).filter(|_| !is_enough) {
        Some(failure) => Err(failure),
        None => Ok(()),
    }
}

/// Room that plans leave for what they do not count: stacks, the allocator's reserve, buffers of files, page tables.
const RESERVE: u64 = 24 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    fn write(root: &Path, files: &[(&str, &str)]) {
        for (name, text) in files {
            let path = root.join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
            fs::write(path, text).expect("it can be written");
        }
    }

    fn limits_of(files: &[(&str, &str)]) -> Limits {
        let root = tempfile::tempdir().expect("a temporary folder");
        write(root.path(), files);
        Limits::below(root.path())
    }

    #[test]
    fn groups_of_version_2() {
        let limits = limits_of(&[
            ("proc/self/cgroup", "0::/a/b\n"),
            ("sys/fs/cgroup/cpu.max", "max 100000\n"),
            ("sys/fs/cgroup/a/memory.max", "1000000\n"),
            ("sys/fs/cgroup/a/memory.current", "700000\n"),
            (
                "sys/fs/cgroup/a/memory.stat",
                "anon 300000\nactive_file 100000\ninactive_file 200000\n",
            ),
            ("sys/fs/cgroup/a/b/memory.max", "max\n"),
            ("sys/fs/cgroup/a/b/memory.high", "900000\n"),
            ("sys/fs/cgroup/a/b/memory.current", "100000\n"),
            ("sys/fs/cgroup/a/b/cpu.max", "150000 100000\n"),
        ]);
        let memory = GroupMemory {
            limit: 1_000_000,
            used: 400_000,
        };
        assert_eq!(
            limits,
            Limits {
                memory: Some(memory),
                cpus: Some(1.5)
            }
        );
    }

    #[test]
    fn groups_of_version_1() {
        let limits = limits_of(&[
            (
                "proc/self/cgroup",
                "9:name=systemd:/\n4:memory:/x\n1:cpu,cpuacct:/x/y\n0::/\n",
            ),
            (
                "sys/fs/cgroup/memory/memory.limit_in_bytes",
                "9223372036854771712\n",
            ),
            ("sys/fs/cgroup/memory/x/memory.limit_in_bytes", "5000000\n"),
            ("sys/fs/cgroup/memory/x/memory.usage_in_bytes", "3000000\n"),
            (
                "sys/fs/cgroup/memory/x/memory.stat",
                "total_active_file 500000\ntotal_inactive_file 500000\n",
            ),
            ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n"),
            ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"),
            ("sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_quota_us", "50000\n"),
            ("sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_period_us", "100000\n"),
        ]);
        let memory = GroupMemory {
            limit: 5_000_000,
            used: 2_000_000,
        };
        assert_eq!(
            limits,
            Limits {
                memory: Some(memory),
                cpus: Some(0.5)
            }
        );
    }

    /// In a container the path is the host's, and the mount is the group itself.
    #[test]
    fn groups_whose_path_is_not_to_be_seen() {
        let limits = limits_of(&[
            ("proc/self/cgroup", "4:memory:/docker/0123\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "5000000\n"),
        ]);
        assert_eq!(limits.memory.map(|memory| memory.limit), Some(5_000_000));
        assert_eq!(limits_of(&[]), Limits::default());
        assert_eq!(
            limits_of(&[("proc/self/cgroup", "nonsense\n0::\n")]),
            Limits::default()
        );
    }

    #[test]
    fn the_lesser_limit_counts() {
        let group = |limit| Some(GroupMemory { limit, used: 0 });
        let limit = |requested, group| Allowance::under(requested, group).limit;
        assert_eq!(limit(None, None), None);
        assert_eq!(limit(Some(5), None), Some(5));
        assert_eq!(limit(None, group(RESERVE + 7)), Some(7));
        assert_eq!(limit(Some(5), group(RESERVE + 7)), Some(5));
        assert_eq!(limit(Some(9), group(RESERVE + 7)), Some(7));
        assert_eq!(limit(None, group(1)), Some(0));
        assert!(
            Allowance::under(Some(5), group(RESERVE + 7))
                .refusal(6)
                .is_none()
        );
        assert!(require_under(7, group(RESERVE + 7)).is_ok());
        assert!(require_under(8, group(RESERVE + 7)).is_err());
        assert!(require_under(u64::MAX, None).is_ok());
        let refusal = Allowance::under(None, group(100 << 20)).refusal(185 << 20);
        let message = refusal.expect("it is the group's").message();
        assert!(
            message.contains("needs at least 185M") && message.contains("209M or more"),
            "{message}"
        );
    }
}
