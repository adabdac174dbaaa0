//! The bounds of a program, set from inside its process before it is the program.
//!
//! | of | bound | by |
//! |---|---|---|
//! | time | that of the limits, of the CPU and of the clock | `RLIMIT_CPU`, the parent |
//! | memory | that of the limits, and 64 MiB | `RLIMIT_AS` |
//! | size of the witness | memory | `RLIMIT_FSIZE` |
//! | files | read: system libraries, the program, its `.dat`; write, make, remove: none | Landlock |
//! | open files | inputs and what it says, on the standard three | `close_range` |
//! | network, processes, signals, all else | none | seccomp, a list of what is allowed |
//!
//! Threads are allowed: circom's parallel templates start them. If one of the walls cannot be built the program does
//! not run.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use frumious_mapping::keep_files_from_programs;
use landlock::{
    ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetStatus,
    Scope, path_beneath_rules,
};
use rustix::process::{
    Resource, Rlimit, Signal, getrlimit, set_parent_process_death_signal, setrlimit,
};
use seccompiler::{
    SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};

use crate::host::Limits;

/// The arguments by which the stage knows its task.
pub(super) fn arguments(program: &Path, limits: Limits) -> [OsString; 4] {
    [
        FLAG.into(),
        program.into(),
        limits.memory_bytes.to_string().into(),
        limits.time.as_secs().to_string().into(),
    ]
}

pub(super) fn become_program(mut arguments: impl Iterator<Item = OsString>) -> Option<io::Error> {
    // Before it are the words by which the front end, or its language, knows what it starts.
    arguments.find(|argument| argument == FLAG)?;
    let path = PathBuf::from(arguments.next()?);
    let mut number = || arguments.next()?.to_str()?.parse().ok();
    let limits = Limits {
        memory_bytes: number()?,
        time: Duration::from_secs(number()?),
    };
    let error = match shut_in(&path, limits) {
        Ok(()) => Command::new(&path)
            .args([INPUT_AND_OUTPUT; 2])
            .env_clear()
            .exec(),
        Err(error) => error,
    };
    eprintln!("{STAGE}{error}");
    Some(error)
}

fn shut_in(program: &Path, limits: Limits) -> io::Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    keep_files_from_programs()
        .map_err(|error| io::Error::other(format!("close_range: {error}")))?;
    let address_space = limits.memory_bytes.saturating_add(LIBRARIES);
    for (resource, most) in [
        (Resource::As, address_space),
        (Resource::Fsize, limits.memory_bytes),
        (Resource::Cpu, limits.time.as_secs().saturating_add(1)),
        (Resource::Nofile, 32),
        (Resource::Memlock, 0),
    ] {
        limit(resource, most, most)?;
    }
    let stack = stack_bytes(data_bytes(program), limits);
    limit(Resource::Stack, stack, stack)?;
    restrict_files(program).map_err(|error| io::Error::other(format!("Landlock: {error}")))?;
    restrict_calls().map_err(|error| io::Error::other(format!("seccomp: {error}")))
}

/// The most that a stack may grow to: templates keep their variables there, and parts of the `.dat` are copied to it.
///
/// glibc reserves as much for each thread. circom's runtime has 32 of them at a time, which must fit the address space.
fn stack_bytes(data_bytes: u64, limits: Limits) -> u64 {
    let variables = (limits.memory_bytes / 64).clamp(8 << 20, 64 << 20);
    (variables + data_bytes).min(MOST_STACK)
}

/// Size of the file that the program reads beside itself.
fn data_bytes(program: &Path) -> u64 {
    std::fs::metadata(data_of(program)).map_or(0, |data| data.len())
}

/// The name of that file.
fn data_of(program: &Path) -> PathBuf {
    let mut name = program.as_os_str().to_owned();
    name.push(".dat");
    name.into()
}

/// Sets a limit, or leaves a lower one.
fn limit(resource: Resource, current: u64, maximum: u64) -> io::Result<()> {
    let least = |before: Option<u64>, now: u64| Some(before.map_or(now, |before| before.min(now)));
    let before = getrlimit(resource);
    let limit = Rlimit {
        current: least(before.maximum, current),
        maximum: least(before.maximum, maximum),
    };
    Ok(setrlimit(resource, limit)?)
}

/// From here on files are read where libraries are, and written nowhere. A file in memory is not one of these.
fn restrict_files(program: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let abi = ABI::V6; // as much of it as the kernel has
    let data = data_of(program);
    let own = [program, &data];
    let read = AccessFs::ReadFile | AccessFs::Execute;
    let status = Ruleset::default()
        .handle_access(AccessFs::from_all(abi))?
        .handle_access(AccessNet::from_all(abi))?
        .scope(Scope::from_all(abi))?
        .create()?
        .add_rules(path_beneath_rules(
            LIBRARY_FOLDERS,
            read | AccessFs::ReadDir,
        ))?
        .add_rules(path_beneath_rules(own, read))?
        .restrict_self()?;
    match status.ruleset {
        RulesetStatus::NotEnforced => Err("this kernel has none (Linux has it since 5.13)".into()),
        _ => Ok(()),
    }
}

