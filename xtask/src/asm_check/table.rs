//! The expectations: the text of `xtask/lanes.txt`.

use super::function::Call;
use super::verdict::Shell;
use crate::binary::CannotCheck;

/// The file, read.
#[derive(Debug, PartialEq, Eq)]
pub struct Table {
    /// Calls that any kernel may have: what does not come back.
    pub never_return: Vec<String>,
    /// Calls that any kernel may have, in loops too.
    pub anywhere: Vec<String>,
    /// One entry for each kernel.
    pub kernels: Vec<Kernel>,
}

/// The expectations of one kernel.
#[derive(Debug, PartialEq, Eq)]
pub struct Kernel {
    /// Its type, as the demangled name of the shell has it.
    pub name: String,
    /// The least number of `vpmadd52` with `zmm`.
    pub products: usize,
    /// Calls that it may have.
    pub allowed: Vec<Allowed>,
}

/// A call that a kernel may have.
#[derive(Debug, PartialEq, Eq)]
pub struct Allowed {
    /// The function, or the module that it is in.
    pub name: String,
    /// Only where it is not in a loop.
    pub once: bool,
}

impl Table {
    /// Reads the table. Errors: a line of another form, a kernel twice.
    pub fn parse(text: &str) -> Result<Self, CannotCheck> {
        let mut table = Self {
            never_return: Vec::new(),
            anywhere: Vec::new(),
            kernels: Vec::new(),
        };
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let wrong = |what: &str| format!("lanes.txt, line {}: {what}", number + 1);
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            match cells[..] {
                ["never returns", name] => table.never_return.push(name.into()),
                ["anywhere", name] => table.anywhere.push(name.into()),
                [products, name] | [products, name, ""] => {
                    table.add(products, name, "").map_err(|what| wrong(&what))?
                }
                [products, name, calls] => table
                    .add(products, name, calls)
                    .map_err(|what| wrong(&what))?,
                _ => return Err(wrong("not `products | kernel | calls`")),
            }
        }
        Ok(table)
    }

    fn add(&mut self, products: &str, name: &str, calls: &str) -> Result<(), String> {
        let products = products
            .parse()
            .map_err(|_| format!("{products:?} is no number of products"))?;
        if self.kernel(name).is_some() {
            return Err(format!("{name} stands here for the second time"));
        }
        let allowed = calls
            .split(';')
            .map(str::trim)
            .filter(|call| !call.is_empty())
            .map(Allowed::parse)
            .collect();
        self.kernels.push(Kernel {
            name: name.into(),
            products,
            allowed,
        });
        Ok(())
    }

    /// The entry of a kernel.
    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.kernels.iter().find(|kernel| kernel.name == name)
    }

    /// True if a call to `name` does not come back.
    pub fn never_returns(&self, name: &str) -> bool {
        self.never_return.iter().any(|path| is_in(name, path))
    }

    /// True if any kernel may call `name`, wherever it likes.
    pub fn allows_anywhere(&self, name: &str) -> bool {
        self.never_returns(name) || self.anywhere.iter().any(|path| is_in(name, path))
    }

    /// True if `kernel` may have `call`.
    pub fn allows(&self, kernel: &Kernel, call: &Call) -> bool {
        self.allows_anywhere(&call.name)
            || kernel
                .allowed
                .iter()
                .any(|allowed| is_in(&call.name, &allowed.name) && !(allowed.once && call.in_loop))
    }
}

/// The text of a table with the products of the kernels that were found. Small changes keep the number, as the compiler
/// makes them too: it is written anew where a kernel has less, or has grown by half.
pub fn blessed(text: &str, table: &Table, found: &[Shell]) -> String {
    let of = |name: &str| found.iter().find(|shell| shell.kernel == name);
    let mut blessed = String::new();
    for line in text.lines() {
        let kernel = line
            .split('|')
            .nth(1)
            .and_then(|name| table.kernel(name.trim()));
        match kernel {
            None => blessed += line,
            Some(kernel) => {
                let Some(shell) = of(&kernel.name) else {
                    continue;
                };
                let products = shell.code.products;
                let (_, rest) = line.split_once('|').unwrap_or_default();
                match products < kernel.products || products * 4 / 5 > kernel.products * 3 / 2 {
                    true => blessed += &format!("{} |{rest}", products * 4 / 5),
                    false => blessed += line,
                }
            }
        }
        blessed.push('\n');
    }
    let new = found
        .iter()
        .filter(|shell| table.kernel(&shell.kernel).is_none());
    let new: Vec<String> = new.map(|shell| shell.as_line(table)).collect();
    if !new.is_empty() {
        blessed += "\n# New: give the reason for each call, and move the lines to their kind.\n";
        new.iter().for_each(|line| blessed += &format!("{line}\n"));
    }
    blessed
}

impl Allowed {
    fn parse(text: &str) -> Self {
        match text.strip_prefix("once ") {
            Some(name) => Self {
                name: name.trim().into(),
                once: true,
            },
            None => Self {
                name: text.into(),
                once: false,
            },
        }
    }
}

/// True if a function is `path`, an instance of it, or in the module `path`.
fn is_in(name: &str, path: &str) -> bool {
    name.strip_prefix(path)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}
