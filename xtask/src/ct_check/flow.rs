//! Which conditional branches of a function depend on more than constants: on what it was given, or has read through a
//! pointer.
//!
//! *Public* is a value computed from constants, from words at fixed addresses and from other public values. Words at
//! fixed addresses are tables, and the word that tells the backend. Most public values are counters of loops.
//! Everything else is *given*: arguments, results of calls, memory behind pointers. Both are followed forward through
//! registers, flags and words of the stack to a fixed point. A counter that is public at the start of a loop thus stays
//! public.
//!
//! A word that is read from the stack through a pointer is given, too. A word read at an offset from the stack pointer
//! is public if the last write at that offset was public. Writes through pointers are ignored there: the words are the
//! compiler's own spilled registers, and no pointer leads to them.

use core::ops::Range;
use std::collections::{BTreeSet, HashMap, HashSet};

use iced_x86::{
    FlowControl, Instruction, InstructionInfo, InstructionInfoFactory, Mnemonic, OpAccess, OpKind,
    Register, UsedMemory,
};

/// Addresses of the branches that depend on given values, in order; of jumps to computed addresses, too.
///
/// `gives_public` tells of the function at an address whether its result is public.
pub fn given_branches(code: &[Instruction], gives_public: &impl Fn(u64) -> bool) -> Vec<u64> {
    let mut flow = Flow::new(code);
    flow.follow(gives_public);
    let mut factory = InstructionInfoFactory::new();
    let mut found = Vec::new();
    for (block, state) in flow.blocks.iter().zip(&flow.before) {
        let Some(mut state) = state.clone() else {
            continue;
        }; // never reached
        for instruction in &code[block.clone()] {
            let decides = match instruction.flow_control() {
                FlowControl::ConditionalBranch => true,
                FlowControl::IndirectBranch => !instruction.is_ip_rel_memory_operand(),
                _ => false,
            };
            let info = factory.info(instruction);
            if decides && state.reads_given(instruction, info) {
                found.push(instruction.ip());
            }
            state.pass(instruction, info, gives_public);
        }
    }
    found
}

/// The states before each block of instructions that are executed one after the other, as far as they are known.
struct Flow<'c> {
    code: &'c [Instruction],
    blocks: Vec<Range<usize>>,
    /// The block that begins at an address.
    starts: HashMap<u64, usize>,
    before: Vec<Option<State>>,
    open: BTreeSet<usize>,
}

impl<'c> Flow<'c> {
    fn new(code: &'c [Instruction]) -> Self {
        let ends = |instruction: &Instruction| {
            !matches!(
                instruction.flow_control(),
                FlowControl::Next | FlowControl::Call | FlowControl::IndirectCall
            )
        };
        let targets: HashSet<u64> = code.iter().map(Instruction::near_branch_target).collect();
        let mut blocks: Vec<Range<usize>> = Vec::new();
        for (i, instruction) in code.iter().enumerate() {
            let begins = i == 0 || targets.contains(&instruction.ip()) || ends(&code[i - 1]);
            match blocks.last_mut() {
                Some(block) if !begins => block.end = i + 1,
                _ => blocks.push(i..i + 1),
            }
        }
        let numbered = blocks.iter().enumerate();
        Self {
            code,
            starts: numbered
                .map(|(number, block)| (code[block.start].ip(), number))
                .collect(),
            before: vec![None; blocks.len()],
            blocks,
            open: BTreeSet::new(),
        }
    }

