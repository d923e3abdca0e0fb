//! Count parsers against what the real tools print; `counts/README.md` says which tools and how.
#![expect(
    clippy::disallowed_methods,
    reason = "the samples are files; what ships of this crate reads none"
)]

use std::{collections::BTreeMap, fs, path::Path};

use autopilot_evidence::counts::{Counts, Runner, count, runner_of};
use proptest::prelude::*;

/// What was left out in the middle, as the engine marks it.
const GAP: &str = "\n[… 1000 bytes left out …]\n";

struct Sample {
    /// The tool and what it was made to do: `pytest/red`.
    name: String,
    runner: Runner,
    output: String,
    expected: Option<Counts>,
}

impl Sample {
    /// Whether a test in it prints something that looks like a summary.
    fn is_fake(&self) -> bool {
        self.name.contains("/fake")
    }
}

fn directory() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/counts"))
}

fn samples() -> Vec<Sample> {
    let expected =
        fs::read_to_string(directory().join("expected.txt")).expect("expected.txt is there");
    let lines = expected.lines().filter(|line| !line.starts_with('#'));
    lines.map(sample).collect()
}

fn sample(line: &str) -> Sample {
    let (name, expected) = line.split_once(' ').expect("a line has a name and numbers");
    let number = |word: &str| word.parse().expect("a number");
    let output = fs::read_to_string(directory().join(format!("{name}.txt")))
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let words: Vec<&str> = expected.split_whitespace().collect();
    let expected = match words.as_slice() {
        ["-"] => None,
        [passed, failed, skipped, more @ ..] => Some(Counts {
            passed: number(passed),
            failed: number(failed),
            skipped: number(skipped),
            at_least: *more == ["+"],
        }),
        _ => panic!("{line}"),
    };
    let tool = name.split('/').next().expect("a name starts with a tool");
    Sample { name: name.to_owned(), runner: runner(tool), output, expected }
}

fn runner(tool: &str) -> Runner {
    match tool {
        "cargo-test" => Runner::CargoTest,
        "ctest" => Runner::Ctest,
        "dotnet-test" => Runner::DotnetTest,
        "exunit" => Runner::ExUnit,
        "go-test" => Runner::GoTest,
        "junit-xml" => Runner::JunitXml,
        "node-test" => Runner::NodeTest,
        "phpunit" => Runner::Phpunit,
        "rspec" => Runner::Rspec,
        "swift-test" => Runner::SwiftTest,
        "tap" => Runner::Tap,
        "test-spec" => Runner::TestSpec,
        other => *Runner::UNDERSTOOD
            .iter()
            .find(|runner| runner.name().eq_ignore_ascii_case(other))
            .unwrap_or_else(|| panic!("{other} is no runner")),
    }
}

fn not_more(some: Option<Counts>, all: Option<Counts>) -> bool {
    match (some, all) {
        // Where all of it has no answer, such as after a crash, a part of it may have one.
        (None, _) | (_, None) => true,
        (Some(some), Some(all)) => some.executed() <= all.executed(),
    }
}

