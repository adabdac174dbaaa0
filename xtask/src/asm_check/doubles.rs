//! The kernels over AVX2, where a product is by doubles.
//!
//! A kernel is compiled as `frumious_simd::fma::shell::<Kernel>` there. Products are functions of their own, as sixteen
//! registers hold one product and no more. So a kernel may call these, and what its line in the table allows. A product
//! may call nothing.

use super::function::{Analysis, Call, UNKNOWN, addresses_taken, decode};
use super::table::Table;
use crate::binary::{Binary, Function};
use iced_x86::{Instruction, Mnemonic};

/// The faults, a line each; nothing if all is well.
pub fn faults(table: &Table, binary: &Binary) -> Vec<String> {
    let mut faults = Vec::new();
    let mut kernels = Vec::new();
    for (address, function) in binary.functions() {
        let code = || {
            Analysis::of(binary, address, function.size, |name| {
                table.never_returns(name)
            })
        };
        if let Some(kernel) = kernel_of(&function.name) {
            kernels.push(kernel);
            let code = code();
            let is_unknown = |call: &Call| call.name == UNKNOWN;
            let taken = match code.calls.iter().any(is_unknown) {
                true => taken(binary, address, function),
                false => Vec::new(),
            };
            faults.extend(faults_of_kernel(table, kernel, &code, &taken));
        } else if is_product(&function.name) {
            let parts = parts_of_products(binary, address, function);
            if parts < LEAST_PARTS {
                faults.push(format!(
                    "{}: {parts} vfmadd231pd with ymm, not {LEAST_PARTS}",
                    function.name
                ));
            }
            let calls = code().calls.into_iter();
            let calls = calls.filter(|call| !table.allows_anywhere(&call.name));
            faults.extend(calls.map(|call| format!("{}: calls {}", function.name, call.name)));
        }
    }
    let missing = table
        .kernels
        .iter()
        .filter(|kernel| !kernels.contains(&kernel.name.as_str()));
    faults.extend(missing.map(|kernel| format!("{}: is not compiled for AVX2", kernel.name)));
    faults
}

/// Where it cannot be told what a register points to, nothing but what may be called must have its address taken.
fn faults_of_kernel(table: &Table, name: &str, code: &Analysis, taken: &[Call]) -> Vec<String> {
    let Some(kernel) = table.kernel(name) else {
        return vec![format!("{name}: compiled for AVX2, but not in the table")];
    };
    let is_known = |call: &&Call| call.name != UNKNOWN || taken.is_empty();
    let calls = code.calls.iter().filter(is_known).chain(taken);
    let calls = calls.filter(|call| !is_product(&call.name) && !table.allows(kernel, call));
    calls
        .map(|call| format!("{name}, for AVX2: calls {}", call.name))
        .collect()
}

/// The functions whose addresses a function takes, as calls that may be in loops.
fn taken(binary: &Binary, address: u64, function: &Function) -> Vec<Call> {
    let code = decode(binary.code(address, function.size), address);
    let code: Vec<Instruction> = code.into_iter().collect();
    let call = |name| Call {
        name,
        in_loop: true,
    };
    let names = addresses_taken(&code, binary).into_iter();
    names.map(call).collect()
}

/// `K` of `frumious_simd::fma::shell::<K>`.
fn kernel_of(function: &str) -> Option<&str> {
    function
        .strip_prefix("frumious_simd::fma::shell::<")?
        .strip_suffix('>')
}

/// True of functions that are whole products.
fn is_product(function: &str) -> bool {
    function.starts_with("frumious_simd::lanes::") && function.contains("::with_fma::<")
}

/// The instructions of a function that find a part of a product.
fn parts_of_products(binary: &Binary, address: u64, function: &Function) -> usize {
    let is_part = |instruction: &Instruction| {
        instruction.mnemonic() == Mnemonic::Vfmadd231pd && instruction.op0_register().is_ymm()
    };
    let code = decode(binary.code(address, function.size), address);
    code.into_iter().filter(is_part).count()
}

