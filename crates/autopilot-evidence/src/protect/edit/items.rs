//! What a statement that was added to a test file is.

use super::{counts::is_test_mark, language::Language, words};

/// Something whole that was added, with the names that it makes known around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item {
    Test(Vec<String>),
    /// A class, module or suite that holds tests.
    Group(Vec<String>),
    Helper(Vec<String>),
    Import(Vec<String>),
}

impl Item {
    pub(super) fn names(&self) -> &[String] {
        match self {
            Self::Test(names) | Self::Group(names) | Self::Helper(names) | Self::Import(names) => {
                names
            }
        }
    }
}

/// What an item is added to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The file itself, or a module.
    File,
    /// A class: what is not a test could replace what it inherits.
    Class,
    /// A suite: what is not a test could run around the tests in it.
    Suite,
}

/// Tells whether an item may be added to a place.
pub(super) fn fits(item: &Item, place: Place) -> Result<(), String> {
    match (item, place) {
        (_, Place::File)
        | (Item::Test(_) | Item::Group(_), _)
        | (Item::Helper(_), Place::Class) => Ok(()),
        (Item::Helper(_) | Item::Import(_), Place::Class | Place::Suite) => {
            Err("adds something other than a test to a class or suite that was there".to_owned())
        }
    }
}

/// A statement: its text on its own level, with brackets left empty, and its whole text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Statement {
    pub(super) flat: String,
    pub(super) full: String,
}

/// Tells what a statement of a language with brackets is.
pub(super) fn item_of(language: Language, statement: &Statement) -> Result<Item, String> {
    let (flat, full) = (statement.flat.trim(), statement.full.trim());
    let item = match language {
        Language::Rust => rust(flat, full),
        Language::JavaScript => javascript(flat, full),
        Language::Go => go(flat),
        Language::Java | Language::Kotlin | Language::CSharp | Language::Php => {
            class(language, flat, full)
        }
        Language::Shell => shell(flat),
        Language::Python | Language::Ruby | Language::Other | Language::Data => None,
    };
    item.ok_or_else(|| {
        let start: String = full.chars().take(40).collect();
        format!("adds something that is no test, function or import: `{}`", start.trim())
    })
}

/// Tells whether a Python name is one that the runner or the language looks for.
pub(super) fn is_python_hook(name: &str) -> bool {
    ["pytest_", "setup", "teardown", "setUp", "tearDown", "__"]
        .iter()
        .any(|start| name.starts_with(start))
        || matches!(name, "load_tests" | "runTest" | "run" | "addModuleCleanup")
}

/// What a logical line of Python at the level of definitions is; `None` for a decorator.
pub(super) fn python(code: &str) -> Result<Option<Item>, String> {
    let rest = code.strip_prefix("async ").unwrap_or(code);
    let mut names = words::names(rest);
    let (first, second) = (names.next().unwrap_or_default(), names.next().unwrap_or_default());
    let name = vec![second.to_owned()];
    match first {
        _ if code.starts_with('@') => Ok(None),
        "def" if is_python_hook(second) => {
            Err(format!("defines `{second}`, which runs around tests"))
        }
        "def" if second.starts_with("test") => Ok(Some(Item::Test(name))),
        "def" => Ok(Some(Item::Helper(name))),
        "class" => Ok(Some(Item::Group(name))),
        "import" | "from" if !code.contains([';', '*']) && second != "__future__" => {
            let list = match first {
                "from" => rest.split_once(" import ").map_or("", |(_, list)| list),
                _ => rest.trim_start_matches("import "),
            };
            Ok(Some(Item::Import(list.split(',').filter_map(bound).collect())))
        }
        _ => Err(format!("adds code that runs when the file is read: `{}`", code.trim())),
    }
}

/// The name that `a.b`, `a as b` or `(a` binds.
fn bound(piece: &str) -> Option<String> {
    let piece = piece.trim_matches(|c: char| c.is_whitespace() || "()".contains(c));
    let name = match piece.split_once(" as ") {
        Some((_, name)) => words::names(name).next(),
        None => words::names(piece).next(),
    };
    name.map(str::to_owned)
}

