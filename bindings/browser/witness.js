// Witnesses by the module that circom wrote: its documented functions, called from here.
//
// Inputs are signals by name. A signal's name goes to the module as its FNV-1a hash of 64 bits, in two halves. Numbers
// pass through eight words of shared memory. Source: circom 2, "Computing the witness with WebAssembly".
import { FrumiousError, ours, refused } from './error.js';

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

/** What is called of the module. */
const FUNCTIONS = [
  'init',
  'setInputSignal',
  'getInputSignalSize',
  'getInputSize',
  'getWitnessSize',
  'getWitness',
  'getRawPrime',
  'getFieldNumLen32',
  'getMessageChar',
  'readSharedRWMemory',
  'writeSharedRWMemory',
];
/** Words of a number: keys are over BN254 or BLS12-381, whose scalars have 256 bits. */
const WORDS = 8;
const BYTES_OF_NUMBER = 4 * WORDS;
/** The first length of a file that no prover has addresses for. */
const TOO_LONG = 2 ** 32;

/**
 * The witness of these inputs, as a `.wtns` file. `onLog` gets the lines of the circuit's `log()`, which may be secret.
 *
 * The module's own memory holds every wire. It is wiped however this ends, as only the garbage collector frees it.
 */
export async function calculate(module, inputs, onLog) {
  const signals = flattened(inputs);
  const circuit = await started(module, onLog);
  try {
    give(circuit, signals);
    return file(circuit);
  } catch (error) {
    throw brokeOff(error);
  } finally {
    const { memory } = circuit.exports;
    if (memory instanceof WebAssembly.Memory) new Uint8Array(memory.buffer).fill(0);
  }
}

/** A trap of the module, or no end of calls in it. */
const brokeOff = (error) => ours(error, 'bad_input', "wasm: the circuit's module broke off: ");

function give(circuit, signals) {
  const { exports } = circuit;
  exports.init(1);
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
      const message = [what, trace.trim()].filter(Boolean).join('; ');
      throw new FrumiousError(code === ASSERTION ? 'unsatisfied' : 'bad_input', message);
    },
    printErrorMessage() {
      trace = `${trace}${message()} `.slice(0, MOST_CHARACTERS);
    },
    writeBufferMessage: () => say(message()),
    showSharedRWMemory: () => say(circuit.shared().toString()),
  };
  try {
    ({ exports } = await WebAssembly.instantiate(module, { runtime }));
  } catch (error) {
    throw brokeOff(error);
  }
  if (exports.getVersion?.() !== 2) throw refused('wasm: not a module of circom 2');
  for (const name of FUNCTIONS) {
    if (typeof exports[name] !== 'function') throw refused(`wasm: the module has no function ${name}`);
  }
  if (exports.getFieldNumLen32() !== WORDS) throw refused(`wasm: its numbers have not ${32 * WORDS} bits`);
  const circuit = {
    exports,
    /** Writes a number, taken modulo the prime, to the shared memory. */
    share(value) {
      let rest = ((value % circuit.prime) + circuit.prime) % circuit.prime;
      for (let i = 0; i < WORDS; i++) {
        exports.writeSharedRWMemory(i, Number(rest & 0xffffffffn));
        rest >>= 32n;
      }
    },
    /** The number in the shared memory. */
    shared() {
      let value = 0n;
      for (let i = WORDS - 1; i >= 0; i--) value = (value << 32n) | BigInt(exports.readSharedRWMemory(i) >>> 0);
      return value;
    },
  };
  exports.getRawPrime();
  circuit.prime = circuit.shared();
  if (circuit.prime < 2n) throw refused('wasm: its prime is none');
  return circuit;
}

/** The wires as a `.wtns` file of version 2. */
function file(circuit) {
  const bytes = room(circuit.exports.getWitnessSize());
  try {
    write(bytes, circuit);
  } catch (error) {
    bytes.fill(0);
    throw error;
  }
  return bytes;
}

/** Bytes of a file: its head, two sections' heads, and the first section. Wires follow. */
const HEAD = 12 + 12 + 8 + BYTES_OF_NUMBER + 12;

function room(wires) {
  if (!Number.isInteger(wires) || wires < 1) throw refused(`wasm: its witness has ${wires} wires`);
  const length = HEAD + wires * BYTES_OF_NUMBER;
  try {
    if (length < TOO_LONG) return new Uint8Array(length);
  } catch {
    // the browser gives no memory
  }
  throw new FrumiousError('memory_limit', `there is no memory for a witness of ${wires} wires`);
}

function write(bytes, { exports, prime }) {
  const wires = (bytes.length - HEAD) / BYTES_OF_NUMBER;
  const view = new DataView(bytes.buffer);
  let at = 4;
  const put = (...numbers) => {
    for (const number of numbers) {
      view.setUint32(at, number, true);
      at += 4;
    }
  };
  const section = (type, length) => put(type, length, 0); // less than 2^32
  bytes.set(new TextEncoder().encode('wtns'));
  put(2, 2);
  section(1, 8 + BYTES_OF_NUMBER);
  put(BYTES_OF_NUMBER);
  for (let rest = prime, i = 0; i < WORDS; i++, rest >>= 32n) put(Number(rest & 0xffffffffn));
  put(wires);
  section(2, wires * BYTES_OF_NUMBER);
  for (let wire = 0; wire < wires; wire++) {
    exports.getWitness(wire);
    for (let i = 0; i < WORDS; i++, at += 4) view.setUint32(at, exports.readSharedRWMemory(i), true);
  }
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
  try {
    walk('', inputs);
  } catch (error) {
    throw ours(error, 'bad_input', 'inputs: nested without end, or not readable: ');
  }
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
