//! Compares a certificate with the commits that it names.

use autopilot_core::{
    certificate::{
        Certificate, Difference, Finding, Report, Sources, missing_guard, missing_promise,
        missing_task, same_criteria,
    },
    effect::Freeze,
    id::CommitId,
    phases::is_paper,
};

use crate::{
    error::{EngineError, told},
    git::{GitError, ObjectId, Project, RepoPath, Unsound},
    hash::sha256_hex,
    work::{Frozen, Rules},
};

/// The commits of a certificate.
struct Commits {
    start: ObjectId,
    base: ObjectId,
    plan: Option<ObjectId>,
    checked: ObjectId,
    head: ObjectId,
}

/// Checks that the commits are whole and follow each other, and that specification, criteria and protected files in
/// them are what the certificate says.
pub(super) fn examine(
    project: &Project,
    certificate: &Certificate,
    report: &mut Report,
) -> Result<(), EngineError> {
    let commits = match Commits::of(certificate) {
        Ok(commits) => commits,
        Err(error) => {
            let difference =
                Difference::at("`/certificate/commits`", "ids of commits", told(&error));
            report.add("commits", Finding::Differs(difference));
            return Ok(());
        }
    };
    match whole(project, &commits)? {
        Ok(objects) => {
            let seen =
                format!("{objects} objects, each hashes to its name; head descends from base");
            report.add("commits", Finding::Holds(seen));
        }
        Err(Unsound { what, why }) => {
            let difference =
                Difference::at(what, "an object that is whole", format!("one that {why}"));
            report.add("commits", Finding::Differs(difference));
            return Ok(());
        }
    }
    specification(project, &commits, certificate, report)?;
    // Settings that no commit holds may say otherwise; the journal knows what counted, where it is.
    if !report.is_derived_again() {
        let sources = sources(project, certificate)?;
        let missing = missing_guard(certificate, &sources);
        report.add("guards", Finding::of(missing, "those of the project's settings are told"));
        let told = "what the plan asks of every task is told";
        report.add("tasks", Finding::of(missing_task(certificate, &sources), told));
        if let Some(promise) = missing_promise(certificate, &sources) {
            let why = format!(
                "{promise}, which this phase builds on, is not told of; whether a person waived it, only the journal knows"
            );
            report.add("promises", Finding::Unchecked(why));
        }
    }
    report.add("protected files", protected(project, &commits, certificate)?);
    report.add("mark", marked(project, &commits, certificate)?);
    Ok(())
}

/// The files that give the commands of a certificate, as they are in its commits.
pub(super) fn sources(
    project: &Project,
    certificate: &Certificate,
) -> Result<Sources, EngineError> {
    let commits = Commits::of(certificate)?;
    let start = |path: &str| text_at(project, &commits.start, path);
    let plan = format!("{}/PLAN.md", certificate.phase.directory);
    Ok(Sources {
        roadmap: start(&certificate.spec.path)?,
        plan: match &commits.plan {
            Some(commit) => text_at(project, commit, &plan)?,
            None => None,
        },
        settings: start("autopilot.toml")?,
        older_settings: start(".planning/config.json")?,
        commands: project.told_at(&commits.start)?.commands,
    })
}

impl Commits {
    fn of(certificate: &Certificate) -> Result<Self, GitError> {
        let commits = &certificate.commits;
        let id = |commit: &CommitId| ObjectId::parse(commit.as_str());
        Ok(Self {
            start: id(&commits.start)?,
            base: id(&commits.base)?,
            plan: commits.plan.as_ref().map(id).transpose()?,
            checked: id(&commits.checked)?,
            head: id(&commits.head)?,
        })
    }
}

/// How many objects there are, if every one is what its name says and each commit descends from the one before.
fn whole(project: &Project, commits: &Commits) -> Result<Result<usize, Unsound>, EngineError> {
    let mut soundness = project.soundness()?;
    let mut objects = 0;
    let mut look = || -> Result<(), Unsound> {
        let history = soundness.history(&commits.head, &commits.start)?;
        objects += history.len();
        let line = [Some(&commits.base), commits.plan.as_ref(), Some(&commits.checked)];
        for (commit, name) in line.into_iter().zip(["base", "plan", "checked"]) {
            if let Some(commit) = commit.filter(|commit| !history.contains(commit)) {
                let (what, head) = (format!("{name} commit {commit}"), &commits.head);
                return Err(Unsound { what, why: format!("is no ancestor of {head}") });
            }
        }
        soundness.history(&commits.checked, &commits.base)?;
        for commit in [&commits.head, &commits.checked, &commits.base, &commits.start] {
            objects += soundness.files(commit)?;
        }
        Ok(())
    };
    let looked = look();
    Ok(looked.map(|()| objects))
}

