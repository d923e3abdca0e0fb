//! The first mutants of Rust.

use super::{Case, check};

#[test]
fn the_first_mutants_of_rust() {
    check(RUST);
}

const RUST: &[Case] = &[
    (
        "a.rs",
        r##"pub fn clamp(value: i32, low: i32, high: i32) -> i32 {
    if value < low {
        return low;
    }
    value.min(high)
}
"##,
        &[
            "2: `<` became `>=`",
            "3: `low` became `low + 1`",
            "5: `value.min(high)` became `(value.min(high)) + 1`",
            "1: the function does nothing",
        ],
    ),
    (
        "a.rs",
        r##"use std::collections::BTreeMap;

pub fn count(words: &[&str]) -> BTreeMap<String, Vec<usize>> {
    let mut found: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, word) in words.iter().enumerate() {
        found.entry((*word).to_owned()).or_default().push(at);
    }
    found
}
"##,
        &["6: `found.entry((*word).to_owned()).or_default().push(at);` does not happen"],
    ),
    (
        "a.rs",
        r##"#[derive(Debug, Clone)]
pub struct Account {
    pub balance: u64,
}

impl Account {
    /// Takes money out; a == b < c.
    pub fn withdraw(&mut self, amount: u64) -> Result<u64, String> {
        // if amount > balance
        if amount > self.balance {
            return Err("not enough".to_owned());
        }
        self.balance -= amount;
        Ok(self.balance)
    }
}
"##,
        &[
            "10: `amount > self.balance` is never true",
            "14: `Ok(self.balance)` became `Ok((self.balance) + 1)`",
            "13: `-=` became `+=`",
            "11: `not enough` became `mutated mutated`",
        ],
    ),
    (
        "a.rs",
        r##"pub fn is_ready(open: bool, names: &[String]) -> bool {
    if names.is_empty() {
        return false;
    }
    open && names.iter().all(|name| name.len() > 3)
}
"##,
        &[
            "2: `names.is_empty()` became `!(names.is_empty())`",
            "5: `>` became `<=`",
            "3: `false` became `true`",
            "1: the function does nothing",
        ],
    ),
    (
        "a.rs",
        r##"pub fn parse(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once('=')?;
    Some((key.trim(), value.trim()))
}

pub fn greet(name: &str) -> String {
    format!("Hello, {name}!")
}
"##,
        &[
            "3: `Some((key.trim(), value.trim()))` became `None`",
            r#"7: `format!("Hello, {name}!")` became `"mutated".to_owned()`"#,
            "2: `=` became `z`",
            "1: the function does nothing",
        ],
    ),
    (
        "a.rs",
        r##"pub struct Log {
    lines: Vec<String>,
}

impl Log {
    pub fn push(&mut self, line: &str) {
        self.lines.push(line.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pushes() {
        let mut log = Log { lines: Vec::new() };
        log.push("a");
        assert_eq!(log.lines.len(), 1);
        assert!(log.lines[0] == "a");
    }
}
"##,
        &["7: `self.lines.push(line.to_owned());` does not happen", "6: the function does nothing"],
    ),
    (
        "a.rs",
        r##"pub fn longest<'a, T: AsRef<str> + 'a>(items: &'a [T]) -> Option<&'a T> {
    items.iter().max_by_key(|item| item.as_ref().len() << 1)
}

pub const LIMIT: usize = 255;
pub const KIND: u8 = b'a';
pub const LETTER: char = 'a';
"##,
        &[
            "2: `items.iter().max_by_key(|item| item.as_ref().len() << 1)` became `None`",
            "5: `255` became `254`",
            "6: `a` became `z`",
            "7: `a` became `z`",
        ],
    ),
    (
        "a.rs",
        r##"pub fn area(width: f64, height: f64) -> f64 {
    let raw = r#"a " > b"#;
    let scale = if raw.len() == 7 { 2.0 } else { 1.0 };
    width * height / scale
}
"##,
        &[
            "3: `==` became `!=`",
            "4: `width * height / scale` became `(width * height / scale) + 1.0`",
            r#"2: `a " > b` became `a " > bmutated`"#,
            "1: the function does nothing",
        ],
    ),
    (
        "a.rs",
        r##"pub fn kind(code: u16) -> &'static str {
    match code {
        200..=299 => "fine",
        404 if code % 2 == 0 => "gone",
        _ => "other",
    }
}

pub async fn fetch(tries: u32) -> Result<(), String> {
    while tries > 0 {
        return Ok(());
    }
    Ok(())
}
"##,
        &[
            "4: `==` became `!=`",
            "10: `>` became `<=`",
            "3: `fine` became `mutated`",
            "5: `other` became `mutated`",
        ],
    ),
    (
        "a.rs",
        r##"pub fn grow(items: &mut Vec<Vec<u8>>) {
    let Some(first) = items.first() else { return };
    if let Some(last) = first.last() && *last != 0 {
        items.clear();
    }
}
"##,
        &[
            "3: `!=` became `==`",
            "4: `items.clear();` does not happen",
            "1: the function does nothing",
            "3: `0` became `1`",
        ],
    ),
    (
        "a.rs",
        r##"pub trait Shape: Send + Sync {
    fn area(&self) -> f64;
}

pub fn boxed<T>(shape: T) -> Box<dyn Shape + Send>
where
    T: Shape + Send + 'static,
{
    Box::new(shape)
}

pub fn pair() -> [u8; 4] {
    let map = std::iter::repeat(3u8).take(4).collect::<Vec<u8>>();
    [map[0]; 4]
}
"##,
        &[
            "13: `3u8` became `4u8`",
            "12: the function does nothing",
            "13: `4` became `5`",
            "14: `0` became `1`",
        ],
    ),
];