#[test]
fn every_sample_is_counted_as_its_project_has_it() {
    let wrong: Vec<String> = samples()
        .iter()
        .map(|sample| (sample, count(Some(sample.runner), &sample.output)))
        .filter(|(sample, counts)| *counts != sample.expected)
        .map(|(sample, counts)| format!("{}: {counts:?}, not {:?}", sample.name, sample.expected))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_file_is_a_sample_and_every_runner_has_its_colours() {
    let known: BTreeMap<String, Runner> =
        samples().into_iter().map(|sample| (sample.name, sample.runner)).collect();
    for tool in fs::read_dir(directory()).unwrap().map(|entry| entry.unwrap().path()) {
        if !tool.is_dir() {
            continue;
        }
        for file in fs::read_dir(&tool).unwrap().map(|entry| entry.unwrap().path()) {
            let path = file.with_file_name(file.file_stem().unwrap());
            let name = path.strip_prefix(directory()).unwrap().to_str().unwrap();
            // A version in a name is no extension.
            let name = name.trim_end_matches(".txt");
            assert!(known.contains_key(name), "{name} is not in expected.txt");
        }
    }
    for runner in Runner::UNDERSTOOD {
        for colour in ["green", "red", "empty", "skipped"] {
            let of_runner = |name: &&String| name.contains(&format!("/{colour}"));
            let found = known.iter().any(|(name, of)| *of == runner && of_runner(&name));
            assert!(found, "{runner} has no sample that is {colour}");
        }
    }
}

#[test]
fn the_runner_need_not_be_known() {
    for sample in samples() {
        let guessed = count(None, &sample.output);
        let expected = match sample.name.as_str() {
            // What these print looks like the output of two runners.
            "cargo-test/fake" | "cargo-test/fake-red" | "junit-xml/red-nextest" => None,
            _ => sample.expected,
        };
        assert_eq!(guessed, expected, "{}", sample.name);
    }
}

#[test]
fn a_cut_off_output_gives_no_answer_or_no_higher_one() {
    for sample in samples().iter().filter(|sample| !sample.is_fake()) {
        let one_summary = !matches!(
            sample.runner,
            Runner::CargoTest | Runner::GoTest | Runner::SwiftTest | Runner::JunitXml
        ) && !sample.name.contains("several")
            && !sample.name.ends_with("/two");
        for (at, _) in sample.output.char_indices() {
            let cut = count(Some(sample.runner), &sample.output[..at]);
            assert!(not_more(cut, sample.expected), "{} cut at {at}: {cut:?}", sample.name);
            if one_summary {
                let same = cut.is_none() || cut == sample.expected;
                assert!(same, "{} cut at {at}: {cut:?}", sample.name);
            }
        }
    }
}

#[test]
fn an_output_without_its_beginning_gives_no_answer_or_no_higher_one() {
    // prove counts what was skipped, and only the lines that are missing here would tell.
    let tells = |sample: &&Sample| !sample.is_fake() && sample.runner != Runner::Prove;
    for sample in samples().iter().filter(tells) {
        for (at, _) in sample.output.char_indices() {
            let cut = count(Some(sample.runner), &format!("{GAP}{}", &sample.output[at..]));
            assert!(not_more(cut, sample.expected), "{} from {at}: {cut:?}", sample.name);
            assert!(cut.is_none_or(|counts| counts.at_least), "{} from {at}", sample.name);
        }
    }
}

#[test]
fn colours_and_line_ends_of_windows_do_not_matter() {
    for sample in samples() {
        let windows = sample.output.replace('\n', "\r\n");
        assert_eq!(count(Some(sample.runner), &windows), sample.expected, "{}", sample.name);
    }
}

#[test]
fn commands_lead_to_the_parser_of_their_output() {
    for (command, name) in [
        ("cargo test --workspace 2>&1", "cargo-test/green"),
        ("cd app && npx vitest run", "vitest/green"),
        ("go test -json ./...", "go-test/green-json"),
        ("make test", "mocha/red"),
    ] {
        let sample = samples().into_iter().find(|sample| sample.name == name).unwrap();
        assert_eq!(count(runner_of(command), &sample.output), sample.expected, "{command}");
    }
}

fn any_runner() -> impl Strategy<Value = Option<Runner>> {
    prop::option::of(prop::sample::select(Runner::UNDERSTOOD.to_vec()))
}

fn any_sample() -> impl Strategy<Value = String> {
    let outputs: Vec<String> = samples().into_iter().map(|sample| sample.output).collect();
    prop::sample::select(outputs)
}

/// Puts the lines of a text in another order, leaves some out and repeats some.
fn shuffled(text: &str, order: &[prop::sample::Index]) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    if lines.is_empty() {
        return String::new();
    }
    order.iter().map(|at| *at.get(&lines)).collect()
}

proptest! {
    #[test]
    fn counting_is_total(runner in any_runner(), output in "(\\PC|[\n\r\t\u{1b}]){0,200}") {
        count(runner, &output);
    }

    #[test]
    fn counting_what_is_almost_output_is_total(
        runner in any_runner(),
        output in any_sample(),
        order in prop::collection::vec(any::<prop::sample::Index>(), 0..60),
        (at, other) in (any::<prop::sample::Index>(), any::<char>()),
    ) {
        let mut text: Vec<char> = shuffled(&output, &order).chars().collect();
        if !text.is_empty() {
            let at = at.index(text.len());
            text[at] = other;
        }
        let text: String = text.into_iter().collect();
        if let Some(counts) = count(runner, &text) {
            prop_assert!(counts.executed() >= counts.passed);
        }
    }

    #[test]
    fn text_around_an_output_is_never_added_to_it(
        output in any_sample(),
        noise in "[a-z ]{0,30}",
        runner in any_runner(),
    ) {
        let plain = count(runner, &output);
        let noisy = count(runner, &format!("{noise}\n{output}"));
        prop_assert!(noisy.is_none() || noisy == plain, "{noisy:?}, not {plain:?}");
    }
}
