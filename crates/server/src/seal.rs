//! Witnesses and inputs on disk, sealed: XChaCha20-Poly1305 (RFC 8439, with the nonce of 192 bits of
//! draft-irtf-cfrg-xchacha), under a key of the operator's.
//!
//! The job that they belong to is authenticated, so that nobody can give one job the inputs of another.

use std::path::Path;

use chacha20poly1305::aead::{AeadInOut, KeyInit};
use chacha20poly1305::{Key, Tag, XChaCha20Poly1305, XNonce};
use frumious_app::failure::{About, Failure};
use frumious_app::files;
use zeroize::Zeroizing;

use crate::secret_files;

/// Bytes of a nonce, which stands in front.
const NONCE_BYTES: usize = 24;

/// Bytes of a tag, which stands behind.
const TAG_BYTES: usize = 16;

/// Seals with one key.
pub struct Seal(XChaCha20Poly1305);

impl Seal {
    /// With the key in a file: 64 hexadecimal digits.
    ///
    /// # Errors
    /// A [`Failure`] for a file that cannot be read, that others than its owner may read, or that has no such key.
    pub fn from_file(path: &Path) -> Result<Self, Failure> {
        secret_files::refuse_if_others_read(path, "the key of sealed inputs")?;
        let text = files::read_secret(path)?;
        Self::from_text(&text).about(path)
    }

    /// With the key in this text: 64 hexadecimal digits.
    ///
    /// # Errors
    /// A [`Failure`] for any other text.
    pub fn from_text(text: &[u8]) -> Result<Self, Failure> {
        let digits = text.trim_ascii();
        let mut key = Zeroizing::new([0; 32]);
        let digit = |byte: u8| char::from(byte).to_digit(16);
        let is_key = digits.len() == 64
            && key.iter_mut().zip(digits.chunks(2)).all(|(byte, pair)| {
                let value = digit(pair[0]).zip(digit(pair[1]));
                *byte = value.map_or(0, |(high, low)| (high << 4 | low) as u8);
                value.is_some()
            });
        match is_key {
            true => Ok(Self(XChaCha20Poly1305::new(&Key::from(*key)))),
            false => Err(Failure::bad_input(
                "the key of sealed inputs is not 64 hexadecimal digits",
            )),
        }
    }

    /// With a key that is drawn, and known to nobody.
    ///
    /// # Errors
    /// If the operating system has no random bytes.
    pub fn drawn() -> Result<Self, Failure> {
        let mut key = Zeroizing::new([0; 32]);
        getrandom::fill(&mut *key)
            .map_err(|error| Failure::bad_input(format!("no random bytes: {error}")))?;
        Ok(Self(XChaCha20Poly1305::new(&Key::from(*key))))
    }

    /// Seals `secret` for a job.
    ///
    /// # Errors
    /// If the operating system has no random bytes.
    pub fn seal(&self, job: &str, secret: &[u8]) -> Result<Vec<u8>, Failure> {
        let mut nonce = [0; NONCE_BYTES];
        getrandom::fill(&mut nonce)
            .map_err(|error| Failure::bad_input(format!("no random bytes: {error}")))?;
        let mut text = [&nonce[..], secret].concat();
        let tag = self
            .0
            .encrypt_inout_detached(
                &XNonce::from(nonce),
                job.as_bytes(),
                (&mut text[NONCE_BYTES..]).into(),
            )
            .map_err(|_| Failure::bad_input("too large to be sealed"))?;
        text.extend_from_slice(&tag);
        Ok(text)
    }

    /// The secret, if it was sealed for this job with this key.
    pub fn open(&self, job: &str, sealed: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
        let (nonce, rest) = sealed.split_first_chunk::<NONCE_BYTES>()?;
        let (text, tag) = rest.split_last_chunk::<TAG_BYTES>()?;
        let mut text = Zeroizing::new(text.to_vec());
        self.0
            .decrypt_inout_detached(
                &XNonce::from(*nonce),
                job.as_bytes(),
                text.as_mut_slice().into(),
                &Tag::from(*tag),
            )
            .ok()?;
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seal(digit: &str) -> Seal {
        Seal::from_text(digit.repeat(64).as_bytes()).expect("a key")
    }

    #[test]
    fn what_is_sealed_opens_for_its_job_and_key_alone() {
        let secret = b"{\"a\": 39916801}";
        let sealed = seal("1").seal("job", secret).expect("it can be sealed");
        assert!(!sealed.windows(8).any(|window| window == b"39916801"));
        let opened =
            |digit, job, sealed: &[u8]| seal(digit).open(job, sealed).map(|text| text.to_vec());
        assert_eq!(opened("1", "job", &sealed).as_deref(), Some(&secret[..]));
        assert_eq!(opened("2", "job", &sealed), None);
        assert_eq!(opened("1", "other", &sealed), None);
        for k in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[k] ^= 1;
            assert_eq!(opened("1", "job", &changed), None, "byte {k}");
            assert_eq!(opened("1", "job", &sealed[..k]), None, "{k} bytes");
        }
        assert_ne!(seal("1").seal("job", secret).expect("again"), sealed);
    }

    #[test]
    fn keys_are_64_digits() {
        for bad in ["", "1", &"1".repeat(63), &"1".repeat(65), &"g".repeat(64)] {
            assert!(Seal::from_text(bad.as_bytes()).is_err(), "{bad}");
        }
        assert!(Seal::from_text(format!("{}\n", "aB".repeat(32)).as_bytes()).is_ok());
    }
}
