//! The service itself: a listener, a thread for each connection, a script.

use std::{
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use serde_json::{Value, json};

use super::{
    Asked, Reply, anthropic, chat, gemini,
    http::{self, Request},
    reply::{Act, Trouble},
    responses,
    wire::Answer,
};

/// A script: what is answered to what is asked.
type Script = dyn Fn(&Asked) -> Reply + Send + Sync;

/// A model service on loopback, for as long as the process lives.
pub struct ModelServer {
    address: SocketAddr,
    state: Arc<State>,
}

struct State {
    script: Box<Script>,
    asked: Mutex<Vec<Asked>>,
}

impl ModelServer {
    /// Starts a service that plays a script.
    pub fn start(script: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Self {
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("loopback is there and has a port");
        let address = listener.local_addr().expect("it is bound");
        let state = Arc::new(State { script: Box::new(script), asked: Mutex::default() });
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let state = Arc::clone(&shared);
                // An agent that has gone away needs no answer.
                thread::spawn(move || drop(serve(&stream, &state)));
            }
        });
        Self { address, state }
    }

    /// Where it is, without a path.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What was asked so far, of what offers tools.
    pub fn asked(&self) -> Vec<Asked> {
        self.state.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn serve(stream: &TcpStream, state: &State) -> std::io::Result<()> {
    let request = http::read(stream)?;
    http::send(stream, &answer(&request, state))
}

fn answer(request: &Request, state: &State) -> Answer {
    let path = request.path.split('?').next().unwrap_or_default();
    if path.ends_with("/count_tokens") {
        return Answer::json(200, &json!({"input_tokens": 100}));
    }
    if path.ends_with(":countTokens") {
        return Answer::json(200, &json!({"totalTokens": 100}));
    }
    if request.method != "POST" {
        let model = json!({"id": "stub-model", "object": "model"});
        return Answer::json(200, &json!({"object": "list", "data": [model], "models": []}));
    }
    let Ok(body) = serde_json::from_slice::<Value>(&request.body) else {
        return Answer::json(400, &json!({"error": {"message": "this is no JSON"}}));
    };
    if path.ends_with("/messages") {
        anthropic::answer(&body, &play(state, anthropic::asked(&body)))
    } else if path.ends_with("/responses") {
        responses::answer(&body, &play(state, responses::asked(&body)))
    } else if path.ends_with("/chat/completions") {
        chat::answer(&body, &play(state, chat::asked(&body)))
    } else if path.ends_with(":generateContent") || path.ends_with(":streamGenerateContent") {
        let streams = path.ends_with(":streamGenerateContent");
        gemini::answer(&body, &play(state, gemini::asked(&body)), streams)
    } else {
        Answer::json(404, &json!({"error": {"message": "there is nothing here"}}))
    }
}

/// What the script says. Requests without tools are not of the conversation: a title, a summary, a choice of a model.
fn play(state: &State, mut asked: Asked) -> Result<Act, Trouble> {
    if asked.tools.is_empty() {
        let words = match &asked.schema {
            Some(schema) => aside(schema).to_string(),
            None => "a title".to_owned(),
        };
        return Ok(Act::Say(words));
    }
    {
        let mut all = state.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.number = all.len();
        all.push(asked.clone());
    }
    (state.script)(&asked).act(&asked)
}

/// Some value of a schema.
fn aside(schema: &Value) -> Value {
    let some = |part: &Value| match part["enum"].get(0) {
        Some(first) => first.clone(),
        None if part["type"].as_str().is_some_and(|kind| kind.eq_ignore_ascii_case("string")) => {
            "something".into()
        }
        None => 0.into(),
    };
    let properties = schema["properties"].as_object().into_iter().flatten();
    Value::Object(properties.map(|(name, part)| (name.clone(), some(part))).collect())
}
