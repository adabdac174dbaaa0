//! Values that a condition chooses, recorded once and replayed for both answers.

use frumious_curves::bn254::Fr;
use frumious_field::Integer;
use frumious_tape::{Operation, Replayer, Tape, Value};

use crate::native::{Halt, VALUE};
use crate::recorder::{Choice, Division, Recorder};

/// Places of values in the memory.
const SHARED: u32 = 0;
const ZERO: u32 = 40;
const ONE: u32 = 80;
const X: u32 = 120;
const Y: u32 = 160;
const CONDITION: u32 = 200;
const SCRATCH: u32 = 240;
const TO: u32 = 280;

fn small(value: u64) -> Fr {
    Fr::from_u64(value)
}

/// A recorder of two inputs, and its memory with them at [`X`] and [`Y`].
fn begin(inputs: [Fr; 2]) -> (Recorder<Fr>, Vec<u8>) {
    let mut memory = vec![0; 400];
    memory[ONE as usize] = 1;
    let mut recorder = Recorder::new(&inputs, SHARED).expect("two are few");
    for (index, place) in [X, Y].into_iter().enumerate() {
        recorder.set_input(&mut memory, index).expect("it is there");
        memory.copy_within(..VALUE, place as usize);
    }
    (recorder, memory)
}

/// The node at a place, told as the module tells a result.
fn at(recorder: &mut Recorder<Fr>, memory: &mut [u8], place: u32) -> Result<Value, Halt> {
    memory.copy_within(place as usize..place as usize + VALUE, SHARED as usize);
    recorder.ready(SHARED)?;
    recorder.shared(memory)
}

fn division(is_of_true: bool) -> Division {
    Division {
        to: TO,
        dividend: Y,
        divisor: X,
        quotient: SCRATCH,
        other: ZERO,
        is_of_true,
    }
}

fn replayed(recorder: Recorder<Fr>, result: Value, inputs: [Fr; 2]) -> Option<Fr> {
    let tape = Tape::new(&recorder.finish(), &[result]).expect("it is short");
    let results = Replayer::new().replay(&tape, &inputs).ok()?;
    Some(results[0].to_element())
}

/// Zero, one, the largest, and others.
fn values() -> [Fr; 5] {
    [Fr::ZERO, Fr::ONE, -Fr::ONE, small(2), small(1 << 40)]
}

#[test]
fn a_chosen_value_is_right_for_both_answers() {
    for operation in [Operation::Neq, Operation::Eq, Operation::Lt, Operation::Sub] {
        for (then, otherwise) in [(X, Y), (ONE, ZERO), (ZERO, ONE), (ONE, X), (Y, Y)] {
            for x in values() {
                for y in values() {
                    let (mut recorder, mut memory) = begin([small(7), small(7)]);
                    let compared = [CONDITION, X, Y];
                    recorder
                        .apply(&mut memory, operation, compared)
                        .expect("it is one");
                    let places = [TO, then, otherwise];
                    let chosen = recorder.choose(&mut memory, CONDITION, places);
                    assert_eq!(chosen, Ok(Choice::Written));
                    let result = at(&mut recorder, &mut memory, TO).expect("it is a value");
                    let truth = operation.apply_vartime(x, y).expect("it divides nothing");
                    let of = |place| match place {
                        X => x,
                        Y => y,
                        ONE => Fr::ONE,
                        _ => Fr::ZERO,
                    };
                    let expected = of(if truth == Fr::ZERO { otherwise } else { then });
                    let found = replayed(recorder, result, [x, y]);
                    assert_eq!(found, Some(expected), "{operation:?} {x:?} {y:?}");
                }
            }
        }
    }
}

#[test]
fn a_chosen_quotient_is_zero_for_a_zero() {
    for (operation, is_of_true) in [(Operation::Neq, true), (Operation::Eq, false)] {
        for x in values() {
            for y in values() {
                let (mut recorder, mut memory) = begin([small(3), small(4)]);
                let compared = [CONDITION, X, ZERO];
                recorder
                    .apply(&mut memory, operation, compared)
                    .expect("it is one");
                let division = division(is_of_true);
                let chosen = recorder.choose_quotient(&mut memory, CONDITION, &division);
                assert_eq!(chosen, Ok(Choice::Written));
                let result = at(&mut recorder, &mut memory, TO).expect("it is a value");
                let expected = match Option::<Fr>::from(x.invert()) {
                    Some(inverse) => y * inverse,
                    None => Fr::ZERO,
                };
                assert_eq!(replayed(recorder, result, [x, y]), Some(expected));
            }
        }
    }
}

