//! Reads a status: the cell of a progress table, a `**Status:**` value, the tail of a title.

/// What a status text says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// The work is done.
    Done,
    /// The work is known not to be done.
    Open,
    /// The work will not be done: abandoned, removed, superseded.
    Dropped,
    /// Words that are none of the above. Never taken for done.
    Unclear,
    /// No status at all: empty, a dash, a date, a count.
    Blank,
}

/// What a bare sign says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Check,
    Pending,
    Other,
}

const DONE: &[&str] = &[
    "complete",
    "completed",
    "done",
    "shipped",
    "finished",
    "delivered",
    "завершена",
    "завершено",
    "завершён",
    "завершен",
    "готово",
    "выполнено",
    "выполнена",
    "виконано",
    "completado",
    "completada",
    "completo",
    "completa",
    "terminado",
    "terminada",
    "concluído",
    "concluída",
    "完成",
    "已完成",
    "完了",
    "완료",
    "abgeschlossen",
    "fertig",
    "erledigt",
    "klar",
    "färdig",
    "tamamlandı",
    "hoàn thành",
    "đã hoàn thành",
    "terminé",
    "terminée",
    "مكتمل",
    "مكتملة",
];

const OPEN: &[&str] = &[
    "not started",
    "in progress",
    "in-progress",
    "planned",
    "pending",
    "planning complete",
    "planning needed",
    "planning",
    "not planned",
    "unplanned",
    "ready",
    "ready to verify",
    "ready to execute",
    "ready to plan",
    "ready for execution",
    "ready for planning",
    "on hold",
    "paused",
    "blocked",
    "todo",
    "to do",
    "to be planned",
    "tbd",
    "current",
    "active",
    "upcoming",
    "next",
    "next up",
    "queued",
    "open",
    "wip",
    "partial",
    "partially complete",
    "incomplete",
    "not complete",
    "started",
    "executing",
    "verifying",
    "in review",
    "in verification",
    "deferred",
    "backlog",
    "future",
    "needs planning",
    "context gathered",
    "не начата",
    "не начато",
    "в работе",
    "верификация",
    "запланирована",
    "запланировано",
    "не розпочато",
    "в процесі",
    "в процессе",
    "pendiente",
    "en progreso",
    "en curso",
    "no iniciado",
    "pendente",
    "em andamento",
    "não iniciado",
    "未开始",
    "进行中",
    "待开始",
    "计划中",
    "未着手",
    "進行中",
    "ausstehend",
    "geplant",
    "in arbeit",
    "ej påbörjad",
    "pågår",
    "planerad",
    "başlamadı",
    "devam ediyor",
    "planlandı",
    "대기",
    "진행 중",
    "chưa bắt đầu",
    "đang thực hiện",
];

const DROPPED: &[&str] = &[
    "abandoned",
    "superseded",
    "removed",
    "cancelled",
    "canceled",
    "dropped",
    "obsolete",
    "withdrawn",
    "rejected",
    "won't do",
    "wont do",
    "not doing",
    "borttagen",
    "borttaget",
    "отменена",
    "отменено",
    "скасовано",
    "cancelado",
    "cancelada",
    "已取消",
    "废弃",
    "取消",
    "gestrichen",
    "iptal",
    "abandonné",
];

/// Words in a parenthesis that take back the "complete" before it.
const RESERVATIONS: &[&str] = &[
    "pending",
    "partial",
    "except",
    "await",
    "not ",
    "fail",
    "remaining",
    "todo",
    "to do",
    "unverified",
    "gap",
    "missing",
    "blocked",
    "needs",
];

