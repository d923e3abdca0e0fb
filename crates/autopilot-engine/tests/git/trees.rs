//! Trees of every kind of entry, made and changed by chance.

use std::{
    collections::BTreeMap,
    io::Write,
    process::{Command, Stdio},
};

use autopilot_engine::git::ObjectId;
use autopilot_testkit::{repository::Sandbox, sim::Chance};

/// Names of files and directories: of different cases, of bytes that are no text, and such that stand before and after `/`.
const NAMES: [&[u8]; 14] = [
    b"a",
    b"A",
    b"b",
    b"b.txt",
    b"b-1",
    b"b0",
    b"c.up",
    b"d",
    b"D",
    b"e\n x",
    b"\"f",
    b"\xff\xe9",
    b"-g",
    b"h.txt",
];
const ATTRIBUTES: [&str; 4] =
    ["*.txt text eol=crlf\n", "*.txt -text\n", "*.up -filter\n", "b* text eol=lf\n"];

/// What is at a path of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    File(Vec<u8>),
    Program(Vec<u8>),
    Link(Vec<u8>),
    /// The number of a commit.
    Submodule(u8),
}

/// A tree, by path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tree(BTreeMap<Vec<u8>, Entry>);

impl Tree {
    /// A tree of some files in up to three levels of directories.
    pub(crate) fn by(chance: &mut Chance) -> Self {
        let mut tree = Self::default();
        tree.put(b".gitattributes", Entry::File(b"*.txt text eol=crlf\n*.up filter=up\n".to_vec()));
        for number in 0..60 {
            // Enough that stay, so that what changes is little.
            let path = format!("steady/{}/{number}.txt", number % 12);
            tree.put(path.as_bytes(), Entry::File(format!("line\n{number}\n").into_bytes()));
        }
        for _ in 0..12 {
            let (path, entry) = (path(chance), entry(chance));
            tree.put(&path, entry);
        }
        tree
    }

    /// The same after a few changes; sometimes also to what shapes other files.
    pub(crate) fn changed(&self, chance: &mut Chance) -> Self {
        let mut tree = self.clone();
        for _ in 0..=chance.below(4) {
            let known: Vec<Vec<u8>> = tree.0.keys().cloned().collect();
            let one =
                known[usize::try_from(chance.below(known.len() as u64)).expect("small")].clone();
            match chance.below(6) {
                0 => drop(tree.0.remove(&one)),
                1 => tree.put(&one, entry(chance)),
                // A file becomes a directory.
                2 => tree.put(&[&one[..], b"/", &path(chance)].concat(), entry(chance)),
                // A directory becomes a file, a link or a submodule.
                3 => {
                    let end = one.iter().rposition(|byte| *byte == b'/').unwrap_or(one.len());
                    tree.put(&one[..end], entry(chance));
                }
                4 => tree.flip(&one),
                _ => tree.put(&path(chance), entry(chance)),
            }
        }
        if chance.percent(15) {
            let above = ["", "steady/", "steady/3/", "a/"]
                [usize::try_from(chance.below(4)).expect("small")];
            let text = ATTRIBUTES[usize::try_from(chance.below(4)).expect("small")];
            tree.put(
                format!("{above}.gitattributes").as_bytes(),
                Entry::File(text.as_bytes().to_vec()),
            );
        }
        tree
    }

    /// Whether a file that shapes others differs.
    pub(crate) fn shapes_like(&self, other: &Self) -> bool {
        let attributes = |tree: &Self| {
            let of = |(path, _): &(&Vec<u8>, &Entry)| path.ends_with(b".gitattributes");
            tree.0
                .iter()
                .filter(of)
                .map(|(path, entry)| (path.clone(), entry.clone()))
                .collect::<Vec<_>>()
        };
        attributes(self) == attributes(other)
    }

    /// Puts an entry where nothing else can be then: neither a file above it nor anything below.
    pub(crate) fn put(&mut self, path: &[u8], entry: Entry) {
        let below = [path, b"/"].concat();
        self.0.retain(|known, _| {
            !known.starts_with(&below) && !path.starts_with(&[known, &b"/"[..]].concat())
        });
        self.0.insert(path.to_vec(), entry);
    }

    /// Removes an entry, or everything in a directory.
    pub(crate) fn remove(&mut self, path: &[u8]) {
        let below = [path, b"/"].concat();
        self.0.retain(|known, _| known != path && !known.starts_with(&below));
    }

    fn flip(&mut self, path: &[u8]) {
        let flipped = match self.0.get(path) {
            Some(Entry::File(text)) => Entry::Program(text.clone()),
            Some(Entry::Program(text) | Entry::Link(text)) => Entry::File(text.clone()),
            Some(Entry::Submodule(commit)) => Entry::Submodule(commit + 1),
            None => return,
        };
        self.put(path, flipped);
    }

    /// Makes a commit of it without parents.
    pub(crate) fn commit(&self, sandbox: &Sandbox) -> ObjectId {
        let head = "commit refs/heads/made\ncommitter P <p@example.org> 1700000000 +0000\ndata 0\ndeleteall\n";
        let mut stream = head.as_bytes().to_vec();
        for (path, entry) in &self.0 {
            let (mode, text) = match entry {
                Entry::File(text) => ("100644", text.clone()),
                Entry::Program(text) => ("100755", text.clone()),
                Entry::Link(target) => ("120000", target.clone()),
                Entry::Submodule(commit) => {
                    stream.extend(format!("M 160000 {commit:040x} ").into_bytes());
                    stream.extend(quoted(path));
                    continue;
                }
            };
            stream.extend(format!("M {mode} inline ").into_bytes());
            stream.extend(quoted(path));
            stream.extend(format!("data {}\n", text.len()).into_bytes());
            stream.extend(text);
            stream.push(b'\n');
        }
        let mut import = Command::new("git")
            .args(["fast-import", "--quiet", "--force"])
            .current_dir(sandbox.project())
            .env_clear()
            .envs(sandbox.environment())
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        import.stdin.take().unwrap().write_all(&stream).unwrap();
        assert!(import.wait().unwrap().success());
        ObjectId::parse(&sandbox.git(["rev-parse", "refs/heads/made"])).unwrap()
    }
}

fn path(chance: &mut Chance) -> Vec<u8> {
    let parts: Vec<&[u8]> = (0..=chance.below(3))
        .map(|_| NAMES[usize::try_from(chance.below(NAMES.len() as u64)).expect("small")])
        .collect();
    parts.join(&b'/')
}

fn entry(chance: &mut Chance) -> Entry {
    let text = format!("line\nmore {}\n", chance.below(4)).into_bytes();
    match chance.below(8) {
        0 => Entry::Program(text),
        1 => Entry::Link(b"steady/0/0.txt".to_vec()),
        2 => Entry::Link(b"..\xff".to_vec()),
        3 => Entry::Submodule(u8::try_from(chance.below(3)).expect("small") + 1),
        4 => Entry::File(Vec::new()),
        _ => Entry::File(text),
    }
}

/// A path as `git fast-import` reads it in any case.
fn quoted(path: &[u8]) -> Vec<u8> {
    let octal: String = path.iter().map(|byte| format!("\\{byte:03o}")).collect();
    format!("\"{octal}\"\n").into_bytes()
}
