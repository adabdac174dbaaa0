//! The certificate of a server that the client has a copy of.
//!
//! `openssl req -x509` makes a certificate that signs itself and may sign others. webpki takes it for others alone. Who
//! is given the very certificate of a server needs nobody to vouch for it: its name and its dates are enough.

use std::sync::Arc;

use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::client::{WebPkiServerVerifier, verify_server_name};
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::server::ParsedCertificate;
use tokio_rustls::rustls::{CertificateError, DigitallySignedStruct, Error, SignatureScheme};

use crate::tls::validity;

/// Takes a certificate that is byte for byte one of `known`, and else what webpki does.
#[derive(Debug)]
pub struct PinnedOrVouched {
    pub known: Vec<CertificateDer<'static>>,
    pub webpki: Arc<WebPkiServerVerifier>,
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
        if !self.known.contains(end_entity) {
            return self.webpki.verify_server_cert(
                end_entity,
                intermediates,
                server_name,
                ocsp_response,
                now,
            );
        }
        let valid = validity(end_entity).ok_or(CertificateError::BadEncoding)?;
        let now = i64::try_from(now.as_secs()).unwrap_or(i64::MAX);
        if now < *valid.start() {
            return Err(CertificateError::NotValidYet.into());
        }
        if now > *valid.end() {
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
        self.webpki
            .verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.webpki
            .verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.webpki.supported_verify_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tokio_rustls::rustls::RootCertStore;
    use tokio_rustls::rustls::crypto::ring::default_provider;
    use tokio_rustls::rustls::pki_types::pem::PemObject;

    fn certificate(text: &[u8]) -> CertificateDer<'static> {
        CertificateDer::from_pem_slice(text).expect("a certificate")
    }

    /// Judges a certificate by one that is known, in the middle of a year.
    fn judge(known: &[u8], shown: &[u8], name: &'static str, year: u64) -> Result<(), Error> {
        let known = vec![certificate(known)];
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(known.clone());
        let provider = Arc::new(default_provider());
        let webpki = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider);
        let webpki = webpki.build().expect("it has a root");
        let verifier = PinnedOrVouched { known, webpki };
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
}
