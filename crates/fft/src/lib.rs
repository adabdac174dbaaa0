#![forbid(unsafe_code)]
//! Frumious: fft.
