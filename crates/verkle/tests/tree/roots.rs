//! Roots and updates.

use crate::naive::{self, Entries};
use crate::vectors::{array, bytes, entries, list, read};
use crate::{Random, committer, keccak::keccak256};
use frumious_curves::bandersnatch::{Element, Fr};
use frumious_verkle::tree::{
    AccountHeader, AccountKeys, EMPTY_CODE_HASH, HashedKey, HeaderLayout, Key, Tree, TreeError,
    Value,
};
use serde_json::Value as Json;

#[test]
fn empty_tree() {
    let tree = Tree::new();
    assert_eq!(tree.root_bytes(), [0; 32]);
    assert_eq!(tree.root(), Element::IDENTITY);
    assert_eq!(tree.get(&[0; 32]), Ok(None));
    assert_eq!(Tree::from_entries(committer(), &[]).root_bytes(), [0; 32]);
}

/// `13_tree_roots_small.json`, second case, the root's hash (go-verkle, rust-verkle and the Python reference).
#[test]
fn single_entry() {
    let key: Key = core::array::from_fn(|i| i as u8 + 1);
    let tree = Tree::from_entries(committer(), &[(key, key)]);
    assert_eq!(
        tree.root().map_to_scalar_field().to_bytes().to_vec(),
        crate::vectors::decode("029b6c4c8af9001f0ac76472766c6579f41eec84a73898da06eb97ebdab80a09")
    );
}

#[test]
fn small_trees() {
    let Some(vectors) = read("13_tree_roots_small.json") else {
        return;
    };
    let cases = list(&vectors["cases"]);
    assert_eq!(cases.len(), 5);
    for case in cases {
        let tree = Tree::from_entries(committer(), &entries(&case["kv"]));
        if let Some(root) = case.get("root_compressed") {
            assert_eq!(tree.root_bytes(), array::<32>(root), "{}", case["name"]);
        }
        if let Some(hash) = case.get("root_map_to_field_le") {
            let found = tree.root().map_to_scalar_field().to_bytes();
            assert_eq!(found, array::<32>(hash), "{}", case["name"]);
        }
    }
}

#[test]
fn genesis_of_devnets() {
    for file in ["genesis_devnet-2.json", "genesis_devnet-6.json"] {
        let Some(vector) = read(file) else { return };
        let entries = entries(&vector["kv"]);
        assert!(entries.len() > 1000);
        let tree = Tree::from_entries(committer(), &entries);
        assert_eq!(
            tree.root_bytes(),
            array::<32>(&vector["root_compressed"]),
            "{file}"
        );
        for (key, value) in &entries {
            assert_eq!(tree.get(key), Ok(Some(*value)));
        }
    }
}

/// The same genesis from its accounts: addresses, balances, nonces and code.
#[test]
fn genesis_from_accounts() {
    let Some(vector) = read("devnet6_genesis_alloc.json") else {
        return;
    };
    let accounts = vector["genesis"]["alloc"].as_object().expect("an object");
    let mut entries = Vec::new();
    for (address, account) in accounts {
        let number = |name: &str| -> u128 {
            let text = account
                .get(name)
                .map_or("0", |number| number.as_str().expect("a string"));
            text.parse().expect("a decimal number")
        };
        let code = account.get("code").map_or(Vec::new(), bytes);
        let address = crate::vectors::decode(address)
            .try_into()
            .expect("20 bytes");
        let keys = AccountKeys::new(committer(), &address);
        let header = AccountHeader {
            version: 0,
            nonce: number("nonce") as u64,
            balance: number("balance"),
            code_hash: keccak256(&code),
            code_size: code.len() as u32,
        };
        let leaves = keys.header_entries(&header, HeaderLayout::FiveLeaves);
        entries.extend(bytes_of(&leaves.expect("the old layout has no limits")));
        entries.extend(bytes_of(&keys.code_entries(committer(), &code)));
        let storage = account.get("storage").and_then(Json::as_object);
        for (slot, value) in storage.into_iter().flatten() {
            let slot = crate::vectors::decode(slot).try_into().expect("32 bytes");
            entries.push((keys.storage(committer(), &slot).into(), array(value)));
        }
    }
    let tree = Tree::from_entries(committer(), &entries);
    assert_eq!(tree.root_bytes(), array::<32>(&vector["root_compressed"]));
}

/// The entries with bytes as keys.
fn bytes_of(entries: &[(HashedKey, Value)]) -> Vec<(Key, Value)> {
    let bytes = |(key, value): &(HashedKey, Value)| (key.to_bytes(), *value);
    entries.iter().map(bytes).collect()
}

#[test]
fn accounts_of_the_old_layout() {
    let test_data = |file: &str| read(file).map(|vector| vector["testData"].clone());
    let root = |data: &Json, entries: &[(HashedKey, Value)]| {
        let tree = Tree::from_entries(committer(), &bytes_of(entries));
        assert_eq!(
            tree.root_bytes(),
            array::<32>(&data["expectedRootHash"]),
            "{data}"
        );
    };
    let number = |data: &Json, name: &str| data[name].as_u64().expect("a number");
    let header = |data: &Json| AccountHeader {
        nonce: number(data, "nonce"),
        balance: number(data, "balance").into(),
        ..AccountHeader::default()
    };
    let layout = HeaderLayout::FiveLeaves;

    let Some(data) = test_data("jsign_tree_001_eoa_insert.json") else {
        return;
    };
    let keys = AccountKeys::new(committer(), &array(&data["eoaAddress"]));
    root(
        &data,
        &keys
            .header_entries(&header(&data), layout)
            .expect("no limits"),
    );

    let Some(data) = test_data("jsign_tree_002_sc_insert.json") else {
        return;
    };
    let keys = AccountKeys::new(committer(), &array(&data["scAddress"]));
    let code = bytes(&data["hexCode"]);
    let with_code = AccountHeader {
        code_hash: keccak256(&code),
        code_size: code.len() as u32,
        ..header(&data)
    };
    let mut entries = keys.header_entries(&with_code, layout).expect("no limits");
    entries.extend(keys.code_entries(committer(), &code));
    root(&data, &entries);

    let Some(data) = test_data("jsign_tree_004_storageslot_insert.json") else {
        return;
    };
    let keys = AccountKeys::new(committer(), &array(&data["scAddress"]));
    let mut value = [0; 32];
    value[24..].copy_from_slice(b"elephant");
    let entries: Vec<(HashedKey, Value)> = list(&data["storageSlots"])
        .iter()
        .map(|slot| {
            let mut number = [0; 32];
            number[24..].copy_from_slice(&slot.as_u64().expect("a number").to_be_bytes());
            (keys.storage(committer(), &number), value)
        })
        .collect();
    root(&data, &entries);
}

