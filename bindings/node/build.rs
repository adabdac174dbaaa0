//! Tells the linker that Node's functions are in the program that loads the addon.

fn main() {
    napi_build::setup();
}
