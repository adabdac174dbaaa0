// Inputs of the circuits in this folder:  node inputs.mjs CIRCUIT > input.json
import { createSign, generateKeyPairSync, createHash } from "node:crypto";
import { buildMimcSponge, buildPedersenHash, buildBabyjub } from "circomlibjs";

const circuits = { withdraw, rsa2048, sha256_2048 };
const make = circuits[process.argv[2]];
if (!make) throw new Error(`a circuit of ${Object.keys(circuits).join(", ")}`);
console.log(JSON.stringify(await make()));

async function withdraw() {
  const [mimc, pedersen, curve] = await Promise.all([buildMimcSponge(), buildPedersenHash(), buildBabyjub()]);
  const hash = (bytes) => curve.F.toString(curve.unpackPoint(pedersen.hash(bytes))[0]);
  const [nullifier, secret] = [1, 2].map((seed) => createHash("sha256").update(`${seed}`).digest().subarray(0, 31));
  const number = (bytes) => BigInt(`0x${Buffer.from(bytes).reverse().toString("hex")}`).toString();
  const siblings = Array.from({ length: 20 }, (_, i) => `${1000 + i}`);
  const isRight = siblings.map((_, i) => `${(i * 7) % 2}`);
  let node = hash(Buffer.concat([nullifier, secret]));
  siblings.forEach((sibling, i) => {
    const pair = isRight[i] === "1" ? [sibling, node] : [node, sibling];
    node = mimc.F.toString(mimc.multiHash(pair, 0, 1));
  });
  return {
    root: node, nullifierHash: hash(nullifier), recipient: "11", relayer: "12", fee: "13", refund: "0",
    nullifier: number(nullifier), secret: number(secret), siblings, isRight,
  };
}

function rsa2048() {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048, publicExponent: 65537 });
  const text = Buffer.from("what RSA signs");
  const signature = createSign("RSA-SHA256").update(text).sign(privateKey);
  const modulus = Buffer.from(publicKey.export({ format: "jwk" }).n, "base64url");
  const digest = createHash("sha256").update(text).digest();
  const chunks = (bytes) => {
    const value = BigInt(`0x${bytes.toString("hex")}`);
    return Array.from({ length: 17 }, (_, i) => ((value >> (121n * BigInt(i))) & ((1n << 121n) - 1n)).toString());
  };
  return { message: chunks(digest), signature: chunks(signature), modulus: chunks(modulus) };
}

function sha256_2048() {
  const bits = Array.from({ length: 16384 }, (_, i) => `${(i * i * 7919 + i) % 5 % 2}`);
  return { in: bits };
}
