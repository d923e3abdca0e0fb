//! Additions to tests in languages whose blocks have brackets around them.

use super::{
    items::{self, Item, Place, Statement},
    judge::{Added, INHERITS},
    language::Language,
};

/// The whole things that a piece of a file adds, or why it is not made of such.
pub(super) fn items(added: &Added<'_, '_>) -> Result<Vec<Item>, String> {
    let lines = &added.text.lines;
    let first = &lines[added.range.start];
    let (end_depth, end_neutral) = match lines.get(added.range.end) {
        Some(line) => (line.depth, line.is_neutral),
        None => (0, true),
    };
    let inside = &lines[added.range.clone()];
    let is_level =
        end_depth == first.depth && inside.iter().all(|line| line.depth_least >= first.depth);
    if !first.is_neutral || !end_neutral || !is_level {
        return Err("is not whole: it begins or ends inside of something".to_owned());
    }
    if inside.iter().all(|line| line.raw.trim().is_empty()) {
        return Ok(Vec::new());
    }
    if let Some((b'(', opener)) = first.within
        && added.language == Language::Go
        && lines[opener].code.trim() == "import ("
    {
        let is_import =
            inside.iter().all(|line| line.is_silent() || items::is_go_import(&line.code));
        return if is_import {
            Ok(Vec::new())
        } else {
            Err("adds an import for its effects".to_owned())
        };
    }
    let place = place(added, first.within)?;
    begins_well(added, first.within.map(|(_, line)| line))?;
    let mut found = Vec::new();
    for statement in statements(added.language, inside.iter().map(|line| line.code.as_str()))? {
        let item = items::item_of(added.language, &statement)?;
        items::fits(&item, place)?;
        found.push(item);
    }
    Ok(found)
}

/// What the block is for that an addition is made to.
fn place(added: &Added<'_, '_>, within: Option<(u8, usize)>) -> Result<Place, String> {
    let Some((bracket, opener)) = within else {
        return Ok(Place::File);
    };
    let lines = &added.text.lines;
    let mut header = lines[opener].code.trim();
    if header == "{" {
        header = added.code_before(opener).map_or("", |at| lines[at].code.trim());
    } else if !header.ends_with('{') {
        header = "";
    }
    let first = header.split(['(', ' ', '"']).next().unwrap_or_default();
    let place = match added.language {
        _ if bracket != b'{' => None,
        Language::Rust => {
            let bare = header.trim_start_matches("pub(crate) ").trim_start_matches("pub ");
            match bare.starts_with("mod ") {
                true => Some(Place::File),
                false => bare.starts_with("proptest! {").then_some(Place::Suite),
            }
        }
        Language::JavaScript => {
            let suites = ["describe", "context", "suite", "test.describe", "QUnit.module"];
            suites.contains(&first).then_some(Place::Suite)
        }
        Language::Java | Language::Kotlin | Language::CSharp | Language::Php => match first {
            "namespace" => Some(Place::File),
            _ if items::inherits_tests(added.language, header) => {
                return Err(INHERITS.to_owned());
            }
            _ => items::class_name(header).map(|_| Place::Class),
        },
        Language::Go
        | Language::Shell
        | Language::Python
        | Language::Ruby
        | Language::Other
        | Language::Data => None,
    };
    place.ok_or_else(|| "is inside of a test or function that was there".to_owned())
}

/// Checks that what stands before an addition is whole, and what comes after it does not lean on it.
fn begins_well(added: &Added<'_, '_>, opener: Option<usize>) -> Result<(), String> {
    let lines = &added.text.lines;
    let before = added.code_before(added.range.start);
    let code = before.map_or("", |at| lines[at].code.trim());
    let is_first = before.is_none() || before == opener || code == "{";
    let by_newline = matches!(
        added.language,
        Language::JavaScript | Language::Go | Language::Kotlin | Language::Shell
    );
    let first = code.split([' ', '(']).next().unwrap_or_default();
    let is_open = if by_newline {
        code.ends_with([',', '=', '+', '-', '*', '/', '&', '|', '?', ':', '.', '<', '(', '\\'])
            || code.starts_with('@')
            || matches!(first, "if" | "else" | "for" | "while" | "do" | "case" | "export" | "async")
    } else {
        !code.ends_with(['}', ';']) && !code.starts_with("#![") && code != "<?php"
    };
    if added.language == Language::Php && before.is_none() {
        return Err("stands before `<?php`".to_owned());
    }
    if !is_first && is_open {
        return Err("stands between two parts of something that was there".to_owned());
    }
    let after = added.code_after(added.range.end).map_or("", |at| lines[at].code.trim());
    let next = after.split([' ', '(', '{']).next().unwrap_or_default();
    let leans = after
        .starts_with(['(', '[', '.', '`', '+', '-', '*', '/', '?', ':', '=', '&', '|', ','])
        || matches!(next, "else" | "catch" | "finally" | "elif");
    if by_newline && leans {
        return Err("stands before something that would become part of it".to_owned());
    }
    Ok(())
}

/// Splits code into statements of its own level.
fn statements<'t>(
    language: Language,
    lines: impl Iterator<Item = &'t str>,
) -> Result<Vec<Statement>, String> {
    let mut all = Vec::new();
    let mut current = Statement::default();
    let mut depth = 0_usize;
    for line in lines {
        for c in line.chars() {
            let closes = is_bracket(language, c, [')', ']', '}']);
            if closes {
                depth = depth.saturating_sub(1);
            }
            current.full.push(c);
            if depth == 0 {
                current.flat.push(c);
            }
            if is_bracket(language, c, ['(', '[', '{']) {
                depth += 1;
            }
            let ends = c == ';' || (c == '}' && closes && ends_at_brace(&current.flat));
            if depth == 0 && ends {
                all.push(std::mem::take(&mut current));
            }
        }
        let ends = depth == 0 && ends_at_newline(language, current.flat.trim());
        if ends && !current.flat.trim().is_empty() {
            all.push(std::mem::take(&mut current));
        } else {
            current.full.push(' ');
            if depth == 0 {
                current.flat.push(' ');
            }
        }
    }
    if !current.flat.trim().is_empty() {
        return Err("does not end what it begins".to_owned());
    }
    all.retain(|statement| statement.flat.trim() != ";");
    Ok(all)
}

fn is_bracket(language: Language, c: char, brackets: [char; 3]) -> bool {
    if language == Language::Shell { c == brackets[2] } else { brackets.contains(&c) }
}

/// A brace ends a definition, not the list of an import.
fn ends_at_brace(flat: &str) -> bool {
    let first = flat.split_whitespace().next().unwrap_or_default();
    !matches!(first, "import" | "use" | "const" | "let" | "var" | "export")
        && !flat.trim_start().starts_with("pub use")
}

fn ends_at_newline(language: Language, flat: &str) -> bool {
    match language {
        Language::Go | Language::Shell => true,
        Language::JavaScript => !flat.ends_with([',', '=', '+', '&', '|', '?', ':', '.']),
        Language::Kotlin => {
            flat.starts_with("import") || (flat.contains("fun ") && flat.ends_with(['}', ')', '"']))
        }
        Language::Rust
        | Language::Java
        | Language::CSharp
        | Language::Php
        | Language::Python
        | Language::Ruby
        | Language::Other
        | Language::Data => false,
    }
}
