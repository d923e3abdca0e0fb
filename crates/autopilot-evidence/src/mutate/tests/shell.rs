//! The first mutants of shell scripts.

use super::{Case, check};

#[test]
fn the_first_mutants_of_shell() {
    check(SHELL);
}

const SHELL: &[Case] = &[
    (
        "a.sh",
        r##"#!/bin/sh
set -eu
# if [ 1 -eq 2 ]
if [ "$#" -eq 0 ]; then
  echo "usage: $0 name" >&2
  exit 2
fi
echo "Hello, $1"
"##,
        &[
            r#"4: `[ "$#" -eq 0 ]` is never true"#,
            "6: `2` became `0`",
            r#"8: `"Hello, $1"` became `"mutated, $1"`"#,
            r#"5: `echo "usage: $0 name" >&2` does not happen"#,
        ],
    ),
    (
        "a.sh",
        r##"for file in *.txt; do
  if [[ -f "$file" && $file != a* ]]; then
    cp "$file" out/
  fi
done
"##,
        &["2: `-f` became `! -f`", r#"3: `cp "$file" out/` does not happen"#, "2: `!=` became `=`"],
    ),
    (
        "a.sh",
        r##"count=0
while read -r line; do
  count=$((count + 1))
done < input.txt
test "$count" -gt 3 && echo many || exit 1
"##,
        &[
            "5: `-gt` became `-le`",
            "3: `count=$((count + 1))` became `count=$((count - 1))`",
            "1: `0` became `1`",
            "5: `exit` does not happen",
        ],
    ),
    (
        "a.sh",
        r##"cat > config.ini <<EOF
name = value && other
port = 80
EOF
export MODE=fast
PATH_TO="it's # no comment"
"##,
        &[
            "2: `name = value && other` became `mutated = mutated && mutated`",
            "3: `port = 80` became `mutated = 80`",
            "5: `fast` became `mutated`",
            r#"6: `"it's # no comment"` became `"mutated's # mutated mutated"`"#,
        ],
    ),
    (
        "a.sh",
        r##"build() {
  local target="$1"
  make -C src "$target" | tee log.txt
  return 0
}
build all
"##,
        &[
            "4: `0` became `1`",
            r#"2: `"$1"` became `"$1mutated"`"#,
            r#"3: `make -C src "$target" | tee log.txt` does not happen"#,
            "6: `build all` does not happen",
        ],
    ),
    (
        "run",
        r##"#!/usr/bin/env bash
case "$1" in
  start) echo starting ;;
  stop) exit 0 ;;
esac
if ! grep -q foo README.md; then
  exit 1
fi
"##,
        &[
            "6: `! grep` became `grep`",
            "3: `starting` became `mutated`",
            "4: `0` became `1`",
            "7: `1` became `0`",
        ],
    ),
    (
        "a.sh",
        r##"if grep -q "a && b" file; then printf '%s\n' 'found it'; fi
if (( count < 3 )); then exit 3; fi
"##,
        &[
            "1: `grep` became `! grep`",
            "2: `(( count < 3 ))` became `(( count >= 3 ))`",
            r#"1: `'%s\n'` became `'%s\nmutated'`"#,
            "2: `3` became `0`",
        ],
    ),
    (
        "a.sh",
        r##"set -e
curl -fsS "https://example.org/a#b" \
  -o out
version=1.2
echo $version
x=$(date +%s)
"##,
        &[
            "4: `1.2` became `2.2`",
            r#"2: `curl -fsS "https://example.org/a#b" \…` does not happen"#,
            "5: `echo $version` does not happen",
            "6: `x=$(date +%s)` does not happen",
        ],
    ),
];
