//! Repetitions in a sequence of symbols, as rules.
//!
//! In rounds: pairs of neighbours are counted, and each place whose pair is more frequent than those that overlap it
//! becomes one new symbol. Ties are broken by the symbols themselves, so that equal parts of the sequence are treated
//! equally wherever they stand, but for their ends. Sources: Larsson and Moffat 1999, "Offline dictionary-based
//! compression" (Re-Pair); Jeż 2015, "Approximation of grammar-based compression via recompression", for the rounds.

use frumious_parallel::check_cancelled;
use std::collections::HashMap;

/// A sequence written with rules.
pub(super) struct Grammar {
    /// Symbols below this are those of the sequence; rule k is symbol `n_symbols + k`.
    pub(super) n_symbols: u32,
    /// The expansion of each rule: symbols, among them rules of smaller number.
    pub(super) rules: Vec<Vec<u32>>,
    /// The sequence.
    pub(super) top: Vec<u32>,
}

impl Grammar {
    /// `symbols` are below `n_symbols`. Rules that are used once are written out.
    pub(super) fn of(symbols: Vec<u32>, n_symbols: u32) -> Self {
        let mut top = symbols;
        let mut pairs: Vec<[u32; 2]> = Vec::new();
        for _ in 0..MAX_ROUNDS {
            if !replace_pairs(&mut top, n_symbols, &mut pairs) {
                break;
            }
        }
        let mut grammar = Self {
            n_symbols,
            rules: pairs.into_iter().map(|pair| pair.to_vec()).collect(),
            top,
        };
        grammar.write_out_singles();
        grammar
    }

    /// The rule that a symbol is.
    pub(super) fn rule(&self, symbol: u32) -> Option<usize> {
        symbol.checked_sub(self.n_symbols).map(|rule| rule as usize)
    }

    /// Replaces rules that are used only once by what they stand for; they keep their numbers and become empty.
    fn write_out_singles(&mut self) {
        let mut uses = vec![0u32; self.rules.len()];
        for symbol in self.rules.iter().flatten().chain(&self.top) {
            if let Some(rule) = self.rule(*symbol) {
                uses[rule] += 1;
            }
        }
        for index in 0..self.rules.len() {
            // Rules of smaller number are written out already.
            let rule = core::mem::take(&mut self.rules[index]);
            self.rules[index] = self.without_singles(rule, &uses);
        }
        let top = core::mem::take(&mut self.top);
        self.top = self.without_singles(top, &uses);
    }

    fn without_singles(&mut self, symbols: Vec<u32>, uses: &[u32]) -> Vec<u32> {
        let single = |grammar: &Self, symbol| grammar.rule(symbol).filter(|rule| uses[*rule] == 1);
        if symbols.iter().all(|symbol| single(self, *symbol).is_none()) {
            return symbols;
        }
        let mut written = Vec::with_capacity(symbols.len());
        for symbol in symbols {
            match single(self, symbol) {
                Some(rule) => written.append(&mut self.rules[rule]),
                None => written.push(symbol),
            }
        }
        written
    }
}

/// One round; whether anything was replaced.
fn replace_pairs(top: &mut Vec<u32>, n_symbols: u32, pairs: &mut Vec<[u32; 2]>) -> bool {
    let mut counts: HashMap<[u32; 2], u32> = HashMap::new();
    for pair in top.array_windows() {
        check_cancelled();
        *counts.entry(*pair).or_default() += 1;
    }
    counts.retain(|_, count| *count > 1);
    // Zero for a pair that occurs once, or at the ends.
    let rank = |pair: Option<&[u32; 2]>| {
        pair.and_then(|pair| Some((*counts.get(pair)?, scatter(*pair))))
            .unwrap_or((0, 0))
    };
    let mut new_symbols: HashMap<[u32; 2], u32> = HashMap::new();
    let mut written = Vec::with_capacity(top.len());
    let mut before = (0, 0);
    let mut place = 0;
    while place < top.len() {
        check_cancelled();
        let pair = top[place..].first_chunk::<2>();
        let own = rank(pair);
        let after = rank(top[place + 1..].first_chunk::<2>());
        match pair {
            Some(pair) if own.0 > 1 && own >= before && own >= after => {
                let symbol = *new_symbols.entry(*pair).or_insert_with(|| {
                    pairs.push(*pair);
                    n_symbols + u32::try_from(pairs.len() - 1).expect("fewer than 2^32 rules")
                });
                written.push(symbol);
                place += 2;
                before = (0, 0); // what overlapped on the left is used up
            }
            _ => {
                written.push(top[place]);
                place += 1;
                before = own;
            }
        }
    }
    let replaced = written.len() < top.len();
    *top = written;
    replaced
}

/// Rounds, and so how deep rules stand in each other. A circuit of half a million constraints has 36. A sequence that
/// was made to have one replacement a round would have as many as the root of its length.
const MAX_ROUNDS: usize = 64;

/// Any order of pairs that has nothing to do with that of the symbols.
fn scatter([a, b]: [u32; 2]) -> u64 {
    let mixed = (u64::from(a) << 32 | u64::from(b)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expand(grammar: &Grammar, symbols: &[u32], into: &mut Vec<u32>) {
        for symbol in symbols {
            match grammar.rule(*symbol) {
                Some(rule) => expand(grammar, &grammar.rules[rule], into),
                None => into.push(*symbol),
            }
        }
    }

    fn check(symbols: &[u32]) -> Grammar {
        let n = symbols.iter().max().map_or(0, |largest| largest + 1);
        let grammar = Grammar::of(symbols.to_vec(), n);
        let mut expanded = Vec::new();
        expand(&grammar, &grammar.top, &mut expanded);
        assert_eq!(expanded, symbols);
        grammar
    }

    #[test]
    fn sequences_come_back() {
        check(&[]);
        check(&[0]);
        check(&[0, 0]);
        check(&[0, 1, 2, 3]);
        for n in 3..40 {
            check(&vec![0; n]);
            check(&(0..n as u32).map(|i| i % 3).collect::<Vec<_>>());
            check(&(0..n as u32).map(|i| i * i % 7).collect::<Vec<_>>());
        }
    }

    #[test]
    fn equal_blocks_become_one_rule() {
        // Blocks of 1,000 different symbols, with other ones between.
        let block = (0..1000u32).collect::<Vec<_>>();
        let mut symbols = Vec::new();
        for i in 0..5 {
            symbols.push(1000 + i);
            symbols.extend(&block);
        }
        let grammar = check(&symbols);
        let longest = grammar.rules.iter().map(Vec::len).max();
        assert!(longest >= Some(990), "{longest:?}");
        assert!(grammar.top.len() < 40, "{}", grammar.top.len());
    }
}
