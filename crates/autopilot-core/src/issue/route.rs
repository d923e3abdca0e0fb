//! Which way an issue takes. It is only ever recommended: a person says which one.

use serde::{Deserialize, Serialize};

/// The way that an issue takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Route {
    /// Stories, plan and acceptance tests, then the work.
    Full,
    /// The cause, then a test that shows it, then the repair.
    Bugfix,
    /// How often a test fails, the cause, then a repair after which it never does.
    Flaky,
    /// A change of documents alone.
    Express,
}

impl Route {
    /// All of them, the most careful one first.
    pub const ALL: [Self; 4] = [Self::Full, Self::Bugfix, Self::Flaky, Self::Express];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Bugfix => "bugfix",
            Self::Flaky => "flaky",
            Self::Express => "express",
        }
    }

    /// The route of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|route| route.name() == name)
    }
}

/// What is known of an issue before anybody works on it.
#[derive(Clone, Copy, Debug, Default)]
pub struct About<'a> {
    /// Its labels.
    pub labels: &'a [String],
    /// Its title.
    pub title: &'a str,
    /// What it says.
    pub body: &'a str,
}

/// Why a route is recommended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Because {
    /// A label says so.
    Label(&'static str),
    /// Words of the issue say so.
    Word(&'static str),
    /// Nothing speaks for a shorter one, or more than one thing does.
    Nothing,
}

/// Labels that decide.
const LABELS: [(&str, Route); 3] =
    [("type:bug", Route::Bugfix), ("type:flaky", Route::Flaky), ("type:development", Route::Full)];

const OF_FLAKY: [&str; 6] =
    ["flaky", "不安定", "間欠的に失敗", "intermittent", "intermittently", "sometimes fails"];
const OF_BUGFIX: [&str; 10] = [
    "bug",
    "defect",
    "不具合",
    "壊れた",
    "broken",
    "crash",
    "crashes",
    "regression",
    "直す",
    "fix",
];
const OF_EXPRESS: [&str; 11] = [
    "typo",
    "typos",
    "readme",
    "comment-only",
    ".gitignore",
    "version bump",
    "documentation",
    "docs",
    "誤字",
    "文書",
    "ドキュメント",
];
/// What changes behaviour is never a matter of documents, whatever else is said.
const OF_FULL: [&str; 14] = [
    "behaviour",
    "behavior",
    "hook",
    "hooks",
    "script",
    "ci",
    "dependency",
    "dependencies",
    "security",
    "api",
    "feature",
    "機能",
    "動作",
    "依存",
];

/// The route to recommend, and why: labels first, then words, and the full one where that does not settle it.
pub fn recommend(about: &About<'_>) -> (Route, Because) {
    let labelled: Vec<_> = LABELS
        .into_iter()
        .filter(|(label, _)| about.labels.iter().any(|one| one.eq_ignore_ascii_case(label)))
        .collect();
    match labelled.as_slice() {
        [(label, route)] => return (*route, Because::Label(label)),
        [] => {}
        // Two labels that contradict each other say nothing.
        [_, _, ..] => return (Route::Full, Because::Nothing),
    }
    let text = format!("{}\n{}", about.title, about.body).to_lowercase();
    let found = |words: &'static [&'static str]| words.iter().find(|word| says(&text, word));
    match (found(&OF_FLAKY), found(&OF_BUGFIX), found(&OF_EXPRESS), found(&OF_FULL)) {
        // A test that sometimes fails is often called a bug too, and the longer word is the clearer one.
        (Some(word), _, None, _) => (Route::Flaky, Because::Word(word)),
        (None, Some(word), None, _) => (Route::Bugfix, Because::Word(word)),
        // "fix" a typo: the change is one of documents.
        (None, Some(&"fix" | &"直す") | None, Some(word), None) => {
            (Route::Express, Because::Word(word))
        }
        _ => (Route::Full, Because::Nothing),
    }
}

