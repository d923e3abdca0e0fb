//! What a child has tried that it may not, as far as its output tells.
//!
//! The kernel tells whoever tries, and nobody else but root: so what is known is what was printed.

use std::path::{Component, Path, PathBuf};

use crate::process::{Bounds, Confinement, Exceeded, Network};

/// How many attempts are told.
const TRIED_MAX: usize = 8;
/// How much of a line is told.
const LINE_CHARS_MAX: usize = 200;
/// How the system says that something is not allowed.
const REFUSALS: [&str; 4] = ["permission denied", "eacces", "os error 13", "errno 13"];
/// How it says that there is no network.
const NO_NETWORK: [&str; 8] = [
    "network is unreachable",
    "enetunreach",
    "temporary failure in name resolution",
    "could not resolve host",
    "could not resolve hostname",
    "eai_again",
    "name or service not known",
    "dns error",
];

/// The lines of an output that tell of something outside of what a child may touch.
pub(crate) fn tried(output: &str, within: &Confinement, directory: &Path) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    for line in output.lines() {
        let small = line.to_lowercase();
        let refused = REFUSALS.iter().find_map(|words| small.find(words));
        let unreachable = NO_NETWORK.iter().find_map(|words| small.find(words));
        let at = match (refused, unreachable) {
            (Some(at), _) if names_a_place_outside(line, within, directory) => at,
            (_, Some(at)) if within.network == Network::Own => at,
            _ => continue,
        };
        let line = around(line, at);
        if !told.contains(&line) {
            told.push(line);
        }
        if told.len() == TRIED_MAX {
            break;
        }
    }
    told
}

/// What it is told about a child that used too much.
pub(crate) fn exceeded(exceeded: Exceeded, bounds: Bounds) -> String {
    match exceeded {
        Exceeded::Processes => {
            format!("it had more than {} processes at once and was ended", bounds.processes_max)
        }
        Exceeded::Memory => {
            let megabytes = bounds.memory_bytes_max >> 20;
            format!("its processes used more than {megabytes} MiB of memory and were ended")
        }
    }
}

/// Whether a line names a path that may not be written to.
fn names_a_place_outside(line: &str, within: &Confinement, directory: &Path) -> bool {
    let ends = |c: char| c.is_whitespace() || "'\"`:,;()[]<>‘’“”".contains(c);
    let paths = line.split(ends).filter(|word| word.starts_with('/') || word.starts_with("../"));
    let mut places = paths.map(|path| plain(&directory.join(path)));
    places.any(|place| !within.writable.iter().any(|own| place.starts_with(own)))
}

/// A path without `..`, as far as it can be told without looking.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}

/// What stands around a place of a line; the output of agents has lines without end.
fn around(line: &str, at: usize) -> String {
    let chars: Vec<char> = line.chars().collect();
    if chars.len() <= LINE_CHARS_MAX {
        return line.trim().to_owned();
    }
    let before = line.get(..at).map_or(0, |text| text.chars().count());
    let from = before.saturating_sub(LINE_CHARS_MAX / 2).min(chars.len() - LINE_CHARS_MAX);
    chars[from..from + LINE_CHARS_MAX].iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn within(network: Network) -> Confinement {
        let bounds = Bounds { processes_max: 1, memory_bytes_max: 1, file_bytes_max: 1 };
        let writable = vec![PathBuf::from("/w/1/files")];
        Confinement { hidden: vec![], readable: vec![], writable, network, bounds }
    }

    #[test]
    fn only_what_lies_outside_is_told() {
        let output = "touch: cannot touch '/etc/x': Permission denied\n\
             PermissionError: [Errno 13] Permission denied: '/home/me/y'\n\
             sh: 1: cannot create ../../z: Permission denied\n\
             ./locked: Permission denied\n\
             open /w/1/files/own: permission denied\n\
             touch: cannot touch '/etc/x': Permission denied\n\
             curl: (6) Could not resolve host: example.org\n";
        let told = tried(output, &within(Network::Own), Path::new("/w/1/files"));
        assert_eq!(told.len(), 4, "{told:?}");
        assert!(told[2].contains("../../z") && told[3].starts_with("curl"), "{told:?}");
        let told = tried(output, &within(Network::Open), Path::new("/w/1/files"));
        assert_eq!(told.len(), 3, "{told:?}");
    }

    #[test]
    fn lines_without_end_are_cut_around_what_matters() {
        let line = format!("{}open '/x': Permission denied{}", "ä".repeat(900), "b".repeat(900));
        let told = tried(&line, &within(Network::Open), Path::new("/w"));
        assert!(told[0].contains("/x': Permission denied"), "{told:?}");
        assert_eq!(told[0].chars().count(), LINE_CHARS_MAX);
    }
}
