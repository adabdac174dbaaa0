//! Keeping other processes from the memory of this one, while it holds a witness or the secrets of a
//! setup.

/// From now on the process leaves no core dump, and no other process of the same user may trace it or read its memory.
/// An administrator's may.
///
/// A system that has no such thing is not to blame the user for it: nothing is reported.
#[cfg(unix)]
pub fn keep_from_others() {
    use rustix::process::{Resource, Rlimit, setrlimit};
    // Of a byte there is no dump, and unlike zero it counts for the pipe to a collector of dumps, too (Linux,
    // `fs/coredump.c`). A program that this process becomes may be dumped, but for this.
    let none = Rlimit {
        current: Some(1),
        maximum: Some(1),
    };
    let _ = setrlimit(Resource::Core, none);
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{DumpableBehavior, set_dumpable_behavior};
        let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    }
}

#[cfg(not(unix))]
pub fn keep_from_others() {}
