//! `Block`: memory in kernel form that leaves nothing behind.

use frumious_field::{Field, KernelField};

/// A buffer wiped when dropped, since what is transformed may be a secret witness.
pub(super) struct Block<V: KernelField> {
    pub values: Vec<V>,
    cpu: V::Cpu,
}

impl<V: KernelField> Block<V> {
    /// `len` zeros.
    pub fn new(cpu: V::Cpu, len: usize) -> Self {
        let zero = V::load(cpu, V::Scalar::ZERO);
        Self {
            values: vec![zero; len],
            cpu,
        }
    }
}

impl<V: KernelField> Drop for Block<V> {
    fn drop(&mut self) {
        self.values.fill(V::load(self.cpu, V::Scalar::ZERO));
        // As far as the compiler knows the zeros are read here, so it may not leave them out.
        core::hint::black_box(&self.values);
    }
}
