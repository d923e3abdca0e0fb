//! Text of others never steers the terminal: no control character, no text that runs backwards.

use autopilot_testkit::repository::write;

use crate::harness::{Output, Project, Sample, agent, part, sh};

/// A title, a colour, a bell, a C1 sequence, a text that runs backwards, a carriage return. The last one ends
/// a line of a roadmap.
const EVIL: &str = "\u{1b}]0;owned\u{7}\u{1b}[31mred\u{1b}[2J\u{8}\u{9b}31m\u{85}\u{202e}fdp\u{200b}\u{feff}\u{61c}\u{2060}\r";

/// The same, as a TOML basic string takes it.
fn in_toml() -> String {
    EVIL.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect()
}

#[track_caller]
fn check_harmless(what: &str, output: &Output) {
    for (name, text) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
        let steers = |c: char| {
            (c.is_control() && c != '\n')
                || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{61c}')
        };
        let found = text.lines().find(|line| line.contains(steers));
        assert!(found.is_none(), "{what}, {name}: {:?}", found.unwrap_or_default());
    }
}

fn evil_roadmap(project: &Project) {
    let roadmap = format!(
        "# Roadmap\n\n- [ ] **Phase 1: Part 1 {EVIL}x** - write it\n\n### Phase 1: Part 1 {EVIL}x\n\
         **Goal**: {EVIL}\n**Depends on**: Nothing, Phase 9{EVIL}\n**Success Criteria**:\n\
         1. It is {EVIL} written -- verified by: `grep -qx 'part 1' part-1.txt`\n\
         2. It says so -- verified by: `cat part-1.txt` (output contains \"part 1\")\n"
    );
    project.sandbox.write(".planning/ROADMAP.md", roadmap);
}

/// What the planner writes: a task for a person and one for the agent.
fn evil_plan() -> String {
    format!(
        "<task id=\"1-00\" type=\"checkpoint:decision\">\n<name>Look {EVIL}</name>\n\
         <action>{EVIL}</action>\n<done>x</done>\n</task>\n\n\
         <task id=\"1-01\" type=\"auto\">\n<name>Write {EVIL}</name>\n<files>part-1.txt</files>\n\
         <action>Write {EVIL} into the file part-1.txt. It holds one line with the word part, a blank and \
         the number one, and a line end.</action>\n<acceptance_criteria>\n\
         - it {EVIL} is there -- verified by: `cat ROOT/evil.txt; echo part 1 | cmp -s - part-1.txt`\n\
         </acceptance_criteria>\n<verify>{EVIL}</verify>\n<done>{EVIL}</done>\n</task>\n"
    )
}

/// Everybody says something evil, in text, in returns, on standard error and in names of files.
fn evil_script() -> String {
    let evil = in_toml();
    let say = format!("{{ say = {{ text = \"{evil}\" }} }}");
    let noise = sh("cat ROOT/evil.txt >&2");
    let broken = format!("{noise}, {{ exit = {{ code = 3 }} }}");
    let directory = ".planning/phases/1-part-1-0-owned-31mred-2j-31m-fdp";
    let plan = sh(&format!("mkdir -p {directory} && cp ROOT/PLAN.md {directory}/PLAN.md"));
    let named =
        sh("n=$(tr -d '\\r\\n/' < ROOT/evil.txt); echo x > \"$n.txt\"; echo \"$n\" > e.txt");
    let returned = |value: &str| format!("return = {value}").replace("EVIL", &evil);
    [
        agent("researcher", 1, &broken, "attempt = 1"),
        agent(
            "researcher",
            1,
            &say,
            &returned("{ key_findings = [\"EVIL\"], recommended_approach = \"EVIL\" }"),
        ),
        agent("planner", 1, &format!("{say}, {noise}, {plan}"), ""),
        agent(
            "executor",
            1,
            &format!("{say}, {named}"),
            &returned("{ tasks_completed = \"1/1\", evidence = [\"EVIL\"] }"),
        ),
        agent("debugger", 1, &part(1), &returned("{ fixed = true, changes = [\"EVIL\"] }")),
        agent(
            "verifier",
            1,
            &say,
            &format!("attempt = 1\n{}", returned("{ pass = false, failures = [\"EVIL\"] }")),
        ),
        agent(
            "judge",
            1,
            &say,
            &returned("{ recommendation = \"proceed\", concerns = [\"EVIL\"], independent_evidence = [\"EVIL\"] }"),
        ),
    ]
    .concat()
}

fn evil_project() -> Project {
    let script = evil_script();
    let project = Project::new(&Sample { phases: 1, script, ..Sample::default() });
    let root = project.sandbox.root().display().to_string();
    write(&project.path("evil.txt"), EVIL);
    write(&project.path("PLAN.md"), evil_plan().replace("ROOT", &root));
    evil_roadmap(&project);
    project.sandbox.commit(&format!("evil {EVIL}"));
    project
}

#[test]
fn whatever_roadmaps_and_agents_say_the_terminal_is_not_steered() {
    let project = evil_project();
    let asked = project.run(&["run"]);
    check_harmless("run", &asked);
    assert_eq!(asked.code, Some(4), "{}", asked.shown());
    for words in [&["status"][..], &["status", "--json"], &["roadmap"], &["roadmap", "--json"]] {
        check_harmless(&words.join(" "), &project.run(words));
    }
    let answered = project.run(&["approve", "1/human/1-00", "-m", EVIL]);
    check_harmless("approve", &answered);
    let mut resume = project.command(["resume"]);
    resume.env("USER", EVIL);
    let ended = project.finish(resume);
    check_harmless("resume", &ended);
    assert_eq!(ended.code, Some(0), "{}", ended.shown());
    for words in [
        &["status"][..],
        &["status", "--json"],
        &["log"],
        &["log", "--json"],
        &["audit"],
        &["doctor"],
        &["doctor", "--json"],
        &["run", "--dry-run", "--again"],
        &["rescue"],
        &["rescue", "--json"],
    ] {
        let output = project.run(words);
        assert_eq!(output.code, Some(0), "{}", output.shown());
        check_harmless(&words.join(" "), &output);
    }
    let kept = project.run(&["rescue", "--json"]);
    let kept: serde_json::Value = serde_json::from_str(&kept.stdout).expect("JSON");
    assert!(!kept.as_array().expect("a list").is_empty(), "attempts are kept");
    for one in kept.as_array().expect("a list") {
        let name = one["name"].as_str().expect("a name");
        check_harmless("rescue NAME", &project.run(&["rescue", name]).expect(0));
    }
    check_harmless("land", &project.run(&["land"]).expect(0));
}

#[test]
fn wrong_words_and_broken_settings_do_not_steer_the_terminal_either() {
    let project = Project::honest(1);
    for words in [&["run", EVIL][..], &["status", EVIL], &["rescue", EVIL], &["roadmap", EVIL]] {
        let output = project.run(words);
        assert_eq!(output.code, Some(1), "{}", output.shown());
        check_harmless(words[0], &output);
    }
    check_harmless("--agent", &project.run(&["run", "--agent", EVIL]));
    for text in [format!("a{EVIL} = 1\n"), format!("[roles]\n\"{}\" = \"a\"\n", in_toml())] {
        project.sandbox.write("autopilot.toml", text);
        for command in ["run", "doctor"] {
            let output = project.run(&[command]).expect(1);
            check_harmless(command, &output);
        }
    }
}
