//! Commands of a project whose targets have names.

use crate::project::Commands;

/// The targets of a `Makefile`.
pub(super) fn make(makefile: &str) -> Commands {
    let has = |target: &str| makefile.lines().any(|line| is_rule(line, target));
    let first = |targets: &[&str]| {
        targets.iter().find(|target| has(target)).map(|target| format!("make {target}"))
    };
    Commands {
        compile: first(&["check", "compile"]),
        test: first(&["test"]),
        lint: first(&["lint"]),
        build: first(&["build", "all"]),
    }
}

/// The recipes of a `justfile`.
pub(super) fn just(justfile: &str) -> Commands {
    let has = |recipe: &str| {
        let mut lines = justfile.lines().map(|line| line.strip_prefix('@').unwrap_or(line));
        lines.any(|line| is_recipe(line, recipe))
    };
    let first = |recipes: &[&str]| {
        recipes.iter().find(|recipe| has(recipe)).map(|recipe| format!("just {recipe}"))
    };
    Commands {
        compile: first(&["check", "compile"]),
        test: first(&["test"]),
        lint: first(&["lint"]),
        build: first(&["build", "all"]),
    }
}

/// Whether a line is the rule of a target. `test := x` is a variable.
fn is_rule(line: &str, target: &str) -> bool {
    line.strip_prefix(target)
        .and_then(|rest| rest.trim_start().strip_prefix(':'))
        .is_some_and(|rest| !rest.starts_with('=') && !rest.starts_with(":="))
}

/// Whether a line is a recipe, perhaps with parameters.
fn is_recipe(line: &str, recipe: &str) -> bool {
    let Some(rest) = line.strip_prefix(recipe) else {
        return false;
    };
    let is_whole = rest.starts_with(':') || rest.starts_with(' ');
    let Some((_, after)) = rest.split_once(':') else {
        return false;
    };
    is_whole && !after.starts_with('=')
}
