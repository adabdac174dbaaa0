// The addon for this system.
'use strict';
const name = `frumious.${process.platform}-${process.arch}.node`;
try {
  module.exports = require(`./${name}`);
} catch (error) {
  if (error.code !== 'MODULE_NOT_FOUND') throw error;
  throw new Error(`frumious has no ${name}: this package is for Linux on x64 and arm64`);
}
