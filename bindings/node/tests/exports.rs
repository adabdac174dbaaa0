//! The library as Node finds it. It is built with this test, and interop/test/node.test.js calls it.

use frumious_testing::symbols::{exported, library};

/// Node looks for this one, and no other symbol can clash with another addon's.
#[test]
fn the_library_exports_what_node_looks_for_and_nothing_else() {
    let library = library("libfrumious_node.so");
    assert_eq!(exported(&library), ["napi_register_module_v1"]);
}
