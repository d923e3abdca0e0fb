//! How a map is written: a line for each item, so that lines say how much there is to read.

use std::fmt::Write;

use serde::Serialize;

use crate::{
    cap::Detail,
    map::{FileEntry, RepoMap},
};

impl RepoMap {
    /// The document as text. The same map gives the same bytes.
    pub fn text(&self) -> String {
        let mut files = Vec::new();
        for file in &self.files {
            files.push(entry(file));
        }
        let summary = &self.summary;
        let mut text = String::from("{\n");
        for (key, value) in [
            ("generated_at", json(&self.generated_at)),
            ("project_root", json(&self.project_root)),
            ("version", json(&self.version)),
            ("size_cap_applied", json(&self.size_cap_applied)),
            ("files", list(2, &files)),
        ] {
            pair(&mut text, 2, key, &value);
            text.push_str(",\n");
        }
        text.push_str("  \"summary\": {\n");
        for (key, value) in [
            ("total_files", json(&summary.total_files)),
            ("languages", json(&summary.languages)),
            ("top_importers", list(4, &each(&summary.top_importers))),
        ] {
            pair(&mut text, 4, key, &value);
            text.push_str(",\n");
        }
        pair(&mut text, 4, "top_exporters", &list(4, &each(&summary.top_exporters)));
        text.push_str("\n  }\n}\n");
        text
    }
}

/// One entry: a single line when there is nothing in its lists.
fn entry(file: &FileEntry) -> String {
    let lists: Vec<(&str, Vec<String>)> = [
        ("exports", file.exports.as_deref().map(each)),
        ("imports", file.imports.as_deref().map(each)),
        ("functions", file.functions.as_deref().map(each)),
        ("classes", file.classes.as_deref().map(each)),
        ("call_graph", file.call_graph.as_deref().map(each)),
    ]
    .into_iter()
    .filter_map(|(key, items)| items.map(|items| (key, items)))
    .collect();
    let language = file.language;
    let mut text = json(&FileEntry { language, ..file.clone().at(Detail::Path) });
    // What is open now is closed after the lists.
    text.truncate(text.len() - 1);
    let is_short = lists.iter().all(|(_, items)| items.is_empty());
    for (key, items) in lists {
        text.push_str(if is_short { "," } else { ",\n" });
        pair(&mut text, if is_short { 0 } else { 6 }, key, &list(6, &items));
    }
    text.push_str(if is_short { "}" } else { "\n    }" });
    text
}

fn pair(text: &mut String, indent: usize, key: &str, value: &str) {
    write!(text, "{:indent$}\"{key}\": {value}", "").expect("text can be written to a string");
}

/// A list with a line for each item, two columns further in than the line that it begins on.
fn list(indent: usize, items: &[String]) -> String {
    if items.is_empty() {
        return "[]".to_owned();
    }
    let inside = indent + 2;
    let gap = format!(",\n{:inside$}", "");
    format!("[\n{:inside$}{}\n{:indent$}]", "", items.join(&gap), "")
}

fn each<T: Serialize>(items: &[T]) -> Vec<String> {
    items.iter().map(json).collect()
}

fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("keys of the map are text and its values are plain")
}
