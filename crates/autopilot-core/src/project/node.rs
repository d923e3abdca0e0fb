//! Commands of a project with a `package.json`.

use serde_json::Value;

use crate::project::{Commands, Root};

/// What `npm init` writes in the place of tests.
const NO_TESTS: &str = "no test specified";

/// Scripts become calls of the package manager, so that what runs before and after them runs too.
pub(super) fn commands(root: &Root) -> Commands {
    let manifest: Value = serde_json::from_str(root.text("package.json")).unwrap_or_default();
    let manager = manager(root, &manifest);
    let script = |name: &str| manifest["scripts"][name].as_str();
    let run = |name: &str| script(name).map(|_| format!("{manager} run {name}"));
    let typescript = ["dependencies", "devDependencies"]
        .iter()
        .any(|kind| manifest[kind].get("typescript").is_some());
    let tsc = typescript.then(|| format!("{} tsc --noEmit", runner(manager)));
    let tests = script("test").filter(|text| !text.contains(NO_TESTS));
    Commands {
        compile: run("compile").or_else(|| run("typecheck")).or(tsc),
        test: tests.map(|_| test(manager).to_owned()),
        lint: run("lint"),
        build: run("build"),
    }
}

/// The package manager that the project was installed with.
fn manager(root: &Root, manifest: &Value) -> &'static str {
    const LOCKS: [(&str, &str); 4] = [
        ("pnpm-lock.yaml", "pnpm"),
        ("yarn.lock", "yarn"),
        ("bun.lock", "bun"),
        ("bun.lockb", "bun"),
    ];
    let declared = manifest["packageManager"].as_str().unwrap_or_default();
    let declared = declared.split('@').next().unwrap_or_default();
    let known = ["npm", "pnpm", "yarn", "bun"].into_iter().find(|name| *name == declared);
    let locked = || LOCKS.iter().find(|(lock, _)| root.has(lock)).map(|(_, name)| *name);
    known.or_else(locked).unwrap_or("npm")
}

fn runner(manager: &str) -> &'static str {
    match manager {
        "pnpm" => "pnpm exec",
        "yarn" => "yarn",
        "bun" => "bunx",
        _ => "npx",
    }
}

/// `bun test` is a test runner of its own and would not run the script.
fn test(manager: &str) -> &'static str {
    match manager {
        "pnpm" => "pnpm test",
        "yarn" => "yarn test",
        "bun" => "bun run test",
        _ => "npm test",
    }
}
