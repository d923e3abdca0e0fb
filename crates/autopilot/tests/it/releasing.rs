//! The version of a project after a run, in its real files.

use crate::harness::{Project, Sample};

const PACKAGE: &str =
    "{\n  \"name\": \"lamp\",\n  \"version\": \"1.2.3\",\n  \"private\": true\n}\n";
const CHANGELOG: &str = "# Changelog\n\n## [Unreleased]\n\n- a lamp\n\n## [1.2.3] - 2026-01-01\n";

fn project(config: &str) -> Project {
    let project =
        Project::new(&Sample { phases: 2, config: config.to_owned(), ..Sample::default() });
    project.sandbox.write("package.json", PACKAGE);
    project.sandbox.write("VERSION", "1.2.3\n");
    project.sandbox.write("CHANGELOG.md", CHANGELOG);
    project.sandbox.commit("a version");
    project
}

fn at_head(project: &Project, path: &str) -> String {
    project.sandbox.git(["show", &format!("{}:{path}", project.head())])
}

#[test]
fn e21_after_a_run_the_version_goes_up_on_its_branch_in_every_file_that_names_it() {
    let project = project("[release]\nbump = true\n");
    let run = project.run(&["run", "--complete"]).expect(0);
    assert!(run.stderr.contains("version 1.3.0 stands in"), "{}", run.shown());
    assert_eq!(at_head(&project, "package.json").trim(), PACKAGE.replace("1.2.3", "1.3.0").trim());
    assert_eq!(at_head(&project, "VERSION").trim(), "1.3.0");
    let changelog = at_head(&project, "CHANGELOG.md");
    let (unreleased, rest) = changelog.split_once("## [1.3.0] - ").expect("the new version");
    assert!(
        unreleased.contains("## [Unreleased]") && !unreleased.contains("a lamp"),
        "{changelog}"
    );
    assert!(rest.contains("- a lamp\n\n## [1.2.3]"), "{changelog}");
    let subject = project.sandbox.git(["log", "-1", "--format=%s", &project.head()]);
    assert_eq!(subject.trim(), "chore: bump to v1.3.0 after phase 2");
    project.run(&["audit"]).expect(0);
    project.run(&["verify"]).expect(0);
    project.run(&["land", "-y"]).expect(0);
    let here =
        std::fs::read_to_string(project.sandbox.project().join("VERSION")).expect("it is there");
    assert_eq!(here, "1.3.0\n");
}

#[test]
fn e21_nothing_is_raised_unless_somebody_asks_for_it_and_what_cannot_be_is_told() {
    let off = project("");
    off.run(&["run", "--complete"]).expect(0);
    assert_eq!(at_head(&off, "VERSION").trim(), "1.2.3");

    let odd = project("[release]\nbump = true\n");
    odd.sandbox.write("package.json", PACKAGE.replace("1.2.3", "1.2.3-beta"));
    odd.sandbox.commit("a beta");
    let run = odd.run(&["run", "--complete"]).expect(0);
    assert!(
        run.stderr
            .contains("the version stays as it is: the version `1.2.3-beta` is not three numbers"),
        "{}",
        run.shown()
    );
    assert_eq!(at_head(&odd, "VERSION").trim(), "1.2.3");
}
