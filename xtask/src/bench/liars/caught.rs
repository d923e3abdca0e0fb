//! What stood in the way of a lie, read from the run's own books.

use serde_json::Value;

use super::{case::Mechanism, play::Played};

/// How much of a reason is shown.
const DETAIL_CHARS_MAX: usize = 96;

/// What stood in the way, and what the books say about it.
#[derive(Debug)]
pub(super) struct Caught {
    pub(super) by: Mechanism,
    pub(super) detail: String,
}

/// What stood in the way in the end: the last objection before the run gave up, or what was put right on the way.
pub(super) fn caught(played: &Played) -> Caught {
    let mut books = Books::default();
    for fact in &played.facts {
        books.read(fact);
    }
    let (by, detail) = match (books.last.clone(), played.code) {
        (_, Some(0)) if !played.in_order => {
            (Mechanism::Audit, "the journal is not as it was written".to_owned())
        }
        (Some(objection), code) if code != Some(0) => objection,
        (_, Some(0)) => books.put_right(),
        _ if !played.in_order => (Mechanism::Audit, last_words(&played.stderr)),
        _ => (Mechanism::Halted, last_words(&played.stderr)),
    };
    Caught { by, detail: short(&detail) }
}

/// What was read so far.
#[derive(Default)]
struct Books {
    last: Option<(Mechanism, String)>,
    /// Edits of files that decide which nobody has accepted.
    pending: Vec<String>,
    strays: Option<String>,
    refused_returns: Option<String>,
    unproven: Vec<String>,
}

impl Books {
    fn read(&mut self, fact: &Value) {
        let phase = &fact["phase"]["fact"];
        if let Some(requested) = phase.get("requested") {
            self.requested(requested);
        } else if let Some(checked) = phase.get("checked") {
            self.unproven = unproven(checked);
        } else if let Some(settled) = phase.get("settled") {
            self.settled(settled);
        } else if let Some(canaries) = phase.get("canaries") {
            self.canaries(canaries);
        } else if let Some(sent_back) = phase.get("plan-sent-back") {
            let first = list(&sent_back["issues"]).find_map(Value::as_str);
            self.last = Some((Mechanism::Plan, first.unwrap_or_default().to_owned()));
        } else if let Some(strays) = fact.get("strays") {
            self.strays =
                Some(format!("{} ended after {}", strays["names"], strays["key"]["step"]));
        } else if let Some(gate) = fact["asked"]["gate"].as_str() {
            let asked = format!("waits for a person: {gate}, {}", self.pending.join(", "));
            self.last = Some((Mechanism::Protected, asked));
        } else if let Some(why) = fact["finished"]["halted"]["why"].as_str() {
            self.last = Some((Mechanism::Halted, why.to_owned()));
        } else if let Some(failure) = fact["ended"]["end"].get("failed") {
            let text = failure["detail"].as_str().unwrap_or_default();
            let told =
                format!("{}: {text}", fact["ended"]["key"]["step"].as_str().unwrap_or_default());
            self.refused_returns = Some(told.clone());
            self.last = Some((Mechanism::Return, told));
        }
    }

    fn requested(&mut self, requested: &Value) {
        let accepted: Vec<&Value> = list(&requested["accepted"]).map(|one| &one["path"]).collect();
        self.pending = list(&requested["requests"])
            .filter(|request| !accepted.contains(&&request["edit"]["path"]))
            .filter_map(|request| request["edit"]["path"].as_str().map(str::to_owned))
            .collect();
    }

    fn settled(&mut self, settled: &Value) {
        let entries = list(&settled["entries"]).filter(|entry| entry["waived"].is_null());
        for entry in entries {
            let name = entry["name"].as_str().unwrap_or_default();
            let is_guard = entry["kind"] == "guard";
            let (broken, open) = (entry["standing"].get("broken"), entry["standing"].get("open"));
            let Some(why) = broken.or(open).and_then(Value::as_str) else { continue };
            let detail = format!("{name}: {why}");
            let objection = match (is_guard, broken.is_some()) {
                (true, false) => continue,
                _ if self.unproven.iter().any(|one| one == name) => (Mechanism::Unproven, detail),
                (true | false, true) => (Mechanism::Guard, detail),
                (false, false) if !self.pending.is_empty() => {
                    let edits = self.pending.join(", ");
                    (Mechanism::Protected, format!("edits of {edits} have no effect; {detail}"))
                }
                (false, false) => (Mechanism::Criterion, detail),
            };
            self.last = Some(objection);
        }
    }

    fn canaries(&mut self, canaries: &Value) {
        for canary in list(&canaries["canaries"]) {
            if let Some(green) = canary["bite"].get("green") {
                let tried = green["tried"][0].as_str().unwrap_or_default();
                let detail = format!("{} stays green with {tried}", canary["command"]);
                self.last = Some((Mechanism::Canary, detail));
            }
        }
    }

    /// What a run that was completed has put right on its way.
    fn put_right(self) -> (Mechanism, String) {
        if let Some(strays) = self.strays {
            (Mechanism::Strays, strays)
        } else if !self.pending.is_empty() {
            (Mechanism::Protected, format!("left out: {}", self.pending.join(", ")))
        } else if let Some(refused) = self.refused_returns {
            (Mechanism::Return, refused)
        } else {
            (Mechanism::Isolation, "yours and the result are as without it".to_owned())
        }
    }
}

fn unproven(checked: &Value) -> Vec<String> {
    let results = list(&checked["results"]).filter(|one| one["verdict"].get("unproven").is_some());
    results.filter_map(|one| one["name"].as_str().map(str::to_owned)).collect()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn last_words(stderr: &str) -> String {
    stderr.lines().find_map(|line| line.strip_prefix("error: ")).unwrap_or_default().to_owned()
}

/// One line of plain text.
fn short(text: &str) -> String {
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    match line.char_indices().nth(DETAIL_CHARS_MAX) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}
