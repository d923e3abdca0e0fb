//! In which language a file is written, and what matters about it.

/// What a file is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    Rust,
    Python,
    JavaScript,
    TypeScript,
    Go,
    Java,
    Kotlin,
    C,
    Cpp,
    CSharp,
    Ruby,
    Php,
    Swift,
    Elixir,
    Shell,
    Sql,
    Json,
    Toml,
    Yaml,
    /// HTML, XML and what is like them.
    Markup,
    Css,
    /// Rows of values, the first of which has names.
    Table,
    /// Markdown and plain text, in which `#` is no comment.
    Prose,
    /// Anything else.
    Other,
}

/// How a language marks what belongs together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blocks {
    Braces,
    Indent,
    Ends,
}

const BY_ENDING: [(&str, Language); 74] = [
    ("rs", Language::Rust),
    ("py", Language::Python),
    ("pyi", Language::Python),
    ("pyw", Language::Python),
    ("js", Language::JavaScript),
    ("jsx", Language::JavaScript),
    ("mjs", Language::JavaScript),
    ("cjs", Language::JavaScript),
    ("ts", Language::TypeScript),
    ("tsx", Language::TypeScript),
    ("mts", Language::TypeScript),
    ("cts", Language::TypeScript),
    ("go", Language::Go),
    ("java", Language::Java),
    ("kt", Language::Kotlin),
    ("kts", Language::Kotlin),
    ("c", Language::C),
    ("h", Language::C),
    ("cc", Language::Cpp),
    ("cpp", Language::Cpp),
    ("cxx", Language::Cpp),
    ("hpp", Language::Cpp),
    ("hh", Language::Cpp),
    ("hxx", Language::Cpp),
    ("cs", Language::CSharp),
    ("rb", Language::Ruby),
    ("rake", Language::Ruby),
    ("gemspec", Language::Ruby),
    ("php", Language::Php),
    ("swift", Language::Swift),
    ("ex", Language::Elixir),
    ("exs", Language::Elixir),
    ("sh", Language::Shell),
    ("bash", Language::Shell),
    ("zsh", Language::Shell),
    ("ksh", Language::Shell),
    ("bats", Language::Shell),
    ("sql", Language::Sql),
    ("json", Language::Json),
    ("jsonc", Language::Json),
    ("json5", Language::Json),
    ("webmanifest", Language::Json),
    ("toml", Language::Toml),
    ("ini", Language::Toml),
    ("cfg", Language::Toml),
    ("conf", Language::Toml),
    ("properties", Language::Toml),
    ("env", Language::Toml),
    ("yaml", Language::Yaml),
    ("yml", Language::Yaml),
    ("html", Language::Markup),
    ("htm", Language::Markup),
    ("xhtml", Language::Markup),
    ("xml", Language::Markup),
    ("vue", Language::Markup),
    ("svelte", Language::Markup),
    ("astro", Language::Markup),
    ("erb", Language::Markup),
    ("hbs", Language::Markup),
    ("csproj", Language::Markup),
    ("xaml", Language::Markup),
    ("css", Language::Css),
    ("scss", Language::Css),
    ("sass", Language::Css),
    ("less", Language::Css),
    ("md", Language::Prose),
    ("mdx", Language::Prose),
    ("markdown", Language::Prose),
    ("txt", Language::Prose),
    ("rst", Language::Prose),
    ("adoc", Language::Prose),
    ("org", Language::Prose),
    ("csv", Language::Table),
    ("tsv", Language::Table),
];

/// Programs that the first line of a script names.
const BY_PROGRAM: [(&str, Language); 6] = [
    ("python", Language::Python),
    ("node", Language::JavaScript),
    ("ruby", Language::Ruby),
    ("php", Language::Php),
    ("elixir", Language::Elixir),
    ("sh", Language::Shell),
];

