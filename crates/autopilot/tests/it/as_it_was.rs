//! What is kept is kept byte for byte, whatever the project says about line ends, filters and encodings.

use std::fs;

use crate::harness::{Project, agent, part, sh};

/// Attributes that have git change files on their way in and out.
const ATTRIBUTES: [(&str, &str); 5] = [
    ("line ends", "* text=auto eol=crlf\n"),
    ("line ends of every file", "* text eol=crlf\n"),
    ("the id of a file in it", "* ident\n"),
    ("a filter", "* filter=upper\n"),
    ("an encoding", "*.txt working-tree-encoding=UTF-16LE\n"),
];

/// Files whose bytes each of them would change.
const LEAVE: &str = "printf 'one\\r\\ntwo\\nthree\\r' > ends.dat; printf 'lf\\nonly\\n' > lf.dat; \
    printf 'crlf\\r\\nonly\\r\\n' > crlf.dat; printf '$Id$ $Id: not-mine $\\n' > id.dat; \
    printf 'a\\0b\\0\\n\\0' > wide.txt; printf 'mixed Case\\n' >> README.md";

const FILES: [&str; 6] = ["ends.dat", "lf.dat", "crlf.dat", "id.dat", "wide.txt", "README.md"];

fn project_with(attributes: &str) -> Project {
    let copy = "mkdir -p ROOT/left; cp README.md tracked.dat *.dat *.txt ROOT/left/";
    let actions = format!("{}, {}, {}", part(1), sh(LEAVE), sh(copy));
    let script = agent("executor", 1, &actions, "attempt = 1") + "[[on]]\nrole = \"debugger\"\n";
    let project = Project::scripted(&script);
    for (key, value) in [("clean", "tr a-z A-Z"), ("smudge", "tr A-Z a-z"), ("required", "true")] {
        project.sandbox.git(["config", &format!("filter.upper.{key}"), value]);
    }
    project.sandbox.write("tracked.dat", "not touched\n");
    project.sandbox.commit("a file");
    project.sandbox.write(".gitattributes", attributes);
    project.sandbox.git(["add", "--renormalize", "."]);
    project.sandbox.commit("attributes");
    project
}

#[test]
fn what_rescue_gives_back_is_what_the_attempt_left() {
    for (what, attributes) in ATTRIBUTES {
        let project = project_with(attributes);
        // Whether it is taken does not matter here: the files are kept either way.
        project.run(&["run"]);
        let name = format!("{}/kept/1/execute/1-01/1", project.run_id());
        let to = project.path("restored");
        let words = ["rescue", &name, "--to", &to.display().to_string()];
        project.run(&words).expect(0);
        for file in FILES.iter().chain(&["tracked.dat", "part-1.txt"]) {
            let left = fs::read(project.path("left").join(file)).expect("it was left");
            let restored = fs::read(to.join(file)).unwrap_or_default();
            let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            assert_eq!(shown(&restored), shown(&left), "{what}: {file}");
        }
    }
}

#[test]
fn a_filter_that_is_gone_does_not_stand_between_a_person_and_what_was_kept() {
    let project = project_with("* filter=upper\n");
    project.run(&["run"]);
    let name = format!("{}/kept/1/execute/1-01/1", project.run_id());
    for key in ["clean", "smudge"] {
        project.sandbox.git(["config", &format!("filter.upper.{key}"), "false"]);
    }
    let to = project.path("restored");
    project.run(&["rescue", &name, "--to", &to.display().to_string()]).expect(0);
    let restored = fs::read(to.join("ends.dat")).expect("it is there");
    assert_eq!(restored, b"one\r\ntwo\nthree\r");
}
