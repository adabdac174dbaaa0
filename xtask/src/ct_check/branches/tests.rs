//! Small functions whose branches depend on constants, and the same with what they were given.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use iced_x86::code_asm::*;

use super::{Branching, Which, faults, found};
use crate::asm_check::tests::Program;
use crate::binary::Binary;

const NAME: &str = "_RNvC14frumious_limbs3mul";
const DECIDE: &str = "_RNvNtC14frumious_limbs7backend6decide";
const OTHER: &str = "_RNvNtC14frumious_limbs7backend5other";

/// The number of branches that are reported of a function that begins with `code` and jumps to its end if `zero`.
fn reported(write: impl Fn(&mut CodeAssembler, [CodeLabel; 3])) -> usize {
    let (mut program, labels) = Program::new([NAME, DECIDE, OTHER]);
    let code = program.begin();
    write(code, labels);
    let mut end = code.create_label();
    code.jz(end).unwrap();
    code.nop().unwrap();
    code.set_label(&mut end).unwrap();
    code.ret().unwrap();
    program.begin().ret().unwrap();
    program.begin().ret().unwrap();
    let file = program.assemble();
    let found = found(&Binary::read(&file).unwrap(), Which::All);
    found.iter().map(|function| function.branches.len()).sum()
}

#[test]
fn constants_and_words_at_fixed_addresses_are_public() {
    assert_eq!(reported(|code, _| code.xor(eax, eax).unwrap()), 0);
    let dispatch = |code: &mut CodeAssembler, [_, word, _]: [CodeLabel; 3]| {
        code.lea(r14, qword_ptr(word)).unwrap();
        code.movzx(eax, byte_ptr(r14)).unwrap();
        code.cmp(al, 1).unwrap();
    };
    assert_eq!(reported(dispatch), 0);
}

#[test]
fn arguments_and_what_they_point_to_are_not() {
    assert_eq!(reported(|code, _| code.test(edi, edi).unwrap()), 1);
    assert_eq!(reported(|code, _| code.cmp(byte_ptr(rdi), 0).unwrap()), 1);
    let loaded = |code: &mut CodeAssembler, _: [CodeLabel; 3]| {
        code.mov(rax, qword_ptr(rsi + 8)).unwrap();
        code.and(rax, 1).unwrap();
    };
    assert_eq!(reported(loaded), 1);
    let indexed = |code: &mut CodeAssembler, [_, word, _]: [CodeLabel; 3]| {
        code.lea(rax, qword_ptr(word)).unwrap();
        code.cmp(byte_ptr(rax + rdi), 0).unwrap();
    };
    assert_eq!(reported(indexed), 1);
}

#[test]
fn carries_and_conditional_moves_carry_it_on() {
    let carry = |code: &mut CodeAssembler, _: [CodeLabel; 3]| {
        code.add(rdi, rsi).unwrap();
        code.mov(eax, 0).unwrap(); // leaves the flags as they are
        code.sbb(eax, eax).unwrap();
    };
    assert_eq!(reported(carry), 1);
    let moved = |code: &mut CodeAssembler, _: [CodeLabel; 3]| {
        code.mov(eax, 3).unwrap();
        code.mov(ecx, 5).unwrap();
        code.cmp(rdi, rsi).unwrap();
        code.cmovb(eax, ecx).unwrap();
        code.cmp(eax, 3).unwrap();
    };
    assert_eq!(reported(moved), 1);
    let low_byte = |code: &mut CodeAssembler, _: [CodeLabel; 3]| {
        code.mov(rax, rdi).unwrap();
        code.mov(al, 1).unwrap();
        code.test(rax, rax).unwrap();
    };
    assert_eq!(reported(low_byte), 1);
}

/// A counter from a constant is public in every turn, one that begins or is changed by something given is not.
#[test]
fn counters_of_loops() {
    let counter = |change: fn(&mut CodeAssembler)| {
        move |code: &mut CodeAssembler, _: [CodeLabel; 3]| {
            code.mov(ecx, 4).unwrap();
            let mut top = code.create_label();
            code.set_label(&mut top).unwrap();
            code.add(rax, rsi).unwrap();
            change(code);
            code.dec(ecx).unwrap();
            code.jnz(top).unwrap();
        }
    };
    assert_eq!(reported(counter(|code| code.nop().unwrap())), 0);
    assert_eq!(reported(counter(|code| code.sub(ecx, edi).unwrap())), 2); // the last one reads the same flags
    assert_eq!(reported(counter(|code| code.adc(ecx, 0).unwrap())), 2);
}

#[test]
fn words_of_the_stack_keep_what_they_are() {
    let spilled = |at: i32, given: bool| {
        move |code: &mut CodeAssembler, _: [CodeLabel; 3]| {
            code.sub(rsp, 0x40).unwrap();
            code.mov(eax, 7).unwrap();
            let value = if given { rdi } else { rax };
            code.mov(qword_ptr(rsp + 0x18), rax).unwrap();
            code.push(rbx).unwrap(); // what was at 0x18 is at 0x20 now
            code.mov(qword_ptr(rsp + at), value).unwrap();
            code.cmp(qword_ptr(rsp + 0x20), 7).unwrap();
        }
    };
    assert_eq!(reported(spilled(0x20, false)), 0);
    assert_eq!(reported(spilled(0x20, true)), 1);
    assert_eq!(reported(spilled(0x1c, true)), 1, "half of it");
    assert_eq!(reported(spilled(0x18, true)), 0, "another");
    let through_pointer = |code: &mut CodeAssembler, _: [CodeLabel; 3]| {
        code.lea(rax, qword_ptr(rsp - 8)).unwrap();
        code.cmp(qword_ptr(rax), 0).unwrap();
    };
    assert_eq!(reported(through_pointer), 1);
}

#[test]
fn results_of_calls_are_given_but_for_that_of_the_backend() {
    let after = |other: bool| {
        move |code: &mut CodeAssembler, [_, decide, another]: [CodeLabel; 3]| {
            code.xor(ebx, ebx).unwrap();
            code.call(if other { another } else { decide }).unwrap();
            code.cmp(al, 2).unwrap();
        }
    };
    assert_eq!(reported(after(false)), 0);
    assert_eq!(reported(after(true)), 1);
}

#[test]
fn a_function_needs_a_line_with_a_reason() {
    let found = [Branching {
        name: "frumious_limbs::mul".into(),
        branches: vec![16, 32],
    }];
    let count = |allowed| faults(&found, allowed).map(|faults| faults.len());
    assert_eq!(count(""), Ok(1));
    assert_eq!(count("limbs::mul | 1 | a length"), Ok(1));
    assert_eq!(count("limbs::mul | 2 | a length"), Ok(0));
    let first = "limbs::mul | 1 | a length
frumious_limbs | 2 | others";
    assert_eq!(count(first), Ok(1), "the first line counts");
    assert!(count("limbs::mul | 2 |").is_err(), "no reason");
    assert!(count("limbs::mul | two | a length").is_err());
}
