//! Places in a list of jobs, as clients have them: sealed, as a number would tell how many jobs other tokens have made.
//!
//! The key is drawn by each process: a cursor is good until the server ends.

use frumious_app::failure::Failure;

use super::Jobs;
use crate::seal::Seal;
use crate::tokens::Owner;

/// Seals and opens the cursors of this process.
pub struct Cursors(Seal);

impl Cursors {
    /// Under a new key.
    ///
    /// # Errors
    /// If the operating system has no random bytes.
    pub fn new() -> Result<Self, Failure> {
        Seal::drawn().map(Self)
    }

    /// The cursor of a job's number, for its reader: hexadecimal digits.
    ///
    /// # Errors
    /// As [`Cursors::new`].
    pub fn seal(&self, reader: &str, number: i64) -> Result<String, Failure> {
        let sealed = self.0.seal(reader, &number.to_le_bytes())?;
        Ok(sealed.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// The number, if this process made the cursor for that reader.
    pub fn open(&self, reader: &str, cursor: &str) -> Option<i64> {
        let digit = |byte: u8| char::from(byte).to_digit(16);
        let (pairs, rest) = cursor.as_bytes().as_chunks::<2>();
        let bytes = pairs
            .iter()
            .map(|&[high, low]| Some((digit(high)? << 4 | digit(low)?) as u8));
        let sealed = rest.is_empty().then(|| bytes.collect::<Option<Vec<u8>>>());
        let opened = self.0.open(reader, &sealed??)?;
        Some(i64::from_le_bytes(opened.as_slice().try_into().ok()?))
    }
}

impl Jobs {
    /// The cursor of a job in a list of `owner`'s.
    ///
    /// # Errors
    /// A [`Failure`] if the operating system has no random bytes.
    pub fn cursor(&self, owner: &Owner, number: i64) -> Result<String, Failure> {
        self.cursors.seal(&owner.name, number)
    }

    /// The number of the job that a cursor of `owner`'s is of; none if this process did not make it.
    pub fn number(&self, owner: &Owner, cursor: &str) -> Option<i64> {
        self.cursors.open(&owner.name, cursor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_tells_its_number_to_its_server_alone() {
        let [ours, others] = [(); 2].map(|()| Cursors::new().expect("random bytes"));
        let sealed = |number| ours.seal("a", number).expect("random bytes");
        let cursor = sealed(7);
        assert_eq!(ours.open("a", &cursor), Some(7));
        assert_eq!(ours.open("b", &cursor), None);
        assert_eq!(others.open("a", &cursor), None);
        assert_ne!(cursor, sealed(7), "it tells that nothing was made between");
        assert_eq!(cursor.len(), sealed(i64::MAX).len());
        for wrong in [
            "",
            "7",
            "é",
            "zz",
            &cursor[1..],
            &cursor[2..],
            &format!("{cursor}00"),
        ] {
            assert_eq!(ours.open("a", wrong), None, "{wrong}");
        }
    }
}
