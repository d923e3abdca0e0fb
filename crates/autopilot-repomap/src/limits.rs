//! How much of one file is looked at.
//!
//! Text is untrusted, and some parts of parsing and searching take time with the square of what they meet. Each of
//! these limits is far above what people write, and keeps the square small.

/// Bytes of the largest file that is read. Larger ones are made by machines, and are listed without contents.
pub const FILE_BYTES_MAX: usize = 256 * 1024;

/// Characters of the longest name, parameter or type that is told in full.
pub(crate) const TEXT_CHARS_MAX: usize = 120;

/// Brackets that may be open at once. Signs that look like brackets count, so the limit leaves room for comparisons.
pub(crate) const OPEN_BRACKETS_MAX: u32 = 2_000;

/// Signs that may follow each other without a name or a value between them.
pub(crate) const SIGNS_IN_A_ROW_MAX: u32 = 1_000;

/// How often the parser may report progress before a file is given up. It does so every hundred steps, and an honest
/// file of the largest size stays far below this.
pub(crate) const PARSER_REPORTS_MAX: u32 = 25_000;

/// How often the search for definitions may report progress before a file is given up.
pub(crate) const SEARCH_REPORTS_MAX: u32 = 10_000;

/// Findings of one file. A file with more of them is given up.
pub(crate) const FINDINGS_MAX: u32 = 200_000;

/// Searches that may be open at once. With more of them the oldest is dropped, and what it looked for is not told.
pub(crate) const OPEN_MATCHES_MAX: u32 = 4096;
