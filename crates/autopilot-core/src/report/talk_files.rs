//! `context-map.json` and `discuss-context.json`: what a person has answered, over all runs.
//!
//! A run adds what it was told. What stands there already stays: an answer is never written over, a phase never taken out, and
//! keys that are not known here are passed on.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::{
    phases::{Discussed, Mapped, Phases, Said, Talking, Told},
    roadmap::PhaseId,
    run::{Run, Work},
    sessions::clock::seconds,
    time::Timestamp,
};

/// The version of both files.
const VERSION: &str = "1.0";
/// What an idea for another phase begins with.
const LATER: &str = "later:";

/// `context-map.json` with what a run was told; nothing where it has mapped no phase.
pub fn context_map(run: &Run, before: Option<Value>) -> Option<Value> {
    let (work, talking) = talk_of(run)?;
    let mapped = talking.mapped.iter().map(|one| (one.phase, of_map(work, one)));
    merged(before, mapped.collect(), talking.entered_at)
}

/// `discuss-context.json` with what a run was told; nothing where nothing was talked about.
pub fn discuss_context(run: &Run, before: Option<Value>) -> Option<Value> {
    let (work, talking) = talk_of(run)?;
    let discussed = talking.discussed.iter().filter(|one| !one.selected.is_empty());
    let discussed = discussed.map(|one| (one.phase, of_discussion(work, one)));
    merged(before, discussed.collect(), talking.entered_at)
}

/// What people have answered, by phase, as either file tells it. What cannot be read is passed over.
pub fn told(file: &Value) -> BTreeMap<PhaseId, Vec<Told>> {
    let phases = file["phases"].as_object().into_iter().flatten();
    let told = phases.filter_map(|(id, phase)| {
        let questions = phase["questions"].as_array().into_iter().flatten();
        let told = questions.filter_map(answered);
        let told: Vec<Told> = told.filter(|told| !told.answer.starts_with(LATER)).collect();
        Some((id.parse().ok()?, told))
    });
    told.filter(|(_, told): &(PhaseId, Vec<Told>)| !told.is_empty()).collect()
}

fn answered(question: &Value) -> Option<Told> {
    let text = |key: &str| question[key].as_str().map(str::trim).filter(|text| !text.is_empty());
    Some(Told {
        question: text("question")?.to_owned(),
        category: text("category").unwrap_or_default().to_owned(),
        answer: text("answer")?.to_owned(),
    })
}

fn talk_of(run: &Run) -> Option<(&Phases, &Talking)> {
    let Work::Phases(work) = &run.work;
    Some((work, work.talk.talking()?))
}

fn name_of(work: &Phases, id: PhaseId) -> &str {
    work.place(&id).map_or("", |at| work.list[at].spec.name.as_str())
}

fn of_map(work: &Phases, mapped: &Mapped) -> Value {
    let questions = mapped.questions.iter().map(|asked| {
        let reply = asked.reply.as_ref().filter(|reply| reply.said.is_some());
        json!({
            "question": asked.question,
            "category": asked.category.name(),
            "why_needed": asked.why_needed,
            "answer": reply.and_then(|reply| reply.said.clone()),
            "answered_at": reply.map(|reply| seconds(reply.at)),
        })
    });
    json!({
        "phase_name": name_of(work, mapped.phase),
        "context_score": mapped.assessment.score,
        "score_after": mapped.after.unwrap_or(mapped.assessment.score),
        "questions": questions.collect::<Vec<_>>(),
        "mapped_at": seconds(mapped.at),
    })
}

fn of_discussion(work: &Phases, one: &Discussed) -> Value {
    let areas: Vec<_> = one.selected.iter().filter_map(|at| one.areas.get(*at)).collect();
    let questions = areas.iter().flat_map(|area| {
        area.questions.iter().filter_map(|asked| {
            let reply = asked.reply.as_ref()?;
            Some(json!({
                "question": asked.question,
                "area": area.area,
                "category": asked.category,
                "answer": answer_of(&reply.said),
                "answered_at": seconds(reply.at),
            }))
        })
    });
    let path = work.place(&one.phase).map(|at| &work.list[at].spec);
    json!({
        "phase_name": name_of(work, one.phase),
        "gray_areas_discussed": areas.iter().map(|area| &area.area).collect::<Vec<_>>(),
        "questions": questions.collect::<Vec<_>>(),
        "context_md_path": path.map(|spec| format!("{}/CONTEXT.md", spec.directory)),
        "discussed_at": seconds(one.at),
    })
}

/// An answer as it stands in the file. An idea for another phase says that it is one.
fn answer_of(said: &Said) -> String {
    match said {
        Said::Later(idea) => format!("{LATER} {idea}"),
        Said::Chosen(_) | Said::Own(_) | Said::YouDecide => said.text().to_owned(),
    }
}

