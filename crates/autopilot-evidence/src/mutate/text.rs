//! Mutations of data, markup and prose.

use super::{
    candidate::{Candidate, Rank, short},
    language::Language,
    lex::{self, Kind},
    lines::Lines,
    literals::in_place,
    words::{broken, broken_plain, other_number},
};

/// All mutations of changed lines.
pub(super) fn candidates(
    text: &str,
    language: Language,
    lines: &Lines,
    found: &mut Vec<Candidate>,
) {
    match language {
        Language::Json | Language::Toml => data(text, language, lines, found),
        Language::Yaml => each(text, lines, found, &yaml),
        Language::Markup => markup(text, lines, found),
        Language::Css => css(text, lines, found),
        Language::Prose => each(text, lines, found, &prose),
        Language::Table => each(text, lines, found, &row),
        _ => each(text, lines, found, &other),
    }
}

/// A line with where it begins.
struct Line<'a> {
    text: &'a str,
    start: usize,
}

impl Line<'_> {
    /// Replaces a part of the line, given by places in it.
    fn replace(&self, range: (usize, usize), to: String, rank: Rank) -> Candidate {
        let mut candidate = Candidate::replace(self.text, range, to, rank);
        candidate.start += self.start;
        candidate.end += self.start;
        candidate
    }

    /// The line without its indentation goes away; its ending stays.
    fn removed(&self, rank: Rank) -> Candidate {
        let begin = self.start + self.text.len() - self.text.trim_start().len();
        let what = format!("the line `{}` is gone", short(self.text));
        Candidate::told((begin, self.start + self.text.trim_end().len()), String::new(), what, rank)
    }
}

fn each(
    text: &str,
    lines: &Lines,
    found: &mut Vec<Candidate>,
    make: &dyn Fn(&Line<'_>, &mut Vec<Candidate>),
) {
    for line in lines.changed() {
        let (start, end) = lines.range(line);
        let line = Line { text: text.get(start..end).unwrap_or_default(), start };
        if line.text.contains(char::is_alphanumeric) {
            make(&line, found);
        }
    }
}

fn truth(word: &str) -> Option<&'static str> {
    match word {
        "true" => Some("false"),
        "false" => Some("true"),
        "yes" => Some("no"),
        "no" => Some("yes"),
        "on" => Some("off"),
        "off" => Some("on"),
        _ => None,
    }
}

/// Values before keys, which must stay what they are for the rest to be found.
fn data(text: &str, language: Language, lines: &Lines, found: &mut Vec<Candidate>) {
    let tokens = lex::tokens(text, language);
    let word = |at: usize| {
        tokens.get(at).and_then(|token| text.get(token.start..token.end)).unwrap_or_default()
    };
    for (at, token) in
        tokens.iter().enumerate().filter(|(_, token)| lines.covers(token.start, token.end))
    {
        let is_key = matches!(word(at + 1), ":" | "=");
        let rank = if is_key { Rank::Removal } else { Rank::Literal };
        let other = match token.kind {
            Kind::Text => Some(broken(text.get(token.inner.0..token.inner.1).unwrap_or_default())),
            Kind::Number => other_number(word(at)),
            Kind::Word if !is_key => truth(word(at)).map(str::to_owned),
            Kind::Word | Kind::Opaque | Kind::Mark => None,
        };
        found.extend(other.map(|to| Candidate { rank, ..in_place(text, token, to) }));
    }
    if language == Language::Toml {
        each(text, lines, found, &setting);
    }
}

/// `name = value` without quotes, as in environment and property files.
fn setting(line: &Line<'_>, found: &mut Vec<Candidate>) {
    let Some((name, value)) = line.text.split_once('=') else { return };
    let is_bare =
        !value.contains(['"', '\'', '[', '{']) && !name.trim_start().starts_with(['#', ';']);
    if is_bare && value.contains(char::is_alphabetic) && truth(value.trim()).is_none() {
        let begin = name.len() + 1;
        found.push(line.replace(
            (begin, line.text.trim_end().len()),
            broken_plain(value.trim_end()),
            Rank::Literal,
        ));
    }
    if !name.trim_start().starts_with(['#', ';']) {
        found.push(line.removed(Rank::Removal));
    }
}

