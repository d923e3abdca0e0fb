//! All cases in the order in which they are played.

use super::{
    super::case::Case, beside, empty, history, honest, inside, limits, looks, processes, reach,
    records, returns, rulers, runners, scripts, tests,
};

/// Every case.
pub(crate) fn all() -> Vec<Case> {
    let groups: [&[Case]; 15] = [
        empty::CASES,
        tests::CASES,
        looks::CASES,
        beside::CASES,
        inside::CASES,
        runners::CASES,
        rulers::CASES,
        reach::CASES,
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
