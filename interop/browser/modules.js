// Handmade modules of WebAssembly: functions of 32-bit integers, by which a circuit's module can be imitated.

const unsigned = (number) => {
  const bytes = [];
  for (; number > 127; number >>>= 7) bytes.push((number & 127) | 128);
  return [...bytes, number];
};
const signed = (number) => {
  const bytes = [];
  for (; number < -64 || number > 63; number >>= 7) bytes.push((number & 127) | 128);
  return [...bytes, number & 127];
};
const list = (items) => [...unsigned(items.length), ...items.flat()];
const section = (number, items) => {
  const bytes = list(items);
  return [number, ...unsigned(bytes.length), ...bytes];
};

/** A function with so many parameters that gives this number, after other instructions. */
export const returning = (number, parameters = 0, before = []) => ({
  parameters,
  body: [...before, 0x41, ...signed(number)],
});

/** A function of one parameter that traps. */
export const TRAP = { parameters: 1, body: [0x00] };

/** The functions that circom's module has, of a circuit with one input and four wires. All numbers are 1. */
const FUNCTIONS = {
  getVersion: returning(2),
  getFieldNumLen32: returning(8),
  getRawPrime: returning(0),
  readSharedRWMemory: returning(1, 1),
  writeSharedRWMemory: returning(0, 2),
  init: returning(0, 1),
  getInputSignalSize: returning(1, 2),
  setInputSignal: returning(0, 3),
  getInputSize: returning(1),
  getWitnessSize: returning(4),
  getWitness: returning(0, 1),
  getMessageChar: returning(0),
};

/** The bytes of a module with these functions instead. One may be made from its own number, or be left out. */
export function circuitModule(others) {
  const all = Object.entries({ ...FUNCTIONS, ...others }).filter(([, made]) => made !== undefined);
  const functions = all.map(([name, made], number) => ({ name, ...(typeof made === "function" ? made(number) : made) }));
  const types = functions.map(({ parameters }) => [0x60, ...list(Array(parameters).fill(0x7f)), 1, 0x7f]);
  const exported = functions.map(({ name }, number) => [...list([...Buffer.from(name)]), 0, ...unsigned(number)]);
  const bodies = functions.map(({ body }) => list([0, ...body, 0x0b]));
  const head = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  const numbers = functions.map((_, number) => unsigned(number));
  return [...head, ...section(1, types), ...section(3, numbers), ...section(7, exported), ...section(10, bodies)];
}
