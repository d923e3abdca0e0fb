//! The first mutants of other compiled languages.

use super::{Case, check};

#[test]
fn the_first_mutants_of_java() {
    check(JAVA);
}

const JAVA: &[Case] = &[
    (
        "A.java",
        r##"import java.util.List;
import java.util.Map;

public class A {
    private final Map<String, List<Integer>> items;

    public A(Map<String, List<Integer>> items) {
        this.items = items;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof A && ((A) other).items.equals(items);
    }

    public int size(String name) throws RuntimeException {
        if (items.containsKey(name)) {
            return items.get(name).size();
        }
        return 0;
    }
}
"##,
        &[
            "17: `items.containsKey(name)` became `!(items.containsKey(name))`",
            "13: `other instanceof A && ((A) other).items.equals(items)` became `!(other instanceof A && ((A) other).items.equals(items))`",
            "18: `items.get(name).size()` became `(items.get(name).size()) + 1`",
            "20: `0` became `1`",
        ],
    ),
    (
        "A.java",
        r##"public class A {
    static String join(String a, String b) {
        String line = a + "-" + b;
        return line;
    }

    static long sum(int[] values) {
        long total = 0;
        for (int i = 0; i < values.length; i++) {
            total += values[i];
        }
        return total;
    }
}
"##,
        &[
            "9: `<` became `>=`",
            r#"4: `line` became `line + "mutated"`"#,
            "12: `total` became `total + 1`",
            "10: `+=` became `-=`",
        ],
    ),
    (
        "A.java",
        r##"public class A {
    static <T extends Comparable<T>> T max(T a, T b) {
        char c = 'x';
        System.out.println("max of " + a);
        return a.compareTo(b) >= 0 ? a : b;
    }
}
"##,
        &[
            "5: `>=` became `<`",
            "3: `x` became `z`",
            "4: `max of` became `mutated mutated`",
            "5: `0` became `1`",
        ],
    ),
];

#[test]
fn the_first_mutants_of_kotlin() {
    check(KOTLIN);
}

const KOTLIN: &[Case] = &[
    (
        "a.kt",
        r##"package p

fun clamp(value: Int, low: Int): Int {
    if (value < low) {
        return low
    }
    return value
}
"##,
        &[
            "4: `<` became `>=`",
            "5: `low` became `low + 1`",
            "7: `value` became `value + 1`",
            "3: the function does nothing",
        ],
    ),
    (
        "a.kt",
        r##"data class Item(val name: String, val price: Double = 1.0)

fun total(items: List<Item>): Double = items.sumOf { it.price * 2 }

fun label(item: Item?): String {
    if (item == null) return "none"
    return "${item.name} > ${"x"}"
}
"##,
        &[
            r#"6: `"none"` became `"mutated"`"#,
            r#"7: `"${item.name} > ${"x"}"` became `"${item.name} > ${"x"}mutated"`"#,
            "3: `*` became `+`",
            "5: the function does nothing",
        ],
    ),
    (
        "a.kt",
        r##"class Store {
    private val items = mutableListOf<String>()
    fun add(item: String) {
        items.add(item)
    }
    fun isEmpty(): Boolean = items.size == 0
}
"##,
        &[
            "6: `==` became `!=`",
            "4: `items.add(item)` does not happen",
            "3: the function does nothing",
            "6: `0` became `1`",
        ],
    ),
];

#[test]
fn the_first_mutants_of_c() {
    check(C);
}

const C: &[Case] = &[
    (
        "a.c",
        r##"#include <stdio.h>
#define MAX(a, b) ((a) > (b) ? (a) : (b))

int clamp(int value, int low) {
    if (value < low)
        return low;
    return value;
}
"##,
        &["5: `<` became `>=`", "6: `low` became `low + 1`", "7: `value` became `value + 1`"],
    ),
    (
        "a.c",
        r##"#include <stdlib.h>
static char *copy(const char *text, size_t n) {
    char *out = malloc(n + 1);
    int i = 0;
    while (text[i] && i < 10) {
        out[i] = text[i];
        i++;
    }
    return out;
}
int main(void) { return copy("a", 2) == NULL; }
"##,
        &["5: `<` became `>=`", "11: `==` became `!=`", "9: `out` became `0`", "3: `+` became `-`"],
    ),
    (
        "a.c",
        r##"struct point { int x; int *y; };

void move(struct point *p, int dx) {
    p->x += dx * 2;
    *p->y = 'a';
}
"##,
        &[
            "4: `+=` became `-=`",
            "5: `a` became `z`",
            "3: the function does nothing",
            "4: `*` became `+`",
        ],
    ),
];

