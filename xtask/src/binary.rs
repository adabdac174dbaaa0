//! The functions of an ELF file for x86-64.

use std::collections::BTreeMap;

use object::read::elf::ElfFile64;
use object::{
    Architecture, Object, ObjectSection, ObjectSymbol, ObjectSymbolTable, RelocationTarget,
    SectionKind, SymbolKind,
};

/// The reason for which a check could not be made, for the terminal.
pub type CannotCheck = String;

/// Code, and what is where in it.
pub struct Binary<'a> {
    sections: Vec<Code<'a>>,
    functions: BTreeMap<u64, Function>,
    /// The function that the word at an address leads to: from relocations.
    slots: BTreeMap<u64, Slot>,
}

/// A section of instructions.
pub struct Code<'a> {
    /// Where it is loaded.
    pub address: u64,
    /// The instructions.
    pub bytes: &'a [u8],
}

/// A function symbol.
#[derive(Clone, Debug)]
pub struct Function {
    /// Demangled, without the crates' hashes.
    pub name: String,
    /// Its length in bytes.
    pub size: u64,
}

enum Slot {
    Address(u64),
    Name(String),
}

impl<'a> Binary<'a> {
    /// Reads sections, symbols and relocations.
    ///
    /// Errors: not an ELF file for x86-64, or no function symbols (stripped).
    pub fn read(bytes: &'a [u8]) -> Result<Self, CannotCheck> {
        let file =
            ElfFile64::<object::Endianness>::parse(bytes).map_err(|error| error.to_string())?;
        if file.architecture() != Architecture::X86_64 {
            return Err("not for x86-64".into());
        }
        let sections = file
            .sections()
            .filter(|section| section.kind() == SectionKind::Text)
            .map(|section| {
                let bytes = section.data().map_err(|error| error.to_string())?;
                Ok(Code {
                    address: section.address(),
                    bytes,
                })
            })
            .collect::<Result<_, CannotCheck>>()?;
        let functions: BTreeMap<_, _> = file
            .symbols()
            .filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.is_definition())
            .filter_map(|symbol| {
                let name = demangle(symbol.name().ok()?);
                Some((
                    symbol.address(),
                    Function {
                        name,
                        size: symbol.size(),
                    },
                ))
            })
            .collect();
        if functions.is_empty() {
            return Err("no symbols: it is stripped".into());
        }
        Ok(Self {
            sections,
            functions,
            slots: slots(&file),
        })
    }

    /// All code.
    pub fn sections(&self) -> &[Code<'a>] {
        &self.sections
    }

    /// All functions, by address.
    pub fn functions(&self) -> impl Iterator<Item = (u64, &Function)> {
        self.functions
            .iter()
            .map(|(address, function)| (*address, function))
    }

    /// The function that an address lies in.
    pub fn function_around(&self, address: u64) -> Option<(u64, &Function)> {
        let (start, function) = self.functions.range(..=address).next_back()?;
        (address < start + function.size.max(1)).then_some((*start, function))
    }

    /// `size` bytes of code at an address, fewer at the end of a section; none outside of the code.
    pub fn code(&self, address: u64, size: u64) -> &'a [u8] {
        let within = |section: &&Code| {
            address
                .checked_sub(section.address)
                .is_some_and(|start| start < section.bytes.len() as u64)
        };
        let Some(section) = self.sections.iter().find(within) else {
            return &[];
        };
        let start = (address - section.address) as usize;
        let end = start.saturating_add(size as usize).min(section.bytes.len());
        &section.bytes[start..end]
    }

    /// The name of what begins at an address.
    pub fn name_at(&self, address: u64) -> String {
        match self.functions.get(&address) {
            Some(function) => function.name.clone(),
            None => format!("code without a name at {address:#x}"),
        }
    }

    /// True if a function has this name, here or in a library.
    pub fn has_function(&self, name: &str) -> bool {
        let is_named = |slot: &Slot| matches!(slot, Slot::Name(other) if other == name);
        self.functions
            .values()
            .any(|function| function.name == name)
            || self.slots.values().any(is_named)
    }

    /// The name of what a call through the word at an address leads to.
    pub fn name_through(&self, slot: u64) -> String {
        match self.slots.get(&slot) {
            Some(Slot::Address(address)) => self.name_at(*address),
            Some(Slot::Name(name)) => name.clone(),
            None => format!("what the word at {slot:#x} points to"),
        }
    }
}

/// Where the loader writes addresses of functions: each entry of the global offset table, among others.
fn slots(file: &ElfFile64) -> BTreeMap<u64, Slot> {
    let Some(relocations) = file.dynamic_relocations() else {
        return BTreeMap::new();
    };
    let slot = |(address, relocation): (u64, object::Relocation)| {
        let slot = match relocation.target() {
            RelocationTarget::Symbol(index) => {
                let symbol = file.dynamic_symbol_table()?.symbol_by_index(index).ok()?;
                Slot::Name(demangle(symbol.name().ok()?))
            }
            // Where this file's own code will be: the addend is its address before loading.
            _ => Slot::Address(relocation.addend().cast_unsigned()),
        };
        Some((address, slot))
    };
    relocations.filter_map(slot).collect()
}

/// A symbol's name as in the source, without the hashes of crates, the types of constants, and versions as in
/// `memcpy@GLIBC_2.14`.
fn demangle(symbol: &str) -> String {
    let symbol = symbol.split('@').next().unwrap_or(symbol);
    format!("{:#}", rustc_demangle::demangle(symbol))
}
