//! Gemini `generateContent`.

use serde_json::{Value, json};

use super::{
    asked::{Asked, Tool, Wire},
    reply::{Act, Trouble},
    wire::{Answer, TOKENS_IN, TOKENS_OUT, data},
};

pub(super) fn asked(body: &Value) -> Asked {
    let groups = body["tools"].as_array().into_iter().flatten();
    let functions =
        groups.flat_map(|group| group["functionDeclarations"].as_array().into_iter().flatten());
    let tool = |tool: &Value| {
        let schema = tool.get("parametersJsonSchema").or_else(|| tool.get("parameters")).cloned();
        Some(Tool { name: tool["name"].as_str()?.to_owned(), schema })
    };
    let mut results = 0;
    for content in body["contents"].as_array().into_iter().flatten() {
        let parts = content["parts"].as_array().into_iter().flatten();
        let here = parts.filter(|part| part.get("functionResponse").is_some()).count();
        if content["role"] == "user" {
            results = if here > 0 { results + here } else { 0 };
        }
    }
    let config = &body["generationConfig"];
    let schema = config.get("responseJsonSchema").or_else(|| config.get("responseSchema")).cloned();
    Asked {
        wire: Wire::Gemini,
        number: 0,
        tools: functions.filter_map(tool).collect(),
        results,
        schema,
        talk: body["contents"].to_string(),
        body: body.to_string(),
    }
}

pub(super) fn answer(body: &Value, act: &Result<Act, Trouble>, streams: bool) -> Answer {
    let parts = match act {
        Ok(Act::Say(words)) => vec![json!({"text": words})],
        Ok(Act::Call { name, input }) => {
            let id = format!("call_{}", body["contents"].as_array().map_or(0, Vec::len));
            vec![json!({"functionCall": {"name": name, "args": input, "id": id}})]
        }
        Ok(Act::Custom { text, .. }) => vec![json!({"text": text})],
        Err(Trouble::Cut | Trouble::Stall(_) | Trouble::Overloaded) => {
            vec![json!({"text": "I begin"}), json!({"text": " and go on"})]
        }
        Err(trouble) => return refusal(trouble),
    };
    let usage = json!({"promptTokenCount": TOKENS_IN, "candidatesTokenCount": TOKENS_OUT, "totalTokenCount": TOKENS_IN + TOKENS_OUT});
    let made = |parts: &[Value], stop: Option<&str>| {
        let mut candidate = json!({"content": {"role": "model", "parts": parts}, "index": 0});
        stop.into_iter().for_each(|stop| candidate["finishReason"] = stop.into());
        json!({"candidates": [candidate], "usageMetadata": usage, "modelVersion": "m", "responseId": "r"})
    };
    if !streams {
        return match act {
            Ok(_) => Answer::json(200, &made(&parts, Some("STOP"))),
            Err(trouble) => refusal(trouble),
        };
    }
    let last = parts.len() - 1;
    let event = |(at, part): (usize, &Value)| {
        let stop = (at == last).then_some("STOP");
        data(&made(std::slice::from_ref(part), stop))
    };
    let stream = Answer::stream(parts.iter().enumerate().map(event).collect());
    match act {
        Ok(_) => stream,
        Err(trouble) => {
            let error = json!({"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"});
            stream.troubled(trouble, 1, data(&json!({"error": error})))
        }
    }
}

fn refusal(trouble: &Trouble) -> Answer {
    let told = |code: u16, status: &str, message: &str, details: Value| {
        let error = json!({"code": code, "message": message, "status": status, "details": details});
        Answer::json(code, &json!({"error": error}))
    };
    match trouble {
        Trouble::Page => Answer::page(),
        Trouble::Context => told(
            400,
            "INVALID_ARGUMENT",
            "The input token count (1215000) exceeds the maximum number of tokens allowed (1048576).",
            json!([]),
        ),
        Trouble::UsedUp { .. } => told(
            429,
            "RESOURCE_EXHAUSTED",
            "You exceeded your current quota, please check your plan and billing details.",
            json!([{"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{
                "quotaMetric": "generativelanguage.googleapis.com/generate_content_free_tier_requests",
                "quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier", "quotaValue": "50"}]}]),
        ),
        Trouble::Status { status, retry_after_s } => match status {
            401 => told(
                400,
                "INVALID_ARGUMENT",
                "API key not valid. Please pass a valid API key.",
                json!([{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID",
                    "domain": "googleapis.com"}]),
            ),
            403 => told(403, "PERMISSION_DENIED", "The caller does not have permission", json!([])),
            404 => {
                told(404, "NOT_FOUND", "models/x is not found for API version v1beta", json!([]))
            }
            429 => {
                let seconds = retry_after_s.unwrap_or(1);
                let message = format!(
                    "Resource has been exhausted (per minute). Please retry in {seconds}s."
                );
                let details = json!([{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": format!("{seconds}s")}]);
                told(429, "RESOURCE_EXHAUSTED", &message, details)
            }
            503 | 529 => told(
                503,
                "UNAVAILABLE",
                "The model is overloaded. Please try again later.",
                json!([]),
            ),
            other => told(*other, "INTERNAL", "An internal error has occurred.", json!([])),
        },
        Trouble::Overloaded | Trouble::Cut | Trouble::Stall(_) => {
            told(503, "UNAVAILABLE", "The model is overloaded. Please try again later.", json!([]))
        }
    }
}
