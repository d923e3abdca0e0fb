//! Turns facts into text, JSON lines and screens.
