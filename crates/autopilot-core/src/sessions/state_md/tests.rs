//! What is written reads back.

use proptest::prelude::*;

use super::*;

fn rewritten(text: &str) -> Option<String> {
    Document::parse(text).map(|document| document.write())
}

#[test]
fn keys_in_another_form_are_not_read_at_all() {
    for text in [
        "no keys",
        "---\n---\n",
        "---\n a: 1\n---\n",
        "---\na\n---\n",
        "---\n: 1\n---\n",
        "---\na:\n  - x\n---\n",
        "---\na:\n  - x: 1\n      y: 2\n---\n",
        "---\na:\n  -\n---\n",
        "---\na: 1\n",
    ] {
        assert_eq!(Document::parse(text), None, "{text}");
    }
}

#[test]
fn texts_that_look_like_something_else_are_kept_in_quotes() {
    for text in ["true", "null", "~", "42", "1.0", "", "a b", "[x]", "\"", "'", "#x", "a\nb", "\\"]
    {
        let written = Scalar::Text(text.to_owned()).write();
        assert_eq!(Scalar::read(&written), Scalar::Text(text.to_owned()), "{written}");
    }
    assert_eq!(Scalar::Text("feat/x:1".to_owned()).write(), "feat/x:1");
}

#[test]
fn a_key_given_twice_keeps_its_first_place_and_its_last_value() {
    let document = rewritten("---\na: 1\nb: 2\na: 3\n---\n");
    assert_eq!(document.as_deref(), Some("---\na: 3\nb: 2\n---\n\n"));
}

fn key() -> impl Strategy<Value = String> {
    "[a-z][a-z0-9_-]{0,8}"
}

fn scalar() -> impl Strategy<Value = Scalar> {
    let leaf = prop_oneof![
        Just(Scalar::Null),
        any::<bool>().prop_map(Scalar::Bool),
        any::<i32>().prop_map(|number| Scalar::Number(f64::from(number))),
        (-9999_i32..9999).prop_map(|number| Scalar::Number(f64::from(number) / 100.0)),
        any::<String>().prop_map(Scalar::Text),
    ];
    let list = proptest::collection::vec(leaf.clone(), 0..4).prop_map(Scalar::List);
    prop_oneof![leaf, list]
}

fn entry() -> impl Strategy<Value = Entry> {
    proptest::collection::vec((key(), scalar()), 1..4).prop_map(|pairs| {
        let mut entry = Entry::default();
        for (key, scalar) in pairs {
            entry.set(&key, scalar);
        }
        entry
    })
}

fn document() -> impl Strategy<Value = Document> {
    let field = prop_oneof![
        scalar().prop_map(Field::Scalar),
        proptest::collection::vec(entry(), 1..3).prop_map(Field::Entries),
    ];
    let fields = proptest::collection::vec((key(), field), 0..5);
    (fields, "[ -~\n\r]{0,20}").prop_map(|(pairs, body)| {
        let mut fields = Fields::default();
        for (key, field) in pairs {
            fields.set(&key, field);
        }
        Document { fields, body }
    })
}

/// Lines that are, or nearly are, keys.
fn nearly() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        "[ -~]{0,12}",
        "[a-c]: [ -~]{0,8}",
        "[a-c]:",
        "  - [a-c]: [ -~]{0,6}",
        "    [a-c]: [ -~]{0,6}",
        Just("# c".to_owned()),
        Just(String::new()),
    ];
    let end = prop_oneof![Just("\n"), Just("\r\n")];
    (proptest::collection::vec(line, 0..8), end, "[ -~\n]{0,12}")
        .prop_map(|(lines, end, body)| format!("---{end}{}{end}---{end}{body}", lines.join(end)))
}

proptest! {
    #[test]
    fn what_is_written_reads_back(document in document()) {
        prop_assert_eq!(Document::parse(&document.write()), Some(document));
    }

    #[test]
    fn writing_again_changes_nothing(text in nearly()) {
        if let Some(once) = rewritten(&text) {
            prop_assert_eq!(rewritten(&once), Some(once));
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        let read = Document::parse(&format!("---\n{text}\n---\n"));
        prop_assert!(read.is_none_or(|document| !document.write().is_empty()));
    }
}
