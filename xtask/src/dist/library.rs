//! The C library as it is installed below a prefix.
//!
//! The static form is one object, in which all symbols but those of the headers are local. A program in Rust by
//! another compiler has a standard library too, and links with it nevertheless. The shared form is linked from the
//! static one, with versions on its symbols. Names ending in `rapidsnark` are links, for programs that ask their linker
//! for `-lrapidsnark`.

use std::os::unix::fs::symlink;
use std::path::Path;

use super::build::tool;
use super::{Release, about, copy, output, write};

/// The libraries that Rust's standard library wants beside the C library.
const PRIVATE: &str = "-lpthread -ldl -lm";

/// Fills a folder with `include` and `lib`, from the static form that Cargo has built.
///
/// # Errors
/// A C compiler that is missing or refuses; a file that cannot be read or written.
pub fn fill(release: &Release, built: &Path, folder: &Path) -> Result<(), String> {
    let place = |name: &str| folder.join(name);
    let include = release.root.join("bindings/c/include");
    for entry in std::fs::read_dir(&include).map_err(about(&include))? {
        let header = entry.map_err(about(&include))?;
        copy(
            &header.path(),
            &place("include/frumious").join(header.file_name()),
        )?;
    }
    let archive = place("lib/libfrumious.a");
    one_object(release, built, &archive)?;
    let (major, version) = (
        release.version.split('.').next().unwrap_or("0"),
        &release.version,
    );
    let script = place("version.map");
    write(
        &script,
        format!("FRUMIOUS_{major} {{ global: groth16_*; frumious_*; local: *; }};\n"),
    )?;
    let shared = format!("libfrumious.so.{version}");
    let mut compiler = tool(release, "gcc");
    compiler
        .args([
            "-shared",
            "-Wl,--gc-sections",
            "-Wl,--build-id=none",
            "-Wl,-z,relro,-z,now",
        ])
        .arg(format!("-Wl,-soname,libfrumious.so.{major}"))
        .arg(format!("-Wl,--version-script={}", script.display()))
        .arg("-o")
        .arg(place("lib").join(&shared))
        .arg("-Wl,--whole-archive")
        .arg(&archive)
        .arg("-Wl,--no-whole-archive")
        .args(PRIVATE.split(' '));
    output(&mut compiler)?;
    output(
        tool(release, "strip")
            .arg("--strip-unneeded")
            .arg(place("lib").join(&shared)),
    )?;
    std::fs::remove_file(&script).map_err(about(&script))?;
    for (link, leads) in [
        (format!("libfrumious.so.{major}"), shared.clone()),
        (
            "libfrumious.so".to_owned(),
            format!("libfrumious.so.{major}"),
        ),
        (
            "librapidsnark.so".to_owned(),
            format!("libfrumious.so.{major}"),
        ),
        ("librapidsnark.a".to_owned(), "libfrumious.a".to_owned()),
    ] {
        let link = place("lib").join(link);
        symlink(leads, &link).map_err(about(&link))?;
    }
    write(&place("lib/pkgconfig/frumious.pc"), pkg_config(version))?;
    write(&place("lib/cmake/Frumious/FrumiousConfig.cmake"), CMAKE)?;
    let versions = cmake_versions(version);
    write(
        &place("lib/cmake/Frumious/FrumiousConfigVersion.cmake"),
        versions,
    )?;
    for file in ["LICENSE-APACHE", "LICENSE-MIT", "bindings/c/README.md"] {
        let name = Path::new(file).file_name().unwrap_or_default();
        copy(
            &release.root.join(file),
            &place("share/doc/libfrumious").join(name),
        )?;
    }
    Ok(())
}

/// Patterns of the names that the headers declare.
const DECLARED: [&str; 2] = ["groth16_*", "frumious_*"];