fn specification(
    project: &Project,
    commits: &Commits,
    certificate: &Certificate,
    report: &mut Report,
) -> Result<(), EngineError> {
    let spec = &certificate.spec;
    let path = RepoPath::new(spec.path.as_bytes());
    let found = match &path {
        Ok(path) => project.read_file_at(&commits.start, path)?,
        Err(_) => None,
    };
    let hash = found.as_deref().map(sha256_hex);
    let is_same = hash.as_ref() == Some(&spec.sha256);
    if !spec.committed && is_same {
        let at = "`/certificate/spec/committed`";
        let difference = Difference::at(at, "true, since the commit has it like this", "false");
        report.add("specification", Finding::Differs(difference));
        return Ok(());
    }
    if !spec.committed {
        let why = "the roadmap had uncommitted changes when the run started, so no commit tells what it said";
        report.add("specification", Finding::Unchecked(why.to_owned()));
        report.add("criteria", Finding::Unchecked(why.to_owned()));
        return Ok(());
    }
    let difference = (!is_same).then(|| {
        let at = format!("`{}` in commit {}", spec.path, commits.start);
        let found = hash.map_or_else(|| "no such file".to_owned(), |hash| format!("sha256 {hash}"));
        Difference::at(at, format!("sha256 {}", spec.sha256), found)
    });
    let seen = format!("`{}` as it is in commit {}", spec.path, commits.start);
    report.add("specification", Finding::of(difference, seen));
    let text = String::from_utf8_lossy(found.as_deref().unwrap_or_default()).into_owned();
    let seen = format!("{} as the roadmap gives them", certificate.criteria.len());
    report.add("criteria", Finding::of(same_criteria(certificate, &text), seen));
    Ok(())
}

/// Whether the files that decide are those of the base, but for the edits that were accepted.
fn protected(
    project: &Project,
    commits: &Commits,
    certificate: &Certificate,
) -> Result<Finding, EngineError> {
    let rules = &certificate.rules;
    if let Err(error) = rules.protection.compile() {
        let at = "`/certificate/rules/protection`";
        let difference = Difference::at(at, "patterns that can be read", error.to_string());
        return Ok(Finding::Differs(difference));
    }
    let freeze = Freeze::of(certificate.commits.base.clone(), rules.accepted.iter());
    let frozen = Frozen { project, protection: &rules.protection };
    let judged = frozen.judged_tree(&freeze, &certificate.commits.checked, Rules::OfTheWork)?;
    let tree = project.tree_of(&commits.checked)?;
    if let Some(change) = project.tree_changes(&judged, &tree)?.into_iter().next() {
        let path = String::from_utf8_lossy(&change.path).into_owned();
        let told = |entry: Option<crate::git::TreeEntry>| {
            entry.map_or_else(
                || "nothing".to_owned(),
                |entry| format!("{} {}", entry.mode, entry.id),
            )
        };
        let at = format!("`{path}` in commit {}", commits.checked);
        return Ok(Finding::Differs(Difference::at(at, told(change.old), told(change.new))));
    }
    for edit in &rules.accepted {
        if let Some(difference) = accepted(project, commits, &edit.path, &edit.content)? {
            return Ok(Finding::Differs(difference));
        }
    }
    Ok(Finding::Holds(format!("as in the base; accepted edits: {}", rules.accepted.len())))
}

/// Whether an accepted edit stands in the work with the content that was accepted.
fn accepted(
    project: &Project,
    commits: &Commits,
    path: &str,
    content: &str,
) -> Result<Option<Difference>, EngineError> {
    let changes = project.tree_changes(&commits.base, &commits.checked)?;
    let change = changes.into_iter().find(|change| change.path == path.as_bytes());
    let found = match change {
        None => "no edit".to_owned(),
        Some(change) => match change.new {
            Some(entry) => format!("{} {}", entry.mode, entry.id),
            None => "removed".to_owned(),
        },
    };
    let at = || format!("`{path}` in commit {}", commits.checked);
    Ok((found != content).then(|| Difference::at(at(), content, found)))
}

/// Whether nothing but the mark in the roadmap came after the work that was checked.
fn marked(
    project: &Project,
    commits: &Commits,
    certificate: &Certificate,
) -> Result<Finding, EngineError> {
    let changes = project.tree_changes(&commits.checked, &commits.head)?;
    let directory = &certificate.phase.directory;
    let is_own = |path: &[u8]| {
        path == certificate.spec.path.as_bytes()
            || std::str::from_utf8(path).is_ok_and(|path| is_paper(directory, path))
    };
    let other = changes.iter().find(|change| !is_own(&change.path));
    let difference = other.map(|change| {
        let at = format!("`{}` in commit {}", String::from_utf8_lossy(&change.path), commits.head);
        Difference::at(at, "as in the work that was checked", "another content")
    });
    Ok(Finding::of(difference, "head is what was checked, with the phase marked in the roadmap"))
}

fn text_at(
    project: &Project,
    commit: &ObjectId,
    path: &str,
) -> Result<Option<String>, EngineError> {
    let Ok(path) = RepoPath::new(path.as_bytes()) else { return Ok(None) };
    let bytes = project.read_file_at(commit, &path)?;
    Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}
