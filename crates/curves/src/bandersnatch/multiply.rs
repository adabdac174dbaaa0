//! Multiplication of one element by one scalar.

use super::{Element, Fr};
use frumious_field::{Choice, ConditionallySelectable, ConstantTimeEq};

/// Bits of a window.
const WINDOW: usize = 5;
/// Windows of a scalar of 253 bits and a carry: `5·51 = 255`.
const WINDOWS: usize = 51;
/// Entries of the table: the multiples 0 to 16.
const ENTRIES: usize = (1 << (WINDOW - 1)) + 1;

impl Element {
    /// `scalar·self` in constant time: 255 doublings and 51 additions from a table of 17 multiples that is read whole each time.
    pub fn mul(&self, scalar: &Fr) -> Self {
        let table = self.multiples();
        let mut sum = Self::IDENTITY;
        for digit in signed_windows(scalar).iter().rev() {
            sum = sum.double_window().add(&lookup(&table, *digit));
        }
        sum
    }

    /// `scalar·self`; time depends on the scalar.
    pub fn mul_vartime(&self, scalar: &Fr) -> Self {
        let table = self.multiples();
        let mut digits = signed_windows(scalar)
            .into_iter()
            .rev()
            .skip_while(|digit| *digit == 0);
        let Some(first) = digits.next() else {
            return Self::IDENTITY;
        };
        digits.fold(select_vartime(&table, first), |sum, digit| {
            let sum = sum.double_window();
            if digit == 0 {
                sum
            } else {
                sum.add(&select_vartime(&table, digit))
            }
        })
    }

    fn multiples(&self) -> [Self; ENTRIES] {
        let mut table = [Self::IDENTITY; ENTRIES];
        table[1] = *self;
        for i in 2..ENTRIES {
            table[i] = if i % 2 == 0 {
                table[i / 2].double()
            } else {
                table[i - 1].add(self)
            };
        }
        table
    }

    /// `2^WINDOW·self`; only the last doubling needs T.
    fn double_window(&self) -> Self {
        let mut point = self.extended().projective();
        for _ in 1..WINDOW {
            point = point.double();
        }
        Self::from_extended(point.double_extended())
    }

    fn negate_if(&self, choice: Choice) -> Self {
        Self::conditional_select(self, &self.neg(), choice)
    }
}

/// `digit·base`, reading every entry.
fn lookup(table: &[Element; ENTRIES], digit: i8) -> Element {
    let sign = digit >> 7;
    let magnitude = ((digit ^ sign) - sign) as u8;
    let mut entry = Element::IDENTITY;
    for (i, candidate) in table.iter().enumerate() {
        entry.conditional_assign(candidate, (i as u8).ct_eq(&magnitude));
    }
    entry.negate_if(Choice::from((sign & 1) as u8))
}

fn select_vartime(table: &[Element; ENTRIES], digit: i8) -> Element {
    let entry = table[digit.unsigned_abs() as usize];
    if digit < 0 { entry.neg() } else { entry }
}

/// Digits in `-16..=15` of base 32, least significant first, that add up to the scalar. Time: constant.
fn signed_windows(scalar: &Fr) -> [i8; WINDOWS] {
    let bytes = scalar.to_le_bytes();
    let bits = |at: usize| {
        let low = u16::from(bytes[at / 8]);
        let high = if at / 8 + 1 < 32 {
            u16::from(bytes[at / 8 + 1])
        } else {
            0
        };
        ((high << 8 | low) >> (at % 8) & 31) as i8
    };
    let mut carry = 0;
    core::array::from_fn(|window| {
        let digit = bits(WINDOW * window) + carry; // at most 32
        carry = (digit + 16) >> 5;
        digit - (carry << 5)
    })
}
