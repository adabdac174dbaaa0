//! A module with its field routines replaced by calls of ours.
//!
//! Each known routine gets a body of ours, which calls an import (see `short`). Imports come first among functions, so
//! the numbers of all others rise. The other functions tell the addresses of their loads. So nothing that a program
//! does depends on the bytes of a field element but by a routine.

mod conditions;

use wasm_encoder::reencode::{Error as Reencoding, Reencode, utils};
use wasm_encoder::{
    BlockType, CodeSection, EntityType, Function, ImportSection, Instruction, Module, TypeSection,
    ValType,
};
use wasmparser::{
    CodeSectionReader, CustomSectionReader, FunctionBody, FunctionSectionReader,
    ImportSectionReader, Operator, Parser, TypeSectionReader,
};

use crate::native::VALUE;
use crate::routines::{BLOCK, COPY, DIVIDE, IS_TRUE, ROUTINES, Recognised, TO_INDEX};
use crate::short;
use crate::variant::Variant;
use conditions::{Branch, Condition, Known, Value, condition};

/// The name of the module that the imports are of.
pub(crate) const HOST: &str = "frumious";

/// The name of the import that each load tells its address to.
pub(crate) const LOAD: &str = "load";

/// The name of the import that an assertion calls in a rehearsal.
pub(crate) const HOLDS: &str = "holds";

/// The name of the import that a routine calls.
pub(crate) fn import_name(number: u32) -> String {
    format!("routine{number}")
}

/// The name of the import that computes the value of a condition.
pub(crate) const CHOOSE: &str = "choose";

/// As [`CHOOSE`], where one of the values is a quotient.
pub(crate) const CHOOSE_QUOTIENT: &str = "choose_quotient";

/// The answer of [`CHOOSE`] for a value that is written. Else it is the condition's truth.
pub(crate) const CHOSEN: i32 = 2;

/// The module for a way to run it but [`Variant::AsItIs`]. It calls our routines. None if it cannot be written, as for
/// features that circom does not use.
pub(crate) fn rewrite(module: &[u8], recognised: Recognised, variant: Variant) -> Option<Vec<u8>> {
    let mut rewriting = Rewriting {
        recognised,
        variant,
        parameters: Vec::new(),
        function_types: Vec::new(),
        bodies: 0,
    };
    let mut written = Module::new();
    let parsed = rewriting.parse_core_module(&mut written, Parser::new(0), module);
    parsed.ok().map(|()| written.finish())
}

struct Rewriting {
    recognised: Recognised,
    variant: Variant,
    /// Number of parameters of each of the module's types.
    parameters: Vec<u32>,
    /// The type of each function but the imported ones.
    function_types: Vec<u32>,
    /// Number of bodies so far.
    bodies: u32,
}

/// The module has something that circom's have not.
#[derive(Debug)]
struct Unsupported;

type Result<T> = core::result::Result<T, Reencoding<Unsupported>>;

impl Reencode for Rewriting {
    type Error = Unsupported;

    fn function_index(&mut self, function: u32) -> u32 {
        match function < self.recognised.imports {
            true => function,
            false => function + ADDED,
        }
    }

    fn parse_type_section(
        &mut self,
        types: &mut TypeSection,
        section: TypeSectionReader<'_>,
    ) -> Result<()> {
        for kind in section.clone().into_iter_err_on_gc_types() {
            self.parameters.push(kind?.params().len() as u32);
        }
        utils::parse_type_section(self, types, section)?;
        for (parameters, results) in SHAPES {
            let value = |count: usize| core::iter::repeat_n(ValType::I32, count);
            types.ty().function(value(parameters), value(results));
        }
        Ok(())
    }

    fn parse_import_section(
        &mut self,
        imports: &mut ImportSection,
        section: ImportSectionReader<'_>,
    ) -> Result<()> {
        utils::parse_import_section(self, imports, section)?;
        for (number, routine) in ROUTINES {
            let (parameters, has_result) = routine.shape();
            let of = self.of_shape((parameters, usize::from(has_result)));
            imports.import(HOST, &import_name(number), of);
        }
        imports.import(HOST, LOAD, self.of_shape((3, 0)));
        imports.import(HOST, HOLDS, self.of_shape((1, 1)));
        imports.import(HOST, CHOOSE, self.of_shape((4, 1)));
        imports.import(HOST, CHOOSE_QUOTIENT, self.of_shape((7, 1)));
        Ok(())
    }