/// Reads a status text as a whole; the word "complete" somewhere inside proves nothing.
pub(super) fn read(text: &str) -> Status {
    if let Some((before, after)) =
        text.trim().strip_prefix("~~").and_then(|text| text.split_once("~~"))
    {
        // What is struck out does not hold any more; that the work was given up still does.
        let said = read(after);
        let gone = said == Status::Blank && read(before) != Status::Dropped;
        return if gone {
            Status::Unclear
        } else if said == Status::Blank {
            Status::Dropped
        } else {
            said
        };
    }
    let text = without_tags(text.trim());
    if matches!(text, ":white_check_mark:" | ":heavy_check_mark:" | "[x]" | "[X]") {
        return Status::Done;
    }
    let (text, sign) = strip_signs(text);
    if text.is_empty() {
        return match sign {
            Some(Sign::Check) => Status::Done,
            Some(Sign::Pending) => Status::Open,
            Some(Sign::Other) => Status::Unclear,
            None => Status::Blank,
        };
    }
    let clause = first_clause(text);
    if clause.is_empty() {
        return match sign {
            Some(Sign::Check) if is_date_or_version(text) => Status::Done,
            None if is_date_or_count(text) => Status::Blank,
            _ => Status::Unclear,
        };
    }
    let word = clause.to_lowercase();
    let word = word.trim_end_matches([':', '!', ',', '.']).trim();
    if DROPPED.contains(&word) || (word == "closed" && parenthesis_says(text, "supersed")) {
        return Status::Dropped;
    }
    if OPEN.contains(&word) {
        return Status::Open;
    }
    if DONE.contains(&word) {
        let reserved = RESERVATIONS.iter().any(|word| parenthesis_says(text, word));
        return if reserved { Status::Unclear } else { Status::Done };
    }
    Status::Unclear
}

/// Tells whether a status that is not known may say that the work is done.
pub(super) fn may_mean_done(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "implemented",
        "merged",
        "closed",
        "verified",
        "passed",
        "yes",
        "x",
        "released",
        "deployed",
        "achieved",
        "approved",
        "ok",
        "all done",
        "all complete",
        "is complete",
        "is done",
        "done and shipped",
        "landed",
        "live",
    ];
    let (text, _) = strip_signs(text);
    let clause = first_clause(text).to_lowercase();
    text.starts_with("100%") || WORDS.contains(&clause.trim_end_matches([':', '!', ',', '.']))
}

/// The text without a tag that opens it.
fn without_tags(text: &str) -> &str {
    text.strip_prefix('<').and_then(|text| text.split_once('>')).map_or(text, |(_, text)| text)
}

/// Tells whether a text is nothing but a date such as `2026-03-29`, with an optional mark or
/// brackets.
pub(super) fn is_date(text: &str) -> bool {
    let text = text.trim_matches(|c: char| "()[]*_ ".contains(c));
    let bytes = text.as_bytes();
    bytes.len() == 10
        && bytes.iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => matches!(byte, b'-' | b'/' | b'.'),
            _ => byte.is_ascii_digit(),
        })
}

/// Classifies a character that stands for a status.
pub(super) fn sign_of(c: char) -> Option<Sign> {
    match c {
        '✅' | '✓' | '✔' | '☑' | '🟢' | '🎉' => Some(Sign::Check),
        '⏳' | '🚧' | '🔄' | '⌛' | '⏸' | '◐' | '🟡' | '⬜' | '☐' | '📋' | '🔜' => {
            Some(Sign::Pending)
        }
        '\u{fe0f}' | '\u{200d}' => Some(Sign::Other),
        c if is_symbol(c) => Some(Sign::Other),
        _ => None,
    }
}

/// Tells whether a character is a pictogram or mark rather than text or punctuation.
fn is_symbol(c: char) -> bool {
    matches!(u32::from(c), 0x2190..=0x21FF | 0x2300..=0x23FF | 0x2460..=0x27BF | 0x2900..=0x297F
        | 0x2B00..=0x2BFF | 0x1F000..=0x1FAFF)
}

