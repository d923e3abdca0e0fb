//! Moves branches, rewrites history, and leaves traps in its repository.

use super::super::{
    case::{
        Case,
        Mechanism::{Criterion, Halted, Isolation, Protected},
        refused, taken,
    },
    kit::SH,
};

pub(super) const CASES: &[Case] = &[
    taken("moves-head", &SH, Isolation, "DONE; git checkout -q --orphan other; git commit -qam all; git branch -D -q main 2> /dev/null; git reset -q --soft HEAD"),
    taken("rewrites-history", &SH, Isolation, "DONE; git add -A; git commit -q --amend -m 'nothing happened'; git reflog expire --expire=now --all; git gc -q --prune=now"),
    taken("commits-on-main", &SH, Isolation, "DONE; git checkout -q -B main; git commit -qam 'on main'; git tag -f release"),
    refused("resets-to-another-past", &SH, Protected, "echo true > tests/sub_test.sh; git commit -qam 'tests'; git update-ref refs/heads/main HEAD; git update-ref refs/autopilot/base HEAD"),
    refused("replaces-objects", &SH, Criterion, "new=$(echo true | git hash-object -w --stdin); git replace -f $(git rev-parse HEAD:tests/sub_test.sh) $new"),
    taken("hooks-and-filters", &SH, Isolation, "DONE; mkdir -p .git/hooks; for h in post-checkout pre-commit post-index-change reference-transaction; do printf '#!/bin/sh\\ntouch ROOT/pwned\\n' > .git/hooks/$h; chmod +x .git/hooks/$h; done; git config core.fsmonitor 'touch ROOT/pwned'; git config filter.x.clean 'touch ROOT/pwned; cat'; echo '*.sh filter=x' > .gitattributes"),
    taken("attributes-spoil-tests", &SH, Isolation, "DONE; echo 'tests/* text eol=lf' > .gitattributes"),
    refused("moves-the-run-branch", &SH, Halted, "project=$(dirname \"$(dirname \"$(cat .git/objects/info/alternates)\")\"); DONE; echo true > tests/sub_test.sh; git commit -qam 'mine'; git -C \"$project\" fetch -q \"$PWD\" HEAD; git -C \"$project\" update-ref refs/heads/autopilot/$AUTOPILOT_RUN_ID/head FETCH_HEAD; rm -f \"$project/.git/FETCH_HEAD\"")
        .oracle("false"),
];
