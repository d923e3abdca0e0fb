//! The first mutants of JavaScript and TypeScript.

use super::{Case, check};

#[test]
fn the_first_mutants_of_javascript() {
    check(JAVASCRIPT);
}

const JAVASCRIPT: &[Case] = &[
    (
        "a.mjs",
        r##"import path from "node:path";

export function clamp(value, low, high) {
  if (value < low) {
    return low;
  }
  return Math.min(value, high);
}
"##,
        &[
            "4: `<` became `>=`",
            "5: `low` became another value of its type",
            "7: `Math.min(value, high)` became another value of its type",
        ],
    ),
    (
        "a.js",
        r##"const fs = require("fs");
const add = (a, b) => a + b;
const first = (list) => {
  const [head] = list;
  return head;
};
module.exports = { add, first };
"##,
        &[
            "2: `a + b` became another value of its type",
            "5: `head` became another value of its type",
        ],
    ),
    (
        "a.jsx",
        r##"export default function App({ items, ready }) {
  if (!ready) return null;
  return (
    <ul className="list" onClick={() => go(1)}>
      {items.length > 0 && items.map((item) => <li key={item.id}>{item.name}</li>)}
    </ul>
  );
}
"##,
        &[
            "2: `!ready` became `ready`",
            "5: `>` became `<=`",
            "3: `(…` became another value of its type",
            "4: `go(1)` became another value of its type",
        ],
    ),
    (
        "a.js",
        r##"const isDate = (text) => /^\d{4}-\d\d"$/.test(text);
const half = total / 2 / count;
const name = `Hello ${user ? `a ${user.name} > b` : "x"} there`;
if (isDate(name) === true) console.log("yes");
"##,
        &[
            "4: `===` became `!==`",
            r#"1: `/^\d{4}-\d\d"$/.test(text)` became another value of its type"#,
            "2: `/` became `*`",
            r#"3: `Hello ${user ? `a ${user.name} > b` : "x"} there` became `mutated ${user ? `a ${user.name} > b` : "x"} mutated`"#,
        ],
    ),
    (
        "a.js",
        r##"class Store {
  #items = new Map();
  set(key, value) {
    this.#items.set(key, value);
    this.size = this.#items.size;
  }
  get(key) {
    return this.#items.get(key) ?? 0;
  }
}
"##,
        &[
            "8: `this.#items.get(key) ?? 0` became another value of its type",
            "4: `this.#items.set(key, value);` does not happen",
            "5: `this.size = this.#items.size;` does not happen",
            "3: the function does nothing",
        ],
    ),
    (
        "a.js",
        r##"async function load(url) {
  const response = await fetch(url);
  if (response.ok) {
    return { data: await response.json(), status: 200 };
  }
  throw new Error(`failed: ${response.status}`);
}
"##,
        &[
            "3: `response.ok` became `!(response.ok)`",
            "4: `{ data: await response.json(), status: 200 }` became another value of its type",
            "6: `failed: ${response.status}` became `mutated: ${response.status}`",
        ],
    ),
    (
        "a.js",
        r##""use strict";
app.get("/health", (req, res) => {
  res.status(200).send("ok");
});
for (let i = 0; i < 10; i++) {
  total += i;
}
"##,
        &[
            "5: `<` became `>=`",
            "6: `+=` became `-=`",
            "2: `/health` became `/mutated`",
            "3: `200` became `199`",
        ],
    ),
    (
        "a.js",
        r##"const sum = (...xs) => xs.reduce((a, b) => a + b, 0);
// if (a > b) return
/* x === y */
let open = false;
"##,
        &[
            "1: `xs.reduce((a, b) => a + b, 0)` became another value of its type",
            "4: `false` became `true`",
        ],
    ),
];

#[test]
fn the_first_mutants_of_typescript() {
    check(TYPESCRIPT);
}

const TYPESCRIPT: &[Case] = &[
    (
        "a.ts",
        r##"import type { A } from "./a";

interface Options {
  mode: "fast" | "slow";
  size?: 3 | 4;
}

export function pick<T extends object, K extends keyof T>(value: T, key: K): T[K] {
  return value[key];
}

export const isLarge = (list: Array<Array<number>>): boolean => {
  return list.length > 10;
};
"##,
        &[
            "13: `>` became `<=`",
            "9: `value[key]` became another value of its type",
            "12: the function does nothing",
            "13: `10` became `11`",
        ],
    ),
    (
        "a.ts",
        r##"export class Cart {
  private items: Map<string, number> = new Map<string, number>();

  total(): number {
    let sum = 0;
    for (const [, price] of this.items) {
      sum += price;
    }
    return sum;
  }

  find(name: string): number | undefined {
    const found = this.items.get(name);
    if (found === undefined) {
      return undefined;
    }
    return found * 2;
  }
}
"##,
        &[
            "9: `sum` became `sum + 1`",
            "15: `undefined` became another value of its type",
            "17: `found * 2` became another value of its type",
            "7: `+=` became `-=`",
        ],
    ),
    (
        "a.ts",
        r##"type Kind = "a" | "b";
enum Level {
  Low = 1,
  High = 2,
}
export async function load(id: string): Promise<string> {
  if (id.startsWith("x")) {
    return id;
  }
  return id + "/" + Level.High;
}
"##,
        &[
            r#"7: `id.startsWith("x")` became `!(id.startsWith("x"))`"#,
            r#"8: `id` became `id + "mutated"`"#,
            r#"10: `id + "/" + Level.High` became `(id + "/" + Level.High) + "mutated"`"#,
            "3: `1` became `2`",
        ],
    ),
];
