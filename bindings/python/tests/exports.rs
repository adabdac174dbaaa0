//! The library as Python finds it. It is built with this test; the others here call it.

use frumious_testing::symbols::{exported, library};

/// Python looks for this one, and no other symbol can clash with another module's.
#[test]
fn the_library_exports_what_python_looks_for_and_nothing_else() {
    assert_eq!(
        exported(&library("libfrumious_python.so")),
        ["PyInit__native"]
    );
}
