//! A criterion: a sentence, and where there is one the command that decides it.

use serde::{Deserialize, Serialize};

use super::{ending, expectation::Expectation, trace::Trace};

/// The longest line that is read as a criterion.
pub const CRITERION_BYTES_MAX: usize = 16 << 10;

/// One acceptance criterion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Criterion {
    /// What must be true, without the command.
    pub text: String,
    /// The command that decides it, without endings that hide its exit code.
    pub command: Option<String>,
    /// What the command must show.
    pub expect: Expectation,
    /// How it is to be decided.
    pub method: Method,
    /// What is to be read and followed for it, besides the command or in the place of one: `read F:handler and trace to …`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traced: Option<String>,
    /// How much it counts beside the others.
    pub weight: Weight,
    /// The project's own pattern for the number of tests that the command runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<String>,
}

/// How a criterion is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// By running its command.
    Command,
    /// By reading code and following it, with evidence; it can fail a phase, never pass one alone.
    Traced,
    /// By nothing that could be checked.
    Prose,
}

/// How much a criterion counts, in hundredths; 100 is the usual weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Weight(u32);

impl Weight {
    /// The weight of a criterion that states none.
    pub const USUAL: Self = Self(100);

    /// The heaviest weight.
    pub const MAX: Self = Self(10_000);

    /// The weight in hundredths.
    pub fn hundredths(self) -> u32 {
        self.0
    }

    /// Reads `2`, `1.5`, `0.25`; a weight is above zero and at most 100.
    fn parse(text: &str) -> Option<Self> {
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || whole.len() > 3 || part.len() > 2 || !digits(whole) || !digits(part)
        {
            return None;
        }
        let whole: u32 = whole.parse().ok()?;
        let part: u32 = format!("{part:0<2}").parse().ok()?;
        let weight = Self(whole * 100 + part);
        (weight.0 > 0 && weight <= Self::MAX).then_some(weight)
    }
}

impl Criterion {
    /// Reads a criterion from its line, without bullet and box.
    ///
    /// Understood are ``text -- verified by: `cmd` (expect …)``, ``Verification: `cmd` returns …``
    /// and the words for a weight, `(weight: 2)`. A tail after the command that is not understood
    /// becomes [`Expectation::Unreadable`].
    pub fn parse(line: &str) -> Self {
        let line = line.trim();
        if line.len() > CRITERION_BYTES_MAX {
            return Self {
                expect: Expectation::Unreadable("the criterion is too long".to_owned()),
                ..Self::without_command(line, Weight::USUAL)
            };
        }
        let (line, weight) = take_weight(line);
        let line = line.trim();
        let Some((text, check)) = split_check(line) else {
            return Self::without_command(line, weight);
        };
        let text = text.trim_end_matches(|c: char| c.is_whitespace() || "-–—:(".contains(c));
        match commands(check) {
            Some((spans, tail)) if spans.iter().any(|span| Trace::parse(span).is_none()) => {
                Self::of_spans(text, &spans, tail, weight)
            }
            _ if Trace::parse(check).is_some() => Self::to_trace(line, check, weight),
            Some((commands, tail)) => Self::with_command(text, &commands, tail, weight),
            None if check.starts_with('`') => Self {
                expect: Expectation::Unreadable(
                    "no command stands between the backticks".to_owned(),
                ),
                ..Self::without_command(line, weight)
            },
            None => Self::without_command(line, weight),
        }
    }

    /// Reads a criterion that is nothing but a command, as in `<automated>cmd</automated>`.
    pub fn of_command(command: &str) -> Self {
        let command = command.trim().trim_matches('`').trim();
        if Trace::parse(command).is_some() {
            return Self::to_trace(&format!("verified by: {command}"), command, Weight::USUAL);
        }
        Self::with_command("", &[command], "", Weight::USUAL)
    }