    fn follow(&mut self, gives_public: &impl Fn(u64) -> bool) {
        self.reach(0, &State::ENTRY);
        let mut factory = InstructionInfoFactory::new();
        while let Some(number) = self.open.pop_first() {
            let Some(mut state) = self.before[number].clone() else {
                continue;
            };
            let block = &self.code[self.blocks[number].clone()];
            for instruction in block {
                state.pass(instruction, factory.info(instruction), gives_public);
            }
            let Some(last) = block.last() else { continue };
            let target = self.starts.get(&last.near_branch_target()).copied();
            let (falls, jumps) = match last.flow_control() {
                FlowControl::Next | FlowControl::Call | FlowControl::IndirectCall => (true, false),
                FlowControl::ConditionalBranch => (true, true),
                FlowControl::UnconditionalBranch => (false, true),
                // A table of jumps may lead anywhere.
                FlowControl::IndirectBranch => {
                    (0..self.blocks.len()).for_each(|target| self.reach(target, &state));
                    (false, false)
                }
                _ => (false, false),
            };
            if falls {
                self.reach(number + 1, &state);
            }
            if let (true, Some(target)) = (jumps, target) {
                self.reach(target, &state);
            }
        }
    }

    fn reach(&mut self, number: usize, state: &State) {
        let Some(before) = self.before.get_mut(number) else {
            return;
        };
        let changed = match before {
            Some(before) => before.join(state),
            None => {
                *before = Some(state.clone());
                true
            }
        };
        if changed {
            self.open.insert(number);
        }
    }
}

/// The public registers and words at one place of the code.
#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    /// A bit for each general, vector or mask register.
    registers: u64,
    /// Bits as in `rflags_read` of an instruction.
    flags: u32,
    /// Words of the stack: place relative to the stack pointer at entry, and size.
    stack: BTreeSet<(i64, i64)>,
    /// The stack pointer less the one at entry.
    depth: i64,
}

/// Where the stack pointer is if that is not known, as after it was rounded down: from here on places can be told apart
/// again.
const ROUNDED: i64 = -(1 << 40);

/// Registers that keep their values over a call (System V AMD64 ABI, section 3.2.1).
const KEPT: [Register; 6] = [
    Register::RBX,
    Register::RBP,
    Register::R12,
    Register::R13,
    Register::R14,
    Register::R15,
];

impl State {
    const ENTRY: Self = Self {
        registers: 0,
        flags: 0,
        stack: BTreeSet::new(),
        depth: 0,
    };

    /// The part that is public in both; true if that is less than before.
    fn join(&mut self, other: &Self) -> bool {
        let before = (self.registers, self.flags, self.stack.len(), self.depth);
        self.registers &= other.registers;
        self.flags &= other.flags;
        if self.depth == other.depth {
            self.stack.retain(|word| other.stack.contains(word));
        } else {
            self.stack.clear();
            self.depth = ROUNDED;
        }
        before != (self.registers, self.flags, self.stack.len(), self.depth)
    }

    /// True if the instruction reads a flag, register or word of memory that is not public.
    fn reads_given(&self, instruction: &Instruction, info: &InstructionInfo) -> bool {
        let flags = instruction.rflags_read() & !self.flags != 0;
        // A pointer into the stack is given, as what is there is; the stack pointer itself is read by each push.
        let copies = matches!(instruction.mnemonic(), Mnemonic::Lea | Mnemonic::Mov);
        let registers = info.used_registers().iter().any(|used| {
            let is_address = info
                .used_memory()
                .iter()
                .any(|memory| memory.base() == used.register());
            let exempt = used.register() == Register::RSP && (is_address || !copies);
            reads(used.access()) && !exempt && !self.knows(used.register())
        });
        let memory = info
            .used_memory()
            .iter()
            .any(|used| reads(used.access()) && !self.is_public(used));
        flags || registers || memory
    }

    /// True if a register is public.
    fn knows(&self, register: Register) -> bool {
        self.registers & bit(register) != 0
    }

    /// True if a word of memory is public: at a fixed address, or on the stack.
    fn is_public(&self, used: &UsedMemory) -> bool {
        let is_fixed =
            |register| matches!(register, Register::RIP | Register::None) || self.knows(register);
        match used.base() {
            Register::RSP if used.index() == Register::None => {
                self.stack.contains(&self.word(used))
            }
            base => is_fixed(base) && is_fixed(used.index()),
        }
    }

