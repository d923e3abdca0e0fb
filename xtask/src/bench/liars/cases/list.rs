//! All cases in the order in which they are played.

use super::{
    super::case::Case, empty, history, honest, limits, processes, records, returns, runners,
    scripts, tests,
};

/// Every case.
pub(crate) fn all() -> Vec<Case> {
    let groups: [&[Case]; 10] = [
        empty::CASES,
        tests::CASES,
        runners::CASES,
        scripts::CASES,
        history::CASES,
        records::CASES,
        returns::CASES,
        processes::CASES,
        honest::CASES,
        limits::CASES,
    ];
    groups.concat()
}
