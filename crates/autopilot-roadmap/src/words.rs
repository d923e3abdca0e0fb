//! The words a roadmap is written with, in the languages that were seen in real ones.

/// What a labelled line of a phase holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Goal,
    DependsOn,
    Requirements,
    Criteria,
    Plans,
    Status,
    /// A label that may say what a phase depends on in other words: it counts where phases follow.
    Prerequisite,
    /// A label that may say in other words that a phase is done.
    Completion,
    /// A label that is one slip of the pen away from one that schedules or proves a phase.
    Misspelled,
    /// A label that means nothing here, but ends the value before it.
    Other,
}

/// Words that stand before the id of a phase and open with a letter of ASCII, beside "phase" itself. Longer
/// forms come before their prefixes, here and below.
const PHASE_WORDS_ASCII: &[&str] = &[
    "fases",
    "fase",
    "fazlar",
    "fazı",
    "faza",
    "fazy",
    "faz",
    "etapas",
    "etapa",
    "giai đoạn",
    "fas",
];

/// The same with any other first letter. None of these is the capital or small form of one above.
const PHASE_WORDS_OTHER: &[&str] = &[
    "фазами",
    "фазах",
    "фазам",
    "фазою",
    "фазой",
    "фаза",
    "фазы",
    "фази",
    "фазі",
    "фазу",
    "фазе",
    "фаз",
    "étapes",
    "étape",
    "этапы",
    "этапа",
    "этап",
    "етапи",
    "етапу",
    "етап",
    "阶段",
    "階段",
    "フェーズ",
    "단계",
    "المرحلة",
];

const LABELS: &[(&str, Field)] = &[
    ("goals", Field::Goal),
    ("objective", Field::Goal),
    ("objetivo", Field::Goal),
    ("meta", Field::Goal),
    ("цель", Field::Goal),
    ("мета", Field::Goal),
    ("ціль", Field::Goal),
    ("目标", Field::Goal),
    ("目標", Field::Goal),
    ("ziel", Field::Goal),
    ("mål", Field::Goal),
    ("hedef", Field::Goal),
    ("amaç", Field::Goal),
    ("objectif", Field::Goal),
    ("mục tiêu", Field::Goal),
    ("목표", Field::Goal),
    ("الهدف", Field::Goal),
    ("depends", Field::DependsOn),
    ("dependencies", Field::DependsOn),
    ("dependency", Field::DependsOn),
    ("depends upon", Field::DependsOn),
    ("depends on phase", Field::DependsOn),
    ("depends on phases", Field::DependsOn),
    ("depende de", Field::DependsOn),
    ("dependencias", Field::DependsOn),
    ("dependências", Field::DependsOn),
    ("dépend de", Field::DependsOn),
    ("dipende da", Field::DependsOn),
    ("залежить від", Field::DependsOn),
    ("залежності", Field::DependsOn),
    ("зависит от", Field::DependsOn),
    ("зависимости", Field::DependsOn),
    ("bağımlılık", Field::DependsOn),
    ("bağımlılıklar", Field::DependsOn),
    ("bağımlı", Field::DependsOn),
    ("abhängig von", Field::DependsOn),
    ("abhängigkeiten", Field::DependsOn),
    ("hängt ab von", Field::DependsOn),
    ("beroende av", Field::DependsOn),
    ("beroenden", Field::DependsOn),
    ("依赖", Field::DependsOn),
    ("依賴", Field::DependsOn),
    ("依赖关系", Field::DependsOn),
    ("前置依赖", Field::DependsOn),
    ("依存", Field::DependsOn),
    ("依存関係", Field::DependsOn),
    ("의존성", Field::DependsOn),
    ("의존", Field::DependsOn),
    ("phụ thuộc", Field::DependsOn),
    ("phụ thuộc vào", Field::DependsOn),
    ("يعتمد على", Field::DependsOn),
    ("requirement", Field::Requirements),
    ("reqs", Field::Requirements),
    ("requisitos", Field::Requirements),
    ("требования", Field::Requirements),
    ("вимоги", Field::Requirements),
    ("需求", Field::Requirements),
    ("要件", Field::Requirements),
    ("anforderungen", Field::Requirements),
    ("krav", Field::Requirements),
    ("gereksinimler", Field::Requirements),
    ("exigences", Field::Requirements),
    ("요구사항", Field::Requirements),
    ("yêu cầu", Field::Requirements),
    ("success criterion", Field::Criteria),
    ("acceptance criteria", Field::Criteria),
    ("criterios de éxito", Field::Criteria),
    ("critérios de sucesso", Field::Criteria),
    ("критерии успеха", Field::Criteria),
    ("критерії успіху", Field::Criteria),
    ("成功标准", Field::Criteria),
    ("成功標準", Field::Criteria),
    ("成功基準", Field::Criteria),
    ("成功準則", Field::Criteria),
    ("验收标准", Field::Criteria),
    ("erfolgskriterien", Field::Criteria),
    ("framgångskriterier", Field::Criteria),
    ("başarı kriterleri", Field::Criteria),
    ("critères de succès", Field::Criteria),
    ("성공 기준", Field::Criteria),
    ("tiêu chí thành công", Field::Criteria),
    ("plan", Field::Plans),
    ("планы", Field::Plans),
    ("плани", Field::Plans),
    ("planes", Field::Plans),
    ("planos", Field::Plans),
    ("planer", Field::Plans),
    ("pläne", Field::Plans),
    ("计划", Field::Plans),
    ("計画", Field::Plans),
    ("planlar", Field::Plans),
    ("статус", Field::Status),
    ("estado", Field::Status),
    ("durum", Field::Status),
    ("状态", Field::Status),
    ("狀態", Field::Status),
    ("状態", Field::Status),
    ("상태", Field::Status),
    ("trạng thái", Field::Status),
    ("statut", Field::Status),
    ("state", Field::Status),
];

