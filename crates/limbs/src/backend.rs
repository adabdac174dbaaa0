//! Which code multiplies: detected once, kept in one atomic byte.
//!
//! The usual rule is dispatch at whole algorithms, and the batch algorithms keep it (`frumious_field::kernel`). For a
//! single product it would mean a second copy of every tower, formula and protocol, so there the choice is made in the
//! product itself: one relaxed load and a branch, measured at about a tenth of a product in a loop.

use core::sync::atomic::{AtomicU8, Ordering};

/// An implementation of the scalar products.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Backend {
    /// Plain Rust on 64-bit words, for every CPU.
    Portable = 1,
    /// x86-64 assembly with MULX, ADCX and ADOX (Intel since Broadwell, AMD since Zen).
    Adx = 2,
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
            Self::UnknownName => f.write_str("FRUMIOUS_BACKEND must be portable or adx"),
        }
    }
}

impl std::error::Error for BackendError {}

impl Backend {
    /// All backends, slowest first.
    pub const ALL: [Self; 2] = [Self::Portable, Self::Adx];

    /// The name that `FRUMIOUS_BACKEND` takes.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Adx => "adx",
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
        }
    }

    /// The fastest one that this CPU can run.
    pub fn detect() -> Self {
        if Self::Adx.is_supported() {
            Self::Adx
        } else {
            Self::Portable
        }
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

#[cfg(target_arch = "x86_64")]
const UNDECIDED: u8 = 0;
#[cfg(target_arch = "x86_64")]
const ADX: u8 = Backend::Adx as u8;

static ACTIVE: AtomicU8 = AtomicU8::new(0);

/// The backend in use by this process.
///
/// An unusable `FRUMIOUS_BACKEND` counts as unset here; programs report it by [`Backend::from_environment`].
pub fn active() -> Backend {
    #[cfg(target_arch = "x86_64")]
    if adx().is_some() {
        return Backend::Adx;
    }
    Backend::Portable
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
        ADX => Some(crate::adx::Adx::detected_before()),
        UNDECIDED => decide(),
        _ => None,
    }
}

#[cfg(target_arch = "x86_64")]
#[cold]
fn decide() -> Option<crate::adx::Adx> {
    let backend = Backend::from_environment().unwrap_or_else(|_| Backend::detect());
    ACTIVE.store(backend as u8, Ordering::Relaxed);
    (backend == Backend::Adx).then_some(crate::adx::Adx::detected_before())
}