    fn word(&self, used: &UsedMemory) -> (i64, i64) {
        let place = self.depth.wrapping_add(used.displacement().cast_signed());
        (place, used.memory_size().size() as i64)
    }

    /// The state after an instruction.
    fn pass(
        &mut self,
        instruction: &Instruction,
        info: &InstructionInfo,
        gives_public: &impl Fn(u64) -> bool,
    ) {
        let public = !self.reads_given(instruction, info);
        for used in info
            .used_memory()
            .iter()
            .filter(|used| writes(used.access()))
        {
            self.write_memory(used, public);
        }
        for used in info
            .used_registers()
            .iter()
            .filter(|used| writes(used.access()))
        {
            let register = used.register();
            // A narrow register leaves the rest of the full one as it is, one of 32 bits or more does not.
            let whole = register.size() >= 4 && used.access() != OpAccess::CondWrite;
            if public && (whole || self.knows(register)) {
                self.registers |= bit(register);
            } else {
                self.registers &= !bit(register);
            }
        }
        let constant = instruction.rflags_cleared() | instruction.rflags_set();
        self.flags |= constant;
        let computed = instruction.rflags_modified() & !constant;
        self.flags = if public {
            self.flags | computed
        } else {
            self.flags & !computed
        };
        if matches!(
            instruction.flow_control(),
            FlowControl::Call | FlowControl::IndirectCall
        ) {
            self.registers &= KEPT.iter().fold(0, |bits, register| bits | bit(*register));
            self.flags = 0;
            if gives_public(instruction.near_branch_target()) {
                self.registers |= bit(Register::RAX);
            }
        } else {
            self.move_stack(instruction);
        }
    }

    fn write_memory(&mut self, used: &UsedMemory, public: bool) {
        if used.base() != Register::RSP {
            return;
        }
        if used.index() != Register::None {
            if !public {
                self.stack.clear(); // any word of an array
            }
            return;
        }
        let (place, size) = self.word(used);
        self.stack
            .retain(|(other, len)| other + len <= place || place + size <= *other);
        if public {
            self.stack.insert((place, size));
        }
    }

    fn move_stack(&mut self, instruction: &Instruction) {
        let by_register = instruction.op0_kind() == OpKind::Register
            && instruction.op0_register() == Register::RSP;
        let immediate = || instruction.immediate(1).cast_signed();
        match instruction.mnemonic() {
            Mnemonic::Sub if by_register && is_immediate(instruction) => self.depth -= immediate(),
            Mnemonic::Add if by_register && is_immediate(instruction) => self.depth += immediate(),
            Mnemonic::Cmp | Mnemonic::Test => {}
            _ if by_register && instruction.mnemonic() != Mnemonic::Push => {
                self.depth = ROUNDED;
                self.stack.clear();
            }
            _ => self.depth += i64::from(instruction.stack_pointer_increment()),
        }
    }
}

/// The bit of a register, none for those that are never public: of the FPU, of segments.
fn bit(register: Register) -> u64 {
    let full = register.full_register();
    let place = match full {
        _ if full.is_gpr64() => Some(full.number()),
        _ if full.is_zmm() => Some(16 + full.number()),
        _ if full.is_k() => Some(48 + full.number()),
        _ => None,
    };
    place.map_or(0, |place| 1 << place)
}

fn is_immediate(instruction: &Instruction) -> bool {
    !matches!(instruction.op1_kind(), OpKind::Register | OpKind::Memory)
}

fn reads(access: OpAccess) -> bool {
    matches!(
        access,
        OpAccess::Read | OpAccess::CondRead | OpAccess::ReadWrite | OpAccess::ReadCondWrite
    )
}

fn writes(access: OpAccess) -> bool {
    matches!(
        access,
        OpAccess::Write | OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite
    )
}
