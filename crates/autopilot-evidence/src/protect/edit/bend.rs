//! Assignments that reach beyond the test that makes them.

use super::{language::Language, words};

/// Finds an assignment in added code to something that the code did not make itself: `app.total = …`.
pub(super) fn changed(language: Language, codes: &[&str]) -> Option<String> {
    let mut targets: Vec<(&str, &str)> = Vec::new();
    for code in codes {
        for target in assigned(code) {
            let root = words::names(target).next().unwrap_or_default();
            if reaches_out(language, target, root) {
                targets.push((root, target));
            }
        }
    }
    targets.sort_unstable();
    targets.dedup_by_key(|(root, _)| *root);
    targets.retain(|(root, _)| !codes.iter().any(|code| binds(language, code, root)));
    targets.first().map(|(_, target)| (*target).to_owned())
}

/// The left sides of the assignments in a line.
fn assigned(code: &str) -> Vec<&str> {
    let bytes = code.as_bytes();
    let is_plain = |at: usize| {
        let before = at.checked_sub(1).map_or(b' ', |at| bytes[at]);
        let after = bytes.get(at + 1).copied().unwrap_or(b' ');
        bytes[at] == b'=' && !b"=!<>:".contains(&before) && !b"=>~".contains(&after)
    };
    let mut targets = Vec::new();
    let mut from = 0;
    for at in (0..bytes.len()).filter(|at| is_plain(*at)) {
        let left = code[from..at].trim_end_matches(['+', '-', '*', '/', '|', '&', '%', '?']);
        from = at + 1;
        // Of `it("…", () => { a.b` only the end is the target, and what stands in brackets is an argument.
        let start = left.rfind(['{', ';']).map_or(0, |at| at + 1);
        let left = left[start..].trim();
        if left.matches('(').count() <= left.matches(')').count() {
            targets.extend(left.split(',').map(str::trim).filter(|target| is_target(target)));
        }
    }
    targets
}

/// Tells whether some code is nothing but a name with its parts: `a`, `a.b`, `a[0].b`, `A::$b`.
fn is_target(code: &str) -> bool {
    !code.is_empty()
        && code.chars().all(|c| c.is_ascii_alphanumeric() || "_.[]:$@\"'->".contains(c))
        && words::names(code).next().is_some()
}

fn reaches_out(language: Language, target: &str, root: &str) -> bool {
    let has_parts = target.contains(['.', '[']) || target.contains("::") || target.contains("->");
    let is_own = matches!(root, "self" | "cls" | "this" | "_" | "");
    match language {
        Language::Python => has_parts && !is_own,
        Language::JavaScript | Language::Go => !is_own,
        Language::Php => target.contains("::") && !target.starts_with('$'),
        Language::Ruby => {
            (has_parts && !is_own || root.starts_with(|c: char| c.is_ascii_uppercase()))
                && !target.starts_with('@')
        }
        Language::Java | Language::Kotlin | Language::CSharp => {
            has_parts && root.starts_with(|c: char| c.is_ascii_uppercase())
        }
        Language::Rust | Language::Shell | Language::Other | Language::Data => false,
    }
}

/// Tells whether a line of the added code itself makes a name known.
fn binds(language: Language, code: &str, root: &str) -> bool {
    let first = words::names(code).next().unwrap_or_default();
    let is_import = matches!(first, "import" | "from" | "use" | "require" | "using")
        || code.contains("require(")
        || code.contains("import(");
    if is_import || !words::names(code).any(|name| name == root) {
        return false;
    }
    let is_root = |target: &&str| words::names(target).next() == Some(root);
    let is_assigned = assigned(code).iter().any(is_root);
    let declares =
        matches!(first, "let" | "const" | "var" | "val" | "for" | "with" | "def" | "async")
            || [":=", "let ", "const ", "var "].iter().any(|mark| code.contains(mark))
            || (!is_assigned && ["func", "=>", " as ", "|"].iter().any(|mark| code.contains(mark)));
    let is_constant = root.starts_with(|c: char| c.is_ascii_uppercase());
    let is_local = language == Language::Python || (language == Language::Ruby && !is_constant);
    let plain = is_local && assigned(code).contains(&root);
    declares || plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_test_did_not_make_it_does_not_change() {
        use Language::*;
        for (language, code, wanted) in [
            (Python, &["import app", "app.total = lambda: 3"][..], Some("app.total")),
            (Python, &["app.rates['a'] = 3"], Some("app.rates['a']")),
            (Python, &["user = User()", "user.name = 3", "assert user.name == 3"], None),
            (Python, &["def test_a(client):", "  client.x = 1"], None),
            (Python, &["self.x = 1", "x = 1", "f(a=1)", "assert a.b == 1", "a.b <= 1"], None),
            (Python, &["with open(p) as f:", "  f.x = 1"], None),
            (JavaScript, &["expect = () => 1"], Some("expect")),
            (JavaScript, &["Math.random = () => 4"], Some("Math.random")),
            (JavaScript, &["it('', () => { Date.now = f; });"], Some("Date.now")),
            (JavaScript, &["const a = {};", "a.b = 1;", "let x; x = 1"], None),
            (Go, &["timeNow = fake"], Some("timeNow")),
            (Go, &["got, err := f()", "got, err = f()"], None),
            (Java, &["Config.limit = 3;"], Some("Config.limit")),
            (Java, &["order.limit = 3;"], None),
            (Ruby, &["LIMIT = 3"], Some("LIMIT")),
            (Ruby, &["@x = 1", "y = 2"], None),
        ] {
            assert_eq!(changed(language, code).as_deref(), wanted, "{code:?}");
        }
    }
}
