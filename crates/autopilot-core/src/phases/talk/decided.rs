//! What a person has decided about a phase, for those who plan and work: what counts most comes first.

use super::{Decided, Told, context_md, owed::told, said::is_same};
use crate::{
    phases::{Phase, Phases},
    run::Run,
};

/// Where the answers of discussions are.
const DISCUSSED: &str = ".autopilot/discuss-context.json";
/// Where the answers to maps are.
const MAPPED: &str = ".autopilot/context-map.json";

/// What a person has decided about a phase.
pub(in crate::phases) fn decided(run: &Run, work: &Phases, phase: &Phase) -> Vec<Decided> {
    // What was said of a phase is said of its parts.
    let whole = phase.part_of.unwrap_or(phase.spec.id);
    let known = run.known(whole);
    let talking = work.talk.talking();
    let discussed = talking.and_then(|talking| talking.discussion(whole));
    let mapped = talking.and_then(|talking| talking.map(whole));
    let answers = mapped.into_iter().flat_map(|mapped| &mapped.questions).filter_map(|asked| {
        Some(Told {
            question: asked.question.clone(),
            category: asked.category.name().to_owned(),
            answer: asked.reply.as_ref()?.said.clone()?,
        })
    });
    in_order(
        context_md::current(run, work, whole).as_deref(),
        &known
            .discussed
            .iter()
            .cloned()
            .chain(discussed.into_iter().flat_map(told))
            .collect::<Vec<_>>(),
        &known.mapped.iter().cloned().chain(answers).collect::<Vec<_>>(),
    )
}

/// What three sources say, the weightiest first. A question counts where it is first answered.
fn in_order(context_md: Option<&str>, discussed: &[Told], mapped: &[Told]) -> Vec<Decided> {
    let mut all = Vec::new();
    let written = context_md.unwrap_or_default();
    if !written.trim().is_empty() {
        all.push(Decided { source: "CONTEXT.md".to_owned(), text: written.to_owned() });
    }
    let mut before: Vec<&Told> = Vec::new();
    for (source, answers) in [(DISCUSSED, discussed), (MAPPED, mapped)] {
        let is_new = |told: &&Told| {
            !written.contains(&told.question)
                && before.iter().all(|one| !is_same(&one.question, &told.question))
        };
        let new: Vec<&Told> = answers.iter().filter(is_new).collect();
        let lines = new.iter().map(|told| format!("- {} {}\n", told.question, told.answer));
        let text: String = lines.collect();
        if !text.is_empty() {
            all.push(Decided { source: source.to_owned(), text });
        }
        before.extend(new);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(question: &str, answer: &str) -> Told {
        let (question, answer) = (question.to_owned(), answer.to_owned());
        Told { question, category: String::new(), answer }
    }

    #[test]
    fn e20_what_counts_most_comes_first_and_a_question_counts_where_it_is_first_answered() {
        let written = "# Context\n- How is it sorted? By date\n";
        let discussed = [told("How is it sorted?", "By name"), told("Which colour?", "Red")];
        let mapped = [
            told("which  colour", "Blue"),
            told("How is it sorted?", "By size"),
            told("Which shell?", "dash"),
        ];
        let sources = |all: &[Decided]| -> Vec<(String, String)> {
            all.iter().map(|one| (one.source.clone(), one.text.clone())).collect()
        };
        let all = in_order(Some(written), &discussed, &mapped);
        let expected = [
            ("CONTEXT.md", written),
            (DISCUSSED, "- Which colour? Red\n"),
            (MAPPED, "- Which shell? dash\n"),
        ];
        let expected = expected.map(|(source, text)| (source.to_owned(), text.to_owned()));
        assert_eq!(sources(&all), expected);
        let without = in_order(None, &discussed, &mapped);
        assert_eq!(without[0].text, "- How is it sorted? By name\n- Which colour? Red\n");
        assert_eq!(without[1].text, "- Which shell? dash\n");
        let map_alone = in_order(Some("  "), &[], &mapped);
        assert_eq!(map_alone.len(), 1);
        assert!(map_alone[0].text.contains("Blue"), "{map_alone:?}");
        assert_eq!(in_order(None, &[], &[]), []);
    }
}
