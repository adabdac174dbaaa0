//! Scalars in each of their forms.

use frumious_curves::bandersnatch::Fr;
use frumious_verkle_json::vectors;

#[test]
fn numbers_of_64_bits_need_no_quotes() {
    for text in ["18446744073709551615", "\"18446744073709551615\""] {
        let found = vectors(&format!("[{text}]")).map_err(|error| error.to_string());
        assert_eq!(found, Ok(vec![vec![(0, Fr::from_u64(u64::MAX))]]));
    }
    let large = "18446744073709551616";
    let found = vectors(&format!("[\"{large}\"]")).map_err(|error| error.to_string());
    let expected = Fr::from_u64(u64::MAX) + Fr::ONE;
    assert_eq!(found, Ok(vec![vec![(0, expected)]]));
}

#[test]
fn the_error_of_a_number_tells_what_to_write() {
    let error = |text: &str| match vectors(&format!("[1, {text}]")) {
        Ok(_) => panic!("{text} is a scalar"),
        Err(error) => error.to_string(),
    };
    let large = "at $[1]: expected quotes around a whole number of 2^64 or more";
    assert_eq!(error("18446744073709551616"), large);
    assert_eq!(error(&"9".repeat(100_000)), large);
    let other = "at $[1]: expected a scalar: 0x and 64 hexadecimal digits, or a whole number";
    for text in ["-1", "1.5", "1e3", "-0", "null", "\"\""] {
        assert_eq!(error(text), other, "{text}");
    }
}
