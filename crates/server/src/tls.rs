//! The server's certificate and key: read at the start, and again when SIGHUP asks for it.

mod authority;
mod validity;

use std::fmt;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use frumious_app::failure::{About, Failure};
use frumious_app::files;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring::{default_provider, sign};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, UnixTime};
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::{CertifiedKey, SigningKey};
use tokio_rustls::rustls::{Error, InconsistentKeys, ServerConfig};

use crate::config::Tls;
use crate::secret_files;
pub use authority::is_authority;
pub use validity::validity;

/// The pair that new connections get.
pub struct Certificates {
    files: Tls,
    current: RwLock<Arc<CertifiedKey>>,
}

impl Certificates {
    /// Reads the pair.
    ///
    /// # Errors
    /// A [`Failure`] that names the file and the cause.
    pub fn open(files: &Tls) -> Result<Arc<Self>, Failure> {
        Ok(Arc::new(Self {
            current: RwLock::new(Arc::new(pair(files)?)),
            files: files.clone(),
        }))
    }

    /// Reads the pair again, for connections that come from now on.
    ///
    /// # Errors
    /// As [`Certificates::open`]; then the pair stays as it was.
    pub fn renew(&self) -> Result<(), Failure> {
        let pair = Arc::new(pair(&self.files)?);
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = pair;
        Ok(())
    }

    /// Shakes hands with clients.
    ///
    /// # Errors
    /// A [`Failure`] if TLS cannot be had.
    pub fn acceptor(self: &Arc<Self>) -> Result<TlsAcceptor, Failure> {
        let mut config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| Failure::bad_input(error.to_string()))?
            .with_no_client_auth()
            .with_cert_resolver(Arc::clone(self) as Arc<dyn ResolvesServerCert>);
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(TlsAcceptor::from(Arc::new(config)))
    }

    /// A line for the operator if the certificate is not valid now.
    pub fn warning(&self) -> Option<String> {
        let path = self.files.certificate.display();
        let current = self.current();
        let valid = validity(current.cert.first()?)?;
        let now = i64::try_from(UnixTime::now().as_secs()).unwrap_or(i64::MAX);
        let days = |seconds: i64| (seconds + A_DAY - 1) / A_DAY;
        match now {
            _ if now > *valid.end() => {
                let ago = days(now - valid.end());
                Some(format!("{path}: the certificate expired {ago} days ago"))
            }
            _ if now < *valid.start() => {
                let ahead = days(valid.start() - now);
                Some(format!(
                    "{path}: the certificate is valid in {ahead} days only"
                ))
            }
            _ => None,
        }
    }

    fn current(&self) -> Arc<CertifiedKey> {
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl ResolvesServerCert for Certificates {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.current())
    }
}

impl fmt::Debug for Certificates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Certificates").finish_non_exhaustive()
    }
}

/// The chain and the key of it, if they belong together.
fn pair(files: &Tls) -> Result<CertifiedKey, Failure> {
    let (certificate, key) = (&files.certificate, &files.key);
    let chain = chain(certificate).about(certificate)?;
    let signing = signing_key(key)?;
    let keys_match = |certificate: &CertificateDer<'static>| {
        CertifiedKey::new(vec![certificate.clone()], Arc::clone(&signing)).keys_match()
    };
    let bad = |reason: String| Err(Failure::bad_input(reason).about(certificate));
    match keys_match(&chain[0]) {
        // What cannot be compared is taken.
        Ok(()) | Err(Error::InconsistentKeys(InconsistentKeys::Unknown)) => {
            Ok(CertifiedKey::new(chain, signing))
        }
        Err(Error::InconsistentKeys(_)) => {
            let place = chain.iter().position(|other| keys_match(other).is_ok());
            let key = key.display();
            bad(match place {
                Some(place) => format!(
                    "the chain is in the wrong order: certificate {} belongs to the key {key}, and must be the first",
                    place + 1
                ),
                None => format!("the key {key} does not belong to the first certificate"),
            })
        }
        Err(error) => bad(format!("certificate 1: {error}")),
    }
}

/// The certificates of a file: at least one.
fn chain(path: &Path) -> Result<Vec<CertificateDer<'static>>, Failure> {
    refuse_if_unusual(path)?;
    let text = std::fs::read(path).map_err(|error| Failure::of_system("cannot be read", &error))?;
    chain_of(&text)
}

/// The certificates of a text (PEM): at least one.
///
/// # Errors
/// A [`Failure`] with the cause, of exit code 2.
pub fn chain_of(text: &[u8]) -> Result<Vec<CertificateDer<'static>>, Failure> {
    let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(text).collect();
    let chain = chain.map_err(|error| Failure::bad_input(format!("not PEM: {error}")))?;
    if !chain.is_empty() {
        return Ok(chain);
    }
    let reason = match text.first() {
        None => "the file is empty",
        Some(0x30) => {
            "it is DER, and PEM is needed: openssl x509 -inform der -in FILE -out PEM-FILE"
        }
        Some(_) => "no certificate (PEM) is in it",
    };
    Err(Failure::bad_input(reason))
}

/// The private key of a file that strangers neither read nor change.
fn signing_key(path: &Path) -> Result<Arc<dyn SigningKey>, Failure> {
    refuse_if_unusual(path).about(path)?;
    secret_files::refuse_if_strangers_read(path, "the key of TLS")?;
    signing_key_of(&files::read_secret(path)?).about(path)
}

/// The private key of a text (PEM).
///
/// # Errors
/// A [`Failure`] with the cause, of exit code 2.
pub fn signing_key_of(text: &[u8]) -> Result<Arc<dyn SigningKey>, Failure> {
    let has = |words: &[u8]| text.windows(words.len()).any(|window| window == words);
    if has(b"ENCRYPTED PRIVATE KEY-----") || has(b"Proc-Type: 4,ENCRYPTED") {
        let reason = "the key is encrypted by a pass phrase: openssl pkey -in FILE -out NEW-FILE";
        return Err(Failure::bad_input(reason));
    }
    let bad = |reason: &str| Failure::bad_input(reason);
    let key =
        PrivateKeyDer::from_pem_slice(text).map_err(|_| bad("no private key (PEM) is in it"))?;
    sign::any_supported_type(&key)
        .map_err(|_| bad("the key is none of RSA, ECDSA over P-256 or P-384, and Ed25519"))
}

/// A pipe would make the server wait, and a file without end would take its memory.
fn refuse_if_unusual(path: &Path) -> Result<(), Failure> {
    let found = std::fs::metadata(path);
    let found = found.map_err(|error| Failure::of_system("cannot be read", &error))?;
    match found.is_file() {
        true if found.len() <= MOST_BYTES => Ok(()),
        true => Err(Failure::bad_input(format!(
            "longer than {MOST_BYTES} bytes"
        ))),
        false => Err(Failure::bad_input("not a regular file")),
    }
}

/// Of a chain of hundreds of certificates.
const MOST_BYTES: u64 = 1 << 20;

const A_DAY: i64 = 86_400;

#[cfg(test)]
mod tests;
