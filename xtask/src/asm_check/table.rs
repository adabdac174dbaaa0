//! The expectations: the text of `xtask/lanes.txt`.

use super::function::Call;
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
