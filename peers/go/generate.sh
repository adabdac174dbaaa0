#!/bin/sh
# Makes the field rows of other fields from those of BN254's base field, for `go generate`.
set -eu
mark='s#^//go:gen.*#// Code generated from field_fq.go by go generate. DO NOT EDIT.#'

sed -e 's/fqRows/frRows/; s/the base field/the scalar field/; s/"fq\./"fr./g; s/fp\.Element/fr.Element/g; s/fp\.Vector/fr.Vector/g; s/fp\.BatchInvert/fr.BatchInvert/g' \
    -e 's/drawFp/drawFr/g; s/sumFp/sumFr/g; s#ecc/bn254/fp"#ecc/bn254/fr"#' -e "$mark" field_fq.go > field_fr.go

# arrays of the base field are measured on other inputs, its extension has none
sed -e 's/fqRows/bls12FqRows/; s/the base field/the base field of BLS12-381/; s/"fq\./"bls12.fq./g; s/drawFp/drawBls12Fp/g; s/sumFp/sumBls12Fp/g; s#ecc/bn254/fp"#ecc/bls12-381/fp"#' \
    -e '/mul.lanes/,/^	return table/{/^	return table/!d}' -e "$mark" field_fq.go > bls12_381_fq.go

sed -e 's/fqRows/bls12FrRows/; s/the base field/the scalar field of BLS12-381/; s/"fq\./"bls12.fr./g; s/fp\.Element/fr.Element/g; s/fp\.Vector/fr.Vector/g; s/fp\.BatchInvert/fr.BatchInvert/g' \
    -e 's/drawFp/drawBls12Fr/g; s/sumFp/sumBls12Fr/g; s#ecc/bn254/fp"#ecc/bls12-381/fr"#' -e 's#^	return table#	table["bls12.fr.sqrt_vartime"] = table["bls12.fr.sqrt"]\n	return table#' \
    -e "$mark" field_fq.go > bls12_381_fr.go

sed -e 's/fqRows/bls12Fq2Rows/; s/the base field/the quadratic extension of BLS12-381/; s/"fq\./"bls12.fq2./g; s/fp\.Element/bls12381.E2/g; s/drawFp/drawE2/g; s/sumFp/sumE2/g' \
    -e 's#"github.com/consensys/gnark-crypto/ecc/bn254/fp"#bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"#' \
    -e '/mul.lanes/,/^	return table/{/^	return table/!d}' -e "$mark" field_fq.go > bls12_381_fq2.go

# go-ipa has a field of Bandersnatch's scalars
sed -e 's/fqRows/scalarRows/; s/the base field/the scalar field of Bandersnatch/; s/"fq\./"bander.fr./g; s/fp\.Element/fr.Element/g; s/drawFp/drawScalars/g; s/sumFp/sumScalars/g' \
    -e 's#github.com/consensys/gnark-crypto/ecc/bn254/fp"#github.com/crate-crypto/go-ipa/bandersnatch/fr"#' \
    -e '/mul.lanes/,/^	return table/{/^	return table/!d}' -e 's/field_fq.go/..\/go\/field_fq.go/' -e "$mark" field_fq.go > ../go-verkle/field_scalar.go
gofmt -w field_fr.go bls12_381_*.go ../go-verkle/field_scalar.go
