//! What goes over the wire, whatever its form.

use std::time::Duration;

use serde_json::{Value, json};

use super::reply::Trouble;

/// Tokens that every answer is said to cost.
pub(super) const TOKENS_IN: u64 = 1_200;
pub(super) const TOKENS_OUT: u64 = 34;

/// An answer, ready to be sent.
pub(super) enum Answer {
    /// All at once.
    Whole { status: u16, headers: Vec<(&'static str, String)>, kind: &'static str, body: String },
    /// Event by event.
    Stream { events: Vec<String>, then: Then },
}

/// What comes after the last event.
pub(super) enum Then {
    /// The end.
    End,
    /// Nothing, for so long.
    Wait(Duration),
}

impl Answer {
    pub(super) fn json(status: u16, body: &Value) -> Self {
        Self::Whole {
            status,
            headers: Vec::new(),
            kind: "application/json",
            body: body.to_string(),
        }
    }

    pub(super) fn with(self, header: &'static str, value: impl ToString) -> Self {
        match self {
            Self::Whole { status, mut headers, kind, body } => {
                headers.push((header, value.to_string()));
                Self::Whole { status, headers, kind, body }
            }
            Self::Stream { .. } => self,
        }
    }

    pub(super) fn stream(events: Vec<String>) -> Self {
        Self::Stream { events, then: Then::End }
    }

    /// What a gate in the network says instead of the service.
    pub(super) fn page() -> Self {
        let body = "<html><body>Please sign in to this network</body></html>".to_owned();
        Self::Whole { status: 200, headers: Vec::new(), kind: "text/html", body }
    }

    /// The stream as far as a trouble lets it come; `beginning` events are sent before it.
    pub(super) fn troubled(self, trouble: &Trouble, beginning: usize, overloaded: String) -> Self {
        let Self::Stream { mut events, .. } = self else { return self };
        events.truncate(beginning);
        let then = match trouble {
            Trouble::Stall(time) => Then::Wait(*time),
            Trouble::Overloaded => {
                events.push(overloaded);
                Then::End
            }
            _ => Then::End,
        };
        Self::Stream { events, then }
    }
}

/// An event with its name, as most services tell it.
pub(super) fn named(event: &Value) -> String {
    format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default())
}

/// An event without a name.
pub(super) fn data(event: &Value) -> String {
    format!("data: {event}\n\n")
}

/// A refusal as OpenAI words it.
pub(super) fn openai_refusal(trouble: &Trouble) -> Answer {
    let told = |status: u16, kind: &str, code: Option<&str>, message: &str| {
        let error = json!({"message": message, "type": kind, "param": null, "code": code});
        Answer::json(status, &json!({"error": error}))
    };
    match trouble {
        Trouble::Page => Answer::page(),
        Trouble::Context => told(
            400,
            "invalid_request_error",
            Some("context_length_exceeded"),
            "This model's maximum context length is 128000 tokens. However, your messages resulted in 215000 tokens.",
        ),
        Trouble::UsedUp { seconds } => {
            let error = json!({"message": "The usage limit has been reached", "type": "usage_limit_reached",
                "plan_type": "plus", "resets_in_seconds": seconds});
            Answer::json(429, &json!({"error": error})).with("retry-after", seconds)
        }
        Trouble::Status { status, retry_after_s } => {
            let refused = match status {
                401 => told(
                    401,
                    "invalid_request_error",
                    Some("invalid_api_key"),
                    "Incorrect API key provided: sk-test.",
                ),
                403 => told(
                    403,
                    "invalid_request_error",
                    Some("forbidden"),
                    "Country, region, or territory not supported",
                ),
                404 => told(
                    404,
                    "invalid_request_error",
                    Some("model_not_found"),
                    "The model `x` does not exist.",
                ),
                429 => {
                    told(429, "tokens", Some("rate_limit_exceeded"), &rate_limit(*retry_after_s))
                }
                503 | 529 => told(
                    503,
                    "server_error",
                    Some("server_is_overloaded"),
                    "Our servers are currently overloaded.",
                ),
                other => told(
                    *other,
                    "server_error",
                    None,
                    "The server had an error while processing your request.",
                ),
            };
            match retry_after_s {
                Some(seconds) => refused.with("retry-after", seconds),
                None => refused,
            }
        }
        Trouble::Overloaded | Trouble::Cut | Trouble::Stall(_) => {
            told(500, "server_error", None, "no stream")
        }
    }
}

fn rate_limit(seconds: Option<u64>) -> String {
    let again =
        seconds.map_or_else(String::new, |seconds| format!(" Please try again in {seconds}s."));
    format!(
        "Rate limit reached for the model on tokens per min (TPM): Limit 30000, Used 30000.{again}"
    )
}
