//! Certificates: what a finished phase was asked, what was seen, and who did it, in one document.
//!
//! Start at [`Notary`], which derives certificates from the records of a journal, and at [`read`], which takes one
//! back in. Invariant: a certificate holds nothing that is not in the journal, and deriving it again gives the same
//! bytes. Hashes are computed by whoever calls.

mod coherent;
mod difference;
mod document;
mod hands;
mod notary;
mod report;
mod sources;
#[cfg(test)]
mod tests;
mod text;

pub use coherent::coherent;
pub use difference::{Difference, difference};
pub use document::{
    Certificate, Certified, CertifiedPhase, Commits, Part, Position, Reviews, Rules, Seen,
    Specification, Spoken, VERSION,
};
pub use hands::Hand;
pub use notary::Notary;
pub use report::{Examined, Finding, Report};
pub use sources::{Sources, commands, missing_guard, missing_promise, missing_task, same_criteria};
pub use text::{CERTIFICATE_BYTES_MAX, Envelope, body, read, text};
