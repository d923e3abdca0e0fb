//! Checks that the tables in `docs/protected-files.md` are those of the program.

use std::fmt::Write as _;

use super::{
    Class, DEFAULTS,
    manifest::{How, MANIFESTS},
};

const DOCUMENT: &str = include_str!("../../../../docs/protected-files.md");

fn code(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

fn default_table() -> String {
    let mut table = "| class | what | files |\n|---|---|---|\n".to_owned();
    for row in DEFAULTS {
        let _ =
            writeln!(table, "| {} | {} | {} |", row.class.as_str(), row.what, code(row.patterns));
    }
    table
}

fn manifest_table() -> String {
    let mut table = "| file | put back as it was | entries stay, new ones may come | items stay, new ones may come | \
                     no new items | items stay, new ones that change nothing may come | \
                     none becomes a directory of the project | nor another one |\n|---|---|---|---|---|---|---|---|\n"
        .to_owned();
    for manifest in MANIFESTS {
        let keys = |how: How| {
            let keys: Vec<&str> =
                manifest.keys.iter().filter(|key| key.how == how).map(|key| key.path).collect();
            code(&keys)
        };
        let _ = writeln!(
            table,
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            code(manifest.names),
            keys(How::Whole),
            keys(How::Entries),
            keys(How::Grows),
            keys(How::Shrinks),
            keys(How::Usual),
            keys(How::Fetched),
            keys(How::Placed)
        );
    }
    table
}

#[test]
fn the_document_has_the_table_of_defaults() {
    assert!(DOCUMENT.contains(&default_table()), "it should hold\n{}", default_table());
}

#[test]
fn the_document_has_the_table_of_manifests() {
    assert!(DOCUMENT.contains(&manifest_table()), "it should hold\n{}", manifest_table());
}

#[test]
fn the_document_tells_all_classes_and_settings() {
    for class in Class::ALL {
        assert!(DOCUMENT.contains(class.as_str()), "{}", class.as_str());
    }
    for key in ["add", "allow", "locks", "added_tests"] {
        assert!(DOCUMENT.contains(&format!("\n{key} = ")), "{key}");
    }
}
