//! Numbers the way the files of earlier programs hold them: read leniently, rounded and printed to the digit.
//!
//! Those programs read every number as a double and print the shortest text that reads back as the same one. What is
//! compared with their records must do the same operations in the same order.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::{Number, Value};

/// The largest double below which every whole number is exact.
const EXACT_MAX: f64 = 9_007_199_254_740_992.0;

/// A double that prints as `4`, `0.85` or `1e+21`, and is written as a whole number where it is one.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Plain(pub f64);

impl Plain {
    /// The number as JSON; what is no number is `null`.
    #[expect(clippy::cast_possible_truncation, reason = "only exact whole numbers are converted")]
    pub fn to_json(self) -> Value {
        if self.0.fract() == 0.0 && self.0.abs() < EXACT_MAX {
            Value::from(self.0 as i64)
        } else {
            Number::from_f64(self.0).map_or(Value::Null, Value::Number)
        }
    }
}

impl fmt::Display for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, size) = (self.0, self.0.abs());
        if number == 0.0 {
            f.write_str("0")
        } else if number.is_nan() {
            f.write_str("NaN")
        } else if number.is_infinite() {
            f.write_str(if number > 0.0 { "Infinity" } else { "-Infinity" })
        } else if size >= 1e21 {
            f.write_str(&format!("{number:e}").replace('e', "e+"))
        } else if size < 1e-6 {
            write!(f, "{number:e}")
        } else {
            write!(f, "{number}")
        }
    }
}

impl Serialize for Plain {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(serializer)
    }
}

/// Reads a text as a number: blanks around it do not count, nothing is 0, and what is no number is none.
pub fn read(text: &str) -> f64 {
    let text = text.trim_matches(is_blank);
    if text.is_empty() {
        return 0.0;
    }
    let radix = [("0x", 16), ("0o", 8), ("0b", 2)].into_iter().find_map(|(prefix, radix)| {
        let start = text.get(..2)?.to_ascii_lowercase();
        (start == prefix).then(|| (text.get(2..).unwrap_or_default(), radix))
    });
    if let Some((digits, radix)) = radix {
        return in_radix(digits, radix);
    }
    match text {
        "Infinity" | "+Infinity" => f64::INFINITY,
        "-Infinity" => f64::NEG_INFINITY,
        // The parser behind this knows words that are no numbers here.
        _ if text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte)) => {
            text.parse().unwrap_or(f64::NAN)
        }
        _ => f64::NAN,
    }
}

/// What counts as a blank around a number.
pub(crate) fn is_blank(character: char) -> bool {
    character == '\u{feff}' || (character.is_whitespace() && character != '\u{85}')
}

fn in_radix(digits: &str, radix: u32) -> f64 {
    if digits.is_empty() {
        return f64::NAN;
    }
    let value = |sum: f64, digit: char| {
        digit.to_digit(radix).map(|digit| sum * f64::from(radix) + f64::from(digit))
    };
    digits.chars().try_fold(0.0, value).unwrap_or(f64::NAN)
}

/// Rounds to the nearest whole number, halves upwards.
pub fn round(number: f64) -> f64 {
    let below = number.floor();
    if number - below >= 0.5 { below + 1.0 } else { below }
}

/// Rounds to two decimals, as the binary double has them: 0.575 gives 0.57, because it is a little less than it says.
pub fn round2(number: f64) -> f64 {
    round(number * 100.0) / 100.0
}

/// The number with one decimal, exact halves upwards.
pub fn one_decimal(number: f64) -> String {
    // A double is exactly between two decimals only at a quarter, and there the formatter takes the even one.
    let is_quarter = (number * 4.0).fract() == 0.0 && (number * 2.0).fract() != 0.0;
    let away = 0.05_f64.copysign(number);
    format!("{:.1}", if is_quarter { number + away } else { number })
}

/// The first `units` of a text, counted in the units in which those programs count: a character beyond the first
/// 65536 is two, and is left out where only its first half would fit.
pub fn first_units(text: &str, units: usize) -> &str {
    let mut count = 0;
    for (at, character) in text.char_indices() {
        count += character.len_utf16();
        if count > units {
            return &text[..at];
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_the_earlier_programs_read_them() {
        let cases = [
            ("", 0.0),
            (" 7 ", 7.0),
            ("1e1", 10.0),
            ("0x10", 16.0),
            ("0B11", 3.0),
            (".5", 0.5),
            ("5.", 5.0),
            ("+3", 3.0),
            ("-Infinity", f64::NEG_INFINITY),
        ];
        for (text, expected) in cases {
            assert!(
                (read(text) - expected).abs() < f64::EPSILON || read(text) == expected,
                "{text}"
            );
        }
        for text in ["abc", "1_000", "inf", "nan", "0x", "-0x10", "1 2", ".", "é1"] {
            assert!(read(text).is_nan(), "{text}");
        }
    }

    #[test]
    fn numbers_print_in_their_shortest_form() {
        let cases = [
            (4.0, "4"),
            (0.85, "0.85"),
            (-0.0, "0"),
            (1e21, "1e+21"),
            (1.5e-7, "1.5e-7"),
            (123_456_789.0, "123456789"),
            (f64::NAN, "NaN"),
        ];
        for (number, text) in cases {
            assert_eq!(Plain(number).to_string(), text);
        }
        assert_eq!(Plain(4.0).to_json().to_string(), "4");
        assert_eq!(Plain(0.5).to_json().to_string(), "0.5");
        assert_eq!(Plain(f64::NAN).to_json(), Value::Null);
    }

    #[test]
    fn rounding_looks_at_the_double_and_not_at_its_text() {
        let cases = [(0.575, 0.57), (0.825, 0.83), (2.0 / 3.0, 0.67), (-0.125, -0.12)];
        for (number, expected) in cases {
            assert_eq!(Plain(round2(number)).to_string(), Plain(expected).to_string(), "{number}");
        }
        let cases = [
            (1.9, "1.9"),
            (0.25, "0.3"),
            (0.75, "0.8"),
            (-0.25, "-0.3"),
            (3.0, "3.0"),
            (0.05, "0.1"),
        ];
        for (number, expected) in cases {
            assert_eq!(one_decimal(number), expected, "{number}");
        }
    }

    #[test]
    fn a_text_is_cut_in_units_and_never_inside_a_character() {
        assert_eq!(first_units("abc", 2), "ab");
        assert_eq!(first_units("a𝄞b", 2), "a");
        assert_eq!(first_units("a𝄞b", 3), "a𝄞");
        assert_eq!(first_units("ab", 9), "ab");
    }
}
