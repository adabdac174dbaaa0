// node prove.cjs PACKAGE KEY WITNESS PROOFS: seconds of each proof under a key that stays open, a line each.
const [place, keyPath, witness, proofs] = process.argv.slice(2);
const { ProvingKey, groth16 } = require(place);
(async () => {
  const key = await ProvingKey.open(keyPath);
  for (let i = 0; i < Number(proofs); i++) {
    const start = process.hrtime.bigint();
    await groth16.prove(key, witness);
    console.log(Number(process.hrtime.bigint() - start) / 1e9);
  }
  key.close?.();
})();