fn yaml(line: &Line<'_>, found: &mut Vec<Candidate>) {
    let bare = line.text.trim_start();
    if bare.starts_with('#') || bare.starts_with("---") {
        return;
    }
    let begin = line.text.len() - bare.trim_start_matches(['-', ' ']).len();
    let begin = if bare.starts_with("- ") { begin } else { line.text.len() - bare.len() };
    let entry = &line.text[begin..];
    let from = begin + entry.find(": ").map_or(0, |at| at + 2);
    let value = line.text[from..].split(" #").next().unwrap_or_default().trim_end();
    let from = from + value.len() - value.trim_start().len();
    let value = value.trim_start();
    if value.ends_with(':') {
        let to = broken_plain(value);
        found.push(line.replace((from, from + value.len()), to, Rank::Removal));
        return;
    }
    let quoted = ['"', '\'']
        .into_iter()
        .find(|quote| value.len() > 1 && value.starts_with(*quote) && value.ends_with(*quote));
    let end = from + value.len();
    if quoted.is_some() {
        let inner = (from + 1, end - 1);
        found.push(line.replace(inner, broken(&line.text[inner.0..inner.1]), Rank::Literal));
    } else if let Some(to) = truth(value).map(str::to_owned).or_else(|| other_number(value)) {
        found.push(line.replace((from, end), to, Rank::Literal));
    } else if !value.starts_with(['|', '>', '&', '*', '{', '!', '"', '\''])
        && value.contains(char::is_alphanumeric)
    {
        found.push(line.replace((from, end), broken_plain(value), Rank::Literal));
    }
    if from > begin && !value.starts_with(['|', '>', '&', '{', '[']) {
        found.push(line.removed(Rank::Removal));
    }
}

fn prose(line: &Line<'_>, found: &mut Vec<Candidate>) {
    let bare = line.text.trim();
    if bare.starts_with("```") || bare.starts_with("<!--") && bare.ends_with("-->") {
        return;
    }
    found.push(line.removed(Rank::Literal));
}

/// Other values; the names above them are what values are found by.
fn row(line: &Line<'_>, found: &mut Vec<Candidate>) {
    if line.start > 0 {
        let whole = (0, line.text.len());
        found.push(line.replace(whole, broken_plain(line.text), Rank::Literal));
    }
    found.push(line.removed(Rank::Removal));
}

/// A language that is not known: a value in quotes, a number, the last word, the line.
fn other(line: &Line<'_>, found: &mut Vec<Candidate>) {
    let bare = line.text.trim_start();
    if bare.starts_with(['#', '%', ';'])
        || bare.starts_with("//")
        || bare.starts_with("--")
        || bare.starts_with("/*")
    {
        return;
    }
    if let Some((start, end)) = quoted(line.text) {
        found.push(line.replace((start, end), broken(&line.text[start..end]), Rank::Literal));
    } else if let Some((start, end)) =
        run(line.text, |c| c.is_ascii_digit() || c == '.', |c| c.is_ascii_digit())
        && let Some(to) = other_number(&line.text[start..end])
    {
        found.push(line.replace((start, end), to, Rank::Literal));
    } else {
        let end = line.text.rfind(char::is_alphanumeric).unwrap_or_default();
        let end = end + line.text[end..].chars().next().map_or(0, char::len_utf8);
        let start = line.text[..end]
            .rfind(|c: char| !c.is_alphanumeric())
            .map_or(0, |at| at + line.text[at..].chars().next().map_or(1, char::len_utf8));
        found.push(line.replace((start, end), broken_plain(&line.text[start..end]), Rank::Literal));
    }
    found.push(line.removed(Rank::Removal));
}

/// The inside of the first quotes of a line that hold something.
fn quoted(line: &str) -> Option<(usize, usize)> {
    let start = line.find(['"', '\''])? + 1;
    let quote = line[..start].chars().next_back()?;
    let end = start + line[start..].find(quote)?;
    line[start..end].contains(char::is_alphanumeric).then_some((start, end))
}

