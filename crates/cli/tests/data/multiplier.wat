;; A witness generator with circom's interface for `c <== a*b`: wires 1, c, a, b. Written by hand for these tests.
;; a and b must be below 2^32. Asserts that a is not 7.
;;
;; Memory: 0 shared buffer, 32 number of values given, 36 the next character of a message, 64 the prime,
;; 128 + 32·i wire i, 512 the message.
(module
  (import "runtime" "exceptionHandler" (func $exception (param i32)))
  (import "runtime" "printErrorMessage" (func $print_error))
  (import "runtime" "writeBufferMessage" (func $write_buffer))
  (import "runtime" "showSharedRWMemory" (func $show))
  (memory (export "memory") 1)
  (data (i32.const 64) "\01\00\00\f0\93\f5\e1\43\91\70\b9\79\48\e8\33\28\5d\58\81\81\b6\45\50\b8\29\a0\31\e1\72\4e\64\30")
  (data (i32.const 128) "\01")
  (data (i32.const 512) "Error in template Multiplier_0 line: 3\00")
  (data (i32.const 600) "a is\00")
  (data (i32.const 608) "\0a\00")

  (func (export "getVersion") (result i32) (i32.const 2))
  (func (export "getFieldNumLen32") (result i32) (i32.const 8))
  (func (export "getInputSize") (result i32) (i32.const 2))
  (func (export "getWitnessSize") (result i32) (i32.const 4))
  (func (export "getRawPrime") (call $copy (i32.const 64) (i32.const 0)))
  (func (export "readSharedRWMemory") (param $j i32) (result i32)
    (i32.load (i32.mul (local.get $j) (i32.const 4))))
  (func (export "writeSharedRWMemory") (param $j i32) (param $word i32)
    (i32.store (i32.mul (local.get $j) (i32.const 4)) (local.get $word)))
  (func (export "getMessageChar") (result i32)
    (i32.load8_u (i32.load (i32.const 36)))
    (call $say (i32.add (i32.load (i32.const 36)) (i32.const 1))))
  (func (export "init") (param $sanity i32) (i32.store (i32.const 32) (i32.const 0)))
  (func (export "getInputSignalSize") (param $high i32) (param $low i32) (result i32)
    (i32.ne (call $wire (local.get $high) (local.get $low)) (i32.const 0)))
  (func (export "setInputSignal") (param $high i32) (param $low i32) (param $position i32)
    (call $copy (i32.const 0) (call $address (call $wire (local.get $high) (local.get $low))))
    (i32.store (i32.const 32) (i32.add (i32.load (i32.const 32)) (i32.const 1)))
    (if (i32.eq (i32.load (i32.const 32)) (i32.const 2)) (then (call $run))))
  (func (export "getWitness") (param $wire i32)
    (call $copy (call $address (local.get $wire)) (i32.const 0)))

  (func $run
    (call $say (i32.const 600)) (call $write_buffer)
    (call $copy (i32.const 192) (i32.const 0)) (call $show)
    (call $say (i32.const 608)) (call $write_buffer)
    (if (i64.eq (i64.load (i32.const 192)) (i64.const 7))
      (then (call $say (i32.const 512)) (call $print_error) (call $exception (i32.const 4))))
    (i64.store (i32.const 160) (i64.mul (i64.load (i32.const 192)) (i64.load (i32.const 224)))))

  ;; The wire of a signal by the FNV-1a hash of its name, or 0.
  (func $wire (param $high i32) (param $low i32) (result i32) (local $hash i64)
    (local.set $hash (i64.or
      (i64.shl (i64.extend_i32_u (local.get $high)) (i64.const 32))
      (i64.extend_i32_u (local.get $low))))
    (if (i64.eq (local.get $hash) (i64.const 0xaf63dc4c8601ec8c)) (then (return (i32.const 2)))) ;; a
    (if (i64.eq (local.get $hash) (i64.const 0xaf63df4c8601f1a5)) (then (return (i32.const 3)))) ;; b
    (i32.const 0))
  (func $address (param $wire i32) (result i32)
    (i32.add (i32.const 128) (i32.mul (i32.const 32) (local.get $wire))))
  (func $say (param $message i32) (i32.store (i32.const 36) (local.get $message)))
  (func $copy (param $from i32) (param $to i32)
    (memory.copy (local.get $to) (local.get $from) (i32.const 32))))
