// Witnesses by the module that circom wrote: its documented functions, called from here.
//
// Inputs are signals by name. A signal's name goes to the module as its FNV-1a hash of 64 bits, in two halves. Numbers
// pass through eight words of shared memory. Source: circom 2, "Computing the witness with WebAssembly".
import { FrumiousError } from './error.js';

/** What the module says by `exceptionHandler`. */
const EXCEPTIONS = {
  1: 'there is no such signal',
  2: 'too many values are given',
  3: 'a signal is given twice',
  4: 'an assertion of the circuit does not hold',
  5: 'the module has not enough memory',
  6: 'a signal is given more values than it takes',
};
const ASSERTION = 4;
const MOST_CHARACTERS = 10_000;

/** The witness of these inputs, as a `.wtns` file. `onLog` gets the lines of the circuit's `log()`, which may be secret. */
export async function calculate(module, inputs, onLog) {
  const circuit = await started(module, onLog);
  const { exports } = circuit;
  exports.init(1);
  const signals = flattened(inputs);
  let given = 0;
  for (const [name, values] of signals) {
    const halves = hash(name);
    const expected = exports.getInputSignalSize(...halves);
    if (expected <= 0) throw refused(`input ${JSON.stringify(name)}: the circuit has no such input`);
    if (expected !== values.length) {
      throw refused(`input ${JSON.stringify(name)}: takes ${expected} values and ${values.length} were given`);
    }
    values.forEach((value, position) => {
      circuit.share(value);
      exports.setInputSignal(...halves, position);
    });
    given += values.length;
  }
  const needed = exports.getInputSize();
  if (given < needed) throw refused(`${needed} values are needed, and ${given} were given`);
  return file(circuit);
}

/** The module with our side of its interface. */
async function started(module, onLog) {
  let exports;
  let trace = '';
  let line = '';
  const message = () => {
    let text = '';
    while (text.length < MOST_CHARACTERS) {
      const code = exports.getMessageChar();
      if (code === 0) break;
      text += String.fromCharCode(code);
    }
    return text;
  };
  const say = (part) => {
    if (part !== '\n') line += line === '' ? part : ` ${part}`;
    else {
      onLog?.(line);
      line = '';
    }
  };
  const runtime = {
    exceptionHandler(code) {
      const what = EXCEPTIONS[code] ?? `exception ${code}`;
      throw new FrumiousError(code === ASSERTION ? 'unsatisfied' : 'bad_input', [what, trace.trim()].filter(Boolean).join('; '));
    },
    printErrorMessage() {
      trace = `${trace}${message()} `.slice(0, MOST_CHARACTERS);
    },
    writeBufferMessage: () => say(message()),
    showSharedRWMemory: () => say(circuit.shared().toString()),
  };
  const instance = await WebAssembly.instantiate(module, { runtime });
  exports = instance.exports;
  if (exports.getVersion?.() !== 2) throw refused('wasm: not a module of circom 2');
  const words = exports.getFieldNumLen32();
  const circuit = {
    exports,
    words,
    /** Writes a number, taken modulo the prime, to the shared memory. */
    share(value) {
      let rest = ((value % circuit.prime) + circuit.prime) % circuit.prime;
      for (let i = 0; i < words; i++) {
        exports.writeSharedRWMemory(i, Number(rest & 0xffffffffn));
        rest >>= 32n;
      }
    },
    /** The number in the shared memory. */
    shared() {
      let value = 0n;
      for (let i = words - 1; i >= 0; i--) value = (value << 32n) | BigInt(exports.readSharedRWMemory(i) >>> 0);
      return value;
    },
  };
  exports.getRawPrime();
  circuit.prime = circuit.shared();
  return circuit;
}

/** The wires as a `.wtns` file of version 2. */
function file({ exports, words, prime }) {
  const wires = exports.getWitnessSize();
  const [n8, head] = [4 * words, 12];
  const bytes = new Uint8Array(head + 12 + 8 + n8 + 12 + wires * n8);
  const view = new DataView(bytes.buffer);
  let at = 0;
  const put = (...numbers) => {
    for (const number of numbers) {
      view.setUint32(at, number, true);
      at += 4;
    }
  };
  const section = (type, length) => put(type, length % 2 ** 32, Math.floor(length / 2 ** 32));
  bytes.set(new TextEncoder().encode('wtns'));
  at = 4;
  put(2, 2);
  section(1, 8 + n8);
  put(n8);
  for (let rest = prime, i = 0; i < words; i++, rest >>= 32n) put(Number(rest & 0xffffffffn));
  put(wires);
  section(2, wires * n8);
  for (let wire = 0; wire < wires; wire++) {
    exports.getWitness(wire);
    for (let i = 0; i < words; i++, at += 4) view.setUint32(at, exports.readSharedRWMemory(i), true);
  }
  return bytes;
}

/** Signals with flat lists of numbers: buses become `name.field`, arrays of buses `name[0].field`. */
function flattened(inputs) {
  if (inputs === null || typeof inputs !== 'object' || Array.isArray(inputs)) {
    throw refused('the inputs must be an object of signal names');
  }
  const signals = new Map();
  const walk = (name, value) => {
    if (isObject(value)) {
      for (const [field, inner] of Object.entries(value)) walk(name === '' ? field : `${name}.${field}`, inner);
    } else if (Array.isArray(value) && value.flat(Infinity).some(isObject)) {
      value.forEach((inner, index) => walk(`${name}[${index}]`, inner));
    } else {
      if (signals.has(name)) throw refused(`input ${JSON.stringify(name)}: is given twice`);
      signals.set(name, [value].flat(Infinity).map((number, index) => integer(name, number, index)));
    }
  };
  walk('', inputs);
  return signals;
}

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

function integer(name, value, index) {
  const isNumber = typeof value === 'bigint' || Number.isSafeInteger(value) || typeof value === 'boolean';
  try {
    if (isNumber || (typeof value === 'string' && value.trim() !== '')) return BigInt(value);
  } catch {
    // a text that is no integer: told below, without the value
  }
  throw refused(`input ${JSON.stringify(name)}: value ${index} is not an integer`);
}

/** FNV-1a of 64 bits of the name's bytes, in two halves of 32. */
function hash(name) {
  let digest = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(name)) {
    digest = BigInt.asUintN(64, (digest ^ BigInt(byte)) * 0x100000001b3n);
  }
  return [Number(digest >> 32n) | 0, Number(digest & 0xffffffffn) | 0];
}

const refused = (message) => new FrumiousError('bad_input', message);
