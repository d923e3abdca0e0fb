//! Lines that tell the order of phases: `Phases execute in numeric order: 1 -> 2 -> 2.1 -> 3`.

use super::{
    super::{
        line,
        marks::Change,
        phase_id::{Before, PhaseId},
        section::offset_of,
        words,
    },
    outline::Outline,
};

/// What stands between the items, the surest first.
const ARROWS: [&str; 5] = ["->", "→", "=>", " > ", ","];

/// One line that tells an order.
#[derive(Debug)]
pub(super) struct Chain<'a> {
    source: &'a str,
    items: Vec<Item<'a>>,
}

#[derive(Clone, Copy, Debug)]
struct Item<'a> {
    text: &'a str,
    /// The phase it stands for, when it is one.
    id: Option<PhaseId>,
}

/// Finds the lines of a file that tell an order, outside of code.
pub(super) fn find<'a>(source: &'a str, outline: &Outline<'a>) -> Vec<Chain<'a>> {
    let mut chains = Vec::new();
    let mut is_announced = false;
    for line in &outline.lines {
        let body = line::without_indent(line.text);
        if line.is_quiet || body.is_empty() || line.level.is_some() || body.starts_with('|') {
            is_announced &= body.is_empty();
            is_announced |= line.level.is_some() && tells_order(body);
            continue;
        }
        let is_about_order = is_announced || tells_order(body) || opens_span(body);
        chains.extend(Some(body).filter(|_| is_about_order).and_then(|body| read(source, body)));
        is_announced = tells_order(body) && body.trim_end().ends_with([':', '*']);
    }
    chains
}

impl<'a> Chain<'a> {
    /// The place of a phase in the order.
    pub(super) fn position(&self, id: PhaseId) -> Option<usize> {
        self.items.iter().position(|item| item.id == Some(id))
    }

    /// Puts a phase after an item, or at the end.
    pub(super) fn with(&self, id: &str, after: Option<usize>) -> Option<Change> {
        let like = after.and_then(|at| self.items.get(at)).or(self.items.last())?;
        let worded = words::phase_word(like.text).map_or("", |length| {
            &like.text
                [..length + like.text[length..].len() - like.text[length..].trim_start().len()]
        });
        let at = self.end_of(like);
        let with = format!("{}{worded}{id}", self.between());
        Some(Change { start: at, end: at, with })
    }

    /// Takes an item out.
    pub(super) fn without(&self, at: usize) -> Option<Change> {
        let item = self.items.get(at)?;
        let start = offset_of(self.source, item.text);
        let (start, end) = match (self.items.get(at + 1), at.checked_sub(1)) {
            (Some(next), _) => (start, offset_of(self.source, next.text)),
            (None, Some(before)) => (self.end_of(&self.items[before]), self.end_of(item)),
            (None, None) => (start, self.end_of(item)),
        };
        Some(Change { start, end, with: String::new() })
    }

    fn end_of(&self, item: &Item<'a>) -> usize {
        offset_of(self.source, item.text) + item.text.len()
    }

    /// What stands between two items.
    fn between(&self) -> &'a str {
        match self.items.as_slice() {
            [first, second, ..] => {
                &self.source[self.end_of(first)..offset_of(self.source, second.text)]
            }
            _ => " -> ",
        }
    }
}

fn read<'a>(source: &'a str, body: &'a str) -> Option<Chain<'a>> {
    let arrow = ARROWS.into_iter().find(|arrow| body.contains(arrow));
    let first_arrow = arrow.and_then(|arrow| body.find(arrow)).unwrap_or(body.len());
    let lead = body[..first_arrow].rfind([':', '：', '*']);
    let from = lead.map_or(0, |at| at + body[at..].chars().next().map_or(1, char::len_utf8));
    if lead.is_none() && arrow.is_none() {
        return None;
    }
    let text = body[from..].trim().trim_end_matches('.');
    let items: Vec<Item<'a>> = match arrow {
        Some(arrow) => text.split(arrow).map(item).collect(),
        None => vec![item(text)],
    };
    // A sentence with commas or one number in it tells no order.
    let is_sure = !matches!(arrow, None | Some(","));
    let known = items.iter().filter(|item| item.id.is_some()).count();
    let is_chain = if is_sure { known * 2 >= items.len() } else { known == items.len() };
    let is_chain = is_chain && known > 0;
    is_chain.then_some(Chain { source, items })
}

fn item(text: &str) -> Item<'_> {
    let text = text.trim();
    let after = words::phase_word(text).map_or(text, |length| text[length..].trim_start());
    let id = PhaseId::scan(after, Before::Keyword).filter(|(_, length)| {
        let rest = after[*length..].trim_start();
        rest.is_empty() || rest.starts_with('(')
    });
    Item { text, id: id.map(|(id, _)| id) }
}

fn tells_order(body: &str) -> bool {
    body.to_ascii_lowercase().contains("order")
}

/// `Phases 17+: …`
fn opens_span(body: &str) -> bool {
    let after = words::phase_word(body).map_or("", |length| body[length..].trim_start());
    let rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < after.len() && rest.starts_with("+:")
}
