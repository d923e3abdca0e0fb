//! A fingerprint of a text that does not depend on how it is laid out.

use sha2::{Digest, Sha256};

/// SHA-256, in hexadecimal digits, of a text in which runs of white space are one space.
///
/// Two reports that differ in line breaks and indentation alone are the same report.
pub fn fingerprint(text: &[u8]) -> String {
    let digest = Sha256::digest(laid_out_plainly(text));
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The text with each run of white space as one space, and none at either end.
///
/// Bytes that are no ASCII white space stay as they are, also where they are no text at all.
fn laid_out_plainly(text: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(text.len());
    for word in text.split(|byte| is_space(*byte)).filter(|word| !word.is_empty()) {
        if !plain.is_empty() {
            plain.push(b' ');
        }
        plain.extend_from_slice(word);
    }
    plain
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_does_not_count_and_everything_else_does() {
        let same = ["a b", " a\tb\n", "a\r\n\x0b\x0cb"];
        for text in same {
            assert_eq!(fingerprint(text.as_bytes()), fingerprint(b"a b"), "{text:?}");
        }
        for text in [&b"ab"[..], b"a\xa0b", b"a\0b", b"A b"] {
            assert_ne!(fingerprint(text), fingerprint(b"a b"), "{text:?}");
        }
    }

    #[test]
    fn known_texts_have_their_known_fingerprints() {
        let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(fingerprint(b""), nothing);
        assert_eq!(fingerprint(b" \n\t "), nothing);
        assert_eq!(
            fingerprint(b"<the blocking findings text, verbatim>"),
            "2aed7ea6d4c79d81da29da31fe975d762c64b1e15c211769880c3c6a92ccce2a"
        );
    }
}
