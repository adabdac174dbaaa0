//! The analysis of one function: its vector products and its calls.

use std::collections::HashMap;

use iced_x86::{
    Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess,
    OpKind, Register,
};

use crate::binary::Binary;

/// The counts of one function.
#[derive(Debug, PartialEq, Eq)]
pub struct Analysis {
    /// Instructions in all.
    pub instructions: usize,
    /// `vpmadd52luq` and `vpmadd52huq` on `zmm` registers.
    pub products: usize,
    /// Instructions that have a `zmm` register and memory at the stack pointer: spills, and arrays that lie there.
    pub stack_accesses: usize,
    /// Calls, and jumps to other functions, in the order of the code.
    pub calls: Vec<Call>,
}

/// A call that is left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The function that is called.
    pub name: String,
    /// True if it can be reached from itself.
    pub in_loop: bool,
}

/// True if an instruction is one of the two products, on all eight lanes.
pub fn is_product(instruction: &Instruction) -> bool {
    matches!(
        instruction.mnemonic(),
        Mnemonic::Vpmadd52luq | Mnemonic::Vpmadd52huq
    ) && instruction.op0_register().is_zmm()
}

/// Decodes code that is loaded at `address`.
pub fn decode(code: &[u8], address: u64) -> Decoder<'_> {
    Decoder::with_ip(64, code, address, DecoderOptions::NONE)
}

impl Analysis {
    /// Reads the function of `size` bytes at `address`. `never_returns` tells of a name whether control comes back from
    /// it: the code after such a call belongs to something else.
    pub fn of(
        binary: &Binary,
        address: u64,
        size: u64,
        never_returns: impl Fn(&str) -> bool,
    ) -> Self {
        let code: Vec<Instruction> = decode(binary.code(address, size), address)
            .into_iter()
            .collect();
        let graph = Graph::new(&code, binary, &never_returns);
        let calls = graph
            .calls
            .iter()
            .map(|(place, name)| Call {
                name: name.clone(),
                in_loop: graph.reaches_itself(*place),
            })
            .collect();
        Self {
            instructions: code.len(),
            products: code
                .iter()
                .filter(|instruction| is_product(instruction))
                .count(),
            stack_accesses: code
                .iter()
                .filter(|instruction| is_on_stack(instruction))
                .count(),
            calls,
        }
    }
}

fn is_on_stack(instruction: &Instruction) -> bool {
    matches!(instruction.memory_base(), Register::RSP | Register::RBP)
        && (0..instruction.op_count()).any(|operand| {
            instruction.op_kind(operand) == OpKind::Register
                && instruction.op_register(operand).is_zmm()
        })
}

/// Which instruction can follow which.
struct Graph {
    /// By number of the instruction.
    next: Vec<Vec<usize>>,
    /// Number of the instruction, and what it calls.
    calls: Vec<(usize, String)>,
}

impl Graph {
    fn new(code: &[Instruction], binary: &Binary, never_returns: &impl Fn(&str) -> bool) -> Self {
        let place: HashMap<u64, usize> = code
            .iter()
            .enumerate()
            .map(|(i, instruction)| (instruction.ip(), i))
            .collect();
        let mut graph = Self {
            next: vec![Vec::new(); code.len()],
            calls: Vec::new(),
        };
        for (i, instruction) in code.iter().enumerate() {
            let following = Some(i + 1).filter(|next| *next < code.len());
            let near = instruction.near_branch_target();
            match instruction.flow_control() {
                FlowControl::Next => graph.next[i].extend(following),
                FlowControl::ConditionalBranch => {
                    graph.next[i].extend(following);
                    graph.branch(i, place.get(&near), || binary.name_at(near));
                }
                FlowControl::UnconditionalBranch => {
                    graph.branch(i, place.get(&near), || binary.name_at(near))
                }
                // A table of jumps, or a jump to another function: it may lead anywhere.
                FlowControl::IndirectBranch => {
                    graph.next[i].extend(0..code.len());
                    graph
                        .calls
                        .push((i, format!("jump to {}", target(code, i, binary))));
                }
                FlowControl::Call | FlowControl::IndirectCall => {
                    let name = target(code, i, binary);
                    if !never_returns(&name) {
                        graph.next[i].extend(following);
                    }
                    graph.calls.push((i, name));
                }
                FlowControl::Return
                | FlowControl::Interrupt
                | FlowControl::Exception
                | FlowControl::XbeginXabortXend => {}
            }
        }
        graph
    }

    /// A jump within the function, or out of it, which is a call that does not come back.
    fn branch(&mut self, from: usize, place: Option<&usize>, name: impl Fn() -> String) {
        match place {
            Some(place) => self.next[from].push(*place),
            None => self.calls.push((from, name())),
        }
    }

    fn reaches_itself(&self, start: usize) -> bool {
        let mut seen = vec![false; self.next.len()];
        let mut open = self.next[start].clone();
        while let Some(i) = open.pop() {
            if i == start {
                return true;
            }
            if !std::mem::replace(&mut seen[i], true) {
                open.extend(&self.next[i]);
            }
        }
        false
    }
}

/// The name of what the call or the indirect jump at place `i` leads to.
fn target(code: &[Instruction], i: usize, binary: &Binary) -> String {
    let instruction = &code[i];
    if instruction.op0_kind() == OpKind::NearBranch64 {
        return binary.name_at(instruction.near_branch_target());
    }
    if instruction.is_ip_rel_memory_operand() {
        return binary.name_through(instruction.ip_rel_memory_address());
    }
    if instruction.op0_kind() != OpKind::Register {
        return UNKNOWN.into();
    }
    let held = held(&code[..i], instruction.op0_register(), binary);
    held.unwrap_or_else(|| UNKNOWN.into())
}

/// The name of the function whose address a register holds after some code.
fn held(code: &[Instruction], register: Register, binary: &Binary) -> Option<String> {
    let place = last_change(code, register)?;
    let last = &code[place];
    let is_copy = last.mnemonic() == Mnemonic::Mov && last.op1_kind() == OpKind::Register;
    match is_copy {
        true => held(&code[..place], last.op1_register(), binary),
        false => loaded(last, binary),
    }
}

/// The name of the function whose address an instruction loads, if it loads one from a place that it names.
fn loaded(instruction: &Instruction, binary: &Binary) -> Option<String> {
    let address = instruction.ip_rel_memory_address();
    match instruction.mnemonic() {
        _ if !instruction.is_ip_rel_memory_operand() => None,
        Mnemonic::Mov => Some(binary.name_through(address)),
        Mnemonic::Lea => Some(binary.name_at(address)),
        _ => None,
    }
}

/// The names of functions whose addresses some code loads, each as often as it does.
pub fn addresses_taken(code: &[Instruction], binary: &Binary) -> Vec<String> {
    let names = code
        .iter()
        .filter_map(|instruction| loaded(instruction, binary));
    names.filter(|name| binary.has_function(name)).collect()
}

/// The name of a function that cannot be told.
pub const UNKNOWN: &str = "what a register points to";

/// The place of the last instruction, in the order of the code, that changes a register. Compilers load the address of
/// `memcpy`, or of a product, once, ahead of several calls.
fn last_change(code: &[Instruction], register: Register) -> Option<usize> {
    let mut facts = InstructionInfoFactory::new();
    code.iter().rposition(|instruction| {
        let used = facts.info(instruction).used_registers();
        used.iter().any(|used| {
            used.register().full_register() == register
                && !matches!(used.access(), OpAccess::Read | OpAccess::CondRead)
        })
    })
}