/// A file with these phases merged into it.
fn merged(before: Option<Value>, phases: Vec<(PhaseId, Value)>, at: Timestamp) -> Option<Value> {
    if phases.is_empty() {
        return None;
    }
    let mut file = match before {
        Some(Value::Object(file)) => file,
        Some(_) | None => Map::new(),
    };
    file.entry("version").or_insert_with(|| json!(VERSION));
    file.insert("last_updated".to_owned(), json!(seconds(at)));
    let all = file.entry("phases").or_insert_with(|| json!({}));
    if !all.is_object() {
        *all = json!({});
    }
    for (id, phase) in phases {
        let slot = &mut all[id.as_str()];
        *slot = merged_phase(slot.take(), phase);
    }
    Some(Value::Object(file))
}

/// A phase as it was, with what is new: its scores and times are the latest, its answers are all there ever were.
fn merged_phase(before: Value, now: Value) -> Value {
    let (Value::Object(mut phase), Value::Object(now)) = (before, now.clone()) else { return now };
    for (key, value) in now {
        let merged = match (phase.get_mut(&key).map(Value::take), value) {
            (Some(Value::Array(old)), Value::Array(new)) => Value::Array(joined(old, new)),
            (_, value) => value,
        };
        phase.insert(key, merged);
    }
    Value::Object(phase)
}

/// A list with what is new in another: questions are the same by their text, and keep an answer that they have.
fn joined(mut old: Vec<Value>, new: Vec<Value>) -> Vec<Value> {
    for one in new {
        let text = |value: &Value| value["question"].as_str().map(str::to_owned);
        let found = old.iter_mut().find(|other| match (text(other), text(&one)) {
            (Some(other), Some(one)) => crate::phases::is_same_question(&other, &one),
            (_, _) => **other == one,
        });
        match found {
            None => old.push(one),
            Some(other) if answered(other).is_none() && answered(&one).is_some() => *other = one,
            Some(_) => {}
        }
    }
    old
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(text: &str, answer: Option<&str>) -> Value {
        json!({"question": text, "category": "domain", "answer": answer, "answered_at": answer.map(|_| "then")})
    }

    fn file(questions: &[Value]) -> Value {
        json!({
            "version": "1.0",
            "last_updated": "then",
            "phases": {
                "3": {"phase_name": "Three", "context_score": 2, "questions": questions, "note": "mine"},
                "9": {"phase_name": "Nine", "questions": [question("Why?", Some("because"))]},
            },
        })
    }

    fn add(before: Option<Value>, questions: &[Value]) -> Value {
        let phase = json!({"phase_name": "Three", "context_score": 5, "questions": questions});
        let id: PhaseId = "3".parse().expect("an id");
        merged(before, vec![(id, phase)], Timestamp::from_ms(0)).expect("there is a phase")
    }

    #[test]
    fn c42_answers_are_merged_and_never_written_over() {
        let before = file(&[
            question("Which shell?", Some("dash")),
            question("Which colour?", None),
            question("Old?", Some("yes")),
        ]);
        let now = [
            question("which SHELL", Some("bash")),
            question("Which colour?", Some("red")),
            question("New?", None),
        ];
        let after = add(Some(before.clone()), &now);
        let told: Vec<(&str, Option<&str>)> = after["phases"]["3"]["questions"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|one| (one["question"].as_str().expect("a text"), one["answer"].as_str()))
            .collect();
        let expected = [
            ("Which shell?", Some("dash")),
            ("Which colour?", Some("red")),
            ("Old?", Some("yes")),
            ("New?", None),
        ];
        assert_eq!(told, expected);
        assert_eq!(after["phases"]["3"]["context_score"], 5);
        assert_eq!(after["phases"]["3"]["note"], "mine", "what is not known here stays");
        assert_eq!(after["phases"]["9"], before["phases"]["9"], "no phase is taken out");
        assert_eq!(add(Some(after.clone()), &now), after, "once more changes nothing");
    }

    #[test]
    fn c42_a_file_that_is_none_is_begun_anew() {
        for before in [None, Some(json!([])), Some(json!({"phases": 3}))] {
            let after = add(before, &[question("Which shell?", Some("dash"))]);
            assert_eq!(after["version"], "1.0");
            assert_eq!(after["phases"]["3"]["questions"][0]["answer"], "dash");
        }
    }

    #[test]
    fn c42_only_what_was_answered_is_told_to_later_runs() {
        let read = told(&file(&[
            question("Which shell?", Some("dash")),
            question("Open?", None),
            question("How?", Some("later: all")),
        ]));
        let of = |id: &str| read[&id.parse::<PhaseId>().expect("an id")].clone();
        assert_eq!(of("3").len(), 1);
        assert_eq!(of("3")[0].answer, "dash");
        assert_eq!(of("9")[0].question, "Why?");
        assert!(told(&json!({"phases": {"x y": 3, "4": {"questions": "none"}}})).is_empty());
    }
}
