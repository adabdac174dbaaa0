//! The codes of failures are those of `docs/json.md`.

use frumious_app::failure::Code;

#[test]
fn codes_are_those_of_the_document() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/json.md");
    let document = std::fs::read_to_string(path).expect("it is there");
    let table = document.split("| `code` | exit code | meaning |").nth(1);
    let table = table.expect("the table is there").split("\n\n").next();
    let rows = table.unwrap_or_default().lines().skip(2);
    let documented: Vec<String> = rows
        .map(|row| {
            row.split('|')
                .skip(1)
                .take(2)
                .map(str::trim)
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect();
    let codes = Code::ALL.map(|code| format!("`{}` {}", code.name(), code.exit_code()));
    assert_eq!(documented, codes);
}
