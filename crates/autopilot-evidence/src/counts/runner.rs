//! The test runners whose output is understood.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{
    cmake, dotnet, elixir, go, javascript, junit, jvm, node, php, python, ruby, rust, swift,
    tally::Counts, tap, test_spec, text::Output,
};

/// Reads the output of one runner.
pub(super) type Parser = fn(&Output<'_>) -> Option<Counts>;

/// What runs the tests of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Runner {
    /// `cargo test`, and what else uses Rust's own harness.
    CargoTest,
    /// `cargo nextest run`.
    Nextest,
    /// pytest.
    Pytest,
    /// Python's unittest, and Django's `manage.py test`.
    Unittest,
    /// jest.
    Jest,
    /// vitest.
    Vitest,
    /// mocha.
    Mocha,
    /// `node --test`.
    NodeTest,
    /// `go test`, plain and with `-json`.
    GoTest,
    /// `go test -v`, which names every test.
    GoTestVerbose,
    /// Whatever prints a report in JUnit's XML.
    JunitXml,
    /// Whatever speaks the Test Anything Protocol.
    Tap,
    /// Perl's prove.
    Prove,
    /// bats.
    Bats,
    /// RSpec.
    Rspec,
    /// minitest and test-unit.
    Minitest,
    /// PHPUnit.
    Phpunit,
    /// `dotnet test`.
    DotnetTest,
    /// ctest.
    Ctest,
    /// Gradle.
    Gradle,
    /// Maven's Surefire and Failsafe.
    Surefire,
    /// ExUnit, by `mix test`.
    ExUnit,
    /// `swift test`.
    SwiftTest,
    /// A test spec of a plan: `tests/task-24-01.sh` in the directory of a phase.
    TestSpec,
    /// A test command that does not say what runs the tests: `make test`.
    Unknown,
    /// A test command that was told to run nothing and to report as if it had. It never has a count.
    DryRun,
}

impl Runner {
    /// Every runner whose output is understood.
    pub const UNDERSTOOD: [Self; 23] = [
        Self::CargoTest,
        Self::Nextest,
        Self::Pytest,
        Self::Unittest,
        Self::Jest,
        Self::Vitest,
        Self::Mocha,
        Self::NodeTest,
        Self::GoTest,
        Self::JunitXml,
        Self::Tap,
        Self::Prove,
        Self::Bats,
        Self::Rspec,
        Self::Minitest,
        Self::Phpunit,
        Self::DotnetTest,
        Self::Ctest,
        Self::Gradle,
        Self::Surefire,
        Self::ExUnit,
        Self::SwiftTest,
        Self::TestSpec,
    ];

    /// Returns what people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::CargoTest => "cargo test",
            Self::Nextest => "nextest",
            Self::Pytest => "pytest",
            Self::Unittest => "unittest",
            Self::Jest => "jest",
            Self::Vitest => "vitest",
            Self::Mocha => "mocha",
            Self::NodeTest => "node:test",
            Self::GoTest => "go test",
            Self::GoTestVerbose => "go test -v",
            Self::JunitXml => "JUnit XML",
            Self::Tap => "TAP",
            Self::Prove => "prove",
            Self::Bats => "bats",
            Self::Rspec => "RSpec",
            Self::Minitest => "minitest",
            Self::Phpunit => "PHPUnit",
            Self::DotnetTest => "dotnet test",
            Self::Ctest => "ctest",
            Self::Gradle => "Gradle",
            Self::Surefire => "Surefire",
            Self::ExUnit => "ExUnit",
            Self::SwiftTest => "swift test",
            Self::TestSpec => "test spec",
            Self::Unknown => "unknown",
            Self::DryRun => "dry run",
        }
    }

    pub(super) fn parser(self) -> Option<Parser> {
        let parser: Parser = match self {
            Self::CargoTest => rust::cargo_test,
            Self::Nextest => rust::nextest,
            Self::Pytest => python::pytest,
            Self::Unittest => python::unittest,
            Self::Jest => javascript::jest,
            Self::Vitest => javascript::vitest,
            Self::Mocha => javascript::mocha,
            Self::NodeTest => node::node_test,
            Self::GoTest => go::go_test,
            Self::GoTestVerbose => go::go_test_verbose,
            Self::JunitXml => junit::junit_xml,
            Self::Tap => tap::tap,
            Self::Prove => tap::prove,
            Self::Bats => tap::bats,
            Self::Rspec => ruby::rspec,
            Self::Minitest => ruby::minitest,
            Self::Phpunit => php::phpunit,
            Self::DotnetTest => dotnet::dotnet_test,
            Self::Ctest => cmake::ctest,
            Self::Gradle => jvm::gradle,
            Self::Surefire => jvm::surefire,
            Self::ExUnit => elixir::ex_unit,
            Self::SwiftTest => swift::swift_test,
            Self::TestSpec => test_spec::test_spec,
            Self::Unknown | Self::DryRun => return None,
        };
        Some(parser)
    }

    /// Whether output of this runner may hold output that reads like that of the other one.
    pub(super) fn contains(self, other: Self) -> bool {
        matches!(
            (self, other),
            // Without capture, nextest shows what each test program prints.
            (Self::Nextest, Self::CargoTest)
                // These speak TAP, and say more, or count better.
                | (Self::NodeTest | Self::Prove | Self::Bats, Self::Tap)
                | (Self::NodeTest | Self::Prove, Self::Bats)
        )
    }
}

impl fmt::Display for Runner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