/// Values of all leaf commitments of `09_commit_root.json`: big-endian scalars, dense.
#[test]
fn commitments_to_256_values() {
    let Some(vectors) = read("09_commit_root.json") else {
        return;
    };
    for case in list(&vectors["cases"]) {
        let scalars: Vec<Fr> = list(&case["frs"])
            .iter()
            .map(|scalar| Fr::from_be_bytes(&array(scalar)).expect("canonical"))
            .collect();
        let commitment = committer().commit(&scalars).expect("256 values");
        assert_eq!(commitment.to_bytes(), array::<32>(&case["expected"]));
    }
}

#[test]
fn sparse_updates_of_commitments() {
    let Some(vectors) = read("12_ffi_uncompressed_ops.json") else {
        return;
    };
    let element = |json: &Json| Element::from_uncompressed_le(&array(json)).expect("an element");
    let sum = &vectors["add_commitment"];
    assert_eq!(
        element(&sum["lhs"]) + element(&sum["rhs"]),
        element(&sum["sum"])
    );
    let case = &vectors["commit_256_equal"];
    let scalar = Fr::from_bytes(&array(&case["scalar_le"])).expect("canonical");
    assert_eq!(
        committer().commit_values(&[scalar; 256]),
        element(&case["result"])
    );
    for case in list(&vectors["update_sparse"]) {
        let scalar = |json: &Json| Fr::from_u64(json.as_u64().expect("a number"));
        let changes: Vec<(usize, Fr, Fr)> = list(&case["items"])
            .iter()
            .map(|item| {
                let index = item["index"].as_u64().expect("a number") as usize;
                (index, scalar(&item["old"]), scalar(&item["new"]))
            })
            .collect();
        let updated = committer().update(&element(&case["old"]), &changes);
        assert_eq!(
            updated.expect("indices below 256"),
            element(&case["result"])
        );
    }
}

#[test]
fn random_trees_against_the_naive_twin() {
    let mut random = Random(1);
    for n in [1, 2, 3, 10, 60] {
        let all = random.entries(n);
        let expected = naive::root(&all.iter().copied().collect::<Entries>());
        assert_eq!(
            Tree::from_entries(committer(), &all).root(),
            expected,
            "{n} entries"
        );
        // In steps, as updates, and a step without entries.
        let mut tree = Tree::new();
        for step in all.chunks(n.div_ceil(4)) {
            tree.update(committer(), step).expect("a whole tree");
            tree.update(committer(), &[]).expect("nothing");
        }
        assert_eq!(tree.root(), expected, "{n} entries in steps");
    }
}

#[test]
fn updates_against_a_new_tree() {
    let mut random = Random(2);
    let mut tree = Tree::new();
    let mut all = Entries::new();
    for round in 0..12 {
        let mut changes = random.entries(round * 20);
        // Old keys with new values, old keys with their old value, and a key that occurs twice: the last one counts.
        let old: Vec<(Key, Value)> = all.iter().map(|(k, v)| (*k, *v)).step_by(5).collect();
        changes.extend(old.iter().map(|(key, _)| (*key, random.value())));
        changes.extend(old.iter().step_by(2));
        tree.update(committer(), &changes).expect("a whole tree");
        all.extend(changes);
        let sorted: Vec<(Key, Value)> = all.iter().map(|(k, v)| (*k, *v)).collect();
        let new = Tree::from_entries(committer(), &sorted);
        assert_eq!(tree.root_bytes(), new.root_bytes(), "round {round}");
        for (key, value) in &sorted {
            assert_eq!(tree.get(key), Ok(Some(*value)));
        }
    }
    assert_eq!(tree.get(&[0xee; 32]), Ok(None));
}

#[test]
fn zero_is_not_absent() {
    let with_zero = Tree::from_entries(committer(), &[([1; 32], [0; 32])]);
    assert_ne!(with_zero.root(), Tree::new().root());
    assert_eq!(with_zero.get(&[1; 32]), Ok(Some([0; 32])));
    assert_eq!(EMPTY_CODE_HASH, keccak256(&[]));
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let all = Random(3).entries(700);
    let build = || Tree::from_entries(committer(), &all).root_bytes();
    let expected = frumious_parallel::with_threads(1, build).expect("a thread");
    for threads in [2, 3, 8] {
        let found = frumious_parallel::with_threads(threads, build).expect("threads");
        assert_eq!(found, expected, "{threads} threads");
    }
}

#[test]
fn errors_say_what_and_where() {
    let error = TreeError::NotCovered { key: [0xab; 32] };
    assert!(error.to_string().contains(&"ab".repeat(32)), "{error}");
}
