//! Which code does the arithmetic: detected once, kept in one atomic byte.
//!
//! The usual rule is dispatch at whole algorithms, and the batch algorithms keep it (`frumious_field::kernel`). For a
//! single product it would mean a second copy of every tower, formula and protocol, so there the choice is made in the
//! product itself: one relaxed load and a branch, measured at about a tenth of a product in a loop.

use core::sync::atomic::{AtomicU8, Ordering};
use frumious_simd::Ifma;

/// An implementation of field arithmetic. Each does what those before it do, and more of it in hardware.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Backend {
    /// Plain Rust on 64-bit words, for every CPU.
    Portable = 1,
    /// x86-64 assembly with MULX, ADCX and ADOX (Intel since Broadwell, AMD since Zen).
    Adx = 2,
    /// Eight elements at a time with AVX-512 IFMA in batch algorithms (Intel since Ice Lake, AMD since Zen 4), `Adx` in single products.
    Avx512Ifma = 3,
}

/// Why a backend cannot be had.
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
                f.write_str("FRUMIOUS_BACKEND must be portable, adx or avx512ifma")
            }
        }
    }
}

impl std::error::Error for BackendError {}

impl Backend {
    /// All backends, slowest first.
    pub const ALL: [Self; 3] = [Self::Portable, Self::Adx, Self::Avx512Ifma];

    /// The name that `FRUMIOUS_BACKEND` takes.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Adx => "adx",
            Self::Avx512Ifma => "avx512ifma",
        }
    }

    /// Whether this CPU can run it.
    pub fn is_supported(self) -> bool {
        match self {
            Self::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Self::Adx => crate::adx::Adx::detect().is_some(),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Adx => false,
            Self::Avx512Ifma => Self::Adx.is_supported() && Ifma::detect().is_some(),
        }
    }

    /// The fastest one that this CPU can run.
    pub fn detect() -> Self {
        let supported = |backend: &Self| backend.is_supported();
        Self::ALL
            .into_iter()
            .rfind(supported)
            .unwrap_or(Self::Portable)
    }

    /// The one that `FRUMIOUS_BACKEND` names, else the detected one.
    ///
    /// Errors: an unknown name, or a backend that this CPU cannot run.
    pub fn from_environment() -> Result<Self, BackendError> {
        let Some(name) = std::env::var_os("FRUMIOUS_BACKEND") else {
            return Ok(Self::detect());
        };
        let backend = Self::ALL.into_iter().find(|backend| name == backend.name());
        let backend = backend.ok_or(BackendError::UnknownName)?;
        if backend.is_supported() {
            Ok(backend)
        } else {
            Err(BackendError::Unsupported(backend))
        }
    }
}

/// A [`Backend`], or `UNDECIDED` until the first question. What has the assembly is `ADX` or above.
static ACTIVE: AtomicU8 = AtomicU8::new(UNDECIDED);

const UNDECIDED: u8 = 0;
#[cfg(target_arch = "x86_64")]
const ADX: u8 = Backend::Adx as u8;

/// The backend in use by this process.
///
/// An unusable `FRUMIOUS_BACKEND` counts as unset here; programs report it by [`Backend::from_environment`].
pub fn active() -> Backend {
    let number = match ACTIVE.load(Ordering::Relaxed) {
        UNDECIDED => decide() as u8,
        decided => decided,
    };
    let active = Backend::ALL
        .into_iter()
        .find(|backend| *backend as u8 == number);
    active.unwrap_or(Backend::Portable)
}

/// Uses `backend` from now on, in all threads. Results never depend on it; for tests and benches.
///
/// Errors: a backend that this CPU cannot run.
pub fn set(backend: Backend) -> Result<(), BackendError> {
    if !backend.is_supported() {
        return Err(BackendError::Unsupported(backend));
    }
    ACTIVE.store(backend as u8, Ordering::Relaxed);
    Ok(())
}

/// The proof for the assembly, where it is the backend in use.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn adx() -> Option<crate::adx::Adx> {
    match ACTIVE.load(Ordering::Relaxed) {
        ADX.. => Some(crate::adx::Adx::detected_before()),
        UNDECIDED => decided_adx(),
        _ => None,
    }
}

/// The proof for the lanes, where they are the backend in use: to be asked for once a batch.
#[inline]
pub fn ifma() -> Option<Ifma> {
    match active() {
        Backend::Avx512Ifma => Ifma::detect(),
        Backend::Portable | Backend::Adx => None,
    }
}

#[cfg(target_arch = "x86_64")]
#[cold]
fn decided_adx() -> Option<crate::adx::Adx> {
    (decide() as u8 >= ADX).then_some(crate::adx::Adx::detected_before())
}

#[cold]
fn decide() -> Backend {
    let backend = Backend::from_environment().unwrap_or_else(|_| Backend::detect());
    ACTIVE.store(backend as u8, Ordering::Relaxed);
    backend
}
