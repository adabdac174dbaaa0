//! A module with its field routines replaced by calls of ours.
//!
//! Each call of a known routine becomes a call of an import. Imports come first among functions, so the numbers of all
//! others rise. Each load of the other functions also tells its address first. So nothing that a program does depends
//! on the bytes of a field element but by a routine.

use wasm_encoder::reencode::{Error as Reencoding, Reencode, utils};
use wasm_encoder::{
    CodeSection, EntityType, Function, ImportSection, Instruction, Module, TypeSection, ValType,
};
use wasmparser::{
    CodeSectionReader, CustomSectionReader, FunctionBody, FunctionSectionReader,
    ImportSectionReader, Operator, Parser, TypeSectionReader,
};

use crate::native::VALUE;
use crate::routines::{BLOCK, COPY, ROUTINES, Recognised};

/// The name of the module that the imports are of.
pub(crate) const HOST: &str = "frumious";

/// The name of the import that each load tells its address to.
pub(crate) const LOAD: &str = "load";

/// The name of the import that a routine calls.
pub(crate) fn import_name(number: u32) -> String {
    format!("routine{number}")
}

/// The module that calls our routines and tells the addresses of its loads. None if it cannot be written, as for
/// features that circom does not use.
pub(crate) fn rewrite(module: &[u8], recognised: Recognised) -> Option<Vec<u8>> {
    let mut rewriting = Rewriting {
        recognised,
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
        let imports = self.recognised.imports;
        let Some(number) = function.checked_sub(imports) else {
            return function;
        };
        match ROUTINES.iter().position(|(known, _)| *known == number) {
            Some(index) => imports + index as u32,
            None => function + ROUTINES.len() as u32 + 1,
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

    /// A body that copies values by one instruction, and tells the address of each load before it.
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
        locals.push((1, ValType::I32));
        let mut written = Function::new(locals);
        let load = self.recognised.imports + ROUTINES.len() as u32;
        let copy = self.recognised.imports + COPY;
        for operator in body.get_operators_reader()? {
            let operator = operator?;
            if matches!(operator, Operator::Call { function_index } if function_index == copy) {
                written.instruction(&Instruction::I32Const(VALUE as i32));
                written.instruction(&Instruction::MemoryCopy {
                    src_mem: 0,
                    dst_mem: 0,
                });
                continue;
            }
            let load_of = load_of(&operator)?;
            if let Some((offset, width)) = load_of {
                written.instruction(&Instruction::LocalTee(address));
                written.instruction(&Instruction::LocalGet(address));
                written.instruction(&Instruction::I32Const((offset as u32).cast_signed()));
                written.instruction(&Instruction::I32Const(width));
                written.instruction(&Instruction::Call(load));
            }
            written.instruction(&self.instruction(operator)?);
        }
        Ok(written)
    }
}

/// Offset and width of a load. All else that reads memory is unsupported.
fn load_of(operator: &Operator<'_>) -> Result<Option<(u64, i32)>> {
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
const SHAPES: [(usize, usize); 5] = [(1, 0), (2, 0), (3, 0), (1, 1), (2, 1)];
