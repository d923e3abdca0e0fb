//! Where an earlier program says one thing and does another.

/// Which of the two counts.
///
/// What is compared with the records of that program must read them as it did. A run of ours reads what was meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// What it does: a completion rate counts only at the top of a session's record, where no real record has one.
    Source,
    /// What it means: the rate within `effectiveness` counts first.
    #[default]
    Corrected,
}
