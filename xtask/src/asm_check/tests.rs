//! The check on small programs, good and spoilt, put together here instruction by instruction.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use iced_x86::code_asm::*;
use object::write::{Object, Symbol, SymbolSection};
use object::{
    Architecture, BinaryFormat, Endianness, SectionKind, SymbolFlags, SymbolKind, SymbolScope,
};

use super::function::Call;
use super::table::Table;
use super::verdict::{Shell, faults, shells};
use crate::binary::Binary;

/// `frumious_simd::ifma::shell::<usize>`.
const SHELL: &str = "_RINvNtC13frumious_simd4ifma5shelljE";
/// The same in the form that leaves the kernel out.
const NAMELESS: &str = "_ZN13frumious_simd4ifma5shell17h0123456789abcdefE";
const HELPER: &str = "_RNvC6kernel6helper";
const PANIC: &str = "_RNvNtC4core9panicking5panic";

const EXPECTED: &str = "never returns | core::panicking\n2 | usize |";

/// An object file of functions, in the order given. Each writes itself, and gets the labels of all.
pub struct Program {
    names: Vec<&'static str>,
    labels: Vec<CodeLabel>,
    code: CodeAssembler,
}

impl Program {
    pub fn new<const N: usize>(names: [&'static str; N]) -> (Self, [CodeLabel; N]) {
        let mut code = CodeAssembler::new(64).unwrap();
        let labels = names.map(|_| code.create_label());
        let program = Self {
            names: names.to_vec(),
            labels: labels.to_vec(),
            code,
        };
        (program, labels)
    }

    /// Begins the next function.
    pub fn begin(&mut self) -> &mut CodeAssembler {
        let mut label = self.labels.remove(0);
        self.code.set_label(&mut label).unwrap();
        self.labels.push(label); // after one round all are there again, set
        &mut self.code
    }

    pub fn assemble(&mut self) -> Vec<u8> {
        let options = iced_x86::BlockEncoderOptions::RETURN_NEW_INSTRUCTION_OFFSETS;
        let assembled = self.code.assemble_options(0, options).unwrap();
        let starts: Vec<u64> = self
            .labels
            .iter()
            .map(|label| assembled.label_ip(label).unwrap())
            .collect();
        let bytes = &assembled.inner.code_buffer;
        let mut file = Object::new(BinaryFormat::Elf, Architecture::X86_64, Endianness::Little);
        let section = file.add_section(Vec::new(), b".text".to_vec(), SectionKind::Text);
        file.append_section_data(section, bytes, 16);
        for (i, name) in self.names.iter().enumerate() {
            let end = starts.get(i + 1).copied().unwrap_or(bytes.len() as u64);
            file.add_symbol(Symbol {
                name: name.as_bytes().to_vec(),
                value: starts[i],
                size: end - starts[i],
                kind: SymbolKind::Text,
                scope: SymbolScope::Compilation,
                weak: false,
                section: SymbolSection::Section(section),
                flags: SymbolFlags::None,
            });
        }
        file.write().unwrap()
    }
}

/// The two products of a good kernel.
fn two_products(code: &mut CodeAssembler) {
    code.vpmadd52luq(zmm0, zmm1, zmm2).unwrap();
    code.vpmadd52huq(zmm3, zmm1, zmmword_ptr(rsp + 64)).unwrap();
}

fn check(file: &[u8], table: &str) -> Vec<String> {
    let table = Table::parse(table).unwrap();
    let binary = Binary::read(file).unwrap();
    faults(&table, &shells(&binary, &table).unwrap(), &binary)
}

/// Fails unless there is one fault, with these words in it.
fn assert_only(faults: &[String], words: &str) {
    assert!(
        faults.len() == 1 && faults[0].contains(words),
        "{faults:#?}, not one with {words:?}"
    );
}

fn good() -> Vec<u8> {
    let (mut program, _) = Program::new([SHELL]);
    let code = program.begin();
    two_products(code);
    code.ret().unwrap();
    program.assemble()
}

#[test]
fn a_good_kernel_passes() {
    assert_eq!(check(&good(), EXPECTED), [""; 0]);
}

#[test]
fn counts_are_those_of_the_code() {
    let table = Table::parse(EXPECTED).unwrap();
    let file = good();
    let found: Vec<Shell> = shells(&Binary::read(&file).unwrap(), &table).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].as_line(&table), "1 | usize | ");
    let code = &found[0].code;
    assert_eq!(
        (code.instructions, code.products, code.stack_accesses),
        (3, 2, 1)
    );
}

#[test]
fn a_helper_that_is_not_inlined_is_found() {
    let (mut program, [_, helper]) = Program::new([SHELL, HELPER]);
    let code = program.begin();
    two_products(code);
    code.call(helper).unwrap();
    code.ret().unwrap();
    let code = program.begin();
    code.vpmadd52luq(zmm0, zmm1, zmm2).unwrap();
    code.ret().unwrap();
    let faults = check(&program.assemble(), EXPECTED);
    assert_eq!(faults.len(), 2, "{faults:#?}");
    assert!(
        faults[0].contains("usize: calls kernel::helper, outside of loops"),
        "{faults:#?}"
    );
    assert!(
        faults[1].contains("kernel::helper: has vpmadd52"),
        "{faults:#?}"
    );
}

#[test]
fn a_helper_in_tail_position_is_a_call_too() {
    let (mut program, [_, helper]) = Program::new([SHELL, HELPER]);
    let code = program.begin();
    two_products(code);
    code.jmp(helper).unwrap();
    program.begin().ret().unwrap();
    assert_only(
        &check(&program.assemble(), EXPECTED),
        "calls kernel::helper",
    );
}

