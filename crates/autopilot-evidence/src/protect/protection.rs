//! What is protected in a project, and as what.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{BadGlob, Globs, defaults::DEFAULTS, hooks, paths};

/// What a protected file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// A test, or what tests are compared with.
    Test,
    /// What a service runs for every change.
    Ci,
    /// How a linter, formatter or type checker looks at the project.
    Lint,
    /// How tests are found and run.
    Runner,
    /// What a short command such as `make test` stands for.
    Build,
    /// What the work is for.
    Spec,
    /// Which versions of other people's code are used.
    Lock,
    /// What a check's command runs.
    Named,
    /// What the person protects beyond the defaults.
    Custom,
    /// A link to what is not part of the project: what it leads to is there for the checks and for nobody else.
    Outside,
}

impl Class {
    /// All classes, in the order in which they are told.
    pub const ALL: [Self; 10] = [
        Self::Test,
        Self::Ci,
        Self::Lint,
        Self::Runner,
        Self::Build,
        Self::Spec,
        Self::Lock,
        Self::Named,
        Self::Custom,
        Self::Outside,
    ];

    /// The class in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Test => "test",
            Self::Ci => "continuous integration",
            Self::Lint => "linter configuration",
            Self::Runner => "test runner configuration",
            Self::Build => "build entry point",
            Self::Spec => "specification",
            Self::Lock => "lock file",
            Self::Named => "script of a check",
            Self::Custom => "protected by `[protect]`",
            Self::Outside => "link that leads out of the project",
        }
    }
}

/// What happens to an edit that only adds tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AddedTests {
    /// It is accepted by rule.
    #[default]
    Accept,
    /// A person is asked, as for any other edit.
    Ask,
}

/// What a run is told about protection: the table `[protect]`, and what its checks name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Protection {
    /// Patterns of files that are protected beyond the defaults; `!` takes away from these patterns.
    pub add: Vec<String>,
    /// Patterns of files that are not protected, neither by default nor because a command names them.
    pub allow: Vec<String>,
    /// Files that the commands of checks run, as [`super::deciding_files`] found them.
    pub named: Vec<String>,
    /// Whether lock files are protected.
    pub locks: bool,
    /// What happens to an edit that only adds tests.
    pub added_tests: AddedTests,
}

impl Protection {
    /// Reads the patterns.
    pub fn compile(&self) -> Result<Protected, BadGlob> {
        let mut defaults = Vec::with_capacity(DEFAULTS.len());
        for row in DEFAULTS {
            if row.class != Class::Lock || self.locks {
                defaults.push((row.class, Globs::new(row.patterns)?));
            }
        }
        Ok(Protected {
            add: Globs::new(&self.add)?,
            allow: Globs::new(&self.allow)?,
            named: self.named.iter().map(|path| paths::trimmed(path).into()).collect(),
            defaults,
        })
    }
}

/// What is protected, ready to be asked.
#[derive(Clone, Debug)]
pub struct Protected {
    add: Globs,
    allow: Globs,
    named: BTreeSet<Vec<u8>>,
    defaults: Vec<(Class, Globs)>,
}

impl Protected {
    /// The class of a path of the repository; `None` where it is not protected.
    ///
    /// Only a file that exists at the base is protected, which the caller knows. What the person added is
    /// protected even where something else allows it; then what they allow is not.
    pub fn class_of(&self, path: &[u8]) -> Option<Class> {
        let by_default =
            || self.defaults.iter().find(|(_, globs)| globs.matches(path)).map(|(class, _)| *class);
        if self.add.matches(path) {
            return by_default().or(Some(Class::Custom));
        }
        if self.allow.matches(path) {
            return None;
        }
        by_default().or_else(|| self.is_named(path).then_some(Class::Named))
    }

    /// Tells whether a file of this name changes how the files that are there are judged, even where it is
    /// new: a `GNUmakefile` wins over a `Makefile`, a `pytest.ini` over `pyproject.toml`, and a `conftest.py`
    /// can leave out any test below it.
    pub fn rules_when_new(&self, path: &[u8]) -> bool {
        match self.class_of(path) {
            Some(Class::Lint | Class::Runner | Class::Build) => true,
            Some(Class::Test) => hooks::is_hook(path),
            Some(
                Class::Ci
                | Class::Spec
                | Class::Lock
                | Class::Named
                | Class::Custom
                | Class::Outside,
            ) => false,
            None => hooks::rules_only_when_new(path) && !self.allow.matches(path),
        }
    }

