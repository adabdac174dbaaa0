//! Which kind of file belongs in each place of a command; and what may be replaced.
//!
//! Checked before any work. A file that is in the wrong place is named for what it is, with the likely slip or the next
//! command. An output replaces older results. It replaces neither a key, nor what is read-only, nor what people or
//! other programs made, unless it is forced to.

mod next;
mod roles;

use std::fs;
use std::path::Path;

use crate::contribution::State;
use crate::failure::{Code, Failure};
use crate::files;
use crate::kind::Kind;
pub use next::step;
pub use roles::Role;

/// The files of a command, in the order of its arguments.
#[derive(Default)]
pub struct Places<'a> {
    places: Vec<Place<'a>>,
    force: bool,
}

/// One argument that names a file.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// The argument's name in the usage: `KEY`, or `--check` for an option.
    word: &'static str,
    role: Role,
    path: &'a Path,
    is_output: bool,
}

impl<'a> Places<'a> {
    /// No file yet. With `force`, outputs replace whatever is there.
    pub fn new(force: bool) -> Self {
        let places = Vec::new();
        Self { places, force }
    }

    /// A file that is read.
    #[must_use]
    pub fn input(self, word: &'static str, role: Role, path: &'a Path) -> Self {
        self.with(word, role, path, false)
    }

    /// A file that is written.
    #[must_use]
    pub fn output(self, word: &'static str, role: Role, path: &'a Path) -> Self {
        self.with(word, role, path, true)
    }

    fn with(mut self, word: &'static str, role: Role, path: &'a Path, is_output: bool) -> Self {
        self.places.push(Place {
            word,
            role,
            path,
            is_output,
        });
        self
    }

    /// The number of outputs that are `-`, for stdout.
    pub fn dashes(&self) -> usize {
        let outputs = self.places.iter().filter(|place| place.is_output);
        outputs.filter(|place| files::is_dash(place.path)).count()
    }

    /// Makes sure that each file is of its place's kind, as far as its first bytes tell. And that outputs can be
    /// written and replace nothing that is dear.
    ///
    /// # Errors
    /// A [`Failure`] with the first file that is in the wrong place, is not there, or would be replaced.
    pub fn check(&self) -> Result<(), Failure> {
        let from_stdin = |place: &&Place<'_>| !place.is_output && files::is_dash(place.path);
        if self.places.iter().filter(from_stdin).count() > 1 {
            let message = "only one file can come from stdin (-): give names to the others";
            return Err(Failure::new(Code::Usage, message));
        }
        let kinds: Vec<Option<Kind>> = self.places.iter().map(Place::kind).collect();
        for (index, place) in self.places.iter().enumerate() {
            match kinds[index] {
                Some(kind) if !place.is_output && !place.role.accepts(kind) => {
                    return Err(self.wrong(index, kind, &kinds));
                }
                _ => {}
            }
        }
        let of = |is_output: bool| {
            let places = self.places.iter();
            let places = places.filter(move |place| place.is_output == is_output);
            places
                .map(|place| place.path)
                .filter(|path| !files::is_stream(path))
                .collect::<Vec<_>>()
        };
        files::check_outputs(&of(true), &of(false))?;
        for place in self.places.iter().filter(|place| place.is_output) {
            files::expect_open(place.path)?;
        }
        if self.force {
            files::allow_replacing(&of(true));
        }
        for (place, kind) in self.places.iter().zip(&kinds) {
            match place.is_output {
                true if !self.force => place.refuse_to_replace(*kind)?,
                true => {}
                false => place.expect_there()?,
            }
        }
        Ok(())
    }

