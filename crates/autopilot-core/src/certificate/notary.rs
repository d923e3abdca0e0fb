//! Derives certificates from the records of a journal.

use std::collections::BTreeMap;

use super::{
    Certificate, Certified, CertifiedPhase, Commits, Position, Reviews, Rules, Seen, Specification,
    Spoken, document::VERSION, hands::Hands,
};
use crate::{
    evidence::{Canary, CheckResult, argv},
    fact::{End, Fact, Record},
    id::{CommitId, Step},
    input::Environment,
    phases::{Active, Close, Phase, PhaseFact, Status, checks_of, judged_by_reading, reviewers},
    returns::{Recommendation, Score},
    roadmap::PhaseId,
    run::{NotARun, Run, Work, fold},
    time::Timestamp,
};

/// Reads the records of a run one after another and certifies the phases that they complete.
#[derive(Debug, Default)]
pub struct Notary {
    run: Option<Run>,
    /// What is known of the phases that have begun, beyond what the run remembers.
    noted: BTreeMap<PhaseId, Noted>,
}

/// What the records say of a phase beyond what its state remembers.
#[derive(Debug, Default)]
struct Noted {
    hands: Hands,
    plan: Option<CommitId>,
    verified: Option<bool>,
    unproven: Vec<String>,
    judged: Option<Recommendation>,
    concerns: Vec<String>,
    environments: Vec<Environment>,
    /// In what surroundings each check was last run on the base.
    base: BTreeMap<String, String>,
    /// In what surroundings the checks were last run on the work.
    result: Option<String>,
    /// What the checks did when that work was broken.
    canaries: Vec<Canary>,
}

/// What completes a phase.
struct Completion<'a> {
    score: Score,
    head: &'a CommitId,
    at: Timestamp,
    journal: Position,
}

impl Notary {
    /// Takes one more record. A record that completes a phase gives its certificate; `position` is asked for then.
    pub fn take(
        &mut self,
        record: &Record,
        position: impl FnOnce() -> Position,
    ) -> Result<Option<Certificate>, NotARun> {
        let mut certificate = None;
        if let Some(run) = &self.run {
            match &record.fact {
                Fact::Ended { key, end: End::Done, model, .. } => {
                    note_step(&mut self.noted, run, &key.step, model.as_ref());
                }
                Fact::Phase {
                    phase,
                    fact: PhaseFact::Closed(Close::Completed { score, commit, .. }),
                } => {
                    let noted = self.noted.remove(phase).unwrap_or_default();
                    if is_part(run, phase) {
                        // What it brings is proven with the phase that it is a part of.
                        fold(&mut self.run, record)?;
                        return Ok(None);
                    }
                    let completion = Completion {
                        score: *score,
                        head: commit,
                        at: record.at,
                        journal: position(),
                    };
                    certificate = certify(run, phase, noted, completion);
                }
                Fact::Phase { phase, fact: PhaseFact::Retried } => {
                    // What came of the first try is not what is certified.
                    self.noted.remove(phase);
                }
                Fact::Phase { phase, fact } => {
                    note_fact(self.noted.entry(*phase).or_default(), run, fact);
                }
                Fact::Submitted(_)
                | Fact::Started { .. }
                | Fact::Ended { .. }
                | Fact::Held { .. }
                | Fact::Released { .. }
                | Fact::Asked { .. }
                | Fact::Answered { .. }
                | Fact::LeftOut(_)
                | Fact::Strays(_)
                | Fact::Denied(_)
                | Fact::Repaired(_)
                | Fact::Environment(_)
                | Fact::StopAsked
                | Fact::Resumed { .. }
                | Fact::Finale(_)
                | Fact::Rechecked { .. }
                | Fact::Finished(_) => {}
            }
        }
        fold(&mut self.run, record)?;
        Ok(certificate)
    }
}

fn is_part(run: &Run, phase: &PhaseId) -> bool {
    let Work::Phases(work) = &run.work;
    work.place(phase).is_some_and(|at| work.list[at].part_of.is_some())
}

/// Notes who did a step.
fn note_step(noted: &mut BTreeMap<PhaseId, Noted>, run: &Run, step: &Step, model: Option<&String>) {
    let Work::Phases(work) = &run.work;
    let Some((_, phase, active)) = work.active_at(step) else { return };
    if let Some(role) = active.stage.role() {
        let whole = phase.part_of.unwrap_or(phase.spec.id);
        let hands = &mut noted.entry(whole).or_default().hands;
        hands.count(role, run.agent_for(role), model);
    }
}

