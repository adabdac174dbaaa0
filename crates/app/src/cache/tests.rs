//! The cache among other users, other processes and changed files.

use super::*;
use crate::observer::Silent;
use crate::witness::Generator;
use frumious_curves::Bn254;
use frumious_curves::bn254::Fr;
use frumious_witness::{Limits, parse_inputs};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;

/// A run with a number in it: no two of them are equal. It takes the input `a` and gives `1, a, number`.
///
/// Written by hand, as only a module of circom is recorded: `RecordedRun` and `Tape` tell the format.
fn run(number: u64) -> RecordedRun<Fr> {
    run_of(number, [0; 3], 0)
}

/// The same with one step many times on the way: what to do, and with the slots of which values.
fn run_of(number: u64, step: [u32; 3], times: u32) -> RecordedRun<Fr> {
    let mut bytes = Vec::new();
    bytes.extend(1u32.to_le_bytes()); // signals
    let hash = b"a".iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    bytes.extend(hash.to_le_bytes());
    bytes.extend(1u32.to_le_bytes());
    bytes.extend(b"frtape01");
    bytes.extend(Fr::MODULUS.iter().flat_map(|word| word.to_le_bytes()));
    // Constants, inputs, slots, steps, results, messages and their bytes.
    let slots = if times == 0 { 3 } else { 4 };
    for count in [2, 1, slots, times, 3, 0, 0] {
        bytes.extend(count.to_le_bytes());
    }
    for constant in [1, number] {
        let form = Fr::from_u64(constant).to_montgomery_limbs();
        bytes.extend(form.iter().flat_map(|word| word.to_le_bytes()));
    }
    let [operation, a, b] = step;
    let to = 3 << 6;
    let step = [operation | to, a, b].map(u32::to_le_bytes);
    bytes.extend(step.as_flattened().repeat(times as usize));
    for slot in [0u32, 2, 1] {
        bytes.extend(slot.to_le_bytes());
    }
    RecordedRun::from_bytes(&bytes).expect("it is a run")
}

/// The last wire of each run that applies: the number of the first one.
fn first_number(tapes: &Tapes<Bn254>) -> Option<u64> {
    let inputs = parse_inputs(r#"{"a": 5}"#).expect("JSON");
    let witness = tapes.replay(&inputs, &mut |_| {});
    let witness = witness.expect("it is a witness")?;
    let values = witness.to_values();
    assert_eq!(*values[1].words(), [5, 0, 0, 0]);
    Some(values[2].words()[0])
}

struct Place {
    _parent: TempDir,
    folder: PathBuf,
}

fn place() -> Place {
    let parent = TempDir::new().expect("a folder");
    let folder = parent.path().join("made/here/tapes");
    Place {
        _parent: parent,
        folder,
    }
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).expect("it is there").mode() & 0o7777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("it is ours");
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

fn open(folder: &Path) -> Result<TapeCache, String> {
    TapeCache::open(Some(folder)).map_err(|failure| failure.message())
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("it is a folder");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("one").path()).collect();
    files.sort();
    files
}

