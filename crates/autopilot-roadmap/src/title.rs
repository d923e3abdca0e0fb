//! Takes the name out of a title: without marks, dates, plan counts and statuses at its end.

use super::status::{self, Sign, Status};

/// The most tails that are taken off; real titles have at most three.
const TAILS_MAX: usize = 8;

/// A title taken apart.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Title<'a> {
    pub(super) name: &'a str,
    pub(super) inserted: bool,
    /// Whether the whole name is struck out.
    pub(super) struck: bool,
    /// The status that a mark or a tail gave, [`Status::Blank`] without one.
    pub(super) status: Status,
    /// The tail that says the work is open, with the blanks before it.
    pub(super) open_tail: Option<&'a str>,
}

/// Takes a title apart; what is not known to be a tail stays in the name.
pub(super) fn read(raw: &str) -> Title<'_> {
    let mut title = Title {
        name: raw.trim(),
        inserted: false,
        struck: false,
        status: Status::Blank,
        open_tail: None,
    };
    if is_plain(title.name) {
        return title;
    }
    if title.name.matches("**").count() == 1 {
        // Half of a pair whose other half was cut off.
        title.name = title.name.trim_matches('*').trim();
    }
    for _ in 0..TAILS_MAX {
        let told = std::mem::replace(&mut title.status, Status::Blank);
        let shorter = title.without_tail();
        let tail = std::mem::replace(&mut title.status, told);
        title.note(tail);
        let Some(shorter) = shorter.map(str::trim_end) else {
            break;
        };
        if tail == Status::Open {
            title.open_tail = title.name.get(shorter.len()..);
        }
        title.name = shorter;
    }
    title.name = without_half(without_target(title.name));
    title.unwrap();
    if title.status == Status::Blank && says_only_a_status(title.name) {
        title.status = status::read(title.name);
    }
    title
}

/// `(SUPERSEDED)`, `DONE`, `✅`: a status in the place of the name.
fn says_only_a_status(name: &str) -> bool {
    let bracketed = name.starts_with(['(', '[', '（']);
    let shouted = name.len() > 3 && name.bytes().all(|byte| byte.is_ascii_uppercase());
    let signed = name.chars().all(|c| status::sign_of(c).is_some());
    (bracketed || shouted || signed) && matches!(status::read(name), Status::Done | Status::Dropped)
}

/// Cuts the end of emphasis off whose start was before the name.
fn without_half(name: &str) -> &str {
    for mark in ['*', '_', '`'] {
        if let Some(cut) = name.strip_suffix(mark)
            && !cut.contains(mark)
        {
            return cut.trim_end();
        }
    }
    name
}

/// Cuts the target off a name that was the end of a link: `[Phase 3: Name](file.md)`.
fn without_target(name: &str) -> &str {
    match name.strip_suffix(')').and_then(|name| name.split_once("](")) {
        Some((text, _)) if !text.contains('[') && !text.trim().is_empty() => text.trim(),
        Some(_) | None => name,
    }
}

/// Cuts the description off a list line that does not say where its name ends.
pub(super) fn before_description(raw: &str) -> &str {
    if let Some(at) = raw.find(" (").filter(|at| is_plan_count(inside_from(raw, *at))) {
        return &raw[..at];
    }
    for dash in [" - ", " -- ", " — ", " – "] {
        if let Some((name, rest)) = raw.split_once(dash) {
            let described = dash.starts_with(" -")
                || rest.len() > 40
                || rest.starts_with(|c: char| c.is_lowercase() || c == '[');
            if described && !name.trim().is_empty() {
                return name;
            }
        }
    }
    raw
}

/// Tells whether a text is on one line and has no characters that could act on a terminal.
pub(super) fn is_clean(text: &str) -> bool {
    // 0xC2 and 0xE2 start the other control characters and the ones that reorder text.
    let suspicious = |byte: u8| (byte < 0x20) | (byte == 0x7F) | (byte == 0xC2) | (byte == 0xE2);
    // Every byte is looked at, which the compiler does many at a time, instead of stopping early.
    let any = text.bytes().fold(false, |any, byte| any | suspicious(byte));
    !any || text.chars().all(|c| !is_unprintable(c))
}

