//! Keys and values of accounts, storage and code.

use crate::committer;
use crate::vectors::{array, bytes, list, read};
use frumious_verkle::tree::{
    AccountKeys, Address, HashedKey, TreeIndex, chunkify, pedersen_hash, tree_key,
};

/// `10_pedersen_hash_tree_key.json`, first case (rust-verkle `ffi_interface`).
const HASH_OF_ZEROS: &str = "1a100684fd68185060405f3f160e4bb6e034194336b547bdae323f888d533207";

#[test]
fn hash_of_zeros() {
    let hash = pedersen_hash(committer(), &[0; 64]);
    assert_eq!(hash.to_vec(), crate::vectors::decode(HASH_OF_ZEROS));
}

#[test]
fn hashes_and_tree_keys() {
    let Some(vectors) = read("10_pedersen_hash_tree_key.json") else {
        return;
    };
    for case in list(&vectors["hash64"]) {
        let hash = pedersen_hash(committer(), &array(&case["input"]));
        assert_eq!(hash, array::<32>(&case["hash"]), "{case}");
    }
    for case in list(&vectors["get_tree_key"]) {
        let index = TreeIndex::from_bytes(array(&case["tree_index_le"]));
        let sub_index = case["sub_index"].as_u64().expect("a number") as u8;
        let key = tree_key(committer(), &array(&case["address"]), &index, sub_index);
        assert_eq!(key.to_bytes(), array::<32>(&case["key"]), "{case}");
    }
}

#[test]
fn embedding() {
    let Some(vectors) = read("15_tree_keys_eip6800.json") else {
        return;
    };
    let cases = list(&vectors["cases"]);
    assert_eq!(cases.len(), 79);
    for case in cases {
        let number = |name: &str| case[name].as_u64().expect("a number");
        let account = || AccountKeys::new(committer(), &array(&case["address"]));
        let expected = &case["key"];
        let key: HashedKey = match case["kind"].as_str().expect("a string") {
            "stem" => {
                // 680564733841876926926749214863536422915 = 2^129 + 3, beyond JSON's integers.
                let mut index = [0; 32];
                (index[0], index[16]) = (3, 2);
                let index = TreeIndex::from_bytes(index);
                let key = tree_key(committer(), &array(&case["address32"]), &index, 7);
                let key = key.to_bytes();
                assert_eq!(key[..31], bytes(&case["stem"]), "{case}");
                assert_eq!(key[31], 7);
                continue;
            }
            "tree_key" => {
                let address: Address = array(&case["address"]);
                let mut wide = [0; 32];
                wide[12..].copy_from_slice(&address);
                let index = TreeIndex::from(number("tree_index"));
                tree_key(committer(), &wide, &index, number("sub_index") as u8)
            }
            "storage" => account().storage(committer(), &array(&case["slot_be"])),
            "code_chunk" => account().code_chunk(committer(), number("chunk_id") as u32),
            "basic_data" => account().basic_data(),
            "code_hash" => account().code_hash(),
            kind => panic!("unknown kind {kind}"),
        };
        assert_eq!(key.to_bytes(), array::<32>(expected), "{case}");
    }
}

#[test]
fn batches_are_the_single_keys() {
    let address = |i: u8| -> Address { [i; 20] };
    let addresses: Vec<Address> = (0..40).map(address).collect();
    let accounts = AccountKeys::batch(committer(), &addresses);
    for (account, address) in accounts.iter().zip(&addresses) {
        let single = AccountKeys::new(committer(), address);
        assert_eq!(account.header_stem(), single.header_stem());
        assert_eq!(
            account.storage(committer(), &[9; 32]),
            single.storage(committer(), &[9; 32])
        );
    }
    // In the header, beyond it, runs with the same stem, back and forth, the carry at 2^248, the last slot.
    let mut slots = vec![[0; 32], [1; 32], [0; 32], [0xff; 32], [1; 32]];
    for (i, last) in [(0, 63), (1, 64), (2, 65), (3, 255)] {
        slots.insert(i, core::array::from_fn(|j| if j == 31 { last } else { 0 }));
    }
    let account = &accounts[3];
    let batch = account.storage_batch(committer(), &slots);
    for (slot, key) in slots.iter().zip(&batch) {
        assert_eq!(account.storage(committer(), slot), *key, "slot {slot:02x?}");
    }
    let code = vec![0x5b; 31 * 400 + 1];
    for (i, (key, value)) in account.code_entries(committer(), &code).iter().enumerate() {
        assert_eq!(account.code_chunk(committer(), i as u32), *key);
        assert_eq!(chunkify(&code)[i], *value);
    }
    assert!(account.storage_batch(committer(), &[]).is_empty());
    assert!(account.code_entries(committer(), &[]).is_empty());
}

/// The last slot's position exceeds `2^256`: its index is `2^248 - 1 + 2^240`, by hand.
#[test]
fn the_last_slot() {
    let mut index = [0; 32];
    index[..30].fill(0xff);
    index[31] = 1;
    let mut wide = [0; 32];
    wide[12..].fill(5);
    let expected = tree_key(committer(), &wide, &TreeIndex::from_bytes(index), 0xff);
    let account = AccountKeys::new(committer(), &[5; 20]);
    assert_eq!(account.storage(committer(), &[0xff; 32]), expected);
}

#[test]
fn chunks_of_code() {
    for file in [
        "besu_chunkifyCode.json",
        "besu_chukifyCodePush32on31stByte.json",
    ] {
        let Some(vectors) = read(file) else { return };
        for case in list(&vectors["data"]) {
            let chunks: Vec<[u8; 32]> = list(&case["chunks"]).iter().map(array).collect();
            let code = bytes(&case["bytecode"]);
            assert_eq!(chunkify(&code), chunks, "{file}");
            assert!(chunks.len() > 100, "{file}");
        }
    }
}