/// Notes what the state of a phase does not remember, or not until the end.
fn note_fact(noted: &mut Noted, run: &Run, fact: &PhaseFact) {
    #[expect(clippy::wildcard_enum_match_arm, reason = "the state remembers the rest")]
    match fact {
        PhaseFact::Baseline { results } => {
            let Some(environment) = noted.surroundings(run) else { return };
            let ran = results.iter().map(|result| (result.name.clone(), environment.clone()));
            noted.base.extend(ran);
        }
        PhaseFact::Checked { .. } => {
            noted.result = noted.surroundings(run);
            // What was seen of another work says nothing about this one.
            noted.canaries.clear();
        }
        PhaseFact::Canaries { canaries } => noted.canaries.clone_from(canaries),
        PhaseFact::PlanStands { commit } => noted.plan = Some(commit.clone()),
        PhaseFact::Verified { pass, unproven, .. } => {
            noted.verified = Some(*pass);
            noted.unproven.clone_from(unproven);
        }
        PhaseFact::Judged { recommendation, concerns, .. } => {
            noted.judged = Some(*recommendation);
            noted.concerns.clone_from(concerns);
        }
        _ => {}
    }
}

impl Noted {
    /// The surroundings in which commands run now.
    fn surroundings(&mut self, run: &Run) -> Option<String> {
        let environment = run.environment.as_ref()?;
        if !self.environments.contains(environment) {
            self.environments.push(environment.clone());
        }
        Some(environment.sha256.clone())
    }
}

/// The certificate of a phase, from the state before the record that completes it.
fn certify(run: &Run, id: &PhaseId, noted: Noted, end: Completion<'_>) -> Option<Certificate> {
    let Work::Phases(work) = &run.work;
    let phase = work.list.get(work.place(id)?)?;
    let Status::Active(active) = &phase.status else { return None };
    let votes = reviewers(run, work).into_iter().map(|(role, _, vote)| (role, vote)).collect();
    let gate = format!("{id}/");
    let spoken = run.answers.iter().filter(|(asked, _)| asked.as_str().starts_with(&gate));
    Some(Certificate {
        v: VERSION,
        run: run.given.run.clone(),
        phase: CertifiedPhase {
            id: *id,
            name: phase.spec.name.clone(),
            goal: phase.spec.goal.clone(),
            directory: phase.spec.directory.clone(),
        },
        commits: Commits {
            start: run.given.base.clone(),
            base: active.base.clone(),
            plan: noted.plan.clone(),
            checked: active.head.clone(),
            head: end.head.clone(),
        },
        spec: Specification {
            path: run.given.roadmap.clone(),
            sha256: run.given.spec_sha256.clone(),
            committed: run.given.spec_committed,
        },
        criteria: phase.spec.criteria.clone(),
        judged: judged_by_reading(phase, active),
        checks: certified(run, phase, active, &noted),
        rules: rules(run, active),
        reviews: Reviews {
            verified: noted.verified,
            unproven: noted.unproven,
            judged: noted.judged,
            concerns: noted.concerns,
            score: end.score,
            pass_score: run.given.pass_score,
        },
        environments: noted.environments,
        agents: noted.hands.list(&votes),
        people: spoken
            .map(|(gate, answer)| Spoken {
                gate: gate.clone(),
                by: answer.by.clone(),
                approved: answer.approved,
            })
            .collect(),
        spent: phase.spent,
        began_at: active.began_at,
        closed_at: end.at,
        journal: end.journal,
    })
}

fn rules(run: &Run, active: &Active) -> Rules {
    let given = &run.given;
    let mut accepted: Vec<_> = active.in_effect().cloned().collect();
    accepted.dedup();
    Rules {
        prepare: given.prepare.clone(),
        check_seconds: given.limits.check_seconds,
        guard_seconds: given.limits.guard_seconds,
        protection: given.protection.clone(),
        accepted,
    }
}

/// Every check of the phase in its order, with what was seen of it.
fn certified(run: &Run, phase: &Phase, active: &Active, noted: &Noted) -> Vec<Certified> {
    let named = |results: &[CheckResult], name: &str| {
        results.iter().find(|result| result.name == name).cloned()
    };
    let one = |check: crate::evidence::Check| {
        let name = check.name.as_str();
        let entry = active.settled.iter().find(|entry| entry.name == name)?;
        let result = named(&active.checked, name)?;
        let base = named(&active.baseline, name);
        let canary = noted.canaries.iter().find(|canary| canary.check == name);
        let command = check.criterion.command.as_deref().unwrap_or_default();
        Some(Certified {
            argv: argv(command).to_vec(),
            standing: entry.standing.clone(),
            waived: entry.waived.clone(),
            bite: canary.map(|canary| canary.bite.clone()),
            base: base.map(|base| Seen::of(&base, noted.base.get(name).map(String::as_str))),
            result: Seen::of(&result, noted.result.as_deref()),
            name: check.name,
            kind: check.kind,
            criterion: check.criterion,
        })
    };
    checks_of(run, phase, active).into_iter().filter_map(one).collect()
}
