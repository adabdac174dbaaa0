//! Tokens: who may use which circuits. A token itself is kept nowhere, only its hash.
//!
//! A token is `frum_` and 256 random bits in hexadecimal. Nobody can guess one, so a plain hash is enough. It is
//! compared with the hash of every token in constant time.

use std::collections::BTreeSet;
use std::sync::Arc;

use zeroize::Zeroizing;

use crate::config::Token;

/// The word before the digits, by which scanners of leaked secrets know a token.
const PREFIX: &str = "frum_";

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// The owner of jobs where no token is asked for.
pub(crate) const NOBODY: &str = "local";

/// Who makes a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// Name of the token, which is no secret.
    pub name: Arc<str>,
    /// Circuits that it may use; none for all.
    circuits: Option<Arc<BTreeSet<String>>>,
    /// Jobs of it that may wait; none for the server's limit alone.
    pub queue: Option<usize>,
    /// True if it sees and cancels the jobs of all.
    pub is_operator: bool,
}

impl Owner {
    /// Who asks where no token is asked for.
    pub fn nobody() -> Self {
        Self {
            name: NOBODY.into(),
            circuits: None,
            queue: None,
            is_operator: true,
        }
    }

    /// Whoever asks a front, which asks for no token either.
    pub fn of_front(name: &str) -> Self {
        Self {
            name: name.into(),
            circuits: None,
            queue: None,
            is_operator: false,
        }
    }

    /// True if no token was asked for.
    pub fn is_nobody(&self) -> bool {
        &*self.name == NOBODY
    }

    /// True if the circuit is within its scope.
    pub fn may_use(&self, circuit: &str) -> bool {
        let circuits = self.circuits.as_ref();
        circuits.is_none_or(|circuits| circuits.contains(circuit))
    }

    /// True if it may see a job of `owner`.
    pub fn may_see(&self, owner: &str) -> bool {
        self.is_operator || *self.name == *owner
    }
}

/// All tokens of the server.
pub struct Tokens(Vec<(blake3::Hash, Owner)>);

impl Tokens {
    /// Those of the configuration.
    pub fn new(tokens: &[Token]) -> Self {
        let owner = |token: &Token| Owner {
            name: token.name.as_str().into(),
            circuits: token.circuits.clone().map(Arc::new),
            queue: token.queue,
            is_operator: token.operator,
        };
        Self(
            tokens
                .iter()
                .map(|token| (token.hash.0, owner(token)))
                .collect(),
        )
    }

    /// Who has the token that was given; none if nobody has it, or if there is none where one is needed.
    ///
    /// The time does not depend on the token: each hash is compared, each in constant time.
    pub fn owner(&self, given: Option<&str>) -> Option<Owner> {
        if self.0.is_empty() {
            return Some(Owner::nobody());
        }
        let hash = hash(given?);
        let mut found = None;
        for (known, owner) in &self.0 {
            if *known == hash {
                found = Some(owner);
            }
        }
        found.cloned()
    }
}

/// The hash of a token, as the configuration has it.
pub fn hash(token: &str) -> blake3::Hash {
    blake3::hash(token.as_bytes())
}

/// A new token.
///
/// # Errors
/// If the operating system has no random bytes.
pub fn draw() -> Result<Zeroizing<String>, getrandom::Error> {
    let mut bytes = Zeroizing::new([0; 32]);
    getrandom::fill(&mut *bytes)?;
    let mut token = Zeroizing::new(String::with_capacity(PREFIX.len() + 64));
    token.push_str(PREFIX);
    for byte in *bytes {
        for digit in [byte >> 4, byte & 15] {
            token.push(char::from(DIGITS[usize::from(digit)]));
        }
    }
    Ok(token)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::TokenHash;

    fn token(name: &str, text: &str, circuits: Option<&[&str]>) -> Token {
        Token {
            name: name.into(),
            hash: TokenHash(hash(text)),
            circuits: circuits.map(|names| names.iter().map(|name| (*name).to_owned()).collect()),
            queue: None,
            operator: false,
        }
    }

    #[test]
    fn only_the_whole_token_is_taken() {
        let tokens = Tokens::new(&[
            token("a", "first", None),
            token("b", "second", Some(&["mul"])),
        ]);
        let name = |given| tokens.owner(given).map(|owner| owner.name.to_string());
        assert_eq!(name(Some("first")).as_deref(), Some("a"));
        assert_eq!(name(Some("second")).as_deref(), Some("b"));
        for wrong in [None, Some(""), Some("firs"), Some("first "), Some("First")] {
            assert_eq!(name(wrong), None, "{wrong:?}");
        }
        let owner = tokens.owner(Some("second")).expect("it is known");
        assert!(owner.may_use("mul") && !owner.may_use("rollup"));
        assert!(owner.may_see("b") && !owner.may_see("a"));
    }

    #[test]
    fn tokens_are_drawn_anew() {
        let [first, second] = [(); 2].map(|()| draw().expect("there are random bytes"));
        assert!(first.starts_with(PREFIX) && first.len() == PREFIX.len() + 64);
        assert_ne!(*first, *second);
    }
}
