//! The first mutants of Python.

use super::{Case, check};

#[test]
fn the_first_mutants_of_python() {
    check(PYTHON);
}

const PYTHON: &[Case] = &[
    (
        "a.py",
        r##"def clamp(value, low, high):
    """Keep value > low."""
    if value < low:
        return low
    return min(value, high)
"##,
        &[
            "3: `<` became `>=`",
            "4: `low` became another value of its type",
            "5: `min(value, high)` became another value of its type",
        ],
    ),
    (
        "a.py",
        r##"import os
from pathlib import Path


def find(root, name, depth=3):
    for entry in os.listdir(root):
        if entry in ("a", "b") and not entry.startswith("."):
            return Path(root) / entry
    return None
"##,
        &[
            "7: `in` became `not in`",
            "8: `Path(root) / entry` became another value of its type",
            "9: `None` became another value of its type",
            "5: `3` became `4`",
        ],
    ),
    (
        "a.py",
        r##"class Stack(list):
    """A stack.

    x == y in here is text
    """

    limit = 10

    def push(self, item):
        if len(self) >= self.limit:
            raise ValueError("too many: %d" % len(self))
        self.append(item)
        self.count = self.count + 1
"##,
        &[
            "10: `len(self) >= self.limit` is never true",
            "13: `+` became `-`",
            "7: `10` became `11`",
            "12: `self.append(item)` does not happen",
        ],
    ),
    (
        "a.py",
        r##"def greet(name: str) -> str:
    return f"Hello, {name}! {1 + 1 == 2}"


def is_even(n: int) -> bool:
    return n % 2 == 0
"##,
        &[
            "6: `==` became `!=`",
            r#"2: `f"Hello, {name}! {1 + 1 == 2}"` became `f"mutated, {name}! {1 + 1 == 2}"`"#,
            "6: `0` became `1`",
        ],
    ),
    (
        "a.py",
        r##"import logging

logger = logging.getLogger(__name__)


def total(items: list[int]) -> int:
    logger.info("adding %d", len(items))
    result = 0
    for item in items:
        result += item
    return result


if __name__ == "__main__":
    print(total([1, 2]))
"##,
        &[
            "11: `result` became `result + 1`",
            "10: `+=` became `-=`",
            "8: `0` became `1`",
            "7: `adding %d` became `mutated %d`",
        ],
    ),
    (
        "a.py",
        r##"@dataclass(frozen=True)
class Point:
    x: int = 0
    y: int = 0

    @property
    def norm(self):
        return (self.x ** 2 + self.y ** 2) ** 0.5
"##,
        &[
            "8: `(self.x ** 2 + self.y ** 2) ** 0.5` became another value of its type",
            "3: `0` became `1`",
            "4: `0` became `1`",
        ],
    ),
    (
        "a.py",
        r##"def load(path):
    with open(path) as handle:
        data = handle.read()
    if data is None or "x" not in data:
        return {}
    return {
        "name": data,
        "size": len(data),
    }
"##,
        &[
            "4: `is` became `is not`",
            "5: `{}` became another value of its type",
            "6: `{…` became another value of its type",
            "7: `name` became `mutated`",
        ],
    ),
    (
        "a.py",
        r##"def setup(app):
    app.add("a")
    app.run(
        host="localhost",
    )


async def main():
    await start()
    return [x for x in range(3) if x]
"##,
        &[
            "10: `x` became `not (x)`",
            "2: `a` became `amutated`",
            "4: `localhost` became `mutated`",
            "9: `await start()` does not happen",
        ],
    ),
    (
        "a.py",
        "def größe(wert):\n\tif wert:\n\t\treturn \"ja\"\n\telse:\n\t\treturn \"nein\"\n",
        &[
            "2: `wert` became `not (wert)`",
            r#"3: `"ja"` became `"mutated"`"#,
            r#"5: `"nein"` became `"mutated"`"#,
        ],
    ),
    (
        "a.py",
        r##"SQL = """
select a from b where c = 1
"""
NAME = 'it"s'
assert NAME == "x"
"##,
        &[
            "1: `select a from b where c = 1` became `mutated a mutated b mutated c = 1`",
            r#"4: `it"s` became `mutated"s`"#,
        ],
    ),
];
