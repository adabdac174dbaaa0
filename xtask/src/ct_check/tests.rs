//! The check on small sources and binaries, good and spoilt.

use super::sources::{Call, Source};
use super::{Which, calls_faults, covered, divisions, exports, exports_faults};
use crate::asm_check::tests::Program;
use crate::binary::Binary;
use iced_x86::code_asm::rcx;

const TEXT: &str = "\
//! Of multiply_vartime, in words.

use crate::multiply_vartime;

impl Thing {
    /// Public.
    pub fn multiply_vartime(&self) -> Self {
        self.double_vartime()
    }

    fn own_vartime(&self) {}

    pub fn sign(&self) -> bool {
        let digits: Vec<u8> = self.iter().map(Self::digit_vartime).collect(); // not like that
        self.double() // nor like double_vartime
    }

    pub(crate) fn short(&self) -> u8 { self.digit_vartime() }
}

const C: Thing = ONE.multiply_vartime();

#[cfg(test)]
mod tests {
    fn test() { ONE.multiply_vartime(); }
}
";

fn source() -> Source {
    Source::read("a/src/lib.rs", TEXT)
}

fn call(line: usize, caller: &str) -> Call {
    Call {
        line,
        caller: caller.into(),
        callee: "digit_vartime".into(),
    }
}

#[test]
fn functions_and_what_they_call() {
    let source = source();
    assert_eq!(source.exports, ["multiply_vartime"]);
    assert_eq!(source.calls, [call(14, "sign"), call(18, "short")]);
}

#[test]
fn calls_need_a_line_with_a_reason_and_lines_a_call() {
    let faults = |allowed| calls_faults(&[source()], allowed);
    assert_eq!(faults("").map(|faults| faults.len()), Ok(2));
    let both = "a/src/lib.rs | sign | public\na/src/lib.rs | short | public";
    assert_eq!(faults(both), Ok(Vec::new()));
    let unused = format!("{both}\na/src/lib.rs | double | public");
    let found = calls_faults(&[source()], &unused);
    assert!(found.is_ok_and(|found| found.len() == 1 && found[0].contains("| double calls no")));
    assert!(faults("a/src/lib.rs | sign |").is_err(), "no reason");
}

#[test]
fn functions_of_constant_time_need_a_case_or_a_line() {
    let cases = [Source::read("ct/src/cases.rs", "fn all() { thing.sign() }")];
    let mut source = source();
    assert_eq!(source.constant_time, ["sign"]);
    let faults =
        |source: &Source, lines| covered::faults(core::slice::from_ref(source), &cases, lines);
    assert_eq!(faults(&source, ""), Ok(Vec::new()));
    source.constant_time.push("other".into());
    let count = |lines| faults(&source, lines).map(|faults| faults.len());
    assert_eq!(count(""), Ok(1));
    assert_eq!(count("a/src | other third | reads public bytes"), Ok(0));
    assert_eq!(count("a/ | * | internal"), Ok(0));
    assert_eq!(
        count("a/src | other | public\nb/src | * | public"),
        Ok(1),
        "a line for nothing"
    );
    assert!(count("a/src | other |").is_err(), "no reason");
}

#[test]
fn the_list_of_exports_is_the_list() {
    let found = exports(&[source()]);
    assert_eq!(found, ["a/src/lib.rs | multiply_vartime"]);
    assert!(exports_faults(&found, "# a comment\na/src/lib.rs | multiply_vartime").is_empty());
    assert_eq!(exports_faults(&found, "").len(), 1);
    assert_eq!(
        exports_faults(&[], "a/src/lib.rs | multiply_vartime").len(),
        1
    );
}

/// The faults of a program with one function of this name, which divides.
fn with_division(name: &'static str) -> Result<Vec<String>, String> {
    let (mut program, _) = Program::new([name]);
    let code = program.begin();
    code.div(rcx).map_err(|error| error.to_string())?;
    code.ret().map_err(|error| error.to_string())?;
    divisions(&Binary::read(&program.assemble())?, Which::All)
}

#[test]
fn divisions_are_found_where_secrets_may_be() {
    let found = with_division("_RNvC14frumious_limbs3mul");
    assert_eq!(found, Ok(vec!["frumious_limbs::mul: divides".into()]));
    let elsewhere = with_division("_RNvC12frumious_msm3sum");
    assert!(
        elsewhere.is_err(),
        "a binary in which there is nothing to look at"
    );
}
