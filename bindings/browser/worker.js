// A worker of the module with threads: the one that is called, or a thread of its work.
import { called, instantiated } from './module.js';

/** The alignment of stacks in WebAssembly. */
const ALIGNMENT = 16;

onmessage = async ({ data: { module, memory, place, isThread, lock } }) => {
  try {
    await held(lock);
    const running = await instantiated(module, memory);
    const { exports } = running;
    take(exports, ...place);
    onmessage = ({ data }) => answer(running, data);
    postMessage({});
    if (isThread) exports.work();
  } catch (error) {
    postMessage({ broken: message(error) });
  }
};

/** Holds a lock until this worker is gone: by it the page knows when nothing runs in the memory any more. */
function held(lock) {
  const forEver = new Promise(() => {});
  return new Promise((done) => {
    const hold = () => {
      done();
      return forEver;
    };
    // Where there are no locks, the page waits otherwise.
    if (navigator.locks === undefined) done();
    else navigator.locks.request(lock, { mode: 'shared' }, hold).catch(done);
  });
}

/** Thread-local values at the beginning of the place, the stack from its end downwards. */
function take(exports, address, length) {
  const [size, alignment] = [exports.__tls_size.value, Math.max(exports.__tls_align.value, 1)];
  const values = Math.ceil(address / alignment) * alignment;
  const end = Math.floor((address + length) / ALIGNMENT) * ALIGNMENT;
  if (values + size > end - length / 2) throw new Error('thread-local values leave no place for a stack');
  exports.__stack_pointer.value = end | 0;
  exports.__wasm_init_tls(values | 0);
}

function answer(running, { call, name, values }) {
  try {
    postMessage({ call, value: called(running, name, values) });
  } catch (error) {
    postMessage({ broken: message(error) });
  }
}

const message = (error) => `the module broke off, perhaps for want of memory: ${error.message}`;
