//! Writing a document.

use crate::sessions::state_md::{Document, Entry, Field, Scalar};

impl Document {
    /// Writes the document. What was written reads back as it was.
    pub fn write(&self) -> String {
        let lines: Vec<String> =
            self.fields.iter().map(|(key, field)| written(key, field)).collect();
        format!("---\n{}\n---\n\n{}", lines.join("\n"), self.body)
    }
}

fn written(key: &str, field: &Field) -> String {
    match field {
        Field::Scalar(scalar) => format!("{key}: {}", scalar.write()),
        Field::Entries(entries) => {
            let entries: String = entries.iter().map(item).collect();
            format!("{key}:{entries}")
        }
    }
}

fn item(entry: &Entry) -> String {
    let line = |(at, (key, scalar)): (usize, (&str, &Scalar))| {
        let opening = if at == 0 { "\n  - " } else { "\n    " };
        format!("{opening}{key}: {}", scalar.write())
    };
    entry.iter().enumerate().map(line).collect()
}
