//! A certificate as text: one canonical form, so that no byte can change unseen.

use serde::{Deserialize, Serialize};

use super::{Certificate, Difference, difference, document::VERSION};

/// A file that is larger is no certificate.
pub const CERTIFICATE_BYTES_MAX: usize = 16 << 20;

/// A certificate with its own hash.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Envelope {
    /// What is certified.
    pub certificate: Certificate,
    /// SHA-256 of the certificate as one line of JSON, as [`body`] gives it.
    pub sha256: String,
}

/// The text that a certificate's hash is made from: the certificate as JSON without spaces or line ends.
pub fn body(certificate: &Certificate) -> String {
    serde_json::to_string(certificate).expect("every key is text and every number is finite")
}

/// The whole document, given the hash of its [`body`].
pub fn text(certificate: &Certificate, sha256: &str) -> String {
    let envelope = Envelope { certificate: certificate.clone(), sha256: sha256.to_owned() };
    canonical(&envelope)
}

/// Reads a document. Anything that is not in canonical form, to the byte, is refused with the first difference.
pub fn read(bytes: &[u8]) -> Result<Envelope, Difference> {
    if bytes.len() > CERTIFICATE_BYTES_MAX {
        let expected = format!("at most {CERTIFICATE_BYTES_MAX} bytes");
        return Err(Difference::at("the document", expected, format!("{} bytes", bytes.len())));
    }
    let envelope: Envelope = serde_json::from_slice(bytes).map_err(|error| {
        let place = format!("line {}, column {}", error.line(), error.column());
        Difference::at(place, "a certificate", error.to_string())
    })?;
    let found = envelope.certificate.v;
    if found != VERSION {
        return Err(Difference::at("/certificate/v", VERSION.to_string(), found.to_string()));
    }
    match difference(&canonical(&envelope), bytes) {
        Some(difference) => Err(difference),
        None => Ok(envelope),
    }
}

fn canonical(envelope: &Envelope) -> String {
    let text = serde_json::to_string_pretty(envelope);
    text.expect("every key is text and every number is finite") + "\n"
}
