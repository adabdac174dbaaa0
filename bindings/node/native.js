// The addon for this system.
'use strict';
const name = `frumious.${process.platform}-${process.arch}.node`;
try {
  module.exports = require(`./${name}`);
} catch (error) {
  if (error.code === 'ERR_DLOPEN_FAILED') {
    error.message = `frumious needs Linux with glibc 2.34 or later; musl, as of Alpine, will not do: ${error.message}`;
  }
  if (error.code !== 'MODULE_NOT_FOUND') throw error;
  throw new Error(`frumious has no ${name}: this package is for Linux on x64 and arm64`);
}
