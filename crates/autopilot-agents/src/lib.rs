//! Describes how to start each agent and how to read what it says.