impl Language {
    /// By the ending of the name; where it has none, by the program that the first line names.
    pub(super) fn of(path: &str, text: &str) -> Self {
        let name = path.rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase();
        if let Some((_, ending)) = name.rsplit_once('.') {
            let known = BY_ENDING.iter().find(|(known, _)| *known == ending);
            return known.map_or(Self::Other, |(_, language)| *language);
        }
        if matches!(name.as_str(), "gemfile" | "rakefile") {
            return Self::Ruby;
        }
        if matches!(name.as_str(), "readme" | "license" | "changelog" | "notice" | "authors") {
            return Self::Prose;
        }
        let first = text.lines().next().unwrap_or_default();
        let program = first
            .strip_prefix("#!")
            .map(|line| BY_PROGRAM.iter().find(|(name, _)| line.contains(name)));
        program.flatten().map_or(Self::Other, |(_, language)| *language)
    }

    /// Tells whether it is read by the tokenizer of programming languages.
    pub(super) fn is_code(self) -> bool {
        !matches!(
            self,
            Self::Shell
                | Self::Json
                | Self::Toml
                | Self::Yaml
                | Self::Markup
                | Self::Css
                | Self::Table
                | Self::Prose
                | Self::Other
        )
    }

    pub(super) fn blocks(self) -> Blocks {
        match self {
            Self::Python => Blocks::Indent,
            Self::Ruby | Self::Elixir => Blocks::Ends,
            Self::Rust
            | Self::JavaScript
            | Self::TypeScript
            | Self::Go
            | Self::Java
            | Self::Kotlin
            | Self::C
            | Self::Cpp
            | Self::CSharp
            | Self::Php
            | Self::Swift
            | Self::Shell
            | Self::Sql
            | Self::Json
            | Self::Toml
            | Self::Yaml
            | Self::Markup
            | Self::Css
            | Self::Table
            | Self::Prose
            | Self::Other => Blocks::Braces,
        }
    }

    /// Tells whether `<` may open type parameters.
    pub(super) fn has_generics(self) -> bool {
        !matches!(
            self,
            Self::Python | Self::Go | Self::C | Self::Ruby | Self::Php | Self::Elixir | Self::Sql
        )
    }

    /// Tells whether a wrong type keeps a file from being run.
    pub(super) fn is_typed(self) -> bool {
        !matches!(
            self,
            Self::Python | Self::JavaScript | Self::Ruby | Self::Php | Self::Elixir | Self::Sql
        )
    }

    /// Tells whether the end of a line can end a statement.
    pub(super) fn ends_by_line(self) -> bool {
        !matches!(
            self,
            Self::Rust | Self::Java | Self::C | Self::Cpp | Self::CSharp | Self::Php | Self::Sql
        )
    }

    /// Tells whether conditions stand in parentheses.
    pub(super) fn has_parenthesised_conditions(self) -> bool {
        matches!(
            self,
            Self::JavaScript
                | Self::TypeScript
                | Self::Java
                | Self::Kotlin
                | Self::C
                | Self::Cpp
                | Self::CSharp
                | Self::Php
        )
    }

    pub(super) fn is_script(self) -> bool {
        matches!(self, Self::JavaScript | Self::TypeScript)
    }

    pub(super) fn line_comments(self) -> &'static [&'static str] {
        match self {
            Self::Python
            | Self::Ruby
            | Self::Elixir
            | Self::Shell
            | Self::Yaml
            | Self::Toml
            | Self::Other => &["#"],
            Self::Php => &["//", "#"],
            Self::Sql => &["--"],
            Self::Rust
            | Self::JavaScript
            | Self::TypeScript
            | Self::Go
            | Self::Java
            | Self::Kotlin
            | Self::C
            | Self::Cpp
            | Self::CSharp
            | Self::Swift
            | Self::Json => &["//"],
            Self::Markup | Self::Css | Self::Table | Self::Prose => &[],
        }
    }

    pub(super) fn has_block_comments(self) -> bool {
        !matches!(self, Self::Python | Self::Ruby | Self::Elixir)
    }

    pub(super) fn nests_comments(self) -> bool {
        matches!(self, Self::Rust | Self::Swift | Self::Kotlin)
    }

    /// Tells whether lines that begin with `#` speak to the preprocessor.
    pub(super) fn has_preprocessor(self) -> bool {
        matches!(self, Self::C | Self::Cpp | Self::CSharp | Self::Swift)
    }
}
