//! OpenAI Responses.

use serde_json::{Value, json};

use super::{
    asked::{Asked, Tool, Wire},
    reply::{Act, Trouble},
    wire::{Answer, TOKENS_IN, TOKENS_OUT, named, openai_refusal},
};

pub(super) fn asked(body: &Value) -> Asked {
    let items = || body["input"].as_array().into_iter().flatten();
    let mut offered: Vec<&Value> = body["tools"].as_array().into_iter().flatten().collect();
    // Newer models are offered their tools within the conversation.
    let within = items().filter(|item| item["type"] == "additional_tools");
    offered.extend(within.flat_map(|item| item["tools"].as_array().into_iter().flatten()));
    let tool = |tool: &Value| {
        let name = tool["name"].as_str()?.to_owned();
        match tool["type"].as_str()? {
            "function" => Some(Tool { name, schema: tool.get("parameters").cloned() }),
            "custom" => Some(Tool { name, schema: None }),
            _ => None,
        }
    };
    let mut results = 0;
    for item in items() {
        let kind = item["type"].as_str().unwrap_or("message");
        if kind == "message" && item["role"] == "user" {
            results = 0;
        } else if kind.ends_with("_call_output") {
            results += 1;
        }
    }
    Asked {
        wire: Wire::Responses,
        number: 0,
        tools: offered.into_iter().filter_map(tool).collect(),
        results,
        schema: body["text"]["format"].get("schema").cloned(),
        talk: body["input"].to_string(),
        body: body.to_string(),
    }
}

pub(super) fn answer(body: &Value, act: &Result<Act, Trouble>) -> Answer {
    let call = format!("call_{}", body["input"].as_array().map_or(0, Vec::len));
    let said = |words: &str| {
        json!({"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": words, "annotations": []}]})
    };
    let item = match act {
        Ok(Act::Say(words)) => said(words),
        Ok(Act::Call { name, input }) => {
            json!({"type": "function_call", "id": "fc_1", "call_id": call, "name": name,
            "arguments": input.to_string(), "status": "completed"})
        }
        Ok(Act::Custom { name, text }) => {
            json!({"type": "custom_tool_call", "id": "ctc_1", "call_id": call, "name": name,
            "input": text, "status": "completed"})
        }
        Err(Trouble::Cut | Trouble::Stall(_) | Trouble::Overloaded) => said("I begin"),
        Err(trouble) => return openai_refusal(trouble),
    };
    let usage = json!({"input_tokens": TOKENS_IN, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": TOKENS_OUT,
        "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": TOKENS_IN + TOKENS_OUT});
    let mut response = json!({"id": "resp_1", "object": "response", "created_at": 1_700_000_000, "model": body["model"],
        "status": "in_progress", "output": []});
    let begun = json!({"type": "response.created", "response": response});
    response["status"] = "completed".into();
    response["output"] = json!([item]);
    response["usage"] = usage;
    if body["stream"] != true {
        return match act {
            Ok(_) => Answer::json(200, &response),
            Err(trouble) => openai_refusal(trouble),
        };
    }
    let mut events =
        vec![begun, json!({"type": "response.output_item.added", "output_index": 0, "item": item})];
    if let Some(text) = item["content"][0].get("text") {
        events.push(json!({"type": "response.output_text.delta", "item_id": "msg_1", "output_index": 0, "content_index": 0,
            "delta": text}));
    }
    events.push(json!({"type": "response.output_item.done", "output_index": 0, "item": item}));
    events.push(json!({"type": "response.completed", "response": response}));
    for (number, event) in events.iter_mut().enumerate() {
        event["sequence_number"] = number.into();
    }
    let stream = Answer::stream(events.iter().map(named).collect());
    match act {
        Ok(_) => stream,
        Err(trouble) => {
            let error = json!({"code": "server_is_overloaded", "message": "Our servers are currently overloaded."});
            let failed =
                json!({"id": "resp_1", "object": "response", "status": "failed", "error": error});
            stream.troubled(
                trouble,
                3,
                named(&json!({"type": "response.failed", "response": failed})),
            )
        }
    }
}