/// Openings of a value that says: depends on nothing.
const NOTHING: &[&str] = &[
    "nothing",
    "none",
    "n/a",
    "na",
    "no",
    "nil",
    "null",
    "nada",
    "ninguna",
    "ninguno",
    "nenhuma",
    "nenhum",
    "ничего",
    "нет",
    "нічого",
    "немає",
    "ні",
    "无",
    "無",
    "没有",
    "沒有",
    "なし",
    "無し",
    "없음",
    "yok",
    "hiçbiri",
    "keine",
    "keiner",
    "nichts",
    "inga",
    "ingen",
    "inget",
    "rien",
    "aucune",
    "aucun",
    "nulla",
    "nessuna",
    "không",
    "لا",
    "independent",
    "standalone",
];

/// Finds a word for "phase" at the start of the text and gives its length.
pub(super) fn phase_word(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    if bytes.len() >= 5 && bytes[..5].eq_ignore_ascii_case(b"phase") {
        let plural = bytes.get(5).is_some_and(|byte| byte.eq_ignore_ascii_case(&b's'));
        return Some(5 + usize::from(plural));
    }
    if !may_open_with_phase_word(text) {
        return None;
    }
    let ascii = bytes.first().is_some_and(u8::is_ascii);
    let words = if ascii { PHASE_WORDS_ASCII } else { PHASE_WORDS_OTHER };
    words.iter().find_map(|word| prefix_ignoring_case(text, word))
}

/// Tells from the first two letters of a text whether it can open with a word for "phase". Of other words in
/// ASCII, which most are, few can.
#[inline]
pub(super) fn may_open_with_phase_word(text: &str) -> bool {
    match text.as_bytes() {
        [first, ..] if !first.is_ascii() => true,
        [first, second, ..] => matches!(
            [first.to_ascii_lowercase(), second.to_ascii_lowercase()],
            [b'p', b'h'] | [b'f', b'a'] | [b'e', b't'] | [b'g', b'i']
        ),
        _ => false,
    }
}