    /// The file of place `index` is of a kind that does not belong there.
    fn wrong(&self, index: usize, kind: Kind, kinds: &[Option<Kind>]) -> Failure {
        let place = &self.places[index];
        let (path, name) = (place.path.display(), kind.name());
        let message = match place.role {
            Role::Any => format!("{path} is {name}"),
            role => format!(
                "{path} is {name}; {} {}",
                role.expected(),
                self.position(index)
            ),
        };
        let fits = |place: &Place<'_>, kind: Option<Kind>| {
            kind.is_some_and(|kind| !kind.is_unknown() && place.role.accepts(kind))
        };
        let others = || self.places.iter().enumerate().filter(|(k, _)| *k != index);
        let swapped = others().find(|(k, other)| fits(other, Some(kind)) && fits(place, kinds[*k]));
        let belongs = others().find(|(_, other)| fits(other, Some(kind)));
        let hint = match (swapped, belongs) {
            (Some((_, other)), _) => {
                let mut words = [(index, place.word)].to_vec();
                words.extend(
                    others()
                        .filter(|(_, it)| it.word == other.word)
                        .map(|(k, it)| (k, it.word)),
                );
                words.sort_unstable();
                Some(format!("Did you swap {} and {}?", words[0].1, words[1].1))
            }
            (None, Some(_)) => Some(format!("The order is {}.", self.order())),
            (None, None) => next::step(place.role, kind, place.path),
        };
        let failure = Failure::new(Code::WrongKind, message);
        match hint {
            Some(hint) => failure.hinting(&hint),
            None => failure,
        }
    }

    /// The place among the arguments: "first", "second"; "after --check" for an option.
    fn position(&self, index: usize) -> String {
        let place = &self.places[index];
        if place.word.starts_with('-') {
            return format!("after {}", place.word);
        }
        let before = self.places[..index].iter();
        let before = before.filter(|place| !place.word.starts_with('-')).count();
        let ordinals = ["first", "second", "third", "fourth", "fifth"];
        ordinals.get(before).map_or_else(
            || format!("for {}", place.word),
            |ordinal| (*ordinal).into(),
        )
    }

    /// The arguments in their order.
    fn order(&self) -> String {
        let words = self.places.iter().map(|place| place.word);
        let words: Vec<&str> = words.filter(|word| !word.starts_with('-')).collect();
        words.join(" ")
    }
}

impl Place<'_> {
    /// The kind of the file that is there, if it can be told without effects.
    fn kind(&self) -> Option<Kind> {
        match files::is_stream(self.path) {
            true => None,
            false => Kind::of_file(self.path),
        }
    }

    /// Refuses an input that is not there.
    fn expect_there(&self) -> Result<(), Failure> {
        if files::is_stream(self.path) || fs::metadata(self.path).is_ok() {
            return Ok(());
        }
        let Err(error) = fs::metadata(self.path) else {
            return Ok(());
        };
        let path = self.path.display();
        let words = self.role.words();
        let what = match files::is_absent(&error) {
            true => format!("{path} is not there: {} names {words}", self.word),
            false => format!("{path}: {error}"),
        };
        let failure = match files::is_absent(&error) {
            true => Failure::new(Code::NotFound, what),
            false => Failure::of_system(&path.to_string(), &error),
        };
        Err(match next::where_from(self.role, self.path) {
            Some(hint) => failure.hinting(&hint),
            None => failure,
        })
    }

    /// Refuses to replace what is dear.
    fn refuse_to_replace(&self, kind: Option<Kind>) -> Result<(), Failure> {
        let (path, word) = (self.path.display(), self.word);
        let Some(kind) = kind.filter(|_| files::is_replaced(self.path)) else {
            return Ok(());
        };
        let refusal = |reason: String| {
            let failure = Failure::new(Code::WouldReplace, reason);
            Err(failure.hinting("Give another name, or --force to replace it."))
        };
        if kind == Kind::Empty {
            return Ok(());
        }
        if kind.is_key() {
            let state = State::of_file(self.path);
            let state = state.map_or_else(|| kind.name().to_owned(), State::name);
            return refusal(format!("{path} is there already, {state}"));
        }
        if !kind.is_unknown() && !kind.is_product() && !self.role.accepts(kind) {
            let written = self.role.words();
            return refusal(format!(
                "{path} is {}, and {written} would replace it ({word})",
                kind.name()
            ));
        }
        // Nobody can make a ceremony's powers again. Its challenges and answers are of no kind that can be told.
        if kind == Kind::Ptau || (kind.is_unknown() && self.role.is_of_ceremony()) {
            return refusal(format!("{path} is there already, {}", kind.name()));
        }
        match fs::metadata(self.path) {
            Ok(metadata) if metadata.permissions().readonly() => {
                refusal(format!("{path} is there already, and read-only"))
            }
            _ => Ok(()),
        }
    }
}
