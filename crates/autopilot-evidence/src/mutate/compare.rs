//! Comparisons and conditions, turned into their opposites.

use super::{
    candidate::{Candidate, Rank, short},
    code::Code,
    language::Language,
    lex::Kind,
};

/// How many tokens a condition may have.
const CONDITION_TOKENS_MAX: usize = 120;

/// All comparisons, conditions and logical operators in changed lines.
pub(super) fn candidates(code: &Code<'_>, found: &mut Vec<Candidate>) {
    let mut past_guard = 0;
    for at in 0..code.tokens.len() {
        if !code.lines.is_changed(code.line(at)) || at < past_guard {
            continue;
        }
        if let Some((first, last)) = guard(code, at) {
            past_guard = last + 1;
            let whole = code.slice(first, last);
            let never = if code.language == Language::Python { "False and" } else { "false &&" };
            let what = format!("`{}` is never true", short(whole));
            let to = format!("{never} ({whole})");
            code.offer(
                first,
                Candidate::told(code.range(first, last), to, what, Rank::Condition),
                found,
            );
            continue;
        }
        if let Some(flip) = flip(code, at) {
            let is_weak = strands_types(code, at);
            let rank = if is_weak { Rank::Literal } else { Rank::Condition };
            let range = code.range(at, at + flip.tokens - 1);
            let candidate = Candidate::replace(code.text, range, flip.to.to_owned(), rank);
            code.offer(at, candidate.reluctant(is_weak), found);
        } else if let Some(to) = other_logic(code, at) {
            let range = code.range(at, at);
            code.offer(at, Candidate::replace(code.text, range, to.to_owned(), Rank::Logic), found);
        } else if code.kind(at) == Some(Kind::Word) {
            negate(code, at, found);
        }
    }
}

/// The condition of a branch that does nothing but fail, where a keyword opens one.
///
/// The opposite would have the code fail whenever it is called, which a test notices that looks at nothing.
fn guard(code: &Code<'_>, keyword: usize) -> Option<(usize, usize)> {
    if !code.is_word(keyword, "if") || !code.is_first_on_line(keyword) {
        return None;
    }
    let (first, last) = condition(code, keyword)?;
    let binds = (first..=last).any(|at| matches!(code.word(at), "let" | ":="));
    let is_wrapped = code.language.has_parenthesised_conditions();
    let mut then = if is_wrapped { last + 2 } else { last + 1 };
    if matches!(code.word(then), "{" | ":" | "then") {
        then += 1;
    }
    let fails = fails(code, then) && code.line(first) == code.line(last) && !binds;
    (fails && code.language != Language::Elixir).then_some((first, last))
}

/// Tells whether a statement fails.
fn fails(code: &Code<'_>, first: usize) -> bool {
    let line = code.last_on_line(first);
    match code.word(first) {
        "raise" | "throw" | "panic" | "bail" | "die" | "fatalError" | "unreachable" => true,
        "return" if code.language == Language::Rust => {
            code.is_word(first + 1, "Err") || code.slice(first, line).contains("Err(")
        }
        "return" if code.language == Language::Go => {
            let told = code.slice(first, line);
            ["err", "Err", "errors.New", "fmt.Errorf"].iter().any(|word| told.contains(word))
        }
        "process" | "sys" | "os" => matches!(code.word(first + 2), "exit" | "Exit" | "abort"),
        "exit" | "abort" => code.is_mark(first + 1, "("),
        "log" => code.word(first + 2).starts_with("Fatal"),
        _ => false,
    }
}

/// What a comparison becomes, and how many tokens it has.
struct Flip {
    to: &'static str,
    tokens: usize,
}

fn flip(code: &Code<'_>, at: usize) -> Option<Flip> {
    match code.kind(at)? {
        Kind::Mark => mark_flip(code, at).map(|to| Flip { to, tokens: 1 }),
        Kind::Word if code.language == Language::Python => word_flip(code, at),
        Kind::Word | Kind::Number | Kind::Text | Kind::Opaque => None,
    }
}

