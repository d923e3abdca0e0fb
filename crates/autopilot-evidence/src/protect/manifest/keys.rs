//! Which parts of which manifests are frozen: one table.

use super::{Format, tree::Tree};

/// A manifest of which parts are frozen.
#[derive(Clone, Copy, Debug)]
pub struct Manifest {
    /// Names of the file, in any directory; `*` stands for anything.
    pub names: &'static [&'static str],
    /// How it is written.
    pub format: Format,
    /// What is frozen in it.
    pub keys: &'static [Key],
}

/// A frozen part of a manifest.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Names of tables with dots between them; `[]` stands for each table of a list, by its `name`. In a file
    /// of sections the name of one, with `*` at its end for all that begin so.
    pub path: &'static str,
    /// What about it is frozen.
    pub how: How,
}

/// What about a part is frozen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// All of it.
    Whole,
    /// Its entries; new ones may come, unless they run before or after others by their name.
    Entries,
    /// Its items; new ones may come. A list that was not there is free.
    Grows,
    /// It has no items that it did not have.
    Shrinks,
    /// Its entries may change, but none that came from elsewhere becomes a directory of the project: the work could put
    /// itself in the place of what tests are written with.
    Fetched,
    /// The same, and none that is such a directory becomes another one.
    Placed,
    /// Its items; new ones may come that say no more than what holds without them: the name of a file of tests and
    /// where it lies.
    Usual,
}

impl How {
    /// The value that a part has to have.
    pub(super) fn merged(self, base: Option<&Tree>, now: Option<&Tree>) -> Option<Tree> {
        match (self, base, now) {
            (Self::Whole, base, _) => base.cloned(),
            (Self::Entries, base, Some(Tree::Table(now))) => {
                let old = base.map(Tree::entries).unwrap_or_default();
                let mut entries: Vec<_> = now
                    .iter()
                    .filter_map(|(key, value)| match base.and_then(|base| base.get(key)) {
                        // Nobody has said yet how to test.
                        Some(old) if is_placeholder(old) => Some((key.clone(), value.clone())),
                        Some(value) => Some((key.clone(), value.clone())),
                        None => (!is_hook(key, old)).then(|| (key.clone(), value.clone())),
                    })
                    .collect();
                let lost = old.iter().filter(|(key, _)| !now.iter().any(|(known, _)| known == key));
                entries.extend(lost.cloned());
                Some(Tree::Table(entries))
            }
            (Self::Entries, base, _) => base.cloned(),
            (Self::Grows, None, now) => now.cloned(),
            (Self::Grows, Some(Tree::List(old)), Some(Tree::List(items))) => {
                let lost = old.iter().filter(|item| !items.contains(item));
                Some(Tree::List(items.iter().chain(lost).cloned().collect()))
            }
            // A table holds its list in a key of its own.
            (Self::Grows, Some(Tree::Table(_)), Some(Tree::Table(now))) => {
                Some(Tree::Table(now.clone()))
            }
            (Self::Grows, base, _) => base.cloned(),
            (Self::Shrinks, base, Some(Tree::List(items))) => {
                let old = base.map(Tree::items).unwrap_or_default();
                let kept: Vec<_> =
                    items.iter().filter(|item| old.contains(item)).cloned().collect();
                (base.is_some() || !kept.is_empty()).then_some(Tree::List(kept))
            }
            (Self::Fetched | Self::Placed, base, Some(Tree::Table(now))) => {
                let was = |key: &str| base.and_then(|base| base.get(key));
                let stays = |old: &Tree, now: &Tree| match (place(old), place(now)) {
                    (None, Some(_)) => true,
                    (Some(old), Some(now)) => self == Self::Placed && old != now,
                    (_, None) => false,
                };
                let kept = now.iter().map(|(key, value)| match was(key) {
                    Some(old) if stays(old, value) => (key.clone(), old.clone()),
                    _ => (key.clone(), value.clone()),
                });
                Some(Tree::Table(kept.collect()))
            }
            (Self::Fetched | Self::Placed, _, now) => now.cloned(),
            (Self::Usual, base, Some(Tree::List(items))) => {
                let old = base.map(Tree::items).unwrap_or_default();
                let new = items.iter().filter(|item| !old.contains(item) && is_usual(item, old));
                let all: Vec<_> = old.iter().chain(new).cloned().collect();
                (base.is_some() || !all.is_empty()).then_some(Tree::List(all))
            }
            (Self::Usual, base, _) => base.cloned(),
            (Self::Shrinks, _, None) => None,
            (Self::Shrinks, base, Some(_)) => base.cloned(),
        }
    }
}

