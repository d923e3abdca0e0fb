//! Patterns of paths, written as in a `.gitignore`.

use thiserror::Error;

/// The longest pattern that is read.
pub const GLOB_BYTES_MAX: usize = 1 << 10;

/// How many patterns the braces of one pattern may stand for.
const ALTERNATIVES_MAX: usize = 64;

/// A list of patterns; the last one that matches a path decides.
///
/// Written as in a `.gitignore`: `*`, `?` and `[a-z]` stay within a name, `**` stands for any directories,
/// `{a,b}` for either. Without a slash a pattern matches in any directory, with one it is taken from the
/// root. What matches a directory matches everything in it; with `/` or `/**` at its end it matches nothing
/// but what is in it. `!` takes away, `\` takes the next character as it is.
#[derive(Clone, Debug, Default)]
pub struct Globs {
    globs: Vec<Glob>,
}

/// A pattern that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("cannot read the pattern `{pattern}`: {why}")]
pub struct BadGlob {
    /// The pattern as it was written.
    pub pattern: String,
    /// What is wrong with it.
    pub why: Why,
}

/// What is wrong with a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Why {
    /// There is nothing in it.
    #[error("it is empty")]
    Empty,
    /// It is longer than any path pattern has to be.
    #[error("it is longer than {GLOB_BYTES_MAX} bytes")]
    Long,
    /// `[` without `]`.
    #[error("`[` has no `]`")]
    OpenSet,
    /// `[z-a]`.
    #[error("a range in `[…]` ends before it begins")]
    BackwardRange,
    /// `{` without `}`, or `}` without `{`.
    #[error("`{{` and `}}` do not belong together")]
    OpenBrace,
    /// Braces that stand for too many patterns.
    #[error("its braces stand for more than {ALTERNATIVES_MAX} patterns")]
    Alternatives,
    /// `\` with nothing after it.
    #[error("it ends in `\\`")]
    OpenEscape,
    /// `.` or `..` as a name, or no name between two slashes.
    #[error("no path of a repository has an empty name, `.` or `..` in it")]
    NoName,
}

impl Globs {
    /// Reads patterns.
    pub fn new<P: AsRef<str>>(patterns: impl IntoIterator<Item = P>) -> Result<Self, BadGlob> {
        let mut globs = Vec::new();
        for pattern in patterns {
            let pattern = pattern.as_ref();
            let read = read(pattern).map_err(|why| BadGlob { pattern: pattern.to_owned(), why })?;
            globs.extend(read);
        }
        Ok(Self { globs })
    }

    /// Tells whether a path of the repository is meant.
    pub fn matches(&self, path: &[u8]) -> bool {
        let names: Vec<Vec<u32>> = path.split(|byte| *byte == b'/').map(units).collect();
        let last = self.globs.iter().rev().find(|glob| glob.matches(&names));
        last.is_some_and(|glob| !glob.takes_away)
    }
}

/// One pattern without braces.
#[derive(Clone, Debug)]
struct Glob {
    takes_away: bool,
    parts: Vec<Part>,
}

impl Glob {
    fn matches(&self, names: &[Vec<u32>]) -> bool {
        wild(
            &self.parts,
            names,
            |part| matches!(part, Part::Directories),
            |part, name| part.matches(name),
        )
    }
}

/// What stands between two slashes.
#[derive(Clone, Debug)]
enum Part {
    /// `**`: any number of directories.
    Directories,
    Name(Vec<Piece>),
}

impl Part {
    fn matches(&self, name: &[u32]) -> bool {
        match self {
            Self::Directories => true,
            Self::Name(pieces) => wild(
                pieces,
                name,
                |piece| matches!(piece, Piece::Some),
                |piece, unit| piece.matches(*unit),
            ),
        }
    }
}

/// What stands for characters of a name.
#[derive(Clone, Debug)]
enum Piece {
    /// `*`.
    Some,
    /// `?`.
    One,
    Is(u32),
    In {
        ranges: Vec<(u32, u32)>,
        negated: bool,
    },
}

impl Piece {
    fn matches(&self, unit: u32) -> bool {
        match self {
            Self::Some | Self::One => true,
            Self::Is(wanted) => *wanted == unit,
            Self::In { ranges, negated } => {
                ranges.iter().any(|(from, to)| (*from..=*to).contains(&unit)) != *negated
            }
        }
    }
}

/// Matches a sequence with wildcards, each of which takes any number of things.
///
/// A wildcard takes as little as it can, and only the last one is ever made to take more: if the parts after
/// it fit at all, they fit as well with all earlier ones as short as they were. So the time is at most the
/// product of both lengths.
fn wild<P, T>(
    parts: &[P],
    things: &[T],
    is_wild: impl Fn(&P) -> bool,
    fits: impl Fn(&P, &T) -> bool,
) -> bool {
    let (mut part, mut thing) = (0, 0);
    let mut last_wild: Option<(usize, usize)> = None;
    while thing < things.len() {
        match parts.get(part) {
            Some(this) if is_wild(this) => {
                last_wild = Some((part, thing));
                part += 1;
            }
            Some(this) if fits(this, &things[thing]) => {
                part += 1;
                thing += 1;
            }
            Some(_) | None => {
                let Some((wild, taken)) = last_wild else {
                    return false;
                };
                last_wild = Some((wild, taken + 1));
                part = wild + 1;
                thing = taken + 1;
            }
        }
    }
    parts[part..].iter().all(is_wild)
}

