//! The question if memory can become executable.

use memmap2::MmapMut;

/// True if this process could turn memory that it has written into code. Nothing here does. Where it is forbidden, as
/// by systemd's `MemoryDenyWriteExecute=yes` (a filter of calls, or `PR_SET_MDWE`), other programs may fail.
pub fn can_make_code() -> bool {
    let page = MmapMut::map_anon(1);
    page.is_ok_and(|page| page.make_exec().is_ok())
}
