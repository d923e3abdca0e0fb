//! The service as a client sees it.

use std::{
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

use serde_json::{Value, json};

use super::{Asked, ModelServer, Reply, Trouble};

/// The head and the body of what is answered.
fn post(server: &ModelServer, path: &str, body: &Value) -> (String, String) {
    let address = server.url().replace("http://", "");
    let mut stream = TcpStream::connect(address).expect("it listens");
    let body = body.to_string();
    let head = format!("POST {path} HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n", body.len());
    stream.write_all((head + &body).as_bytes()).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
    (head.to_owned(), body.to_owned())
}

/// A request in each of the forms, with a tool that runs commands.
fn requests(streams: bool) -> [(&'static str, Value); 4] {
    let schema = json!({"type": "object", "properties": {"command": {"type": "string"}}});
    let talk = json!([{"role": "user", "content": "do it"}]);
    let gemini = if streams {
        "/v1beta/models/m:streamGenerateContent?alt=sse"
    } else {
        "/v1beta/models/m:generateContent"
    };
    [
        (
            "/v1/messages",
            json!({"model": "m", "stream": streams, "messages": talk,
            "tools": [{"name": "Bash", "input_schema": schema}]}),
        ),
        (
            "/v1/responses",
            json!({"model": "m", "stream": streams, "input": talk,
            "tools": [{"type": "function", "name": "shell", "parameters": schema}]}),
        ),
        (
            "/v1/chat/completions",
            json!({"model": "m", "stream": streams, "messages": talk,
            "tools": [{"type": "function", "function": {"name": "bash", "parameters": schema}}]}),
        ),
        (
            gemini,
            json!({"contents": [{"role": "user", "parts": [{"text": "do it"}]}],
            "tools": [{"functionDeclarations": [{"name": "run_shell_command", "parameters": schema}]}]}),
        ),
    ]
}

#[test]
fn every_form_is_read_and_answered_with_a_call_of_the_tool_that_is_offered() {
    let server = ModelServer::start(|asked: &Asked| {
        assert!(asked.says("do it"), "{}", asked.talk);
        Reply::Run("ls -l".to_owned())
    });
    for streams in [false, true] {
        for (path, request) in requests(streams) {
            let (head, body) = post(&server, path, &request);
            assert!(head.starts_with("HTTP/1.1 200"), "{path}: {head}");
            assert!(body.contains("ls -l"), "{path}: {body}");
            let events = body.lines().filter_map(|line| line.strip_prefix("data: "));
            let whole = events.filter(|event| *event != "[DONE]");
            assert!(
                whole.clone().all(|event| serde_json::from_str::<Value>(event).is_ok()),
                "{body}"
            );
            assert_eq!(whole.count() > 0, streams, "{path}");
        }
    }
    assert_eq!(server.asked().len(), 8);
    assert!(server.asked().iter().all(|asked| asked.tools.len() == 1 && asked.results == 0));
}

#[test]
fn every_trouble_is_told_in_the_form_of_the_service() {
    let rows = [
        (Trouble::Status { status: 429, retry_after_s: Some(7) }, "HTTP/1.1 429", "7"),
        (Trouble::Context, "HTTP/1.1 400", "maximum"),
        (Trouble::Page, "HTTP/1.1 200", "<html>"),
        (Trouble::Cut, "HTTP/1.1 200", "begin"),
        (Trouble::Overloaded, "HTTP/1.1 200", "verloaded"),
        (Trouble::Stall(Duration::ZERO), "HTTP/1.1 200", "event-stream"),
        (Trouble::UsedUp { seconds: 60 }, "HTTP/1.1 429", "error"),
    ];
    for (trouble, status, words) in rows {
        let told = trouble.clone();
        let server = ModelServer::start(move |_| Reply::Fail(told.clone()));
        for (path, request) in requests(true) {
            let (head, body) = post(&server, path, &request);
            assert!(head.starts_with(status), "{trouble:?} at {path}: {head}");
            assert!(
                format!("{head}{body}").contains(words),
                "{trouble:?} at {path}: {head}\n{body}"
            );
            let is_whole = ["message_stop", "response.completed", "[DONE]", "\"STOP\""];
            assert!(
                !is_whole.iter().any(|end| body.contains(end)),
                "{trouble:?} at {path}: {body}"
            );
        }
    }
}

#[test]
fn what_offers_no_tools_is_no_part_of_the_conversation() {
    let server = ModelServer::start(|_| panic!("nobody asks the script"));
    let (_, body) = post(&server, "/v1/messages", &json!({"messages": []}));
    assert!(body.contains("a title"), "{body}");
    assert!(server.asked().is_empty());
}
