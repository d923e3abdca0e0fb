//! The rails and the scripts of the queue, called as other programs call them.

use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
};

use serde_json::{Value, json};

/// Calls of the shell library that the rails replace, with what it did.
const RECORDED: &str = include_str!("../golden/atdd-rails.jsonl");

fn autopilot(directory: &Path, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_autopilot"))
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program was built for this test");
    // A function that does not read its input has ended before all of it is written.
    drop(child.stdin.take().expect("standard input is a pipe").write_all(input));
    child.wait_with_output().expect("a child can be waited for")
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u32> = hex
        .chars()
        .map(|digit| digit.to_digit(16).expect("a case is in hexadecimal digits"))
        .collect();
    digits
        .chunks(2)
        .map(|pair| u8::try_from(pair[0] * 16 + pair[1]).expect("two digits are a byte"))
        .collect()
}

/// The files of a directory, with points in time made alike.
fn files(directory: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(directory).expect("the directory is ours").flatten();
    entries
        .map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, without_times(&fs::read_to_string(entry.path()).expect("a case has text files")))
        })
        .collect()
}

fn without_times(text: &str) -> String {
    const SHAPE: &str = "0000-00-00T00:00:00Z";
    let mut shown = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_time = rest.get(..SHAPE.len()).is_some_and(|piece| {
            piece.chars().zip(SHAPE.chars()).all(|(found, shape)| {
                if shape == '0' { found.is_ascii_digit() } else { found == shape }
            })
        });
        if is_time {
            shown.push_str("<TS>");
            rest = &rest[SHAPE.len()..];
        } else {
            shown.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    shown
}

#[test]
fn rails_do_what_the_shell_library_did_to_the_byte() {
    let mut played = 0;
    for line in RECORDED.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let place = tempfile::tempdir().unwrap();
        for (name, text) in case["files"].as_object().unwrap() {
            fs::write(place.path().join(name), text.as_str().unwrap()).unwrap();
        }
        let mut arguments = vec!["rails", case["fn"].as_str().unwrap()];
        arguments
            .extend(case["args"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()));
        let output =
            autopilot(place.path(), &arguments, &bytes(case["stdin_hex"].as_str().unwrap()));
        assert_eq!(output.status.code(), case["rc"].as_i64().map(|code| code as i32), "{line}");
        assert_eq!(
            String::from_utf8_lossy(&output.stdout),
            case["stdout"].as_str().unwrap(),
            "{line}"
        );
        let told = case["stderr"].as_str().unwrap();
        // What the shell itself said of a file that it could not open is in its own words.
        if !told.starts_with("<LIB>:") {
            assert_eq!(String::from_utf8_lossy(&output.stderr), told, "{line}");
        }
        assert_eq!(json!(files(place.path())), case["files_after"], "{line}");
        played += 1;
    }
    assert!(played > 150, "only {played} cases were played");
}

#[test]
fn a_function_that_is_not_there_is_named_with_those_that_are() {
    let place = tempfile::tempdir().unwrap();
    let output = autopilot(place.path(), &["rails", "check_everything"], b"");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2));
    assert!(told.contains("`check_everything`") && told.contains("check_stuck"), "{told}");
}

#[test]
fn recorded_cases_are_completed_line_by_line() {
    let place = tempfile::tempdir().unwrap();
    let input = b"{\"fn\":\"defaultRunId\",\"args\":[\"main\",0]}\n\n{\"fn\":\"parseEtimeToMinutes\",\"args\":[\"1:05:10\"]}\n";
    let output = autopilot(place.path(), &["compat", "misc"], input);
    let lines: Vec<Value> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0]["ok"], "main-1970-01-01-0000-autopilot");
    assert_eq!(lines[1]["ok"], 65);
    let wrong = autopilot(place.path(), &["compat", "misc"], b"{\"args\":[]\n");
    assert_eq!(wrong.status.code(), Some(1));
    let unknown = autopilot(place.path(), &["compat", "nothing"], b"");
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("lease-store"));
}

#[test]
fn scripts_end_with_the_codes_that_callers_know() {
    let place = tempfile::tempdir().unwrap();
    let call = |words: &str| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_autopilot"));
        program.arg("compat").args(words.split(' ')).env("LEASE_STORE_DIR", place.path());
        program.env("MC_STATE_DIR", place.path()).env("MC_REBASE_CMD", "false");
        let output = program.output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    assert_eq!(call("lease-store acquire issue 7 one"), (Some(0), String::new()));
    assert_eq!(call("lease-store acquire issue 7 two"), (Some(1), String::new()));
    assert_eq!(call("lease-store holder issue 7"), (Some(0), "one\n".to_owned()));
    assert_eq!(call("lease-store what"), (Some(2), String::new()));
    assert_eq!(
        call("merge-coordinator process 3 b 2"),
        (Some(1), "rebase-failed:retry\n".to_owned())
    );
    assert_eq!(
        call("merge-coordinator process 3 b 2"),
        (Some(1), "rebase-failed:escalate\n".to_owned())
    );
}
