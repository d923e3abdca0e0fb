//! `cargo xtask corpus DIR`: reads real roadmaps and compares them with what people read in them.
//!
//! The directory holds the roadmaps and an `expected.jsonl`: one JSON object a line with `file` and
//! `phases`, each of these with `id`, `name`, `complete` and `depends_on`.

use std::{fs, path::Path};

use autopilot_core::roadmap::{self, Phase};
use serde_json::Value;

use crate::shell::{Outcome, say};

/// Compares every roadmap of the directory and fails when one differs.
pub(crate) fn run(directory: &str) -> Outcome {
    let comparison = compare(Path::new(directory))?;
    for difference in &comparison.differences {
        say(&format!("{difference}\n"))?;
    }
    say(&format!(
        "{} of {} phases as expected, {} roadmaps\n",
        comparison.equal, comparison.phases, comparison.files
    ))?;
    if comparison.differences.is_empty() {
        Ok(())
    } else {
        Err(format!("{} differences", comparison.differences.len()))
    }
}

/// What a comparison found.
#[derive(Debug, Default)]
struct Comparison {
    files: usize,
    phases: usize,
    equal: usize,
    differences: Vec<String>,
}

fn compare(directory: &Path) -> Result<Comparison, String> {
    let path = directory.join("expected.jsonl");
    let lines = fs::read_to_string(&path)
        .map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    let mut comparison = Comparison::default();
    for line in lines.lines().filter(|line| !line.trim().is_empty()) {
        let expected: Value = serde_json::from_str(line)
            .map_err(|error| format!("a line of `{}` is not JSON: {error}", path.display()))?;
        let file = expected["file"].as_str().unwrap_or_default();
        let roadmap = directory.join(file);
        let bytes = fs::read(&roadmap)
            .map_err(|error| format!("cannot read `{}`: {error}", roadmap.display()))?;
        comparison.add(file, &expected, bytes);
    }
    Ok(comparison)
}

impl Comparison {
    fn add(&mut self, file: &str, expected: &Value, bytes: Vec<u8>) {
        let roadmap = roadmap::parse_bytes(bytes);
        let wanted = expected["phases"].as_array().map_or(&[][..], Vec::as_slice);
        self.files += 1;
        self.phases += wanted.len();
        for phase in wanted {
            let id = phase["id"].as_str().unwrap_or_default();
            let found = roadmap.phases.iter().find(|found| found.id.as_str() == id);
            match found {
                Some(found) if shown(found) == shown_expected(phase) => self.equal += 1,
                Some(found) => self.differences.push(format!(
                    "{file}\n  found    {}\n  expected {}",
                    shown(found),
                    shown_expected(phase)
                )),
                None => {
                    self.differences.push(format!("{file}\n  missing  {}", shown_expected(phase)));
                }
            }
        }
        for found in &roadmap.phases {
            let known = wanted.iter().any(|phase| phase["id"].as_str() == Some(found.id.as_str()));
            if !known {
                self.differences.push(format!("{file}\n  too many {}", shown(found)));
            }
        }
    }
}

fn shown(phase: &Phase) -> String {
    let needs: Vec<&str> = phase.depends_on.iter().map(|id| id.as_str()).collect();
    line(phase.id.as_str(), &phase.name, phase.complete, &needs)
}

fn shown_expected(phase: &Value) -> String {
    let needs = phase["depends_on"].as_array().map_or(&[][..], Vec::as_slice);
    let needs: Vec<&str> = needs.iter().filter_map(Value::as_str).collect();
    line(
        phase["id"].as_str().unwrap_or_default(),
        phase["name"].as_str().unwrap_or_default(),
        phase["complete"].as_bool().unwrap_or_default(),
        &needs,
    )
}

fn line(id: &str, name: &str, complete: bool, needs: &[&str]) -> String {
    let mark = if complete { 'x' } else { ' ' };
    format!("[{mark}] {id}: {name} <- {}", needs.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_phase_of_the_corpus_is_read_as_expected_where_the_corpus_is_present() {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus/roadmaps");
        if !directory.is_dir() {
            println!("skipped: no corpus beside the project; our own fixtures pin the same shapes");
            return;
        }
        let comparison = compare(&directory).unwrap();
        assert_eq!(comparison.differences, Vec::<String>::new());
        assert!(comparison.phases > 0 && comparison.equal == comparison.phases);
    }
}
