//! Parameters in bellman's form: those of snarkjs are read and written, and whatever is altered is refused.

use frumious_circom::generic::R1cs;
use frumious_curves::engine::BigEndianEncoding;
use frumious_curves::{Bls12_381, Bn254, Group, PairingEngine};
use frumious_groth16::{ProvingEngine, SetupOptions};
use frumious_snarkjs::generic::{Ptau, Zkey};
use frumious_snarkjs::groth16::bellman::{self, ImportedKey, MpcFault, MpcParams};
use frumious_snarkjs::groth16::phase2::{self, Fault, Verdict};
use frumious_snarkjs::groth16::setup;

/// A circuit's key with contributions, its parameters by snarkjs, and what the key is made of.
struct Files<E: PairingEngine> {
    key: Zkey<E>,
    params: Vec<u8>,
    r1cs: &'static [u8],
    ptau: &'static [u8],
}

macro_rules! files {
    ($folder:literal) => {
        Files {
            key: Zkey::from_bytes(
                include_bytes!(concat!("../data/", $folder, "contributed.zkey")).to_vec(),
            )
            .unwrap(),
            params: include_bytes!(concat!("../data/", $folder, "contributed.mpcparams")).to_vec(),
            r1cs: include_bytes!(concat!("../data/", $folder, "mul.r1cs")),
            ptau: include_bytes!(concat!("../data/", $folder, "pot2.ptau")),
        }
    };
}

fn exported<E: ProvingEngine>(key: &Zkey<E>) -> Vec<u8> {
    let mut out = Vec::new();
    bellman::export(key, &mut out, &|_| ()).unwrap();
    out
}

fn contributed<E: ProvingEngine>(params: &[u8]) -> Vec<u8> {
    let old = MpcParams::<E>::from_bytes(params.to_vec()).unwrap();
    let mut out = Vec::new();
    let made = bellman::contribute(&old, b"text", &mut out, &|_| ()).unwrap();
    assert_eq!(made.number, old.contributions().contributions.len() + 1);
    out
}

/// The outcome, and the key if there is one.
fn imported<E: ProvingEngine>(
    old: &Zkey<E>,
    params: &[u8],
    name: Option<&str>,
) -> (ImportedKey, Vec<u8>) {
    let params = MpcParams::<E>::from_bytes(params.to_vec()).unwrap();
    let mut out = Vec::new();
    let made = bellman::import(old, &params, name, &mut out, &|_| ()).unwrap();
    (made, out)
}

fn fault<E: ProvingEngine>(old: &Zkey<E>, params: &[u8]) -> MpcFault {
    let (made, written) = imported(old, params, None);
    assert!(written.is_empty());
    match made {
        ImportedKey::Invalid(fault) => fault,
        ImportedKey::Key(_) => panic!("it was imported"),
    }
}

fn message<E: ProvingEngine>(params: Vec<u8>) -> String {
    match MpcParams::<E>::from_bytes(params) {
        Err(error) => error.to_string(),
        Ok(params) => params.check().unwrap_err().to_string(),
    }
}

/// Byte ranges of the points of IC, H, L, A, B1, B2, and where the contributions begin.
fn places<E: PairingEngine>(params: &[u8]) -> ([std::ops::Range<usize>; 6], usize) {
    let g1 = E::G1::GENERATOR.to_big_endian_bytes().len();
    let mut at = 3 * g1 + 3 * 2 * g1;
    let parts = [g1, g1, g1, g1, g1, 2 * g1].map(|size| {
        let count = u32::from_be_bytes(params[at..at + 4].try_into().unwrap()) as usize;
        let part = at + 4..at + 4 + count * size;
        at = part.end;
        part
    });
    (parts, at)
}

