//! Keeps records: a durable append-only log of opaque bytes.
