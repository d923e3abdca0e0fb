//! Takes secrets out of what is about to be stored.
//!
//! A secret is the value of a variable that is named like one, the value of a variable that is passed to an agent, or a text
//! that looks like a well-known kind of key. In its place stands `[redacted:NAME]`.

mod known;

use std::{
    borrow::Cow,
    ffi::{OsStr, OsString},
    mem,
    os::unix::ffi::OsStrExt,
    path::Path,
    sync::Arc,
};

use aho_corasick::{AhoCorasick, MatchKind};

use self::known::{KNOWN, Shape};

/// Shorter values are words like any other; nobody could read an output without them.
const SECRET_BYTES_MIN: usize = 8;
/// A line of a secret that is longer is known by its beginning.
const SECRET_BYTES_MAX: usize = 1024;
/// How much of what looks like a private key is taken out at most.
const KEY_BYTES_MAX: usize = 16 << 10;

/// Knows the secrets of a run.
#[derive(Clone, Debug, Default)]
pub struct Redactor(Option<Arc<Secrets>>);

#[derive(Debug)]
struct Secrets {
    search: AhoCorasick,
    kinds: Vec<Kind>,
    patterns: Vec<Vec<u8>>,
}

/// What a pattern stands for.
#[derive(Clone, Debug)]
enum Kind {
    /// The secret itself, which is called so.
    Value(String),
    /// The beginning of a key.
    Begins(&'static Shape),
}

/// One stream of bytes on its way into a store.
#[derive(Debug, Default)]
pub struct Redaction {
    secrets: Redactor,
    /// What may be the beginning of a secret.
    held: Vec<u8>,
    /// How many bytes may still belong to a key that has begun, and of which kind it is.
    within: Option<(&'static Shape, usize)>,
    /// What stands before the next byte.
    before: Option<u8>,
}

impl Redactor {
    /// Knows the values of these variables, if they are secret by their name or are passed on to an agent, and every
    /// well-known kind of key.
    pub fn of(
        variables: impl IntoIterator<Item = (OsString, OsString)>,
        is_passed: impl Fn(&OsStr) -> bool,
    ) -> Self {
        let (mut kinds, mut patterns) = (Vec::new(), Vec::new());
        for (name, value) in variables {
            let secret = is_secret_name(&name) || (is_passed(&name) && may_be_secret(&value));
            if !secret {
                continue;
            }
            let name = name.to_string_lossy().into_owned();
            for form in forms_of(value.as_bytes()) {
                kinds.push(Kind::Value(name.clone()));
                patterns.push(form);
            }
        }
        for shape in &KNOWN {
            kinds.push(Kind::Begins(shape));
            patterns.push(shape.begins.as_bytes().to_vec());
        }
        let search = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&patterns);
        // Too many and too long secrets to be searched for at once are no environment that a system takes.
        Self(search.ok().map(|search| Arc::new(Secrets { search, kinds, patterns })))
    }

    /// Begins a stream.
    pub fn stream(&self) -> Redaction {
        Redaction { secrets: self.clone(), ..Redaction::default() }
    }

    /// Takes the secrets out of a text.
    pub fn text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let Some(secrets) = &self.0 else { return Cow::Borrowed(text) };
        if !secrets.search.is_match(text) {
            return Cow::Borrowed(text);
        }
        let (mut stream, mut clean) = (self.stream(), Vec::with_capacity(text.len()));
        stream.push(text.as_bytes(), |piece| clean.extend_from_slice(piece));
        stream.finish(|piece| clean.extend_from_slice(piece));
        Cow::Owned(String::from_utf8_lossy(&clean).into_owned())
    }
}

impl Redaction {
    /// Takes a piece of the stream, cut anywhere, and gives on what is known to be no secret.
    pub fn push(&mut self, piece: &[u8], mut give: impl FnMut(&[u8])) {
        if self.held.is_empty() {
            self.advance(piece, End::Open, &mut give);
        } else {
            let mut joined = mem::take(&mut self.held);
            joined.extend_from_slice(piece);
            self.advance(&joined, End::Open, &mut give);
        }
    }

    /// Gives on what was held back: nothing follows it.
    pub fn finish(&mut self, mut give: impl FnMut(&[u8])) {
        let held = mem::take(&mut self.held);
        self.advance(&held, End::Reached, &mut give);
    }

