//! Anthropic Messages.

use serde_json::{Value, json};

use super::{
    asked::{Asked, Tool, Wire},
    reply::{Act, Trouble},
    wire::{Answer, TOKENS_IN, TOKENS_OUT, named},
};

pub(super) fn asked(body: &Value) -> Asked {
    let tools = body["tools"].as_array().into_iter().flatten();
    let tool = |tool: &Value| {
        let name = tool["name"].as_str()?.to_owned();
        Some(Tool { name, schema: tool.get("input_schema").cloned() })
    };
    let mut results = 0;
    for message in body["messages"].as_array().into_iter().flatten() {
        let parts = message["content"].as_array().into_iter().flatten();
        let here = parts.filter(|part| part["type"] == "tool_result").count();
        if message["role"] == "user" {
            results = if here > 0 { results + here } else { 0 };
        }
    }
    Asked {
        wire: Wire::Anthropic,
        number: 0,
        tools: tools.filter_map(tool).collect(),
        results,
        schema: body["output_config"]["format"].get("schema").cloned(),
        talk: body["messages"].to_string(),
        body: body.to_string(),
    }
}

pub(super) fn answer(body: &Value, act: &Result<Act, Trouble>) -> Answer {
    let text = |text: &str| vec![json!({"type": "text", "text": text})];
    let (blocks, stop) = match act {
        Ok(Act::Say(words)) => (text(words), "end_turn"),
        Ok(Act::Call { name, input }) => {
            let mut blocks = text("I will use a tool.");
            blocks.push(json!({"type": "tool_use", "id": id(body), "name": name, "input": input}));
            (blocks, "tool_use")
        }
        Ok(Act::Custom { text: words, .. }) => (text(words), "end_turn"),
        Err(Trouble::Cut | Trouble::Stall(_) | Trouble::Overloaded) => {
            (text("I begin"), "end_turn")
        }
        Err(trouble) => return refusal(trouble),
    };
    let usage = json!({"input_tokens": TOKENS_IN, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": TOKENS_OUT});
    let mut message = json!({"id": "msg_1", "type": "message", "role": "assistant", "model": body["model"], "content": blocks,
        "stop_reason": stop, "stop_sequence": null, "usage": usage});
    if body["stream"] != true {
        return match act {
            Ok(_) => Answer::json(200, &message),
            Err(_) => refusal(&Trouble::Status { status: 529, retry_after_s: None }),
        };
    }
    message["content"] = json!([]);
    message["stop_reason"] = Value::Null;
    let mut events = vec![json!({"type": "message_start", "message": message})];
    for (index, block) in blocks.iter().enumerate() {
        let (start, delta) = if block["type"] == "text" {
            (
                json!({"type": "text", "text": ""}),
                json!({"type": "text_delta", "text": block["text"]}),
            )
        } else {
            let mut start = block.clone();
            start["input"] = json!({});
            let input = block["input"].to_string();
            (start, json!({"type": "input_json_delta", "partial_json": input}))
        };
        events.push(json!({"type": "content_block_start", "index": index, "content_block": start}));
        events.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
        events.push(json!({"type": "content_block_stop", "index": index}));
    }
    let delta = json!({"stop_reason": stop, "stop_sequence": null});
    events.push(json!({"type": "message_delta", "delta": delta, "usage": usage}));
    events.push(json!({"type": "message_stop"}));
    let stream = Answer::stream(events.iter().map(named).collect());
    match act {
        Ok(_) => stream,
        Err(trouble) => {
            let error = json!({"type": "overloaded_error", "message": "Overloaded"});
            stream.troubled(trouble, 3, named(&json!({"type": "error", "error": error})))
        }
    }
}

/// Ids differ from request to request, since conversations are told apart by them.
fn id(body: &Value) -> String {
    format!("toolu_{:08}", body["messages"].as_array().map_or(0, Vec::len))
}

fn refusal(trouble: &Trouble) -> Answer {
    let told = |status: u16, kind: &str, message: &str| {
        let error = json!({"type": kind, "message": message});
        Answer::json(status, &json!({"type": "error", "error": error, "request_id": "req_1"}))
    };
    match trouble {
        Trouble::Page => Answer::page(),
        Trouble::Context => {
            told(400, "invalid_request_error", "prompt is too long: 215000 tokens > 200000 maximum")
        }
        Trouble::UsedUp { seconds } => {
            let message =
                "This request would exceed your account's rate limit. Please try again later.";
            told(429, "rate_limit_error", message)
                .with("retry-after", seconds)
                .with("anthropic-ratelimit-unified-status", "rejected")
                .with("x-should-retry", "false")
        }
        Trouble::Status { status, retry_after_s } => {
            let (kind, message) = match status {
                401 => ("authentication_error", "invalid x-api-key"),
                403 => (
                    "permission_error",
                    "Your API key does not have permission to use the specified resource.",
                ),
                404 => ("not_found_error", "model: no-such-model"),
                429 => (
                    "rate_limit_error",
                    "This request would exceed your organization's rate limit.",
                ),
                529 => ("overloaded_error", "Overloaded"),
                _ => ("api_error", "Internal server error"),
            };
            let refused = told(*status, kind, message);
            match retry_after_s {
                Some(seconds) => refused.with("retry-after", seconds),
                None => refused,
            }
        }
        Trouble::Overloaded | Trouble::Cut | Trouble::Stall(_) => {
            told(529, "overloaded_error", "Overloaded")
        }
    }
}
