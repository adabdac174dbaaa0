//! Modules that circom wrote, with something changed.
//!
//! None is kept in this repository, as circom's routines have another licence. They come from `interop`, which compiles
//! them, or from the folder `FRUMIOUS_CIRCOM_MODULES`, where `NAME/NAME_js/NAME.wasm` is one.

use std::path::PathBuf;

use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{CodeSection, Function, Instruction, Module};
use wasmparser::{FunctionBody, Operator, Parser, Payload};

/// The module of a circuit, none if there is none here.
pub(super) fn module(name: &str, curve: &str) -> Option<Vec<u8>> {
    let (folder, is_given) = folder();
    let file = name.strip_prefix("tapes_").unwrap_or(name);
    let circuit = folder.join(format!("{name}{curve}"));
    let path = circuit.join(format!("{file}_js/{file}.wasm"));
    // `interop` may be compiling it at this moment: it writes the stamp when all of a circuit is there.
    let is_whole = std::fs::metadata(circuit.join("stamp"));
    let found = match is_given {
        true => std::fs::read(&path),
        false => is_whole.and_then(|_| std::fs::read(&path)),
    };
    if let Err(error) = &found {
        assert!(!is_given, "{}: {error}", path.display());
        eprintln!("SKIP: {}: {error}", path.display());
    }
    found.ok()
}

/// The folder of modules, and whether it was named.
fn folder() -> (PathBuf, bool) {
    let given = std::env::var_os("FRUMIOUS_CIRCOM_MODULES").map(PathBuf::from);
    let is_given = given.is_some();
    let folder = given.unwrap_or_else(|| {
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../interop/.cache/circuits")
    });
    (folder, is_given)
}

/// The number of a function that a module exports, imports counted, and the number of its body.
pub(super) fn exported(wasm: &[u8], name: &str) -> (u32, u32) {
    let (mut imports, mut found) = (0, None);
    for payload in Parser::new(0).parse_all(wasm) {
        match payload.expect("it is a module") {
            Payload::ImportSection(section) => imports = section.count(),
            Payload::ExportSection(section) => {
                let mut exports = section.into_iter().map(|export| export.expect("it is one"));
                found = exports
                    .find(|export| export.name == name)
                    .map(|export| export.index);
            }
            _ => {}
        }
    }
    let index = found.expect("circom exports it");
    (index, index - imports)
}

/// Number of the imported functions and of the others.
pub(super) fn counts(wasm: &[u8]) -> (u32, u32) {
    let (mut imports, mut bodies) = (0, 0);
    for payload in Parser::new(0).parse_all(wasm) {
        match payload.expect("it is a module") {
            Payload::ImportSection(section) => imports = section.count(),
            Payload::CodeSectionStart { count, .. } => bodies = count,
            _ => {}
        }
    }
    (imports, bodies)
}

/// The only function that a table holds: it runs the main template.
pub(super) fn run_body(wasm: &[u8]) -> u32 {
    let mut found = None;
    for payload in Parser::new(0).parse_all(wasm) {
        if let Payload::ElementSection(section) = payload.expect("it is a module") {
            for element in section {
                let wasmparser::ElementItems::Functions(items) = element.expect("one").items else {
                    continue;
                };
                found = items.into_iter().last();
            }
        }
    }
    found.expect("a template").expect("a number") - counts(wasm).0
}

/// Where bodies are in a module.
type Bodies = Vec<std::ops::Range<usize>>;

/// The range of each function body in the module, and of each piece of data with the address where it goes.
pub(super) fn places(wasm: &[u8]) -> (Bodies, Vec<(u32, usize, usize)>) {
    let (mut bodies, mut data) = (Vec::new(), Vec::new());
    for payload in Parser::new(0).parse_all(wasm) {
        match payload.expect("it is a module") {
            Payload::CodeSectionEntry(body) => bodies.push(body.range()),
            Payload::DataSection(section) => {
                for segment in section {
                    let segment = segment.expect("one");
                    let wasmparser::DataKind::Active { offset_expr, .. } = segment.kind else {
                        continue;
                    };
                    let first = offset_expr.get_operators_reader().read();
                    let Ok(Operator::I32Const { value }) = first else {
                        continue;
                    };
                    let start = segment.range.end - segment.data.len();
                    data.push((value.cast_unsigned(), start, segment.data.len()));
                }
            }
            _ => {}
        }
    }
    (bodies, data)
}

/// The module with instructions before those of one body, or in place of them.
pub(super) fn with_code(
    wasm: &[u8],
    body: u32,
    code: &[Instruction<'_>],
    instead: bool,
) -> Vec<u8> {
    struct Editing<'a> {
        body: u32,
        code: &'a [Instruction<'a>],
        instead: bool,
        bodies: u32,
    }
    impl Reencode for Editing<'_> {
        type Error = core::convert::Infallible;

        fn parse_function_body(
            &mut self,
            section: &mut CodeSection,
            body: FunctionBody<'_>,
        ) -> Result<(), Error<Self::Error>> {
            self.bodies += 1;
            if self.bodies - 1 != self.body {
                return utils::parse_function_body(self, section, body);
            }
            let mut locals = Vec::new();
            for local in body.get_locals_reader()? {
                let (count, kind) = local?;
                locals.push((count, self.val_type(kind)?));
            }
            let mut written = Function::new(locals);
            for instruction in self.code {
                written.instruction(instruction);
            }
            for operator in body.get_operators_reader()? {
                let instruction = self.instruction(operator?)?;
                if !self.instead {
                    written.instruction(&instruction);
                }
            }
            section.function(&written);
            Ok(())
        }
    }
    let mut editing = Editing {
        body,
        code,
        instead,
        bodies: 0,
    };
    let mut written = Module::new();
    let parsed = editing.parse_core_module(&mut written, Parser::new(0), wasm);
    parsed.expect("circom's modules have nothing unusual");
    written.finish()
}

/// The module with a section before the first one of a greater number.
pub(super) fn with_section(wasm: &[u8], number: u8, content: &[u8]) -> Vec<u8> {
    let mut at = 8;
    // Sections of one byte's number and a length; the custom one, with names, comes last.
    while wasm[at] != 0 && wasm[at] < number {
        let (mut length, mut shift, mut next) = (0usize, 0, at + 1);
        loop {
            length |= usize::from(wasm[next] & 0x7f) << shift;
            shift += 7;
            next += 1;
            if wasm[next - 1] & 0x80 == 0 {
                break;
            }
        }
        at = next + length;
    }
    let section = [&[number, content.len() as u8], content].concat();
    [&wasm[..at], &section, &wasm[at..]].concat()
}

/// Inputs that are kept beside a module, none if there is none here.
pub(super) fn example(name: &str, curve: &str) -> Option<serde_json::Value> {
    module(name, curve)?;
    let path = folder().0.join(format!("{name}{curve}/input.json"));
    let text = std::fs::read_to_string(&path).expect("it is beside the module");
    Some(serde_json::from_str(&text).expect("JSON"))
}