/// The characters of a name; bytes that are no character stand for themselves, beyond all characters.
fn units(name: &[u8]) -> Vec<u32> {
    const NO_CHARACTER: u32 = 0x11_0000;
    let mut units = Vec::with_capacity(name.len());
    for chunk in name.utf8_chunks() {
        units.extend(chunk.valid().chars().map(u32::from));
        units.extend(chunk.invalid().iter().map(|byte| NO_CHARACTER + u32::from(*byte)));
    }
    units
}

fn read(pattern: &str) -> Result<Vec<Glob>, Why> {
    if pattern.len() > GLOB_BYTES_MAX {
        return Err(Why::Long);
    }
    let (takes_away, rest) = match pattern.strip_prefix('!') {
        Some(rest) => (true, rest),
        None => (false, pattern),
    };
    let alternatives = alternatives(rest)?;
    alternatives.iter().map(|one| parts(one).map(|parts| Glob { takes_away, parts })).collect()
}

/// Writes out braces: `a{b,c}` is `ab` and `ac`.
fn alternatives(pattern: &str) -> Result<Vec<String>, Why> {
    let mut done = Vec::new();
    let mut todo = vec![pattern.to_owned()];
    while let Some(one) = todo.pop() {
        match brace(&one)? {
            None => done.push(one),
            Some((open, close, commas)) => {
                let mut from = open + 1;
                for end in commas.into_iter().chain([close]) {
                    let inner = &one[from..end];
                    todo.push(format!("{}{inner}{}", &one[..open], &one[close + 1..]));
                    from = end + 1;
                }
            }
        }
        if done.len() + todo.len() > ALTERNATIVES_MAX {
            return Err(Why::Alternatives);
        }
    }
    Ok(done)
}

/// The first brace, the one that closes it and the commas between them.
fn brace(pattern: &str) -> Result<Option<(usize, usize, Vec<usize>)>, Why> {
    let (mut open, mut depth, mut commas) = (None, 0_usize, Vec::new());
    let mut in_set = false;
    let mut chars = pattern.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => {
                chars.next().ok_or(Why::OpenEscape)?;
            }
            '[' if !in_set => in_set = pattern[at + 1..].contains(']'),
            ']' => in_set = false,
            _ if in_set => {}
            '{' => {
                open = open.or(Some(at));
                depth += 1;
            }
            '}' if depth == 0 => return Err(Why::OpenBrace),
            '}' => {
                depth -= 1;
                if let (0, Some(open)) = (depth, open) {
                    return Ok(Some((open, at, commas)));
                }
            }
            ',' if depth == 1 => commas.push(at),
            _ => {}
        }
    }
    if open.is_some() { Err(Why::OpenBrace) } else { Ok(None) }
}

fn parts(pattern: &str) -> Result<Vec<Part>, Why> {
    let (inside_only, body) = match pattern.strip_suffix('/') {
        Some(body) => (true, body),
        None => (false, pattern),
    };
    let (anchored, body) = match body.strip_prefix('/') {
        Some(body) => (true, body),
        None => (body.contains('/'), body),
    };
    if body.is_empty() {
        return Err(Why::Empty);
    }
    let mut parts = if anchored { Vec::new() } else { vec![Part::Directories] };
    for name in body.split('/') {
        match name {
            "" | "." | ".." => return Err(Why::NoName),
            "**" => parts.push(Part::Directories),
            name => parts.push(Part::Name(pieces(name)?)),
        }
    }
    // `a/` and `a/**` mean what is in `a`, at least one name further down; `a` means itself and what is in it.
    if inside_only || matches!(parts.last(), Some(Part::Directories)) {
        parts.push(Part::Name(vec![Piece::One, Piece::Some]));
    }
    parts.push(Part::Directories);
    Ok(parts)
}

fn pieces(name: &str) -> Result<Vec<Piece>, Why> {
    let mut pieces = Vec::new();
    let mut chars = name.chars();
    while let Some(c) = chars.next() {
        pieces.push(match c {
            '*' => Piece::Some,
            '?' => Piece::One,
            '[' => set(&mut chars)?,
            '\\' => Piece::Is(chars.next().ok_or(Why::OpenEscape)?.into()),
            c => Piece::Is(c.into()),
        });
    }
    Ok(pieces)
}

/// Reads `[a-z_]`, `[!0-9]` after its `[`; a `]` at the start is one of the characters.
fn set(chars: &mut std::str::Chars<'_>) -> Result<Piece, Why> {
    let mut negated = false;
    let mut members: Vec<(char, bool)> = Vec::new();
    for at in 0_usize.. {
        match chars.next().ok_or(Why::OpenSet)? {
            '!' | '^' if at == 0 => negated = true,
            ']' if !members.is_empty() => break,
            '\\' => members.push((chars.next().ok_or(Why::OpenEscape)?, true)),
            c => members.push((c, false)),
        }
    }
    let mut ranges = Vec::new();
    let mut rest = members.as_slice();
    while let [(from, _), after @ ..] = rest {
        rest = match after {
            [('-', false), (to, _), after @ ..] => {
                if to < from {
                    return Err(Why::BackwardRange);
                }
                ranges.push((u32::from(*from), u32::from(*to)));
                after
            }
            after => {
                ranges.push((u32::from(*from), u32::from(*from)));
                after
            }
        };
    }
    Ok(Piece::In { ranges, negated })
}

#[cfg(test)]
mod tests;
