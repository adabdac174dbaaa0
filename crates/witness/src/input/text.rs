//! The pieces of a JSON text whose form has been checked.
//!
//! No piece is gone over twice. Strings are made in place: no copy of one is left in memory.

use zeroize::Zeroizing;

/// The rest of a text.
pub(super) struct Text<'a>(&'a str);

impl<'a> Text<'a> {
    /// All of a text, which is JSON but for halves of pairs of surrogates.
    pub(super) fn new(text: &'a str) -> Self {
        Self(text)
    }

    /// The byte that comes next.
    pub(super) fn first(&self) -> Option<u8> {
        self.0.as_bytes().first().copied()
    }

    pub(super) fn skip_blanks(&mut self) {
        self.0 = self.0.trim_start_matches([' ', '\t', '\n', '\r']);
    }

    /// Skips a byte of ASCII; false if another comes next.
    pub(super) fn skip(&mut self, byte: u8) -> bool {
        let rest = self.0.strip_prefix(char::from(byte));
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    /// Calls `read` at each item of an array or an object, up to its `end`.
    pub(super) fn items(
        &mut self,
        end: u8,
        mut read: impl FnMut(&mut Self) -> Result<(), String>,
    ) -> Result<(), String> {
        self.cut(1);
        loop {
            self.skip_blanks();
            if self.skip(end) || self.0.is_empty() {
                return Ok(());
            }
            read(self)?;
            self.skip_blanks();
            self.skip(b',');
        }
    }

    /// A number, or `true`, `false`, `null`.
    pub(super) fn word(&mut self) -> &'a str {
        let is_end = |byte: u8| matches!(byte, b',' | b']' | b'}' | b' ' | b'\t' | b'\n' | b'\r');
        let end = self.0.bytes().position(is_end);
        self.cut(end.unwrap_or(self.0.len()))
    }

    /// A string, without its quotes and escapes.
    ///
    /// # Errors
    /// For half a pair of surrogates: all else was checked. No place is told, which would be one in the rest.
    pub(super) fn string(&mut self) -> Result<Zeroizing<String>, String> {
        self.skip(b'"');
        let mut is_escaped = false;
        let length = self.0.bytes().position(|byte| {
            let is_end = byte == b'"' && !is_escaped;
            is_escaped = byte == b'\\' && !is_escaped;
            is_end
        });
        let piece = self.cut(length.unwrap_or(self.0.len()));
        self.skip(b'"');
        unescaped(piece).ok_or_else(|| "a string with half a pair of surrogates".into())
    }

    fn cut(&mut self, length: usize) -> &'a str {
        let (piece, rest) = self.0.split_at(length.min(self.0.len()));
        self.0 = rest;
        piece
    }
}

/// A string's text; none if a `\u` has half a pair of surrogates.
fn unescaped(mut piece: &str) -> Option<Zeroizing<String>> {
    // An escape is longer than its character: the text never grows beyond this, and so never moves.
    let mut text = Zeroizing::new(String::with_capacity(piece.len()));
    while let Some((plain, escape)) = piece.split_once('\\') {
        text.push_str(plain);
        let mut rest = escape.chars();
        let character = match rest.next()? {
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let unit = hex(&mut rest)?;
                let units = match unit {
                    0xd800..0xdc00 => {
                        (rest.next()? == '\\' && rest.next()? == 'u').then_some(())?;
                        [unit, hex(&mut rest)?]
                    }
                    _ => [unit, 0],
                };
                char::decode_utf16(units).next()?.ok()?
            }
            itself => itself,
        };
        text.push(character);
        piece = rest.as_str();
    }
    text.push_str(piece);
    Some(text)
}

/// Four hexadecimal digits.
fn hex(rest: &mut std::str::Chars<'_>) -> Option<u16> {
    (0..4).try_fold(0, |unit, _| {
        Some(unit << 4 | rest.next()?.to_digit(16)? as u16)
    })
}
