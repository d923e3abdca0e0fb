//! The first mutants of Go.

use super::{Case, check};

#[test]
fn the_first_mutants_of_go() {
    check(GO);
}

const GO: &[Case] = &[
    (
        "a.go",
        r##"package p

import (
	"errors"
	"fmt"
)

// Clamp keeps value > low.
func Clamp(value, low, high int) int {
	if value < low {
		return low
	}
	return value
}

func Name(first, last string) (string, error) {
	if first == "" {
		return "", errors.New("no name")
	}
	return fmt.Sprintf("%s %s", first, last), nil
}
"##,
        &[
            "10: `<` became `>=`",
            r#"17: `first == ""` is never true"#,
            "11: `low` became `low + 1`",
            r#"18: `""` became `"mutated"`"#,
        ],
    ),
    (
        "a.go",
        r##"package p

type Stack[T any] struct {
	Items []T `json:"items"`
}

func (s *Stack[T]) Push(item T) {
	s.Items = append(s.Items, item)
}

func (s *Stack[T]) Len() int {
	return len(s.Items)
}
"##,
        &[
            "12: `len(s.Items)` became `(len(s.Items)) + 1`",
            "8: `s.Items = append(s.Items, item)` does not happen",
            "7: the function does nothing",
            "11: the function does nothing",
        ],
    ),
    (
        "a.go",
        r##"package p

import "os"

func Load(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return data, nil
}
"##,
        &[
            "7: `err != nil` is never true",
            "8: `err` became `nil`",
            "10: `data` became `func() []byte { _ = data; return nil }()`",
        ],
    ),
    (
        "a.go",
        r##"package p

import "fmt"

func Print(names []string) {
	for i := 0; i < len(names); i++ {
		fmt.Println(names[i])
	}
	defer fmt.Println("done")
}
"##,
        &[
            "6: `<` became `>=`",
            "9: `done` became `mutated`",
            "7: `fmt.Println(names[i])` does not happen",
            "5: the function does nothing",
        ],
    ),
    (
        "a.go",
        r##"package p

func Ready(m map[string]bool, key string) bool {
	if ok := m[key]; ok {
		return true
	}
	ch := make(chan int, 4)
	ch <- 1
	return <-ch == 1 && len(m) != 0
}
"##,
        &[
            "4: `ok` became `!(ok)`",
            "9: `==` became `!=`",
            "5: `true` became `false`",
            "7: `4` became `5`",
        ],
    ),
    (
        "a.go",
        r##"package p

const query = `select a
from b where c > 1`

func Area(w, h float64) float64 {
	return w * h
}

func Half(p *int) int { return *p / 2 }
"##,
        &[
            "7: `w * h` became `(w * h) + 1`",
            "10: `*p / 2` became `(*p / 2) + 1`",
            "3: `select a…` became `mutated a…`",
            "6: the function does nothing",
        ],
    ),
    (
        "a.go",
        r##"package p

import "strings"

func Words(text string) []string {
	parts := strings.Fields(text)
	return parts
}

func First(text string) *string {
	parts := Words(text)
	if len(parts) == 0 {
		return nil
	}
	return &parts[0]
}
"##,
        &[
            "12: `==` became `!=`",
            "7: `parts` became `func() []string { _ = parts; return nil }()`",
            "15: `&parts[0]` became `func() *string { _ = &parts[0]; return nil }()`",
            "5: the function does nothing",
        ],
    ),
    (
        "a.go",
        r##"package p

type Shape interface {
	Area() float64
}

func Kind(n int) string {
	switch {
	case n > 10:
		return "big"
	case n%2 == 1:
		return "odd"
	default:
		return "small"
	}
}

func apply(f func(int) bool, n int) bool { return f(n + 1) }
"##,
        &[
            "9: `>` became `<=`",
            "11: `==` became `!=`",
            r#"10: `"big"` became `"mutated"`"#,
            r#"12: `"odd"` became `"mutated"`"#,
        ],
    ),
];
