//! The cases, by what the lie is about.

mod beside;
mod empty;
mod history;
mod honest;
mod inside;
mod limits;
mod looks;
mod processes;
mod reach;
mod records;
mod returns;
mod rulers;
mod runners;
mod scripts;
mod tests;

pub(super) use self::list::all;

mod list;
