//! Values that a condition chooses: recorded for both answers, so that the condition needs no guard.

use frumious_tape::{Operation, TapeField, Value};

use super::{Recorder, too_long};
use crate::native::{Halt, overlap};

/// The addresses of a quotient that is wanted for one answer to a condition.
#[derive(Clone, Copy)]
pub(crate) struct Division {
    /// The place for the quotient, or for the other value.
    pub(crate) to: u32,
    pub(crate) dividend: u32,
    pub(crate) divisor: u32,
    /// The place of the quotient on its way.
    pub(crate) quotient: u32,
    /// The other value.
    pub(crate) other: u32,
    /// True if the quotient is for a condition that is true.
    pub(crate) is_of_true: bool,
}

/// The answer to a condition that decides a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// The value is written.
    Written,
    /// The condition's truth, by which the module goes on.
    Decided(bool),
}

impl<F: TapeField> Recorder<F> {
    /// Writes one value if a condition is true, another if it is not. Without a value that can be had for both, the
    /// condition's truth.
    pub(crate) fn choose(
        &mut self,
        memory: &mut [u8],
        condition: u32,
        [to, then, otherwise]: [u32; 3],
    ) -> Result<Choice, Halt> {
        self.is_setting = false;
        let condition = self.get(memory, condition)?;
        if !condition.is_constant()
            && let (Ok(then), Ok(otherwise)) = (self.get(memory, then), self.get(memory, otherwise))
        {
            let chosen = self.recording.choose(condition, then, otherwise);
            self.put(memory, to, chosen.map_err(too_long)?)?;
            return Ok(Choice::Written);
        }
        Ok(Choice::Decided(self.recording.truth(condition)))
    }

    /// As [`Recorder::choose`], where one value is a quotient and the other zero.
    pub(crate) fn choose_quotient(
        &mut self,
        memory: &mut [u8],
        condition: u32,
        division: &Division,
    ) -> Result<Choice, Halt> {
        self.is_setting = false;
        let condition = self.get(memory, condition)?;
        let Division { to, quotient, .. } = *division;
        if !condition.is_constant()
            && let Some([dividend, divisor]) = self.quotient(memory, condition, division)
        {
            let inverse = self.node(Operation::Inverse, divisor, divisor)?; // of zero it is zero
            let value = self.node(Operation::Mul, dividend, inverse)?;
            self.put(memory, to, value)?;
            // It would be there in one case only. Who reads it ends the recording.
            self.put(memory, quotient, Value::from_number(NO_VALUE))?;
            return Ok(Choice::Written);
        }
        Ok(Choice::Decided(self.recording.truth(condition)))
    }

    /// Dividend and divisor, if the quotient is wanted where the divisor is not zero, and else a zero.
    fn quotient(
        &mut self,
        memory: &[u8],
        condition: Value,
        division: &Division,
    ) -> Option<[Value; 2]> {
        let Division {
            to,
            dividend,
            divisor,
            quotient,
            other,
            is_of_true,
        } = *division;
        let places = [to, dividend, divisor, other];
        if places.into_iter().any(|place| overlap(quotient, place)) {
            return None;
        }
        let mut value = |place: u32| self.get(memory, place).ok();
        let [dividend, divisor, other] = [value(dividend)?, value(divisor)?, value(other)?];
        let recording = &self.recording;
        let is_test = match is_of_true {
            true => recording.is_test_of(condition, divisor),
            false => recording.is_test_of_zero(condition, divisor),
        };
        let is_zero = other.is_constant() && recording.value(other).is_zero_vartime();
        (is_test && is_zero).then_some([dividend, divisor])
    }
}

/// The number of no value: of a constant beyond all that a recording may have.
const NO_VALUE: u32 = (1 << 31) - 1;
