//! Every row of the table of features names a test that is there.

use std::{collections::BTreeSet, path::Path};

use super::files::Source;

/// The table.
const TABLE: &str = "docs/features.md";

/// Rows that name a test which does not exist, or one that is not named after the row.
pub(crate) fn untested(files: &[Source]) -> Vec<String> {
    let Some(table) = files.iter().find(|file| file.path == Path::new(TABLE)) else {
        return vec![format!("{TABLE} is not there")];
    };
    let functions: BTreeSet<&str> = files
        .iter()
        .filter(|file| file.path.extension().is_some_and(|extension| extension == "rs"))
        .flat_map(|file| file.text.lines().filter_map(function))
        .collect();
    rows(&table.text)
        .flat_map(|(line, id, tests)| {
            let wrong =
                tests.filter_map(|test| wrong_with(id, test, &functions)).collect::<Vec<_>>();
            wrong.into_iter().map(move |why| format!("{TABLE}:{line}: {why}"))
        })
        .collect()
}

/// Line, id and tests of each row that names tests.
fn rows(text: &str) -> impl Iterator<Item = (usize, &str, impl Iterator<Item = &str>)> {
    text.lines().zip(1..).filter_map(|(row, line)| {
        let mut cells = row.strip_prefix('|')?.strip_suffix('|')?.split('|').map(str::trim);
        let id = cells.next().filter(|id| is_id(id))?;
        let tests = cells.next_back()?.split('`').skip(1).step_by(2);
        Some((line, id, tests))
    })
}

fn is_id(cell: &str) -> bool {
    let mut letters = cell.chars();
    letters.next().is_some_and(|letter| letter.is_ascii_uppercase())
        && cell.len() > 1
        && letters.all(|digit| digit.is_ascii_digit())
}

fn wrong_with(id: &str, test: &str, functions: &BTreeSet<&str>) -> Option<String> {
    if !functions.contains(test) {
        Some(format!("there is no test `{test}`"))
    } else if !test.starts_with(&format!("{}_", id.to_lowercase())) {
        Some(format!("`{test}` is not named after {id}"))
    } else {
        None
    }
}

/// The name of a function that begins on a line.
fn function(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("fn ")?;
    rest.split_once('(').map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(table: &str) -> Vec<String> {
        let code = "#[test]\nfn c1_phases_are_chosen() {\n}\n#[test]\nfn other() {\n}\n";
        let source = |path: &str, text: &str| Source { path: path.into(), text: text.to_owned() };
        untested(&[source(TABLE, table), source("src/a.rs", code)])
    }

    #[test]
    fn a_row_names_a_test_that_is_there_and_bears_its_id() {
        assert_eq!(found("| row | what | test |\n|---|---|---|\n"), [""; 0]);
        assert_eq!(found("| C1 | phases | `c1_phases_are_chosen` |\n"), [""; 0]);
        assert!(found("| C1 | phases | `c1_gone` |\n")[0].contains(":1: there is no test"));
        assert!(
            found("\n| C1 | phases | `other` |\n")[0].contains(":2: `other` is not named after")
        );
    }
}