/// Tells whether a word for "phase" names one of them.
pub(super) fn is_singular(word: &str) -> bool {
    const PLURALS: &[&str] = &[
        "phases",
        "fases",
        "etapas",
        "étapes",
        "фазы",
        "фази",
        "этапы",
        "етапи",
        "fazlar",
        "fazy",
    ];
    word == "Phase" || !PLURALS.contains(&word.to_lowercase().as_str())
}

/// Tells what a label stands for; the label comes without its colon.
pub(super) fn field_of(label: &str) -> Field {
    match label {
        "Goal" => return Field::Goal,
        "Depends on" | "Depends On" => return Field::DependsOn,
        "Requirements" => return Field::Requirements,
        "Success Criteria" => return Field::Criteria,
        "Plans" => return Field::Plans,
        "Status" => return Field::Status,
        _ => {}
    }
    if label.len() > 64 {
        return Field::Other;
    }
    // A label may be broken over two lines.
    let words: Vec<String> = label.split_whitespace().map(str::to_lowercase).collect();
    let lower = words.join(" ");
    match lower.as_str() {
        "goal" => Field::Goal,
        "depends on" => Field::DependsOn,
        "requirements" => Field::Requirements,
        "success criteria" => Field::Criteria,
        "plans" => Field::Plans,
        "status" => Field::Status,
        other => match LABELS.iter().find(|(word, _)| *word == other) {
            Some((_, field)) => *field,
            None if is_misspelled(other) => Field::Misspelled,
            None if is_prerequisite(other) => Field::Prerequisite,
            None if matches!(
                other,
                "completed" | "complete" | "done" | "progress" | "shipped" | "finished"
            ) =>
            {
                Field::Completion
            }
            None => Field::Other,
        },
    }
}

/// `Requires`, `Blocked by`, `Hard dependency on 3`.
fn is_prerequisite(label: &str) -> bool {
    let opposite = label.contains("dependent") && !label.contains("dependent on");
    let opposite = opposite || label.starts_with("depended") || label.starts_with("independ");
    let known = [
        "depend",
        "deps",
        "prereq",
        "require",
        "blocked by",
        "needs",
        "builds on",
        "after",
        "follows",
    ];
    !opposite && known.iter().any(|word| label.contains(word))
}

/// Tells whether a label is nearly one whose loss would change what is run, or in which order.
fn is_misspelled(label: &str) -> bool {
    let opposite = matches!(label, "dependents" | "dependants");
    let known =
        ["depends on", "depend on", "dependencies", "success criteria", "acceptance criteria"];
    !opposite && known.iter().any(|word| is_nearly(label.as_bytes(), word))
}

/// Tells whether a text is a word, or is it after one letter was left out, added, changed or swapped.
pub(super) fn is_nearly(text: &[u8], word: &str) -> bool {
    let word = word.as_bytes();
    if text.len().abs_diff(word.len()) > 1 {
        return false;
    }
    let same = text.iter().zip(word).take_while(|(a, b)| a == b).count();
    let (text, word) = (&text[same..], &word[same..]);
    match (text, word) {
        ([], _) | (_, []) => true,
        ([_, after @ ..], [_, rest @ ..]) => {
            let swapped = matches!((text, word), ([a, b, after @ ..], [c, d, rest @ ..])
                if a == d && b == c && after == rest);
            after == rest || after == word || text == rest || swapped
        }
    }
}

/// Tells whether a heading is the one of a progress table.
pub(super) fn is_about_progress(text: &str) -> bool {
    let lower = text.to_lowercase();
    [
        "progress",
        "прогресс",
        "прогрес",
        "progreso",
        "progresso",
        "进度",
        "進捗",
        "fortschritt",
        "ilerleme",
    ]
    .iter()
    .any(|word| lower.contains(word))
}

