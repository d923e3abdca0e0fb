//! OpenAI Chat Completions.

use serde_json::{Value, json};

use super::{
    asked::{Asked, Tool, Wire},
    reply::{Act, Trouble},
    wire::{Answer, TOKENS_IN, TOKENS_OUT, data, openai_refusal},
};

pub(super) fn asked(body: &Value) -> Asked {
    let tool = |tool: &Value| {
        let function = tool.get("function")?;
        let name = function["name"].as_str()?.to_owned();
        Some(Tool { name, schema: function.get("parameters").cloned() })
    };
    let mut results = 0;
    for message in body["messages"].as_array().into_iter().flatten() {
        match message["role"].as_str() {
            Some("user") => results = 0,
            Some("tool") => results += 1,
            _ => {}
        }
    }
    Asked {
        wire: Wire::Chat,
        number: 0,
        tools: body["tools"].as_array().into_iter().flatten().filter_map(tool).collect(),
        results,
        schema: body["response_format"]["json_schema"].get("schema").cloned(),
        talk: body["messages"].to_string(),
        body: body.to_string(),
    }
}

pub(super) fn answer(body: &Value, act: &Result<Act, Trouble>) -> Answer {
    let (words, calls) = match act {
        Ok(Act::Say(words)) => (words.clone(), None),
        Ok(Act::Call { name, input }) => {
            let id = format!("call_{}", body["messages"].as_array().map_or(0, Vec::len));
            let function = json!({"name": name, "arguments": input.to_string()});
            let call = json!({"index": 0, "id": id, "type": "function", "function": function});
            ("I will use a tool.".to_owned(), Some(json!([call])))
        }
        Ok(Act::Custom { text, .. }) => (text.clone(), None),
        Err(Trouble::Cut | Trouble::Stall(_) | Trouble::Overloaded) => ("I begin".to_owned(), None),
        Err(trouble) => return openai_refusal(trouble),
    };
    let stop = if calls.is_some() { "tool_calls" } else { "stop" };
    let usage = json!({"prompt_tokens": TOKENS_IN, "completion_tokens": TOKENS_OUT, "total_tokens": TOKENS_IN + TOKENS_OUT});
    if body["stream"] != true {
        let mut message = json!({"role": "assistant", "content": words});
        calls.into_iter().for_each(|calls| message["tool_calls"] = calls);
        let choice = json!({"index": 0, "message": message, "finish_reason": stop});
        return match act {
            Ok(_) => Answer::json(
                200,
                &json!({"id": "chatcmpl-1", "object": "chat.completion", "created": 1_700_000_000,
                "model": body["model"], "choices": [choice], "usage": usage}),
            ),
            Err(trouble) => openai_refusal(trouble),
        };
    }
    let piece = |delta: Value, stop: Option<&str>| {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": stop});
        json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1_700_000_000, "model": body["model"],
            "choices": [choice]})
    };
    let mut events = vec![
        piece(json!({"role": "assistant", "content": ""}), None),
        piece(json!({"content": words}), None),
    ];
    events.extend(calls.map(|calls| piece(json!({"tool_calls": calls}), None)));
    events.push(piece(json!({}), Some(stop)));
    if body["stream_options"]["include_usage"] == true {
        let mut last = piece(json!({}), None);
        last["choices"] = json!([]);
        last["usage"] = usage;
        events.push(last);
    }
    let mut lines: Vec<String> = events.iter().map(data).collect();
    lines.push("data: [DONE]\n\n".to_owned());
    let stream = Answer::stream(lines);
    match act {
        Ok(_) => stream,
        Err(trouble) => {
            let error = json!({"message": "Our servers are currently overloaded.", "type": "server_error", "code": 503});
            stream.troubled(trouble, 2, data(&json!({"error": error})))
        }
    }
}
