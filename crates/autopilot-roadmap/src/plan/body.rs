//! Reads the inside of a task: XML children, or labels and headings in Markdown.

use super::super::{
    field,
    line::{self, Lines},
    title,
};
use super::task_id;
use autopilot_evidence::Criterion;

/// The parts of a task as slices of the source.
#[derive(Debug, Default)]
pub(super) struct Body<'a> {
    pub(super) name: Option<&'a str>,
    /// The id that a `### Task 24-01: …` heading states.
    pub(super) heading_id: Option<&'a str>,
    parts: Vec<(Part, &'a str)>,
    /// Child elements that are known not to be closed any more.
    endless: Vec<&'static str>,
    /// The lines of child elements that are never closed.
    pub(super) unclosed: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Name,
    Files,
    Action,
    Criteria,
    Verify,
    Done,
    /// The tasks it waits for.
    Depends,
    /// What a person needs to know to answer.
    Question,
    Other,
}

/// Child elements, by name.
const CHILDREN: &[(&str, Part)] = &[
    ("name", Part::Name),
    ("title", Part::Name),
    ("files", Part::Files),
    ("file", Part::Files),
    ("action", Part::Action),
    ("code_spec", Part::Action),
    ("what-built", Part::Action),
    ("acceptance_criteria", Part::Criteria),
    ("verify", Part::Verify),
    ("how-to-verify", Part::Verify),
    ("done", Part::Done),
    ("depends_on", Part::Depends),
    ("depends-on", Part::Depends),
    ("resume-signal", Part::Question),
    ("read_first", Part::Other),
    ("behavior", Part::Other),
    ("implementation", Part::Action),
    ("goal", Part::Other),
    ("decision", Part::Question),
    ("context", Part::Question),
    ("options", Part::Question),
];

/// Reads the content between the tags of a task; `line` is the line it starts on.
pub(super) fn read(content: &str, line: u32) -> Body<'_> {
    let mut body = Body::default();
    let mut lines = Lines::new(content);
    // What a Markdown label opened: its part and where its value starts.
    let mut label: Option<(Part, usize)> = None;
    while let Some(here) = lines.next() {
        let text = here.text.trim_start();
        let at = here.start + (here.text.len() - text.len());
        if let Some((name, part)) = child(text) {
            body.end_label(content, &mut label, at);
            let value = at + name.len() + 2;
            body.take_child(content, (name, part), value)
                .unwrap_or_else(|| body.unclosed.push(line + here.number - 1));
            let end = body.end_of_last(content).unwrap_or(value);
            while lines.clone().next().is_some_and(|next| next.start < end) {
                lines.next();
            }
        } else if let Some(heading) = text.strip_prefix('#') {
            body.end_label(content, &mut label, at);
            body.take_heading(heading.trim_start_matches('#').trim());
            label = Some((heading_part(heading), here.start + here.text.len()));
        } else if let Some(found) = bold_part(text) {
            body.end_label(content, &mut label, at);
            label = Some((found.0, at + found.1));
        }
    }
    body.end_label(content, &mut label, content.len());
    body
}

impl<'a> Body<'a> {
    fn end_label(&mut self, content: &'a str, label: &mut Option<(Part, usize)>, end: usize) {
        if let Some((part, start)) = label.take()
            && let Some(value) = content.get(start..end)
        {
            self.push(part, value.trim());
        }
    }

