//! What a function says it returns, and another value of that type.

use super::{
    code::Code,
    language::Language,
    lex::Kind,
    words::{MUTATED, broken, other_number},
};

/// What is known about a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value<'a> {
    /// The function returns nothing.
    Nothing,
    Truth,
    Whole,
    Real,
    Text,
    /// A text that is borrowed, or that any literal can be.
    Borrowed,
    /// There may be none.
    Maybe,
    List,
    /// A result in the sense of Rust, with the type of what is in it.
    Fallible(&'a str),
    Unknown,
}

const TRUTHS: [&str; 6] = ["bool", "boolean", "Bool", "Boolean", "_Bool", "truthy"];
const WHOLES: [&str; 40] = [
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "usize",
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "isize",
    "int",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "byte",
    "rune",
    "long",
    "short",
    "Int",
    "Long",
    "Integer",
    "unsigned",
    "size_t",
    "ssize_t",
    "int32_t",
    "int64_t",
    "uint32_t",
    "uint64_t",
    "ulong",
    "UInt",
    "number",
    "long long",
];
const REALS: [&str; 8] = ["f32", "f64", "float", "double", "Double", "Float", "float32", "float64"];
const TEXTS: [&str; 3] = ["String", "string", "str"];
const NOTHINGS: [&str; 7] = ["void", "()", "Unit", "Void", "None", "never", "!"];

/// Reads a type as it is written.
pub(super) fn value_of(language: Language, written: &str) -> Value<'_> {
    let written = written.trim();
    let inner = inner_type(written);
    let bare = strip_lead(written);
    let bare = bare.strip_prefix("std::").unwrap_or(bare);
    if NOTHINGS.contains(&bare) || bare.is_empty() {
        Value::Nothing
    } else if bare.ends_with(['*'])
        || bare.ends_with('?')
        || bare.starts_with('*')
        || starts_generic(bare, &["Option", "Optional", "optional"])
    {
        Value::Maybe
    } else if let Some(inner) =
        inner.filter(|_| starts_generic(bare, &["Result", "io::Result", "anyhow::Result"]))
    {
        if language == Language::Rust { Value::Fallible(inner) } else { Value::Unknown }
    } else if let Some(inner) =
        inner.filter(|_| starts_generic(bare, &["Promise", "Task", "ValueTask"]))
    {
        value_of(language, inner)
    } else if TRUTHS.contains(&bare) {
        Value::Truth
    } else if WHOLES.contains(&bare) {
        Value::Whole
    } else if REALS.contains(&bare) {
        Value::Real
    } else if language == Language::Rust && bare == "str" {
        Value::Borrowed
    } else if TEXTS.contains(&bare) {
        Value::Text
    } else if bare.ends_with("[]")
        || bare.starts_with('[')
        || bare.starts_with("map[")
        || starts_generic(bare, &["Vec", "List", "list", "Array", "vector"])
    {
        Value::List
    } else {
        Value::Unknown
    }
}

/// The type without references, lifetimes and words that do not matter.
fn strip_lead(written: &str) -> &str {
    let mut bare = written;
    for lead in ["&'static ", "&'a ", "&", "const ", "mut ", "inline ", "unsigned "] {
        bare = bare.strip_prefix(lead).unwrap_or(bare);
    }
    bare.trim()
}

fn starts_generic(bare: &str, names: &[&str]) -> bool {
    names
        .iter()
        .any(|name| bare.strip_prefix(name).is_some_and(|rest| rest.starts_with(['<', '['])))
}

