//! Reads a plan: `<task …>` elements with XML children or with Markdown inside.

mod body;
mod coverage;
mod spec;
mod task_id;
mod waves;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

pub use self::{
    coverage::Covered,
    spec::{TestSpec, test_spec_of},
    task_id::{TaskId, TaskIdError, is_of_another_phase},
    waves::{in_order, waves},
};
use super::{
    line::{Fence, Line, Lines},
    problem::{self, Problem, ProblemKind, excerpt},
    title,
};
use autopilot_evidence::Criterion;

/// The most lines that one opening tag may span.
const TAG_LINES_MAX: usize = 12;

/// A plan: its tasks in order, and what was odd.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The tasks, with unique ids.
    pub tasks: Vec<Task>,
    /// The rows of its traceability table: what is covered by which tasks.
    #[serde(default)]
    pub coverage: Vec<Covered>,
    /// The test specs that lie beside it. Reading a text finds none; whoever reads the directory adds them.
    #[serde(default)]
    pub specs: Vec<TestSpec>,
    /// What was not understood or cannot be right.
    pub problems: Vec<Problem>,
}

/// One task of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// Its id; the place in the plan when it states none.
    pub id: TaskId,
    /// The line of its opening tag.
    pub line: u32,
    /// Who does it.
    pub kind: TaskKind,
    /// How hard it is said to be.
    pub complexity: Option<Complexity>,
    /// Its title.
    pub name: String,
    /// The files it may touch, as written.
    pub files: Vec<String>,
    /// What is to be done.
    pub action: String,
    /// When it is done, with commands.
    pub criteria: Vec<Criterion>,
    /// How to verify it, as written.
    pub verify: String,
    /// The commands that its verify part marks as automated.
    pub verify_commands: Vec<Criterion>,
    /// What "done" means for it.
    pub done: String,
    /// What a person is told besides: what there is to decide, its context, the options.
    #[serde(default)]
    pub question: String,
    /// The wave that it is put into, where it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wave: Option<u32>,
    /// The tasks it waits for, as written; `None` where it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depends_on: Option<Vec<String>>,
}

/// Who does a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskKind {
    /// An agent.
    Auto,
    /// A person looks at the result.
    HumanVerify,
    /// A person does something that an agent cannot.
    HumanAction,
    /// A person decides.
    Decision,
    /// Something else; taken like [`Self::Auto`] by those who do not know it.
    Other(String),
}

/// How hard a task is said to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Complexity {
    /// Simple.
    Simple,
    /// Medium.
    Medium,
    /// Complex.
    Complex,
}

impl Plan {
    /// Reads a plan. Any text gives a result; what was not understood is in its problems.
    pub fn parse(text: &str) -> Self {
        let mut reader = Reader::new(text);
        reader.run();
        reader.finish()
    }
}

impl Plan {
    /// The place of the task that is meant by an id, also where it leaves out what need not be said: `1` for `24-01`.
    pub fn place_of(&self, named: &str) -> Option<usize> {
        task_id::place_of(&self.tasks, named)
    }

    /// Whether a word looks like the id of a task of this plan and is none.
    pub fn is_unknown(&self, word: &str) -> bool {
        let is_alike = |task: &Task| task_id::is_alike(word, &task.id);
        self.place_of(word).is_none() && self.tasks.iter().any(is_alike)
    }
}

impl Task {
    /// Everything that can be run to check the task: its criteria and its automated verification.
    pub fn checks(&self) -> impl Iterator<Item = &Criterion> {
        self.criteria.iter().chain(&self.verify_commands)
    }
}

impl TaskKind {
    fn parse(text: &str) -> Self {
        match text.trim().to_ascii_lowercase().as_str() {
            "" | "auto" => Self::Auto,
            "checkpoint:human-verify" => Self::HumanVerify,
            "checkpoint:human-action" => Self::HumanAction,
            "checkpoint:decision" => Self::Decision,
            _ => Self::Other(title::clean(text)),
        }
    }

    /// Whether a person must act before the task is done.
    pub fn needs_a_person(&self) -> bool {
        match self {
            Self::HumanVerify | Self::HumanAction | Self::Decision => true,
            Self::Other(kind) => kind.starts_with("checkpoint"),
            Self::Auto => false,
        }
    }
}

impl Complexity {
    fn parse(text: &str) -> Option<Self> {
        match text.trim().to_ascii_lowercase().as_str() {
            "simple" => Some(Self::Simple),
            "medium" => Some(Self::Medium),
            "complex" => Some(Self::Complex),
            _ => None,
        }
    }
}

/// An element whose end has not come yet.
struct Open<'a> {
    attributes: &'a str,
    line: u32,
    /// Where its content starts in the source, and on which line.
    content: usize,
    content_line: u32,
}