    /// Takes a child element; `None` when it is not closed, then its first line is taken.
    fn take_child(
        &mut self,
        content: &'a str,
        (name, part): (&'static str, Part),
        value: usize,
    ) -> Option<()> {
        let rest = content.get(value..).unwrap_or("");
        let close = format!("</{name}>");
        let length = (!self.endless.contains(&name)).then(|| rest.find(close.as_str())).flatten();
        if length.is_none() {
            self.endless.push(name);
        }
        self.push(
            part,
            length.map_or_else(|| rest.lines().next().unwrap_or(""), |end| &rest[..end]),
        );
        length.map(|_| ())
    }

    fn push(&mut self, part: Part, value: &'a str) {
        if part == Part::Name {
            self.name.get_or_insert(value.trim());
        }
        self.parts.push((part, value));
    }

    /// Where the value that was pushed last ends.
    fn end_of_last(&self, content: &str) -> Option<usize> {
        let (_, value) = self.parts.last()?;
        let start = (value.as_ptr() as usize).checked_sub(content.as_ptr() as usize)?;
        Some(start + value.len())
    }

    /// `Task 24-01: Title`.
    fn take_heading(&mut self, heading: &'a str) {
        let Some(rest) = heading.strip_prefix("Task ") else {
            return;
        };
        let (id, name) = rest.split_once([':', '—', '–']).unwrap_or((rest, rest));
        self.heading_id.get_or_insert(id.trim());
        self.name.get_or_insert(name.trim());
    }

    fn text(&self, wanted: Part) -> String {
        let mut joined = String::new();
        for (part, value) in &self.parts {
            if *part == wanted && !value.trim().is_empty() {
                if !joined.is_empty() {
                    joined.push('\n');
                }
                joined.push_str(value.trim());
            }
        }
        joined
    }

    pub(super) fn action(&self) -> String {
        self.text(Part::Action)
    }

    pub(super) fn verify(&self) -> String {
        self.text(Part::Verify)
    }

    pub(super) fn done(&self) -> String {
        self.text(Part::Done)
    }

    pub(super) fn depends_on(&self) -> Option<Vec<String>> {
        let text = self.text(Part::Depends);
        // In a sentence there are other words too.
        let is_id = |word: &String| word.contains(|c: char| c.is_ascii_digit());
        (!text.is_empty()).then(|| task_id::listed(&text).into_iter().filter(is_id).collect())
    }

    /// What there is to decide, its context and the options, without the tags inside of them.
    pub(super) fn question(&self) -> String {
        let text = self.text(Part::Question);
        let mut plain = String::with_capacity(text.len());
        let mut rest = text.as_str();
        while let Some((before, tag)) = rest.split_once('<') {
            plain.push_str(before);
            rest = match tag.split_once('>') {
                Some((name, after)) if is_tag(name) => {
                    // Options are told apart by what stands in their tags.
                    if let Some(id) = super::attribute(name, "id") {
                        plain.push_str(&format!("{id}: "));
                    }
                    after
                }
                _ => {
                    plain.push('<');
                    tag
                }
            };
        }
        plain.push_str(rest);
        let lines = plain.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.collect::<Vec<_>>().join("\n")
    }

    /// The files, one by one: separated by commas, lines or bullets.
    pub(super) fn files(&self) -> Vec<String> {
        self.text(Part::Files)
            .split(['\n', ','])
            .map(|file| {
                let file = file.trim().trim_start_matches("- ").trim_start_matches("* ");
                let file = match file.strip_prefix('`') {
                    Some(code) => code.split('`').next().unwrap_or(code),
                    None => file.split(" (").next().unwrap_or(file),
                };
                title::clean(file)
            })
            .filter(|file| !file.is_empty())
            .collect()
    }

    pub(super) fn criteria(&self) -> Vec<Criterion> {
        let mut items: Vec<String> = Vec::new();
        for (part, value) in &self.parts {
            if *part == Part::Criteria {
                collect_items(value, &mut items);
            }
        }
        items.iter().map(|item| Criterion::parse(item)).collect()
    }

    /// The commands of `<automated>` children.
    pub(super) fn verify_commands(&self) -> Vec<Criterion> {
        let mut commands = Vec::new();
        for (part, value) in &self.parts {
            if *part != Part::Verify {
                continue;
            }
            let mut rest = *value;
            while let Some((_, after)) = rest.split_once("<automated>") {
                let (command, after) = after.split_once("</automated>").unwrap_or((after, ""));
                if !command.trim().is_empty() {
                    commands.push(Criterion::of_command(&unescaped(command)));
                }
                rest = after;
            }
        }
        commands
    }
}

/// `option id="a"`, `/options`: what stands between the brackets of a tag.
fn is_tag(name: &str) -> bool {
    let name = name.trim_start_matches('/');
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.contains(['<', '\n'])
}

/// Splits a list into its items; a line that continues an item is added to it.
fn collect_items(value: &str, items: &mut Vec<String>) {
    let first = items.len();
    for line in Lines::new(value) {
        let text = line.text.trim();
        if text.is_empty() {
            continue;
        }
        let item = line::item(text).map(|item| item.text.trim());
        let is_check = item.is_some_and(is_check_line);
        match (items.len() > first, item) {
            // ``- Verification: `cmd` `` below a criterion is how that one is verified.
            (true, Some(item)) if is_check => match items.last_mut() {
                Some(last) if !last.contains("erified by") && !last.contains("erification:") => {
                    last.push_str(" -- ");
                    last.push_str(item);
                }
                _ => items.push(item.to_owned()),
            },
            (true, None) => {
                if let Some(last) = items.last_mut() {
                    last.push(' ');
                    last.push_str(text);
                }
            }
            (_, Some(item)) => items.push(item.to_owned()),
            (false, None) => items.push(text.to_owned()),
        }
    }
    for item in &mut items[first..] {
        *item = title::clean(item);
    }
}

fn is_check_line(item: &str) -> bool {
    let item = item.trim_start_matches('*');
    ["Verification", "Verify", "Verified by"].iter().any(|word| {
        item.strip_prefix(word).is_some_and(|rest| rest.trim_start_matches('*').starts_with(':'))
    })
}

/// A known child element that opens at the start of a line.
fn child(text: &str) -> Option<(&'static str, Part)> {
    let rest = text.strip_prefix('<')?;
    CHILDREN
        .iter()
        .find(|(name, _)| rest.strip_prefix(name).is_some_and(|after| after.starts_with('>')))
        .copied()
}

/// A Markdown label at the start of a line, and where its value starts.
fn bold_part(text: &str) -> Option<(Part, usize)> {
    let text_start = text.trim_start_matches("- ");
    let shift = text.len() - text_start.len();
    let label = field::bold_label(text_start, 0).filter(|label| label.start == 0)?;
    let name = text_start[..label.value].trim_matches(|c: char| "*: ：".contains(c));
    Some((part_of(name), shift + label.value))
}

fn heading_part(heading: &str) -> Part {
    part_of(heading.trim_matches(|c: char| "#*: ".contains(c)))
}

fn part_of(label: &str) -> Part {
    match label.to_ascii_lowercase().as_str() {
        "files" | "file" | "files modified" | "files to modify" | "files to create" => Part::Files,
        "action" | "actions" | "steps" | "implementation" | "what built" => Part::Action,
        "acceptance criteria" | "criteria" | "success criteria" => Part::Criteria,
        "verify" | "verification" | "how to verify" => Part::Verify,
        "decision" | "context" | "options" | "question" => Part::Question,
        "done" | "done when" | "definition of done" => Part::Done,
        "depends on" | "depends" => Part::Depends,
        "name" | "title" => Part::Name,
        _ => Part::Other,
    }
}

/// Some writers escape commands as if the file were XML.
fn unescaped(command: &str) -> String {
    let escaped = command.contains("&amp;") || command.contains("&gt;") || command.contains("&lt;");
    let bare = command.replace("&amp;", "").replace("&gt;", "").replace("&lt;", "");
    if escaped && !bare.contains(['&', '<', '>']) {
        command.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    } else {
        command.to_owned()
    }
}
