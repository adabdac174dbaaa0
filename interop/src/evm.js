// A verifier contract, compiled by the real solc and run in a real EVM with its pairing precompiles.
import assert from "node:assert/strict";
import { Common, Hardfork, Mainnet } from "@ethereumjs/common";
import { createEVM } from "@ethereumjs/evm";
import solc from "solc";

const GAS = 100_000_000n;
/** solc's warning of a contract above the chain's limit of 24 KB; see `deploy`. */
const CODE_SIZE_WARNING = "5574";

/** Compiles a source with exactly one contract, without a warning, and deploys it to a chain of its own. */
export async function deploy(source, hardfork = Hardfork.Prague) {
  const { name, bytecode, abi, selector } = compile(source);
  // A verifier with hundreds of public signals is above the chain's limit of 24 KB a contract; its arithmetic is still to be tested.
  const evm = await createEVM({ common: chain(hardfork), allowUnlimitedContractSize: true, allowUnlimitedInitCodeSize: true });
  const { createdAddress, execResult } = await evm.runCall({ data: Buffer.from(bytecode, "hex"), gasLimit: GAS });
  assert.equal(execResult.exceptionError, undefined, "deployment fails");

  /** Calls `verifyProof` with 32-byte words: "true", "false", or "revert"; `gas` is what the call costs. */
  async function verifyProof(words) {
    const data = Buffer.from(selector + words.map(toHex).join(""), "hex");
    const { execResult } = await evm.runCall({ to: createdAddress, data, gasLimit: GAS });
    if (execResult.exceptionError) return { result: "revert", gas: execResult.executionGasUsed };
    const returned = BigInt(`0x${Buffer.from(execResult.returnValue).toString("hex")}`);
    assert.equal(execResult.returnValue.length, 32, "verifyProof returns one word");
    assert.ok(returned <= 1n, "verifyProof returns a bool");
    return { result: String(returned === 1n), gas: execResult.executionGasUsed };
  }
  return { name, abi, verifyProof };
}

/** Mainnet as of a hard fork: the pairing over BLS12-381 (EIP-2537) came with Prague. */
function chain(hardfork) {
  return new Common({ chain: Mainnet, hardfork });
}

export { Hardfork };

/** The words of `verifyProof(...)`'s arguments, from one line of calldata as snarkjs and frumious print it. */
export function wordsOf(calldata) {
  return JSON.parse(`[${calldata}]`).flat(Infinity).map(BigInt);
}

function toHex(word) {
  return word.toString(16).padStart(64, "0");
}

function compile(source) {
  const input = {
    language: "Solidity",
    sources: { "verifier.sol": { content: source } },
    settings: { optimizer: { enabled: true }, outputSelection: { "*": { "*": ["abi", "evm.bytecode.object", "evm.methodIdentifiers"] } } },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input)));
  const complaints = (output.errors ?? []).filter(({ errorCode }) => errorCode !== CODE_SIZE_WARNING);
  assert.deepEqual(complaints.map((e) => e.formattedMessage), [], "solc has no error and no warning");

  const [[name, contract], ...others] = Object.entries(output.contracts["verifier.sol"]);
  assert.equal(others.length, 0, "one contract");
  const [[, selector], ...otherMethods] = Object.entries(contract.evm.methodIdentifiers).filter(([s]) => s.startsWith("verifyProof("));
  assert.equal(otherMethods.length, 0, "one verifyProof");
  return { name, abi: contract.abi, selector, bytecode: contract.evm.bytecode.object };
}