#[test]
fn folder_and_files_are_their_owners_alone() {
    let place = place();
    let cache = open(&place.folder).expect("it is made");
    let id = cache.id(b"module");
    assert!(cache.load::<Bn254>(&id).is_empty());
    assert_eq!(cache.store::<Bn254>(&id, &run(1)).ok(), Some(true));
    assert_eq!(mode(&place.folder), 0o700);
    let files = files(&place.folder);
    assert_eq!(files.len(), 2, "the key and a run: {files:?}");
    for file in files {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
    // Another process has the same key, and another folder another one.
    let again = open(&place.folder).expect("it is there");
    assert_eq!(again.id(b"module"), id);
    assert_ne!(again.id(b"modulf"), id);
    assert_eq!(first_number(&again.load(&id)), Some(1));
    let other = self::place();
    assert_ne!(open(&other.folder).expect("it is made").id(b"module"), id);
}

#[test]
fn folders_that_others_may_enter_are_refused() {
    for bits in [0o710, 0o701, 0o770, 0o777, 0o755] {
        let place = place();
        drop(open(&place.folder).expect("it is made"));
        set_mode(&place.folder, bits);
        let refused = open(&place.folder).map(drop).expect_err("others may enter");
        assert!(refused.contains("0700"), "{refused}");
    }
}

#[test]
fn links_and_files_in_place_of_the_folder_are_refused() {
    let place = place();
    drop(open(&place.folder).expect("it is made"));
    let link = place.folder.with_file_name("link");
    symlink(&place.folder, &link).expect("a link");
    assert!(open(&link).is_err());
    let nowhere = place.folder.with_file_name("nowhere");
    symlink(place.folder.join("missing"), &nowhere).expect("a link");
    assert!(open(&nowhere).is_err());
    let file = place.folder.with_file_name("file");
    fs::write(&file, b"").expect("a file");
    set_mode(&file, 0o600);
    assert!(open(&file).is_err());
    assert!(open(&file.join("below")).is_err());
}

#[test]
fn folders_of_others_are_refused() {
    if !is_root() {
        return;
    }
    let place = place();
    drop(open(&place.folder).expect("it is made"));
    std::os::unix::fs::chown(&place.folder, Some(12345), Some(12345)).expect("we are root");
    assert!(open(&place.folder).is_err());
}

#[test]
fn keys_of_a_wrong_length_are_refused() {
    for length in [0, 31, 33, 1 << 20] {
        let place = place();
        drop(open(&place.folder).expect("it is made"));
        fs::write(place.folder.join("key"), vec![7; length]).expect("it is ours");
        let refused = open(&place.folder).map(drop).expect_err("it is no key");
        assert!(refused.contains("key"), "{refused}");
    }
    let place = place();
    drop(open(&place.folder).expect("it is made"));
    fs::remove_file(place.folder.join("key")).expect("it is ours");
    fs::create_dir(place.folder.join("key")).expect("it is ours");
    assert!(open(&place.folder).is_err());
}

/// With another key no entry is one.
#[test]
fn entries_under_another_key_are_ignored() {
    let place = place();
    let cache = open(&place.folder).expect("it is made");
    let id = cache.id(b"module");
    assert_eq!(cache.store::<Bn254>(&id, &run(1)).ok(), Some(true));
    fs::write(place.folder.join("key"), [7; 32]).expect("it is ours");
    let other = open(&place.folder).expect("a key");
    assert_ne!(other.id(b"module"), id);
    assert!(other.load::<Bn254>(&id).is_empty());
}

#[test]
fn changed_entries_are_ignored_and_written_again() {
    let place = place();
    let cache = open(&place.folder).expect("it is made");
    let id = cache.id(b"module");
    assert_eq!(cache.store::<Bn254>(&id, &run(1)).ok(), Some(true));
    let path = cache.path(&id, 0);
    let bytes = fs::read(&path).expect("it is there");
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        fs::write(&path, changed).expect("it is ours");
        assert!(cache.load::<Bn254>(&id).is_empty(), "byte {at}");
        fs::write(&path, &bytes[..at]).expect("it is ours");
        assert!(cache.load::<Bn254>(&id).is_empty(), "{at} bytes");
    }
    fs::write(&path, [&bytes[..], &[0]].concat()).expect("it is ours");
    assert!(cache.load::<Bn254>(&id).is_empty());
    assert_eq!(cache.store::<Bn254>(&id, &run(2)).ok(), Some(true));
    assert_eq!(first_number(&cache.load(&id)), Some(2));
    assert_eq!(cache.load::<Bn254>(&id).len(), 1);
    // A folder in the place of an entry.
    fs::remove_file(&path).expect("it is ours");
    fs::create_dir(&path).expect("it is ours");
    assert!(cache.load::<Bn254>(&id).is_empty());
    assert!(cache.store::<Bn254>(&id, &run(3)).is_err());
}

#[test]
fn entries_of_another_module_are_ignored() {
    let place = place();
    let cache = open(&place.folder).expect("it is made");
    let ids = [cache.id(b"one"), cache.id(b"two")];
    for (id, number) in ids.iter().zip([1, 2]) {
        assert_eq!(cache.store::<Bn254>(id, &run(number)).ok(), Some(true));
    }
    let [one, two] = ids.each_ref().map(|id| cache.path(id, 0));
    fs::copy(&one, &two).expect("they are ours");
    assert_eq!(first_number(&cache.load(&ids[0])), Some(1));
    assert!(cache.load::<Bn254>(&ids[1]).is_empty());
    // An entry of the same module under another number is still its own, and counts once.
    fs::copy(&one, cache.path(&ids[0], 1)).expect("they are ours");
    assert_eq!(cache.load::<Bn254>(&ids[0]).len(), 1);
}

#[test]
fn runs_over_another_field_are_ignored() {
    let place = place();
    let cache = open(&place.folder).expect("it is made");
    let id = cache.id(b"module");
    assert_eq!(cache.store::<Bn254>(&id, &run(1)).ok(), Some(true));
    assert!(cache.load::<frumious_curves::Bls12_381>(&id).is_empty());
}

