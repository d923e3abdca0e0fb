//! Sample roadmaps and scripts. Phase N is done when `part-N.txt` holds the line `part N`.

/// A roadmap of phases that depend on one another in a row.
pub fn roadmap(phases: usize) -> String {
    let mut text = "# Roadmap\n\n".to_owned();
    for phase in 1..=phases {
        text.push_str(&format!("- [ ] **Phase {phase}: Part {phase}** - write it\n"));
    }
    for phase in 1..=phases {
        let before = match phase {
            1 => "Nothing".to_owned(),
            _ => format!("Phase {}", phase - 1),
        };
        text.push_str(&format!(
            "\n### Phase {phase}: Part {phase}\n**Goal**: `part-{phase}.txt` is written.\n\
             **Depends on**: {before}\n**Success Criteria**:\n\
             1. It is written -- verified by: `grep -qx 'part {phase}' part-{phase}.txt`\n"
        ));
    }
    text
}

/// The entries of an agent that does what every phase asks for.
pub fn honest(phases: usize) -> String {
    (1..=phases)
        .map(|phase| plan(phase, "", "") + &agent("executor", phase, &part(phase), ""))
        .collect()
}

/// An entry for one role in one phase; `actions` are what it does, `rest` further keys.
pub fn agent(role: &str, phase: usize, actions: &str, rest: &str) -> String {
    format!("[[on]]\nrole = \"{role}\"\nphase = \"{phase}\"\n{rest}\ndo = [{actions}]\n\n")
}

/// The entry of a planner whose plan has one task for the agent, and whatever tasks come before it.
pub fn plan(phase: usize, tasks_before: &str, actions_before: &str) -> String {
    let text = format!(
        "# Plan\n\n{tasks_before}<task id=\"{phase}-01\" type=\"auto\" complexity=\"simple\">\n\
         <name>Write part {phase}</name>\n<files>part-{phase}.txt</files>\n<action>Write the file part-{phase}.txt \
         into the root of the project. It holds one line with the word part, a blank and the number, and a line end.</action>\n\
         <acceptance_criteria>\n- it is written -- verified by: `echo part {phase} | cmp -s - part-{phase}.txt`\n\
         </acceptance_criteria>\n<verify>read it</verify>\n<done>it is written</done>\n</task>\n"
    );
    let path = format!(".planning/phases/{phase}-part-{phase}/PLAN.md");
    let write = format!("{{ write = {{ path = \"{path}\", text = '''\n{text}''' }} }}");
    agent("planner", phase, &format!("{actions_before}{write}"), "")
}

/// The action that does what a phase asks for.
pub fn part(phase: usize) -> String {
    format!("{{ write = {{ path = \"part-{phase}.txt\", text = \"part {phase}\\n\" }} }}")
}

/// The action that runs a command.
pub fn sh(command: &str) -> String {
    format!("{{ run = {{ command = '''{command}''' }} }}")
}

/// The action that leaves a sign.
pub fn sign(name: &str) -> String {
    format!("{{ touch = {{ path = \"ROOT/signs/{name}\" }} }}")
}

/// The action that waits until a sign is there.
pub fn until(name: &str) -> String {
    sh(&format!("until test -e ROOT/signs/{name}; do sleep 0.01; done"))
}
