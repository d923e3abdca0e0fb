//! Agents that do odd things to their repository: the work counts, and everything is kept.

use crate::harness::{Project, agent, part, sh};

/// Runs one phase whose executor does something odd after its work, and looks for what it left.
#[track_caller]
fn survives(command: &str, markers: &[&str]) -> Project {
    let actions = format!("{}, {}", part(1), sh(command));
    let project = Project::scripted(&agent("executor", 1, &actions, ""));
    let output = project.run(&["run"]);
    assert_eq!(output.code, Some(0), "{}", output.shown());
    for marker in markers {
        assert!(project.is_reachable(marker), "`{marker}` is not reachable: {}", output.shown());
    }
    assert!(!project.is_reachable("nobody-wrote-this"), "the search can also find nothing");
    let shown = project.sandbox.git(["show", &format!("{}:part-1.txt", project.head())]);
    assert_eq!(shown, "part 1", "the work is on the run branch");
    project
}

#[test]
fn commits_of_its_own_are_kept() {
    let project = survives(
        "echo first-marker > own.txt; git add own.txt; git commit -qm first; \
         echo second-marker > own.txt; git commit -qam second; rm own.txt",
        &["first-marker", "second-marker"],
    );
    assert!(!project.files_at(&project.head()).contains(&"own.txt".to_owned()));
}

#[test]
fn amended_and_reset_commits_are_kept_as_far_as_the_reflog_goes() {
    survives(
        "echo amended-away > own.txt; git add own.txt; git commit -qm one; echo after > own.txt; \
         git commit -qa --amend -m two; git reset -q --hard HEAD~1; echo 'part 1' > part-1.txt",
        &["amended-away", "after"],
    );
}

#[test]
fn commits_that_nothing_names_any_more_are_kept() {
    for tidies in ["git reflog expire --expire=now --all", "rm -rf .git/logs"] {
        survives(
            &format!(
                "git checkout -q -b gone; echo tidied-away > own.txt; git add own.txt; git commit -qm one; \
                 git checkout -q -; git branch -q -D gone; {tidies}; echo 'part 1' > part-1.txt"
            ),
            &["tidied-away"],
        );
    }
}

#[test]
fn branches_tags_and_stashes_of_its_own_are_kept() {
    let project = survives(
        "git checkout -qb mine; echo on-a-branch > b.txt; git add b.txt; git commit -qm b; git tag v1; \
         git checkout -q -; echo stashed-away > s.txt; git add s.txt; git stash -q; \
         echo 'part 1' > part-1.txt",
        &["on-a-branch", "stashed-away"],
    );
    let refs = project.sandbox.git(["for-each-ref", "--format=%(refname)"]);
    assert!(!refs.contains("refs/heads/mine") && !refs.contains("refs/tags"), "{refs}");
}

#[test]
fn a_repository_inside_its_workspace_is_kept() {
    survives(
        "mkdir inner; cd inner; git init -q .; echo nested-marker > n.txt; git add n.txt; git commit -qm n; \
         echo loose-nested > l.txt",
        &["nested-marker", "loose-nested"],
    );
}

#[test]
fn an_agent_without_a_repository_is_still_kept() {
    survives("rm -rf .git; echo without-git > w.txt", &["without-git"]);
}

#[test]
fn a_broken_repository_is_still_kept() {
    survives(
        "echo committed-then-broken > c.txt; git add c.txt; git commit -qm c; printf x > .git/HEAD; \
         echo beside-it > d.txt",
        &["committed-then-broken", "beside-it"],
    );
}

#[test]
fn a_git_file_that_points_elsewhere_is_not_followed() {
    survives(
        "rm -rf .git; echo 'gitdir: ROOT/project/.git' > .git; echo pointed-elsewhere > e.txt; \
         ln -s ROOT/project escape",
        &["pointed-elsewhere"],
    );
}

#[test]
fn names_that_need_care_are_kept() {
    let project = survives(
        "printf 'newline-marker\\n' > 'two\nlines'; printf 'dash-marker\\n' > ./-rf; \
         printf 'bytes-marker\\n' > \"$(printf 'b\\377d')\"; mkdir -p ' a b '; printf 'blank-marker\\n' > ' a b / c '; \
         printf 'quote-marker\\n' > '\"q\"'; mkdir -p .GIT2; printf 'dots-marker\\n' > ..x",
        &[
            "newline-marker",
            "dash-marker",
            "bytes-marker",
            "blank-marker",
            "quote-marker",
            "dots-marker",
        ],
    );
    let listed = project.sandbox.git(["ls-tree", "-r", "-z", "--name-only", &project.head()]);
    assert!(listed.contains("two\nlines"), "{listed:?}");
    assert!(listed.split('\0').any(|name| name == "-rf"), "{listed:?}");
}

#[test]
fn special_files_and_locked_directories_do_not_hold_the_run_up() {
    survives(
        "mkfifo pipe; mkdir locked; echo in-the-locked > locked/x; chmod 000 locked/x; echo plain-marker > y; \
         ln -s /nowhere/at/all dangling; ln -s . loop",
        &["plain-marker", "in-the-locked"],
    );
}

#[test]
fn hooks_filters_and_settings_of_its_own_are_not_run_by_the_engine() {
    let project = survives(
        "mkdir hooks; printf '#!/bin/sh\\ntouch ROOT/signs/hook\\n' | tee hooks/post-commit hooks/post-index-change \
         hooks/reference-transaction > /dev/null; chmod +x hooks/*; git config core.hooksPath hooks; \
         git config filter.evil.clean 'touch ROOT/signs/filter; cat'; printf '* filter=evil\\n' > .gitattributes; \
         git config core.fsmonitor 'touch ROOT/signs/monitor'; \
         git config core.sshCommand 'touch ROOT/signs/ssh'; echo set-up-marker > z",
        &["set-up-marker"],
    );
    let signs: Vec<_> = std::fs::read_dir(project.path("signs")).expect("there").collect();
    assert!(signs.is_empty(), "{signs:?}");
}

#[test]
fn a_reader_that_writes_changes_nothing_but_is_kept() {
    let meddle =
        "echo reader-marker > part-1.txt; git commit -qam meddling; echo more-of-it > new.txt";
    let project = Project::scripted(&agent("verifier", 1, &sh(meddle), ""));
    project.run(&["run"]).expect(0);
    let shown = project.sandbox.git(["show", &format!("{}:part-1.txt", project.head())]);
    assert_eq!(shown, "part 1");
    assert!(project.is_reachable("reader-marker") && project.is_reachable("more-of-it"));
}