#[test]
fn calls_through_registers_are_calls() {
    let (mut program, _) = Program::new([SHELL]);
    let code = program.begin();
    two_products(code);
    code.call(rax).unwrap();
    code.ret().unwrap();
    assert_only(
        &check(&program.assemble(), EXPECTED),
        "calls what a register points to",
    );
}

/// The calls of a kernel that loads `rax` from memory, does `then`, and calls what `rax` points to.
fn called_after(then: fn(&mut CodeAssembler)) -> String {
    let (mut program, [_, word]) = Program::new([SHELL, HELPER]);
    let code = program.begin();
    code.mov(rax, qword_ptr(word)).unwrap();
    then(code);
    code.call(rax).unwrap();
    code.ret().unwrap();
    program.begin().ret().unwrap();
    let file = program.assemble();
    let table = Table::parse(EXPECTED).unwrap();
    let found = shells(&Binary::read(&file).unwrap(), &table).unwrap();
    found[0].code.calls[0].name.clone()
}

#[test]
fn a_register_points_to_what_was_loaded_into_it_last() {
    let known = called_after(|code| code.cmp(rax, rbx).unwrap());
    assert!(known.starts_with("what the word at 0x"), "{known}");
    let lost = called_after(|code| code.pop(rax).unwrap());
    assert_eq!(lost, "what a register points to");
    let lost = called_after(|code| code.mov(eax, ebx).unwrap());
    assert_eq!(lost, "what a register points to");
}

#[test]
fn fewer_products_fail_and_narrow_ones_do_not_count() {
    let (mut program, _) = Program::new([SHELL]);
    let code = program.begin();
    code.vpmadd52luq(zmm0, zmm1, zmm2).unwrap();
    code.vpmadd52huq(ymm0, ymm1, ymm2).unwrap();
    code.ret().unwrap();
    assert_only(
        &check(&program.assemble(), EXPECTED),
        "1 vpmadd52 with zmm, where at least 2",
    );
}

/// A kernel that calls a helper before its loop, and in it if `again`.
fn with_loop(again: bool) -> Vec<u8> {
    let (mut program, [_, helper]) = Program::new([SHELL, HELPER]);
    let code = program.begin();
    code.call(helper).unwrap();
    let mut start = code.create_label();
    code.set_label(&mut start).unwrap();
    two_products(code);
    if again {
        code.call(helper).unwrap();
    }
    code.dec(rax).unwrap();
    code.jne(start).unwrap();
    code.ret().unwrap();
    program.begin().ret().unwrap();
    program.assemble()
}

#[test]
fn calls_that_are_allowed_once_are_not_allowed_in_loops() {
    let once = "2 | usize | once kernel::helper";
    assert_eq!(check(&with_loop(false), once), [""; 0]);
    assert_only(
        &check(&with_loop(true), once),
        "calls kernel::helper, in a loop",
    );
    assert_eq!(
        check(&with_loop(true), "2 | usize | kernel"),
        [""; 0],
        "the module is allowed"
    );
    assert_eq!(
        check(&with_loop(true), "anywhere | kernel::helper\n2 | usize |"),
        [""; 0]
    );
    assert_eq!(
        check(&with_loop(true), "2 | usize | kernel::help").len(),
        2,
        "not a part of a name"
    );
}

#[test]
fn what_never_returns_makes_no_loop() {
    let (mut program, [_, helper, panic]) = Program::new([SHELL, HELPER, PANIC]);
    let code = program.begin();
    code.nop().unwrap();
    let mut start = code.create_label();
    code.set_label(&mut start).unwrap();
    two_products(code);
    code.call(helper).unwrap();
    code.call(panic).unwrap();
    code.jmp(start).unwrap(); // follows in memory, never in time
    program.begin().ret().unwrap();
    program.begin().ud2().unwrap();
    let file = program.assemble();
    let table = Table::parse(EXPECTED).unwrap();
    let found = shells(&Binary::read(&file).unwrap(), &table).unwrap();
    let call = |name: &str| Call {
        name: name.into(),
        in_loop: false,
    };
    assert_eq!(
        found[0].code.calls,
        ["kernel::helper", "core::panicking::panic"].map(call)
    );
    assert_only(
        &check(&file, EXPECTED),
        "calls kernel::helper, outside of loops",
    );
}

#[test]
fn kernels_missing_on_either_side_fail() {
    let two = format!("{EXPECTED}\n7 | u8 |");
    assert_only(
        &check(&good(), &two),
        "u8: in the table, but not in the binary",
    );
    assert_only(
        &check(&good(), "# nothing"),
        "usize: in the binary, but not in the table",
    );
}

#[test]
fn binaries_that_name_no_kernels_are_refused() {
    let (mut program, _) = Program::new([NAMELESS]);
    let code = program.begin();
    two_products(code);
    code.ret().unwrap();
    let file = program.assemble();
    let table = Table::parse(EXPECTED).unwrap();
    let refusal = shells(&Binary::read(&file).unwrap(), &table).err().unwrap();
    assert!(refusal.contains("symbol-mangling-version=v0"), "{refusal}");
    assert!(Binary::read(b"text").is_err());
}

#[test]
fn tables_of_another_form_are_refused() {
    for text in [
        "usize",
        "many | usize |",
        "2 | usize | a | b",
        "2 | usize |\n3 | usize |",
    ] {
        assert!(Table::parse(text).is_err(), "{text:?}");
    }
    let table = include_str!("../../lanes.txt");
    assert!(!Table::parse(table).unwrap().never_return.is_empty());
}
