// Calculates one witness for the process that starts this script: frumious' addon serves it over stdin and stdout.
'use strict';
require('./native.js').serveChild();
