//! Messages as two agents tell them: blocks of text and of tool calls.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    gather::{Said, shape},
    tool,
};

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    content: Vec<Block<'a>>,
}

#[derive(Deserialize)]
struct Block<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    text: Option<Cow<'a, str>>,
    #[serde(borrow)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    input: Option<&'a RawValue>,
}

/// Notes what a message of the agent says and calls.
pub(super) fn blocks(message: Option<&RawValue>, said: &mut Said<'_>) {
    let Some(message) = shape::<Message<'_>>(message) else { return };
    for block in message.content {
        match (block.kind.as_ref(), block.text, block.name) {
            ("text", Some(text), _) => {
                said.text(&text);
                said.new_text();
            }
            ("tool_use", _, Some(name)) => said.event(tool::call(&name, block.input)),
            _ => {}
        }
    }
}
