//! Restricts the calling thread, and with it every child that it starts, by Landlock.
//!
//! Landlock only knows what is allowed. So what is hidden is left out by allowing everything around it: of each directory
//! above something hidden, every other entry is allowed.

use std::{
    ffi::OsStr,
    fs,
    io::{self, ErrorKind},
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use landlock::{
    ABI, Access, AccessFs, BitFlags, LandlockStatus, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};

use crate::process::wire::Rules;

/// The newest version whose rights are used. Versions after it can make more fail than is meant here.
const NEWEST: ABI = ABI::V6;

/// How many entries around hidden ones are allowed at most; more cannot be read.
const ENTRIES_MAX: usize = 4096;

/// Devices that programs write to and that harm nobody.
const DEVICES: [&str; 10] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
    "/dev/ptmx",
    "/dev/pts",
    "/dev/shm",
    "/dev/dri",
];

/// Which version of Landlock this kernel has; none where it has none or it is turned off.
pub(super) fn version() -> Option<u32> {
    // Restricts nothing but a thread that ends at once: the crate tells of the kernel only what was tried.
    let tried = std::thread::scope(|scope| scope.spawn(probe).join());
    match tried.ok()?.ok()? {
        LandlockStatus::Available { effective_abi, kernel_abi } => {
            kernel_abi.and_then(|abi| u32::try_from(abi).ok()).or(Some(effective_abi as u32))
        }
        LandlockStatus::NotEnabled | LandlockStatus::NotImplemented => None,
    }
}

fn probe() -> Result<LandlockStatus, RulesetError> {
    let ruleset = Ruleset::default().handle_access(AccessFs::MakeBlock)?.create()?;
    Ok(ruleset.restrict_self()?.landlock)
}

/// Restricts the calling thread. Fails if what can be enforced here could not be: then nothing may be started either.
pub(super) fn restrict(rules: &Rules<'_>) -> io::Result<()> {
    let status = allow(rules).and_then(|ruleset| Ok(ruleset.restrict_self()?));
    match status.map_err(refused)?.ruleset {
        // Nobody was told that there is any, when this guardian began.
        RulesetStatus::NotEnforced if version().is_none() => Ok(()),
        RulesetStatus::NotEnforced => Err(ErrorKind::PermissionDenied.into()),
        RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => Ok(()),
    }
}

fn allow(rules: &Rules<'_>) -> Result<RulesetCreated, RulesetError> {
    let ruleset = Ruleset::default().handle_access(AccessFs::from_all(NEWEST))?;
    let mut ruleset = ruleset.scope(Scope::from_all(NEWEST))?.create()?;
    let hidden: Vec<&Path> = rules.hidden.iter().map(Path::new).collect();
    let read = AccessFs::from_read(NEWEST);
    let all = AccessFs::from_all(NEWEST);
    let (root, readable) = (OsStr::new("/"), rules.readable.iter().copied());
    let lists = readable.chain([root]).map(|path| (path, read));
    for (path, access) in lists.chain(rules.writable.iter().map(|path| (*path, all))) {
        for piece in around_hidden(Path::new(path), &hidden) {
            ruleset = add(ruleset, &piece, access)?;
        }
    }
    let device = read | AccessFs::WriteFile | AccessFs::Truncate | AccessFs::IoctlDev;
    for path in DEVICES {
        let access = if path == "/dev/shm" { all } else { device };
        ruleset = add(ruleset, Path::new(path), access)?;
    }
    for path in accelerators() {
        ruleset = add(ruleset, &path, device)?;
    }
    if !rustix::process::geteuid().is_root() {
        // Of what is not its own, nobody but root can change anything there.
        ruleset = add(ruleset, Path::new("/proc"), device)?;
    }
    Ok(ruleset)
}

/// Allows something; what is gone by now, or cannot be opened by this user, needs no rule.
fn add(
    ruleset: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    let Ok(place) = PathFd::new(path) else { return Ok(ruleset) };
    let is_directory = fs::metadata(path).is_ok_and(|found| found.is_dir());
    let access = if is_directory { access } else { access & AccessFs::from_file(NEWEST) };
    ruleset.add_rule(PathBeneath::new(place, access))
}

/// Graphics processors, whose names are numbered.
fn accelerators() -> impl Iterator<Item = PathBuf> {
    let known = |name: &OsStr| {
        let name = name.as_bytes();
        name.starts_with(b"nvidia") || name == b"kvm" || name == b"kfd" || name == b"fuse"
    };
    let entries = fs::read_dir("/dev").into_iter().flatten().flatten();
    entries.filter(move |entry| known(&entry.file_name())).map(|entry| entry.path())
}

/// Everything below a path that is not hidden. A path that is named although it is hidden, or lies in what is hidden, is
/// wanted; what is hidden below it stays so.
fn around_hidden(path: &Path, hidden: &[&Path]) -> Vec<PathBuf> {
    let below = |hidden: &&&Path| hidden.starts_with(path) && **hidden != path;
    let hidden: Vec<&Path> = hidden.iter().filter(below).copied().collect();
    let mut around = Around { hidden: &hidden, found: Vec::new() };
    around.look(path);
    around.found
}

/// Looks for everything that is not hidden.
struct Around<'a> {
    hidden: &'a [&'a Path],
    found: Vec<PathBuf>,
}

impl Around<'_> {
    /// Takes `path`, or what of its entries is not hidden.
    fn look(&mut self, path: &Path) {
        if self.hidden.contains(&path) {
            return;
        }
        if !self.hidden.iter().any(|hidden| hidden.starts_with(path)) {
            if self.found.len() < ENTRIES_MAX {
                self.found.push(path.to_owned());
            }
            return;
        }
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            // A link is no place: what it leads to is allowed or hidden where it is.
            if entry.file_type().is_ok_and(|kind| !kind.is_symlink()) {
                self.look(&entry.path());
            }
        }
    }
}

fn refused(error: RulesetError) -> io::Error {
    io::Error::new(ErrorKind::PermissionDenied, error.to_string())
}