#[test]
fn the_first_mutants_of_cpp() {
    check(CPP);
}

const CPP: &[Case] = &[
    (
        "a.cpp",
        r##"#include <vector>
#include <string>

template <typename T>
bool has(const std::vector<T>& items, const T& item) {
    for (const auto& x : items) {
        if (x == item) return true;
    }
    return false;
}
"##,
        &[
            "7: `==` became `!=`",
            "9: `false` became `true`",
            "5: the function does nothing",
            "7: `true` became `false`",
        ],
    ),
    (
        "a.cpp",
        r##"#include <iostream>
#include <map>
#include <string>

class Store {
public:
    void add(const std::string& name, int n) { items_[name] = n; }
    int get(const std::string& name) const {
        std::cout << "get " << name << "\n";
        return items_.count(name) ? items_.at(name) : 0;
    }
private:
    std::map<std::string, int> items_;
};
"##,
        &[
            "10: `items_.count(name) ? items_.at(name) : 0` became `(items_.count(name) ? items_.at(name) : 0) + 1`",
            "9: `get` became `mutated`",
            "7: the function does nothing",
            "8: the function does nothing",
        ],
    ),
    (
        "a.cpp",
        r##"#include <string>
bool operator==(const struct A& a, const struct A& b);
auto raw = R"x(a > "b)x";
int big = 1'000;
std::string name(bool full) {
    if (full) {
        return "full";
    }
    return "short";
}
"##,
        &[
            "6: `full` became `!(full)`",
            r#"7: `"full"` became `"mutated"`"#,
            r#"9: `"short"` became `"mutated"`"#,
            r#"3: `a > "b` became `a > "bmutated`"#,
        ],
    ),
];

#[test]
fn the_first_mutants_of_csharp() {
    check(CSHARP);
}

const CSHARP: &[Case] = &[
    (
        "a.cs",
        r##"using System;
using System.Collections.Generic;

public class A
{
    [Obsolete("x")]
    public int Size(List<int> items)
    {
        if (items.Count > 3)
        {
            return items.Count;
        }
        return 0;
    }
}
"##,
        &[
            "9: `>` became `<=`",
            "11: `items.Count` became `(items.Count) + 1`",
            "13: `0` became `1`",
            "8: the function does nothing",
        ],
    ),
    (
        "a.cs",
        r##"public class A
{
    public string Name { get; set; } = "none";
    public async Task<bool> Ready(string path)
    {
        var text = @"c:\dir";
        Log.Info($"path {path}");
        this.Name = text;
        return path == text;
    }
}
"##,
        &[
            "9: `==` became `!=`",
            "3: `none` became `mutated`",
            r#"6: `c:\dir` became `c:\dmutated`"#,
            "8: `this.Name = text;` does not happen",
        ],
    ),
    (
        "a.cs",
        r##"public class A
{
    public Item? Find(string key) => items[key];
    public void Add(Item item)
    {
        items.Add(item);
    }
}
"##,
        &["6: `items.Add(item);` does not happen", "5: the function does nothing"],
    ),
];

#[test]
fn the_first_mutants_of_swift() {
    check(SWIFT);
}

const SWIFT: &[Case] = &[
    (
        "a.swift",
        r##"import Foundation

func clamp(_ value: Int, low: Int) -> Int {
    if value < low {
        return low
    }
    return value
}
"##,
        &[
            "4: `<` became `>=`",
            "5: `low` became `low + 1`",
            "7: `value` became `value + 1`",
            "3: the function does nothing",
        ],
    ),
    (
        "a.swift",
        r##"struct Item<T: Comparable>: Codable {
    var name: String = "none"
    mutating func rename(to name: String) {
        self.name = name
    }
    func find(in items: [String]) -> String? {
        guard !items.isEmpty else { return nil }
        return items.first
    }
}
"##,
        &[
            "7: `!items.isEmpty` became `items.isEmpty`",
            "8: `items.first` became `nil`",
            "2: `none` became `mutated`",
            "4: `self.name = name` does not happen",
        ],
    ),
    (
        "a.swift",
        r##"/* a /* nested */ b == c */
func label(_ n: Int) -> String {
    guard let x = Optional(n), x > 0 else { return "none" }
    return "\(n > 1 ? "many" : "one") items"
}
"##,
        &[
            "3: `>` became `<=`",
            r#"4: `"\(n > 1 ? "many" : "one") items"` became `"\(n > 1 ? "many" : "one") mutated"`"#,
            "2: the function does nothing",
            r#"3: `"none"` became `"mutated"`"#,
        ],
    ),
];
