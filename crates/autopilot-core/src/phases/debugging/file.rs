//! The file of a debug session. It is told anew from facts each time, and nothing is ever read from it.

use std::fmt::Write as _;

use super::{DebugEnd, DebugSession};
use crate::{effect::Paper, report::debug_entry, sessions::clock::seconds};

/// Where the files of sessions are.
const DIRECTORY: &str = ".planning/debug";

impl DebugSession {
    /// The file as it stands on the branch of the session.
    pub(super) fn paper(&self) -> Paper {
        Paper { path: format!("{DIRECTORY}/{}", self.file_name()), text: self.to_markdown() }
    }

    /// The name of the file, below the directory of all sessions.
    pub fn file_name(&self) -> String {
        let slug = &self.spec.slug;
        let is_resolved = self.status() == "resolved";
        if is_resolved { format!("resolved/{slug}.md") } else { format!("{slug}.md") }
    }

    /// The file.
    pub fn to_markdown(&self) -> String {
        let mut text = String::new();
        self.head(&mut text);
        self.write_focus(&mut text);
        self.write_eliminated(&mut text);
        self.write_evidence(&mut text);
        self.write_resolution(&mut text);
        text
    }

    /// What the session teaches, once the cause is known.
    pub fn learning(&self) -> Option<String> {
        self.end()?;
        let category = self.category().map_or("uncategorised", |category| category.name());
        let rule = match (self.resolution.prevention_rule.as_str(), self.category()) {
            ("", Some(category)) => category.prevention(),
            ("", None) => return None,
            (rule, _) => rule,
        };
        let about = (self.spec.slug.as_str(), category);
        Some(debug_entry(about, rule, &self.resolution.root_cause, &seconds(self.updated_at)))
    }

    fn head(&self, text: &mut String) {
        let (status, trigger) = (self.status(), quoted(&self.spec.trigger));
        let category = quoted(self.category().map_or("", |category| category.name()));
        let (created, updated) = (seconds(self.created_at), seconds(self.updated_at));
        let _ = write!(
            text,
            "---\nstatus: {status}\ntrigger: {trigger}\nfailure_category: {category}\ncreated: {created}\nupdated: {updated}\n---\n"
        );
    }

    fn write_focus(&self, text: &mut String) {
        let focus = &self.focus;
        text.push_str("\n## Current Focus\n<!-- overwritten with each round -->\n\n");
        field(text, "hypothesis", &focus.hypothesis);
        field(text, "test", &focus.test);
        field(text, "expecting", &focus.expecting);
        field(text, "next_action", &focus.next_action);
        let symptoms = &self.symptoms;
        text.push_str("\n## Symptoms\n<!-- never changed once they are gathered -->\n\n");
        field(text, "expected", &symptoms.expected);
        field(text, "actual", &symptoms.actual);
        field(text, "errors", &symptoms.errors);
        field(text, "reproduction", &symptoms.reproduction);
        field(text, "started", &symptoms.started);
    }

    fn write_eliminated(&self, text: &mut String) {
        text.push_str("\n## Eliminated\n<!-- only added to -->\n\n");
        for noted in &self.eliminated {
            field(text, "- hypothesis", &noted.what.hypothesis);
            field(text, "  evidence", &noted.what.evidence);
            field(text, "  timestamp", &seconds(noted.at));
        }
    }

    fn write_evidence(&self, text: &mut String) {
        text.push_str("\n## Evidence\n<!-- only added to -->\n\n");
        for noted in &self.evidence {
            field(text, "- timestamp", &seconds(noted.at));
            field(text, "  checked", &noted.what.checked);
            field(text, "  found", &noted.what.found);
            field(text, "  implication", &noted.what.implication);
        }
    }

    fn write_resolution(&self, text: &mut String) {
        let known = &self.resolution;
        text.push_str("\n## Resolution\n<!-- overwritten as it becomes known -->\n\n");
        field(text, "root_cause", &known.root_cause);
        field(text, "failure_category", self.category().map_or("", |category| category.name()));
        field(text, "fix", &known.fix);
        field(text, "verification", &known.verification);
        field(text, "prevention_rule", &known.prevention_rule);
        let files: Vec<String> = known.files_changed.iter().map(|file| one_line(file)).collect();
        let _ = writeln!(text, "files_changed: [{}]", files.join(", "));
    }

    /// How the session ended, under the heading that earlier programs know.
    pub const fn heading(&self) -> &'static str {
        match self.end() {
            Some(DebugEnd::Diagnosed) => "ROOT CAUSE FOUND",
            Some(DebugEnd::Resolved) => "DEBUG COMPLETE",
            None => "INVESTIGATION INCONCLUSIVE",
        }
    }
}

fn field(text: &mut String, name: &str, value: &str) {
    let value = one_line(value);
    let space = if value.is_empty() { "" } else { " " };
    let _ = writeln!(text, "{name}:{space}{value}");
}

fn quoted(value: &str) -> String {
    format!("\"{}\"", one_line(value).replace('\\', "\\\\").replace('"', "\\\""))
}

/// Text from outside must not begin a section or a field of its own.
fn one_line(text: &str) -> String {
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    clean.split_whitespace().collect::<Vec<_>>().join(" ")
}
