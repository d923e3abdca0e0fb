//! The tags of an XML text, without its comments and without what is quoted as text.

/// A tag: its name, and whether it opens, closes or does both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag<'a> {
    Open(&'a str),
    Close(&'a str),
    Empty(&'a str),
}

/// Goes over the tags of a text. It may have anything around and between them.
#[derive(Debug)]
pub(super) struct Tags<'a> {
    rest: &'a str,
}

impl<'a> Tags<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { rest: text }
    }

    /// Goes on after a mark; what is not ended reaches to the end of the text.
    fn skip_to(&mut self, mark: &str) {
        self.rest = self
            .rest
            .find(mark)
            .and_then(|at| self.rest.get(at + mark.len()..))
            .unwrap_or_default();
    }
}

impl<'a> Iterator for Tags<'a> {
    type Item = Tag<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let at = self.rest.find('<')?;
            self.rest = self.rest.get(at + 1..)?;
            if let Some(rest) = self.rest.strip_prefix("![CDATA[") {
                self.rest = rest;
                self.skip_to("]]>");
            } else if let Some(rest) = self.rest.strip_prefix("!--") {
                self.rest = rest;
                self.skip_to("-->");
            } else if let Some(rest) = self.rest.strip_prefix('?') {
                self.rest = rest;
                self.skip_to("?>");
            } else {
                // A `<` that opens no tag is text of whatever stands around the document.
                let Some((inner, rest)) = split_tag(self.rest) else {
                    continue;
                };
                self.rest = rest;
                if let Some(tag) = tag(inner) {
                    return Some(tag);
                }
            }
        }
    }
}

/// What is inside of a tag, and what follows it; a `>` in quotes ends no tag.
///
/// `None` where a name does not follow at once or another tag begins first.
fn split_tag(text: &str) -> Option<(&str, &str)> {
    if !text.starts_with(|c: char| c.is_alphabetic() || matches!(c, '/' | '_')) {
        return None;
    }
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '>') => return Some((text.get(..at)?, text.get(at + 1..)?)),
            (None, '<') => return None,
            (None, _) => {}
        }
    }
    None
}

fn tag(inner: &str) -> Option<Tag<'_>> {
    let (inner, closes) = match inner.strip_prefix('/') {
        Some(rest) => (rest, true),
        None => (inner, false),
    };
    let name = inner.split([' ', '\t', '\n', '/']).next().filter(|name| !name.is_empty())?;
    Some(match (closes, inner.ends_with('/')) {
        (true, _) => Tag::Close(name),
        (false, true) => Tag::Empty(name),
        (false, false) => Tag::Open(name),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tags_are_seen() {
        let text = "a < b <x y=\"a>b\" z='<q>'/> <!-- <c> --> <![CDATA[ <d> ]]> <?pi <e> ?>\n\
                    <f\n\tg=\"1\"\n><h/>text</f> <3 1<2";
        let tags: Vec<_> = Tags::of(text).collect();
        assert_eq!(tags, [Tag::Empty("x"), Tag::Open("f"), Tag::Empty("h"), Tag::Close("f")]);
    }

    #[test]
    fn what_is_not_ended_has_no_tags() {
        for text in ["<a", "<![CDATA[ <a>", "<!-- <a>", "<a b=\"", "<"] {
            assert_eq!(Tags::of(text).count(), 0, "{text}");
        }
    }
}
