//! Plays a case: lays out its project, runs the program on it, and looks at what is there afterwards.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    time::{Duration, Instant},
};

use autopilot_testkit::{
    program::{Before, Project, Sample},
    repository::write,
};
use serde_json::Value;

use super::{
    agent::{AGENT, TIMED_SHELL},
    case::Case,
    tools::Tools,
};

/// Between two elements of a list of criteria: the ones after it belong to the next phase.
pub(super) const NEXT_PHASE: &str = "--- next phase ---";
/// Liars lie again when they are told to repair, so there is no use in many rounds.
const LIMITS: &str = "[limits]\ntask_debugs = 1\nphase_debugs = 1\ncheck_seconds = 120\n";

/// What was there when a run was over.
#[derive(Debug)]
pub(super) struct Played {
    pub(super) project: Project,
    /// The exit code of the run.
    pub(super) code: Option<i32>,
    pub(super) stderr: String,
    pub(super) wall: Duration,
    /// The journal, as far as it can be read.
    pub(super) facts: Vec<Value>,
    /// Whether the work is really done, by what the engine never saw.
    pub(super) done: bool,
    /// What happened that must not.
    pub(super) breaches: Vec<String>,
    /// Whether the books of the run are in order by its own word.
    pub(super) in_order: bool,
    /// How long agents and commands took.
    pub(super) times: String,
}

/// Plays a case from beginning to end.
pub(super) fn play(case: &Case, tools: &Tools) -> Played {
    let project = lay_out(case, tools);
    let before = Before::of(&project);
    let shims = project.path("bin");
    let first = case.is_honest().then_some(shims.as_path());
    let mut command = project.command(["run", "--complete"]);
    command.envs(tools.environment(first));
    let began = Instant::now();
    let output = project.finish(command);
    let wall = began.elapsed();
    let facts = facts(&project, tools);
    let mut breaches = before.changes(&project);
    breaches.extend(left_alive(&project));
    breaches.extend(changed_judges(case, &project, &facts));
    if project.path("pwned").exists() {
        breaches.push("a command of the agent's was run by the engine".to_owned());
    }
    if [&output.stdout, &output.stderr].iter().any(|text| text.contains('\u{1b}')) {
        breaches.push("control characters reached the terminal".to_owned());
    }
    let in_order = ask(&project, tools, &["audit"]).code == Some(0);
    let times = fs::read_to_string(project.path("times")).unwrap_or_default();
    // What lies outside of the project is not part of the result.
    drop(fs::remove_dir_all(project.path("outside")));
    let done = oracle(case, &project, tools);
    let (code, stderr) = (output.code, output.stderr);
    Played { project, code, stderr, wall, facts, done, breaches, in_order, times }
}

fn lay_out(case: &Case, tools: &Tools) -> Project {
    let project = Project::new(&tools.autopilot, &Sample::default());
    let root = project.sandbox.root().display().to_string();
    let own = |text: &str| {
        let program = tools.autopilot.display().to_string();
        text.replace("DONE", case.kit.done).replace("PROGRAM", &program).replace("ROOT", &root)
    };
    write(&project.path("agent.sh"), own(AGENT));
    write(&project.path("act.sh"), own(case.act));
    write(&project.path("others.sh"), own(case.others));
    let shim = project.path("bin/sh");
    write(&shim, own(TIMED_SHELL));
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(&shim, executable).expect("it is ours");
    for (path, text) in case.kit.files.iter().chain(case.twist.files) {
        project.sandbox.write(path, own(text));
    }
    let phases: Vec<&[&str]> =
        case.criteria_of_project().split(|criterion| *criterion == NEXT_PHASE).collect();
    for (at, criteria) in phases.iter().enumerate() {
        write(&project.path(&format!("PLAN-{}.md", at + 1)), plan(at + 1, criteria));
    }
    project.sandbox.write(".planning/ROADMAP.md", roadmap(&phases));
    let limits = if case.is_honest() { "" } else { LIMITS };
    let config = format!(
        "[agents.mine]\nprogram = [\"/bin/sh\", \"{root}/agent.sh\"]\n[roles]\ndefault = \"mine\"\n[run]\naudit = false\n\
         {NO_GATES}[guards]\nadds = \"{}\"\n{limits}{}{}",
        case.kit.guard,
        case.kit.config,
        own(case.twist.config),
    );
    project.sandbox.write("autopilot.toml", config);
    project.sandbox.commit("a calculator");
    project
}

/// The commands of a case are all that judges it: what a manifest tells would only run them again under other names.
const NO_GATES: &str = "[project.commands]\ncompile = \"\"\nlint = \"\"\ntest = \"\"\n";

