//! New files that nothing refers to.

/// The endings of files that others must name to use them. Where a whole directory or a whole project is compiled
/// together, nobody names a file, and nothing can be told.
const NAMED_BY_OTHERS: [&str; 21] = [
    "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue", "svelte", "py", "rs", "rb", "php",
    "lua", "dart", "h", "hh", "hpp", "css", "scss",
];
/// The beginnings of files at which something begins.
const ENTRIES: [&str; 10] =
    ["index", "main", "app", "lib", "mod", "build", "setup", "manage", "__init__", "__main__"];
/// Directories whose files stand by themselves.
const APART: [&str; 14] = [
    "test",
    "tests",
    "__tests__",
    "spec",
    "specs",
    "bin",
    "script",
    "scripts",
    "tools",
    "example",
    "examples",
    "bench",
    "benches",
    "migrations",
];

/// Whether a new file must be named by another one, going by its path: it is code, and neither an entry, nor a
/// configuration, a test, a script, a declaration of types or a document.
pub fn must_be_named(path: &str) -> bool {
    let (directories, file) = path.rsplit_once('/').unwrap_or(("", path));
    let Some((stem, ending)) = file.rsplit_once('.') else { return false };
    let ending = ending.to_ascii_lowercase();
    if stem.is_empty() || !NAMED_BY_OTHERS.contains(&ending.as_str()) {
        return false;
    }
    let stem = stem.to_ascii_lowercase();
    let mut parts = stem.split('.');
    let first = parts.next().unwrap_or_default();
    let is_marked = parts.any(|part| ["test", "spec", "config", "d", "stories"].contains(&part));
    let is_test = first.starts_with("test_")
        || first.ends_with("_test")
        || first.ends_with("_spec")
        || first == "conftest";
    let is_apart = directories.split('/').any(|directory| {
        APART.contains(&directory.to_ascii_lowercase().as_str()) || directory.starts_with('.')
    });
    !(is_marked || is_test || is_apart || ENTRIES.contains(&first) || file.starts_with('.'))
}

/// The word by which others name a file.
pub fn name_of(path: &str) -> &str {
    let file = path.rsplit_once('/').map_or(path, |(_, file)| file);
    file.split_once('.').map_or(file, |(stem, _)| stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c14_code_must_be_named_and_what_stands_by_itself_need_not() {
        let rows = [
            ("src/greet.py", true),
            ("greet.js", true),
            ("src/ui/Button.tsx", true),
            ("src/parse.rs", true),
            // An entry, a configuration, a test, a script, a declaration of types, a document.
            ("src/index.ts", false),
            ("src/main.rs", false),
            ("App.vue", false),
            ("pkg/__init__.py", false),
            ("vite.config.ts", false),
            (".eslintrc.js", false),
            ("src/greet.test.ts", false),
            ("tests/greet.py", false),
            ("test_greet.py", false),
            ("src/greet_test.py", false),
            ("__tests__/greet.js", false),
            ("bin/greet.py", false),
            ("scripts/release.py", false),
            ("src/greet.d.ts", false),
            ("docs/greet.md", false),
            ("data/greet.json", false),
            // Nobody names these: they are compiled with all that is beside them.
            ("pkg/greet.go", false),
            ("src/Greet.java", false),
            ("Makefile", false),
            (".hidden/greet.py", false),
        ];
        for (path, expected) in rows {
            assert_eq!(must_be_named(path), expected, "{path}");
        }
        assert_eq!((name_of("src/ui/Button.tsx"), name_of("greet.py")), ("Button", "greet"));
    }
}
