//! Every limit of the journal, by name.

/// The longest payload of one record.
pub const RECORD_BYTES_MAX: usize = 1 << 20;

/// The most records that one append can carry: their place in it has four digits.
pub const APPEND_RECORDS_MAX: usize = 9_999;

/// The most bytes that one append can write, headers included; a reader holds one append in memory.
pub const APPEND_BYTES_MAX: usize = 8 << 20;

/// The longest segment; an append that would pass it starts a new one.
pub const SEGMENT_BYTES_MAX: u64 = 64 << 20;

/// The last sequence that twelve digits can name.
pub const SEQUENCE_MAX: u64 = 999_999_999_999;

/// The longest snapshot, without its header.
pub const SNAPSHOT_BYTES_MAX: usize = 64 << 20;

/// The longest label of a lock holder; a longer one is cut.
pub const LABEL_BYTES_MAX: usize = 200;

/// How much room is taken for later appends at once: enough for about two hundred.
pub(crate) const RESERVE_BYTES: u64 = 64 << 10;

/// How much of a segment is read at once.
pub(crate) const WINDOW_BYTES: usize = 256 << 10;

// A segment must have room for its first line and the longest append.
const _: () = assert!(APPEND_BYTES_MAX as u64 + 4096 < SEGMENT_BYTES_MAX);
const _: () = assert!(RECORD_BYTES_MAX + 4096 < APPEND_BYTES_MAX);