/// Whether the issue could take the short way: something clearly speaks for it, and nothing says that anything behaves
/// otherwise afterwards.
pub fn is_express_eligible(about: &About<'_>) -> bool {
    recommend(about).0 == Route::Express
}

/// Whether a text says a word; one of letters and digits must stand by itself.
fn says(text: &str, word: &str) -> bool {
    let is_plain = word.chars().all(|c| c.is_ascii_alphanumeric() || c == ' ' || c == '-');
    let is_part = |c: Option<char>| is_plain && c.is_some_and(|c| c.is_ascii_alphanumeric());
    text.match_indices(word).any(|(at, found)| {
        let (before, after) = (&text[..at], &text[at + found.len()..]);
        !is_part(before.chars().next_back()) && !is_part(after.chars().next())
    })
}

/// Whether a file is a document: nothing that runs, and nothing that decides what runs.
pub fn is_document(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let name = lower.rsplit('/').next().unwrap_or(&lower);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let is_named = matches!(name, "license" | "readme" | "changelog" | "authors" | ".gitignore");
    let is_hidden = lower.split('/').any(|part| part.starts_with('.') && part != ".gitignore");
    let is_prose = matches!(ending, "md" | "rst" | "adoc" | "txt");
    // Requirements of a program are no prose, whatever their ending.
    let is_list = name.starts_with("requirements") || name == "cmakelists.txt";
    (is_named || is_prose) && !is_hidden && !is_list
}

#[cfg(test)]
mod tests {
    use super::*;

    fn routed(labels: &[&str], title: &str) -> Route {
        let labels: Vec<String> = labels.iter().map(ToString::to_string).collect();
        recommend(&About { labels: &labels, title, body: "" }).0
    }

    #[test]
    fn a26_labels_come_before_words_and_doubt_takes_the_full_way() {
        let cases: [(&[&str], &str, Route); 19] = [
            (&["type:bug"], "Add a feature", Route::Bugfix),
            (&["type:flaky"], "", Route::Flaky),
            (&["type:development"], "fix the crash", Route::Full),
            (&["TYPE:BUG"], "", Route::Bugfix),
            (&["type:bug", "type:flaky"], "", Route::Full),
            (&["enhancement"], "It crashes on start", Route::Bugfix),
            (&[], "ログイン画面の不具合", Route::Bugfix),
            (&[], "表示が壊れた", Route::Bugfix),
            (&[], "保存を直す", Route::Bugfix),
            (&[], "A regression in parsing", Route::Bugfix),
            (&[], "テストが不安定", Route::Flaky),
            (&[], "CI で間欠的に失敗する", Route::Flaky),
            (&[], "The login test is flaky, a bug?", Route::Flaky),
            (&[], "Sometimes fails on Mondays", Route::Flaky),
            (&[], "Fix a typo in the README", Route::Express),
            (&[], "README の誤字を直す", Route::Express),
            (&[], "Document the new API in docs", Route::Full),
            (&[], "Greet in German", Route::Full),
            (&[], "Prefix all names", Route::Full),
        ];
        for (labels, title, route) in cases {
            assert_eq!(routed(labels, title), route, "{labels:?} {title}");
        }
    }

    #[test]
    fn a25_only_a_clear_sign_without_a_change_of_behaviour_is_express() {
        let is = |title| is_express_eligible(&About { labels: &[], title, body: "" });
        assert!(is("Typo in the changelog"));
        for title in ["Typo in the CI script", "The docs generator crashes", "Improve things"] {
            assert!(!is(title), "{title}");
        }
    }

    #[test]
    fn a30_documents_are_told_by_their_names_and_code_never_is_one() {
        for path in ["README.md", "docs/a/b.rst", "LICENSE", "notes.txt", ".gitignore"] {
            assert!(is_document(path), "{path}");
        }
        for path in [
            "src/main.rs",
            "docs/conf.py",
            "requirements.txt",
            "CMakeLists.txt",
            ".github/a.md",
            "Makefile",
            "md",
            "a.md.sh",
        ] {
            assert!(!is_document(path), "{path}");
        }
    }
}
