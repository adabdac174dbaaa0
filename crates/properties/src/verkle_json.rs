//! The properties of these readers.
//!
//! Reading returns; what it returns keeps the promises of `frumious_verkle_json`, and what is written from it is read
//! back the same.

use frumious_curves::bandersnatch::Fr;
use frumious_verkle::{Claim, DOMAIN};

use frumious_verkle_json as formats;
use frumious_verkle_json::to_hexadecimal;

/// Any bytes as each of the forms.
pub fn all(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    vectors(text);
    openings(text);
    claims(text);
    proof(text);
    entries(text);
    let _ = formats::execution_witness(text);
    if let Ok(bytes) = formats::element_bytes(text) {
        assert_eq!(
            formats::element_bytes(&to_hexadecimal(&bytes)).ok(),
            Some(bytes)
        );
    }
}

fn vectors(text: &str) {
    let Ok(vectors) = formats::vectors(text) else {
        return;
    };
    for terms in &vectors {
        let mut seen = [false; DOMAIN];
        for (index, value) in terms {
            assert!(!std::mem::replace(&mut seen[*index], true) && *value != Fr::ZERO);
        }
    }
    let written: Vec<String> = vectors.iter().map(|terms| vector_to_json(terms)).collect();
    let written = format!("[{}]", written.join(","));
    // An array without vectors is an empty vector.
    if !vectors.is_empty() {
        assert_eq!(formats::vectors(&written).ok(), Some(vectors));
    }
}

fn vector_to_json(terms: &[(usize, Fr)]) -> String {
    let entries: Vec<String> = terms
        .iter()
        .map(|(index, value)| format!(r#""{index}":"{}""#, value.to_decimal_vartime()))
        .collect();
    format!("{{{}}}", entries.join(","))
}

fn openings(text: &str) {
    let Ok(polynomials) = formats::openings(text) else {
        return;
    };
    assert!(!polynomials.is_empty());
    assert!(
        polynomials
            .iter()
            .all(|polynomial| !polynomial.points.is_empty())
    );
}

fn claims(text: &str) {
    let Ok(claims) = formats::claims(text) else {
        return;
    };
    assert!(!claims.is_empty());
    let again = formats::claims(&formats::claims_to_json(&claims)).expect("they were written here");
    let parts = |claim: &Claim| (claim.commitment, claim.point, claim.value);
    assert!(claims.iter().map(parts).eq(again.iter().map(parts)));
}

fn proof(text: &str) {
    if let Ok(proof) = formats::proof(text) {
        let again = formats::proof(&formats::proof_to_json(&proof)).expect("it was written here");
        assert_eq!(again, proof);
    }
}

fn entries(text: &str) {
    let Ok(entries) = formats::entries(text) else {
        return;
    };
    let mut keys: Vec<[u8; 32]> = entries.iter().map(|(key, _)| *key).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), entries.len(), "a key is there twice");
    let written: Vec<String> = entries
        .iter()
        .map(|(key, value)| format!(r#"["{}","{}"]"#, to_hexadecimal(key), to_hexadecimal(value)))
        .collect();
    let again = formats::entries(&format!("[{}]", written.join(",")));
    assert_eq!(again.ok(), Some(entries));
}
