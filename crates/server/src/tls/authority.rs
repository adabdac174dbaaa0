//! The right of a certificate to sign others: RFC 5280, section 4.2.1.9. webpki does not ask it of a certificate that
//! it is given as a root.

use super::validity::{SEQUENCE, after_validity, element};

/// True if the certificate (DER) may sign others. Those of version 1 do not tell, and may: some old roots have it.
pub fn is_authority(certificate: &[u8]) -> bool {
    let Some((is_first_version, rest)) = after_validity(certificate) else {
        return false;
    };
    is_first_version || has_constraint(rest).unwrap_or(false)
}

/// Looks for `cA TRUE` in the fields behind the time; none if there is no such extension.
fn has_constraint(mut fields: &[u8]) -> Option<bool> {
    for tag in [SEQUENCE, SEQUENCE] {
        element(&mut fields, &[tag])?; // the subject and its key
    }
    let mut list = loop {
        if let (EXTENSIONS, mut inside) = element(&mut fields, &BEHIND_KEY)? {
            break element(&mut inside, &[SEQUENCE])?.1;
        }
    };
    loop {
        let mut extension = element(&mut list, &[SEQUENCE])?.1;
        let name = element(&mut extension, &[NAME])?.1;
        if name != BASIC_CONSTRAINTS {
            continue;
        }
        let (tag, mut value) = element(&mut extension, &[BOOLEAN, OCTETS])?;
        if tag == BOOLEAN {
            value = element(&mut extension, &[OCTETS])?.1; // that was whether it is critical
        }
        let mut constraints = element(&mut value, &[SEQUENCE])?.1;
        let is_authority = element(&mut constraints, &[BOOLEAN])?.1;
        return Some(is_authority == [0xff]);
    }
}

const BOOLEAN: u8 = 0x01;
const OCTETS: u8 = 0x04;
const NAME: u8 = 0x06;
const EXTENSIONS: u8 = 0xa3;

/// Ids of issuer and subject, and the extensions.
const BEHIND_KEY: [u8; 3] = [0x81, 0x82, EXTENSIONS];

/// 2.5.29.19
const BASIC_CONSTRAINTS: &[u8] = &[0x55, 0x1d, 0x13];

#[cfg(test)]
mod tests {
    use super::*;
    use tokio_rustls::rustls::pki_types::CertificateDer;
    use tokio_rustls::rustls::pki_types::pem::PemObject;

    fn der(text: &[u8]) -> Vec<u8> {
        let certificate = CertificateDer::from_pem_slice(text);
        certificate.expect("a certificate").to_vec()
    }

    #[test]
    fn a_certificate_tells_its_right_to_sign_and_nothing_else_does() {
        let own = der(include_bytes!("../../../cli/tests/serve/data/own.pem"));
        let expired = der(include_bytes!("../../../cli/tests/serve/data/expired.pem"));
        let localhost = der(include_bytes!("../../../cli/tests/data/localhost.pem"));
        assert!(is_authority(&own) && is_authority(&expired));
        assert!(!is_authority(&localhost));
        for length in 0..own.len() {
            assert!(!is_authority(&own[..length]), "{length} bytes");
        }
        for place in 0..own.len() {
            for byte in 0..=u8::MAX {
                let mut garbled = own.clone();
                garbled[place] = byte;
                is_authority(&garbled); // whatever it is
            }
        }
    }
}
