//! Two starts at a time: one works, the others are told who does.

use std::{
    fs,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use crate::harness::{Engine, Project, agent, awaited, ended_as, sign, until};

/// How many start at the same moment.
const STARTS: usize = 16;

#[test]
fn a_second_start_is_refused_and_names_the_first() {
    let script = agent("researcher", 1, &[sign("working"), until("go")].join(", "), "");
    let project = Project::scripted(&script);
    let engine = project.start(&["run"]);
    project.await_sign("working");
    let run = project.run_id();
    for command in ["run", "resume"] {
        let refused = project.run(&[command]).expect(1);
        let expected = format!("{run} is being worked on by process {}", engine.pid());
        assert!(refused.stderr.contains(&expected), "{refused:?}");
        assert!(refused.stderr.contains("what to do:"), "{refused:?}");
    }
    assert_eq!(project.status()["status"], "running");
    fs::write(project.path("signs/go"), "").expect("writable");
    engine.wait().expect(0);
    assert_eq!(runs(&project), [run], "the refused start left nothing behind");
}

#[test]
fn of_many_starts_at_once_exactly_one_works() {
    // The first agent waits until every other start is over, so that none can win after the winner's end.
    let script = agent("researcher", 1, &[sign("working"), until("go")].join(", "), "");
    let project = Project::scripted(&script);
    // Runs are named by the second; around its end two starts would not share a name.
    awaited("a second ends", Duration::from_secs(2), || {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        now.subsec_millis() > 975
    });
    let mut engines: Vec<Engine> = (0..STARTS).map(|_| project.start(&["run"])).collect();
    project.await_sign("working");
    await_one(&mut engines);
    fs::write(project.path("signs/go"), "").expect("writable");
    let outputs: Vec<_> = engines.into_iter().map(Engine::wait).collect();
    let (won, lost): (Vec<_>, Vec<_>) = outputs.iter().partition(|output| output.code == Some(0));
    assert_eq!((won.len(), lost.len()), (1, STARTS - 1));
    for output in lost {
        assert_eq!(output.code, Some(1), "{}", output.shown());
        assert!(output.stderr.contains("is being worked on by process"), "{}", output.shown());
    }
    assert_eq!(runs(&project).len(), 1, "the refused starts left nothing behind");
    assert_eq!(project.phase_states(), ["1 completed"]);
    project.run(&["audit"]).expect(0);
}

#[test]
fn of_many_resumes_at_once_exactly_one_works() {
    let script = agent("researcher", 1, &[sign("working"), until("go")].join(", "), "");
    let project = Project::scripted(&script);
    let mut killed = project.start(&["run"]);
    project.await_sign("working");
    killed.kill();
    fs::remove_file(project.path("signs/working")).expect("removable");
    let mut engines: Vec<Engine> = (0..STARTS).map(|_| project.start(&["resume"])).collect();
    project.await_sign("working");
    await_one(&mut engines);
    fs::write(project.path("signs/go"), "").expect("writable");
    let codes: Vec<_> = engines.into_iter().map(|engine| engine.wait().code).collect();
    assert_eq!(codes.iter().filter(|code| **code == Some(0)).count(), 1, "{codes:?}");
    assert_eq!(codes.iter().filter(|code| **code == Some(1)).count(), STARTS - 1, "{codes:?}");
    project.run(&["audit"]).expect(0);
}

/// Runs are named by the second, so two projects on one machine can have runs of the same name.
#[test]
fn a_run_of_the_same_name_in_another_project_is_left_alone() {
    let script = agent("researcher", 1, &[sign("working"), until("go")].join(", "), "");
    let (first, second) = (Project::scripted(&script), Project::scripted(&script));
    let mut killed = second.start(&["run"]);
    second.await_sign("working");
    killed.kill();
    second.await_guardian(Duration::from_secs(5));
    let engine = first.start(&["run"]);
    first.await_sign("working");
    let journals = second.sandbox.project().join(".autopilot/journal");
    fs::rename(journals.join(second.run_id()), journals.join(first.run_id())).expect("renamed");
    fs::write(second.path("signs/go"), "").expect("writable");
    second.run(&["resume"]).expect(0);
    fs::write(first.path("signs/go"), "").expect("writable");
    engine.wait().expect(0);
    assert_eq!(ended_as(&first.facts(), "1/research"), ["done"], "its agent was never ended");
}

#[test]
fn a_name_that_a_run_in_another_checkout_has_is_not_taken_again() {
    let project = Project::honest(1);
    for second in 0..10 {
        let (ahead, form) = (format!("+{second} seconds"), "+run-%Y-%m-%d-%H%M%S");
        let named = project.finish(project.other("date", ["-u", "-d", &ahead, form])).expect(0);
        let branch = format!("refs/heads/autopilot/{}/head", named.stdout.trim());
        project.sandbox.git(["update-ref", &branch, "HEAD"]);
    }
    project.run(&["run"]).expect(0);
    let run = project.run_id();
    assert!(run.ends_with("-2"), "{run}");
}

#[test]
fn checkouts_of_one_repository_that_start_at_once_have_runs_of_their_own() {
    let project = Project::honest(1);
    let others: Vec<String> = (0..3)
        .map(|number| {
            let place = project.path(&format!("other-{number}")).display().to_string();
            project.sandbox.git(["worktree", "add", "--quiet", "--detach", &place, "main"]);
            place
        })
        .collect();
    let engines: Vec<Engine> = others
        .iter()
        .enumerate()
        .map(|(number, place)| {
            let mut command = project.command(["run"]);
            command.current_dir(place);
            Engine::start(command, &project.sandbox.root(), &format!("other-{number}"))
        })
        .collect();
    for engine in engines {
        engine.wait().expect(0);
    }
    let heads =
        project.sandbox.git(["for-each-ref", "--format=%(refname)", "refs/heads/autopilot/*/head"]);
    assert_eq!(heads.lines().count(), others.len(), "{heads}");
}

fn await_one(engines: &mut [Engine]) {
    awaited("all others have ended", Duration::from_secs(20), || {
        engines.iter_mut().filter_map(|engine| engine.is_running().then_some(())).count() <= 1
    });
}

fn runs(project: &Project) -> Vec<String> {
    let journals = project.sandbox.project().join(".autopilot/journal");
    let entries = fs::read_dir(journals).expect("it is there");
    entries.map(|entry| entry.expect("listed").file_name().to_string_lossy().into_owned()).collect()
}
