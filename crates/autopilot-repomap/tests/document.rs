//! The document as others wrote it and as they read it.

use autopilot_repomap::{ExportKind, Language, Refresh, RepoMap};
use serde_json::{Value, json};

/// The example that the format was published with, in its own shape.
const PUBLISHED: &str = r#"{
  "generated_at": "ISO-8601 timestamp",
  "project_root": "/absolute/path/to/project",
  "version": 1,
  "size_cap_applied": false,
  "files": [
    {
      "path": "relative/path/to/file.ts",
      "language": "typescript|javascript|python|go|rust|java|markdown|json|other",
      "exports": [
        {"name": "functionName", "type": "function|class|const|default|type|interface|enum", "line": 42}
      ],
      "imports": [
        {"source": "./other-file", "names": ["importedName", "anotherImport"], "line": 1}
      ],
      "functions": [
        {"name": "functionName", "params": ["param1: string", "param2: number"], "line": 10, "returns": "void"}
      ],
      "classes": [
        {"name": "ClassName", "extends": "BaseClass|null", "methods": ["method1", "method2"], "line": 25}
      ],
      "call_graph": [
        {"caller": "functionName", "callees": ["otherFunction", "ClassName.method1"], "line": 12}
      ]
    }
  ],
  "summary": {
    "total_files": 42,
    "languages": {"typescript": 30, "javascript": 5, "json": 7},
    "top_importers": [{"path": "src/index.ts", "import_count": 15}],
    "top_exporters": [{"path": "src/utils.ts", "export_count": 12}]
  }
}"#;

fn map_of(files: &[(&str, &str)]) -> RepoMap {
    let listing = files.iter().map(|(path, _)| ((*path).to_owned(), "1".to_owned()));
    let mut refresh = Refresh::new(None, "/p", listing);
    for path in refresh.take_owed() {
        let (_, text) =
            files.iter().find(|(known, _)| *known == path).expect("only listed files are owed");
        refresh.learn(&path, text.as_bytes());
    }
    assert!(refresh.take_owed().is_empty());
    refresh.finish("now").expect("there was no map before")
}

#[test]
fn c44_the_published_example_is_read() {
    let map = RepoMap::parse(PUBLISHED).unwrap();
    let [file] = map.files.as_slice() else { panic!("{map:?}") };
    assert_eq!(file.language, Some(Language::Other));
    assert_eq!(file.exports.as_ref().unwrap()[0].kind, ExportKind::Const);
    assert_eq!(file.imports.as_ref().unwrap()[0].names, ["importedName", "anotherImport"]);
    assert_eq!(file.functions.as_ref().unwrap()[0].returns.as_deref(), Some("void"));
    assert_eq!(file.classes.as_ref().unwrap()[0].methods, ["method1", "method2"]);
    assert_eq!(file.call_graph.as_ref().unwrap()[0].callees[1], "ClassName.method1");
    assert_eq!(map.summary.languages["json"], 7);
    assert_eq!(map.summary.top_importers[0].import_count, 15);
}

#[test]
fn c44_what_is_written_has_the_keys_of_the_published_example() {
    let text = "import { b } from './b';\nexport class A extends B { go(x: number): void { run(); } }\n\
                export function run(a: string): void {}\n";
    let written: Value = serde_json::from_str(&map_of(&[("src/a.ts", text)]).text()).unwrap();
    let mut file = written["files"][0].clone();
    file.as_object_mut().unwrap().remove("basis");
    assert_eq!(
        file,
        json!({
            "path": "src/a.ts",
            "language": "typescript",
            "exports": [
                {"name": "A", "type": "class", "line": 2},
                {"name": "run", "type": "function", "line": 3},
            ],
            "imports": [{"source": "./b", "names": ["b"], "line": 1}],
            "functions": [{"name": "run", "params": ["a: string"], "line": 3, "returns": "void"}],
            "classes": [{"name": "A", "extends": "B", "methods": ["go"], "line": 2}],
            "call_graph": [{"caller": "A.go", "callees": ["run"], "line": 2}],
        })
    );
    let mut map = written;
    map["files"] = json!([]);
    assert_eq!(
        map,
        json!({
            "generated_at": "now",
            "project_root": "/p",
            "version": 1,
            "size_cap_applied": false,
            "files": [],
            "summary": {
                "total_files": 1,
                "languages": {"typescript": 1},
                "top_importers": [{"path": "src/a.ts", "import_count": 1}],
                "top_exporters": [{"path": "src/a.ts", "export_count": 2}],
            },
        })
    );
}

#[test]
fn c44_the_summary_names_five_of_each_and_only_those_that_have_some() {
    let texts: Vec<(String, String)> = (0..8)
        .map(|n| (format!("f{n}.py"), "import os\n".repeat(n) + &"a = 1\n".repeat(n.min(1))))
        .collect();
    let files: Vec<(&str, &str)> =
        texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let summary = map_of(&files).summary;
    let importers: Vec<_> =
        summary.top_importers.iter().map(|top| (top.path.as_str(), top.import_count)).collect();
    assert_eq!(importers, [("f7.py", 7), ("f6.py", 6), ("f5.py", 5), ("f4.py", 4), ("f3.py", 3)]);
    let exporters: Vec<_> = summary.top_exporters.iter().map(|top| top.path.as_str()).collect();
    assert_eq!(exporters, ["f1.py", "f2.py", "f3.py", "f4.py", "f5.py"]);
    assert!(map_of(&files[..1]).summary.top_importers.is_empty());
}

#[test]
fn c44_the_schema_has_the_names_that_are_written() {
    let schema = RepoMap::schema();
    let export = &schema["$defs"]["Export"]["properties"];
    assert!(export["type"].is_object() && export["kind"].is_null(), "{export}");
    assert!(schema["properties"]["size_cap_applied"].is_object());
}
