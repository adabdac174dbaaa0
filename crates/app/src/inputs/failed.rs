//! The signals around an assertion that failed, by the names in the circuit's `.sym`. Values are told on request only.

use std::path::Path;

use frumious_circom::generic::Wtns;
use frumious_curves::PairingEngine;
use frumious_curves::engine::ResidueField;
use frumious_witness::Place;

use super::missing::counted;
use crate::symbols::{Symbol, Symbols, listed, printable};

/// A sentence with the components that the place may be in, and their signals. None without a `.sym` that has it.
pub fn signals_of(place: &Place, generator: &Path) -> Option<String> {
    described(place, &Symbols::beside(generator)?)
}

/// A line for each signal of these components with its value, of which the first few are told. None without a `.sym`
/// that has the place. `wires` are those when the assertion failed.
pub fn values_at<E: PairingEngine>(
    place: &Place,
    generator: &Path,
    wires: &Wtns<E>,
) -> Option<Vec<String>> {
    values(place, &Symbols::beside(generator)?, wires)
}

fn values<E: PairingEngine>(
    place: &Place,
    symbols: &Symbols,
    wires: &Wtns<E>,
) -> Option<Vec<String>> {
    let there: Vec<Symbol<'_>> = symbols
        .all()
        .filter(|symbol| is_at(place, symbol))
        .collect();
    let known = there.iter().filter_map(|symbol| {
        let wire = symbol.wire? as usize;
        let value = (wire < wires.len()).then(|| wires.get(wire))?;
        let value = value.to_element().to_decimal_vartime();
        let hint = if value == "0" { ZERO } else { "" };
        Some(format!("value: {} = {value}{hint}", printable(symbol.name)))
    });
    let mut known = known.peekable();
    known.peek()?;
    let mut lines: Vec<String> = known.by_ref().take(MOST_VALUES).collect();
    let more = known.count();
    if more > 0 {
        lines.push(format!("value: and {more} signals more"));
    }
    Some(lines)
}

/// The end of a line of a value that tells little.
const ZERO: &str = ", or not computed yet";

/// Values that are told.
const MOST_VALUES: usize = 64;

fn is_at(place: &Place, symbol: &Symbol<'_>) -> bool {
    match place {
        Place::Template(number) => symbol.template == *number,
        Place::Component(path) => symbol
            .parts()
            .is_some_and(|(component, _)| component == path),
    }
}

fn described(place: &Place, symbols: &Symbols) -> Option<String> {
    let mut components: Vec<&str> = Vec::new();
    let mut signals: Vec<(&str, u64)> = Vec::new();
    for symbol in symbols.all().filter(|symbol| is_at(place, symbol)) {
        let Some((component, signal)) = symbol.parts() else {
            continue;
        };
        // A component's signals follow one another.
        if components.last() != Some(&component) {
            components.push(component);
        }
        if components.len() > 1 {
            continue;
        }
        match signals.last_mut() {
            Some((last, count)) if *last == signal => *count += 1,
            _ => signals.push((signal, 1)),
        }
    }
    let signals = listed(
        signals
            .into_iter()
            .map(|(name, count)| counted(name, count)),
    );
    let place = match &components[..] {
        [] => return None,
        [one] => listed([(*one).to_owned()]),
        many => format!(
            "one of {}",
            listed(many.iter().map(|name| (*name).to_owned()))
        ),
    };
    Some(format!("It is in {place}, with the signals {signals}."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use frumious_curves::Bn254;

    #[test]
    fn components_and_their_signals_are_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("c.sym");
        let text = "1,1,2,main.out\n2,2,2,main.in\n3,3,0,main.b[0].in\n4,4,0,main.b[0].out[0]\n5,5,0,main.b[0].out[1]\n\
                    6,6,0,main.b[1].in\n7,7,0,main.b[1].out[0]\n8,8,0,main.b[1].out[1]\n9,9,1,main.b[1].c.x\n";
        std::fs::write(&path, text).expect("it can be written");
        let symbols = Symbols::read(&path);
        let told = |place| described(&place, &symbols);
        assert_eq!(
            told(Place::Template(2)).as_deref(),
            Some("It is in main, with the signals out, in.")
        );
        assert_eq!(
            told(Place::Template(0)).as_deref(),
            Some("It is in one of main.b[0], main.b[1], with the signals in, out (2 values).")
        );
        assert_eq!(
            told(Place::Component("main.b[1]".into())).as_deref(),
            Some("It is in main.b[1], with the signals in, out (2 values).")
        );
        assert_eq!(told(Place::Template(3)), None);
        assert_eq!(told(Place::Component("main.z".into())), None);
    }

    #[test]
    fn values_are_told_of_wires_that_are_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("c.sym");
        let text =
            "1,1,2,main.out\n2,-1,2,main.gone\n3,2,2,main.in\n4,9,2,main.beyond\n5,3,0,main.b.x\n";
        std::fs::write(&path, text).expect("it can be written");
        let words = [1, 7, 0, 5].map(|value| [value, 0, 0, 0]);
        let wires = Wtns::<Bn254>::from_words(words.to_vec()).expect("a witness");
        let told = |number| values(&Place::Template(number), &Symbols::read(&path), &wires);
        let expected = [
            "value: main.out = 7",
            "value: main.in = 0, or not computed yet",
        ];
        assert_eq!(told(2), Some(expected.map(str::to_owned).to_vec()));
        assert_eq!(told(0), Some(vec!["value: main.b.x = 5".into()]));
        assert_eq!(told(1), None);

        let many: String = (0..100).map(|k| format!("{k},1,4,main.a[{k}]\n")).collect();
        std::fs::write(&path, many).expect("it can be written");
        let lines = told(4).expect("there are some");
        assert_eq!(lines.len(), MOST_VALUES + 1);
        assert_eq!(lines[MOST_VALUES], "value: and 36 signals more");
    }
}