fn check<E: ProvingEngine>(files: &Files<E>) {
    let Files { key, params, .. } = files;
    assert!(exported(key) == *params);

    // One contribution more, and another; the key is verified from its circuit on.
    let twice = contributed::<E>(&contributed::<E>(params));
    let (made, new) = imported(key, &twice, Some("by another program"));
    let ImportedKey::Key(made) = made else {
        panic!("{made:?}");
    };
    let before = key.contributions().unwrap().unwrap().contributions;
    assert_eq!(made.number, before.len() + 2);
    let new = Zkey::<E>::from_bytes(new).unwrap();
    let Verdict::Valid(chain) = phase2::verify_chain(&new).unwrap() else {
        panic!("the chain");
    };
    assert_eq!(chain.last().unwrap().hash, made.contribution_hash);
    let names: Vec<_> = chain.into_iter().map(|it| it.name).collect();
    let old: Vec<_> = before.iter().map(|it| it.name.clone()).collect();
    assert_eq!(names[..old.len()], old);
    let name = || Some("by another program".to_owned());
    assert_eq!(names[old.len()..], [name(), name()]);
    let circuit = R1cs::<E>::from_bytes(files.r1cs.to_vec()).unwrap();
    let powers = Ptau::<E>::from_bytes(files.ptau.to_vec()).unwrap();
    let mut initial = Vec::new();
    let out = std::io::Cursor::new(&mut initial);
    setup(&circuit, &powers, out, &SetupOptions::default()).unwrap();
    let initial = Zkey::<E>::from_bytes(initial).unwrap();
    let verdict = phase2::verify_key(&initial, &new, &|_| ()).unwrap();
    assert_eq!(verdict, Verdict::Valid(()));
    // It is exported again as it was, goes on, and is no longer the key before.
    assert!(exported(&new) == twice);
    let (made, _) = imported(&new, &contributed::<E>(&twice), None);
    assert!(matches!(made, ImportedKey::Key(_)));
    let expected = MpcFault::Earlier(before.len() + 1);
    assert_eq!(fault(&new, &contributed::<E>(params)), expected);
}

fn check_altered<E: ProvingEngine>(files: &Files<E>) {
    let Files { key, params, .. } = files;
    let new = contributed::<E>(params);
    let other = contributed::<E>(params);
    let (parts, contributions) = places::<E>(&new);
    let g1 = E::G1::GENERATOR.to_big_endian_bytes();
    let size = g1.len();
    let g2 = E::G2::GENERATOR.to_big_endian_bytes();
    let replaced = |at: usize, bytes: &[u8]| {
        let mut params = new.clone();
        params[at..at + bytes.len()].copy_from_slice(bytes);
        params
    };

    // Points of the group in the place of others.
    for (at, name) in [(0, "alpha in G1"), (size, "beta in G1")] {
        assert_eq!(fault(key, &replaced(at, &g1)), MpcFault::Header(name));
    }
    let other_g2 = E::G2::from(E::G2::double(&E::G2::GENERATOR.into())).to_big_endian_bytes();
    for (at, name) in [(2, "beta in G2"), (4, "gamma in G2")] {
        let altered = replaced(at * size, &other_g2);
        assert_eq!(fault(key, &altered), MpcFault::Header(name));
    }
    let delta = MpcFault::Chain(Fault::DeltaG1);
    assert_eq!(fault(key, &replaced(6 * size, &g1)), delta);
    let delta = MpcFault::Chain(Fault::DeltaG2);
    assert_eq!(fault(key, &replaced(7 * size, &g2)), delta);
    for (k, expected) in [
        (0, MpcFault::Part("IC")),
        (1, MpcFault::Divided("H")),
        (2, MpcFault::Divided("L")),
        (3, MpcFault::Part("A")),
        (4, MpcFault::Part("B1")),
        (5, MpcFault::Part("B2")),
    ] {
        let point = if k == 5 { &g2 } else { &g1 };
        for at in [parts[k].start, parts[k].end - point.len()] {
            assert_eq!(fault(key, &replaced(at, point)), expected);
        }
    }
    // Two points of H in each other's places; H and L of another contribution.
    let h = &new[parts[1].clone()];
    let swapped = [&h[size..2 * size], &h[..size]].concat();
    let swapped = replaced(parts[1].start, &swapped);
    assert_eq!(fault(key, &swapped), MpcFault::Divided("H"));
    for (k, name) in [(1, "H"), (2, "L")] {
        let part = parts[k].clone();
        let mixed = replaced(part.start, &other[part]);
        assert_eq!(fault(key, &mixed), MpcFault::Divided(name));
    }

    // The contributions: another circuit, one altered, one replayed, none new but other points.
    let altered = replaced(contributions, &[!new[contributions]]);
    assert_eq!(fault(key, &altered), MpcFault::CircuitHash);
    let known = key.contributions().unwrap().unwrap().contributions.len();
    let record = 5 * size + 64;
    let first = contributions + 68;
    let transcript = first + 5 * size;
    let altered = replaced(transcript, &[!new[transcript]]);
    assert_eq!(fault(key, &altered), MpcFault::Earlier(1));
    let last = first + known * record;
    let number = known + 1;
    let chain = |fault| MpcFault::Chain(fault);
    let altered = replaced(last + 5 * size, &[!new[last + 5 * size]]);
    assert_eq!(fault(key, &altered), chain(Fault::Transcript(number)));
    let altered = replaced(last, &g1);
    assert_eq!(fault(key, &altered), chain(Fault::DeltaAfter(number)));
    let altered = replaced(last + 3 * size, &g2);
    assert_eq!(fault(key, &altered), chain(Fault::PublicKey(number)));
    let mut replayed = replaced(contributions + 67, &[number as u8 + 1]);
    replayed.extend_from_within(last..);
    assert_eq!(fault(key, &replayed), chain(Fault::Transcript(number + 1)));
    let mut dropped = replaced(contributions + 67, &[number as u8 - 1]);
    dropped.truncate(last);
    assert_eq!(fault(key, &dropped), chain(Fault::DeltaG1));
    let mut none = replaced(contributions + 67, &[0]);
    none.truncate(first);
    assert_eq!(fault(key, &none), MpcFault::Earlier(1));
}

