//! Routines on short values against the operations, on edge values and all pairs of them.

use frumious_curves::bn254::Fr;
use frumious_field::Integer;
use frumious_tape::{Operation, to_index_vartime};
use wasm_encoder::{
    CodeSection, EntityType, ExportKind, ExportSection, FunctionSection, ImportSection,
    MemorySection, MemoryType, Module, TypeSection, ValType,
};
use wasmi::{Caller, Engine, Instance, Linker, Memory, Store};

use crate::routines::{ROUTINES, Routine};
use crate::short;

/// Heads of values: short ones, and what is none.
const HEADS: [u64; 19] = [
    0,
    1,
    2,
    3,
    5,
    30,
    31,
    32,
    1 << 16,
    (1 << 30) + 7,
    (1 << 31) - 1,
    1 << 31,           // bit 31: negative
    u32::MAX as u64,   // -1
    0x4000_0000 << 32, // short, with its Montgomery form
    0x4000_0000 << 32 | 5,
    0x4000_0000 << 32 | ((1 << 31) - 1),
    0x4000_0000 << 32 | 1 << 31,
    0x8000_0000 << 32,     // long
    0xc000_0000_9d2c_5680, // ours
];

const TO: u32 = 80;
const A: u32 = 128;
const B: u32 = 200;

/// The bytes that are looked at.
const WRITTEN: usize = 256;

/// A module of one routine. Our function counts its calls and answers 77.
struct Place {
    store: Store<u32>,
    instance: Instance,
    memory: Memory,
    arity: (usize, bool),
}

impl Place {
    fn new(routine: Routine) -> Self {
        let arity = routine.shape();
        let mut types = TypeSection::new();
        let results = core::iter::repeat_n(ValType::I32, usize::from(arity.1));
        types
            .ty()
            .function(core::iter::repeat_n(ValType::I32, arity.0), results);
        let mut imports = ImportSection::new();
        imports.import("host", "answer", EntityType::Function(0));
        let mut functions = FunctionSection::new();
        functions.function(0);
        let mut memories = MemorySection::new();
        memories.memory(MemoryType {
            minimum: 1,
            maximum: None,
            memory64: false,
            shared: false,
            page_size_log2: None,
        });
        let mut exports = ExportSection::new();
        exports.export("routine", ExportKind::Func, 1);
        exports.export("memory", ExportKind::Memory, 0);
        let mut code = CodeSection::new();
        code.function(&short::body(routine, 0));
        let mut module = Module::new();
        module
            .section(&types)
            .section(&imports)
            .section(&functions)
            .section(&memories)
            .section(&exports)
            .section(&code);
        let engine = Engine::default();
        let module = wasmi::Module::new(&engine, module.finish()).expect("the body is valid");
        let mut store = Store::new(&engine, 0);
        let mut linker = Linker::new(&engine);
        let count = |mut caller: Caller<'_, u32>| *caller.data_mut() += 1;
        let linked = match arity {
            (1, false) => {
                linker.func_wrap("host", "answer", move |c: Caller<'_, u32>, _: i32| count(c))
            }
            (2, false) => linker.func_wrap(
                "host",
                "answer",
                move |c: Caller<'_, u32>, _: i32, _: i32| count(c),
            ),
            (3, false) => linker.func_wrap(
                "host",
                "answer",
                move |c: Caller<'_, u32>, _: i32, _: i32, _: i32| count(c),
            ),
            (1, true) => linker.func_wrap("host", "answer", move |c: Caller<'_, u32>, _: i32| {
                count(c);
                77
            }),
            _ => linker.func_wrap(
                "host",
                "answer",
                move |c: Caller<'_, u32>, _: i32, _: i32| {
                    count(c);
                    77
                },
            ),
        };
        linked.expect("the shape is the import's");
        let instance = linker
            .instantiate_and_start(&mut store, &module)
            .expect("it starts");
        let memory = instance
            .get_memory(&store, "memory")
            .expect("it is exported");
        Self {
            store,
            instance,
            memory,
            arity,
        }
    }

    /// The head at `TO` and the result after a call on these heads; none if our function was called.
    fn run(&mut self, a: u64, b: u64) -> Option<(u64, i32)> {
        *self.store.data_mut() = 0;
        let bytes = self.memory.data_mut(&mut self.store);
        bytes[..WRITTEN].fill(0xee);
        bytes[A as usize..][..8].copy_from_slice(&a.to_le_bytes());
        bytes[B as usize..][..8].copy_from_slice(&b.to_le_bytes());
        let places = match self.arity {
            (_, true) => [A, B, 0],
            _ => [TO, A, B],
        };
        let arguments = places[..self.arity.0]
            .iter()
            .map(|place| wasmi::Val::I32(place.cast_signed()));
        let arguments: Vec<wasmi::Val> = arguments.collect();
        let mut results = vec![wasmi::Val::I32(0); usize::from(self.arity.1)];
        let function = self
            .instance
            .get_func(&self.store, "routine")
            .expect("it is exported");
        function
            .call(&mut self.store, &arguments, &mut results)
            .expect("nothing traps");
        let bytes = self.memory.data(&self.store);
        let others = (0..WRITTEN).filter(|i| !(TO as usize..TO as usize + 8).contains(i));
        let is_input = |i: usize| {
            [A, B]
                .iter()
                .any(|place| (*place as usize..*place as usize + 8).contains(&i))
        };
        assert!(
            others.filter(|i| !is_input(*i)).all(|i| bytes[i] == 0xee),
            "nothing else is written"
        );
        let head = u64::from_le_bytes(bytes[TO as usize..][..8].try_into().expect("8 bytes"));
        let result = results.first().and_then(wasmi::Val::i32).unwrap_or(0);
        (*self.store.data() == 0).then_some((head, result))
    }
}