    fn parse_function_section(
        &mut self,
        functions: &mut wasm_encoder::FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Result<()> {
        for kind in section.clone() {
            self.function_types.push(kind?);
        }
        utils::parse_function_section(self, functions, section)
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Result<()> {
        utils::parse_code_section(self, code, section)
    }

    fn parse_function_body(
        &mut self,
        code: &mut CodeSection,
        body: FunctionBody<'_>,
    ) -> Result<()> {
        let number = self.bodies;
        self.bodies += 1;
        if number >= BLOCK {
            let body = self.body(&body, number)?;
            code.function(&body);
            return Ok(());
        }
        let routine = ROUTINES.iter().position(|(known, _)| *known == number);
        if let Some(index) = routine {
            let import = self.recognised.imports + index as u32;
            code.function(&short::body(ROUTINES[index].1, import));
            return Ok(());
        }
        utils::parse_function_body(self, code, body)
    }

    fn parse_custom_section(&mut self, _: &mut Module, _: CustomSectionReader<'_>) -> Result<()> {
        Ok(()) // names, which would have to be numbered anew
    }
}

impl Rewriting {
    fn of_shape(&self, shape: (usize, usize)) -> EntityType {
        let index = SHAPES.iter().position(|known| *known == shape);
        let index = index.expect("a shape of a routine") as u32;
        EntityType::Function(self.parameters.len() as u32 + index)
    }

    /// A body that copies values by one instruction, and tells the addresses of its loads.
    fn body(&mut self, body: &FunctionBody<'_>, number: u32) -> Result<Function> {
        let kind = self.function_types.get(number as usize).copied();
        let parameters = kind.and_then(|kind| self.parameters.get(kind as usize).copied());
        let mut address = parameters.ok_or(Reencoding::UserError(Unsupported))?;
        let mut locals = Vec::new();
        for local in body.get_locals_reader()? {
            let (count, kind) = local?;
            address = address
                .checked_add(count)
                .ok_or(Reencoding::UserError(Unsupported))?;
            locals.push((count, self.val_type(kind)?));
        }
        // The address of a load, and what it found.
        locals.extend([(2, ValType::I32), (1, ValType::I64)]);
        let found = Found {
            address,
            word: address.saturating_add(1),
            long: address.saturating_add(2),
        };
        let mut written = Function::new(locals);
        let load = self.recognised.imports + ROUTINES.len() as u32;
        let copy = self.recognised.imports + COPY;
        let is_true = self.recognised.imports + IS_TRUE;
        let known = Known {
            copy,
            divide: self.recognised.imports + DIVIDE,
            index: self.recognised.imports + TO_INDEX,
        };
        let mut is_choice = false;
        let mut operators = body.get_operators_reader()?;
        while !operators.eof() {
            let operator = operators.read()?;
            if self.variant != Variant::Native
                && matches!(operator, Operator::Call { function_index } if function_index == is_true)
            {
                match condition(operators.clone(), known) {
                    Condition::Assertion if self.variant == Variant::Rehearsed => {
                        written.instruction(&Instruction::Call(load + 1));
                        continue;
                    }
                    Condition::Value(value) if self.choose(&value, &mut written)? => {
                        // Its branches, for when it is not chosen.
                        written.instruction(&Instruction::LocalTee(found.word));
                        written.instruction(&Instruction::I32Const(CHOSEN));
                        written.instruction(&Instruction::I32Ne);
                        written.instruction(&Instruction::If(BlockType::Empty));
                        written.instruction(&Instruction::LocalGet(found.word));
                        is_choice = true;
                        continue;
                    }
                    _ => {}
                }
            }
            if is_choice && matches!(operator, Operator::End) {
                is_choice = false; // there is no other block in it
                written.instruction(&Instruction::End);
            }
            if matches!(operator, Operator::Call { function_index } if function_index == copy) {
                written.instruction(&Instruction::I32Const(VALUE as i32));
                written.instruction(&Instruction::MemoryCopy {
                    src_mem: 0,
                    dst_mem: 0,
                });
                continue;
            }
            let load_of = load_of(&operator)?;
            let Some((offset, width)) = load_of else {
                written.instruction(&self.instruction(operator)?);
                continue;
            };
            written.instruction(&Instruction::LocalTee(address));
            let is_aligned = offset.is_multiple_of(4);
            match operator {
                Operator::I32Load { .. } if self.variant != Variant::Native && is_aligned => {
                    written.instruction(&self.instruction(operator)?);
                    found.begin_if_word(&mut written);
                    tell(&mut written, load, [address, offset as u32, width]);
                    written.instruction(&Instruction::End);
                }
                Operator::I64Load { .. } if self.variant != Variant::Native && is_aligned => {
                    written.instruction(&self.instruction(operator)?);
                    found.begin_if_long(&mut written);
                    tell(&mut written, load, [address, offset as u32, width]);
                    written.instruction(&Instruction::End);
                }
                operator => {
                    tell(&mut written, load, [address, offset as u32, width]);
                    written.instruction(&self.instruction(operator)?);
                }
            }
        }
        Ok(written)
    }
}

/// Functions that are imported beside the module's own: the routines, [`LOAD`], [`HOLDS`], [`CHOOSE`],
/// [`CHOOSE_QUOTIENT`].
const ADDED: u32 = ROUTINES.len() as u32 + 4;

impl Rewriting {
    /// Calls our function for a value, whose condition is on the stack. False if we have none for it.
    fn choose(&mut self, value: &Value<'_>, written: &mut Function) -> Result<bool> {
        let first = self.recognised.imports + ROUTINES.len() as u32 + 2;
        let to = &value.to;
        let (function, addresses, flag) = match (&value.then, &value.otherwise) {
            (Branch::Copy(then), Branch::Copy(otherwise)) => {
                (first, vec![to, then, otherwise], None)
            }
            (Branch::Divide(division), Branch::Copy(other)) => {
                (first + 1, division.places(to, other), Some(1))
            }
            (Branch::Copy(other), Branch::Divide(division)) => {
                (first + 1, division.places(to, other), Some(0))
            }
            (Branch::Divide(_), Branch::Divide(_)) => return Ok(false),
        };
        for operator in addresses.into_iter().flatten() {
            written.instruction(&self.instruction(operator.clone())?);
        }
        if let Some(flag) = flag {
            written.instruction(&Instruction::I32Const(flag));
        }
        written.instruction(&Instruction::Call(function));
        Ok(true)
    }
}

/// Calls our function `load` with the address in a local, an offset and a width.
fn tell(written: &mut Function, load: u32, [address, offset, width]: [u32; 3]) {
    written.instruction(&Instruction::LocalGet(address));
    written.instruction(&Instruction::I32Const(offset.cast_signed()));
    written.instruction(&Instruction::I32Const(width.cast_signed()));
    written.instruction(&Instruction::Call(load));
}

/// The locals of a load: its address, and what it found, of 32 or 64 bits.
#[derive(Clone, Copy)]
struct Found {
    address: u32,
    word: u32,
    long: u32,
}

impl Found {
    /// Begins a block for words that may be parts of a handle, and for those that do not lie as its cells do. The word
    /// stays on the stack.
    fn begin_if_word(self, written: &mut Function) {
        let question = [
            Instruction::LocalTee(self.word),
            Instruction::LocalGet(self.word),
            Instruction::I32Const(31),
            Instruction::I32ShrU,
        ];
        question.iter().for_each(|instruction| {
            written.instruction(instruction);
        });
        self.begin_if_or_not_aligned(written);
    }

    /// As [`Found::begin_if_word`], for two words.
    fn begin_if_long(self, written: &mut Function) {
        let question = [
            Instruction::LocalTee(self.long),
            Instruction::LocalGet(self.long),
            Instruction::I64Const(0x8000_0000_8000_0000u64.cast_signed()),
            Instruction::I64And,
            Instruction::I64Const(0),
            Instruction::I64Ne,
        ];
        question.iter().for_each(|instruction| {
            written.instruction(instruction);
        });
        self.begin_if_or_not_aligned(written);
    }

    fn begin_if_or_not_aligned(self, written: &mut Function) {
        let question = [
            Instruction::LocalGet(self.address),
            Instruction::I32Const(3),
            Instruction::I32And,
            Instruction::I32Or,
            Instruction::If(BlockType::Empty),
        ];
        question.iter().for_each(|instruction| {
            written.instruction(instruction);
        });
    }
}

/// Offset and width of a load. All else that reads memory is unsupported.
fn load_of(operator: &Operator<'_>) -> Result<Option<(u64, u32)>> {
    Ok(match operator {
        Operator::I32Load8S { memarg }
        | Operator::I32Load8U { memarg }
        | Operator::I64Load8S { memarg }
        | Operator::I64Load8U { memarg } => Some((memarg.offset, 1)),
        Operator::I32Load16S { memarg }
        | Operator::I32Load16U { memarg }
        | Operator::I64Load16S { memarg }
        | Operator::I64Load16U { memarg } => Some((memarg.offset, 2)),
        Operator::I32Load { memarg }
        | Operator::F32Load { memarg }
        | Operator::I64Load32S { memarg }
        | Operator::I64Load32U { memarg } => Some((memarg.offset, 4)),
        Operator::I64Load { memarg } | Operator::F64Load { memarg } => Some((memarg.offset, 8)),
        Operator::MemoryCopy { .. } | Operator::MemoryFill { .. } | Operator::MemoryInit { .. } => {
            return Err(Reencoding::UserError(Unsupported));
        }
        _ => None,
    })
}

/// Parameters and results, all of 32 bits, of the functions that we import.
const SHAPES: [(usize, usize); 7] = [(1, 0), (2, 0), (3, 0), (1, 1), (2, 1), (4, 1), (7, 1)];
