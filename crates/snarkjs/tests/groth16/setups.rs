//! Keys: from a ceremony, byte for byte as snarkjs makes them; and without one.

use crate::circuits::{self, Circuit, checked, random};
use blake2::digest::consts::U32;
use blake2::{Blake2b, Digest};
use frumious_circom::{R1cs, R1csBuilder};
use frumious_curves::Bn254;
use frumious_curves::bn254::{Fr, G1Affine, G2Affine};
use frumious_groth16::{
    Error, ProveOptions, ProvingEngine, ProvingKey, SetupOptions, SetupPhase, plan_ceremony,
    plan_dev, prove_with_randomness_for_tests, seed_digest, verify,
};
use frumious_parallel::with_threads;
use frumious_r1cs::ConstraintSource;
use frumious_snarkjs::groth16::{
    KeyOutput, Position, check_key, prove, proving_key, setup, setup_dev, setup_dev_from_seed,
    values,
};
use frumious_snarkjs::{Ptau, Zkey};
use std::collections::BTreeMap;
use std::io::{Cursor, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

/// Sections of a binary file by their number.
fn sections(bytes: &[u8]) -> BTreeMap<u32, &[u8]> {
    let mut sections = BTreeMap::new();
    let mut rest = &bytes[12..];
    while !rest.is_empty() {
        let number = u32::from_le_bytes(rest[..4].try_into().unwrap());
        let length = u64::from_le_bytes(rest[4..12].try_into().unwrap()) as usize;
        sections.insert(number, &rest[12..12 + length]);
        rest = &rest[12 + length..];
    }
    sections
}

pub fn assert_same_sections(ours: &[u8], theirs: &[u8]) {
    let (ours, theirs) = (sections(ours), sections(theirs));
    assert_eq!(
        ours.keys().collect::<Vec<_>>(),
        theirs.keys().collect::<Vec<_>>()
    );
    for (number, section) in &theirs {
        assert_eq!(&ours[number], section, "section {number}");
    }
}

/// The key of a circuit under a ceremony.
pub fn ceremony_key<E: ProvingEngine>(
    circuit: &impl ConstraintSource<E::Fr>,
    ptau: &frumious_snarkjs::generic::Ptau<E>,
) -> Result<Vec<u8>, Error> {
    let mut key = Vec::new();
    setup(
        circuit,
        ptau,
        Cursor::new(&mut key),
        &SetupOptions::default(),
    )?;
    Ok(key)
}

/// The circuits of `tests/data`, whose keys snarkjs made (see SOURCE.md there).
fn circuits_of_data() -> [(&'static str, circuits::Circuit); 2] {
    [
        ("full", random(4, [1, 1, 1], 13)),
        ("half", random(8, [0, 0, 3], 7)),
    ]
}

#[test]
fn every_section_is_as_snarkjs_makes_it() {
    let ptau = Ptau::open(data("pot4.ptau")).unwrap();
    for (name, circuit) in circuits_of_data() {
        let r1cs = R1cs::open(data(&format!("{name}.r1cs"))).unwrap();
        let zkey = ceremony_key(&r1cs, &ptau).unwrap();
        assert_eq!(zkey, ceremony_key(&r1cs.to_system(), &ptau).unwrap());
        assert_same_sections(
            &zkey,
            &std::fs::read(data(&format!("{name}.zkey"))).unwrap(),
        );

        let key = checked(Zkey::from_bytes(zkey).unwrap());
        let (proof, public) = prove(&key, &circuit.witness(), &ProveOptions::default()).unwrap();
        assert!(verify(key.verifying_key(), &public, &proof).unwrap());
    }
}

/// The committed circuits are those that `random` makes.
#[test]
fn circuits_of_the_vectors_are_reproducible() {
    for (name, circuit) in circuits_of_data() {
        let mut bytes = Vec::new();
        circuit.r1cs.write(&mut bytes).unwrap();
        if std::env::var_os("FRUMIOUS_WRITE_VECTORS").is_some() {
            std::fs::write(data(&format!("{name}.r1cs")), &bytes).unwrap();
        }
        assert_eq!(bytes, std::fs::read(data(&format!("{name}.r1cs"))).unwrap());
    }
}

#[test]
fn powers_that_do_not_reach_are_an_error() {
    let ptau = Ptau::open(data("pot4.ptau")).unwrap();
    for (n_constraints, fits) in [(14, true), (15, false), (40, false)] {
        let circuit = random(5, [0, 1, 1], n_constraints);
        match ceremony_key(&circuit.r1cs, &ptau) {
            Ok(_) => assert!(fits),
            Err(Error::CircuitTooLarge { needed, available }) => {
                assert!(!fits);
                assert_eq!(available, 4);
                assert_eq!(needed, if n_constraints == 15 { 5 } else { 6 });
            }
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn unprepared_powers_are_an_error() {
    let prepared = std::fs::read(data("pot4.ptau")).unwrap();
    // The same file with its Lagrange sections under numbers that mean nothing.
    let mut unprepared = prepared.clone();
    let mut at = 12;
    while at < prepared.len() {
        let number = u32::from_le_bytes(prepared[at..at + 4].try_into().unwrap());
        let length = u64::from_le_bytes(prepared[at + 4..at + 12].try_into().unwrap()) as usize;
        if number >= 12 {
            unprepared[at..at + 4].copy_from_slice(&(number + 100).to_le_bytes());
        }
        at += 12 + length;
    }
    let ptau = Ptau::from_bytes(unprepared).unwrap();
    let circuit = random(8, [0, 0, 3], 7);
    let error = ceremony_key(&circuit.r1cs, &ptau).unwrap_err();
    assert!(matches!(error, Error::Source(_)), "{error}");
}

#[test]
fn a_wrong_point_of_the_powers_is_an_error() {
    let good = std::fs::read(data("pot4.ptau")).unwrap();
    let circuit = random(8, [0, 0, 3], 7); // domain 8: block 3
    let at = |section: u32, point_bytes: usize| {
        let start = sections(&good)[&section].as_ptr() as usize - good.as_ptr() as usize;
        start + 7 * point_bytes
    };
    for position in [at(12, 64), at(13, 128), at(14, 64), at(15, 64)] {
        let mut bad = good.clone();
        bad[position] ^= 1;
        let ptau = Ptau::from_bytes(bad).unwrap();
        assert!(ceremony_key(&circuit.r1cs, &ptau).is_err());
    }
}

#[test]
fn dev_keys_are_whole() {
    for circuit in circuits::small() {
        let file = circuit.dev_zkey();
        let key = checked(file.clone());
        let header = file.header();
        assert_eq!(header.gamma_g2, G2Affine::GENERATOR);
        assert_ne!(header.delta_g1, G1Affine::GENERATOR);
        assert_eq!(key.n_wires(), circuit.values.len());
        let contributions = file.contributions().unwrap().unwrap();
        assert_eq!(contributions.circuit_hash, [0; 64]);
        // two keys of one circuit have nothing in common
        let other = circuit.dev_zkey();
        assert_ne!(other.header().alpha_g1, header.alpha_g1);
        assert_ne!(other.h().get(0).unwrap(), file.h().get(0).unwrap());
    }
}

/// Without constraints and signals there is still the constant's row, and snarkjs's smallest domain is two.
#[test]
fn a_circuit_of_nothing() {
    let r1cs = R1csBuilder::new(0, 0, 0).build();
    let mut bytes = Vec::new();
    setup_dev(&r1cs, &mut bytes, &SetupOptions::default()).unwrap();
    let key = checked(Zkey::from_bytes(bytes).unwrap());
    assert_eq!(key.domain_size(), 2);
    let witness = circuits::witness_of(&[Fr::ONE]);
    let (proof, public) = prove(&key, &witness, &ProveOptions::default()).unwrap();
    assert!(public.is_empty());
    assert!(verify(key.verifying_key(), &public, &proof).unwrap());
}

#[test]
fn phases_are_announced_in_order() {
    let phases = Mutex::new(Vec::new());
    let observer = |phase, done: f64| {
        assert!((0.0..=1.0).contains(&done), "{phase:?}: {done}");
        let mut phases = phases.lock().unwrap();
        if phases.last() != Some(&phase) {
            assert_eq!(done, 0.0, "{phase:?}");
            phases.push(phase);
        }
    };
    let options = SetupOptions {
        observer: Some(&observer),
        ..SetupOptions::default()
    };
    let circuit = random(8, [0, 0, 3], 7);
    setup_dev(&circuit.r1cs, std::io::sink(), &options).unwrap();
    assert_eq!(
        std::mem::take(&mut *phases.lock().unwrap()),
        SetupPhase::DEVELOPMENT
    );
    let ptau = Ptau::open(data("pot4.ptau")).unwrap();
    let out = Cursor::new(Vec::new());
    setup(&circuit.r1cs, &ptau, out, &options).unwrap();
    assert_eq!(*phases.lock().unwrap(), SetupPhase::ALL);
}

/// Many wires in few rows, which are long.
fn wide(n_wires: u32) -> circuits::Circuit {
    let mut sequence = circuits::Sequence::new(77);
    let mut builder = R1csBuilder::new(1, 1, n_wires - 3);
    let mut values = vec![Fr::ONE, Fr::ZERO];
    values.resize_with(n_wires as usize, || sequence.element());
    for row in 0..12 {
        let a: Vec<(u32, Fr)> = (2 + row..n_wires)
            .step_by(5)
            .map(|wire| (wire, Fr::from_u64(u64::from(wire) % 7)))
            .collect();
        let sum = a
            .iter()
            .fold(Fr::ZERO, |sum, (wire, k)| sum + values[*wire as usize] * *k);
        let b = [(2 + 100 * row, Fr::ONE), (n_wires - 1 - row, -Fr::ONE)];
        let b_value = values[b[0].0 as usize] - values[b[1].0 as usize];
        let product = builder.new_wire();
        values.push(sum * b_value);
        builder.constraint(&a, &b, &[(product, Fr::ONE)]);
    }
    builder.constraint(&[], &[(3, Fr::ONE)], &[(1, Fr::ONE)]);
    let r1cs = builder.build();
    assert_eq!(r1cs.first_unsatisfied(&values), None);
    circuits::Circuit { r1cs, values }
}

/// The same key in less memory, by ranges of wires.
#[test]
fn a_limit_of_memory_changes_no_byte() {
    let ptau = Ptau::open(data("pot4.ptau")).unwrap();
    let circuit = wide(5000);
    let expected = ceremony_key(&circuit.r1cs, &ptau).unwrap();
    for threads in [1, 3] {
        with_threads(threads, || {
            let whole = plan_ceremony::<Bn254>(&circuit.r1cs, None).unwrap();
            let limit = whole.memory - 120_000;
            let plan = plan_ceremony::<Bn254>(&circuit.r1cs, Some(limit)).unwrap();
            assert!(plan.passes > whole.passes && plan.memory <= limit);
            let options = SetupOptions {
                max_memory: Some(limit),
                ..SetupOptions::default()
            };
            let mut key = Vec::new();
            setup(&circuit.r1cs, &ptau, Cursor::new(&mut key), &options).unwrap();
            assert_eq!(key, expected);

            let options = SetupOptions {
                max_memory: Some(whole.memory - 250_000),
                ..SetupOptions::default()
            };
            let mut key = Vec::new();
            let result = setup(&circuit.r1cs, &ptau, Cursor::new(&mut key), &options);
            match result {
                Err(Error::MemoryLimit { needed, limit }) => {
                    assert!(needed > limit && key.is_empty());
                }
                other => panic!("{other:?}"),
            }
        })
        .unwrap();
    }
}

#[test]
fn development_keys_in_little_memory_are_whole() {
    let circuit = wide(20_000);
    let whole = plan_dev::<Bn254>(&circuit.r1cs, None).unwrap();
    assert_eq!(whole.passes, 1);
    let limit = least_memory(&circuit.r1cs) + 32 * 200;
    let plan = plan_dev::<Bn254>(&circuit.r1cs, Some(limit)).unwrap();
    assert!(plan.passes > 1 && plan.memory <= limit);
    let options = SetupOptions {
        max_memory: Some(limit),
        ..SetupOptions::default()
    };
    let mut key = Vec::new();
    setup_dev(&circuit.r1cs, &mut key, &options).unwrap();
    let key = checked(Zkey::from_bytes(key).unwrap());
    let (proof, public) = prove(&key, &circuit.witness(), &ProveOptions::default()).unwrap();
    assert!(verify(key.verifying_key(), &public, &proof).unwrap());

    // Whatever is allowed is kept to.
    for limit in (0..40).map(|k| least_memory(&circuit.r1cs) + k * 100_000) {
        let plan = plan_dev::<Bn254>(&circuit.r1cs, Some(limit)).unwrap();
        assert!(plan.memory <= limit, "{limit}");
    }
}

/// The least that a development setup does with.
fn least_memory(r1cs: &R1cs) -> u64 {
    match plan_dev::<Bn254>(r1cs, Some(1000)) {
        Err(Error::MemoryLimit { needed, limit }) => {
            assert!(needed > 1000 && limit == 1000);
            assert!(plan_dev::<Bn254>(r1cs, Some(needed - 1)).is_err());
            needed
        }
        other => panic!("{other:?}"),
    }
}

/// The key of a seed, made in one go.
fn seeded(
    circuit: &impl ConstraintSource<Fr>,
    seed: &[u8],
    max_memory: Option<u64>,
) -> Remembering {
    let mut key = Remembering::default();
    let options = SetupOptions {
        max_memory,
        ..SetupOptions::default()
    };
    setup_dev_from_seed(circuit, seed, &mut key, &options).unwrap();
    key
}

#[test]
fn a_seed_gives_one_key_and_no_other_seed_does() {
    let circuit = random(8, [0, 0, 3], 7);
    let bytes = |seed: &[u8]| seeded(&circuit.r1cs, seed, None).bytes.into_inner();
    let key = bytes(&[7; 32]);
    for threads in [1, 3] {
        let again = with_threads(threads, || bytes(&[7; 32])).unwrap();
        assert_eq!(again, key);
    }
    assert_eq!(
        seeded(&circuit.r1cs.to_system(), &[7; 32], None)
            .bytes
            .into_inner(),
        key
    );
    // Keys that somebody has made can be made again.
    let digest = Blake2b::<U32>::digest(&key);
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(digest, KNOWN_DIGEST);

    let alpha = |key: Vec<u8>| Zkey::from_bytes(key).unwrap().header().alpha_g1;
    let of_key = alpha(key.clone());
    let mut others = vec![alpha(
        seeded(&random(4, [1, 1, 1], 13).r1cs, &[7; 32], None)
            .bytes
            .into_inner(),
    )];
    for seed in [&[7; 31][..], &[7; 33], &[8; 32], &[7; 16], &[7; 4096]] {
        others.push(alpha(bytes(seed)));
    }
    for (i, other) in others.iter().enumerate() {
        assert!(*other != of_key && !others[..i].contains(other), "{i}");
    }
    let names = [&[7; 16][..], &[7; 17], &[8; 16]].map(seed_digest);
    assert!(names[0] != names[1] && names[0] != names[2]);

    let key = checked(Zkey::from_bytes(key).unwrap());
    let (proof, public) = prove(&key, &circuit.witness(), &ProveOptions::default()).unwrap();
    assert!(verify(key.verifying_key(), &public, &proof).unwrap());
}

/// BLAKE2b-256 of the key of the circuit `half` and the seed of 32 sevens.
const KNOWN_DIGEST: &str = "439202d44953a4a5cfe2194e98a6c2d42cee25e389458b175d332de2c8332658";

#[test]
fn seeds_that_are_too_short_or_too_long_are_refused() {
    let circuit = random(8, [0, 0, 3], 7);
    for length in [0, 15, 4097] {
        let mut key = Remembering::default();
        let options = SetupOptions::default();
        let made = setup_dev_from_seed(&circuit.r1cs, &vec![7; length], &mut key, &options);
        match made {
            Err(Error::SeedLength { actual, .. }) => assert_eq!(actual, length),
            other => panic!("{other:?}"),
        }
        assert!(key.bytes.into_inner().is_empty());
    }
}

#[test]
fn a_setup_with_a_seed_goes_on_from_every_checkpoint() {
    for (circuit, by_ranges) in [(wide(20_000), true), (random(4, [1, 1, 1], 13), false)] {
        with_threads(1, || {
            let least = least_memory(&circuit.r1cs);
            let plan = plan_dev::<Bn254>(&circuit.r1cs, Some(least)).unwrap();
            assert_eq!(plan.passes > 1, by_ranges);
            let whole = seeded(&circuit.r1cs, &[9; 16], None);
            let expected = whole.bytes.into_inner();
            for limit in [None, Some(least)] {
                let whole = seeded(&circuit.r1cs, &[9; 16], limit);
                assert_eq!(whole.bytes.into_inner(), expected);
                assert!(whole.positions.len() >= 7);
                // With a limit there are many.
                let step = if limit.is_some() { 6 } else { 1 };
                for (position, length) in whole.positions.into_iter().step_by(step) {
                    let mut bytes = Cursor::new(expected[..length].to_vec());
                    bytes.seek(SeekFrom::End(0)).unwrap();
                    let mut rest = Remembering {
                        bytes,
                        start: Some(position),
                        positions: Vec::new(),
                    };
                    let options = SetupOptions {
                        max_memory: limit,
                        ..SetupOptions::default()
                    };
                    setup_dev_from_seed(&circuit.r1cs, &[9; 16], &mut rest, &options).unwrap();
                    assert_eq!(rest.bytes.into_inner(), expected, "{position:?}");
                }
            }
        })
        .unwrap();
    }
}

/// An output that remembers where it could go on.
#[derive(Default)]
struct Remembering {
    bytes: Cursor<Vec<u8>>,
    start: Option<Position>,
    positions: Vec<(Position, usize)>,
}

impl Read for Remembering {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        self.bytes.read(bytes)
    }
}

impl Write for Remembering {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.bytes.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Seek for Remembering {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.bytes.seek(to)
    }
}

impl KeyOutput for Remembering {
    fn start(&self) -> Option<Position> {
        self.start
    }

    fn checkpoint(&mut self, position: Position) -> std::io::Result<()> {
        self.positions.push((position, self.bytes.get_ref().len()));
        Ok(())
    }
}

#[test]
fn a_setup_goes_on_from_every_checkpoint() {
    let ptau = Ptau::open(data("pot4.ptau")).unwrap();
    for circuit in [wide(5000), random(4, [1, 1, 1], 13)] {
        with_threads(1, || {
            let mut whole = Remembering::default();
            setup(&circuit.r1cs, &ptau, &mut whole, &SetupOptions::default()).unwrap();
            assert!(whole.positions.len() >= 6);
            let expected = whole.bytes.into_inner();
            for (position, length) in whole.positions {
                let mut bytes = Cursor::new(expected[..length].to_vec());
                bytes.seek(SeekFrom::End(0)).unwrap();
                let mut rest = Remembering {
                    bytes,
                    start: Some(position),
                    positions: Vec::new(),
                };
                setup(&circuit.r1cs, &ptau, &mut rest, &SetupOptions::default()).unwrap();
                assert_eq!(rest.bytes.into_inner(), expected, "{position:?}");
            }
        })
        .unwrap();
    }
}

#[test]
fn a_key_with_a_bad_point_is_refused() {
    let circuit = random(8, [0, 0, 3], 7);
    let mut good = Vec::new();
    setup_dev(&circuit.r1cs, &mut good, &SetupOptions::default()).unwrap();
    for (section, point_bytes) in [(3, 64), (5, 64), (6, 64), (7, 128), (8, 64), (9, 64)] {
        let bytes = sections(&good)[&section];
        let start = bytes.as_ptr() as usize - good.as_ptr() as usize;
        let finite = bytes
            .chunks(point_bytes)
            .position(|point| point.iter().any(|byte| *byte != 0))
            .unwrap();
        let position = start + finite * point_bytes;

        let mut noncanonical = good.clone();
        noncanonical[position..position + 32].fill(0xff);
        let opened = Zkey::from_bytes(noncanonical).map(proving_key);
        match opened {
            Ok(Ok(key)) if section == 6 => is_refused_when_b1_is_read(&key, &circuit),
            other => assert!(!matches!(other, Ok(Ok(_))), "section {section}"),
        }

        let mut off_curve = good.clone();
        off_curve[position] ^= 1;
        if let Ok(key) = Zkey::from_bytes(off_curve) {
            assert!(check_key(&key.into()).is_err(), "section {section}");
        }
    }
}

/// Part B1 is not looked at until it is asked for. Then its bad coordinate is an error, with its place.
fn is_refused_when_b1_is_read(key: &ProvingKey, circuit: &Circuit) {
    let (witness, options) = (circuit.witness(), ProveOptions::default());
    prove(key, &witness, &options).unwrap();
    let read = prove_with_randomness_for_tests(key, &values(&witness), &options, Fr::ONE, Fr::ONE);
    let error = read.unwrap_err().to_string();
    assert!(error.contains("section 6 (B1)"), "{error}");
}