/// A text on one line, without characters that could act on a terminal.
pub(super) fn clean(text: &str) -> String {
    let text = text.trim();
    if is_clean(text) {
        return text.to_owned();
    }
    let visible: String = text.chars().map(|c| if is_unprintable(c) { ' ' } else { c }).collect();
    let mut line = String::with_capacity(visible.len());
    for word in visible.split(' ').filter(|word| !word.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

impl<'a> Title<'a> {
    /// Adds what a note in brackets before the name says.
    pub(super) fn add_note(&mut self, note: &str) {
        self.inserted |= is_inserted(note);
        if is_known(status::read(note)) {
            self.note(status::read(note));
        }
    }

    /// Removes emphasis around the whole name.
    fn unwrap(&mut self) {
        while let Some((mark, inner)) = ["**", "__", "~~"].into_iter().find_map(|mark| {
            let inner = self.name.strip_prefix(mark)?.strip_suffix(mark)?;
            (!inner.contains(mark)).then_some((mark, inner.trim()))
        }) {
            self.struck |= mark == "~~" && !inner.is_empty();
            self.name = inner;
        }
    }

    /// The name without one more tail, if it has one that is known; its meaning is kept.
    fn without_tail(&mut self) -> Option<&'a str> {
        let name = self.name;
        let last = name.chars().next_back()?;
        if let Some(sign) = status::sign_of(last) {
            let rest = &name[..name.len() - last.len_utf8()];
            if rest.trim().is_empty() {
                return None;
            }
            self.note(match sign {
                Sign::Check => Status::Done,
                Sign::Pending => Status::Open,
                Sign::Other => Status::Blank,
            });
            return Some(rest);
        }
        if last == '#' {
            let rest = name.trim_end_matches('#');
            return (rest.ends_with(' ') && !rest.trim().is_empty()).then_some(rest);
        }
        self.bracketed_tail(name)
            .or_else(|| self.dashed_tail(name))
            .or_else(|| self.shouted_tail(name))
    }

    /// `(INSERTED)`, `*(INSERTED)*`, `(3/3 plans)`, `(completed 2026-04-01)`, `[DONE]`, `(2-3
    /// days)`.
    fn bracketed_tail(&mut self, name: &'a str) -> Option<&'a str> {
        let bare = name.trim_end_matches(['*', '_']);
        let open = match bare.chars().next_back()? {
            ')' => bare.rfind('(')?,
            '）' => bare.rfind('（')?,
            ']' => bare.rfind('[')?,
            _ => return None,
        };
        let inside = inside_from(bare, open);
        let rest = name[..open].trim_end_matches(['*', '_']).trim_end();
        if rest.is_empty() {
            return None;
        }
        let known = if is_inserted(inside) {
            self.inserted = true;
            true
        } else if is_plan_count(inside) || is_effort(inside) || status::is_date(inside) {
            true
        } else {
            let status = status::read(inside);
            self.note(status);
            is_known(status)
        };
        known.then_some(rest)
    }

    /// `— DONE (Grade: B)`, `- completed 2026-04-01`, `— **COMPLETE (2026-07-26)**`.
    fn dashed_tail(&mut self, name: &'a str) -> Option<&'a str> {
        let (at, dash) = [" — ", " – ", " - ", " -- "]
            .into_iter()
            .filter_map(|dash| name.rfind(dash).map(|at| (at, dash)))
            .max_by_key(|(at, _)| *at)?;
        let (rest, tail) = (name[..at].trim_end(), &name[at + dash.len()..]);
        if rest.is_empty() {
            return None;
        }
        let status = status::read(tail);
        if is_known(status) {
            self.note(status);
            return Some(rest);
        }
        (status::is_date(tail) || is_plan_count(tail)).then_some(rest)
    }

    /// `Name COMPLETE` without a mark between, or a date at the very end after a check mark.
    fn shouted_tail(&mut self, name: &'a str) -> Option<&'a str> {
        let name = name.trim_end_matches(['*', '_']);
        let (rest, word) = name.rsplit_once(' ')?;
        let shouted = word.len() > 3 && word.bytes().all(|byte| byte.is_ascii_uppercase());
        if shouted && is_known(status::read(word)) {
            self.note(status::read(word));
            return Some(rest.trim_end_matches(['*', '_']));
        }
        let marked = rest.trim_end().chars().next_back().and_then(status::sign_of).is_some();
        (marked && status::is_date(word)).then_some(rest)
    }

    /// Keeps the weightiest status of several tails.
    fn note(&mut self, status: Status) {
        let weight = |status: Status| match status {
            Status::Dropped => 3,
            Status::Done => 2,
            Status::Open => 1,
            Status::Unclear | Status::Blank => 0,
        };
        if weight(status) > weight(self.status) {
            self.status = status;
        }
    }
}

fn is_known(status: Status) -> bool {
    matches!(status, Status::Done | Status::Open | Status::Dropped)
}

fn is_inserted(note: &str) -> bool {
    note.len() >= 8 && note.as_bytes()[..8].eq_ignore_ascii_case(b"inserted")
}

/// Most names need no second look: plain letters and no shouting at the end.
fn is_plain(name: &str) -> bool {
    let quiet_end = name.ends_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
    quiet_end
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'&' | b'/' | b','))
}

/// The text of the bracket that opens at `open`, without the bracket.
fn inside_from(text: &str, open: usize) -> &str {
    let inside = text[open..].trim_start().trim_start_matches(['(', '（', '[']);
    inside.split([')', '）', ']']).next().unwrap_or(inside).trim()
}

/// `3/3 plans`, `1/1 plan, gap closure`, `4 plans`.
fn is_plan_count(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '/');
    rest.len() < text.len() && rest.trim_start().starts_with("plan")
}

/// `2-3天`, `2 days`, `~1 week`.
fn is_effort(text: &str) -> bool {
    const UNITS: &[&str] = &[
        "天", "日", "周", "週", "day", "days", "week", "weeks", "h", "hour", "hours", "d", "w",
        "дней", "дня", "день", "días", "día", "dias", "dia", "semanas", "semana", "tage", "dagar",
        "gün", "min", "sprint", "sprints", "month", "months", "half day",
    ];
    let text = text.trim_start_matches(['~', '≈']);
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || "-–~. ".contains(c));
    unit.len() < text.len() && UNITS.contains(&unit.to_lowercase().as_str())
}

