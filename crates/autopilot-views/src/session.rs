//! What is told of a debug session.

use autopilot_core::phases::{DebugFact, DebugGoal, DebugSession, DebugStage};
use serde::Serialize;

use crate::{Styled, Tone, clean};

/// Where a debug session stands, as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct SessionView {
    /// Its name.
    pub slug: String,
    /// In one word, as in its file.
    pub status: &'static str,
    /// What the person said.
    pub trigger: String,
    /// The file, below `.autopilot/debug/`.
    pub file: String,
    /// The theory that is being looked at.
    pub hypothesis: String,
    /// What comes next.
    pub next_action: String,
    /// How many things were found out.
    pub evidence: usize,
    /// How many theories were disproved.
    pub eliminated: usize,
    /// The cause, once it is known.
    pub root_cause: Option<String>,
    /// How the repair was seen to hold, once it was.
    pub verification: Option<String>,
}

impl SessionView {
    /// Where a session stands.
    pub fn of(session: &DebugSession) -> Self {
        let known = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
        Self {
            slug: session.spec.slug.clone(),
            status: session.status(),
            trigger: session.spec.trigger.clone(),
            file: session.file_name(),
            hypothesis: session.focus.hypothesis.clone(),
            next_action: session.focus.next_action.clone(),
            evidence: session.evidence.len(),
            eliminated: session.eliminated.len(),
            root_cause: known(&session.resolution.root_cause),
            verification: known(&session.resolution.verification),
        }
    }

    /// The same as text.
    pub fn to_text(&self) -> String {
        let mut text = format!(
            "debug session {}: {} ({} findings, {} theories disproved)\n  {}\n  file: .autopilot/debug/{}\n",
            clean(&self.slug),
            self.status,
            self.evidence,
            self.eliminated,
            clean(&self.trigger),
            clean(&self.file),
        );
        let rows = [
            ("root cause", self.root_cause.as_deref()),
            ("verification", self.verification.as_deref().filter(|_| self.status == "resolved")),
            ("hypothesis", Some(self.hypothesis.as_str()).filter(|_| self.is_open())),
            ("next", Some(self.next_action.as_str()).filter(|_| self.is_open())),
        ];
        for (name, value) in rows {
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                text.push_str(&format!("  {name}: {}\n", clean(value)));
            }
        }
        text
    }

    fn is_open(&self) -> bool {
        !matches!(self.status, "resolved" | "diagnosed")
    }
}

/// The lines for one more fact.
pub(crate) fn lines(session: &DebugSession, fact: &DebugFact) -> Vec<Styled> {
    let slug = &session.spec.slug;
    let line = |tone, text: String| vec![Styled::new(tone, format!("[Debug {slug}] {text}"))];
    match fact {
        DebugFact::Entered(stage) => match stage {
            DebugStage::Investigate => {
                line(Tone::Plain, format!("INVESTIGATE: {}", session.focus.next_action))
            }
            DebugStage::Check(_) => line(Tone::Plain, "VERIFY".to_owned()),
            DebugStage::Over(..) => line(Tone::Good, format!("[PASS] {}", session.heading())),
            DebugStage::Base
            | DebugStage::Checkpoint
            | DebugStage::Commit(_)
            | DebugStage::File(..)
            | DebugStage::Integrate(..) => Vec::new(),
        },
        DebugFact::Round { evidence, eliminated, resolution, .. } => {
            let found =
                format!("{} findings, {} theories disproved", evidence.len(), eliminated.len());
            let mut lines = line(Tone::Plain, found);
            if !resolution.root_cause.is_empty() {
                lines.extend(line(Tone::Plain, format!("root cause: {}", resolution.root_cause)));
            }
            lines
        }
        DebugFact::Seen(seen) => {
            line(Tone::Plain, format!("{}: {} ({})", seen.checked, seen.found, seen.implication))
        }
        DebugFact::Unfixed => line(Tone::Warning, "[FAIL] the repair does not hold".to_owned()),
        DebugFact::Verified { how } => line(Tone::Good, format!("[PASS] {how}")),
        DebugFact::Gathered(_) if session.spec.goal == DebugGoal::FindAndFix => {
            line(Tone::Plain, "symptoms are gathered".to_owned())
        }
        DebugFact::Gathered(_) | DebugFact::Baseline { .. } | DebugFact::Accepted { .. } => {
            Vec::new()
        }
    }
}
