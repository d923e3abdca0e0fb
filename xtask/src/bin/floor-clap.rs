//! The floor for start-up: a program with a command line and nothing behind it.

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "floor", version)]
struct Cli {
    #[command(subcommand)]
    command: Option<Word>,
}

#[derive(Subcommand)]
enum Word {
    /// Does nothing
    Status,
}

fn main() {
    match Cli::parse().command {
        Some(Word::Status) | None => {}
    }
}