/// Tells whether a dependency value opens by saying "nothing".
pub(super) fn says_nothing(value: &str) -> bool {
    NOTHING.iter().any(|word| {
        prefix_ignoring_case(value, word).is_some_and(|length| {
            value[length..]
                .chars()
                .next()
                .is_none_or(|next| !next.is_alphanumeric() || !next.is_ascii())
        })
    })
}

/// Gives the length of the prefix of `text` that equals `word`, which is in lower case.
#[inline]
pub(super) fn prefix_ignoring_case(text: &str, word: &str) -> Option<usize> {
    // Nearly every word of a list differs in its first letter.
    let (first, expected) = (*text.as_bytes().first()?, *word.as_bytes().first()?);
    if first.is_ascii() && first.to_ascii_lowercase() != expected {
        return None;
    }
    prefix_of_any_letters(text, word)
}

fn prefix_of_any_letters(text: &str, word: &str) -> Option<usize> {
    let mut rest = text.chars();
    for expected in word.chars() {
        let found = rest.next()?;
        if found != expected && !found.to_lowercase().eq(std::iter::once(expected)) {
            return None;
        }
    }
    Some(text.len() - rest.as_str().len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_phase_are_found_in_any_case_with_their_plurals() {
        for (text, length) in [
            ("Phase 1", 5),
            ("phases 1-4", 6),
            ("PHASE 1", 5),
            ("Фаза 1", 8),
            ("Fases 3 y 4", 5),
            ("Faza 1: Start", 4),
            ("Fazy 1 i 2", 4),
            ("Faz 2", 3),
            ("阶段1", 6),
        ] {
            assert_eq!(phase_word(text), Some(length), "{text}");
        }
        assert_eq!(phase_word("Plan 1"), None);
    }

    #[test]
    fn no_word_for_phase_is_lost_to_a_look_at_its_first_letters() {
        for word in PHASE_WORDS_ASCII.iter().chain(PHASE_WORDS_OTHER) {
            assert!(phase_word(word).is_some(), "{word}");
            assert!(phase_word(&word.to_uppercase()).is_some(), "{word}");
        }
        for word in PHASE_WORDS_ASCII {
            assert!(word.starts_with(|c: char| c.is_ascii()), "{word}");
        }
        for word in PHASE_WORDS_OTHER {
            assert!(word.starts_with(|c: char| !c.is_ascii()), "{word}");
        }
    }

    #[test]
    fn labels_are_known_in_any_case_and_language() {
        assert_eq!(field_of("DEPENDS ON"), Field::DependsOn);
        assert_eq!(field_of("Залежить від"), Field::DependsOn);
        assert_eq!(field_of("Критерии успеха"), Field::Criteria);
        assert_eq!(field_of("Dependencies to add"), Field::Prerequisite);
        assert_eq!(field_of("Hard dependency on 3.1b"), Field::Prerequisite);
        assert_eq!(field_of("Dependents"), Field::Other);
        assert_eq!(field_of("Notes"), Field::Other);
    }

    #[test]
    fn one_slip_of_the_pen_is_noticed() {
        for text in ["phase", "phas", "hase", "phsae", "phaze", "phasee"] {
            assert!(is_nearly(text.as_bytes(), "phase"), "{text}");
        }
        for text in ["pha", "plane", "phrases", "", "esahp"] {
            assert!(!is_nearly(text.as_bytes(), "phase"), "{text}");
        }
        for label in ["Depnds on", "Depend on", "depends_on", "Depends  onn", "Sucess Criteria"] {
            assert_eq!(field_of(label), Field::Misspelled, "{label}");
        }
        for label in ["Dependents", "Depends", "Success", "Criteria"] {
            assert_ne!(field_of(label), Field::Misspelled, "{label}");
        }
    }

    #[test]
    fn only_whole_words_say_nothing() {
        for value in ["None", "nothing (first)", "Нічого", "无", "n/a", "Nothing（首个）"]
        {
            assert!(says_nothing(value), "{value}");
        }
        for value in ["Nonexistent", "Phase 1", "Notes"] {
            assert!(!says_nothing(value), "{value}");
        }
    }
}