    /// A command may name a directory; then it means all that is in it.
    fn is_named(&self, path: &[u8]) -> bool {
        let ends = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
        ends.chain([path.len()]).any(|end| self.named.contains(&path[..end]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(protection: &Protection, path: &str) -> Option<Class> {
        protection.compile().unwrap().class_of(path.as_bytes())
    }

    #[test]
    fn the_defaults_know_the_files_of_each_ecosystem() {
        let protected = Protection { locks: true, ..Protection::default() }.compile().unwrap();
        for (wanted, files) in [
            (
                Class::Test,
                "tests/all.sh crates/a/tests/x/data.json src/run/tests.rs a_test.rs test_a.py x/conftest.py \
                 a.test.ts a.spec.js src/__tests__/a.js a/b_test.go pkg/testdata/x app/src/test/java/A.java \
                 FooTest.kt src/commonTest/A.kt spec/a_spec.rb spec/support/x.rb test/a_test.exs \
                 Shop.Tests/A.cs ShopTests.cs Tests/ATests.swift t/a.t a.bats x/__snapshots__/a.snap a.snap",
            ),
            (
                Class::Ci,
                ".github/workflows/ci.yml .gitlab-ci.yml .circleci/config.yml Jenkinsfile \
                 azure-pipelines.yml .ci/run.sh ci/all.sh .husky/pre-commit",
            ),
            (
                Class::Lint,
                ".eslintrc.json eslint.config.mjs .prettierrc ruff.toml .flake8 mypy.ini clippy.toml \
                 crates/a/.clippy.toml rustfmt.toml .golangci.yml .rubocop.yml phpstan.neon .editorconfig",
            ),
            (
                Class::Runner,
                "pytest.ini tox.ini noxfile.py jest.config.ts vitest.config.mts playwright.config.ts \
                 .mocharc.yml karma.conf.js phpunit.xml.dist .rspec .config/nextest.toml .cargo/config.toml",
            ),
            (
                Class::Build,
                "Makefile x/makefile GNUmakefile justfile Justfile Taskfile.yml Rakefile",
            ),
            (
                Class::Spec,
                "ROADMAP.md .planning/ROADMAP.md .planning/REQUIREMENTS.md autopilot.toml",
            ),
            (Class::Lock, "Cargo.lock web/package-lock.json yarn.lock uv.lock go.sum mix.lock"),
        ] {
            for file in files.split_whitespace() {
                assert_eq!(protected.class_of(file.as_bytes()), Some(wanted), "{file}");
            }
        }
        for file in [
            "src/main.rs src/testing.rs lib/latest.py contest.py README.md docs/spec/api.md src/test.rs.md",
            ".planning/STATE.md .planning/phases/01-a/PLAN.md x/.planning/ROADMAP.md package.json tsconfig.json",
            "Cargo.toml src/ci/mod.rs tests src/attest.go Makefile.am setup.py",
        ]
        .iter()
        .flat_map(|files| files.split_whitespace())
        {
            assert_eq!(protected.class_of(file.as_bytes()), None, "{file}");
        }
    }

    #[test]
    fn locks_may_change_unless_asked_for() {
        assert_eq!(class(&Protection::default(), "Cargo.lock"), None);
        let strict = Protection { locks: true, ..Protection::default() };
        assert_eq!(class(&strict, "Cargo.lock"), Some(Class::Lock));
    }

    #[test]
    fn what_is_added_wins_over_what_is_allowed_and_that_over_the_rest() {
        let protection = Protection {
            add: vec!["golden/**".into(), "tests/keep.rs".into(), "!golden/new.txt".into()],
            allow: vec!["tests/".into(), "check.sh".into(), "golden/b.txt".into()],
            named: vec!["check.sh".into(), "./tools/verify.py".into(), "checks/".into()],
            ..Protection::default()
        };
        for (path, wanted) in [
            ("golden/a.txt", Some(Class::Custom)),
            ("golden/b.txt", Some(Class::Custom)),
            ("golden/new.txt", None),
            ("tests/keep.rs", Some(Class::Test)),
            ("tests/other.rs", None),
            ("check.sh", None),
            ("tools/verify.py", Some(Class::Named)),
            ("tools/verify.pyc", None),
            ("checks/a/b.py", Some(Class::Named)),
            ("checks2/a.py", None),
        ] {
            assert_eq!(class(&protection, path), wanted, "{path}");
        }
    }

    #[test]
    fn a_bad_pattern_is_told() {
        let protection = Protection { allow: vec!["a[".into()], ..Protection::default() };
        assert_eq!(protection.compile().unwrap_err().pattern, "a[");
    }

    #[test]
    fn a_new_file_can_rule_over_old_ones() {
        let protected = Protection::default().compile().unwrap();
        for path in [
            "GNUmakefile",
            "rules/test.mk",
            "pytest.ini",
            "tests/unit/conftest.py",
            "src/.eslintrc.json",
            ".npmrc",
            "web/.yarnrc.yml",
            "node_modules/.bin/jest",
            "calc.egg-info/entry_points.txt",
            "go.work",
            "web/vite.config.ts",
        ] {
            assert!(protected.rules_when_new(path.as_bytes()), "{path}");
        }
        for path in ["tests/test_new.py", "src/new.rs", ".github/workflows/new.yml", "Cargo.lock"] {
            assert!(!protected.rules_when_new(path.as_bytes()), "{path}");
        }
    }

    #[test]
    fn a_protection_is_read_from_what_a_person_wrote() {
        let json = r#"{"add":["a"],"added_tests":"ask"}"#;
        let read: Protection = serde_json::from_str(json).unwrap();
        let wanted = Protection {
            add: vec!["a".into()],
            added_tests: AddedTests::Ask,
            ..Protection::default()
        };
        assert_eq!(read, wanted);
        assert!(serde_json::from_str::<Protection>(r#"{"ad":[]}"#).is_err());
    }
}