/// The value that a head is of.
fn value_of(head: u64) -> u64 {
    head & !(0x4000_0000 << 32)
}

fn is_short(head: u64) -> bool {
    value_of(head) < 1 << 31
}

#[test]
fn short_values_have_the_results_of_the_operations() {
    for (number, routine) in ROUTINES {
        let mut place = Place::new(routine);
        let mut answered = 0;
        for a in HEADS {
            for b in HEADS {
                let found = place.run(a, b);
                let is_unary = match routine {
                    Routine::Apply(operation) => operation.is_unary(),
                    Routine::IsTrue | Routine::ToIndex | Routine::ToLong => true,
                    Routine::Divide | Routine::Equal => false,
                };
                if !is_short(a) || (!is_unary && !is_short(b)) {
                    assert_eq!(found, None, "routine {number}: {a:x}, {b:x}");
                    continue;
                }
                let Some((head, result)) = found else {
                    continue;
                };
                answered += 1;
                let (a, b) = (value_of(a), value_of(b));
                let (x, y) = (Fr::from_u64(a), Fr::from_u64(b));
                match routine {
                    Routine::Apply(operation) => {
                        let expected = operation.apply_vartime(x, y).map(Integer::from);
                        assert_eq!(
                            Some(Integer::from_u64(head)),
                            expected,
                            "{operation:?}: {a}, {b}"
                        );
                        assert!(head < 1 << 31);
                    }
                    Routine::IsTrue => assert_eq!(result, i32::from(a != 0)),
                    Routine::ToIndex => assert_eq!(result.cast_unsigned(), to_index_vartime(x)),
                    Routine::Equal => assert_eq!(result, i32::from(a == b)),
                    Routine::Divide | Routine::ToLong => panic!("these are ours"),
                }
            }
        }
        let ours = [
            Operation::Neg,
            Operation::Inverse,
            Operation::Pow,
            Operation::BitNot,
        ];
        let is_ours = match routine {
            Routine::Apply(operation) => {
                ours.contains(&operation) || matches!(operation, Operation::And | Operation::Or)
            }
            Routine::Divide | Routine::ToLong => true,
            _ => false,
        };
        assert_eq!(
            answered == 0,
            is_ours,
            "routine {number}: {answered} answers"
        );
    }
}
