//! Kinds of keys that can be told by how they begin.

/// A kind of key.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) begins: &'static str,
    /// With how many bytes behind the beginning it is a key.
    pub(super) rest_min: usize,
    /// What stands in its place.
    pub(super) name: &'static str,
    of: Of,
}

/// What a key is made of.
#[derive(Debug)]
enum Of {
    /// Letters, digits, `-` and `_`.
    Word,
    /// Capital letters and digits.
    Capitals,
    /// The same as a word, in parts with a dot between them.
    Dotted,
    /// Anything up to the line that ends it.
    Block,
}

const fn shape(begins: &'static str, rest_min: usize, of: Of) -> Shape {
    Shape { begins, rest_min, name: "token", of }
}

const fn key(begins: &'static str) -> Shape {
    Shape { begins, rest_min: 16, name: "private-key", of: Of::Block }
}

pub(super) const KNOWN: [Shape; 34] = [
    shape("sk-ant-", 16, Of::Word),
    shape("sk-proj-", 16, Of::Word),
    shape("sk-or-", 20, Of::Word),
    shape("sk-", 32, Of::Word),
    shape("sk_live_", 16, Of::Word),
    shape("sk_test_", 16, Of::Word),
    shape("rk_live_", 16, Of::Word),
    shape("ghp_", 30, Of::Word),
    shape("gho_", 30, Of::Word),
    shape("ghu_", 30, Of::Word),
    shape("ghs_", 30, Of::Word),
    shape("ghr_", 30, Of::Word),
    shape("github_pat_", 20, Of::Word),
    shape("glpat-", 18, Of::Word),
    shape("xoxb-", 16, Of::Word),
    shape("xoxp-", 16, Of::Word),
    shape("xoxa-", 16, Of::Word),
    shape("xoxs-", 16, Of::Word),
    shape("xapp-", 16, Of::Word),
    shape("AKIA", 16, Of::Capitals),
    shape("ASIA", 16, Of::Capitals),
    shape("AIza", 35, Of::Word),
    shape("ya29.", 20, Of::Word),
    shape("npm_", 36, Of::Word),
    shape("pypi-AgEI", 30, Of::Word),
    shape("hf_", 30, Of::Word),
    shape("dckr_pat_", 20, Of::Word),
    shape("SG.", 40, Of::Dotted),
    shape("eyJhbGciOi", 30, Of::Dotted),
    key("-----BEGIN PRIVATE KEY-----"),
    key("-----BEGIN RSA PRIVATE KEY-----"),
    key("-----BEGIN EC PRIVATE KEY-----"),
    key("-----BEGIN OPENSSH PRIVATE KEY-----"),
    key("-----BEGIN ENCRYPTED PRIVATE KEY-----"),
];

impl Shape {
    /// Whether a byte can belong to it.
    pub(super) fn has(&self, byte: u8) -> bool {
        let word = byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        match self.of {
            Of::Word => word,
            Of::Capitals => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Of::Dotted => word || byte == b'.',
            Of::Block => byte != b'-',
        }
    }
}