fn check_malformed<E: ProvingEngine>(files: &Files<E>) {
    let params = &files.params;
    let (parts, contributions) = places::<E>(params);
    let size = E::G1::GENERATOR.to_big_endian_bytes().len();
    let names = ["IC", "H", "L", "A", "B1", "B2"];
    let replaced = |at: usize, bytes: &[u8]| {
        let mut params = params.clone();
        params[at..at + bytes.len()].copy_from_slice(bytes);
        params
    };
    for length in 0..params.len() {
        let cut = MpcParams::<E>::from_bytes(params[..length].to_vec());
        assert!(cut.is_err(), "{length}");
    }
    let mut longer = params.clone();
    longer.push(0);
    assert!(message::<E>(longer).contains("contributions, byte"));
    for (part, name) in parts.iter().zip(names) {
        // A count that lies is refused before anything is allocated for it.
        let told = message::<E>(replaced(part.start - 4, &[0xff; 4]));
        let place = format!("mpcparams file, {name}, byte {}: ", part.start);
        assert!(told.contains(&place), "{told}");
        assert!(told.contains("bytes are needed"), "{told}");
        // No point, and no coordinate.
        for bytes in [&[0x01][..], &[0xff]] {
            let told = message::<E>(replaced(part.start, bytes));
            assert!(
                told.contains(&format!("{name}, byte {}", part.start)),
                "{told}"
            );
        }
    }
    // As many points fewer as more: the counts contradict each other.
    let mut moved = params.clone();
    let a = parts[3].clone();
    moved[a.start - 1] -= 1;
    moved.drain(a.start..a.start + size);
    let told = message::<E>(moved);
    assert!(
        told.contains("L, byte") && told.contains("points"),
        "{told}"
    );
    let mut moved = params.clone();
    let h = parts[1].clone();
    moved[h.start - 1] -= 1;
    moved.drain(h.start..h.start + size);
    assert!(message::<E>(moved).contains("H, byte"));
    let mut moved = params.clone();
    let ic = parts[0].clone();
    moved[ic.start - 1] = 0;
    moved.drain(ic.clone());
    assert!(message::<E>(moved).contains("IC, byte"));
    // The header and the contributions have points that are read at once.
    assert!(message::<E>(replaced(0, &[0xff])).contains("header, byte 0"));
    let infinite = replaced(size, &vec![0; size]);
    assert!(message::<E>(infinite).contains("infinity"));
    for count in [[0, 0, 0, 9], [0xff; 4]] {
        let told = message::<E>(replaced(contributions + 64, &count));
        assert!(told.contains("contributions, byte"), "{told}");
    }
    let told = message::<E>(replaced(contributions + 68, &[0xff]));
    assert!(told.contains(&format!("contributions, byte {}", contributions + 68)));
}

#[test]
fn parameters_are_those_of_snarkjs_and_lead_to_keys() {
    check::<Bn254>(&files!(""));
    check::<Bls12_381>(&files!("bls12_381/"));
}

#[test]
fn altered_parameters_are_refused() {
    check_altered::<Bn254>(&files!(""));
    check_altered::<Bls12_381>(&files!("bls12_381/"));
}

#[test]
fn malformed_parameters_are_refused_with_their_place() {
    check_malformed::<Bn254>(&files!(""));
    check_malformed::<Bls12_381>(&files!("bls12_381/"));
}

#[test]
fn parameters_of_one_curve_are_none_of_the_other() {
    let (bn, bls) = (files!(""), files!("bls12_381/"));
    let _: (&Files<Bn254>, &Files<Bls12_381>) = (&bn, &bls);
    assert!(MpcParams::<Bls12_381>::from_bytes(bn.params).is_err());
    assert!(MpcParams::<Bn254>::from_bytes(bls.params).is_err());
}
