//! From what was found in a file to the lists of its entry.

use std::collections::{BTreeMap, BTreeSet};

use crate::map::{Calls, Class, Export, ExportKind, Function, Import};

use super::{
    findings::{Called, Definition, Exported, Findings, Imported, Kind},
    text::{Span, clipped},
};

/// Words that mean the object that a method belongs to, or its class.
const SELF_WORDS: [&str; 4] = ["self", "Self", "this", "cls"];

/// The lists of an entry.
#[derive(Default)]
pub(super) struct Lists {
    pub(super) exports: Vec<Export>,
    pub(super) imports: Vec<Import>,
    pub(super) functions: Vec<Function>,
    pub(super) classes: Vec<Class>,
    pub(super) call_graph: Vec<Calls>,
}

impl Findings {
    /// The lists, each in the order of the file.
    pub(super) fn lists(self) -> Lists {
        let outline = Outline::of(&self);
        Lists {
            exports: exports(&self.exports, &outline),
            imports: imports(&self.imports),
            functions: outline.functions.iter().map(|found| function(found)).collect(),
            classes: outline.classes.iter().map(|found| outline.class(found)).collect(),
            call_graph: outline.call_graph(),
        }
    }
}

/// Who is defined where, and who calls.
#[derive(Default)]
struct Outline<'f> {
    functions: Vec<&'f Definition>,
    classes: Vec<&'f Definition>,
    function_names: BTreeSet<&'f str>,
    class_names: BTreeSet<&'f str>,
    /// The methods of each class, in their order, and whether they are private.
    methods: BTreeMap<&'f str, Vec<(&'f str, bool)>>,
    method_names: BTreeSet<(&'f str, &'f str)>,
    /// Functions and methods that call others, with what they call.
    callers: Vec<Caller<'f>>,
}

struct Caller<'f> {
    definition: &'f Definition,
    class: Option<&'f str>,
    calls: Vec<&'f Called>,
}

/// What a place in the file is inside of.
#[derive(Clone, Copy)]
enum Inside<'f> {
    File,
    Class(&'f str),
    /// A function or method, by its number among the callers.
    Caller(usize),
    Hidden,
}

enum Item<'f> {
    Definition(&'f Definition),
    Call(&'f Called),
}

impl<'f> Outline<'f> {
    fn of(findings: &'f Findings) -> Self {
        let definitions =
            findings.definitions.iter().map(|(span, it)| (*span, Item::Definition(it)));
        let calls = findings.calls.iter().map(|(span, it)| (*span, Item::Call(it)));
        let mut items: Vec<(Span, Item)> = definitions.chain(calls).collect();
        items.sort_by_key(|(span, _)| *span);

        let mut outline = Self::default();
        // What is open at the place that is looked at, outermost first, with where it ends.
        let mut open: Vec<(usize, Inside)> = Vec::new();
        for (span, item) in items {
            while open.last().is_some_and(|(end, _)| *end <= span.start) {
                open.pop();
            }
            let place = open.last().map_or(Inside::File, |(_, inside)| *inside);
            match item {
                Item::Call(call) => {
                    if let Inside::Caller(number) = place {
                        outline.callers[number].calls.push(call);
                    }
                }
                Item::Definition(definition) => {
                    let is_private = findings.private.contains(&span);
                    open.push((span.end, outline.define(definition, place, is_private)));
                }
            }
        }
        outline
    }

    /// Takes in a definition, and tells what the things in it are inside of.
    fn define(&mut self, found: &'f Definition, place: Inside<'f>, is_private: bool) -> Inside<'f> {
        if found.kind == Kind::Hidden {
            return Inside::Hidden;
        }
        let class = match place {
            // What is defined while a function runs is the function's own affair.
            Inside::Caller(_) | Inside::Hidden => return place,
            Inside::File => None,
            Inside::Class(class) => Some(class),
        };
        if found.name.is_empty() {
            return place;
        }
        match found.kind {
            Kind::Hidden => Inside::Hidden,
            Kind::Members => Inside::Class(&found.name),
            Kind::Class => {
                self.classes.push(found);
                self.class_names.insert(&found.name);
                Inside::Class(&found.name)
            }
            Kind::Function => {
                let class = class.or(found.owner.as_deref());
                match class {
                    None => {
                        self.functions.push(found);
                        self.function_names.insert(&found.name);
                    }
                    Some(class) => {
                        // A method may be written several times, once for each way to call it.
                        if self.method_names.insert((class, &found.name)) {
                            self.methods.entry(class).or_default().push((&found.name, is_private));
                        }
                    }
                }
                self.callers.push(Caller { definition: found, class, calls: Vec::new() });
                Inside::Caller(self.callers.len() - 1)
            }
        }
    }

    fn class(&self, found: &Definition) -> Class {
        let methods = self.methods.get(found.name.as_str()).into_iter().flatten();
        let extends: Vec<&str> = found.extends.values().map(String::as_str).collect();
        Class {
            name: found.name.clone(),
            extends: (!extends.is_empty()).then(|| clipped(&extends.join(", "))),
            methods: methods
                .filter(|(_, private)| !private)
                .map(|(name, _)| (*name).to_owned())
                .collect(),
            line: found.line,
        }
    }

    fn call_graph(&self) -> Vec<Calls> {
        let mut graph = Vec::new();
        for caller in &self.callers {
            let mut line = None;
            let mut seen = BTreeSet::new();
            let mut callees = Vec::new();
            for call in &caller.calls {
                let Some(callee) = self.callee(caller, call) else { continue };
                line.get_or_insert(call.line);
                if seen.insert(callee.clone()) {
                    callees.push(callee);
                }
            }
            if let Some(line) = line {
                let name = &caller.definition.name;
                graph.push(Calls { caller: qualified(caller.class, name), callees, line });
            }
        }
        graph
    }

    /// Who is called, where that is defined in the same file beyond doubt.
    fn callee(&self, caller: &Caller, call: &Called) -> Option<String> {
        let name = call.name.as_str();
        let is_method = |class: &str| self.method_names.contains(&(class, name));
        let Some(on) = call.on.as_deref() else {
            if self.function_names.contains(name) || self.class_names.contains(name) {
                return Some(name.to_owned());
            }
            let class = caller.class.filter(|class| call.implicit && is_method(class))?;
            return Some(qualified(Some(class), name));
        };
        let is_self =
            SELF_WORDS.contains(&on) || caller.definition.self_name.as_deref() == Some(on);
        let class = if is_self { caller.class? } else { on };
        if is_method(class) {
            return Some(qualified(Some(class), name));
        }
        (name == "new" && self.class_names.contains(class)).then(|| class.to_owned())
    }
}

