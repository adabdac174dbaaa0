//! Integers of variable length: seven bits a byte, the least significant first, the top bit set where more follow
//! (LEB128).

/// Appends `value`.
pub fn write(code: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        code.push(value as u8 | 0x80);
        value >>= 7;
    }
    code.push(value as u8);
}

/// Appends the way from `from` to `to`: small integers for short ways of either sign.
pub fn write_step(code: &mut Vec<u8>, from: u32, to: u32) {
    let step = to.wrapping_sub(from).cast_signed();
    write(code, (step << 1 ^ step >> 31).cast_unsigned());
}

/// Reads what was written, from the beginning of `code` or a place where an integer ended.
#[derive(Clone, Copy)]
pub struct Reader<'c> {
    pub code: &'c [u8],
    pub place: usize,
}

impl Reader<'_> {
    /// True if everything was read.
    pub fn is_at_end(&self) -> bool {
        self.place == self.code.len()
    }

    /// The next integer.
    #[inline]
    pub fn read(&mut self) -> u32 {
        let mut value = 0;
        let mut shift = 0;
        loop {
            let byte = self.code[self.place];
            self.place += 1;
            value |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return value;
            }
            shift += 7;
        }
    }

    /// Where a way from `from` leads.
    #[inline]
    pub fn read_step(&mut self, from: u32) -> u32 {
        let folded = self.read();
        from.wrapping_add(folded >> 1 ^ (folded & 1).wrapping_neg())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_and_steps_come_back() {
        let edges = [
            0,
            1,
            0x7f,
            0x80,
            0x3fff,
            0x4000,
            1 << 31,
            u32::MAX - 1,
            u32::MAX,
        ];
        let mut code = Vec::new();
        for from in edges {
            write(&mut code, from);
            edges.iter().for_each(|to| write_step(&mut code, from, *to));
        }
        let mut reader = Reader {
            code: &code,
            place: 0,
        };
        for from in edges {
            assert_eq!(reader.read(), from);
            edges
                .iter()
                .for_each(|to| assert_eq!(reader.read_step(from), *to));
        }
        assert!(reader.is_at_end());
    }

    #[test]
    fn short_ways_take_a_byte() {
        for (from, to) in [(1000, 1000), (1000, 1063), (1000, 937), (0, 63)] {
            let mut code = Vec::new();
            write_step(&mut code, from, to);
            assert_eq!(code.len(), 1, "{from} to {to}");
        }
    }
}
