//! Which files a phase is judged by, and what an edit of one of them does.
//!
//! Start at [`Protection::compile`], which tells the class of a path, [`deciding_files`], which finds the files
//! that a check's command runs, [`manifest::frozen`], which puts back the parts of a manifest that decide a
//! check, and [`Edit::between`], which says what an edit does to the tests. Invariant: what cannot be told
//! with certainty is protected, and an edit in doubt is never said to only add tests.

mod defaults;
#[cfg(test)]
mod document;
mod edit;
mod globs;
mod hooks;
pub mod inline;
mod make;
pub mod manifest;
mod named;
mod paths;
mod protection;

pub use defaults::{DEFAULTS, Default};
pub use edit::{DIFF_BYTES_MAX, Edit, Kind as EditKind};
pub use globs::{BadGlob, GLOB_BYTES_MAX, Globs, Why as WhyBadGlob};
pub use hooks::{
    Replaced, go_module_of, has_word, is_called_test, is_found_there, is_installed, looked_into,
    may_run_around, module_replaced, puts_on_path, runs_around, vendored_below,
};
pub use make::{is_makefile, steers};
pub use named::{deciding_files, deciding_files_behind, named_files, only_looks};
pub use paths::leads_out;
pub use protection::{AddedTests, Class, Protected, Protection};
