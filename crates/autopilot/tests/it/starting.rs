//! Setting up and starting: init, selection of phases, configuration, refusals.

use std::{fs, path::Path};

use autopilot_testkit::repository::write;
use insta::assert_snapshot;

use crate::harness::{Project, Sample};

#[test]
fn init_writes_a_commented_template_once_and_keeps_state_out_of_git() {
    let project = Project::honest(1);
    let toml = project.sandbox.project().join("autopilot.toml");
    fs::remove_file(&toml).expect("removable");
    assert_snapshot!(project.run(&["init"]).shown(), @r"
        exit code 0
        --- stderr
        wrote ROOT/project/autopilot.toml; every setting in it is explained and commented out
        next: choose an agent in autopilot.toml, then `autopilot doctor` and `autopilot run --dry-run`
        ");
    let written = fs::read_to_string(&toml).expect("it was written");
    assert!(written.lines().all(|line| line.is_empty() || line.starts_with('#')), "{written}");
    let exclude = project.sandbox.project().join(".git/info/exclude");
    let excluded = fs::read_to_string(&exclude).expect("readable");
    assert_eq!(excluded.lines().filter(|line| *line == "/.autopilot/").count(), 1);

    fs::write(&toml, "# mine\n").expect("writable");
    assert_snapshot!(project.run(&["init"]).shown(), @r"
        exit code 0
        --- stderr
        ROOT/project/autopilot.toml is there already and was left as it is
        next: choose an agent in autopilot.toml, then `autopilot doctor` and `autopilot run --dry-run`
        ");
    assert_eq!(fs::read_to_string(&toml).expect("readable"), "# mine\n");
    assert_eq!(fs::read_to_string(&exclude).expect("readable"), excluded);
}

#[test]
fn a_dry_run_shows_what_would_be_done_and_does_nothing() {
    let project = Project::honest(3);
    assert_snapshot!(project.run(&["run", "all", "--dry-run"]).shown(), @r"
        exit code 0
        --- stdout
        PHASE  NAME    AFTER  CRITERIA WITH A COMMAND  KIND   TOKENS, LIKELY
        1      Part 1         1 of 1                   mixed  240000
        2      Part 2  1      1 of 1                   mixed  240000
        3      Part 3  2      1 of 1                   mixed  240000

        3 of 3 phases would run, in this order.

        ROLE                 AGENT
        researcher           scripted
        planner              scripted
        plan-checker         scripted
        executor             scripted
        verifier             scripted
        judge                scripted
        rater                scripted
        debugger             scripted
        integration-checker  scripted
        auditor              scripted

        project: of no kind that is known; no manifest was found

        guards: none; name commands that must stay green below `[guards]`

        score to reach: 9.0
        limits: 5000000 tokens and 1440 minutes for the run, 500000 tokens and 120 minutes for a phase
        estimate: 720000 tokens, 14 % of what the run may take

        What you will be asked:
        - whether an edit of a file that decides may count, if an agent makes one
        - what new plans leave to a person
        ");
    assert!(!project.sandbox.project().join(".autopilot").exists());
    assert_eq!(project.sandbox.git(["for-each-ref", "--format=%(refname)"]), "refs/heads/main");
}

/// The phases that a dry run lists.
fn chosen(project: &Project, arguments: &[&str]) -> Vec<String> {
    let arguments = [&["run", "--dry-run"], arguments].concat();
    let output = project.run(&arguments).expect(0);
    let rows = output.stdout.lines().skip(1).take_while(|line| !line.is_empty());
    rows.map(|row| row.split_whitespace().next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn c1_phases_are_chosen_by_every_form_of_selection() {
    let project = Project::honest(5);
    let rows: [(&[&str], &[&str]); 7] = [
        (&[], &["1"]),
        (&["next"], &["1"]),
        (&["1"], &["1"]),
        (&["1-3"], &["1", "2", "3"]),
        (&["2,1,3"], &["1", "2", "3"]),
        (&["all"], &["1", "2", "3", "4", "5"]),
        (&["--complete"], &["1", "2", "3", "4", "5"]),
    ];
    for (arguments, expected) in rows {
        assert_eq!(chosen(&project, arguments), expected, "{arguments:?}");
    }
    let roadmap = project.sandbox.project().join(".planning/ROADMAP.md");
    let text = fs::read_to_string(&roadmap).expect("readable");
    let done = text.replace("- [ ] **Phase 1", "- [x] **Phase 1");
    project.sandbox.write("other.md", done);
    assert_eq!(chosen(&project, &["next", "--roadmap", "other.md"]), ["2"]);
    assert_eq!(chosen(&project, &["1-2", "--roadmap", "other.md"]), ["2"]);
    assert_snapshot!(project.run(&["run", "1", "--roadmap", "other.md"]).shown(), @r"
        exit code 0
        --- stderr
        nothing to do: every phase asked for is complete
        ");
}

#[test]
fn what_cannot_be_chosen_is_refused_with_the_reason() {
    let project = Project::honest(2);
    assert_snapshot!(project.run(&["run", "9"]).shown(), @r"
        exit code 1
        --- stderr
        error: no phase `9` in this roadmap; available phases: 1, 2
          why it matters: only phases of the roadmap can be run
          what to do: `autopilot roadmap` lists them
        ");
    assert_snapshot!(project.run(&["run", "2"]).shown(), @r"
        exit code 1
        --- stderr
        error: phase 2 depends on phase 1, which is not complete
          why it matters: its work would be built on something that is not there
          what to do: run it too (`autopilot run 1,2`), or use `--complete`
        ");
    assert_snapshot!(project.run(&["run", "--roadmap", "missing.md"]).shown(), @r"
        exit code 1
        --- stderr
        error: no roadmap was found: tried `missing.md`
          why it matters: the phases to run are read from it
          what to do: write one (`docs/roadmap-format.md` shows how) or name it with `--roadmap FILE`
        ");
    for words in ["", "one", "3-1", "1,,2", "-1"] {
        let output = project.run(&["run", "--dry-run", "--", words]);
        assert_eq!(output.code, Some(1), "`{words}`: {}", output.shown());
        assert!(output.stderr.contains("what to do:"), "{output:?}");
    }
    assert!(!project.sandbox.project().join(".autopilot").exists(), "nothing was begun");
}

#[test]
fn a_project_without_a_roadmap_is_told_where_it_was_looked_for() {
    let project = Project::honest(1);
    fs::remove_file(project.sandbox.project().join(".planning/ROADMAP.md")).expect("removable");
    assert_snapshot!(project.run(&["run"]).shown(), @r"
        exit code 1
        --- stderr
        error: no roadmap was found: tried `.planning/ROADMAP.md`, `ROADMAP.md`, `.planning/roadmap.md`, `roadmap.md`
          why it matters: the phases to run are read from it
          what to do: write one (`docs/roadmap-format.md` shows how) or name it with `--roadmap FILE`
        ");
}

#[test]
fn without_an_agent_nothing_starts() {
    let project = Project::honest(1);
    project.sandbox.write("autopilot.toml", "");
    assert_snapshot!(project.run(&["run"]).shown(), @r#"
        exit code 6
        --- stderr
        error: no agent is chosen
          why it matters: without an agent nobody does the work
          what to do: set `[roles] default = "NAME"` in autopilot.toml, or use `--agent NAME`
        "#);
    assert_snapshot!(project.run(&["run", "--agent", "nobody"]).shown(), @r"
        exit code 6
        --- stderr
        error: the agent `nobody` is not configured (configured: none)
          why it matters: without an agent nobody does the work
          what to do: add `[agents.nobody]` with a `program` to autopilot.toml, see docs/reference.md; claude, codex, gemini, goose, opencode, qwen need none
        ");
    project.sandbox.write(
        "autopilot.toml",
        "[agents.gone]\nprogram = [\"no-such-program-anywhere\"]\n[roles]\ndefault = \"gone\"\n",
    );
    let output = project.run(&["run"]).expect(6);
    assert!(output.stderr.contains("no-such-program-anywhere"), "{output:?}");
    assert_eq!(project.status()["status"], "no-agent");
}

#[test]
fn a_wrong_setting_is_named_with_its_file() {
    let project = Project::honest(1);
    let toml = project.sandbox.project().join("autopilot.toml");
    let good = fs::read_to_string(&toml).expect("readable");
    project.sandbox.write("autopilot.toml", good.clone() + "\n[limits]\nrun_token = 3\n");
    assert_snapshot!(project.run(&["run"]).shown(), @r"
        exit code 1
        --- stderr
        error: the configuration in `ROOT/project/autopilot.toml` cannot be used: TOML parse error at line 9, column 1
          |
        9 | run_token = 3
          | ^^^^^^^^^
        unknown field `run_token`, expected one of `run_usd`, `run_tokens`, `phase_tokens`, `run_minutes`, `phase_minutes`, `step_minutes`, `stall_seconds`, `check_seconds`, `guard_seconds`, `run_retries`, `step_tries`, `plan_rounds`, `task_debugs`, `phase_debugs`, `replans`, `remediations`, `reaudits`, `debug_rounds`, `canary_breaks`, `no_progress`, `same_error`, `min_verify_seconds`
          why it matters: a setting that is silently ignored could cost money or loosen a limit
          what to do: correct it; `docs/reference.md` lists every key
        ");
    project.sandbox.write("autopilot.toml", &good);
    write(&project.path("config/autopilot/config.toml"), "[run]\npass_score = 12.0\n");
    assert_snapshot!(project.run(&["run"]).shown(), @r"
        exit code 1
        --- stderr
        error: the configuration in `ROOT/config/autopilot/config.toml` cannot be used: `run.pass_score` must lie between 0.0 and 10.0
          why it matters: a setting that is silently ignored could cost money or loosen a limit
          what to do: correct it; `docs/reference.md` lists every key
        ");
    fs::remove_dir_all(project.path("config")).expect("removable");
    project.sandbox.write(".planning/config.json", "{\"autopilot\": {\"limits\": 3}}");
    let output = project.run(&["run"]).expect(1);
    assert!(output.stderr.contains(".planning/config.json"), "{output:?}");
}

#[test]
fn later_layers_win_over_earlier_ones() {
    let config = "[limits]\nrun_tokens = 30\n";
    let project =
        Project::new(&Sample { phases: 1, config: config.to_owned(), ..Sample::default() });
    let limits = |project: &Project, variable: Option<(&str, &str)>| {
        let mut command = project.command(["run", "--dry-run"]);
        command.envs(variable);
        let output = project.finish(command).expect(0);
        let line = output.stdout.lines().find(|line| line.starts_with("limits:"));
        line.expect("the limits are shown").to_owned()
    };
    write(&project.path("config/autopilot/config.toml"), "[limits]\nrun_tokens = 10\n");
    let planning = "{\"model\": \"x\", \"autopilot\": {\"limits\": {\"run_tokens\": 20, \"phase_tokens\": 21}}}";
    project.sandbox.write(".planning/config.json", planning);
    assert!(limits(&project, None).contains("30 tokens"));
    assert!(limits(&project, None).contains("21 tokens"));
    let variable = ("AUTOPILOT_CFG_LIMITS__RUN_TOKENS", "40");
    assert!(limits(&project, Some(variable)).contains("40 tokens"));
    let mut wrong = project.command(["run", "--dry-run"]);
    wrong.env("AUTOPILOT_CFG_LIMITS__RUN_TOKEN", "40");
    assert_snapshot!(project.finish(wrong).shown(), @r"
        exit code 1
        --- stderr
        error: the configuration in the variables AUTOPILOT_CFG_* cannot be used: unknown field `run_token`, expected one of `run_usd`, `run_tokens`, `phase_tokens`, `run_minutes`, `phase_minutes`, `step_minutes`, `stall_seconds`, `check_seconds`, `guard_seconds`, `run_retries`, `step_tries`, `plan_rounds`, `task_debugs`, `phase_debugs`, `replans`, `remediations`, `reaudits`, `debug_rounds`, `canary_breaks`, `no_progress`, `same_error`, `min_verify_seconds`
        in `limits`
          why it matters: a setting that is silently ignored could cost money or loosen a limit
          what to do: correct it; `docs/reference.md` lists every key
        ");
}

#[test]
fn a_wrong_command_line_ends_with_2() {
    let project = Project::honest(1);
    for words in [&["run", "--bad-flag"][..], &["fly"], &["run", "1", "--complete"]] {
        let output = project.run(words).expect(2);
        assert!(output.stdout.is_empty(), "{output:?}");
        assert!(output.stderr.contains("--help` tells more"), "{output:?}");
    }
    let nothing = project.run(&[]).expect(2);
    assert!(nothing.stderr.contains("Usage"), "{nothing:?}");
    project.run(&["--help"]).expect(0);
    project.run(&["--version"]).expect(0);
}

#[test]
fn a_run_below_the_projects_root_finds_it() {
    let project = Project::honest(1);
    let below = project.sandbox.project().join("a/b");
    fs::create_dir_all(&below).expect("made");
    let mut command = project.command(["run"]);
    command.current_dir(below);
    project.finish(command).expect(0);
    assert!(Path::new(&project.sandbox.project()).join(".autopilot/journal").is_dir());
}

#[test]
fn a_bare_repository_is_named_with_what_to_do() {
    let project = Project::honest(1);
    let bare = project.path("bare.git");
    project.sandbox.git(["clone", "--quiet", "--bare", ".", &bare.display().to_string()]);
    let in_it = |place: &Path, words: &str| {
        let mut command = project.command([words]);
        command.current_dir(place);
        project.finish(command).shown()
    };
    let told = in_it(&bare, "run");
    assert_snapshot!(told, @r"
        exit code 1
        --- stderr
        error: `ROOT/bare.git` is a bare repository: it has no checkout
          why it matters: a run is started from a checkout, reads its roadmap there, and is landed there
          what to do: clone it (`git clone`), or add a worktree (`git worktree add`), and start there
        ");
    assert_eq!(in_it(&bare, "init"), told);
    assert_eq!(in_it(&bare.join("refs"), "run"), told);
}

#[test]
fn a_repository_without_a_commit_is_set_up_and_told_what_a_run_needs() {
    let project = Project::honest(1);
    let new = project.path("new");
    project.sandbox.git(["init", "--quiet", &new.display().to_string()]);
    write(&new.join("ROADMAP.md"), "# Roadmap\n\n## Phase 1: A\n**Goal**: a\n");
    let in_it = |words: &str| {
        let mut command = project.command([words]);
        command.current_dir(&new);
        project.finish(command)
    };
    in_it("init").expect(0);
    assert!(new.join("autopilot.toml").is_file());
    let refused = in_it("run").expect(1);
    for part in ["has no commit yet", "why it matters: ", "what to do: make a first commit"] {
        assert!(refused.stderr.contains(part), "{}", refused.shown());
    }
}

#[test]
fn an_answer_that_cannot_be_written_is_a_failure() {
    let project = Project::honest(1);
    for words in ["--version", "--help", "status --help", "roadmap"] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("it is there");
        let mut command = project.command(words.split(' '));
        command.stdout(full).stderr(std::process::Stdio::piped());
        let output = command.spawn().and_then(std::process::Child::wait_with_output);
        let output = output.expect("the program can be started");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(74), "{words}: {told}");
        assert!(told.contains("standard output cannot be written"), "{words}: {told}");
    }
}

#[test]
fn an_embedded_agent_without_its_script_is_no_agent() {
    let project = Project::honest(1);
    fs::remove_file(project.path("script.toml")).expect("removable");
    let refused = project.run(&["run", "all"]).expect(6);
    assert!(refused.shown().contains("script.toml` of the agent `scripted` is not there"));
    assert!(!project.sandbox.project().join(".autopilot/journal").exists(), "nothing was begun");
}

#[test]
fn a_state_directory_in_the_checkout_is_refused() {
    let project = Project::honest(1);
    let inside = project.sandbox.project().join("state");
    let mut command = project.command(["run", "all"]);
    command.env("XDG_STATE_HOME", &inside);
    let refused = project.finish(command).expect(1);
    assert!(refused.shown().contains("inside the checkout"), "{}", refused.shown());
    assert!(!inside.exists(), "nothing was written");
}

#[test]
fn a_name_whose_branch_is_locked_is_left_to_whoever_holds_it() {
    let project = Project::honest(1);
    let refs = project.sandbox.project().join(".git/refs/heads/autopilot");
    let now = std::time::UNIX_EPOCH.elapsed().expect("after 1970").as_secs();
    for second in now..now + 60 {
        let asked = std::process::Command::new("date")
            .args(["-u", "-d", &format!("@{second}"), "+run-%Y-%m-%d-%H%M%S"])
            .output()
            .expect("there is a clock");
        let name = String::from_utf8(asked.stdout).expect("text");
        write(&refs.join(name.trim()).join("head.lock"), "");
    }
    project.run(&["run", "all"]).expect(0);
    assert!(project.run_id().ends_with("-2"), "{}", project.run_id());
}

#[test]
fn a_variable_that_cannot_be_read_is_refused_and_not_passed_over() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
    let project = Project::honest(1);
    for (name, value) in [
        (&b"AUTOPILOT_CFG_LIMITS__RUN_TOKENS"[..], &b"\xff"[..]),
        (b"AUTOPILOT_CFG_LIMITS__RUN_\xff", b"1"),
    ] {
        let mut run = project.command(["run", "--dry-run"]);
        run.env(OsStr::from_bytes(name), OsStr::from_bytes(value));
        let output = project.finish(run).expect(1);
        assert!(output.stderr.contains("is not UTF-8"), "{}", output.shown());
    }
}

#[test]
fn a_role_with_a_hyphen_can_be_set_by_a_variable() {
    let project = Project::honest(1);
    for name in ["AUTOPILOT_CFG_ROLES__PLAN_CHECKER", "AUTOPILOT_CFG_ROLES__PLAN_CHECKER__AGENT"] {
        let mut run = project.command(["run", "--dry-run"]);
        run.env(name, "nobody");
        let output = project.finish(run).expect(6);
        assert!(
            output.stderr.contains("the agent `nobody` is not configured"),
            "{}",
            output.shown()
        );
    }
}
