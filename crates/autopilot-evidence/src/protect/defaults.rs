//! What is protected where nobody said anything: one table for all ecosystems.

use super::Class;

/// A row of the table of defaults.
#[derive(Clone, Copy, Debug)]
pub struct Default {
    /// What its files are.
    pub class: Class,
    /// What they are in words, for people.
    pub what: &'static str,
    /// Patterns, as in [`super::Globs`].
    pub patterns: &'static [&'static str],
}

const fn row(class: Class, what: &'static str, patterns: &'static [&'static str]) -> Default {
    Default { class, what, patterns }
}

/// The table of defaults; the first row that matches a path says its class.
///
/// All rows are for all projects: which languages a project has is not known for certain, and a name such as
/// `conftest.py` means the same everywhere. `tsconfig.json` is not here. It says how to build as well as how
/// strictly to check, so it is a manifest of which parts are frozen, see [`super::manifest`].
pub const DEFAULTS: &[Default] = &[
    row(Class::Test, "Rust", &["**/tests/**", "tests.rs", "*_test.rs", "*_tests.rs", "test_*.rs"]),
    row(Class::Test, "Python", &["test_*.py", "*_test.py", "tests.py", "conftest.py"]),
    row(
        Class::Test,
        "JavaScript, TypeScript",
        &[
            "*.{test,spec,e2e,cy}.{js,jsx,ts,tsx,mjs,cjs,mts,cts,vue,svelte}",
            "*.test-d.ts",
            "**/__tests__/**",
            "**/__mocks__/**",
            "**/cypress/**",
        ],
    ),
    row(Class::Test, "Go", &["*_test.go", "**/testdata/**"]),
    row(
        Class::Test,
        "Java, Kotlin, Scala, Groovy",
        &[
            "**/src/test/**",
            "**/src/*Test/**",
            "*{Test,Tests,IT}.{java,kt}",
            "*{Test,Spec}.{scala,groovy}",
        ],
    ),
    row(
        Class::Test,
        "Ruby",
        &["**/spec/**/*.rb", "**/spec/fixtures/**", "*_spec.rb", "*_test.rb", "*.feature"],
    ),
    row(Class::Test, "PHP", &["*Test.php", "*Cest.php", "*.phpt"]),
    row(Class::Test, "C#, F#", &["*{Test,Tests}.{cs,fs}", "**/*.{Test,Tests}/**"]),
    row(Class::Test, "Elixir, Dart, Haskell, Clojure", &["**/test/**", "*_test.{exs,dart,clj}"]),
    row(Class::Test, "Swift", &["**/Tests/**", "*Tests.swift"]),
    row(
        Class::Test,
        "C, C++",
        &["*_test.{c,cc,cpp,cxx}", "*_unittest.{cc,cpp}", "test_*.{c,cc,cpp,cxx}"],
    ),
    row(
        Class::Test,
        "shell, Perl, Lua",
        &["*.bats", "*_test.sh", "test_*.sh", "*.t", "*_spec.lua"],
    ),
    row(
        Class::Test,
        "snapshots, fixtures, end to end",
        &["*.snap", "**/__snapshots__/**", "**/__fixtures__/**", "**/e2e/**"],
    ),
    row(
        Class::Ci,
        "services",
        &[
            "/.github/workflows/**",
            "/.github/actions/**",
            "/.gitlab-ci.yml",
            "/.gitlab/**",
            "/.circleci/**",
            "/.buildkite/**",
            "/.woodpecker/**",
            "/.woodpecker.y{a,}ml",
            "/.forgejo/workflows/**",
            "/.gitea/workflows/**",
            "/.ci/**",
            "/ci/**",
            "Jenkinsfile",
            "azure-pipelines.y{a,}ml",
            "bitbucket-pipelines.yml",
            "/.travis.yml",
            "/.cirrus.yml",
            "/.drone.yml",
            "/appveyor.yml",
        ],
    ),
    row(Class::Ci, "hooks", &["/.pre-commit-config.yaml", "/.husky/**", "lefthook.y{a,}ml"]),
    row(
        Class::Lint,
        "JavaScript, TypeScript",
        &[
            ".eslintrc*",
            ".eslintignore",
            "eslint.config.*",
            ".prettierrc*",
            ".prettierignore",
            "prettier.config.*",
            ".stylelintrc*",
            "stylelint.config.*",
            "biome.json{,c}",
            ".oxlintrc.json",
        ],
    ),
    row(
        Class::Lint,
        "Python",
        &[
            "{,.}ruff.toml",
            ".flake8",
            "{,.}mypy.ini",
            "{,.}pylintrc{,.toml}",
            ".isort.cfg",
            "pyrightconfig.json",
            ".bandit",
        ],
    ),
    row(
        Class::Lint,
        "Rust",
        &["{,.}clippy.toml", "{,.}rustfmt.toml", "deny.toml", "{,.}typos.toml"],
    ),
    row(
        Class::Lint,
        "other languages",
        &[
            ".golangci.*",
            ".rubocop*.yml",
            "phpstan.neon{,.dist}",
            "phpcs.xml{,.dist}",
            "{,.}phpcs.xml",
            "psalm.xml{,.dist}",
            ".php-cs-fixer*.php",
            "checkstyle.xml",
            "detekt.y{a,}ml",
            ".swiftlint.yml",
            ".credo.exs",
            ".formatter.exs",
            ".clang-{format,tidy}",
            ".shellcheckrc",
            ".yamllint{,.y{a,}ml}",
            ".markdownlint*",
            ".hadolint.yaml",
            ".editorconfig",
        ],
    ),
    row(
        Class::Runner,
        "Python",
        &[
            "{,.}pytest.{ini,toml}",
            "tox.{ini,toml}",
            "noxfile.py",
            ".coveragerc",
            "sitecustomize.py",
            "usercustomize.py",
            "**/*.{egg,dist}-info/**",
            "/{pytest,_pytest,unittest,nose2}.py",
            "/{pytest,_pytest,unittest,nose2}/**/*.py",
        ],
    ),
    row(
        Class::Runner,
        "JavaScript, TypeScript",
        &[
            "jest.config.*",
            "jest.setup.*",
            "jest.preset.*",
            "vitest.{config,setup,workspace}.*",
            "playwright.config.*",
            "cypress.config.*",
            ".mocharc*",
            "karma.conf.*",
            "ava.config.*",
            "wdio.conf.*",
            "{.nycrc,.c8rc}*",
            "{,.}babelrc*",
            "babel.config.*",
            ".npmrc",
            ".yarnrc{,.yml}",
            ".pnpmfile.{cjs,mjs}",
            ".pnp.*",
            "bunfig.toml",
            "**/node_modules/**",
        ],
    ),
    row(Class::Runner, "Rust", &["**/.config/nextest.toml", "**/.cargo/config{,.toml}"]),
    row(
        Class::Runner,
        "other languages",
        &[
            "phpunit.xml*",
            "pest.xml*",
            ".rspec",
            ".simplecov",
            "*.runsettings",
            "testng.xml",
            "CTestTestfile.cmake",
        ],
    ),
    row(
        Class::Build,
        "entry points",
        &[
            "{Makefile,makefile,GNUmakefile}",
            "*.mk",
            "{,.}{justfile,Justfile}",
            "{Taskfile,taskfile}{,.dist}.y{a,}ml",
            "{Rakefile,rakefile,Rakefile.rb}",
            "magefile.go",
            "Earthfile",
        ],
    ),
    row(
        Class::Spec,
        "the roadmap and what it rests on",
        &[
            "/ROADMAP.md",
            "/.planning/*.md",
            "!/.planning/STATE.md",
            "/.planning/config.json",
            "/autopilot.toml",
        ],
    ),
    row(
        Class::Lock,
        "lock files, only with `locks = true`",
        &[
            "Cargo.lock",
            "package-lock.json",
            "npm-shrinkwrap.json",
            "yarn.lock",
            "pnpm-lock.yaml",
            "bun.lock{,b}",
            "deno.lock",
            "{poetry,uv,pdm,Pipfile,pixi}.lock",
            "Gemfile.lock",
            "composer.lock",
            "go.sum",
            "mix.lock",
            "pubspec.lock",
            "Package.resolved",
            "Podfile.lock",
            "packages.lock.json",
            "gradle.lockfile",
            "flake.lock",
        ],
    ),
];
