//! A model service on loopback that plays a script to the real agents.
//!
//! It speaks Anthropic Messages, OpenAI Responses, OpenAI Chat Completions and Gemini `generateContent`, streaming and not. A
//! script is a function from what is asked to what is answered, so the same one serves agents of every kind.

mod anthropic;
mod asked;
mod chat;
mod gemini;
mod http;
mod reply;
mod responses;
mod server;
#[cfg(test)]
mod tests;
mod wire;

pub use asked::{Asked, Tool, Wire};
pub use reply::{Reply, Trouble};
pub use server::ModelServer;