fn roadmap(phases: &[&[&str]]) -> String {
    let mut text = "# Roadmap\n".to_owned();
    for (at, criteria) in phases.iter().enumerate() {
        let number = at + 1;
        text.push_str(&format!(
            "\n### Phase {number}: Part {number}\n**Goal**: it does what the tests ask for.\n"
        ));
        if at > 0 {
            text.push_str(&format!("**Depends on**: Phase {at}\n"));
        }
        text.push_str("**Success Criteria**:\n");
        for (at, criterion) in criteria.iter().enumerate() {
            text.push_str(&format!("{}. It holds -- verified by: `{criterion}`\n", at + 1));
        }
    }
    text
}

fn plan(phase: usize, criteria: &[&str]) -> String {
    let criteria: String =
        criteria.iter().map(|one| format!("- it holds -- verified by: `{one}`\n")).collect();
    format!(
        "# Plan\n\n<task id=\"{phase}-01\" type=\"auto\" complexity=\"simple\">\n<name>Do it</name>\n\
         <files>calc</files>\n<action>Teach the program calc what its tests ask for: read the numbers from the \
         command line, add or multiply them, print the result and refuse anything else.</action>\n<acceptance_criteria>\n{criteria}\
         </acceptance_criteria>\n<verify>run the tests</verify>\n<done>they pass</done>\n</task>\n"
    )
}

/// What a command of the program prints about the run.
fn ask(project: &Project, tools: &Tools, words: &[&str]) -> autopilot_testkit::program::Output {
    let mut command = project.command(words);
    command.envs(tools.environment(None));
    project.finish(command)
}

fn facts(project: &Project, tools: &Tools) -> Vec<Value> {
    let log = ask(project, tools, &["log", "--json"]);
    let records = log.stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    records.map(|record| record["fact"].clone()).collect()
}

/// Where the run branch is; nothing where no run ever made one.
fn head(project: &Project) -> Option<String> {
    let listed =
        project.sandbox.git(["for-each-ref", "--format=%(refname)", "refs/heads/autopilot"]);
    listed.lines().find(|name| name.ends_with("/head")).map(str::to_owned)
}

fn oracle(case: &Case, project: &Project, tools: &Tools) -> bool {
    let Some(head) = head(project) else { return false };
    let place = project.path("oracle");
    let listed = "mkdir \"$1\" && git archive \"$2\" | tar -x -C \"$1\"";
    let words = ["-c".as_ref(), listed.as_ref(), "sh".as_ref(), place.as_os_str(), head.as_ref()];
    let unpacked = project.other("sh", words).status();
    let root = project.sandbox.root().display().to_string();
    let program = tools.autopilot.display().to_string();
    let judged = [case.kit.oracle, case.twist.oracle].iter().all(|oracle| {
        let oracle = oracle.replace("ROOT", &root).replace("PROGRAM", &program);
        let mut command = project.other("sh", ["-c", &oracle]);
        command.envs(tools.environment(None)).current_dir(&place);
        project.finish(command).code == Some(0)
    });
    unpacked.is_ok_and(|status| status.success()) && judged
}

/// Files that decide and are not as they were on the run branch, although nobody accepted that.
fn changed_judges(case: &Case, project: &Project, facts: &[Value]) -> Vec<String> {
    let Some(head) = head(project) else { return Vec::new() };
    let changed = project.sandbox.git(["diff", "--name-only", "main", &head]);
    let accepted: Vec<&str> = facts
        .iter()
        .filter_map(|fact| fact["phase"]["fact"]["requested"]["accepted"].as_array())
        .flatten()
        .filter_map(|one| one["path"].as_str())
        .collect();
    let decides = |path: &&str| {
        let files = case.kit.files.iter().chain(case.twist.files);
        let known = files.map(|(path, _)| *path).any(|known| known == *path);
        // Of a manifest only parts decide, and who does not lie may change the rest.
        let is_free = case.is_honest() && ["package.json", "Cargo.toml", "go.mod"].contains(path);
        (known || *path == "autopilot.toml")
            && *path != case.kit.work
            && !accepted.contains(path)
            && !is_free
    };
    let paths = changed.lines().filter(decides);
    paths.map(|path| format!("`{path}` is not as it was on the run branch")).collect()
}

/// Processes that belong to the sandbox and are still there.
fn left_alive(project: &Project) -> Vec<String> {
    let root = project.sandbox.root().display().to_string();
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let own = std::process::id().to_string();
    let bears = |path: &Path| {
        ["cmdline", "environ"].iter().any(|file| {
            fs::read(path.join(file))
                .is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(&root))
        })
    };
    entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy() != own))
        .filter(|path| {
            path.file_name().is_some_and(|name| name.to_string_lossy().parse::<u32>().is_ok())
        })
        .filter(|path| bears(path))
        .map(|path| format!("process {} is still there", path.display()))
        .collect()
}
