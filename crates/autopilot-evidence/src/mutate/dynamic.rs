//! Another value of the same type, found when the code runs, for languages in which a type is not written down.
//!
//! `None` in place of a number is noticed by a test that asks for any number, and by one that asks for nothing where the
//! code itself falls over it. A number that is another one is noticed only by a test that looks at it.

use super::language::Language;

/// Wraps an expression so that its value is another of the same type; `None` where the language has no such way.
pub(super) fn other(language: Language, expression: &str) -> Option<String> {
    let (before, after) = match language {
        Language::Python => PYTHON,
        Language::JavaScript => JAVASCRIPT,
        Language::TypeScript => TYPESCRIPT,
        _ => return None,
    };
    Some([before, expression, after].concat())
}

/// How deep into a value the change goes, and what is left alone: classes and modules are `v` as they are.
const PYTHON: (&str, &str) = (
    "(lambda m, v: m(m, v, 3))(lambda m, v, d: v if d < 0 or isinstance(v, type) else 1 if v is None \
     else not v if isinstance(v, bool) else v + 1 if isinstance(v, (int, float, complex)) or hasattr(v, 'dtype') \
     else v + 'mutated' if isinstance(v, str) else v + b'mutated' if isinstance(v, bytes) \
     else type(v)([m(m, x, d - 1) for x in v] or ['mutated']) if type(v) in (list, tuple, set, frozenset) \
     else type(v)(*[m(m, x, d - 1) for x in v]) if hasattr(v, '_make') \
     else ({k: m(m, x, d - 1) for k, x in v.items()} or {'mutated': 1}) if type(v) is dict \
     else (lambda *a, **k: m(m, v(*a, **k), d - 1)) if callable(v) \
     else (m(m, x, d - 1) for x in v) if hasattr(v, '__next__') \
     else (lambda c: c.__dict__.update({k: m(m, x, d - 1) for k, x in vars(v).items()}) or c)(__import__('copy').copy(v)) \
     if getattr(v, '__dict__', None) and not hasattr(v, '_value_') else None, (",
    "))",
);
const JAVASCRIPT: (&str, &str) = (
    "((m, v) => m(m, v, 3))((m, v, d) => d < 0 ? v : v === null || v === undefined ? 1 \
     : typeof v === 'boolean' ? !v : typeof v === 'number' ? v + 1 : typeof v === 'string' ? v + 'mutated' \
     : typeof v === 'bigint' ? v + BigInt(1) \
     : Array.isArray(v) ? (v.length ? v.map((x) => m(m, x, d - 1)) : ['mutated']) \
     : typeof v === 'function' ? (/^class/.test(String(v)) ? v : function (...a) { return m(m, v.apply(this, a), d - 1); }) \
     : typeof v.then === 'function' ? v.then((x) => m(m, x, d - 1)) : v.$$typeof ? null \
     : Object.keys(v).reduce((o, k) => { o[k] = m(m, v[k], d - 1); return o; }, \
     Object.keys(v).length ? Object.create(Object.getPrototypeOf(v)) : { mutated: 1 }), (",
    "))",
);
const TYPESCRIPT: (&str, &str) = (
    "((m: any, v: any): any => m(m, v, 3))((m: any, v: any, d: any): any => d < 0 ? v : v === null || v === undefined ? 1 \
     : typeof v === 'boolean' ? !v : typeof v === 'number' ? v + 1 : typeof v === 'string' ? v + 'mutated' \
     : Array.isArray(v) ? (v.length ? v.map((x: any) => m(m, x, d - 1)) : ['mutated']) \
     : typeof v === 'function' ? (/^class/.test(String(v)) ? v : function (this: any, ...a: any[]): any { return m(m, v.apply(this, a), d - 1); }) \
     : typeof v.then === 'function' ? v.then((x: any) => m(m, x, d - 1)) : v.$$typeof ? null \
     : Object.keys(v).reduce((o: any, k: any) => { o[k] = m(m, v[k], d - 1); return o; }, \
     Object.keys(v).length ? Object.create(Object.getPrototypeOf(v)) : ({ mutated: 1 } as any)), (",
    "))",
);