struct Reader<'a> {
    source: &'a str,
    lines: Lines<'a>,
    open: Option<Open<'a>>,
    fence: Option<Fence>,
    endless: [Option<Fence>; 2],
    plan: Plan,
    ids: BTreeSet<TaskId>,
    /// Lines that look like a task and stand outside of an element, with the id that they state.
    outside: Vec<(u32, &'a str, &'a str)>,
}

impl<'a> Reader<'a> {
    fn new(source: &'a str) -> Self {
        let mut lines = Lines::new(source);
        skip_frontmatter(&mut lines);
        Self {
            source,
            lines,
            open: None,
            fence: None,
            endless: [None; 2],
            plan: Plan::default(),
            ids: BTreeSet::new(),
            outside: Vec::new(),
        }
    }

    fn run(&mut self) {
        while let Some(line) = self.lines.next() {
            let body = line.text.trim_start();
            if let Some(fence) = self.fence {
                if fence.is_closed_by(body) {
                    self.fence = None;
                }
                continue;
            }
            if self.opens_fence(body) {
                continue;
            }
            if body.starts_with("</task>") {
                self.close(line.start, line.number);
            } else if is_task_tag(body) {
                self.open(line, body);
            } else if let (None, Some(id)) = (&self.open, heading_id(body)) {
                self.outside.push((line.number, body, id));
            } else if let Some(at) = line.text.find("</task>").filter(|_| self.open.is_some())
                && !in_code(&line.text[..at])
            {
                self.close(line.start + at, line.number);
            }
        }
    }

    fn opens_fence(&mut self, body: &str) -> bool {
        let Some(fence) = Fence::opening(body) else {
            return false;
        };
        let memory = &mut self.endless[usize::from(body.starts_with('~'))];
        if memory.is_some_and(|endless| fence.needs_at_least(endless)) {
            return false;
        }
        if !fence.closes_in(self.lines.rest()) {
            *memory = Some(fence);
            return false;
        }
        self.fence = Some(fence);
        true
    }

    fn open(&mut self, line: Line<'a>, body: &'a str) {
        let start = line.start + (line.text.len() - body.len());
        let mut last = line;
        let mut spanned = 1;
        let end = loop {
            let text = &self.source[start..last.start + last.text.len()];
            if let Some(end) = tag_end(text) {
                break start + end;
            }
            match self.lines.next() {
                Some(next) if spanned < TAG_LINES_MAX => last = next,
                _ => {
                    self.note(line.number, ProblemKind::Unbalanced, "this `<task` tag never ends");
                    return;
                }
            }
            spanned += 1;
        };
        if let Some(before) = self.open.take() {
            self.note(before.line, ProblemKind::Unbalanced, "this `<task>` is never closed");
            self.add(&before, start);
        }
        let tag = &self.source[start..end];
        let attributes = tag.trim_start_matches("<task").trim_end_matches('>');
        self.open =
            Some(Open { attributes, line: line.number, content: end, content_line: last.number });
        let rest = &self.source[end..last.start + last.text.len()];
        if let Some(at) = rest.find("</task>") {
            self.close(end + at, last.number);
        } else if attributes.ends_with('/') {
            self.close(end, last.number);
        }
    }

    fn close(&mut self, end: usize, number: u32) {
        match self.open.take() {
            Some(open) => self.add(&open, end),
            None => self.note(number, ProblemKind::Unbalanced, "this `</task>` closes nothing"),
        }
    }

    fn add(&mut self, open: &Open<'a>, end: usize) {
        let content = self.source.get(open.content..end).unwrap_or("");
        let body = body::read(content, open.content_line);
        for line in &body.unclosed {
            self.note(*line, ProblemKind::Unbalanced, "this element of a task is never closed");
        }
        let attribute = |name| attribute(open.attributes, name);
        let stated = attribute("id").or(body.heading_id).unwrap_or("");
        let id = self.id_for(stated, open.line);
        let named = attribute("title").or_else(|| attribute("name"));
        let kind = TaskKind::parse(attribute("type").unwrap_or(""));
        let question = if kind.needs_a_person() { body.question() } else { String::new() };
        let mut names = ["depends_on", "depends-on", "depends", "after"].into_iter();
        let depends_on = names.find_map(attribute).map(task_id::listed);
        self.plan.tasks.push(Task {
            id,
            line: open.line,
            kind,
            complexity: attribute("complexity").and_then(Complexity::parse),
            name: title::clean(body.name.or(named).unwrap_or("")),
            files: body.files(),
            action: body.action(),
            criteria: body.criteria(),
            verify: body.verify(),
            verify_commands: body.verify_commands(),
            done: body.done(),
            question,
            wave: attribute("wave").and_then(|wave| wave.trim().parse().ok()),
            depends_on: depends_on.or_else(|| body.depends_on()),
        });
    }