    /// What whoever judges a traced criterion has to follow.
    pub fn trace(&self) -> Option<Trace<'_>> {
        self.traced.as_deref().and_then(Trace::parse)
    }

    /// Why it could never be proven, however good the work is.
    pub fn objection(&self) -> Option<String> {
        match &self.expect {
            // Without a command there is nothing that could be expected of it; the text says why.
            Expectation::Unreadable(why) if self.command.is_none() => Some(why.clone()),
            Expectation::Unreadable(text) => {
                Some(format!("the expectation `{text}` cannot be read"))
            }
            Expectation::Masked(why) => Some(format!("the command hides its own result: {why}")),
            Expectation::Exit(_)
            | Expectation::Count(..)
            | Expectation::NoMatches
            | Expectation::Contains(_)
            | Expectation::Matches(_)
            | Expectation::All(_) => None,
        }
    }

    /// A criterion that is read and followed, and nothing else.
    fn to_trace(line: &str, check: &str, weight: Weight) -> Self {
        let traced = Some(check.trim().to_owned());
        Self { method: Method::Traced, traced, ..Self::without_command(line, weight) }
    }

    /// A criterion with commands, and perhaps with something to follow besides: ``by: `cmd` and read F:x and trace to y``.
    fn of_spans(text: &str, spans: &[&str], tail: &str, weight: Weight) -> Self {
        let (traces, commands): (Vec<&str>, Vec<&str>) =
            spans.iter().partition(|span| Trace::parse(span).is_some());
        let joined = ["and ", "then ", ", ", "; "].iter().find_map(|join| tail.strip_prefix(join));
        let in_tail = joined.filter(|rest| Trace::parse(rest).is_some());
        let tail = if in_tail.is_some() { "" } else { tail };
        let traced = traces.first().copied().or(in_tail).map(|trace| trace.trim().to_owned());
        let text = match &traced {
            Some(trace) => format!("{text} (and: {trace})"),
            None => text.to_owned(),
        };
        Self { traced, ..Self::with_command(&text, &commands, tail, weight) }
    }

    fn without_command(text: &str, weight: Weight) -> Self {
        Self {
            text: text.to_owned(),
            command: None,
            expect: Expectation::DEFAULT,
            method: Method::Prose,
            traced: None,
            weight,
            counts: None,
        }
    }

    fn with_command(text: &str, commands: &[&str], tail: &str, weight: Weight) -> Self {
        let mut expect = read_tail(tail);
        let mut bare = Vec::with_capacity(commands.len());
        if commands.len() > 1 && expect.is_about_output() {
            expect =
                Expectation::Masked("it is not clear which command the expectation is for".into());
        }
        for command in commands {
            let unmasked = ending::unmask(command, &expect);
            if let Some(why) = unmasked.masked
                && !matches!(expect, Expectation::Unreadable(_))
            {
                expect = Expectation::Masked(why);
            } else {
                expect = unmasked.expect;
            }
            bare.push(unmasked.command);
        }
        let command = match bare.as_slice() {
            [only] => only.clone(),
            _ => bare.iter().map(|one| format!("( {one} )")).collect::<Vec<_>>().join(" && "),
        };
        Self {
            text: if text.is_empty() { command.clone() } else { text.to_owned() },
            command: Some(command),
            expect,
            method: Method::Command,
            traced: None,
            weight,
            counts: None,
        }
    }
}

/// Splits a line into what must be true and how it is checked.
fn split_check(line: &str) -> Option<(&str, &str)> {
    const MARKS: &[&str] = &["verified by", "verification", "verify with", "check with", "verify"];
    let lower = line.to_ascii_lowercase();
    for mark in MARKS {
        // The last one counts: the sentence before may speak of verification too.
        let mut end = lower.len();
        while let Some(at) = lower[..end].rfind(mark) {
            let after = line[at + mark.len()..].trim_start_matches(['*', '_']);
            let rest = after.trim_start();
            let colon = rest.starts_with([':', '：']);
            let value = rest.trim_start_matches([':', '：', '*', '_', ' ']);
            let starts = at == 0 || !lower.as_bytes()[at - 1].is_ascii_alphanumeric();
            let direct = *mark == "verified by" && rest.starts_with('`');
            if starts && (colon || direct) && !inside_code(line, at) {
                return Some((line[..at].trim_end_matches(['*', '_']), value));
            }
            end = at;
        }
    }
    None
}

/// Tells whether a place in a line is between backticks.
fn inside_code(line: &str, at: usize) -> bool {
    line[..at].bytes().filter(|byte| *byte == b'`').count() % 2 == 1
}

/// The commands in backticks at the start, and what follows them.
fn commands(check: &str) -> Option<(Vec<&str>, &str)> {
    let mut found = Vec::new();
    let mut rest = check;
    loop {
        let (command, after) = code_span(rest)?;
        found.push(command);
        let tail = after.trim_start();
        let next = ["and ", "then ", ", ", "&& ", "; "]
            .iter()
            .find_map(|join| tail.strip_prefix(join))
            .map(str::trim_start)
            .filter(|next| next.starts_with('`'));
        match next {
            Some(next) => rest = next,
            None => return Some((found, tail)),
        }
    }
}

/// A piece of code between backticks, however many.
fn code_span(text: &str) -> Option<(&str, &str)> {
    let ticks = text.bytes().take_while(|byte| *byte == b'`').count();
    if ticks == 0 {
        return None;
    }
    let inner = &text[ticks..];
    let end = inner.find(&text[..ticks])?;
    let command = inner[..end].trim();
    (!command.is_empty()).then_some((command, &inner[end + ticks..]))
}

/// Reads what follows the command.
fn read_tail(tail: &str) -> Expectation {
    let mut tail = tail.trim().trim_start_matches(['-', '–', '—', '>', '→', '=', ':']).trim();
    if !tail.starts_with(['(', '（']) {
        tail = tail.trim_end_matches(')');
    }
    let tail = tail.trim_matches(|c: char| matches!(c, '.' | ',' | ';' | ' ' | '*'));
    if tail.is_empty() {
        return Expectation::DEFAULT;
    }
    let inner = tail.strip_prefix(['(', '（']).and_then(|inner| inner.strip_suffix([')', '）']));
    Expectation::parse(inner.unwrap_or(tail))
}

/// Takes `(weight: 2)` or `[weight 2]` out of a line.
fn take_weight(line: &str) -> (String, Weight) {
    let lower = line.to_ascii_lowercase();
    for open in ['(', '['] {
        let Some(at) = lower.rfind(&format!("{open}weight")) else {
            continue;
        };
        let Some(length) = lower[at..].find([')', ']']) else {
            continue;
        };
        let value = line[at + 1 + "weight".len()..at + length].trim_matches([':', '=', ' ']);
        if let Some(weight) = Weight::parse(value) {
            let rest = format!("{}{}", &line[..at], &line[at + length + 1..]);
            return (rest, weight);
        }
    }
    (line.to_owned(), Weight::USUAL)
}

#[cfg(test)]
mod tests;
