//! What kind of phase it is, by the files that it is about.

use crate::policy::PhaseType;

/// Files that people see.
const UI: [&str; 9] = ["tsx", "jsx", "vue", "svelte", "css", "scss", "less", "html", "astro"];
/// Structured data.
const DATA: [&str; 8] = ["json", "jsonl", "csv", "tsv", "yaml", "yml", "xml", "sql"];
/// Directories of documents that agents follow.
const PROTOCOL: [&str; 4] = ["protocols", "agents", "prompts", "skills"];
/// Such documents by their names.
const INSTRUCTIONS: [&str; 3] = ["CLAUDE.md", "AGENTS.md", "GEMINI.md"];

impl PhaseType {
    /// The kind of a phase that changes these files. `ui` is the directory of what people see, where a person named one.
    pub fn of_paths<'a>(paths: impl IntoIterator<Item = &'a str>, ui: Option<&str>) -> Self {
        let mut kinds = paths.into_iter().map(|path| of_path(path, ui));
        let first = kinds.next().unwrap_or(Self::Mixed);
        if kinds.all(|kind| kind == first) { first } else { Self::Mixed }
    }

    /// The kind of a phase of which there is nothing but text, by the files that it names.
    pub fn of_text(text: &str, ui: Option<&str>) -> Self {
        Self::of_paths(file_names(text), ui)
    }

    /// Whether a text names a file of what people see.
    pub fn names_ui(text: &str, ui: Option<&str>) -> bool {
        Self::has_ui(file_names(text), ui)
    }

    /// Whether a file of what people see is among these.
    pub fn has_ui<'a>(paths: impl IntoIterator<Item = &'a str>, ui: Option<&str>) -> bool {
        paths.into_iter().any(|path| of_path(path, ui) == Self::Ui)
    }
}

/// The words of a text that are names of files.
fn file_names(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| c.is_whitespace() || "`\"'(),;|<>=".contains(c));
    let names = words.map(|word| word.trim_end_matches(['.', ':', '!', '?']));
    names.filter(|name| is_file_name(name))
}

fn of_path(path: &str, ui: Option<&str>) -> PhaseType {
    let below = |directory: &str| {
        let directory = directory.trim_matches('/');
        path.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'))
    };
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let mut directories = path.split('/').rev().skip(1);
    if ui.is_some_and(|ui| !ui.trim_matches('/').is_empty() && below(ui)) || UI.contains(&ending) {
        PhaseType::Ui
    } else if INSTRUCTIONS.contains(&name)
        || ending == "md" && directories.any(|directory| PROTOCOL.contains(&directory))
    {
        PhaseType::Protocol
    } else if DATA.contains(&ending) {
        PhaseType::Data
    } else {
        PhaseType::Mixed
    }
}

/// Whether a word is the name of a file: something, a dot, and a short ending that begins with a letter.
fn is_file_name(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word);
    name.rsplit_once('.').is_some_and(|(stem, ending)| {
        let is_ending = ending.len() <= 6 && ending.chars().all(|c| c.is_ascii_alphanumeric());
        !stem.is_empty() && is_ending && ending.starts_with(|c: char| c.is_ascii_alphabetic())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e12_one_file_that_people_see_is_enough_to_ask_for_the_build() {
        let has = |paths: &[&str], ui| PhaseType::has_ui(paths.iter().copied(), ui);
        assert!(has(&["src/main.rs", "web/app.css"], None));
        assert!(has(&["src/main.rs", "web/main.ts"], Some("web")));
        assert!(!has(&["src/main.rs", "web/main.ts"], None));
        assert!(!has(&[], Some("web")));
        assert!(PhaseType::names_ui("the page in `web/index.html`, and `src/main.rs`", None));
        assert!(!PhaseType::names_ui("it prints a greeting", None));
    }

    #[test]
    fn e12_the_kind_of_a_phase_follows_from_the_files_it_changes() {
        let rows: [(&[&str], Option<&str>, PhaseType); 11] = [
            (&["src/App.tsx", "src/app.css"], None, PhaseType::Ui),
            (&["web/src/main.ts"], Some("web"), PhaseType::Ui),
            (&["web/src/main.ts"], None, PhaseType::Mixed),
            (&["website/main.ts"], Some("web"), PhaseType::Mixed),
            (&["protocols/gate.md", "CLAUDE.md"], None, PhaseType::Protocol),
            (&["docs/guide.md"], None, PhaseType::Mixed),
            (&["data/a.json", "data/b.csv"], None, PhaseType::Data),
            (&["data/a.json", "src/lib.rs"], None, PhaseType::Mixed),
            (&["src/lib.rs"], None, PhaseType::Mixed),
            (&["src/App.tsx", "protocols/gate.md"], None, PhaseType::Mixed),
            (&[], None, PhaseType::Mixed),
        ];
        for (paths, ui, expected) in rows {
            assert_eq!(
                PhaseType::of_paths(paths.iter().copied(), ui),
                expected,
                "{paths:?} {ui:?}"
            );
        }
    }

    #[test]
    fn e12_a_text_is_judged_by_the_files_it_names() {
        let rows = [
            ("the page works -- verified by: `test -f src/index.html`", PhaseType::Ui),
            ("`data/a.json` is valid, see data/b.json.", PhaseType::Data),
            ("version 1.2 of e.g. the thing", PhaseType::Mixed),
            ("nothing in particular", PhaseType::Mixed),
        ];
        for (text, expected) in rows {
            assert_eq!(PhaseType::of_text(text, None), expected, "{text}");
        }
    }
}