/// From here on only those calls of the kernel are there that a computation needs.
fn restrict_calls() -> Result<(), Box<dyn std::error::Error>> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        ALLOWED.iter().map(|call| (*call, Vec::new())).collect();
    let own = u64::from(std::process::id()); // exec keeps it
    let (masked, equal) = (SeccompCmpOp::MaskedEq, SeccompCmpOp::Eq);
    for (call, argument, operator, value) in [
        // Threads, no processes.
        (libc::SYS_clone, 0, masked(CLONE_THREAD), CLONE_THREAD),
        // `abort`: a signal to itself.
        (libc::SYS_tgkill, 0, equal.clone(), own),
        // Its own limits.
        (libc::SYS_prlimit64, 0, equal.clone(), 0),
        // Is it a terminal?
        (libc::SYS_ioctl, 1, equal.clone(), libc::TCGETS),
        // Flags and copies of its open files; no signals, owners, locks, leases or seals.
        (libc::SYS_fcntl, 1, equal.clone(), libc::F_GETFD as u64),
        (libc::SYS_fcntl, 1, equal.clone(), libc::F_SETFD as u64),
        (libc::SYS_fcntl, 1, equal.clone(), libc::F_GETFL as u64),
        (libc::SYS_fcntl, 1, equal.clone(), libc::F_DUPFD as u64),
        (libc::SYS_fcntl, 1, equal, libc::F_DUPFD_CLOEXEC as u64),
        // Nothing is cut short but what is opened for writing, which Landlock decides on.
        (libc::SYS_openat, 2, masked(TRUNCATE), 0),
        (libc::SYS_openat, 2, masked(ACCESS_MODE), WRITE_ONLY),
        (libc::SYS_open, 1, masked(TRUNCATE), 0),
        (libc::SYS_open, 1, masked(ACCESS_MODE), WRITE_ONLY),
    ] {
        let condition = SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)?;
        let rule = SeccompRule::new(vec![condition])?;
        rules.entry(call).or_default().push(rule);
    }
    let filter = SeccompFilter::new(
        rules,
        SeccompAction::Errno(libc::ENOSYS as u32), // glibc takes another way then, as for clone3
        SeccompAction::Allow,
        std::env::consts::ARCH.try_into()?,
    )?;
    let program: seccompiler::BpfProgram = filter.try_into()?;
    Ok(seccompiler::apply_filter(&program)?)
}

/// Calls that any program makes: memory, its open files, time, threads, its end. `execve` is for becoming it.
const ALLOWED: [i64; 51] = [
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_pread64,
    libc::SYS_close,
    libc::SYS_stat,
    libc::SYS_fstat,
    libc::SYS_lstat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_lseek,
    libc::SYS_poll,
    libc::SYS_access,
    libc::SYS_faccessat,
    libc::SYS_readlink,
    libc::SYS_getcwd,
    libc::SYS_dup,
    libc::SYS_mmap,
    libc::SYS_mprotect,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_madvise,
    libc::SYS_brk,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_getpid,
    libc::SYS_gettid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_uname,
    libc::SYS_sysinfo,
    libc::SYS_getrandom,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_futex,
    libc::SYS_arch_prctl,
    libc::SYS_set_tid_address,
    libc::SYS_set_robust_list,
    libc::SYS_rseq,
    libc::SYS_restart_syscall,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_execve,
];

/// The beginning of a line that the stage writes, before there is a program.
pub(super) const STAGE: &str = "frumious: ";

const FLAG: &str = "--become-program";

/// The file in memory that is standard input, opened anew by each name.
const INPUT_AND_OUTPUT: &str = "/proc/self/fd/0";

/// Where systems have their libraries. Those that are not there are left out.
const LIBRARY_FOLDERS: [&str; 9] = [
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/etc/ld.so.cache",
    "/nix/store",
    "/gnu/store",
    "/opt",
];

/// Address space of the libraries, beside what the program takes itself.
const LIBRARIES: u64 = 64 << 20;

const MOST_STACK: u64 = 1 << 30;

const CLONE_THREAD: u64 = libc::CLONE_THREAD as u64;
const TRUNCATE: u64 = libc::O_TRUNC as u64;
const ACCESS_MODE: u64 = libc::O_ACCMODE as u64;
const WRITE_ONLY: u64 = libc::O_WRONLY as u64;
