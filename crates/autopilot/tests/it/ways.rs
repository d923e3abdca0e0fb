//! Ways to run: what goes together, which phases each is about, and what comes of it.

use crate::harness::Project;

#[test]
fn c2_flags_that_contradict_each_other_are_refused_with_both_names_and_what_to_do() {
    let project = Project::honest(2);
    let pairs = [
        ["--force", "--quality"],
        ["--force", "--gaps"],
        ["--force", "--complete"],
        ["--force", "--map"],
        ["--gaps", "--complete"],
    ];
    for [one, other] in pairs {
        for flags in [[one, other], [other, one]] {
            let output = project.run(&[&["run"], flags.as_slice()].concat()).expect(1);
            for part in [one, other, "why it matters: ", "what to do: "] {
                assert!(output.stderr.contains(part), "{flags:?}: {}", output.shown());
            }
        }
    }
    for flags in [
        ["--complete", "--lenient"],
        ["--complete", "--quality"],
        ["--lenient", "--quality"],
        ["--map", "--discuss"],
    ] {
        let output = project.run(&[&["run", "--dry-run"], flags.as_slice()].concat()).expect(0);
        let is_told = output.stderr.contains("`--lenient` has no effect beside `--quality`");
        assert_eq!(is_told, flags == ["--lenient", "--quality"], "{}", output.shown());
    }
    assert!(!project.sandbox.project().join(".autopilot").exists(), "nothing was started");
}

#[test]
fn c23_force_needs_phases_that_are_named_and_complete() {
    let project = Project::honest(2);
    let unnamed = project.run(&["run", "--force"]).expect(1);
    assert!(unnamed.stderr.contains("does not say which phases"), "{}", unnamed.shown());
    let open = project.run(&["run", "1", "--force"]).expect(1);
    assert!(open.stderr.contains("phase 1 is not complete"), "{}", open.shown());
    project.run(&["run", "1"]).expect(0);
    project.run(&["land", "-y"]).expect(0);
    let before = project.sandbox.git(["rev-parse", "HEAD"]);
    project.run(&["run", "1", "--force"]).expect(0);
    let steps: Vec<String> = project
        .facts()
        .iter()
        .filter_map(|fact| fact["started"]["key"]["step"].as_str().map(str::to_owned))
        .collect();
    assert!(steps.iter().any(|step| step == "1/research"), "it is done from the start: {steps:?}");
    let given = &project.facts()[0]["submitted"]["work"]["phases"][0];
    assert_eq!(given["earlier_scores"].as_array().map(Vec::len), Some(1), "{given}");
    let kept = project.sandbox.git(["merge-base", "--is-ancestor", &before, &project.head()]);
    assert_eq!(kept, "", "earlier commits stay");
}

#[test]
fn c39_phases_that_are_done_again_are_estimated_together() {
    let project = Project::honest(3);
    let roadmap = project.sandbox.project().join(".planning/ROADMAP.md");
    let text = std::fs::read_to_string(&roadmap).expect("readable");
    project.sandbox.write(".planning/ROADMAP.md", text.replace("- [ ]", "- [x]"));
    project.sandbox.commit("all of it is said to be done");
    let told = "likely to take 750000 tokens, 416 % of what one session of an agent holds";
    let all = project.run(&["run", "1-3", "--force", "--dry-run"]).expect(0);
    assert!(all.stdout.contains(told), "{}", all.shown());
    let two = project.run(&["run", "1-2", "--force", "--dry-run"]).expect(0);
    assert!(!two.stdout.contains("one session"), "two are not worth a word: {}", two.shown());
}

#[test]
fn c22_gaps_is_about_completed_phases_alone() {
    let project = Project::honest(2);
    let open = project.run(&["run", "1", "--gaps"]).expect(1);
    assert!(open.stderr.contains("`--gaps` is about completed ones"), "{}", open.shown());
    let none = project.run(&["run", "--gaps"]).expect(0);
    assert!(none.stderr.contains("nothing to do"), "{}", none.shown());
}

#[test]
fn c51_a_run_pauses_for_a_person_to_look_and_resume_goes_on() {
    let project = Project::honest(3);
    let paused = project.run(&["run", "--complete", "--checkpoint-every", "2"]).expect(4);
    assert!(paused.stderr.contains("pauses after 2 phases"), "{}", paused.shown());
    let last = paused.stderr.lines().last().unwrap_or_default();
    assert!(last.contains("then `autopilot resume` goes on"), "{}", paused.shown());
    assert_eq!(project.phase_states(), ["1 completed", "2 completed", "3 waiting"]);
    project.run(&["resume"]).expect(0);
    assert_eq!(project.phase_states(), ["1 completed", "2 completed", "3 completed"]);
    project.run(&["run", "--checkpoint-every", "0"]).expect(2);
}