    fn advance(&mut self, bytes: &[u8], end: End, give: &mut impl FnMut(&[u8])) {
        let Some(secrets) = self.secrets.0.clone() else { return give(bytes) };
        // Most of what comes holds no secret and is given on as it is.
        let mut clean: Option<Vec<u8>> = None;
        let mut at = self.leave_key(bytes);
        let mut from = at;
        let mut given = at;
        while let Some(found) = secrets.search.find(&bytes[from..]) {
            let (start, stop) = (from + found.start(), from + found.end());
            let name = match &secrets.kinds[found.pattern().as_usize()] {
                Kind::Value(_) if end == End::Open && secrets.may_go_on(&bytes[start..]) => break,
                Kind::Value(name) => name.as_str(),
                Kind::Begins(shape) => {
                    let before = start.checked_sub(1).map(|at| bytes[at]).or(self.before);
                    match shape.look(before, &bytes[stop..]) {
                        Look::Key => {
                            self.within = Some((*shape, KEY_BYTES_MAX));
                            shape.name
                        }
                        Look::TooShort if end == End::Open => break,
                        Look::TooShort | Look::Other => {
                            from = start + 1;
                            continue;
                        }
                    }
                }
            };
            let clean = clean.get_or_insert_default();
            clean.extend_from_slice(&bytes[given..start]);
            clean.extend_from_slice(format!("[redacted:{name}]").as_bytes());
            at = stop + self.leave_key(&bytes[stop..]);
            (from, given) = (at, at);
        }
        let rest = &bytes[given..];
        let hold = match end {
            End::Open => secrets.hold(rest, self.before_of(bytes, given)),
            End::Reached => rest.len(),
        };
        self.held = rest[hold..].to_vec();
        if let Some(last) = rest[..hold].last() {
            self.before = Some(*last);
        } else if clean.is_some() {
            self.before = Some(b']');
        }
        match clean {
            Some(mut clean) => {
                clean.extend_from_slice(&rest[..hold]);
                give(&clean);
            }
            None if hold > 0 => give(&rest[..hold]),
            None => {}
        }
    }

    /// How many bytes from the beginning on still belong to a key.
    fn leave_key(&mut self, bytes: &[u8]) -> usize {
        let Some((shape, left)) = self.within else { return 0 };
        let count = bytes.iter().take(left).take_while(|byte| shape.has(**byte)).count();
        let left = left - count;
        self.within = (count == bytes.len() && left > 0).then_some((shape, left));
        count
    }

    fn before_of(&self, bytes: &[u8], at: usize) -> Option<u8> {
        at.checked_sub(1).map(|at| bytes[at]).or(self.before)
    }
}

/// Whether something can follow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Open,
    Reached,
}

/// What stands behind the beginning of a key.
enum Look {
    Key,
    TooShort,
    Other,
}

impl Secrets {
    /// Whether these bytes are the beginning of a longer secret.
    fn may_go_on(&self, bytes: &[u8]) -> bool {
        self.patterns
            .iter()
            .any(|pattern| pattern.len() > bytes.len() && pattern.starts_with(bytes))
    }

    /// From where on the end of some bytes may be the beginning of a secret.
    fn hold(&self, bytes: &[u8], before: Option<u8>) -> usize {
        let mut hold = bytes.len();
        for (pattern, kind) in self.patterns.iter().zip(&self.kinds) {
            let longest = (pattern.len() - 1).min(bytes.len());
            let from = bytes.len() - longest;
            for at in (from..hold).filter(|at| bytes[*at] == pattern[0]) {
                if pattern.starts_with(&bytes[at..]) {
                    hold = at;
                    break;
                }
            }
            // The beginning of a key may be whole, and too little of the rest is there.
            if let Kind::Begins(shape) = kind {
                let reach = pattern.len() + shape.rest_min;
                let from = bytes.len().saturating_sub(reach);
                for at in (from..hold).filter(|at| bytes[*at..].starts_with(pattern)) {
                    let before = at.checked_sub(1).map(|at| bytes[at]).or(before);
                    if matches!(shape.look(before, &bytes[at + pattern.len()..]), Look::TooShort) {
                        hold = at;
                        break;
                    }
                }
            }
        }
        hold
    }
}

impl Shape {
    fn look(&self, before: Option<u8>, rest: &[u8]) -> Look {
        if before.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            return Look::Other;
        }
        let count = rest.iter().take(self.rest_min).take_while(|byte| self.has(**byte)).count();
        match count {
            count if count == self.rest_min => Look::Key,
            count if count == rest.len() => Look::TooShort,
            _ => Look::Other,
        }
    }
}

/// Whether a variable is named as those are that hold secrets.
fn is_secret_name(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_uppercase();
    let ends = ["_KEY", "_TOKEN", "_PASS", "_PWD", "_PAT"];
    let holds = ["SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL", "APIKEY"];
    ends.iter().any(|end| name.ends_with(end))
        || holds.iter().any(|part| name.contains(part))
        || ["TOKEN", "PASS"].contains(&name.as_str())
}

/// Whether a value that is passed on can be a secret: neither a place nor a plain word.
fn may_be_secret(value: &OsStr) -> bool {
    let bytes = value.as_bytes();
    let is_word = bytes.iter().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'-' | b'_'));
    !is_word && !Path::new(value).is_absolute()
}

/// A value as it is printed: each of its lines, and the same as it stands in JSON.
fn forms_of(value: &[u8]) -> Vec<Vec<u8>> {
    let mut forms: Vec<Vec<u8>> = Vec::new();
    for line in value.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii) {
        let line = &line[..line.len().min(SECRET_BYTES_MAX)];
        // What stands around every key tells nothing.
        if line.len() < SECRET_BYTES_MIN || line.starts_with(b"-----") {
            continue;
        }
        let text = String::from_utf8_lossy(line);
        let quoted = serde_json::Value::from(&*text).to_string();
        let inside = quoted.trim_matches('"').as_bytes().to_vec();
        if inside != line && !text.ends_with('"') && !text.starts_with('"') {
            forms.push(inside);
        }
        forms.push(line.to_vec());
    }
    forms
}

#[cfg(test)]
mod tests;
