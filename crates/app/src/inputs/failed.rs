//! The signals around an assertion that failed, by the names in the circuit's `.sym`. Values are never told: a circuit
//! logs those that its author wants to see.

use std::path::Path;

use frumious_witness::Place;

use super::missing::counted;
use crate::symbols::{Symbol, Symbols, listed};

/// A sentence with the components that the place may be in, and their signals. None without a `.sym` that has it.
pub fn signals_of(place: &Place, generator: &Path) -> Option<String> {
    described(place, &Symbols::beside(generator)?)
}

fn described(place: &Place, symbols: &Symbols) -> Option<String> {
    let is_there = |symbol: &Symbol<'_>| match place {
        Place::Template(number) => symbol.template == *number,
        Place::Component(path) => symbol
            .parts()
            .is_some_and(|(component, _)| component == path),
    };
    let mut components: Vec<&str> = Vec::new();
    let mut signals: Vec<(&str, u64)> = Vec::new();
    for symbol in symbols.all().filter(is_there) {
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
}
