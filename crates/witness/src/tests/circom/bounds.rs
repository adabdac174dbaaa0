//! Modules that would run for ever, or take all memory.

use super::*;

/// Its assertions are not what keeps a loop from going on for ever.
#[test]
fn a_rehearsal_keeps_to_its_time() {
    let Some(wasm) = module("multiplier", "") else {
        return;
    };
    let endless = [
        Instruction::Loop(wasm_encoder::BlockType::Empty),
        Instruction::Br(0),
        Instruction::End,
    ];
    let wasm = with_code(&wasm, run_body(&wasm), &endless, false);
    let compiled = CompiledModule::to_rehearse(&wasm).expect("its routines are circom's");
    let limits = Limits {
        time: std::time::Duration::from_millis(300),
        ..Limits::default()
    };
    let calculator = WitnessCalculator::new(compiled, limits).expect("it starts");
    let rehearsed = calculator.rehearse_over::<Bn254>();
    assert!(
        matches!(rehearsed, Err(Error::Stopped(_))),
        "{:?}",
        rehearsed.err()
    );
}

/// An operation that takes as long as thousands of instructions does not delay the look at the clock as many times.
#[test]
fn slow_operations_are_stopped_in_time() {
    let Some(wasm) = module("multiplier", "") else {
        return;
    };
    let (imports, _) = counts(&wasm);
    let call = |routine| Instruction::Call(imports + routine);
    let [to, two_words, large, one] = [320, 240, 160, 80].map(Instruction::I32Const);
    let at = |offset| MemArg {
        offset,
        align: 3,
        memory_index: 0,
    };
    let store = |place: &Instruction<'static>, offset, word| {
        [
            place.clone(),
            Instruction::I64Const(word),
            Instruction::I64Store(at(offset)),
        ]
    };
    // The largest number of the field, by the routine that negates; and 2^64 + 1, of which quotients are longest.
    let operands = [
        &store(&one, 0, 1)[..],
        &[large.clone(), one, call(41)],
        &store(&two_words, 0, i64::MIN), // a long value
        &store(&two_words, 8, 1),
        &store(&two_words, 16, 1),
        &store(&two_words, 24, 0),
        &store(&two_words, 32, 0),
    ]
    .concat();
    for (name, routine, second) in [
        ("power", 59, &large),
        ("division", DIVIDE, &large),
        ("remainder", 56, &large),
        ("remainder by two words", 56, &two_words),
        ("quotient by two words", 55, &two_words),
        ("product", 54, &large),
        ("sum", 44, &large),
    ] {
        let forever = [
            Instruction::Loop(wasm_encoder::BlockType::Empty),
            to.clone(),
            large.clone(),
            second.clone(),
            call(routine),
            Instruction::Br(0),
            Instruction::End,
        ];
        let code = [&operands[..], &forever].concat();
        let wasm = with_code(&wasm, run_body(&wasm), &code, false);
        let compiled = CompiledModule::new(&wasm).expect("its routines are circom's");
        let limits = Limits {
            time: std::time::Duration::from_millis(100),
            ..Limits::default()
        };
        let start = worked();
        let calculator = WitnessCalculator::new(compiled, limits).expect("it starts");
        let stopped = calculator.calculate(&given(&json!({"a": 3, "b": 4})));
        let Err(Error::Stopped(_)) = stopped else {
            panic!("{name}: {:?}", stopped.err());
        };
        let worked = worked() - start;
        assert!(worked < 15 * limits.time, "{name}: {worked:?}");
    }
}

/// A table of inputs that tells of two thousand million values, and a module that agrees.
#[test]
fn a_rehearsal_takes_no_more_inputs_than_memory_is_for() {
    let Some(mut wasm) = module("multiplier", "") else {
        return;
    };
    let many = 1_u32 << 31;
    let (_, data) = places(&wasm);
    let (_, start, _) = data
        .into_iter()
        .find(|(.., length)| *length == 4096)
        .expect("the table");
    let mut slots = (0..256).map(|slot| start + slot * 16);
    let first = slots.find(|slot| wasm[*slot..slot + 8] != [0; 8]);
    let count = first.expect("a signal") + 12;
    wasm[count..count + 4].copy_from_slice(&(many - 1).to_le_bytes());
    let (_, body) = exported(&wasm, "getInputSize");
    let size = [Instruction::I32Const(many.cast_signed()), Instruction::End];
    let wasm = with_code(&wasm, body, &size, true);
    let compiled = CompiledModule::to_rehearse(&wasm).expect("its routines are circom's");
    let calculator = WitnessCalculator::new(compiled, Limits::default()).expect("it starts");
    assert_eq!(calculator.input_size(), many);
    assert!(
        crate::InputTable::in_module(&wasm, many.into()).is_some(),
        "it is a table"
    );
    assert!(matches!(calculator.rehearse_over::<Bn254>(), Ok(None)));
}

/// A recording may take as much memory as the module; one that would take more is given up.
#[test]
fn a_recording_takes_no_more_memory_than_the_module_may() {
    let Some(wasm) = module("multiplier", "") else {
        return;
    };
    let (imports, _) = counts(&wasm);
    let [first, second, large, one, count] = [400, 320, 240, 160, 80].map(Instruction::I32Const);
    let memory = MemArg {
        offset: 0,
        align: 2,
        memory_index: 0,
    };
    let sum = |to: &Instruction<'static>, a: &Instruction<'static>| {
        let add = Instruction::Call(imports + 44);
        [to.clone(), a.clone(), large.clone(), add]
    };
    let with_sums = |times: i32| {
        let mut code = vec![
            one.clone(),
            Instruction::I64Const(1),
            Instruction::I64Store(memory),
        ];
        code.extend([large.clone(), one.clone(), Instruction::Call(imports + 41)]);
        code.push(Instruction::Loop(wasm_encoder::BlockType::Empty));
        code.extend(sum(&first, &second));
        code.extend(sum(&second, &first));
        code.extend([count.clone(), count.clone(), Instruction::I32Load(memory)]);
        code.extend([Instruction::I32Const(1), Instruction::I32Add]);
        code.extend([
            Instruction::I32Store(memory),
            count.clone(),
            Instruction::I32Load(memory),
        ]);
        code.extend([Instruction::I32Const(times), Instruction::I32LtU]);
        code.extend([Instruction::BrIf(0), Instruction::End]);
        with_code(&wasm, run_body(&wasm), &code, false)
    };
    let limits = Limits {
        memory_bytes: 140 << 20, // circom's modules ask for 128 MiB
        ..Limits::default()
    };
    for (times, is_recorded) in [(1000, true), (1_500_000, false)] {
        let compiled = CompiledModule::to_record(&with_sums(times)).expect("circom's routines");
        let calculator = WitnessCalculator::new(compiled, limits).expect("it starts");
        let recorded = calculator.record_over::<Bn254>(&given(&json!({"a": 3, "b": 4})), None);
        let (witness, run) = recorded.expect("it is a witness");
        assert_eq!(words(&witness)[1], [12, 0, 0, 0]);
        assert_eq!(run.is_some(), is_recorded, "{times}");
    }
}
