//! Which fault a status or a text stands for. Services change their words: what is not known is said as it is.

use crate::{Fault, FaultClass, reset::reset_in};

/// What texts say, the most telling first: a text that fits several rows is what the first of them says.
const TELLING: [(&str, Kind); 69] = [
    ("prompt is too long", Kind::Context),
    ("prompt_too_long", Kind::Context),
    ("context window", Kind::Context),
    ("context length", Kind::Context),
    ("context_length", Kind::Context),
    ("contextoverflow", Kind::Context),
    ("context limit", Kind::Context),
    ("maximum context", Kind::Context),
    ("input token count", Kind::Context),
    ("exceeds the maximum number of tokens", Kind::Context),
    ("content_filter", Kind::Refused),
    ("contentfilter", Kind::Refused),
    ("content filter", Kind::Refused),
    ("blocked due to safety", Kind::Refused),
    ("safety settings", Kind::Refused),
    ("can't help with this", Kind::Refused),
    ("refusal", Kind::Refused),
    ("credit balance", Kind::Auth),
    ("billing", Kind::Auth),
    ("insufficient_quota", Kind::Auth),
    ("check your plan", Kind::Auth),
    ("api key", Kind::Auth),
    ("api_key", Kind::Auth),
    ("unauthorized", Kind::Auth),
    ("unauthenticated", Kind::Auth),
    ("authentication", Kind::Auth),
    ("failed to authenticate", Kind::Auth),
    ("not logged in", Kind::Auth),
    ("please log in", Kind::Auth),
    ("/login", Kind::Auth),
    ("permission_denied", Kind::Auth),
    ("does not have permission", Kind::Auth),
    ("not supported, url", Kind::Auth),
    ("status 403", Kind::Auth),
    ("forbidden", Kind::Auth),
    ("usage limit", Kind::Limit),
    ("usage_limit", Kind::Limit),
    ("rate limit", Kind::Limit),
    ("rate_limit", Kind::Limit),
    ("ratelimit", Kind::Limit),
    ("too many requests", Kind::Limit),
    ("hit your", Kind::Limit),
    ("quota", Kind::Limit),
    ("has been exhausted", Kind::Limit),
    ("resource_exhausted", Kind::Limit),
    ("429", Kind::Limit),
    ("model_not_found", Kind::Unavailable),
    ("selected model (", Kind::Unavailable),
    ("does not exist", Kind::Unavailable),
    ("is not found for api version", Kind::Unavailable),
    ("model not found", Kind::Unavailable),
    ("overloaded", Kind::Overloaded),
    ("at capacity", Kind::Overloaded),
    ("high demand", Kind::Overloaded),
    ("internal server error", Kind::Overloaded),
    ("internal error", Kind::Overloaded),
    ("server_error", Kind::Overloaded),
    ("server error", Kind::Overloaded),
    ("service unavailable", Kind::Overloaded),
    ("bad gateway", Kind::Overloaded),
    ("timed out", Kind::Overloaded),
    ("timeout", Kind::Overloaded),
    ("fetch failed", Kind::Overloaded),
    ("connection", Kind::Overloaded),
    ("stream disconnected", Kind::Overloaded),
    ("stream ended without", Kind::Overloaded),
    ("non-sse response", Kind::Overloaded),
    ("in json at position", Kind::Overloaded),
    ("incomplete json segment", Kind::Overloaded),
];

/// What a row of the table stands for.
#[derive(Clone, Copy)]
enum Kind {
    Context,
    Refused,
    Auth,
    Limit,
    Unavailable,
    Overloaded,
}

impl Kind {
    fn class(self, said: &str) -> FaultClass {
        match self {
            Self::Context => FaultClass::Context,
            Self::Refused => FaultClass::Refused,
            Self::Auth => FaultClass::Auth,
            Self::Limit => FaultClass::Limit(reset_in(said)),
            Self::Unavailable => FaultClass::Unavailable,
            Self::Overloaded => FaultClass::Overloaded,
        }
    }
}

/// Words behind which a status may stand.
const STATUS_WORDS: [&str; 4] = ["error", "status", "code", "http"];

/// The fault that a text tells of, if it tells of one that is known.
pub fn by_text(said: &str) -> Option<Fault> {
    let lower = said.to_lowercase();
    match TELLING.iter().find(|(words, _)| lower.contains(words)) {
        Some((_, kind)) => Some(Fault::new(kind.class(said), said)),
        None => Some(Fault::new(class_of(status_in(&lower)?, said)?, said)),
    }
}

/// The status in a text such as `API Error: 503 …`.
fn status_in(lower: &str) -> Option<u16> {
    let mut words =
        lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut before = "";
    words.find_map(|word| {
        let is_named = STATUS_WORDS.contains(&before);
        before = word;
        word.parse().ok().filter(|status| is_named && (400..600).contains(status))
    })
}

/// The fault that a status of the service stands for, with what was said beside it, which is more telling where a status stands
/// for several things.
pub(crate) fn by_status(status: u16, said: &str) -> Option<Fault> {
    let said_more = || by_text(said);
    let by_number = || Some(Fault::new(class_of(status, said)?, said));
    match status {
        400 | 403 | 422 => said_more().or_else(by_number),
        _ => by_number().or_else(said_more),
    }
}

/// What a status stands for by itself.
fn class_of(status: u16, said: &str) -> Option<FaultClass> {
    Some(match status {
        401..=403 => FaultClass::Auth,
        404 => FaultClass::Unavailable,
        413 => FaultClass::Context,
        429 => FaultClass::Limit(reset_in(said)),
        408 | 500..=599 => FaultClass::Overloaded,
        _ => return None,
    })
}