    /// The stated id if it can be used, else the place of the task in the plan.
    fn id_for(&mut self, stated: &str, line: u32) -> TaskId {
        let mut wanted = stated.parse::<TaskId>().ok();
        if wanted.is_none() && !stated.is_empty() {
            let what = format!("`{}` cannot be the id of a task", excerpt(stated));
            self.note(line, ProblemKind::Unreadable, &what);
        }
        if let Some(id) = wanted.take_if(|id| self.ids.contains(id)) {
            let what = format!("two tasks have the id `{id}`; this one is given another");
            self.note(line, ProblemKind::DuplicateId, &what);
        }
        let mut place = self.plan.tasks.len() + 1;
        let id = loop {
            match wanted.take().unwrap_or_else(|| TaskId::of_place(place)) {
                id if self.ids.contains(&id) => place += 1,
                id => break id,
            }
        };
        self.ids.insert(id.clone());
        id
    }

    fn note(&mut self, line: u32, kind: ProblemKind, what: &str) {
        self.plan.problems.push(Problem::new(line, kind, what));
    }

    fn finish(mut self) -> Plan {
        if let Some(open) = self.open.take() {
            self.note(open.line, ProblemKind::Unbalanced, "this `<task>` is never closed");
            self.add(&open, self.source.len());
        }
        for (line, text, id) in std::mem::take(&mut self.outside) {
            // An overview, or a heading above the element, names a task that is there.
            if self.plan.place_of(id).is_some() {
                continue;
            }
            let what = format!(
                "`{}` is outside of a `<task>` element and is not read as a task",
                excerpt(text)
            );
            self.note(line, ProblemKind::Unreadable, &what);
        }
        if self.plan.tasks.is_empty() {
            self.note(1, ProblemKind::NoTasks, "no `<task>` element was found in this plan");
        }
        self.plan.coverage = coverage::read(self.source);
        problem::settle(&mut self.plan.problems);
        self.plan
    }
}

/// `<task>` or `<task …`, at the start of a line; not `<tasks>`, not `<task-dir>`.
fn is_task_tag(body: &str) -> bool {
    body.strip_prefix("<task")
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['>', ' ', '\t', '\r', '/']))
}

/// Where the tag ends; a `>` inside of quotes does not end it.
fn tag_end(tag: &str) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in tag.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return Some(at + 1),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), close) if open == close => quote = None,
            _ => {}
        }
    }
    None
}

/// The id in `### Task 1: …`, `- [x] **Task 1:** …`, `### Plan 2.1: …`; `# Plan 2: …` is the title of the plan.
fn heading_id(body: &str) -> Option<&str> {
    let is_title = body.starts_with("# ");
    if !body.starts_with('#') && !body.starts_with("- [") {
        return None;
    }
    let text = body.trim_start_matches(|c: char| "#-* ".contains(c));
    let text =
        text.strip_prefix('[').and_then(|rest| rest.split_once(']')).map_or(text, |(_, rest)| rest);
    let text = text.trim_start_matches(['*', ' ', '_']);
    let rest = match text.strip_prefix("Task ") {
        Some(rest) => rest,
        None => text.strip_prefix("Plan ").filter(|_| !is_title)?,
    };
    let is_end = |c: char| c.is_whitespace() || ":*—–)".contains(c);
    rest.starts_with(|c: char| c.is_ascii_digit()).then(|| {
        let id = rest.split(is_end).next().unwrap_or(rest);
        id.trim_end_matches('.')
    })
}

/// The value of an attribute.
fn attribute<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = attributes;
    while let Some(at) = rest.find(name) {
        let before = rest[..at].chars().next_back();
        let after = rest[at + name.len()..].trim_start();
        let whole = before.is_none_or(char::is_whitespace);
        match after.strip_prefix('=') {
            Some(value) if whole => {
                let value = value.trim_start();
                let quote = value.chars().next()?;
                return if matches!(quote, '"' | '\'') {
                    value[1..].split(quote).next()
                } else {
                    value.split_whitespace().next()
                };
            }
            _ => rest = &rest[at + name.len()..],
        }
    }
    None
}

fn in_code(before: &str) -> bool {
    before.bytes().filter(|byte| *byte == b'`').count() % 2 == 1
}

fn skip_frontmatter(lines: &mut Lines<'_>) {
    let mut ahead = lines.clone();
    if ahead.next().is_none_or(|line| line.text.trim_end() != "---") {
        return;
    }
    while let Some(line) = ahead.next() {
        if line.text.trim_end() == "---" {
            *lines = ahead;
            return;
        }
    }
}

#[cfg(test)]
mod tests;
