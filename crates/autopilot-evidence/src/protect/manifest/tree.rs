//! A manifest's content. Tables keep their order, since in some places (`exports` of `package.json`) it matters.

/// A value of a manifest.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Tree {
    Null,
    Bool(bool),
    Integer(i64),
    Float(f64),
    /// A number that is neither, as JSON has it.
    Number(serde_json::Number),
    Text(String),
    /// A date of TOML, as it is written.
    Date(String),
    List(Vec<Self>),
    Table(Vec<(String, Self)>),
}

impl Tree {
    pub(super) fn is_table(&self) -> bool {
        matches!(self, Self::Table(_))
    }

    /// The value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        self.entries().iter().find(|(known, _)| known == key).map(|(_, value)| value)
    }

    /// The entries of a table; anything else has none.
    pub(super) fn entries(&self) -> &[(String, Self)] {
        if let Self::Table(entries) = self { entries } else { &[] }
    }

    /// The items of a list; anything else has none.
    pub(super) fn items(&self) -> &[Self] {
        if let Self::List(items) = self { items } else { &[] }
    }

    /// Sets a key of a table, at its place where it has one, or takes it away.
    pub(super) fn set(&mut self, key: &str, value: Option<Self>) {
        let Self::Table(entries) = self else {
            return;
        };
        let at = entries.iter().position(|(known, _)| known == key);
        match (at, value) {
            (Some(at), Some(value)) => entries[at].1 = value,
            (Some(at), None) => {
                entries.remove(at);
            }
            (None, Some(value)) => entries.push((key.to_owned(), value)),
            (None, None) => {}
        }
    }
}