fn rust(flat: &str, full: &str) -> Option<Item> {
    let mut rest = flat;
    while let Some(after) = rest.strip_prefix("#[]") {
        rest = after.trim_start();
    }
    let attributes = full.split_once("fn ").map_or("", |(before, _)| before);
    let is_test =
        flat.starts_with("#[]") && words::names(attributes).any(|name| name.contains("test"));
    let mut names = words::names(rest).filter(|name| !matches!(*name, "pub" | "async" | "crate"));
    let (first, second) = (names.next()?, names.next().unwrap_or_default());
    let name = vec![second.to_owned()];
    match first {
        "proptest" if rest == "proptest! {}" => Some(Item::Test(Vec::new())),
        "fn" if rest.ends_with('}') && is_test => Some(Item::Test(name)),
        "fn" if rest.ends_with('}') => Some(Item::Helper(name)),
        "mod" if rest.ends_with("{}") => Some(Item::Group(name)),
        "use" if rest.ends_with(';') && !full.contains('*') => {
            let list = full.split_once("use ")?.1.trim_end_matches(';');
            let leaves = list.split([',', '{', '}']).map(str::trim).filter(|leaf| !leaf.is_empty());
            let names = leaves
                .filter(|leaf| !leaf.ends_with("::"))
                .filter_map(|leaf| words::names(leaf).last().map(str::to_owned));
            Some(Item::Import(names.filter(|name| name != "_" && name != "self").collect()))
        }
        _ => None,
    }
}

fn javascript(flat: &str, full: &str) -> Option<Item> {
    let head_end = flat.find(['(', '"', ' ']).unwrap_or(flat.len());
    let (head, tail) = flat.split_at(head_end);
    let is_call = tail.chars().all(|c| "()\"; \n".contains(c)) && tail.contains("()");
    let names = |text: &str| -> Vec<String> {
        words::names(text)
            .filter(|name| !matches!(*name, "import" | "type" | "as" | "const" | "let" | "var"))
            .map(str::to_owned)
            .collect()
    };
    let parts: Vec<&str> = head.split('.').collect();
    let plain = |rest: &[&str]| {
        rest.iter().all(|part| matches!(*part, "each" | "concurrent" | "sequential" | "for"))
    };
    match parts.as_slice() {
        ["it" | "test" | "specify", rest @ ..] if is_call && plain(rest) => {
            Some(Item::Test(Vec::new()))
        }
        ["Deno" | "QUnit", "test"] if is_call => Some(Item::Test(Vec::new())),
        ["describe" | "context" | "suite", rest @ ..] | ["test", "describe", rest @ ..]
            if is_call && plain(rest) =>
        {
            Some(Item::Group(Vec::new()))
        }
        ["QUnit", "module"] if is_call => Some(Item::Group(Vec::new())),
        ["import"] => {
            let (list, from) = full.rsplit_once(" from ")?;
            (from.trim_end_matches(';').trim() == "\"\"").then(|| Item::Import(names(list)))
        }
        ["const" | "let" | "var"] => {
            let (left, right) = full.split_once('=')?;
            let is_require = right.trim().trim_end_matches(';').trim() == "require(\"\")";
            is_require.then(|| Item::Import(names(left)))
        }
        ["function" | "async"] if flat.ends_with("{}") => {
            let name =
                names(flat).into_iter().find(|name| name != "async" && name != "function")?;
            let is_function = words::names(flat).take(2).any(|word| word == "function");
            is_function.then(|| Item::Helper(vec![name]))
        }
        _ => None,
    }
}

fn go(flat: &str) -> Option<Item> {
    let mut names = words::names(flat);
    let (first, second) = (names.next()?, names.next().unwrap_or_default());
    let name = vec![second.to_owned()];
    match first {
        // A method could change how values of its type are compared or shown.
        "func" if flat.starts_with("func ()") => None,
        "func" if !flat.ends_with('}') || matches!(second, "init" | "TestMain") => None,
        "func" if super::counts::begins_test(Language::Go, flat) => Some(Item::Test(name)),
        "func" => Some(Item::Helper(name)),
        "type" if flat.ends_with("struct {}") => Some(Item::Helper(name)),
        "import" if is_go_import(flat.trim_start_matches("import")) => {
            Some(Item::Import(Vec::new()))
        }
        "import" if flat.ends_with("()") => Some(Item::Import(Vec::new())),
        _ => None,
    }
}

/// `"path"` or `name "path"`; two packages of one name do not compile.
pub(super) fn is_go_import(code: &str) -> bool {
    match code.trim().strip_suffix("\"\"").map(str::trim_end) {
        Some(alias) => {
            alias != "_" && alias.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        }
        None => false,
    }
}

fn shell(flat: &str) -> Option<Item> {
    if !flat.ends_with("{}") {
        return None;
    }
    if flat.starts_with("@test ") {
        return Some(Item::Test(Vec::new()));
    }
    let name = flat.strip_prefix("function ").unwrap_or(flat);
    let name = name.trim_end_matches("{}").trim().trim_end_matches("()").trim();
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    (is_name && name.starts_with("test")).then(|| Item::Test(vec![name.to_owned()]))
}