/// Tells whether a script is the one that `npm init` writes: it fails whatever is there.
fn is_placeholder(value: &Tree) -> bool {
    matches!(value, Tree::Text(text) if text == "echo \"Error: no test specified\" && exit 1")
}

/// The directory or file of the project that a dependency is.
fn place(dependency: &Tree) -> Option<&Tree> {
    match dependency {
        Tree::Text(text) => {
            let starts = ["file:", "link:", "portal:", "./", "../"];
            starts.iter().any(|start| text.starts_with(start)).then_some(dependency)
        }
        Tree::Table(_) => dependency.get("path"),
        Tree::Null
        | Tree::Bool(_)
        | Tree::Integer(_)
        | Tree::Float(_)
        | Tree::Number(_)
        | Tree::Date(_)
        | Tree::List(_) => None,
    }
}

/// Tells whether a target of tests is what Cargo would have found by itself, and no other one has its name.
fn is_usual(target: &Tree, old: &[Tree]) -> bool {
    let text = |key: &str| match target.get(key) {
        Some(Tree::Text(text)) => Some(text.as_str()),
        Some(_) | None => None,
    };
    let (Some(name), path) = (text("name"), text("path")) else { return false };
    let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    let is_there = path.is_none_or(|path| {
        path == format!("tests/{name}.rs") || path == format!("tests/{name}/main.rs")
    });
    plain
        && is_there
        && target.entries().iter().all(|(key, _)| matches!(key.as_str(), "name" | "path"))
        && !old.iter().any(|item| item.get("name") == target.get("name"))
}

/// Tells whether an entry runs because of its name when another one is asked for: `pretest` before `test`.
fn is_hook(key: &str, old: &[(String, Tree)]) -> bool {
    const LIFECYCLE: [&str; 8] = [
        "dependencies",
        "install",
        "postinstall",
        "preinstall",
        "prepare",
        "prepublish",
        "postpublish",
        "prepack",
    ];
    let others = ["pre", "post"].iter().filter_map(|hook| key.strip_prefix(hook));
    LIFECYCLE.contains(&key)
        || others.into_iter().any(|rest| {
            let other = rest.trim_start_matches(['-', '_']);
            other.len() < rest.len() || old.iter().any(|(known, _)| known == other)
        })
}

const fn whole(path: &'static str) -> Key {
    Key { path, how: How::Whole }
}

