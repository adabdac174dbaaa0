//! Signals that inputs leave out, by name where one can be had.
//!
//! A generator knows its inputs by hashes of their names ([`InputTable`]). The names are in the circuit's `.sym`: those
//! of them with a hash that no input has are missing. Without a table, as of a graph, the wires of inputs tell.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;

use frumious_circom::FileKind;
use frumious_circom::generic::R1cs;
use frumious_mapping::FileBytes;
use frumious_witness::{InputTable, Program, name_hash, signal_names};

use crate::symbols::{Symbols, beside, listed};
use crate::{curve, over_curve};

/// A sentence about the signals that inputs leave out, of a circuit whose inputs take `expected` values. None if
/// nothing more can be told.
pub fn missing(text: &str, generator: &Path, expected: u64) -> Option<String> {
    let given = signal_names(&frumious_witness::parse_inputs(text).ok()?).ok()?;
    let symbols = Symbols::beside(generator);
    let Some(table) = table(generator, expected) else {
        let expected = input_names(symbols.as_ref()?, generator)?;
        let given: HashSet<&str> = given.iter().map(|name| first_name(name)).collect();
        let missing = expected
            .iter()
            .filter(|name| !given.contains(name.as_str()));
        let names = listed(missing.cloned());
        return (!names.is_empty()).then(|| format!("Missing: {names}."));
    };
    let given = given.iter().map(|name| name_hash(name)).collect();
    let missing = table.without(&given);
    let places = missing.iter().enumerate();
    let places: HashMap<u64, usize> = places
        .flat_map(|(place, input)| input.hashes.iter().map(move |hash| (*hash, place)))
        .collect();
    let mut found: BTreeMap<usize, &str> = BTreeMap::new();
    for name in symbols
        .iter()
        .flat_map(Symbols::all)
        .filter_map(|symbol| symbol.of_main())
    {
        if let Some(place) = places.get(&name_hash(name)) {
            found.insert(*place, name);
        }
    }
    let names: BTreeMap<&str, u64> = found
        .iter()
        .map(|(place, name)| (*name, missing[*place].count))
        .collect();
    let values: u64 = missing.iter().map(|input| input.count).sum();
    match names.len() == missing.len() {
        true => {
            let names = names.into_iter().map(|(name, count)| counted(name, count));
            Some(format!("Missing: {}.", listed(names)))
        }
        false => Some(format!(
            "Missing: {}, of {}. The circuit's .sym beside the generator would tell the names.",
            plural(missing.len() as u64, "signal"),
            plural(values, "value"),
        )),
    }
}

/// The table of the inputs, from the generator's own bytes.
fn table(generator: &Path, expected: u64) -> Option<InputTable> {
    let bytes = FileBytes::map(generator).ok()?;
    if Program::is_one(&bytes) {
        let mut data = generator.as_os_str().to_owned();
        data.push(".dat");
        return InputTable::in_data(&FileBytes::map(Path::new(&data)).ok()?, expected);
    }
    InputTable::in_module(&bytes, expected)
}

/// The names of a circuit's inputs by its constraint system. Labels of inputs follow those of outputs, whether they
/// have a wire or not. Source: iden3's description of `.r1cs`.
fn input_names(symbols: &Symbols, generator: &Path) -> Option<BTreeSet<String>> {
    let circuit = beside(generator, "r1cs")?;
    let bytes = FileBytes::map(&circuit).ok()?;
    let curve = curve::of(FileKind::R1cs, &bytes, &circuit).ok()?;
    let (first, end) = over_curve!(curve, E => {
        let r1cs = R1cs::<E>::from_bytes(bytes).ok()?;
        let first = 1 + u64::from(r1cs.n_public_outputs());
        let inputs = [r1cs.n_public_inputs(), r1cs.n_private_inputs()];
        (first, first + inputs.map(u64::from).iter().sum::<u64>())
    });
    let inputs = symbols
        .all()
        .filter(|symbol| (first..end).contains(&symbol.label));
    let names = inputs.filter_map(|symbol| symbol.of_main());
    Some(names.map(|name| first_name(name).to_owned()).collect())
}

/// `p` of `p[0].x`.
fn first_name(name: &str) -> &str {
    name.split(['[', '.']).next().unwrap_or(name)
}

/// A name, with the number of its values if there are several.
pub fn counted(name: &str, values: u64) -> String {
    match values {
        1 => name.to_owned(),
        _ => format!("{name} ({values} values)"),
    }
}

fn plural(count: u64, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}
