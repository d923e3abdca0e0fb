//! Every prompt as agents get it, in a file each.

use std::collections::BTreeMap;

use super::{Material, Prompts, sample::samples, schema, templates};

#[test]
fn every_prompt_is_what_was_last_looked_at() {
    let prompts = Prompts::built_in();
    let mut names: BTreeMap<&str, u32> = BTreeMap::new();
    for task in samples() {
        let material = Material { diff: "+echo Hallo", repo_map: None, screenshots: None };
        let text = prompts.write(&task, &material).expect("it renders");
        // Schemas come from types and have tests of their own.
        let text = text.replace(schema(task.role, task.sitting), "SCHEMA");
        assert!(text.ends_with("```json\nSCHEMA\n```"), "{text}");
        let name = super::template(task.role, task.sitting);
        let number = names.entry(name).or_default();
        *number += 1;
        insta::assert_snapshot!(format!("{name}-{number}"), text);
    }
    let of_roles = templates().filter(|(name, _)| !name.starts_with('_'));
    for (name, _) in of_roles {
        assert!(names.contains_key(name), "nobody has looked at the prompt of the {name}");
    }
}

#[test]
fn every_prompt_says_what_is_seen_what_is_returned_and_what_may_be_spent() {
    Prompts::built_in().rehearse().expect("no name in a template is misspelt");
    for task in samples() {
        let text = Prompts::built_in().write(&task, &Material::default()).expect("it renders");
        for told in [
            "## What you have",
            "Your working directory",
            "60 minutes",
            "300 seconds",
            "lines at",
            "## What you return",
        ] {
            assert!(text.contains(told), "{told} is missing: {text}");
        }
    }
}