/// Control characters, and the invisible ones that reorder text.
fn is_unprintable(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_tails_leave_the_name_and_say_what_they_mean() {
        for (raw, name, inserted, status) in [
            ("Foundation", "Foundation", false, Status::Blank),
            ("Polish (INSERTED)", "Polish", true, Status::Blank),
            ("Polish *(INSERTED)*", "Polish", true, Status::Blank),
            ("Built ✅", "Built", false, Status::Done),
            ("搭建 (2-3天) ✓ COMPLETE", "搭建", false, Status::Done),
            ("优化 (3-4天)", "优化", false, Status::Blank),
            ("Review — P0 — DONE (Grade: B)", "Review — P0", false, Status::Done),
            ("Repair — **COMPLETE (2026-07-26)**", "Repair", false, Status::Done),
            ("Data (2/2 plans) — completed 2026-03-29", "Data", false, Status::Done),
            ("Debt (1/1 plan, gap closure) — completed 2026-04-20", "Debt", false, Status::Done),
            ("Shell ✓ 2026-04-19", "Shell", false, Status::Done),
            ("Graph (ABANDONED)", "Graph", false, Status::Dropped),
            ("Stabilize (Current)", "Stabilize", false, Status::Open),
            ("Analysis (Optional)", "Analysis (Optional)", false, Status::Blank),
            ("Gap Fills (Stops 002, 014)", "Gap Fills (Stops 002, 014)", false, Status::Blank),
            ("Rail — Plan", "Rail — Plan", false, Status::Blank),
            ("Sales Document Completion", "Sales Document Completion", false, Status::Blank),
            ("Feature Complete", "Feature Complete", false, Status::Blank),
            ("✅", "✅", false, Status::Done),
            ("**Bold name**", "Bold name", false, Status::Blank),
            ("Linked](phases/3.md)", "Linked", false, Status::Blank),
            ("Linked](phases/3.md) ✅", "Linked", false, Status::Done),
            ("With [a link](x.md)", "With [a link](x.md)", false, Status::Blank),
            ("Closed heading ##", "Closed heading", false, Status::Blank),
        ] {
            let read = read(raw);
            assert_eq!((read.name, read.inserted, read.status), (name, inserted, status), "{raw}");
        }
    }

    #[test]
    fn a_list_line_without_bold_loses_its_description() {
        for (raw, name) in [
            ("Setup - install the tools", "Setup"),
            ("Setup — install the tools", "Setup"),
            ("Rail — Plan (3/3 plans) — completed", "Rail — Plan"),
            ("Rail — Plan", "Rail — Plan"),
        ] {
            assert_eq!(before_description(raw), name, "{raw}");
        }
    }

    #[test]
    fn text_is_cleaned_onto_one_printable_line() {
        assert_eq!(clean("a\u{1b}[31mb"), "a [31mb");
        assert_eq!(clean(" plain — текст "), "plain — текст");
        assert_eq!(clean("wrapped\r\n   text"), "wrapped text");
        assert_eq!(clean("evil\u{202e}txt.exe"), "evil txt.exe");
    }
}