/// Two parts of two registers for each product of limbs: 30 and two halves of them in the least, a prepared factor.
const LEAST_PARTS: usize = 120;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure
    use super::*;
    use crate::asm_check::tests::Program;
    use iced_x86::code_asm::*;

    /// `frumious_simd::fma::shell::<usize>`.
    const SHELL: &str = "_RINvNtC13frumious_simd3fma5shelljE";
    /// `frumious_simd::lanes::montgomery::square::with_fma::<usize>`.
    const PRODUCT: &str = "_RINvNvNtNtC13frumious_simd5lanes10montgomery6square8with_fmajE";
    const HELPER: &str = "_RNvC6kernel6helper";

    /// The faults of a kernel that calls a product and, if asked for, a helper. The product has so many parts, and may
    /// call the helper, too.
    fn check(kernel_calls: bool, parts: usize, product_calls: bool) -> Vec<String> {
        let (mut program, [_, product, helper]) = Program::new([SHELL, PRODUCT, HELPER]);
        let code = program.begin();
        code.call(product).unwrap();
        if kernel_calls {
            code.call(helper).unwrap();
        }
        code.ret().unwrap();
        let code = program.begin();
        for _ in 0..parts {
            code.vfmadd231pd(ymm0, ymm1, ymm2).unwrap();
        }
        if product_calls {
            code.call(helper).unwrap();
        }
        code.ret().unwrap();
        program.begin().ret().unwrap();
        let file = program.assemble();
        faults(
            &Table::parse("2 | usize |").unwrap(),
            &Binary::read(&file).unwrap(),
        )
    }

    #[test]
    fn a_kernel_that_calls_products_passes() {
        assert_eq!(check(false, LEAST_PARTS, false), [""; 0]);
    }

    /// The compiler takes the address of a product once, for several calls.
    #[test]
    fn a_product_may_be_called_through_a_register() {
        for (called, through_the_stack) in [
            (PRODUCT, false),
            (PRODUCT, true),
            (HELPER, false),
            (HELPER, true),
        ] {
            let (mut program, [_, other]) = Program::new([SHELL, called]);
            let code = program.begin();
            code.lea(rbx, ptr(other)).unwrap();
            if through_the_stack {
                code.push(rbx).unwrap();
                code.pop(rax).unwrap();
            } else {
                code.mov(rax, rbx).unwrap();
            }
            code.call(rax).unwrap();
            code.ret().unwrap();
            let code = program.begin();
            for _ in 0..LEAST_PARTS {
                code.vfmadd231pd(ymm0, ymm1, ymm2).unwrap();
            }
            code.ret().unwrap();
            let file = program.assemble();
            let faults = faults(
                &Table::parse("2 | usize |").unwrap(),
                &Binary::read(&file).unwrap(),
            );
            assert_eq!(faults.is_empty(), called == PRODUCT, "{faults:?}");
        }
    }

    #[test]
    fn what_is_not_inlined_is_found() {
        let faults = check(true, LEAST_PARTS, false);
        assert_eq!(faults, ["usize, for AVX2: calls kernel::helper"]);
        let [fault] = &check(false, LEAST_PARTS, true)[..] else {
            panic!("one fault")
        };
        assert!(fault.ends_with("calls kernel::helper"), "{fault}");
    }

    #[test]
    fn a_product_without_its_instructions_is_found() {
        let [fault] = &check(false, LEAST_PARTS - 1, false)[..] else {
            panic!("one fault")
        };
        assert!(fault.contains("119 vfmadd231pd with ymm"), "{fault}");
    }

    #[test]
    fn a_kernel_that_is_not_compiled_for_it_is_found() {
        let (mut program, _) = Program::new([HELPER]);
        program.begin().ret().unwrap();
        let file = program.assemble();
        let table = Table::parse("2 | usize |").unwrap();
        let faults = faults(&table, &Binary::read(&file).unwrap());
        assert_eq!(faults, ["usize: is not compiled for AVX2"]);
    }
}
