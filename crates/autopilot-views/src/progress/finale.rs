//! What is told of the look at the result as a whole.

use autopilot_core::{
    phases::{FinaleFact, FinaleStage, Gap},
    run::Run,
};

use crate::{Styled, Tone};

/// The lines for one more fact.
pub(super) fn lines(run: &Run, fact: &FinaleFact) -> Vec<Styled> {
    let work = run.work.phases();
    let gaps = work.finale.closing().map_or(&[][..], |closing| &closing.gaps);
    let name = |gap: usize| gaps.get(gap).map_or("", |gap| gap.requirement.as_str());
    let line = |tone, text: String| vec![Styled::new(tone, format!("[Run] {text}"))];
    match fact {
        FinaleFact::Entered(FinaleStage::Integration) => {
            line(Tone::Plain, "Step: INTEGRATION-CHECK".to_owned())
        }
        FinaleFact::Entered(FinaleStage::Audit) => line(Tone::Plain, "Step: AUDIT".to_owned()),
        FinaleFact::Entered(FinaleStage::Repair(gap)) => {
            line(Tone::Plain, format!("closing the gap {}", name(*gap)))
        }
        FinaleFact::Entered(FinaleStage::Over) => {
            let open = work.finale.remaining();
            open.flat_map(|gap| line(Tone::Bad, format!("[FAIL] still missing: {}", text(gap))))
                .collect()
        }
        FinaleFact::Joined { pass: true, .. } => {
            line(Tone::Good, "[PASS] the phases work together".to_owned())
        }
        FinaleFact::Audited { checked, passed, gaps } if gaps.is_empty() => {
            line(Tone::Good, format!("[PASS] {passed} of {checked} requirements are met"))
        }
        FinaleFact::Joined { pass: false, gaps } | FinaleFact::Audited { gaps, .. } => gaps
            .iter()
            .flat_map(|gap| line(Tone::Warning, format!("missing: {}", text(gap))))
            .collect(),
        FinaleFact::Refused { gap, findings } => {
            line(Tone::Warning, format!("{}: {}", name(*gap), findings.join("; ")))
        }
        FinaleFact::Repaired { gap, commit } => {
            line(Tone::Plain, format!("{}: a repair stands in {commit}", name(*gap)))
        }
        FinaleFact::Reaudited { open } => {
            let tone = if open.is_empty() { Tone::Good } else { Tone::Warning };
            line(tone, format!("{} of {} gaps are closed", gaps.len() - open.len(), gaps.len()))
        }
        FinaleFact::Entered(
            FinaleStage::Base
            | FinaleStage::Check(..)
            | FinaleStage::Commit(..)
            | FinaleStage::Integrate(..),
        )
        | FinaleFact::NothingRepaired
        | FinaleFact::Baseline { .. }
        | FinaleFact::Accepted { .. } => Vec::new(),
    }
}

fn text(gap: &Gap) -> String {
    format!("{}: {}", gap.requirement, gap.what)
}
