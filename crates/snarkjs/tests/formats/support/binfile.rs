//! Takes a valid file apart, so that a test can put it together wrongly.

/// The parts of a container of sections.
#[derive(Clone)]
pub struct Binfile {
    pub magic: [u8; 4],
    pub version: u32,
    pub sections: Vec<(u32, Vec<u8>)>,
}

impl Binfile {
    pub fn parse(bytes: &[u8]) -> Self {
        let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        let mut sections = Vec::new();
        let mut at = 12;
        for _ in 0..u32_at(8) {
            let length = u64::from_le_bytes(bytes[at + 4..at + 12].try_into().unwrap()) as usize;
            sections.push((u32_at(at), bytes[at + 12..at + 12 + length].to_vec()));
            at += 12 + length;
        }
        Self {
            magic: bytes[..4].try_into().unwrap(),
            version: u32_at(4),
            sections,
        }
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.magic.to_vec();
        bytes.extend(self.version.to_le_bytes());
        bytes.extend((self.sections.len() as u32).to_le_bytes());
        for (id, payload) in &self.sections {
            bytes.extend(id.to_le_bytes());
            bytes.extend((payload.len() as u64).to_le_bytes());
            bytes.extend(payload);
        }
        bytes
    }

    pub fn ids(&self) -> Vec<u32> {
        self.sections.iter().map(|(id, _)| *id).collect()
    }

    /// Where the payload of section `id` starts in the file.
    pub fn offset(&self, id: u32) -> usize {
        let before = self.sections.iter().take_while(|(other, _)| *other != id);
        12 + before.map(|(_, payload)| 12 + payload.len()).sum::<usize>() + 12
    }

    pub fn payload(&mut self, id: u32) -> &mut Vec<u8> {
        let section = self.sections.iter_mut().find(|(other, _)| *other == id);
        &mut section.unwrap().1
    }

    /// The file with `bytes` written over the payload of section `id` from `at`.
    pub fn with(&self, id: u32, at: usize, bytes: impl AsRef<[u8]>) -> Vec<u8> {
        let mut copy = self.clone();
        let bytes = bytes.as_ref();
        copy.payload(id)[at..at + bytes.len()].copy_from_slice(bytes);
        copy.to_bytes()
    }

    pub fn without(&self, id: u32) -> Vec<u8> {
        let mut copy = self.clone();
        copy.sections.retain(|(other, _)| *other != id);
        copy.to_bytes()
    }

    /// The file with section `id` once more at the end.
    pub fn with_duplicate(&self, id: u32) -> Vec<u8> {
        let mut copy = self.clone();
        let again = copy.payload(id).clone();
        copy.sections.push((id, again));
        copy.to_bytes()
    }

    /// The file with the payload of section `id` cut or filled with zeros to `length`.
    pub fn with_length(&self, id: u32, length: usize) -> Vec<u8> {
        let mut copy = self.clone();
        copy.payload(id).resize(length, 0);
        copy.to_bytes()
    }

    /// The file whose frame of section `id` says `length`, with the same payload.
    pub fn with_lie(&self, id: u32, length: u64) -> Vec<u8> {
        let frame = self.offset(id) - 8;
        let mut bytes = self.to_bytes();
        bytes[frame..frame + 8].copy_from_slice(&length.to_le_bytes());
        bytes
    }
}
