//! Pieces of a file that share its memory.

use std::{fmt, ops::Deref, sync::Arc};

use serde::{Serialize, Serializer};

use super::{line, title};

/// A piece of text, on one line and without control characters. Use it like a `&str`.
///
/// A roadmap of ten thousand phases has some fifty thousand of them. Copying each would take more
/// time than all the rest of reading, so they share the text of the file.
#[derive(Clone)]
pub struct Text {
    source: Arc<String>,
    start: u32,
    end: u32,
}

impl Text {
    /// The piece of `source` that `slice` is, cleaned if it must be.
    pub(super) fn shared(source: &Arc<String>, slice: &str) -> Self {
        let slice = line::trim(slice);
        let start = (slice.as_ptr() as usize).wrapping_sub(source.as_ptr() as usize);
        let places = u32::try_from(start)
            .ok()
            .zip(u32::try_from(start.saturating_add(slice.len())).ok())
            .filter(|(_, end)| *end as usize <= source.len() && title::is_clean(slice));
        match places {
            Some((start, end)) => Self { source: Arc::clone(source), start, end },
            None => Self::from(title::clean(slice)),
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        self.source.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        let end = u32::try_from(text.len()).unwrap_or(0);
        Self { source: Arc::new(text), start: 0, end }
    }
}

impl From<Text> for String {
    fn from(text: Text) -> Self {
        text.as_str().to_owned()
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Text {}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_share_their_file_unless_they_must_be_cleaned() {
        let source = Arc::new("one  two\nthree \u{1b}[31m".to_owned());
        let shared = Text::shared(&source, &source[4..8]);
        assert_eq!(shared, "two");
        assert!(Arc::ptr_eq(&shared.source, &source));
        assert_eq!(Text::shared(&source, &source), "one two three [31m");
        assert_eq!(Text::shared(&source, "elsewhere"), "elsewhere");
        assert_eq!(Text::shared(&source, ""), "");
    }
}
