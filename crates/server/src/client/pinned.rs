//! The certificate of a server that the client has a copy of.
//!
//! `openssl req -x509` makes a certificate that signs itself and may sign others. webpki takes it for others alone. Who
//! is given the very certificate of a server needs nobody to vouch for it: its name and its dates are enough.

use std::sync::Arc;

use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::client::{WebPkiServerVerifier, verify_server_name};
use tokio_rustls::rustls::crypto::{
    CryptoProvider, WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature,
};
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::server::ParsedCertificate;
use tokio_rustls::rustls::{
    CertificateError, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};

use crate::tls::{is_authority, validity};

/// Takes a certificate that is byte for byte one that is known, and else what webpki does.
///
/// webpki takes each of its roots for an authority, of whatever time. So it gets those that are one, at the time of the
/// connection. The key of any other server would vouch for every name.
#[derive(Debug)]
pub struct PinnedOrVouched {
    known: Vec<CertificateDer<'static>>,
    provider: Arc<CryptoProvider>,
    algorithms: WebPkiSupportedAlgorithms,
}

impl PinnedOrVouched {
    /// By these certificates.
    ///
    /// # Errors
    /// Those of webpki, for what is no certificate.
    pub fn new(
        known: Vec<CertificateDer<'static>>,
        provider: &Arc<CryptoProvider>,
    ) -> Result<Self, Error> {
        let mut roots = RootCertStore::empty();
        for certificate in &known {
            match is_authority(certificate) {
                true => roots.add(certificate.clone())?,
                false => drop(ParsedCertificate::try_from(certificate)?),
            }
        }
        Ok(Self {
            known,
            provider: Arc::clone(provider),
            algorithms: provider.signature_verification_algorithms,
        })
    }

    /// webpki with the authorities that `is_wanted` of; none if there are none.
    fn webpki(
        &self,
        is_wanted: impl Fn(&CertificateDer<'_>) -> bool,
    ) -> Result<Option<Arc<WebPkiServerVerifier>>, Error> {
        let mut roots = RootCertStore::empty();
        let authorities = self.known.iter().filter(|known| is_authority(known));
        for authority in authorities.filter(|authority| is_wanted(authority)) {
            roots.add(authority.clone())?;
        }
        if roots.is_empty() {
            return Ok(None);
        }
        let provider = Arc::clone(&self.provider);
        WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider)
            .build()
            .map(Some)
            .map_err(|error| Error::General(error.to_string()))
    }
}

impl ServerCertVerifier for PinnedOrVouched {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let seconds = i64::try_from(now.as_secs()).unwrap_or(i64::MAX);
        if !self.known.contains(end_entity) {
            let judge = |webpki: Option<Arc<WebPkiServerVerifier>>| {
                webpki
                    .ok_or(CertificateError::UnknownIssuer)?
                    .verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now)
            };
            let is_valid = |authority: &CertificateDer<'_>| {
                validity(authority).is_some_and(|valid| valid.contains(&seconds))
            };
            let verdict = judge(self.webpki(is_valid)?);
            let is_of_another_time = verdict.is_err() && judge(self.webpki(|_| true)?).is_ok();
            return match is_of_another_time {
                true => Err(Error::General(OUT_OF_TIME.into())),
                false => verdict,
            };
        }
        let valid = validity(end_entity).ok_or(CertificateError::BadEncoding)?;
        if seconds < *valid.start() {
            return Err(CertificateError::NotValidYet.into());
        }
        if seconds > *valid.end() {
            return Err(CertificateError::Expired.into());
        }
        verify_server_name(&ParsedCertificate::try_from(end_entity)?, server_name)?;
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signed, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signed, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}

const OUT_OF_TIME: &str = "the certificate that vouches for the server's is not valid at this time";

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tokio_rustls::rustls::crypto::ring::default_provider;
    use tokio_rustls::rustls::pki_types::pem::PemObject;

    fn certificate(text: &[u8]) -> CertificateDer<'static> {
        CertificateDer::from_pem_slice(text).expect("a certificate")
    }

    /// Judges a certificate by one that is known, in the middle of a year.
    fn judge(known: &[u8], shown: &[u8], name: &'static str, year: u64) -> Result<(), Error> {
        let provider = Arc::new(default_provider());
        let verifier = PinnedOrVouched::new(vec![certificate(known)], &provider);
        let verifier = verifier.expect("it is a certificate");
        let name = ServerName::try_from(name).expect("a name");
        let now = Duration::from_secs((year - 1970) * 31_556_952 + 15_000_000);
        let now = UnixTime::since_unix_epoch(now);
        let verdict = verifier.verify_server_cert(&certificate(shown), &[], &name, &[], now);
        verdict.map(|_| ())
    }

    #[test]
    fn a_known_certificate_is_taken_by_its_name_and_within_its_time() {
        let own = include_bytes!("../../../cli/tests/serve/data/own.pem");
        let expired = include_bytes!("../../../cli/tests/serve/data/expired.pem");
        let localhost = include_bytes!("../../../cli/tests/data/localhost.pem");
        for (known, year) in [(&own[..], 2030), (expired, 2019), (localhost, 2030)] {
            judge(known, known, "localhost", year).expect("it is known");
            judge(known, known, "127.0.0.1", year).expect("it is known by its address");
            judge(known, known, "other.example", year).expect_err("another name");
            let early = judge(known, known, "localhost", 2018).expect_err("too early");
            assert_eq!(early, CertificateError::NotValidYet.into());
            let late = judge(known, known, "localhost", 2130).expect_err("too late");
            assert_eq!(late, CertificateError::Expired.into());
        }
        // Of the same key and the same name, and still another.
        for (known, shown) in [(&own[..], &expired[..]), (own, localhost), (localhost, own)] {
            for year in [2019, 2030] {
                judge(known, shown, "localhost", year).expect_err("nobody vouches for it");
            }
        }
    }

    /// `openssl x509 -req` by the keys of both, which says nothing of a right to sign.
    #[test]
    fn only_an_authority_vouches_for_others() {
        let own = include_bytes!("../../../cli/tests/serve/data/own.pem");
        let of_own = include_bytes!("../../../cli/tests/serve/data/of-own.pem");
        let localhost = include_bytes!("../../../cli/tests/data/localhost.pem");
        let of_localhost = include_bytes!("../../../cli/tests/serve/data/of-localhost.pem");
        judge(own, of_own, "other.example", 2030).expect("it is an authority");
        judge(own, of_own, "localhost", 2030).expect_err("another name");
        let refused = judge(localhost, of_localhost, "other.example", 2030);
        let refused = refused.expect_err("it is no authority");
        assert_eq!(refused, CertificateError::UnknownIssuer.into());
    }

    /// `expired` has the key and the name of `own`, so it would vouch for the same.
    #[test]
    fn an_authority_vouches_within_its_time() {
        let expired = include_bytes!("../../../cli/tests/serve/data/expired.pem");
        let of_own = include_bytes!("../../../cli/tests/serve/data/of-own.pem");
        let refused = judge(expired, of_own, "other.example", 2030).expect_err("it expired");
        assert!(
            refused.to_string().contains("is not valid at this time"),
            "{refused}"
        );
        let other = judge(expired, of_own, "localhost", 2030).expect_err("another name");
        assert!(
            !other.to_string().contains("is not valid at this time"),
            "{other}"
        );
    }
}