/// It is there for one answer only: what a module does with it would depend on the inputs.
#[test]
fn the_place_of_a_quotient_on_its_way_cannot_be_read() {
    let (mut recorder, mut memory) = begin([small(3), small(4)]);
    let compared = [CONDITION, X, ZERO];
    recorder
        .apply(&mut memory, Operation::Neq, compared)
        .expect("it is one");
    let chosen = recorder.choose_quotient(&mut memory, CONDITION, &division(true));
    assert_eq!(chosen, Ok(Choice::Written));
    assert_eq!(
        at(&mut recorder, &mut memory, SCRATCH),
        Err(Halt::RawAccess)
    );
    let sum = [Y + 160, SCRATCH, X];
    let read = recorder.apply(&mut memory, Operation::Add, sum);
    assert_eq!(read, Err(Halt::RawAccess));
    for offset in 0..VALUE as u32 {
        let loaded = recorder.load(&memory, SCRATCH, offset, 1);
        assert_eq!(loaded, Err(Halt::RawAccess), "{offset}");
    }
    // A copy of it is no better.
    memory.copy_within(SCRATCH as usize..SCRATCH as usize + VALUE, 360);
    assert_eq!(recorder.is_true(&memory, 360), Err(Halt::RawAccess));
}

#[test]
fn conditions_that_choose_no_value_decide() {
    // The condition is not about the divisor.
    let (mut recorder, mut memory) = begin([small(3), small(4)]);
    let compared = [CONDITION, Y, ZERO];
    recorder
        .apply(&mut memory, Operation::Neq, compared)
        .expect("it is one");
    let decided = recorder.choose_quotient(&mut memory, CONDITION, &division(true));
    assert_eq!(decided, Ok(Choice::Decided(true)));
    // It is, but the other way round.
    let compared = [CONDITION, X, ZERO];
    recorder
        .apply(&mut memory, Operation::Eq, compared)
        .expect("it is one");
    let decided = recorder.choose_quotient(&mut memory, CONDITION, &division(true));
    assert_eq!(decided, Ok(Choice::Decided(false)));
    // The other value is not zero.
    let compared = [CONDITION, X, ZERO];
    recorder
        .apply(&mut memory, Operation::Neq, compared)
        .expect("it is one");
    let other = Division {
        other: ONE,
        ..division(true)
    };
    let decided = recorder.choose_quotient(&mut memory, CONDITION, &other);
    assert_eq!(decided, Ok(Choice::Decided(true)));
    // The quotient would lie over what it is of.
    for to in [X, Y, X + 4, TO - 36] {
        let over = Division {
            quotient: to,
            ..division(true)
        };
        let decided = recorder.choose_quotient(&mut memory, CONDITION, &over);
        assert_eq!(decided, Ok(Choice::Decided(true)), "{to}");
    }
    // A constant is the same for all inputs.
    let decided = recorder.choose(&mut memory, ONE, [TO, X, Y]);
    assert_eq!(decided, Ok(Choice::Decided(true)));
    // A value beyond the memory is wanted for one answer only, perhaps for neither.
    let decided = recorder.choose(&mut memory, CONDITION, [TO, X, 1 << 20]);
    assert_eq!(decided, Ok(Choice::Decided(true)));
}

/// An assertion that is assumed to hold is demanded of the inputs.
#[test]
fn what_a_rehearsal_assumes_the_tape_demands() {
    let (mut recorder, mut memory) = begin([small(3), small(4)]);
    let compared = [CONDITION, X, Y];
    recorder
        .apply(&mut memory, Operation::Eq, compared)
        .expect("it is one");
    assert_eq!(recorder.holds(&memory, CONDITION), Ok(true));
    assert_eq!(recorder.holds(&memory, ONE), Ok(true));
    assert_eq!(
        recorder.holds(&memory, ZERO),
        Ok(false),
        "no input makes it hold"
    );
    let result = at(&mut recorder, &mut memory, X).expect("it is a value");
    let tape = Tape::new(&recorder.finish(), &[result]).expect("it is short");
    let replay = |tape: &Tape<Fr>, inputs: [u64; 2]| {
        let results = Replayer::new().replay(tape, &inputs.map(small));
        results.ok().map(|results| results[0])
    };
    assert_eq!(
        replay(&tape, [3, 4]),
        None,
        "not even those that it was made of"
    );
    assert_eq!(replay(&tape, [5, 5]), Some(Integer::from_u64(5)));
    assert_eq!(
        replay(&tape.without_guards(), [3, 4]),
        Some(Integer::from_u64(3))
    );
}
