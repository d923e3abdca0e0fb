//! The document.

use crate::sessions::state_md::Scalar;

/// A document that was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// The keys.
    pub fields: Fields,
    /// The text below them.
    pub body: String,
}

/// Keys with their values, in the order of the file. A key that is given twice keeps its first place and its last
/// value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fields(Vec<(String, Field)>);

impl Fields {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Field> {
        self.0.iter().find_map(|(known, field)| (known == key).then_some(field))
    }

    /// Gives a key a value.
    pub fn set(&mut self, key: &str, field: Field) {
        put(&mut self.0, key, field);
    }

    /// The keys with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Field)> {
        self.0.iter().map(|(key, field)| (key.as_str(), field))
    }
}

/// What a key holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Field {
    /// One value.
    Scalar(Scalar),
    /// A list of mappings, at least one.
    Entries(Vec<Entry>),
}

/// A mapping in a list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entry(Vec<(String, Scalar)>);

impl Entry {
    /// Gives a key a value.
    pub fn set(&mut self, key: &str, scalar: Scalar) {
        put(&mut self.0, key, scalar);
    }

    /// The keys with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Scalar)> {
        self.0.iter().map(|(key, scalar)| (key.as_str(), scalar))
    }
}

fn put<T>(list: &mut Vec<(String, T)>, key: &str, value: T) {
    match list.iter_mut().find(|(known, _)| known == key) {
        Some((_, place)) => *place = value,
        None => list.push((key.to_owned(), value)),
    }
}
