//! Routines that answer for short values by themselves, and ask us for all others.
//!
//! circom keeps values below `2^31` in the first eight bytes, as they are. Counters of loops are such values. So are
//! the constants that counters meet. These have their Montgomery form as well, which one bit of their type tells.
//!
//! On all of them a routine does in the module what circom's own does: it reads both, and writes the first eight bytes.
//! It calls us if an operand or the result is negative, or not short, or if the answer takes more than an instruction.
//!
//! Nothing of ours in the module's memory looks like a short value: bit 31 of each four bytes is set.

use frumious_tape::Operation;
use wasm_encoder::{BlockType, Function, Instruction, MemArg, ValType};

use crate::native;
use crate::routines::Routine;

/// The body of a routine. `import` is the number of our function for it.
pub(crate) fn body(routine: Routine, import: u32) -> Function {
    let (parameters, _) = routine.shape();
    let parameters = parameters as u32;
    // Two operands and a result.
    let [x, y, result] = [parameters, parameters + 1, parameters + 2];
    let mut body = Body(Function::new([(3, ValType::I64)]));
    match routine {
        Routine::Apply(Operation::Not) => {
            body.0.instruction(&Instruction::Block(BlockType::Empty));
            body.load(1, x).leave_unless_short();
            body.0.instruction(&Instruction::LocalGet(0));
            body.get(x)
                .all(&[Instruction::I64Eqz, Instruction::I64ExtendI32U]);
            body.0.instruction(&Instruction::I64Store(HEAD));
            body.all(&[Instruction::Return, Instruction::End]);
        }
        Routine::Apply(operation) => {
            if let Some(short) = Short::of(operation) {
                body.0.instruction(&Instruction::Block(BlockType::Empty));
                body.load(1, x).load(2, y);
                body.0.instruction(&Instruction::I64Or);
                body.leave_unless_short();
                if !short.guard.is_empty() {
                    body.get(y).all(short.guard).all(&[Instruction::BrIf(0)]);
                }
                body.get(x).get(y).all(short.operation);
                body.0.instruction(&Instruction::LocalTee(result));
                body.leave_unless_short();
                body.0.instruction(&Instruction::LocalGet(0));
                body.get(result);
                body.0.instruction(&Instruction::I64Store(HEAD));
                body.all(&[Instruction::Return, Instruction::End]);
            }
        }
        Routine::IsTrue => {
            body.0.instruction(&Instruction::Block(BlockType::Empty));
            body.load(0, x).leave_unless_short();
            body.get(x)
                .all(&[Instruction::I64Const(0), Instruction::I64Ne]);
            body.all(&[Instruction::Return, Instruction::End]);
        }
        Routine::ToIndex => {
            body.0.instruction(&Instruction::Block(BlockType::Empty));
            body.load(0, x).leave_unless_short();
            body.get(x).all(&[Instruction::I32WrapI64]);
            body.all(&[Instruction::Return, Instruction::End]);
        }
        Routine::Equal => {
            body.0.instruction(&Instruction::Block(BlockType::Empty));
            body.load(0, x).load(1, y);
            body.0.instruction(&Instruction::I64Or);
            body.leave_unless_short();
            body.get(x).get(y).all(&[Instruction::I64Eq]);
            body.all(&[Instruction::Return, Instruction::End]);
        }
        Routine::Divide | Routine::ToLong => {}
    }
    for parameter in 0..parameters {
        body.0.instruction(&Instruction::LocalGet(parameter));
    }
    body.all(&[Instruction::Call(import), Instruction::End]);
    body.0
}

/// An operation on two short values.
struct Short {
    /// If this holds for the second operand, we are asked. May be empty.
    guard: &'static [Instruction<'static>],
    /// From both operands to the result, all of 64 bits.
    operation: &'static [Instruction<'static>],
}

impl Short {
    fn of(operation: Operation) -> Option<Self> {
        use Instruction as I;
        const EXTEND: Instruction<'static> = Instruction::I64ExtendI32U;
        let guard: &[I<'static>] = match operation {
            Operation::IntDiv | Operation::Mod => &[I::I64Eqz],
            // Shifts by more bits than a short value has.
            Operation::Shl | Operation::Shr => &[I::I64Const(31), I::I64GtU],
            _ => &[],
        };
        let operation: &[I<'static>] = match operation {
            Operation::Add => &[I::I64Add],
            Operation::Sub => &[I::I64Sub],
            Operation::Mul => &[I::I64Mul],
            Operation::IntDiv => &[I::I64DivU],
            Operation::Mod => &[I::I64RemU],
            Operation::Eq => &[I::I64Eq, EXTEND],
            Operation::Neq => &[I::I64Ne, EXTEND],
            Operation::Lt => &[I::I64LtU, EXTEND],
            Operation::Gt => &[I::I64GtU, EXTEND],
            Operation::Leq => &[I::I64LeU, EXTEND],
            Operation::Geq => &[I::I64GeU, EXTEND],
            Operation::Shl => &[I::I64Shl],
            Operation::Shr => &[I::I64ShrU],
            Operation::BitAnd => &[I::I64And],
            Operation::BitOr => &[I::I64Or],
            Operation::BitXor => &[I::I64Xor],
            _ => return None,
        };
        Some(Self { guard, operation })
    }
}

struct Body(Function);

impl Body {
    fn all(&mut self, instructions: &[Instruction<'_>]) -> &mut Self {
        for instruction in instructions {
            self.0.instruction(instruction);
        }
        self
    }

    fn get(&mut self, local: u32) -> &mut Self {
        self.all(&[Instruction::LocalGet(local)])
    }

    /// The first eight bytes of an operand, onto the stack and into a local. Whether it has its Montgomery form too is
    /// forgotten.
    fn load(&mut self, operand: u32, to: u32) -> &mut Self {
        self.get(operand).all(&[
            Instruction::I64Load(HEAD),
            Instruction::I64Const(!native::MONTGOMERY.cast_signed()),
            Instruction::I64And,
            Instruction::LocalTee(to),
        ])
    }

    /// Leaves the block unless what is on the stack is below `2^31`.
    fn leave_unless_short(&mut self) -> &mut Self {
        self.all(&[
            Instruction::I64Const(1 << 31),
            Instruction::I64GeU,
            Instruction::BrIf(0),
        ])
    }
}

/// The first eight bytes of a value.
const HEAD: MemArg = MemArg {
    offset: 0,
    align: 2,
    memory_index: 0,
};