/// What stands first between the brackets of a type.
fn inner_type(written: &str) -> Option<&str> {
    let open = written.find(['<', '['])?;
    let inside = written.get(open + 1..)?;
    let mut depth = 0_usize;
    for (at, c) in inside.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            ',' | '>' | ']' if depth == 0 => return inside.get(..at),
            '>' | ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// Another value of a type than the expression in tokens `first..=last`; `None` where none is sure to compile.
pub(super) fn other_value(
    code: &Code<'_>,
    value: Value<'_>,
    first: usize,
    last: usize,
) -> Option<String> {
    let language = code.language;
    let expression = code.slice(first, last);
    let whole = if first == last { expression.to_owned() } else { format!("({expression})") };
    let flipped = match expression {
        "true" => Some("false"),
        "false" => Some("true"),
        "True" => Some("False"),
        "False" => Some("True"),
        _ => None,
    };
    if let Some(flipped) = flipped {
        return Some(flipped.to_owned());
    }
    if let Some(literal) = other_literal(code, first).filter(|_| first == last) {
        return (value != Value::Nothing).then_some(literal);
    }
    match value {
        Value::Nothing => None,
        Value::Truth if language == Language::Python => Some(format!("not {whole}")),
        Value::Truth => Some(format!("!{whole}")),
        Value::Whole => Some(format!("{whole} + 1")),
        Value::Real if matches!(language, Language::Rust | Language::Swift | Language::Kotlin) => {
            Some(format!("{whole} + 1.0"))
        }
        Value::Real => Some(format!("{whole} + 1")),
        Value::Borrowed => Some(format!("\"{MUTATED}\"")),
        Value::Text => Some(other_text(language, &whole)),
        Value::Maybe => nothing(language, expression),
        Value::List => empty_list(code, expression),
        Value::Fallible(inner) => fallible(code, inner, first, last),
        Value::Unknown => unknown(language, expression),
    }
}

/// Another number or text in place of one.
fn other_literal(code: &Code<'_>, at: usize) -> Option<String> {
    let (start, end) = code.range(at, at);
    let inner = code.tokens.get(at)?.inner;
    match code.kind(at)? {
        Kind::Number => other_number(code.word(at)),
        Kind::Text if !code.word(at).contains('\n') && code.language != Language::Rust => {
            let before = code.text.get(start..inner.0)?;
            let (inside, after) = (code.text.get(inner.0..inner.1)?, code.text.get(inner.1..end)?);
            let is_character =
                before.ends_with('\'') && code.language.is_typed() && !code.language.is_script();
            (!is_character).then(|| format!("{before}{}{after}", broken(inside)))
        }
        Kind::Word | Kind::Text | Kind::Opaque | Kind::Mark => None,
    }
}

fn other_text(language: Language, whole: &str) -> String {
    match language {
        Language::Rust => format!("\"{MUTATED}\".to_owned()"),
        Language::Php => format!("{whole} . \"{MUTATED}\""),
        Language::Go
        | Language::Java
        | Language::Kotlin
        | Language::Swift
        | Language::CSharp
        | Language::TypeScript => {
            format!("{whole} + \"{MUTATED}\"")
        }
        _ => format!("\"{MUTATED}\""),
    }
}

fn nothing(language: Language, expression: &str) -> Option<String> {
    let to = match language {
        Language::Rust | Language::Python => "None",
        Language::Swift => "nil",
        Language::Kotlin | Language::TypeScript | Language::CSharp | Language::Php => "null",
        Language::Java => "null",
        Language::Cpp if expression.contains("nullopt") => return None,
        Language::C => "0",
        Language::Cpp => "{}",
        _ => return None,
    };
    (expression != to).then(|| to.to_owned())
}

fn empty_list(code: &Code<'_>, expression: &str) -> Option<String> {
    let to = match code.language {
        Language::Rust => "Vec::new()",
        Language::Swift | Language::TypeScript | Language::Python => "[]",
        Language::Kotlin => "emptyList()",
        Language::Java => "null",
        Language::CSharp => "default",
        Language::Cpp => "{}",
        _ => return None,
    };
    (expression != to).then(|| to.to_owned())
}

/// `Ok(x)` becomes `Ok` of another value.
fn fallible(code: &Code<'_>, inner: &str, first: usize, last: usize) -> Option<String> {
    let is_ok = code.is_word(first, "Ok")
        && code.is_mark(first + 1, "(")
        && code.partner(first + 1) == Some(last);
    let value = value_of(code.language, inner);
    if !is_ok || first + 2 > last - 1 || matches!(value, Value::Fallible(_)) {
        return None;
    }
    other_value(code, value, first + 2, last - 1).map(|other| format!("Ok({other})"))
}

fn unknown(language: Language, expression: &str) -> Option<String> {
    let to = match language {
        Language::Python => "None",
        Language::JavaScript | Language::Php | Language::Java => "null",
        Language::TypeScript => "null as any",
        Language::Ruby | Language::Elixir => "nil",
        Language::CSharp => "default",
        Language::Rust if expression.starts_with("Some(") && expression.ends_with(')') => "None",
        _ => return None,
    };
    let is_same = matches!(expression, "None" | "null" | "nil" | "undefined" | "default");
    match (is_same, language) {
        (false, _) => Some(to.to_owned()),
        (
            true,
            Language::Python
            | Language::JavaScript
            | Language::Php
            | Language::Ruby
            | Language::Elixir,
        ) => Some("1".to_owned()),
        (true, _) => None,
    }
}