#[test]
fn no_more_runs_are_kept_than_are_loaded() {
    let place = place();
    let cache = open(&place.folder).expect("it is made");
    let id = cache.id(b"module");
    let most = Tapes::<Bn254>::MOST;
    for number in 0..most as u64 {
        for _ in 0..2 {
            assert_eq!(cache.store::<Bn254>(&id, &run(number)).ok(), Some(true));
        }
    }
    assert_eq!(cache.store::<Bn254>(&id, &run(99)).ok(), Some(false));
    assert_eq!(cache.load::<Bn254>(&id).len(), most);
    assert_eq!(
        files(&place.folder).len(),
        1 + most,
        "no temporary file is left"
    );
    // One that was changed makes room, and hides none of the others.
    fs::write(cache.path(&id, 3), b"changed").expect("it is ours");
    assert_eq!(cache.load::<Bn254>(&id).len(), most - 1);
    assert_eq!(cache.store::<Bn254>(&id, &run(99)).ok(), Some(true));
    assert_eq!(cache.load::<Bn254>(&id).len(), most);
}

#[test]
fn threads_store_the_same_and_other_runs() {
    for _ in 0..20 {
        let place = place();
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let folder = &place.folder;
                scope.spawn(move || {
                    let cache = open(folder).expect("it is made by one of us");
                    let id = cache.id(b"module");
                    for number in [0, 1, 2 + thread % 2] {
                        assert_eq!(cache.store::<Bn254>(&id, &run(number)).ok(), Some(true));
                        assert!(first_number(&cache.load(&id)).is_some());
                    }
                });
            }
        });
        let cache = open(&place.folder).expect("it is there");
        let tapes = cache.load::<Bn254>(&cache.id(b"module"));
        assert_eq!(tapes.len(), 4, "each run once");
        assert_eq!(files(&place.folder).len(), 1 + 4);
    }
}

#[test]
fn folders_that_cannot_be_written_are_errors() {
    let gone = place();
    let cache = open(&gone.folder).expect("it is made");
    let id = cache.id(b"module");
    fs::remove_dir_all(&gone.folder).expect("it is ours");
    assert!(cache.store::<Bn254>(&id, &run(1)).is_err());
    assert!(cache.load::<Bn254>(&id).is_empty());
    assert!(open(Path::new("/proc/frumious/tapes")).is_err());
    assert!(open(Path::new("/dev/null/tapes")).is_err());
    if is_root() {
        return; // who may write everywhere
    }
    let place = place();
    let cache = open(&place.folder).expect("it is made");
    set_mode(&place.folder, 0o500);
    assert!(cache.store::<Bn254>(&id, &run(1)).is_err());
    fs::create_dir(place.folder.with_file_name("empty")).expect("it is ours");
    set_mode(&place.folder.with_file_name("empty"), 0o500);
    assert!(open(&place.folder.with_file_name("empty")).is_err());
    set_mode(&place.folder, 0o700);
}

static LONG: AtomicUsize = AtomicUsize::new(0);

/// A witness that is there at once starts nothing; what may take long is told of before it begins.
#[test]
fn only_what_may_take_long_is_told_of_before() {
    const ADD: [u32; 3] = [0, 2, 2];
    const POW: [u32; 3] = [5, 2, 1];
    let place = place();
    let input = place.folder.with_file_name("input.json");
    let cache = open(&place.folder).expect("a cache");
    fs::write(&input, r#"{"a": 5}"#).expect("there is room");
    for (number, step, times, expected) in [
        (0, ADD, 0, 0),
        (1, ADD, 1 << 20, 0),
        (2, ADD, (1 << 21) + 1, 1),
        (3, POW, 10_000, 0),
        (4, POW, 15_000, 1),
    ] {
        let module = place.folder.with_file_name(format!("{number}.wasm"));
        let text = format!("{number}: no module, but its run is recorded");
        fs::write(&module, text).expect("there is room");
        let id = cache.id_of_file(&module).expect("it can be read");
        let stored = cache.store::<Bn254>(&id, &run_of(number, step, times));
        assert_eq!(stored.ok(), Some(true));
        for (cache, expected) in [(Some(&cache), expected), (None, 1)] {
            let generator = Generator {
                wasm: &module,
                input: &input,
                limits: Limits::default(),
                log: false,
                values: false,
                cache,
                before_long: || {
                    LONG.fetch_add(1, Ordering::Relaxed);
                },
            };
            let no_child = || Err(Failure::bad_input("no child"));
            let started = generator.start(no_child, &Silent);
            assert_eq!(started.is_ok(), cache.is_some(), "{number}");
            assert_eq!(LONG.swap(0, Ordering::Relaxed), expected, "{number}");
        }
    }
}