/// Removes emphasis, signs and blanks from both ends and gives the strongest sign seen.
fn strip_signs(text: &str) -> (&str, Option<Sign>) {
    let mut seen: Option<Sign> = None;
    let mut keep = |c: char| {
        if c.is_whitespace() || matches!(c, '*' | '_' | '`' | '~') {
            return true;
        }
        match sign_of(c) {
            Some(sign) => {
                if seen.is_none() || sign != Sign::Other {
                    seen = Some(sign);
                }
                true
            }
            None => false,
        }
    };
    let text = text.trim_start_matches(&mut keep);
    let text = text.trim_end_matches(&mut keep);
    let unwrapped = match (text.strip_prefix(['(', '[']), text.strip_suffix([')', ']'])) {
        (Some(_), Some(_)) => text[1..text.len() - 1].trim(),
        _ => text,
    };
    let text = unwrapped.trim_start_matches(&mut keep);
    (text.trim_matches(['-', '–', '—', ' ']), seen)
}

/// The words before the first mark that starts an explanation.
fn first_clause(text: &str) -> &str {
    let mut previous = ' ';
    for (at, c) in text.char_indices() {
        let spaced = previous == ' ';
        let after = text[at + c.len_utf8()..].chars().next();
        let ends = match c {
            '<' | '(' | '（' | ';' | ',' | '@' | '|' | '*' | '`' | '。' | '，' | ':' | '：' => {
                true
            }
            '—' | '–' | '-' => spaced && after.is_none_or(|next| next == ' '),
            '.' | '!' => after.is_none_or(|next| next == ' ' || next == '*'),
            '0'..='9' => spaced,
            _ => sign_of(c).is_some(),
        };
        if ends {
            return text[..at].trim().trim_end_matches(" on").trim();
        }
        previous = c;
    }
    text.trim()
}

fn parenthesis_says(text: &str, word: &str) -> bool {
    text.split_once(['(', '（'])
        .and_then(|(_, after)| after.split([')', '）']).next())
        .is_some_and(|inside| inside.to_lowercase().contains(word))
}

fn is_date_or_count(text: &str) -> bool {
    is_date(text) || text.chars().all(|c| c.is_ascii_digit() || matches!(c, '/' | '.' | '%' | '-'))
}

fn is_date_or_version(text: &str) -> bool {
    let text = text.trim_start_matches(['v', '(']);
    text.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_read_as_a_whole() {
        for (text, expected) in [
            ("Complete", Status::Done),
            ("Complete    ", Status::Done),
            ("**Complete**", Status::Done),
            ("✓ Complete", Status::Done),
            ("✅ Complete (2026-03-02)", Status::Done),
            ("✅", Status::Done),
            ("✓ 2026-04-19", Status::Done),
            ("✓ Complete — 2026-03-21", Status::Done),
            ("**COMPLETE (2026-07-26)** — 8/8 requirements", Status::Done),
            ("completed 2026-03-29", Status::Done),
            ("DONE (Grade: B)", Status::Done),
            ("Done ✓", Status::Done),
            ("`complete` （2026-07-18）", Status::Done),
            ("`implementation in progress`", Status::Unclear),
            ("已完成", Status::Done),
            ("Not started", Status::Open),
            ("Planning complete", Status::Open),
            ("Ready to verify", Status::Open),
            ("**⏳ IN PROGRESS**", Status::Open),
            ("⏳", Status::Open),
            ("**NOT STARTED.** Planned for later", Status::Open),
            ("On Hold", Status::Open),
            ("Не начата", Status::Open),
            ("Abandoned", Status::Dropped),
            ("(borttagen)", Status::Dropped),
            ("Closed (superseded)", Status::Dropped),
            ("ABANDONED - too complex", Status::Dropped),
            ("In progress / Complete", Status::Unclear),
            ("**PHASE NOT COMPLETE — x** 26-01 **COMPLETE**", Status::Unclear),
            ("G.2c done; rest planned", Status::Unclear),
            ("Executed — **GATE FAILED**", Status::Unclear),
            ("Complete (pending UAT)", Status::Unclear),
            ("4 executed / 4 · 4 complete", Status::Unclear),
            ("", Status::Blank),
            ("-", Status::Blank),
            ("–", Status::Blank),
            ("2026-03-03", Status::Blank),
            ("3/3", Status::Blank),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }
}
