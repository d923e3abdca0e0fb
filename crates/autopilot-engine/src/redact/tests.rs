//! Secrets are taken out, and nothing else is.

use super::*;

const VALUE: &str = "hunter2-hunter2";

fn redactor() -> Redactor {
    let variables = [
        ("DB_PASSWORD", VALUE),
        ("DB_PASSWORD_LONG", "hunter2-hunter2-and-more"),
        ("QUOTED_KEY", "with \"quotes\" inside"),
        ("SHORT_KEY", "short"),
        ("PASSED", "Abc123def456"),
        ("PLACE", "/home/somebody/x"),
        ("WORD", "production"),
        ("PATH", "/usr/bin:/bin-of-mine"),
        ("PEM_KEY", "-----BEGIN X-----\nabcdefghijklmnop\nqrstuvwxyzabcdef\n-----END X-----"),
    ];
    let os = |(name, value): (&str, &str)| (OsString::from(name), OsString::from(value));
    let passed = ["PASSED", "PLACE", "WORD"];
    Redactor::of(variables.map(os), |name| passed.iter().any(|one| name == *one))
}

fn in_pieces(text: &str, size: usize) -> String {
    let (mut stream, mut clean) = (redactor().stream(), Vec::new());
    for piece in text.as_bytes().chunks(size) {
        stream.push(piece, |bytes| clean.extend_from_slice(bytes));
        assert!(stream.held.len() < 2 * SECRET_BYTES_MAX, "memory is bounded");
    }
    stream.finish(|bytes| clean.extend_from_slice(bytes));
    String::from_utf8(clean).expect("text")
}

#[test]
fn secrets_are_taken_out_wherever_the_stream_is_cut() {
    let rows = [
        ("a hunter2-hunter2 b".to_owned(), "a [redacted:DB_PASSWORD] b"),
        ("hunter2-hunter2".to_owned(), "[redacted:DB_PASSWORD]"),
        ("hunter2-hunter2-and-more!".to_owned(), "[redacted:DB_PASSWORD_LONG]!"),
        ("hunter2-hunter2-and".to_owned(), "[redacted:DB_PASSWORD]-and"),
        ("hunter2-hunter".to_owned(), "hunter2-hunter"),
        (
            "hunter2-hunter2hunter2-hunter2".to_owned(),
            "[redacted:DB_PASSWORD][redacted:DB_PASSWORD]",
        ),
        ("hunter2-hunter2-hunter2".to_owned(), "[redacted:DB_PASSWORD]-hunter2"),
        (r#"{"a":"with \"quotes\" inside"}"#.to_owned(), r#"{"a":"[redacted:QUOTED_KEY]"}"#),
        ("short production /home/somebody/x".to_owned(), "short production /home/somebody/x"),
        ("Abc123def456 /bin-of-mine".to_owned(), "[redacted:PASSED] /bin-of-mine"),
        ("k: qrstuvwxyzabcdef".to_owned(), "k: [redacted:PEM_KEY]"),
        (format!("key sk-ant-{} end", "a1".repeat(30)), "key [redacted:token] end"),
        (format!("\"ghp_{}\"", "Z".repeat(36)), "\"[redacted:token]\""),
        (format!("ghp_{}", "Z".repeat(36)), "[redacted:token]"),
        ("sk-ant-short and risk-free ghp_".to_owned(), "sk-ant-short and risk-free ghp_"),
        (format!("task-{} stays", "x".repeat(40)), &format!("task-{} stays", "x".repeat(40))),
        ("id AKIAABCDEFGHIJKLMNOP.".to_owned(), "id [redacted:token]."),
        (
            format!(
                "-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----",
                "Ab+/".repeat(99)
            ),
            "[redacted:private-key]-----END RSA PRIVATE KEY-----",
        ),
    ];
    for (text, expected) in &rows {
        for size in 1..=text.len() {
            assert_eq!(in_pieces(text, size), *expected, "{text} in pieces of {size}");
        }
        assert_eq!(redactor().text(text), *expected);
    }
}

#[test]
fn what_holds_no_secret_comes_through_at_once_and_unchanged() {
    let (redactor, text) = (redactor(), "an ordinary line\n");
    let mut stream = redactor.stream();
    let mut pieces = Vec::new();
    stream.push(text.as_bytes(), |piece| pieces.push(piece.to_vec()));
    assert_eq!(pieces, [text.as_bytes()], "nobody waits for the next piece");
    assert!(matches!(redactor.text(text), Cow::Borrowed(_)));
}

#[test]
fn a_key_without_an_end_does_not_take_everything() {
    let flood = format!("-----BEGIN PRIVATE KEY-----{}", "x".repeat(3 * KEY_BYTES_MAX));
    let clean = in_pieces(&flood, 1000);
    assert!(clean.starts_with("[redacted:private-key]xxx"), "{}", &clean[..60]);
    assert!(clean.len() > KEY_BYTES_MAX);
}

#[test]
fn names_of_secrets_are_known() {
    for (name, is_secret) in [
        ("API_KEY", true),
        ("GH_TOKEN", true),
        ("my_secret_thing", true),
        ("DB_PASSWORD", true),
        ("AWS_SECRET_ACCESS_KEY", true),
        ("PATH", false),
        ("KEYBOARD", false),
        ("MONKEY", false),
    ] {
        assert_eq!(is_secret_name(OsStr::new(name)), is_secret, "{name}");
    }
}
