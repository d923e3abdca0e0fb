//! What a walk says about lines that were not taken for what they look like.

use super::{
    super::{
        check::{self, Check},
        found::{Mention, Several},
        head::{self, Head, Separated},
        line::{self, Checkbox, Line},
        phase_id::PhaseId,
        problem::{Problem, ProblemKind, excerpt},
        status::{self, Status},
        suspect,
    },
    Walker,
};

impl<'a> Walker<'a> {
    /// Remembers a line that names a phase as a declaration would, in case that nothing declares it.
    pub(super) fn note_mention(&mut self, line: Line<'a>, head: &Head<'a>, text: &'a str) {
        let boxed =
            line::item(line::without_indent(line.text)).is_some_and(|item| item.checkbox.is_some());
        let titled = boxed && head.rest.starts_with(char::is_uppercase);
        if let Ok(id) = head.id
            && !suspect::is_sentence(head.rest)
            && (head.separated == Separated::Clearly || head.bold || titled)
        {
            let done = says_done(head);
            self.found.mentions.push(Mention { id, line: line.number, text, done });
        }
    }

    /// Remembers a heading that names a phase after other words, and reports one that looks like a phase and is none.
    pub(super) fn note_heading(&mut self, line: Line<'a>, text: &'a str) {
        match mentioned(text) {
            Some(id) => {
                self.found.mentions.push(Mention { id, line: line.number, text, done: false });
            }
            None if head::is_word_alone(text) => self.note_unreadable(line.number, text),
            None => self.note_suspect(line, line.text),
        }
    }

    /// Reports a line that looks like a phase and cannot be read as one.
    pub(super) fn note_suspect(&mut self, line: Line<'a>, text: &'a str) {
        let Some(suspect) = suspect::read(text) else {
            if let Some(needed) = suspect::several(text) {
                self.found.several.push(Several {
                    needed,
                    ticked: is_ticked(line),
                    line: line.number,
                    text,
                });
            }
            return;
        };
        match suspect.head.id {
            Ok(id) if !suspect.boxed && !suspect.misspelled => {
                let done = says_done(&suspect.head);
                self.found.mentions.push(Mention { id, line: line.number, text, done });
            }
            Ok(id) => self.found.problems.push(Problem::new(
                line.number,
                ProblemKind::Unreadable,
                format!(
                    "`{}` looks like phase `{id}`, but cannot be read; write `- [ ] Phase {id}: Name`, with \
                     nothing before it",
                    excerpt(text)
                ),
            )),
            Err(_) if suspect.boxed => self.note_unreadable(line.number, text),
            Err(token) => self.note_several(line, token, text),
        }
    }

    /// Remembers a line with several ids in the place of one, in case that nothing declares them.
    pub(super) fn note_several(&mut self, line: Line<'a>, token: &str, text: &'a str) {
        let numbered = token.starts_with(|c: char| c.is_ascii_digit());
        if let Some(needed) = suspect::ids_in(token).filter(|_| numbered) {
            self.found.several.push(Several {
                needed,
                ticked: is_ticked(line),
                line: line.number,
                text,
            });
        }
    }

    /// Reports a box whose mark means nothing; the phase counts as open.
    pub(super) fn note_odd_box(&mut self, line: Line<'a>, checkbox: Checkbox) {
        let known = matches!(checkbox.mark, ' ' | '~' | '-' | '/' | '>' | '\u{a0}');
        if !known && !checkbox.is_ticked() {
            let what = format!(
                "the mark in the box of `{}` is not known, so the phase is taken to be open; write `[x]` or `[ ]`",
                excerpt(line.text)
            );
            self.found.problems.push(Problem::new(line.number, ProblemKind::Unreadable, what));
        }
    }

    pub(super) fn note_stray(&mut self, number: u32) {
        self.found.problems.push(Problem::stray_criterion(number));
    }

    pub(super) fn note_unreadable(&mut self, number: u32, text: &str) {
        self.found.problems.push(Problem::new(
            number,
            ProblemKind::Unreadable,
            format!("`{}` looks like a phase, but its id cannot be read", excerpt(text)),
        ));
    }

    /// Reports a check that nothing will run as it is written.
    pub(super) fn note_odd_check(&mut self, line: Line<'a>, check: Check) {
        let what = match check {
            Check::None | Check::Named | Check::Labelled => return,
            Check::Bare => {
                "this says how it is verified, but not by a command in backticks, so nothing is run for it; \
                 write it as ``text -- verified by: `command` ``"
            }
            Check::Misspelled => {
                "this looks like a check, but is not written as ``verified by: `command` `` and may not be run"
            }
        };
        self.found.problems.push(Problem::new(line.number, ProblemKind::UnreadableCriterion, what));
    }

    /// Reports a check in a row of a table, of which nothing is run.
    pub(super) fn note_check_in_row(&mut self, line: Line<'a>) {
        match check::named_in(line.text) {
            Check::Named => self.note_stray(line.number),
            odd @ (Check::None | Check::Labelled | Check::Bare | Check::Misspelled) => {
                self.note_odd_check(line, odd);
            }
        }
    }

    /// Reports labels that are nearly ones that matter.
    pub(super) fn note_misspelled(&mut self) {
        for number in std::mem::take(&mut self.found.texts.misspelled) {
            self.found.problems.push(Problem::new(
                number,
                ProblemKind::Unreadable,
                "this label is nearly `Depends on` or `Success Criteria`, but is not read; correct its spelling",
            ));
        }
    }
}

fn is_ticked(line: Line<'_>) -> bool {
    let item = line::item(line::without_indent(line.text));
    item.and_then(|item| item.checkbox).is_some_and(Checkbox::is_ticked)
}

/// Tells whether nothing but a status that says so follows an id, or its sign stands before it.
fn says_done(head: &Head<'_>) -> bool {
    head.sign == Status::Done || status::read(head.rest) == Status::Done
}

/// The phase that a heading names after other words: `### 999.1: Phase G.1 — Name`.
fn mentioned(text: &str) -> Option<PhaseId> {
    let at = text.find("Phase ").filter(|at| *at > 0)?;
    let head = head::read(&text[at..])?;
    let named = head.separated == Separated::Clearly
        && !head.rest.is_empty()
        && !head.rest.starts_with('(');
    head.id.ok().filter(|_| named)
}