/// Languages whose tests are methods of classes.
fn class(language: Language, flat: &str, full: &str) -> Option<Item> {
    let (marks, rest) = without_marks(flat);
    let first = words::names(rest).next()?;
    if matches!(first, "import" | "using" | "use") {
        let list = full.trim_end_matches(';').split_once(char::is_whitespace)?.1;
        let is_wide = list.contains('*') || list.starts_with("static ");
        let name = match (language == Language::CSharp, list.contains('=')) {
            (true, true) => words::names(list).next(),
            // A namespace brings no name that is known already; it would be ambiguous.
            (true, false) => None,
            (false, _) => words::names(list).last(),
        };
        let names = name.map(str::to_owned).into_iter().collect();
        return (marks == 0 && !is_wide).then_some(Item::Import(names));
    }
    if let Some(name) = class_name(rest) {
        return rest.ends_with('}').then(|| Item::Group(vec![name.to_owned()]));
    }
    let before = rest.split('(').next()?;
    let name = words::names(before).last().unwrap_or_default();
    // A name in backticks is a title; two of the same do not compile.
    let is_title = before.trim_end().ends_with('"');
    let names = if is_title { Vec::new() } else { vec![name.to_owned()] };
    let is_method = rest.contains("()")
        && rest.ends_with(['}', ';', ')'])
        && !before.contains('=')
        && match language {
            Language::Kotlin => words::names(before).any(|word| word == "fun"),
            Language::Php => words::names(before).any(|word| word == "function"),
            Language::Java | Language::CSharp => {
                words::names(before).count() >= 2 && (rest.ends_with('}') || rest.contains("=>"))
            }
            Language::Rust
            | Language::Python
            | Language::JavaScript
            | Language::Go
            | Language::Ruby
            | Language::Shell
            | Language::Other
            | Language::Data => false,
        };
    // What stands before the name of the method: its marks are in the whole text only.
    let start = full.split_once(before.trim()).map_or(full, |(start, _)| start);
    let is_marked = marks > 0 && words::names(start).any(is_test_mark);
    let by_name = matches!(language, Language::Java | Language::Php) && name.starts_with("test");
    let is_private = words::names(before).any(|word| word == "private");
    match (is_method, is_marked || by_name) {
        (true, true) => Some(Item::Test(names)),
        (true, false) if marks == 0 && is_private => Some(Item::Helper(names)),
        _ => None,
    }
}

/// How many annotations or attributes stand at the start of a statement, and what comes after them.
fn without_marks(flat: &str) -> (usize, &str) {
    let (mut marks, mut rest) = (0, flat);
    loop {
        rest = rest.trim_start();
        let after = if let Some(after) = rest.strip_prefix("#[]").or(rest.strip_prefix("[]")) {
            after
        } else if let Some(after) = rest.strip_prefix('@') {
            let end = after.find(|c: char| !(c.is_alphanumeric() || c == '.' || c == '_'));
            let after = &after[end.unwrap_or(after.len())..];
            after.strip_prefix("()").unwrap_or(after)
        } else {
            return (marks, rest);
        };
        marks += 1;
        rest = after;
    }
}

/// Tells whether a class inherits from something that may hold tests of its own. A test that is added to it
/// could take the place of one of those.
pub(super) fn inherits_tests(language: Language, header: &str) -> bool {
    let parents = match language {
        Language::Python => header.split_once('(').map(|(_, rest)| rest),
        Language::Ruby => header.split_once('<').map(|(_, rest)| rest),
        Language::Java | Language::Php => header.split_once(" extends ").map(|(_, rest)| rest),
        // An override has to say so there, which is refused, or there are no classes of tests.
        Language::Rust
        | Language::JavaScript
        | Language::Go
        | Language::Kotlin
        | Language::CSharp
        | Language::Shell
        | Language::Other
        | Language::Data => None,
    };
    let list = parents.map(|rest| rest.split(['{', ')']).next().unwrap_or_default());
    let list = list.and_then(|list| list.split(" implements ").next()).unwrap_or_default();
    list.split(',').map(str::trim).filter(|one| !one.is_empty()).any(|parent| {
        let name = parent.rsplit(['.', ':']).next().unwrap_or(parent);
        let is_bare = ["TestCase", "Test", "IntegrationTest", "object"].contains(&name)
            || ["TestCase", "AsyncioTestCase"]
                .iter()
                .any(|end| name.ends_with(end) && parent.contains(['.', ':']));
        !is_bare
    })
}

/// The name of the class that some code begins.
pub(super) fn class_name(code: &str) -> Option<&str> {
    const BEFORE: [&str; 14] = [
        "public",
        "private",
        "protected",
        "internal",
        "abstract",
        "final",
        "static",
        "sealed",
        "open",
        "inner",
        "partial",
        "readonly",
        "data",
        "file",
    ];
    let (_, rest) = without_marks(code);
    let mut names = words::names(rest).skip_while(|name| BEFORE.contains(name));
    (names.next() == Some("class")).then(|| names.next()).flatten()
}
