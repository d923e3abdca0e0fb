//! The words between the phases of a dependency value.

/// Words after which a value no longer lists hard dependencies.
pub(super) const STOPS: &[&str] = &[
    "independent",
    "independently",
    "parallel",
    "parallelizable",
    "optional",
    "optionally",
    "soft",
    "softly",
    "but",
    "however",
    "best",
    "ideally",
    "recommended",
    "useful",
    "before",
    "unless",
    "except",
    "without",
    "not",
    "template",
    "blocks",
    "unblocks",
    "enables",
    "prerequisite",
    "prereq",
    "informs",
    "though",
    "although",
    "nice",
    "preferably",
    "unrelated",
    "parallelo",
    "paralelo",
    "параллельно",
    "паралельно",
    "независимо",
    "незалежно",
    "parallellt",
    "oberoende",
];

/// Words that join two ids of one list.
pub(super) const JOINS: &[&str] =
    &["and", "y", "e", "и", "та", "і", "und", "och", "et", "ve", "plus", "with", "и", "&", "và"];

/// Words that may stand between two ids without ending the list.
pub(super) const HARMLESS: &[&str] = &[
    "complete",
    "completed",
    "completion",
    "done",
    "shipped",
    "finished",
    "only",
    "both",
    "all",
    "must",
    "be",
    "is",
    "are",
    "完成",
    "завершена",
    "завершены",
    "completa",
    "completada",
    "klar",
    "merged",
    "delivered",
    "verified",
    "passed",
    "executed",
];

/// Words between the ends of a range.
pub(super) const RANGE_WORDS: &[&str] =
    &["to", "through", "thru", "bis", "до", "по", "hasta", "até", "till"];

/// Words for the phases before this one.
pub(super) const EARLIER: &[&str] =
    &["previous", "prior", "earlier", "preceding", "other", "above", "before"];

/// Words after which a number is that of something else.
pub(super) const OTHER_UNITS: &[&str] = &[
    "plan",
    "plans",
    "task",
    "tasks",
    "wave",
    "waves",
    "milestone",
    "milestones",
    "step",
    "steps",
    "section",
    "version",
    "requirement",
    "requirements",
    "sprint",
    "week",
    "issue",
    "pr",
    "adr",
];
