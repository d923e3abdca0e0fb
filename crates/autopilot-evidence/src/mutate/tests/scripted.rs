//! The first mutants of other scripting languages, of data and of documents.

use super::{Case, check};

#[test]
fn the_first_mutants_of_ruby() {
    check(RUBY);
}

const RUBY: &[Case] = &[
    (
        "a.rb",
        r##"require "set"

class Stack < Array
  def push_all(items)
    return self if items.empty?
    items.each { |item| push(item) }
    self
  end
end
"##,
        &["5: `items.empty?` became `!(items.empty?)`", "7: `self` became `nil`"],
    ),
    (
        "a.rb",
        r##"def greet(name)
  text = <<~TEXT
    Hello if x == y
  TEXT
  raise ArgumentError, "no name" unless name
  "#{text} #{name}"
end
"##,
        &[
            "5: `name` became `!(name)`",
            r##"6: `"#{text} #{name}"` became `"#{text} #{name}mutated"`"##,
            "2: the function does nothing",
        ],
    ),
    (
        "a.rb",
        r##"def ready?(list)
  if list.size > 3 && list.first =~ /a>b/
    @count += 2
    true
  else
    false
  end
end
"##,
        &[
            "2: `>` became `<=`",
            "3: `+=` became `-=`",
            "4: `true` became `false`",
            "6: `false` became `true`",
        ],
    ),
];

#[test]
fn the_first_mutants_of_php() {
    check(PHP);
}

const PHP: &[Case] = &[
    (
        "a.php",
        r##"<html lang="en"><?php
use A\B;

function clamp(int $value, int $low): int {
    if ($value < $low) {
        return $low;
    }
    return $value;
}
?></html>
"##,
        &["5: `<` became `>=`", "6: `$low` became `$low + 1`", "8: `$value` became `$value + 1`"],
    ),
    (
        "a.php",
        r##"<?php
# comment
class A {
    private array $items = [];
    public function add(string $name): void {
        $this->items[] = $name;
        $this->save();
    }
    public function has($name) {
        return in_array($name, $this->items);
    }
}
"##,
        &[
            "10: `in_array($name, $this->items)` became `null`",
            "6: `$this->items[] = $name;` does not happen",
            "7: `$this->save();` does not happen",
            "5: the function does nothing",
        ],
    ),
    (
        "a.php",
        r##"<?php
$text = <<<EOT
a > b
EOT;
echo "Hello {$user["name"]}!";
if (!isset($x) || $x === 'a') { exit(1); }
"##,
        &[
            "6: `!isset($x) || $x === 'a'` is never true",
            r#"5: `Hello {$user["name"]}!` became `mutated {$user["name"]}!`"#,
            "6: `1` became `2`",
        ],
    ),
];

#[test]
fn the_first_mutants_of_elixir() {
    check(ELIXIR);
}

const ELIXIR: &[Case] = &[
    (
        "a.ex",
        r##"defmodule P do
  @moduledoc """
  Text == text
  """
  @limit 10

  @doc "Adds"
  def add(a, b) when a > 0 do
    a + b
  end
end
"##,
        &[
            "8: `>` became `<=`",
            "9: `a + b` became `nil`",
            "5: `10` became `11`",
            "8: `0` became `1`",
        ],
    ),
    (
        "a.ex",
        r##"defmodule P do
  alias P.Store

  def greet(name) do
    if String.valid?(name) do
      "Hello, #{name}"
    else
      :error
    end
  end
end
"##,
        &[
            "5: `String.valid?(name)` became `!(String.valid?(name))`",
            "6: `Hello, #{name}` became `mutated, #{name}`",
        ],
    ),
    (
        "a.ex",
        r##"defmodule P do
  def ready?(list), do: length(list) == 3

  def run(list) do
    list
    |> Enum.map(fn x -> x * 2 end)
    |> Enum.sum()
  end
end
"##,
        &["2: `==` became `!=`", "6: `*` became `+`", "2: `3` became `4`", "6: `2` became `3`"],
    ),
];

#[test]
fn the_first_mutants_of_sql() {
    check(SQL);
}

const SQL: &[Case] = &[
    (
        "a.sql",
        r##"-- a = b
SELECT name, count(*) FROM users
WHERE age >= 18 AND status = 'active'
GROUP BY name;
"##,
        &["3: `>=` became `<`", "3: `=` became `<>`"],
    ),
    (
        "a.sql",
        r##"CREATE TABLE users (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL DEFAULT 'none'
);
"##,
        &["3: `none` became `mutated`"],
    ),
    (
        "a.sql",
        r##"UPDATE users SET name = 'x', age = age + 1 WHERE id = 3;
"##,
        &["1: `=` became `<>`", "1: `3` became `4`"],
    ),
];

#[test]
fn the_first_mutants_of_data() {
    check(DATA);
}

const DATA: &[Case] = &[
    (
        "a.json",
        r##"{
  "name": "demo",
  "port": 8080,
  "open": true
}
"##,
        &["2: `demo` became `mutated`", "3: `8080` became `8079`", "4: `true` became `false`"],
    ),
    (
        "a.toml",
        r##"# comment
[package]
name = "demo"
edition = 2021
"##,
        &["3: `demo` became `mutated`", "4: `2021` became `2020`"],
    ),
    (
        ".env",
        r##"# comment
MODE=fast and good
PORT=80
"##,
        &["2: `fast and good` became `mutated mutated mutated`", "3: `80` became `81`"],
    ),
    (
        "a.yaml",
        r##"name: demo
on:
  push: true
jobs: # all
  - run: cargo test --all
  - uses: "a/b@v4"
  - port: 80
"##,
        &[
            "1: `demo` became `mutated`",
            "3: `true` became `false`",
            "5: `cargo test --all` became `mutated mutated --mutated`",
            "6: `a/b@v4` became `a/b@v4mutated`",
        ],
    ),
];

#[test]
fn the_first_mutants_of_documents() {
    check(DOCUMENTS);
}

const DOCUMENTS: &[Case] = &[
    (
        "README.md",
        r##"# Title

Run `make` to build.

```sh
make
```
"##,
        &[
            "1: the line `# Title` is gone",
            "3: the line `Run `make` to build.` is gone",
            "6: the line `make` is gone",
        ],
    ),
    (
        "a.html",
        r##"<!-- <p>no</p> -->
<div class="box">
  <p>Hello there</p>
</div>
"##,
        &["3: `Hello there` became `mutated mutated`", "2: `box` became `mutated`"],
    ),
    (
        "a.css",
        r##"/* color: red; */
.box {
  color: red;
  margin: 10px 2em;
}
"##,
        &[
            "3: `red` became `mutated`",
            "4: `10px 2em` became `11mutated 3mutated`",
            "2: `.box` became `.mutated`",
        ],
    ),
    (
        "notes.txt",
        "first line\nsecond\n",
        &["1: the line `first line` is gone", "2: the line `second` is gone"],
    ),
    (
        "Makefile",
        "all: build\n\tcc -o app main.c\n# note\nVERSION = 3\n",
        &["1: `build` became `mutated`", "2: `c` became `mutated`", "4: `3` became `4`"],
    ),
];