/// The table of manifests.
pub const MANIFESTS: &[Manifest] = &[
    Manifest {
        names: &["package.json"],
        format: Format::Json,
        keys: &[
            Key { path: "scripts", how: How::Entries },
            Key { path: "workspaces", how: How::Grows },
            Key { path: "workspaces.packages", how: How::Grows },
            Key { path: "dependencies", how: How::Fetched },
            Key { path: "devDependencies", how: How::Placed },
            Key { path: "imports", how: How::Entries },
            whole("jest"),
            whole("vitest"),
            whole("mocha"),
            whole("ava"),
            whole("tap"),
            whole("nyc"),
            whole("c8"),
            whole("babel"),
            whole("eslintConfig"),
            whole("eslintIgnore"),
            whole("prettier"),
            whole("stylelint"),
            whole("xo"),
            whole("standard"),
            whole("lint-staged"),
            whole("husky"),
            whole("wireit"),
            whole("nx"),
        ],
    },
    Manifest {
        names: &["tsconfig*.json", "jsconfig*.json"],
        format: Format::Jsonc,
        keys: &[
            whole("extends"),
            Key { path: "include", how: How::Grows },
            Key { path: "files", how: How::Grows },
            Key { path: "exclude", how: How::Shrinks },
            whole("compilerOptions.strict"),
            whole("compilerOptions.noImplicitAny"),
            whole("compilerOptions.strictNullChecks"),
            whole("compilerOptions.strictFunctionTypes"),
            whole("compilerOptions.strictBindCallApply"),
            whole("compilerOptions.strictPropertyInitialization"),
            whole("compilerOptions.noImplicitThis"),
            whole("compilerOptions.noImplicitReturns"),
            whole("compilerOptions.noImplicitOverride"),
            whole("compilerOptions.noUnusedLocals"),
            whole("compilerOptions.noUnusedParameters"),
            whole("compilerOptions.noUncheckedIndexedAccess"),
            whole("compilerOptions.exactOptionalPropertyTypes"),
            whole("compilerOptions.noFallthroughCasesInSwitch"),
            whole("compilerOptions.allowUnreachableCode"),
            whole("compilerOptions.useUnknownInCatchVariables"),
            whole("compilerOptions.checkJs"),
            whole("compilerOptions.skipLibCheck"),
            whole("compilerOptions.noEmitOnError"),
            whole("compilerOptions.noCheck"),
        ],
    },
    Manifest {
        names: &["deno.json", "deno.jsonc"],
        format: Format::Jsonc,
        keys: &[
            Key { path: "tasks", how: How::Entries },
            whole("test"),
            whole("bench"),
            whole("lint"),
            whole("fmt"),
            whole("compilerOptions"),
            Key { path: "exclude", how: How::Shrinks },
        ],
    },
    Manifest {
        names: &["composer.json"],
        format: Format::Json,
        keys: &[
            Key { path: "scripts", how: How::Entries },
            whole("autoload-dev"),
            whole("extra.phpstan"),
            whole("extra.grumphp"),
        ],
    },
    Manifest {
        names: &["Cargo.toml"],
        format: Format::Toml,
        keys: &[
            whole("lints"),
            whole("workspace.lints"),
            Key { path: "workspace.members", how: How::Grows },
            Key { path: "workspace.exclude", how: How::Shrinks },
            whole("workspace.default-members"),
            Key { path: "test", how: How::Usual },
            Key { path: "dependencies", how: How::Fetched },
            Key { path: "dev-dependencies", how: How::Placed },
            Key { path: "workspace.dependencies", how: How::Placed },
            whole("patch"),
            whole("replace"),
            whole("bench"),
            whole("package.autotests"),
            whole("package.autobenches"),
            whole("lib.path"),
            Key { path: "features.default", how: How::Grows },
            whole("lib.test"),
            whole("lib.doctest"),
            whole("lib.bench"),
            whole("lib.harness"),
            whole("bin[].path"),
            whole("bin[].test"),
            whole("bin[].doctest"),
            whole("bin[].bench"),
            whole("bin[].harness"),
            whole("example[].test"),
            whole("example[].harness"),
            whole("profile.test"),
            whole("profile.dev.debug-assertions"),
            whole("profile.dev.overflow-checks"),
        ],
    },
    Manifest {
        names: &["pyproject.toml"],
        format: Format::Toml,
        keys: &[
            whole("tool.pytest"),
            whole("tool.coverage"),
            whole("tool.tox"),
            whole("tool.nox"),
            whole("tool.hatch.envs"),
            whole("tool.ruff"),
            whole("tool.black"),
            whole("tool.isort"),
            whole("tool.flake8"),
            whole("tool.pylint"),
            whole("tool.mypy"),
            whole("tool.pyright"),
            whole("tool.basedpyright"),
            whole("tool.ty"),
            whole("tool.pydocstyle"),
            whole("tool.bandit"),
            whole("tool.interrogate"),
            whole("tool.importlinter"),
            whole("tool.deptry"),
            whole("tool.mutmut"),
            Key { path: "tool.poe.tasks", how: How::Entries },
            Key { path: "tool.taskipy.tasks", how: How::Entries },
            Key { path: "tool.pdm.scripts", how: How::Entries },
            Key { path: "tool.pixi.tasks", how: How::Entries },
            Key { path: "tool.rye.scripts", how: How::Entries },
            whole("project.entry-points.pytest11"),
        ],
    },
    Manifest {
        names: &["setup.cfg"],
        format: Format::Ini,
        keys: &[
            whole("DEFAULT"),
            whole("tool:pytest"),
            whole("pytest"),
            whole("flake8*"),
            whole("mypy*"),
            whole("coverage:*"),
            whole("isort"),
            whole("pylint*"),
            whole("pycodestyle"),
            whole("pydocstyle"),
            whole("tox*"),
            whole("testenv*"),
            whole("nosetests"),
            whole("aliases"),
        ],
    },
    Manifest {
        names: &["go.mod", "go.work"],
        format: Format::Go,
        keys: &[Key { path: "replace", how: How::Placed }, Key { path: "use", how: How::Grows }],
    },
];
