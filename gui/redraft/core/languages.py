"""The languages of files, by their LSP identifiers: from a file's name, or from its first line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Final

PLAIN: Final = "plaintext"


@dataclass(frozen=True, slots=True)
class Language:
    """One language.

    Attributes:
        id: Its LSP identifier.
        name: How people call it.
        suffixes: Ends of file names, with the dot.
        names: Whole file names, in lower case.
        programs: What a first line `#!/usr/bin/env NAME` calls.
        line_comment: What begins a comment to the end of the line; empty where there is none.
    """

    id: str
    name: str
    suffixes: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    line_comment: str = ""


LANGUAGES: Final[tuple[Language, ...]] = (
    Language(PLAIN, "Plain text", (".txt", ".log")),
    Language("bat", "Batch", (".bat", ".cmd"), line_comment="REM"),
    Language("c", "C", (".c", ".h"), line_comment="//"),
    Language("clojure", "Clojure", (".clj", ".cljs", ".cljc", ".edn"), line_comment=";"),
    Language("cmake", "CMake", (".cmake",), ("cmakelists.txt",), line_comment="#"),
    Language("coffeescript", "CoffeeScript", (".coffee",), line_comment="#"),
    Language("cpp", "C++", (".cpp", ".cc", ".cxx", ".hpp", ".hh", ".hxx", ".ino"), line_comment="//"),
    Language("csharp", "C#", (".cs",), line_comment="//"),
    Language("css", "CSS", (".css",)),
    Language("d", "D", (".d",), line_comment="//"),
    Language("dart", "Dart", (".dart",), line_comment="//"),
    Language("diff", "Diff", (".diff", ".patch")),
    Language("dockerfile", "Dockerfile", (".dockerfile",), ("dockerfile", "containerfile"), line_comment="#"),
    Language("elixir", "Elixir", (".ex", ".exs"), programs=("elixir",), line_comment="#"),
    Language("erlang", "Erlang", (".erl", ".hrl"), programs=("escript",), line_comment="%"),
    Language("fortran", "Fortran", (".f", ".f90", ".f95", ".for"), line_comment="!"),
    Language("fsharp", "F#", (".fs", ".fsx", ".fsi"), line_comment="//"),
    Language("go", "Go", (".go",), line_comment="//"),
    Language("graphql", "GraphQL", (".graphql", ".gql"), line_comment="#"),
    Language("groovy", "Groovy", (".groovy", ".gradle"), ("jenkinsfile",), ("groovy",), "//"),
    Language("haskell", "Haskell", (".hs",), programs=("runghc", "runhaskell"), line_comment="--"),
    Language("html", "HTML", (".html", ".htm", ".xhtml", ".jinja", ".j2")),
    Language("ini", "INI", (".ini", ".cfg", ".conf", ".properties"), (".editorconfig", ".gitconfig"), line_comment="#"),
    Language("java", "Java", (".java",), line_comment="//"),
    Language("javascript", "JavaScript", (".js", ".mjs", ".cjs"), programs=("node", "deno", "bun"), line_comment="//"),
    Language("javascriptreact", "JavaScript React", (".jsx",), line_comment="//"),
    Language("json", "JSON", (".json", ".geojson", ".webmanifest", ".ipynb"), (".prettierrc", ".eslintrc")),
    Language("jsonc", "JSON with comments", (".jsonc", ".json5"), ("tsconfig.json",), line_comment="//"),
    Language("julia", "Julia", (".jl",), programs=("julia",), line_comment="#"),
    Language("kotlin", "Kotlin", (".kt", ".kts"), line_comment="//"),
    Language("latex", "LaTeX", (".tex", ".sty", ".cls"), line_comment="%"),
    Language("less", "Less", (".less",), line_comment="//"),
    Language("lisp", "Lisp", (".lisp", ".el", ".scm"), line_comment=";"),
    Language("lua", "Lua", (".lua",), programs=("lua", "luajit"), line_comment="--"),
    Language("makefile", "Makefile", (".mk", ".mak"), ("makefile", "gnumakefile"), ("make",), "#"),
    Language("markdown", "Markdown", (".md", ".markdown", ".mdx")),
    Language("matlab", "MATLAB", (".m",), line_comment="%"),
    Language("nim", "Nim", (".nim",), line_comment="#"),
    Language("objective-c", "Objective-C", (".mm",), line_comment="//"),
    Language("ocaml", "OCaml", (".ml", ".mli")),
    Language("pascal", "Pascal", (".pas", ".pp"), line_comment="//"),
    Language("perl", "Perl", (".pl", ".pm"), programs=("perl",), line_comment="#"),
    Language("php", "PHP", (".php",), programs=("php",), line_comment="//"),
    Language("powershell", "PowerShell", (".ps1", ".psm1"), programs=("pwsh",), line_comment="#"),
    Language("python", "Python", (".py", ".pyi", ".pyw"), ("sconstruct",), ("python", "python3", "pypy3"), "#"),
    Language("r", "R", (".r",), (".rprofile",), ("rscript",), "#"),
    Language("restructuredtext", "reStructuredText", (".rst",)),
    Language("ruby", "Ruby", (".rb", ".gemspec", ".rake"), ("gemfile", "rakefile"), ("ruby",), "#"),
    Language("rust", "Rust", (".rs",), line_comment="//"),
    Language("scala", "Scala", (".scala", ".sc"), programs=("scala",), line_comment="//"),
    Language("scss", "SCSS", (".scss",), line_comment="//"),
    Language(
        "shellscript",
        "Shell script",
        (".sh", ".bash", ".zsh", ".ksh", ".bats"),
        (".bashrc", ".bash_profile", ".profile", ".zshrc", "pkgbuild"),
        ("sh", "bash", "zsh", "dash", "ksh", "bats"),
        "#",
    ),
    Language("sql", "SQL", (".sql",), line_comment="--"),
    Language("swift", "Swift", (".swift",), programs=("swift",), line_comment="//"),
    Language("tcl", "Tcl", (".tcl",), programs=("tclsh", "wish"), line_comment="#"),
    Language("toml", "TOML", (".toml",), ("poetry.lock", "cargo.lock"), line_comment="#"),
    Language("typescript", "TypeScript", (".ts", ".mts", ".cts"), programs=("ts-node",), line_comment="//"),
    Language("typescriptreact", "TypeScript React", (".tsx",), line_comment="//"),
    Language("verilog", "Verilog", (".v", ".sv", ".vh"), line_comment="//"),
    Language("vhdl", "VHDL", (".vhd", ".vhdl"), line_comment="--"),
    Language("vue", "Vue", (".vue", ".svelte")),
    Language("xml", "XML", (".xml", ".xsd", ".xsl", ".svg", ".plist", ".ui", ".qrc")),
    Language("yaml", "YAML", (".yaml", ".yml"), (".clang-format",), line_comment="#"),
    Language("zig", "Zig", (".zig",), line_comment="//"),
)

SHEBANG: Final = re.compile(r"#!\s*(?:\S*/)?(?:env(?:\s+-\S+)*\s+)?(?:\S*/)?([A-Za-z][\w+-]*?)[\d.]*(?:\s|$)")


@dataclass(frozen=True, slots=True)
class Lookup:
    """The table above by each of its keys."""

    by_id: Mapping[str, Language] = field(default_factory=lambda: {entry.id: entry for entry in LANGUAGES})
    by_suffix: Mapping[str, Language] = field(
        default_factory=lambda: {suffix: entry for entry in LANGUAGES for suffix in entry.suffixes}
    )
    by_name: Mapping[str, Language] = field(
        default_factory=lambda: {name: entry for entry in LANGUAGES for name in entry.names}
    )
    by_program: Mapping[str, Language] = field(
        default_factory=lambda: {program: entry for entry in LANGUAGES for program in entry.programs}
    )


LOOKUP: Final = Lookup()


def language(language_id: str) -> Language:
    """A language by its identifier; an unknown one is plain text."""
    return LOOKUP.by_id.get(language_id, LOOKUP.by_id[PLAIN])


def language_of(path: PurePath | str | None, text: str = "") -> str:
    """The identifier of a file's language: by its whole name, its suffix, then a `#!` line; else plain text."""
    if path is not None:
        name = PurePath(path).name.lower()
        found = LOOKUP.by_name.get(name) or LOOKUP.by_suffix.get(PurePath(name).suffix)
        if found is not None:
            return found.id
        if name.startswith(("dockerfile.", "makefile.")):
            return LOOKUP.by_name[name.split(".")[0]].id
    match = SHEBANG.match(text)
    program = LOOKUP.by_program.get(match[1].lower()) if match else None
    return program.id if program is not None else PLAIN
