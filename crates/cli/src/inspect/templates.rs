//! Repetition in a constraint system.

use std::path::Path;
use std::time::Instant;

use frumious_circom::FileKind;
use frumious_circom::generic::R1cs;
use frumious_mapping::FileBytes;
use serde_json::Value;

use frumious_app::failure::{About, Failure};
use frumious_app::{curve, over_curve};

/// The number of templates, and the bytes of the circuit: in its file, with distinct coefficients stored once, and
/// with templates too.
pub fn find(bytes: FileBytes, path: &Path) -> Result<Vec<(&'static str, Value)>, Failure> {
    over_curve!(curve::of(FileKind::R1cs, &bytes, path)?, E => {
        let r1cs = R1cs::<E>::from_bytes(bytes).about(path)?;
        let pooled = r1cs.to_system();
        let begin = Instant::now();
        let found = pooled.with_templates();
        let time = begin.elapsed();
        let constraints = f64::from(r1cs.n_constraints().max(1));
        let each = |bytes: usize| Value::from((bytes as f64 / constraints * 100.0).round() / 100.0);
        let in_file = r1cs.bytes().len();
        Ok(vec![
            ("templates", found.n_templates().into()),
            ("bytes_in_file", in_file.into()),
            ("bytes_pooled", pooled.bytes().into()),
            ("bytes_with_templates", found.bytes().into()),
            ("bytes_of_coefficients", size_of_val(found.pool().values()).into()),
            ("bytes_per_constraint_in_file", each(in_file)),
            ("bytes_per_constraint_pooled", each(pooled.bytes())),
            ("bytes_per_constraint_with_templates", each(found.bytes())),
            ("seconds_to_find_templates", frumious_app::quantities::seconds(time)),
        ])
    })
}
