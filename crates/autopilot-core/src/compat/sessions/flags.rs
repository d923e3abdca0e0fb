//! Flags.

use serde_json::{Value, json};

use crate::{
    compat::{
        Case,
        case::{Thrown, answered, argument, texts},
    },
    sessions::{
        flags::Flags,
        number::Plain,
        stories::{FlagError, StoryFlags},
    },
};

/// The flags of one loop.
pub(in crate::compat) fn one(case: &Case) -> Case {
    let flags = Flags::parse(texts(argument(case, 0)));
    let told = json!({
        "maxSessions": flags.max_sessions,
        "maxHours": Plain(flags.max_hours),
        "confidenceThreshold": Plain(flags.confidence_threshold),
        "dryRun": flags.dry_run,
    });
    answered(case, Ok(told))
}

/// The flags of several.
pub(in crate::compat) fn several(case: &Case) -> Case {
    let answer =
        StoryFlags::parse(texts(argument(case, 0))).map(told).map_err(|error| match error {
            FlagError::Form(why) => Thrown::new("TypeError", why),
            FlagError::Meaning(why) => Thrown::new("UserError", why),
        });
    answered(case, answer)
}

fn told(flags: StoryFlags) -> Value {
    json!({
        "maxStories": flags.max_stories,
        "maxHours": Plain(flags.max_hours),
        "inactivityTimeoutMs": u64::from(flags.inactivity_s) * 1_000,
        "draftMrPolicy": flags.draft_mr.name(),
        "stallTimeoutSeconds": flags.stall_s,
        "dryRun": !flags.apply,
        "apply": flags.apply,
        "json": flags.json,
        "verbose": flags.verbose,
        "help": flags.help,
        "version": flags.version,
        "deconflictPaths": flags.deconflict_paths,
    })
}