/// The first run of characters of a line, by what it may hold and how it begins.
fn run(
    line: &str,
    holds: impl Fn(char) -> bool,
    begins: impl Fn(char) -> bool,
) -> Option<(usize, usize)> {
    let start = line.find(begins)?;
    let is_part = line[..start].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    let end = line[start..].find(|c| !holds(c)).map_or(line.len(), |at| start + at);
    (!is_part).then_some((start, end))
}

/// What stands between tags; where a line is all tags, what stands in quotes.
fn markup(text: &str, lines: &Lines, found: &mut Vec<Candidate>) {
    let hidden = spans(
        text,
        &[("<!--", "-->"), ("<script", "</script>"), ("<style", "</style>"), ("<", ">")],
    );
    let is_comment = |at: usize| {
        covering(&hidden, at).is_some_and(|(start, _)| text[start..].starts_with("<!--"))
    };
    for number in lines.changed() {
        let (start, end) = lines.range(number);
        let line = Line { text: text.get(start..end).unwrap_or_default(), start };
        let mut at = start;
        while at < end {
            if let Some((_, past)) = covering(&hidden, at) {
                at = past.max(at + 1);
                continue;
            }
            let next = hidden.partition_point(|(open, _)| *open <= at);
            let stop = hidden.get(next).map_or(end, |(open, _)| (*open).min(end));
            let part = text.get(at..stop).unwrap_or_default();
            if part.contains(char::is_alphanumeric) {
                found.push(Candidate::replace(text, (at, stop), broken_plain(part), Rank::Literal));
            }
            at = stop.max(at + 1);
        }
        if let Some((from, to)) = quoted(line.text).filter(|(from, _)| !is_comment(start + from)) {
            found.push(line.replace((from, to), broken_plain(&line.text[from..to]), Rank::Removal));
        }
    }
}

fn css(text: &str, lines: &Lines, found: &mut Vec<Candidate>) {
    let hidden = spans(text, &[("/*", "*/")]);
    each(text, lines, found, &|line, found| {
        let begin = line.text.len() - line.text.trim_start().len();
        if covering(&hidden, line.start + begin).is_some()
            || line.text.trim_start().starts_with('@')
        {
            return;
        }
        if let Some((name, value)) =
            line.text.split_once(':').filter(|(_, value)| value.contains(';'))
        {
            let value = value.split(';').next().unwrap_or_default();
            let from = name.len() + 1;
            found.push(line.replace(
                (from, from + value.len()),
                broken_plain(value),
                Rank::Literal,
            ));
            found.push(line.removed(Rank::Removal));
        } else if let Some(at) = line.text.find('{').filter(|at| *at > begin) {
            found.push(line.replace(
                (begin, at),
                broken_plain(&line.text[begin..at]),
                Rank::Removal,
            ));
        }
    });
}

/// Parts of a text from an opening to its closing, in order; the first kind that fits is taken.
fn spans(text: &str, kinds: &[(&str, &str)]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..)
        && let Some((start, close)) = next_span(rest, kinds)
    {
        let begin = at + start;
        let end = text[begin..].find(close).map_or(text.len(), |end| begin + end + close.len());
        found.push((begin, end));
        at = end;
    }
    found
}

fn next_span<'a>(rest: &str, kinds: &[(&str, &'a str)]) -> Option<(usize, &'a str)> {
    let first = kinds.first()?.0.chars().next()?;
    rest.match_indices(first).find_map(|(at, _)| {
        let kind = kinds.iter().find(|(open, _)| rest[at..].starts_with(open));
        kind.map(|(_, close)| (at, *close))
    })
}

fn covering(spans: &[(usize, usize)], at: usize) -> Option<(usize, usize)> {
    let before = spans.partition_point(|(start, _)| *start <= at);
    before.checked_sub(1).map(|nth| spans[nth]).filter(|(_, end)| at < *end)
}