fn mark_flip(code: &Code<'_>, at: usize) -> Option<&'static str> {
    let sql = code.language == Language::Sql;
    let to = match code.word(at) {
        "==" => "!=",
        "!=" if sql => "=",
        "!=" => "==",
        // The one of Ruby asks whether a case fits, and has no opposite.
        "===" if code.language == Language::Ruby => return None,
        "===" => "!==",
        "!==" => "===",
        "<" => ">=",
        ">" => "<=",
        "<=" => ">",
        ">=" => "<",
        "=" if sql && !is_sql_assignment(code, at) => "<>",
        "<>" if sql => "=",
        "=~" if code.language == Language::Ruby => "!~",
        "!~" if code.language == Language::Ruby => "=~",
        _ => return None,
    };
    let is_between = at > 0 && code.is_operand_end(at - 1) && code.is_operand_start(at + 1);
    (is_between && !is_bracket(code, at)).then_some(to)
}

/// `UPDATE t SET a = 1`: not a comparison before `WHERE`.
fn is_sql_assignment(code: &Code<'_>, at: usize) -> bool {
    let words =
        (at.saturating_sub(CONDITION_TOKENS_MAX)..at).rev().map(|at| code.word(at).to_uppercase());
    let mut words = words.filter(|word| {
        matches!(word.as_str(), "SET" | "WHERE" | "ON" | "HAVING" | ";" | "AND" | "WHEN")
    });
    words.next().is_none_or(|word| word == "SET" || word == ";")
}

/// Tells whether `<` or `>` belongs to type parameters, a tag, or a superclass.
fn is_bracket(code: &Code<'_>, at: usize) -> bool {
    if !matches!(code.word(at), "<" | ">") {
        return false;
    }
    let spaced = code.spacing(at) == (true, true);
    let ends_tag =
        code.language.is_script() && (code.is_first_on_line(at) || code.before(at) == "}");
    let is_template = code.language == Language::Cpp && code.before(at) == "template";
    ends_tag || is_template || (code.language.has_generics() && !spaced)
}

/// `in`, `not in`, `is`, `is not` of Python.
fn word_flip(code: &Code<'_>, at: usize) -> Option<Flip> {
    let next = code.word(at + 1);
    let flip = |to, tokens| Some(Flip { to, tokens });
    match code.word(at) {
        "is" if next == "not" => flip("is", 2),
        "is" => flip("is not", 1),
        "not" if next == "in" && at > 0 && code.is_operand_end(at - 1) => flip("in", 2),
        "in" if code.before(at) != "not" && !is_loop(code, at) => flip("not in", 1),
        _ => None,
    }
}

/// Tells whether an `in` belongs to a `for` before it.
fn is_loop(code: &Code<'_>, at: usize) -> bool {
    let mut back = at;
    for _ in 0..CONDITION_TOKENS_MAX {
        let Some(before) = back.checked_sub(1) else { return false };
        if let Some(open) = code.partner(before).filter(|open| *open < before) {
            back = open;
            continue;
        }
        back = before;
        match code.word(back) {
            "for" => return true,
            "in" | "if" | "while" | "return" | "=" | "(" | "[" | "{" | "and" | "or" | "assert" => {
                return false;
            }
            _ => {}
        }
    }
    false
}

/// Where types follow from comparisons with nothing, the opposite may not compile.
fn strands_types(code: &Code<'_>, at: usize) -> bool {
    let knows = matches!(code.language, Language::Kotlin | Language::Swift | Language::TypeScript);
    let is_nothing = |word: &str| matches!(word, "null" | "nil" | "undefined");
    knows && (is_nothing(code.before(at)) || is_nothing(code.word(at + 1)))
}

fn other_logic(code: &Code<'_>, at: usize) -> Option<&'static str> {
    let by_words = matches!(
        code.language,
        Language::Python | Language::Ruby | Language::Elixir | Language::Php
    );
    let sql = code.language == Language::Sql;
    let to = match code.word(at) {
        "&&" => "||",
        "||" if !sql => "&&",
        "and" if by_words || sql => "or",
        "or" if by_words || sql => "and",
        "AND" if sql => "OR",
        "OR" if sql => "AND",
        _ => return None,
    };
    let is_between = at > 0 && code.is_operand_end(at - 1) && code.is_operand_start(at + 1);
    let binds = (code.first_on_line(at)..at)
        .any(|at| matches!(code.word(at), "let" | "BETWEEN" | "between" | "instanceof" | "is"));
    // A closure without parameters is no disjunction.
    let is_closure = code.language == Language::Rust && code.spacing(at) != (true, true);
    (is_between && !binds && !is_closure).then_some(to)
}

/// A condition without a comparison becomes its opposite as a whole.
fn negate(code: &Code<'_>, keyword: usize, found: &mut Vec<Candidate>) {
    let Some((first, last)) = condition(code, keyword) else { return };
    let words = || (first..=last).map(|at| code.word(at));
    let binds = words()
        .any(|word| matches!(word, "let" | "=" | ":=" | "is" | "instanceof" | "case" | "as"));
    let is_literal = first == last
        && (matches!(code.word(first), "true" | "True" | "false" | "False")
            || code.kind(first) == Some(Kind::Number));
    let has_flip = (first..=last).any(|at| flip(code, at).is_some());
    if binds || is_literal || has_flip || code.line(first) != code.line(last) {
        return;
    }
    let whole = code.slice(first, last);
    let is_joined = words().any(|word| matches!(word, "&&" | "||" | "and" | "or" | "?" | "??"));
    let has_not = matches!(code.word(first), "!" | "not") && !is_joined && first < last;
    let to = if has_not {
        code.slice(first + 1, last).to_owned()
    } else if code.language == Language::Python {
        format!("not ({whole})")
    } else {
        format!("!({whole})")
    };
    let range = code.range(first, last);
    code.offer(first, Candidate::replace(code.text, range, to, Rank::Condition), found);
}

/// The tokens of the condition that a keyword opens.
fn condition(code: &Code<'_>, keyword: usize) -> Option<(usize, usize)> {
    let language = code.language;
    let word = code.word(keyword);
    let opens = matches!(word, "if" | "while" | "elif" | "elsif" | "elseif" | "unless" | "until")
        || (word == "guard" && language == Language::Swift);
    // A field, a symbol or an annotation may have the name of a keyword.
    let is_name =
        matches!(code.before(keyword), "." | "::" | "@" | ":") && !code.spacing(keyword).0;
    if !opens || language == Language::Sql || is_name {
        return None;
    }
    if language.has_parenthesised_conditions() {
        let open = Some(keyword + 1).filter(|open| code.is_mark(*open, "("))?;
        let close = code.partner(open)?;
        return (open + 1 < close).then(|| (open + 1, close - 1));
    }
    let mut first = keyword + 1;
    let mut at = first;
    while at < keyword + CONDITION_TOKENS_MAX {
        let word = code.word(at);
        let is_end = match language {
            Language::Python => {
                matches!(word, ":" | "else" | "if" | "for" | "async" | ")" | "]" | "}")
            }
            Language::Ruby => word == "then" || code.line(at) > code.line(keyword),
            Language::Elixir => matches!(word, "do" | ","),
            Language::Swift => matches!(word, "{" | "else"),
            _ => matches!(word, "{" | "=>"),
        };
        if is_end || (word.is_empty() && language == Language::Ruby) {
            return (first < at).then(|| (first, at - 1));
        }
        match word {
            ";" if language == Language::Go => first = at + 1,
            ";" | "," | "" | "|" | ")" | "]" | "}" => return None,
            _ => {}
        }
        at = code.past(at);
    }
    None
}
