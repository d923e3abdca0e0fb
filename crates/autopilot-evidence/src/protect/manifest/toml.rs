//! TOML.

use toml::{Table, Value};

use super::tree::Tree;

pub(super) fn read(text: &str) -> Option<Tree> {
    let table: Table = text.parse().ok()?;
    Some(from(Value::Table(table)))
}

pub(super) fn write(tree: &Tree) -> Option<String> {
    let Value::Table(table) = into(tree)? else {
        return None;
    };
    toml::to_string(&table).ok()
}

fn from(value: Value) -> Tree {
    match value {
        Value::String(text) => Tree::Text(text),
        Value::Integer(number) => Tree::Integer(number),
        Value::Float(number) => Tree::Float(number),
        Value::Boolean(value) => Tree::Bool(value),
        Value::Datetime(date) => Tree::Date(date.to_string()),
        Value::Array(items) => Tree::List(items.into_iter().map(from).collect()),
        Value::Table(entries) => {
            Tree::Table(entries.into_iter().map(|(key, value)| (key, from(value))).collect())
        }
    }
}

fn into(tree: &Tree) -> Option<Value> {
    Some(match tree {
        Tree::Null | Tree::Number(_) => return None,
        Tree::Bool(value) => Value::Boolean(*value),
        Tree::Integer(number) => Value::Integer(*number),
        Tree::Float(number) => Value::Float(*number),
        Tree::Text(text) => Value::String(text.clone()),
        Tree::Date(date) => Value::Datetime(date.parse().ok()?),
        Tree::List(items) => Value::Array(items.iter().map(into).collect::<Option<_>>()?),
        Tree::Table(entries) => {
            let mut table = Table::new();
            for (key, value) in entries {
                table.insert(key.clone(), into(value)?);
            }
            Value::Table(table)
        }
    })
}