fn qualified(class: Option<&str>, name: &str) -> String {
    class.map_or_else(|| name.to_owned(), |class| format!("{class}.{name}"))
}

fn function(found: &Definition) -> Function {
    Function {
        name: found.name.clone(),
        params: found.params.clone(),
        line: found.line,
        returns: found.returns.clone(),
    }
}

/// Each exported name once. That it is the default is told rather than what it is besides.
fn exports(found: &BTreeMap<Span, Exported>, outline: &Outline) -> Vec<Export> {
    let mut exports: Vec<Export> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for export in found.values() {
        let name = export.name.as_deref().unwrap_or("default");
        let local = export.local.as_deref().unwrap_or(name);
        let kind = match export.kind {
            ExportKind::Const if outline.function_names.contains(local) => ExportKind::Function,
            ExportKind::Const if outline.class_names.contains(local) => ExportKind::Class,
            kind => kind,
        };
        match places.get(name) {
            Some(place) if kind == ExportKind::Default => exports[*place].kind = kind,
            Some(_) => {}
            None => {
                places.insert(name, exports.len());
                exports.push(Export { name: name.to_owned(), kind, line: export.line });
            }
        }
    }
    exports
}

/// The imports; one that is inside of another goes on from its source.
fn imports(found: &BTreeMap<Span, Imported>) -> Vec<Import> {
    let mut imports: Vec<Option<Import>> = Vec::new();
    let mut open: Vec<(usize, usize, String)> = Vec::new();
    for (span, import) in found {
        while open.last().is_some_and(|(end, _, _)| *end <= span.start) {
            open.pop();
        }
        let Some(source) = &import.source else { continue };
        let mut source = source.clone();
        if let Some((_, outer, before)) = open.last() {
            source = clipped(&format!("{before}::{source}"));
            // One that only leads to others says nothing by itself.
            imports[*outer].take_if(|outer| outer.names.is_empty());
        }
        let names = import.names.values().cloned();
        let everything = import.everything.then(|| "*".to_owned());
        let names = names.chain(everything).collect();
        open.push((span.end, imports.len(), source.clone()));
        imports.push(Some(Import { source, names, line: import.line }));
    }
    imports.into_iter().flatten().collect()
}
