//! What is known of phases beside what the roadmap says of them: requirements, documents, and what a person has said before.

use std::collections::BTreeMap;

use autopilot_core::{
    phases::{Known, PhaseSpec, TalkWish, Told},
    policy::{Dependencies, Wanted, documents_coverage, quick_check, requirements_coverage},
    roadmap::{PhaseId, Roadmap},
};
use autopilot_engine::{earlier_answers, git::RepoPath};

use super::here::Here;
use crate::{commands::engine_failure, failure::Failure, ui::Ui};

/// Where a project lists its requirements.
const REQUIREMENTS: [&str; 2] = [".planning/REQUIREMENTS.md", "REQUIREMENTS.md"];
/// Where a project says what it is.
const DOCUMENTS: [&str; 2] = [".planning/PROJECT.md", "PROJECT.md"];
/// A longer document is not read.
const DOCUMENT_BYTES_MAX: usize = 1 << 20;
/// A longer `CONTEXT.md` does not fit into a prompt.
const CONTEXT_BYTES_MAX: usize = 64 << 10;

/// Where everything that is known comes from.
pub(super) struct Sources<'a> {
    here: &'a Here<'a>,
    requirements: Option<String>,
    document: Option<String>,
    discussed: BTreeMap<PhaseId, Vec<Told>>,
    mapped: BTreeMap<PhaseId, Vec<Told>>,
}

impl<'a> Sources<'a> {
    /// Reads the documents of the last commit, and what people have answered in earlier runs.
    pub(super) fn read(here: &'a Here<'a>) -> Result<Self, Failure> {
        let first = |names: [&str; 2]| -> Result<Option<String>, Failure> {
            for name in names {
                if let Some(text) = document(here, name, DOCUMENT_BYTES_MAX)? {
                    return Ok(Some(text));
                }
            }
            Ok(None)
        };
        let home = &here.project.home;
        Ok(Self {
            here,
            requirements: first(REQUIREMENTS)?,
            document: first(DOCUMENTS)?,
            discussed: earlier_answers(&home.discuss_context()),
            mapped: earlier_answers(&home.context_map()),
        })
    }

    /// What is known of each phase.
    pub(super) fn of_all(
        &self,
        roadmap: &Roadmap,
        specs: &[PhaseSpec],
    ) -> Result<BTreeMap<PhaseId, Known>, Failure> {
        let mut all = BTreeMap::new();
        for spec in specs {
            all.insert(spec.id, self.of(roadmap, spec)?);
        }
        Ok(all)
    }

    fn of(&self, roadmap: &Roadmap, spec: &PhaseSpec) -> Result<Known, Failure> {
        let wanted = Wanted {
            requirements: &spec.requirements,
            goal: &spec.goal,
            criteria: spec.criteria.len(),
        };
        let about = format!("{} {}", spec.name, spec.goal);
        let path = format!("{}/CONTEXT.md", spec.directory);
        Ok(Known {
            requirements: requirements_coverage(&wanted, self.requirements.as_deref()),
            documents: documents_coverage(&about, self.document.as_deref()),
            dependencies: dependencies(roadmap, spec),
            context_md: document(self.here, &path, CONTEXT_BYTES_MAX)?,
            discussed: self.discussed.get(&spec.id).cloned().unwrap_or_default(),
            mapped: self.mapped.get(&spec.id).cloned().unwrap_or_default(),
        })
    }
}

/// What a run is told: all of it to score phases, else only what a person has said.
pub(super) fn told(known: BTreeMap<PhaseId, Known>, talk: TalkWish) -> BTreeMap<PhaseId, Known> {
    known.into_iter().filter(|(_, known)| talk.map || known.has_a_word()).collect()
}

/// Says which phases are so badly described that agents would have to guess.
pub(super) fn warn(
    specs: &[PhaseSpec],
    known: &BTreeMap<PhaseId, Known>,
    talk: TalkWish,
    ui: &mut Ui,
) {
    for spec in specs.iter().filter(|_| !talk.is_any()) {
        let Some(known) = known.get(&spec.id).filter(|known| !known.has_a_word()) else { continue };
        if let Some((score, why)) = quick_check(&known.context(spec)) {
            let id = spec.id;
            ui.warn(&format!(
                "phase {id} has low context confidence ({score}/10): {why}; `autopilot map {id}` asks what is missing"
            ));
        }
    }
}

/// Where the phases stand that a phase waits for.
fn dependencies(roadmap: &Roadmap, spec: &PhaseSpec) -> Dependencies {
    let found: Vec<Option<bool>> =
        spec.depends_on.iter().map(|id| roadmap.phase(*id).map(|phase| phase.complete)).collect();
    if found.iter().any(Option::is_none) {
        Dependencies::Missing
    } else if found.iter().all(|complete| *complete == Some(true)) {
        Dependencies::Met
    } else {
        Dependencies::Pending
    }
}

/// A document of the last commit, as far as it is text and not too long.
fn document(here: &Here<'_>, path: &str, bytes_max: usize) -> Result<Option<String>, Failure> {
    let bytes = RepoPath::new(path.as_bytes())
        .and_then(|path| here.repository.read_file_at(here.commit, &path))
        .map_err(|error| engine_failure(&error.into()))?;
    let text = bytes.filter(|bytes| bytes.len() <= bytes_max);
    Ok(text.and_then(|bytes| String::from_utf8(bytes).ok()))
}
