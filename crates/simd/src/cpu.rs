//! The features of this CPU: the one place where they are named and asked for.
//!
//! Each token ([`Ifma`](crate::Ifma), `Adx` of `frumious-limbs`) stands for a set of them. Which of the code that they
//! allow is in use, `frumious_limbs::backend` decides.

#[cfg(target_arch = "x86_64")]
mod features {
    /// True if all of these are there.
    macro_rules! all {
        ($($name:tt),*) => {
            true $(&& is_x86_feature_detected!($name))*
        };
    }

    /// Names and presence.
    macro_rules! list {
        ($($name:tt),*) => {
            vec![$(($name, is_x86_feature_detected!($name))),*]
        };
    }

    pub fn features() -> Vec<(&'static str, bool)> {
        list!(
            "bmi2",
            "adx",
            "avx512f",
            "avx512dq",
            "avx512bw",
            "avx512vl",
            "avx512ifma",
            "sha"
        )
    }

    pub fn has_adx() -> bool {
        all!("bmi2") && (super::is_promised(&["adx", "avx512ifma"]) || all!("adx"))
    }

    pub fn has_ifma() -> bool {
        all!("avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512ifma")
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod features {
    pub fn features() -> Vec<(&'static str, bool)> {
        Vec::new()
    }

    pub fn has_adx() -> bool {
        false
    }

    pub fn has_ifma() -> bool {
        false
    }
}

/// Each feature that a backend or a hash asks for, and whether this CPU has it. None are known of other architectures
/// than x86-64.
pub fn features() -> Vec<(&'static str, bool)> {
    features::features()
}

/// BMI2 and ADX.
///
/// Valgrind executes both and tells programs of the first only. Built with `--cfg frumious_under_valgrind`, as only
/// `.ci/memory` and `.ci/ct` do, a process takes the word of who asks for a backend that needs them.
pub fn has_adx() -> bool {
    features::has_adx()
}

/// AVX-512 F, DQ, BW, VL and IFMA. Valgrind has none of them, and runs the model where the backend is asked for.
pub fn has_ifma() -> bool {
    match cfg!(frumious_under_valgrind) {
        true => is_promised(&["avx512ifma"]),
        false => features::has_ifma(),
    }
}

/// Under valgrind, whether `FRUMIOUS_BACKEND` is one of these.
fn is_promised(backends: &[&str]) -> bool {
    cfg!(frumious_under_valgrind)
        && std::env::var("FRUMIOUS_BACKEND").is_ok_and(|name| backends.contains(&name.as_str()))
}
