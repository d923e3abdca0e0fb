//! What the talk owes to the world: one effect for each stage.

use serde::Serialize;

use super::{Discussed, Said, TalkStage, Talking, Told, context_md, turn::own_words};
use crate::{
    effect::{AgentTask, Effect, IntegrateTask, Owed},
    id::Step,
    phases::{Brief, Phase, Phases},
    policy::Assessment,
    returns::Sitting,
    role::Role,
    run::Run,
    time::{MINUTE_MS, SECOND_MS},
};

/// What a questioner is told.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TalkBrief {
    /// What it is asked for.
    pub asking: Asking,
    /// How well the phase is described.
    pub score: Option<Assessment>,
    /// What a person has answered before.
    pub told: Vec<Told>,
    /// The area that more is asked about.
    pub area: String,
    /// Answers in a person's own words, in the order of their numbers.
    pub own_words: Vec<Told>,
}

/// What a questioner is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Asking {
    /// What a phase lacks.
    Map,
    /// Where it could be made in more than one way.
    Areas,
    /// More about one of these.
    More,
    /// Which answers belong elsewhere.
    Sort,
}

/// What is owed, where the talk has begun and is not over.
pub(in crate::phases) fn owed(run: &Run, work: &Phases) -> Option<Owed> {
    let talking = work.talk.talking()?;
    let key = run.ledger.key(work.talk_step()?);
    let effect = if talking.stage == TalkStage::Record {
        Effect::Integrate(IntegrateTask {
            phase: None,
            from: work.head.clone(),
            commit: work.head.clone(),
            papers: context_md::papers(run, work, talking),
            pictures: Vec::new(),
            mark: false,
            date: talking.entered_at,
        })
    } else {
        question(run, work, talking)?
    };
    Some(Owed { key, effect })
}

impl Phases {
    /// The step that the talk is at, where it waits for one.
    pub(in crate::phases) fn talk_step(&self) -> Option<Step> {
        let talking = self.talk.talking()?;
        let phase = talking.stage.phase().and_then(|at| self.list.get(at));
        let name = phase.map_or("", |phase| phase.spec.id.as_str());
        let asked = phase.and_then(|phase| asked_in(talking, phase)).unwrap_or(0);
        talking.stage.step(name, asked)
    }
}

fn asked_in(talking: &Talking, phase: &Phase) -> Option<usize> {
    let TalkStage::More { area, .. } = &talking.stage else { return None };
    let about = talking.discussion(phase.spec.id)?.areas.get(*area)?;
    Some(about.questions.len())
}

fn question(run: &Run, work: &Phases, talking: &Talking) -> Option<Effect> {
    let phase = work.list.get(talking.stage.phase()?)?;
    let limits = &run.given.limits;
    let run_ms = limits.run_minutes.saturating_mul(MINUTE_MS);
    let left_ms = run_ms.saturating_sub(run.spent.busy_ms).max(MINUTE_MS);
    Some(Effect::Agent(Box::new(AgentTask {
        role: Role::Questioner,
        agent: run.agent_for(Role::Questioner).clone(),
        sitting: Sitting::First,
        phase: Some(phase.spec.id),
        // Whoever is asked for several things must be able to tell which.
        task: talking.stage.asking().and_then(|name| name.parse().ok()),
        base: work.head.clone(),
        judged_by: work.head.clone(),
        planned: None,
        brief: brief(run, talking, phase)?,
        handover: None,
        time_ms_max: limits.step_minutes.saturating_mul(MINUTE_MS).min(left_ms),
        silence_ms_max: limits.stall_seconds.saturating_mul(SECOND_MS),
    })))
}

fn brief(run: &Run, talking: &Talking, phase: &Phase) -> Option<Brief> {
    let spec = &phase.spec;
    let known = run.known(spec.id);
    let discussed = talking.discussion(spec.id);
    let mut talk = TalkBrief {
        asking: Asking::Map,
        score: None,
        told: Vec::new(),
        area: String::new(),
        own_words: Vec::new(),
    };
    match &talking.stage {
        TalkStage::Map(_) => {
            talk.score = talking.map(spec.id).map(|mapped| mapped.assessment);
            talk.told = known.mapped.iter().chain(&known.discussed).cloned().collect();
            talk.told.extend(discussed.into_iter().flat_map(told));
        }
        TalkStage::Areas(_) => {
            talk.asking = Asking::Areas;
            talk.told = known.discussed.iter().chain(&known.mapped).cloned().collect();
        }
        TalkStage::More { area, .. } => {
            talk.asking = Asking::More;
            talk.area = discussed?.areas.get(*area)?.area.clone();
            talk.told = told(discussed?).collect();
        }
        TalkStage::Sort(_) => {
            talk.asking = Asking::Sort;
            talk.own_words = own_words(discussed?)
                .map(|(_, _, asked, answer)| Told {
                    question: asked.question.clone(),
                    category: asked.category.clone(),
                    answer: answer.to_owned(),
                })
                .collect();
        }
        TalkStage::Select(_)
        | TalkStage::Ask { .. }
        | TalkStage::Depth { .. }
        | TalkStage::Record
        | TalkStage::Answers
        | TalkStage::Over => return None,
    }
    Some(Brief {
        phase_name: spec.name.clone(),
        goal: spec.goal.clone(),
        criteria: spec.criteria.clone(),
        directory: spec.directory.clone(),
        requirements: spec.requirements.clone(),
        roadmap: run.given.roadmap.clone(),
        talk: Some(talk),
        ..Brief::default()
    })
}

/// What a person has said in a discussion. An idea for another phase says nothing about this one.
pub(super) fn told(discussed: &Discussed) -> impl Iterator<Item = Told> + '_ {
    discussed.areas.iter().flat_map(|area| &area.questions).filter_map(|asked| {
        let reply = asked.reply.as_ref().filter(|reply| !matches!(reply.said, Said::Later(_)))?;
        Some(Told {
            question: asked.question.clone(),
            category: asked.category.clone(),
            answer: reply.said.text().to_owned(),
        })
    })
}
