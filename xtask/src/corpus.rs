//! `cargo xtask corpus`: reads roadmaps and compares them with what people read in them.
//!
//! A directory of roadmaps holds an `expected.jsonl`: one JSON object a line with `file` and `phases`, each
//! of these with `id`, `name`, `complete` and `depends_on`. Ours is a part of this project and is compared by
//! a test too. Real roadmaps belong to others and are not kept here; who has them gives their directory, and
//! then it must be there and hold as many as are known.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use autopilot_core::roadmap::{self, Phase, Roadmap};
use serde_json::Value;

use crate::shell::{Outcome, say};

/// What says what is expected.
const EXPECTED: &str = "expected.jsonl";
/// The variable that names the directory of the real roadmaps.
const VARIABLE: &str = "AUTOPILOT_CORPUS";
/// How many real roadmaps people have read, and how many phases they found in them.
const REAL: Size = Size { files: 17, phases: 180 };

/// How many roadmaps and phases there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Size {
    files: usize,
    phases: usize,
}

/// Compares every roadmap of a directory and fails when one differs or is missing.
pub(crate) fn run(words: &[&str]) -> Outcome {
    let (directory, size) = match words {
        [] => match env::var_os(VARIABLE) {
            Some(directory) => (PathBuf::from(directory), Some(REAL)),
            None => (own(), None),
        },
        [directory] => (PathBuf::from(directory), Some(REAL)),
        [directory, files, phases] => {
            let number = |word: &str| word.parse().map_err(|_| format!("`{word}` is no number"));
            let size = Size { files: number(files)?, phases: number(phases)? };
            (PathBuf::from(directory), Some(size))
        }
        _ => return Err("give a directory, and then how many files and phases it has".to_owned()),
    };
    let comparison = compare(&directory)?;
    for difference in &comparison.differences {
        say(&format!("{difference}\n"))?;
    }
    let Size { files, phases } = comparison.size();
    say(&format!(
        "{} of {phases} phases as expected, {files} roadmaps in `{}`\n",
        comparison.equal,
        directory.display()
    ))?;
    comparison.verdict(size)
}

/// The roadmaps that are part of this project.
fn own() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
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
    // The directory itself, or the one above it.
    let below = directory.join("roadmaps");
    let directory = if below.join(EXPECTED).is_file() { &below } else { directory };
    let path = directory.join(EXPECTED);
    let lines = fs::read_to_string(&path).map_err(|error| {
        format!("cannot read `{}`: {error}; nothing was compared", path.display())
    })?;
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
    fn size(&self) -> Size {
        Size { files: self.files, phases: self.phases }
    }

    /// Fails where something differs, where there are more or fewer than there should be, or none.
    fn verdict(&self, wanted: Option<Size>) -> Outcome {
        let found = self.size();
        if !self.differences.is_empty() {
            return Err(format!("{} differences", self.differences.len()));
        }
        match wanted {
            Some(wanted) if wanted != found => Err(format!(
                "{} phases in {} roadmaps were compared, but there should be {} in {}",
                found.phases, found.files, wanted.phases, wanted.files
            )),
            _ if found.phases == 0 => Err("no phase was compared".to_owned()),
            _ => Ok(()),
        }
    }

    fn add(&mut self, file: &str, expected: &Value, bytes: Vec<u8>) {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let roadmap = roadmap::parse_bytes(bytes);
        self.differences
            .extend(badly_marked(&text, &roadmap).map(|why| format!("{file}\n  marking  {why}")));
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
        let order: Vec<&str> = roadmap.phases.iter().map(|phase| phase.id.as_str()).collect();
        let wanted_order: Vec<&str> =
            wanted.iter().map(|phase| phase["id"].as_str().unwrap_or_default()).collect();
        if order != wanted_order {
            self.differences.push(format!(
                "{file}\n  in the order    {}\n  instead of      {}",
                order.join(", "),
                wanted_order.join(", ")
            ));
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

/// Phases that cannot be marked complete, or not without changing something else.
fn badly_marked<'a>(text: &'a str, roadmap: &'a Roadmap) -> impl Iterator<Item = String> + 'a {
    let phases = roadmap.phases.iter().enumerate().filter(|(_, phase)| !phase.duplicate);
    phases.filter_map(|(place, phase)| {
        let edited = match roadmap::mark_complete(text, phase.id) {
            Ok(edited) => edited,
            Err(why) => return Some(why.to_string()),
        };
        let after = roadmap::parse(edited.as_str());
        let mut wanted: Vec<String> = roadmap.phases.iter().map(shown).collect();
        wanted[place] = wanted[place].replacen("[ ]", "[x]", 1);
        let others = wanted == after.phases.iter().map(shown).collect::<Vec<_>>();
        // Marking what counts as complete already may settle what its marks disagree about.
        let problems = phase.conflict || roadmap.problems == after.problems;
        let once = roadmap::mark_complete(&edited, phase.id).as_ref() == Ok(&edited);
        (!(others && problems && once)).then(|| format!("phase `{}` changes more", phase.id))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_phase_of_our_own_roadmaps_is_read_as_expected() {
        let comparison = compare(&own()).unwrap();
        assert_eq!(comparison.differences, Vec::<String>::new());
        assert_eq!(comparison.size(), Size { files: 5, phases: 22 });
        assert_eq!(comparison.equal, comparison.phases);
    }

    #[test]
    fn a_directory_that_is_asked_for_and_not_there_is_an_error() {
        let why = run(&["no/such/directory"]).unwrap_err();
        assert!(why.contains("no/such/directory") && why.contains("nothing was compared"), "{why}");
    }

    #[test]
    fn phases_in_another_order_are_a_difference() {
        let phase = |id: &str| serde_json::json!({ "id": id, "name": id.to_uppercase() });
        let text = "## Phase 1a: 1A\n## Phase 2a: 2A\n";
        for (order, differences) in [(["1a", "2a"], 0), (["2a", "1a"], 1)] {
            let mut comparison = Comparison::default();
            let expected = serde_json::json!({ "phases": order.map(phase) });
            comparison.add("file", &expected, text.as_bytes().to_vec());
            assert_eq!(comparison.equal, 2);
            assert_eq!(comparison.differences.len(), differences, "{:?}", comparison.differences);
        }
    }

    #[test]
    fn a_comparison_of_too_few_or_of_nothing_fails() {
        let one = Comparison { files: 1, phases: 2, equal: 2, differences: Vec::new() };
        assert_eq!(one.verdict(None), Ok(()));
        assert_eq!(one.verdict(Some(Size { files: 1, phases: 2 })), Ok(()));
        assert!(one.verdict(Some(REAL)).unwrap_err().contains("180"));
        assert!(Comparison::default().verdict(None).is_err());
    }
}
