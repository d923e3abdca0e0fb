//! What of an attempt is not in git, or not where it was.

use std::{
    fs::{self, Metadata},
    io::Read,
    ops::AddAssign,
    path::Path,
};

/// How many left-out paths are listed one by one.
const LISTED_MAX: usize = 1000;

/// How many of them go into the message of the kept commit.
const LINES_MAX: usize = 100;

/// What a directory that can be made again begins its tag with; see <https://bford.info/cachedir/>.
const CACHE_SIGNATURE: &[u8] = b"Signature: 8a477f597d28d172789f06886806bc55";

/// Files by which tools mark a directory that they have made and can make again.
const MARKS: [&str; 2] = ["pyvenv.cfg", "CMakeCache.txt"];

/// Names that only such directories have.
const NAMES: [&str; 3] = ["node_modules", "__pycache__", ".gradle"];

/// A number of files and their size.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Amount {
    /// How many files.
    pub files: u64,
    /// How many bytes they have together.
    pub bytes: u64,
}

impl Amount {
    pub(super) fn of(file: &Metadata) -> Self {
        Self { files: 1, bytes: file.len() }
    }

    /// What is left after something is taken away, unless it is not enough.
    pub(super) fn without(self, other: Self) -> Option<Self> {
        Some(Self {
            files: self.files.checked_sub(other.files)?,
            bytes: self.bytes.checked_sub(other.bytes)?,
        })
    }
}

impl AddAssign for Amount {
    fn add_assign(&mut self, other: Self) {
        self.files += other.files;
        self.bytes = self.bytes.saturating_add(other.bytes);
    }
}

/// Something that is not in the snapshot as it was in the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The path, as bytes; of ignored files, the ignored directory.
    pub path: Vec<u8>,
    /// The reason.
    pub why: WhyLeftOut,
    /// How much it is, as far as that is known.
    pub size: Amount,
}

/// Why something was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WhyLeftOut {
    /// The new and changed files are larger than the cap.
    TooBig,
    /// More files and directories than the cap.
    TooMany,
    /// Ignored files beyond their caps.
    IgnoredTooMuch,
    /// Ignored files beyond their caps, in a directory that a tool marks as one that it can make again.
    Rebuildable,
    /// A socket, named pipe or device: it has no content to keep.
    Special,
    /// It could not be read.
    Unreadable(String),
    /// Git did not take it into the tree of the work, or no checkout could be made of it; it is in the kept
    /// commit.
    OnlyKept,
}

impl WhyLeftOut {
    /// Tells whether this exists nowhere but in the workspace, and cannot be made again.
    pub fn loses_work(&self) -> bool {
        match self {
            Self::TooBig | Self::TooMany | Self::IgnoredTooMuch | Self::Unreadable(_) => true,
            Self::Rebuildable | Self::Special | Self::OnlyKept => false,
        }
    }

    fn words(&self) -> &'static str {
        match self {
            Self::TooBig => "larger than what is kept",
            Self::TooMany => "more files than are looked at",
            Self::IgnoredTooMuch => "ignored, and more than is kept of such files",
            Self::Rebuildable => "ignored, and can be made again",
            Self::Special => "no file",
            Self::Unreadable(_) => "unreadable",
            Self::OnlyKept => "in this commit, but not in the work",
        }
    }
}

/// Everything that was left out: the list may be cut, the sums are whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LeftOuts {
    list: Vec<LeftOut>,
    lost: Amount,
    rebuildable: Amount,
    only_kept: Amount,
}

impl LeftOuts {
    pub(super) fn add(&mut self, path: Vec<u8>, why: WhyLeftOut, size: Amount) {
        match &why {
            why if why.loses_work() => self.lost += size,
            WhyLeftOut::Rebuildable => self.rebuildable += size,
            WhyLeftOut::OnlyKept => self.only_kept += size,
            _ => {}
        }
        if self.list.len() < LISTED_MAX {
            self.list.push(LeftOut { path, why, size });
        }
    }

    /// The first of them.
    pub fn list(&self) -> &[LeftOut] {
        &self.list
    }

    /// What exists in the workspace only.
    pub fn lost(&self) -> Amount {
        self.lost
    }

    /// What is not kept because it can be made again.
    pub fn rebuildable(&self) -> Amount {
        self.rebuildable
    }

    /// What is kept without being part of the work.
    pub fn only_kept(&self) -> Amount {
        self.only_kept
    }

    /// The first path with such a reason, as text.
    pub fn first(&self, is_meant: impl Fn(&WhyLeftOut) -> bool) -> String {
        let first = self.list.iter().find(|left_out| is_meant(&left_out.why));
        first.map(|left_out| shown(&left_out.path)).unwrap_or_default()
    }

    /// What the message of the kept commit says about it; empty if nothing was left out.
    pub(super) fn manifest(&self) -> String {
        if self.list.is_empty() {
            return String::new();
        }
        let mut text = "\n\nNot kept as it was:\n".to_owned();
        for LeftOut { path, why, size } in self.list.iter().take(LINES_MAX) {
            let (path, why) = (shown(path), why.words());
            text += &format!("- {path}: {} files, {} bytes ({why})\n", size.files, size.bytes);
        }
        if self.list.len() > LINES_MAX {
            text += "- and more\n";
        }
        text
    }
}

/// A path as one line of text.
fn shown(path: &[u8]) -> String {
    let text = String::from_utf8_lossy(path);
    text.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

/// Tells whether an ignored directory is one that a tool has made and can make again.
///
/// Only marks count that no tool leaves in a directory of work. A directory with the name `build` or `dist`
/// can hold anything.
pub(super) fn is_rebuildable(directory: &Path) -> bool {
    let is_file =
        |name: &str| fs::symlink_metadata(directory.join(name)).is_ok_and(|found| found.is_file());
    let name = directory.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if NAMES.contains(&name) || MARKS.iter().any(|mark| is_file(mark)) {
        return true;
    }
    if !is_file("CACHEDIR.TAG") {
        return false;
    }
    let mut begins = [0; CACHE_SIGNATURE.len()];
    let read = fs::File::open(directory.join("CACHEDIR.TAG"))
        .and_then(|mut tag| tag.read_exact(&mut begins));
    read.is_ok() && begins == CACHE_SIGNATURE
}