/// Links what the functions of the headers need into one object, and puts it into an archive.
fn one_object(release: &Release, built: &Path, archive: &Path) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (bare, object) = (
        folder.path().join("bare.a"),
        folder.path().join("frumious.o"),
    );
    // LLVM's code of what is there compiled, too: Rust's standard library has it, and by some compilers every object.
    // Binutils would ask the plugin of another LLVM for the symbols of such an object, and find none.
    output(
        tool(release, "objcopy")
            .args(["--remove-section=.llvmbc", "--remove-section=.llvmcmd"])
            .args([built, &bare]),
    )?;
    let symbols = output(
        tool(release, "nm")
            .args(["--defined-only", "-g"])
            .arg(&bare),
    )?;
    let mut linker = tool(release, "ld");
    // A program has groups of the same names, and would get rid of those here.
    linker.args(["-r", "--gc-sections", "--force-group-allocation"]);
    linker.arg("-o").arg(&object);
    let names = symbols.lines().filter_map(|line| line.split(' ').nth(2));
    let starts = DECLARED.map(|pattern| pattern.trim_end_matches('*'));
    for name in names.filter(|name| starts.iter().any(|start| name.starts_with(start))) {
        linker.args(["-u", name]);
    }
    output(linker.arg(&bare))?;
    let mut copier = tool(release, "objcopy");
    copier.args(["--wildcard", "--strip-debug"]);
    for pattern in DECLARED {
        copier.args(["--keep-global-symbol", pattern]);
    }
    output(copier.arg(&object))?;
    if let Some(parent) = archive.parent() {
        std::fs::create_dir_all(parent).map_err(about(parent))?;
    }
    output(tool(release, "ar").arg("rcsD").arg(archive).arg(&object))?;
    Ok(())
}

fn pkg_config(version: &str) -> String {
    format!(
        "prefix=${{pcfiledir}}/../..\n\nName: frumious\nDescription: Groth16 proofs and Verkle cryptography\n\
         Version: {version}\nCflags: -I${{prefix}}/include/frumious\nLibs: -L${{prefix}}/lib -lfrumious\n\
         Libs.private: {PRIVATE}\n"
    )
}

/// For `find_package(Frumious 0.1)`. Before 1.0 each second number breaks what was there.
fn cmake_versions(version: &str) -> String {
    let mut numbers = version.split('.');
    let (major, minor) = (numbers.next(), numbers.next());
    let series = match (major, minor) {
        (Some("0"), Some(minor)) => format!("0\\\\.{minor}"),
        (major, _) => major.unwrap_or_default().to_owned(),
    };
    format!(
        r#"set(PACKAGE_VERSION {version})
if(PACKAGE_FIND_VERSION MATCHES "^{series}(\\.|$)" AND NOT PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
  set(PACKAGE_VERSION_EXACT TRUE)
endif()
"#
    )
}

/// `frumious::frumious` is the shared form, `frumious::static` the static one.
const CMAKE: &str = r#"get_filename_component(_frumious_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET frumious::frumious)
  add_library(frumious::frumious SHARED IMPORTED)
  set_target_properties(frumious::frumious PROPERTIES
    IMPORTED_LOCATION "${_frumious_prefix}/lib/libfrumious.so"
    INTERFACE_INCLUDE_DIRECTORIES "${_frumious_prefix}/include/frumious")
  add_library(frumious::static STATIC IMPORTED)
  set_target_properties(frumious::static PROPERTIES
    IMPORTED_LOCATION "${_frumious_prefix}/lib/libfrumious.a"
    INTERFACE_INCLUDE_DIRECTORIES "${_frumious_prefix}/include/frumious"
    INTERFACE_LINK_LIBRARIES "pthread;dl;m")
endif()
unset(_frumious_prefix)
"#;

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// CMake finds the versions that are compatible, and no other. Skipped, with a message, where there is no CMake.
    #[test]
    fn cmake_takes_versions_that_are_compatible() {
        let folder = tempfile::tempdir().expect("a folder");
        for (version, asked, taken) in [
            ("0.1.2", "0.1", true),
            ("0.1.2", "0.1.2", true),
            ("0.1.2", "0.1.3", false),
            ("0.1.2", "0.10", false),
            ("0.1.2", "1.0", false),
            ("2.3.4", "2", true),
            ("2.3.4", "2.4", false),
            ("2.3.4", "1.0", false),
        ] {
            let script = folder.path().join("script.cmake");
            let told = "message(FATAL_ERROR \"no\")";
            let text = format!(
                "set(PACKAGE_FIND_VERSION {asked})\n{}if(NOT PACKAGE_VERSION_COMPATIBLE)\n{told}\nendif()\n",
                cmake_versions(version)
            );
            write(&script, text).expect("it can be written");
            let Ok(ended) = Command::new("cmake").arg("-P").arg(&script).output() else {
                eprintln!("skipped: no CMake");
                return;
            };
            assert_eq!(ended.status.success(), taken, "{asked} of {version}");
        }
    }
}
