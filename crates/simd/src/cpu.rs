//! The features of this CPU: the one place where they are named and asked for.
//!
//! Each token ([`Ifma`](crate::Ifma), `Adx` of `frumious-limbs`) stands for a set of them. Which of the code that they
//! allow is in use, `frumious_limbs::backend` decides.

#[cfg(target_arch = "x86_64")]
mod features {
    use core::arch::x86_64::__cpuid;

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
            "avx2",
            "fma",
            "avx512f",
            "avx512dq",
            "avx512bw",
            "avx512vl",
            "avx512ifma",
            "sha"
        )
    }

    pub fn has_adx() -> bool {
        all!("bmi2") && (super::is_promised(&["adx", "avx2fma", "avx512ifma"]) || all!("adx"))
    }

    pub fn has_fma() -> bool {
        all!("avx2", "fma", "bmi2")
    }

    /// The vendor's word for itself, the family and the model.
    pub fn model() -> ([u8; 12], u32, u32) {
        let (vendor, signature) = (__cpuid(0), __cpuid(1).eax);
        let words = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
        let mut name = [0; 12];
        name.copy_from_slice(words.as_flattened());
        let family = (signature >> 8 & 0xf) + (signature >> 20 & 0xff);
        let model = (signature >> 4 & 0xf) | (signature >> 16 & 0xf) << 4;
        (name, family, model)
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

    pub fn has_fma() -> bool {
        false
    }

    pub fn model() -> ([u8; 12], u32, u32) {
        ([0; 12], 0, 0)
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

/// AVX2, FMA and BMI2.
pub fn has_fma() -> bool {
    features::has_fma()
}

/// True if products by doubles are taken to be faster than those by MULX: where pipes for 256 bits are whole.
///
/// It is measured on Zen 4 and on Intel's Emerald Rapids, and inferred for the others. Of AMD these are all since
/// Zen 2: Zen splits such vectors in halves. Of Intel they are all but CPUs of small cores alone, which split them too.
/// CPUs of other vendors were not measured, so doubles are asked for by name alone there.
///
/// Source of families and models: Linux, `arch/x86/kernel/cpu/amd.c` and `arch/x86/include/asm/intel-family.h`.
pub fn has_fast_doubles() -> bool {
    has_wide_pipes(features::model())
}

/// True of a CPU of this vendor, family and model that has whole pipes for 256 bits.
fn has_wide_pipes((vendor, family, model): ([u8; 12], u32, u32)) -> bool {
    match (&vendor, family) {
        (b"AuthenticAMD", 0x17) => model >= 0x30 && !matches!(model, 0x50..=0x5f), // the others are Zen
        (b"AuthenticAMD", _) => family > 0x17 && family != 0x18, // Hygon's, which is Zen, has family 0x18
        // Gracemont, Crestmont and Darkmont without large cores beside them.
        (b"GenuineIntel", 6) => !matches!(model, 0xaf | 0xb6 | 0xbe | 0xdd),
        (b"GenuineIntel", _) => family > 6,
        _ => false,
    }
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

#[cfg(test)]
mod tests {
    use super::has_wide_pipes;

    #[test]
    fn zen_and_small_cores_have_no_wide_pipes() {
        let (amd, intel, other) = (*b"AuthenticAMD", *b"GenuineIntel", *b"HygonGenuine");
        for narrow in [
            (amd, 0x15, 0x02),
            (amd, 0x17, 0x01),
            (amd, 0x17, 0x18),
            (amd, 0x17, 0x50),
            (amd, 0x18, 0x00),
            (intel, 6, 0xaf),
            (intel, 6, 0xbe),
            (intel, 5, 0x02),
            (other, 0x18, 0x00),
            (other, 6, 0xcf),
            ([0; 12], 0, 0),
        ] {
            assert!(!has_wide_pipes(narrow), "{narrow:x?}");
        }
        for wide in [
            (amd, 0x17, 0x31),
            (amd, 0x17, 0x71),
            (amd, 0x19, 0x01),
            (amd, 0x19, 0x11),
            (amd, 0x1a, 0x02),
            (intel, 6, 0x55),
            (intel, 6, 0x97),
            (intel, 6, 0xcf),
            (intel, 0x13, 0x01),
        ] {
            assert!(has_wide_pipes(wide), "{wide:x?}");
        }
    }
}
