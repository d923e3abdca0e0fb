//! Certificates on disk: derived from a journal, written whole or not at all, read with suspicion.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use autopilot_core::{
    certificate::{Certificate, Difference, Notary, Position, body, read, text},
    id::RunId,
};
use autopilot_journal::{Disk, Reader};

use crate::{
    book::read_record, error::EngineError, hash::sha256_hex, home::Home, private::create_dirs,
};

/// A certificate as the document that stands for it.
pub fn seal(certificate: &Certificate) -> String {
    text(certificate, &sha256_hex(body(certificate).as_bytes()))
}

/// Whether a certificate has the hash that its document names.
pub fn check_seal(certificate: &Certificate, sha256: &str) -> Option<Difference> {
    let found = sha256_hex(body(certificate).as_bytes());
    (found != sha256).then(|| {
        Difference::at(
            "`/sha256`",
            format!("{sha256}, which is what the document says"),
            format!("{found}, which is what its content gives"),
        )
    })
}

/// Reads a document back. Whatever byte of it was changed, it is refused with the first difference that can be told.
pub fn unseal(bytes: &[u8]) -> Result<Certificate, Difference> {
    let envelope = read(bytes)?;
    match check_seal(&envelope.certificate, &envelope.sha256) {
        Some(difference) => Err(difference),
        None => Ok(envelope.certificate),
    }
}

/// The certificates of all phases that a journal completes, in its order.
pub fn derive(journal: &Path) -> Result<Vec<Certificate>, EngineError> {
    let mut reader = Reader::from_start(Disk::open(journal)?)?;
    let mut notary = Notary::default();
    let mut certificates = Vec::new();
    while let Some(record) = reader.next_record()? {
        let position =
            || Position { sequence: record.sequence.get(), sha256: record.hash().to_string() };
        let fact = read_record(journal, record.sequence, record.payload)?;
        let made = notary.take(&fact, position);
        let made = made.map_err(|source| EngineError::NotARun { path: journal.to_owned(), source });
        certificates.extend(made?);
    }
    Ok(certificates)
}

/// Writes the certificates of a run that are not there, and tells which these are.
///
/// One that is there is left as it is: if it is not what the journal says, that is for `verify` to tell. Whoever calls
/// has seen to it that the directory is ours.
pub fn write_missing(home: &Home, run: &RunId) -> Result<Vec<PathBuf>, EngineError> {
    let mut written = Vec::new();
    let all = derive(&home.journal(run))?;
    for (at, certificate) in all.iter().enumerate() {
        let same = |other: &&Certificate| other.phase.id == certificate.phase.id;
        if all[at + 1..].iter().any(|later| same(&later)) {
            continue;
        }
        let path = home.certificate(run, certificate.phase.id);
        // A phase that a person refused is done again, and what was certified of it before is not what it is now.
        let is_earlier =
            |one: &Certificate| fs::read(&path).is_ok_and(|bytes| bytes == seal(one).as_bytes());
        let is_outdated = || all[..at].iter().filter(same).any(is_earlier);
        if fs::symlink_metadata(&path).is_err() || is_outdated() {
            write_whole(&path, seal(certificate).as_bytes())
                .map_err(EngineError::file("write", &path))?;
            written.push(path);
        }
    }
    Ok(written)
}

/// Every certificate of a project that is on disk, run by run.
pub fn on_disk(home: &Home) -> Result<Vec<PathBuf>, EngineError> {
    let mut found = Vec::new();
    for run in list(&home.certificates())? {
        let files = list(&run)?.into_iter();
        found.extend(files.filter(|path| path.extension().is_some_and(|ending| ending == "json")));
    }
    Ok(found)
}

fn list(directory: &Path) -> Result<Vec<PathBuf>, EngineError> {
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error)
            if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
        {
            return Ok(Vec::new());
        }
        Err(error) => return Err(EngineError::file("list", directory)(error)),
    };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    Ok(paths)
}

/// Writes a file so that it is there whole, also after a power cut, or not at all.
fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let directory = path.parent().unwrap_or(Path::new("."));
    create_dirs(directory)?;
    let being_made = path.with_extension("json.tmp");
    let mut file = File::create(&being_made)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&being_made, path)?;
    File::open(directory)?.sync_all()
}
