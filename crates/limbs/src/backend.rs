//! Which code does the arithmetic: detected once, kept in one atomic byte.
//!
//! The usual rule is dispatch at whole algorithms, and the batch algorithms keep it (`frumious_field::kernel`). For a
//! single product it would mean a second copy of every tower, formula and protocol. So there the choice is made in the
//! product itself. It takes one relaxed load and a branch, about a tenth of a product in a loop.

use crate::adx::Adx;
use core::sync::atomic::{AtomicU8, Ordering};
pub use frumious_simd::cpu::features;
use frumious_simd::{Unit, UnitKind};

/// Which code does field arithmetic: that of single products, and the vector unit of batch algorithms, each chosen by
/// itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backend {
    scalar: Scalar,
    lanes: Option<UnitKind>,
    name: &'static str,
}

/// The code of single products.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scalar {
    /// Plain Rust on 64-bit words, for every CPU.
    Portable,
    /// x86-64 assembly with MULX, ADCX and ADOX (Intel since Broadwell, AMD since Zen).
    Adx,
}

/// The reason that a backend is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BackendError {
    /// The CPU has not the instructions it needs.
    Unsupported(Backend),
    /// `FRUMIOUS_BACKEND` holds no known name.
    UnknownName,
}

impl core::fmt::Display for BackendError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Unsupported(backend) => {
                write!(f, "this CPU cannot run the backend {}", backend.name())
            }
            Self::UnknownName => {
                let names = Backend::ALL.map(Backend::name).join(", ");
                write!(f, "FRUMIOUS_BACKEND must be one of {names}")
            }
        }
    }
}

impl std::error::Error for BackendError {}

impl Backend {
    /// Plain Rust.
    pub const PORTABLE: Self = Self {
        scalar: Scalar::Portable,
        lanes: None,
        name: "portable",
    };
    /// Assembly, and no lanes.
    pub const ADX: Self = Self {
        scalar: Scalar::Adx,
        lanes: None,
        name: "adx",
    };
    /// Assembly, and eight elements at a time by doubles, with AVX2 and FMA, in batch algorithms.
    pub const AVX2FMA: Self = Self {
        scalar: Scalar::Adx,
        lanes: Some(UnitKind::Avx2Fma),
        name: "avx2fma",
    };
    /// Assembly, and eight elements at a time with AVX-512 IFMA in batch algorithms.
    pub const AVX512IFMA: Self = Self {
        scalar: Scalar::Adx,
        lanes: Some(UnitKind::Avx512Ifma),
        name: "avx512ifma",
    };

    /// The backends with names, slowest first.
    pub const ALL: [Self; 4] = [Self::PORTABLE, Self::ADX, Self::AVX2FMA, Self::AVX512IFMA];

    /// The name that `FRUMIOUS_BACKEND` takes.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// True if this CPU can run it.
    pub fn is_supported(self) -> bool {
        let has_scalar = match self.scalar {
            Scalar::Portable => true,
            Scalar::Adx => Adx::detect().is_some(),
        };
        has_scalar && self.lanes.is_none_or(|unit| unit.detect().is_some())
    }

    /// The fastest one that this CPU can run, as far as is known.
    pub fn detect() -> Self {
        let fast = |backend: &Self| {
            backend.is_supported() && backend.lanes.is_none_or(UnitKind::is_worth_it)
        };
        Self::ALL.into_iter().rfind(fast).unwrap_or(Self::PORTABLE)
    }

    /// The one that `FRUMIOUS_BACKEND` names, else the detected one. Set to nothing it is unset.
    ///
    /// # Errors
    /// An unknown name, or a backend that this CPU cannot run.
    pub fn from_environment() -> Result<Self, BackendError> {
        let name = std::env::var_os("FRUMIOUS_BACKEND").unwrap_or_default();
        if name.is_empty() {
            return Ok(Self::detect());
        }
        let backend = Self::ALL.into_iter().find(|backend| name == backend.name());
        let backend = backend.ok_or(BackendError::UnknownName)?;
        if backend.is_supported() {
            Ok(backend)
        } else {
            Err(BackendError::Unsupported(backend))
        }
    }

    /// [`DECIDED`], [`HAS_ADX`] and the number of the vector unit.
    const fn code(self) -> u8 {
        let scalar = match self.scalar {
            Scalar::Portable => 0,
            Scalar::Adx => HAS_ADX,
        };
        let lanes = match self.lanes {
            None => 0,
            Some(unit) => unit as u8,
        };
        DECIDED | scalar | lanes
    }
}

/// The [code](Backend::code) of the backend in use, or 0 until the first question.
static ACTIVE: AtomicU8 = AtomicU8::new(0);

const DECIDED: u8 = 1 << 7;
const HAS_ADX: u8 = 1 << 6;

/// The backend in use by this process.
///
/// An unusable `FRUMIOUS_BACKEND` counts as unset here; programs report it by [`Backend::from_environment`].
pub fn active() -> Backend {
    let code = match ACTIVE.load(Ordering::Relaxed) {
        0 => decide(),
        decided => decided,
    };
    let active = Backend::ALL
        .into_iter()
        .find(|backend| backend.code() == code);
    active.unwrap_or(Backend::PORTABLE)
}

/// Uses `backend` from now on, in all threads. Results never depend on it; for tests and benches.
///
/// # Errors
/// A backend that this CPU cannot run.
pub fn set(backend: Backend) -> Result<(), BackendError> {
    if !backend.is_supported() {
        return Err(BackendError::Unsupported(backend));
    }
    ACTIVE.store(backend.code(), Ordering::Relaxed);
    Ok(())
}

/// The proof for the assembly, where it is in use.
#[inline(always)]
pub fn adx() -> Option<Adx> {
    if !cfg!(target_arch = "x86_64") {
        return None; // nothing is loaded for it
    }
    let code = ACTIVE.load(Ordering::Relaxed);
    if code & HAS_ADX != 0 {
        return Adx::detected_before();
    }
    if code == 0 { decided_adx() } else { None }
}

/// The vector unit in use, if one is: to be asked for once a batch.
#[inline]
pub fn lanes() -> Option<Unit> {
    active().lanes?.detect()
}

#[cold]
fn decided_adx() -> Option<Adx> {
    match decide() & HAS_ADX {
        0 => None,
        _ => Adx::detected_before(),
    }
}

#[cold]
fn decide() -> u8 {
    let backend = Backend::from_environment().unwrap_or_else(|_| Backend::detect());
    ACTIVE.store(backend.code(), Ordering::Relaxed);
    backend.code()
}
