//! The properties of these parsers.

use frumious_precompiles::Precompile;

/// Any bytes as input of every precompile: it returns, an output has its length, and so has the price.
pub fn precompiles(bytes: &[u8]) {
    for precompile in Precompile::ALL {
        let output = precompile.run(bytes);
        if let Ok(output) = &output {
            let allowed: &[usize] = match precompile {
                Precompile::EcRecover => &[0, 32],
                Precompile::Bn254Add | Precompile::Bn254Mul => &[64],
                Precompile::Bls12G1Add | Precompile::Bls12G1Msm | Precompile::Bls12MapFpToG1 => {
                    &[128]
                }
                Precompile::Bls12G2Add | Precompile::Bls12G2Msm | Precompile::Bls12MapFp2ToG2 => {
                    &[256]
                }
                _ => &[32],
            };
            assert!(allowed.contains(&output.len()));
        }
        // zeros after a short input of a fixed length change nothing
        if precompile.address() < 8 {
            let mut longer = bytes.to_vec();
            longer.resize(bytes.len() + 7, 0);
            assert_eq!(precompile.run(&longer), output);
        }
        let is_sum = matches!(precompile, Precompile::Bls12G1Msm | Precompile::Bls12G2Msm);
        assert!(precompile.gas(bytes) >= 150 || is_sum);
    }
}
