//! Sizes of the caches, as Linux tells them.
//!
//! Source: Linux, Documentation/ABI/testing/sysfs-devices-system-cpu, `cache/index*`.

use std::fs;
use std::path::Path;
use std::thread::available_parallelism;

/// Bytes of a core's level-two cache. None where nobody tells.
pub fn level_two_bytes() -> Option<usize> {
    Some(find(Path::new(CPU), 2)?.bytes)
}

/// Bytes of a level-three cache for each CPU that shares it and that the process may use. None where nobody tells.
pub fn level_three_bytes_per_cpu() -> Option<usize> {
    let cache = find(Path::new(CPU), 3)?;
    let usable = available_parallelism().map_or(cache.cpus, usize::from);
    Some(cache.bytes / cache.cpus.min(usable).max(1))
}

struct Cache {
    bytes: usize,
    /// CPUs that share it.
    cpus: usize,
}

/// The cache of a level that holds data, by a folder of one CPU.
fn find(cpu: &Path, level: u32) -> Option<Cache> {
    let folders = fs::read_dir(cpu.join("cache")).ok()?;
    let mut caches = folders.filter_map(|folder| {
        let folder = folder.ok()?.path();
        let read = |name| fs::read_to_string(folder.join(name)).ok();
        let is_it =
            read("level")?.trim() == level.to_string() && read("type")?.trim() != "Instruction";
        let cache = Cache {
            bytes: bytes(read("size")?.trim())?,
            cpus: count(read("shared_cpu_list")?.trim())?,
        };
        is_it.then_some(cache)
    });
    caches.next()
}

/// `512K` or `32M`.
fn bytes(text: &str) -> Option<usize> {
    let units = [("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30), ("", 1)];
    let (number, unit) =
        (units.iter()).find_map(|(end, unit)| Some((text.strip_suffix(end)?, *unit)))?;
    let number: usize = number.parse().ok()?;
    number.checked_mul(unit).filter(|bytes| *bytes > 0)
}

/// Members of a list as `0-7,16`.
fn count(list: &str) -> Option<usize> {
    list.split(',').try_fold(0_usize, |sum, range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
        sum.checked_add(last.checked_sub(first)?.checked_add(1)?)
    })
}

/// One CPU stands for all.
const CPU: &str = "/sys/devices/system/cpu/cpu0";

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure
    use super::*;

    #[test]
    fn sizes_and_lists() {
        assert_eq!(bytes("1024K"), Some(1 << 20));
        assert_eq!(bytes("32M"), Some(32 << 20));
        assert_eq!(bytes("4096"), Some(4096));
        for text in [
            "",
            "K",
            "-1K",
            "0K",
            "1T",
            "99999999999999999999K",
            "9999999999999999G",
        ] {
            assert_eq!(bytes(text), None, "{text}");
        }
        assert_eq!(count("0"), Some(1));
        assert_eq!(count("0-7,16-23,40"), Some(17));
        for list in ["", "7-0", "a", "0-", "0-18446744073709551615", "0,,1"] {
            assert_eq!(count(list), None, "{list}");
        }
    }

    #[test]
    fn a_cpu_has_the_caches_that_its_folder_tells() {
        let folder = std::env::temp_dir().join(format!("frumious-caches-{}", std::process::id()));
        let made = [
            ("index0", "1", "Data", "32K", "0"),
            ("index1", "3", "Instruction", "1K", "0"), // not one for data
            ("index2", "2", "Unified", "2048K", "0,4"),
            ("index3", "3", "Unified", "36M", "0-7"),
        ];
        for (name, level, kind, size, cpus) in made {
            let index = folder.join("cache").join(name);
            fs::create_dir_all(&index).unwrap();
            for (file, text) in [
                ("level", level),
                ("type", kind),
                ("size", size),
                ("shared_cpu_list", cpus),
            ] {
                fs::write(index.join(file), format!("{text}\n")).unwrap();
            }
        }
        let two = find(&folder, 2).unwrap();
        assert_eq!((two.bytes, two.cpus), (2 << 20, 2));
        let three = find(&folder, 3).unwrap();
        assert_eq!((three.bytes, three.cpus), (36 << 20, 8));
        assert!(find(&folder, 4).is_none());
        fs::remove_dir_all(&folder).unwrap();
        assert!(find(&folder, 2).is_none());
    }
}
