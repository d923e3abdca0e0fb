//! Whatever a file holds, it gives an entry that can be written and read.

use std::cell::RefCell;

use autopilot_repomap::{FileEntry, Reader};
use proptest::{collection::vec, prelude::*, sample::select, test_runner::TestRunner};

const NAMES: [&str; 10] =
    ["a.rs", "a.py", "a.js", "a.jsx", "a.ts", "a.tsx", "a.go", "a.java", "a.rb", "a.md"];

/// Pieces of programs, which lead deeper into parsers than chance does.
const PIECES: [&str; 40] = [
    "fn f(",
    "impl<T> A for B {",
    "pub use a::{b, c::*};",
    "r#\"",
    "'a",
    "#[x]",
    "def f(",
    "class A",
    "(B):\n",
    "\n    ",
    "import a",
    "from . import (",
    "\"\"\"",
    "f\"{",
    "@d\n",
    "lambda: ",
    "export ",
    "default ",
    "const a = ",
    "=> ",
    "`${",
    "<A b={",
    "</",
    "interface A<T> ",
    "extends B",
    "func (a *A) ",
    "type A struct {",
    "import (\n",
    "package a\n",
    "private ",
    "end\n",
    "<<~X\n",
    "#{",
    "%w[",
    "module.exports = ",
    "require('a')",
    "{",
    "}",
    ")",
    ";\n",
];

/// Reads cases in every language, with one reader: it must not matter what it read before.
fn read_everywhere<S: Strategy>(cases: S, bytes_of: impl Fn(S::Value) -> Vec<u8>) {
    let reader = RefCell::new(Reader::default());
    let mut runner = TestRunner::new(ProptestConfig::with_cases(64));
    let outcome = runner.run(&cases, |case| {
        let bytes = bytes_of(case);
        for name in NAMES {
            let entry = reader.borrow_mut().read(name, &bytes);
            prop_assert_eq!(entry.unread.is_none(), entry.exports.is_some());
            let text = serde_json::to_string(&entry).expect("an entry is plain data");
            prop_assert_eq!(serde_json::from_str::<FileEntry>(&text).ok(), Some(entry));
        }
        Ok(())
    });
    outcome.expect("every case gives an entry");
}

#[test]
fn c44_any_bytes_give_an_entry() {
    read_everywhere(vec(any::<u8>(), 0..400), |bytes| bytes);
}

#[test]
fn c44_any_text_gives_an_entry() {
    read_everywhere("\\PC{0,200}", String::into_bytes);
}

#[test]
fn c44_any_row_of_pieces_gives_an_entry() {
    read_everywhere(vec(select(PIECES.as_slice()), 0..80), |pieces| pieces.concat().into_bytes());
}
