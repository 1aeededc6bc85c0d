#!/usr/bin/env python3
"""Prints how the product's code reads, as figures: run it as `python3 tests/house.py`.

Product code is what `cargo build` compiles outside of tests: every Rust file under
`grammar`, `compiler` and `runtime` without `#[cfg(test)]` modules, be they part of a
file or files of their own. The text is taken apart by a small scanner that knows
comments, strings and braces, which is enough for shares and counts and needs nothing to
be installed. `--root DIR` counts another checkout, with the same measure.
"""

import json
import re
import statistics
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if "--root" in sys.argv:
    ROOT = Path(sys.argv[sys.argv.index("--root") + 1]).resolve()
ROOMS = ["grammar", "compiler", "runtime"]
# What stands for "one more of its kind": the files that name it are those that a
# newcomer touches for the next one.
EXAMPLES = {
    "distribution (laplace)": r"(?i)\blaplace",
    "question (mutual information)": r"(?i)\bmutual_?information",
    "learner (chow-liu tree)": r"(?i)\bchow_?liu",
    "engine (wide)": r"\bWide\b|\"wide\"",
}
TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|b?r(\#*)".*?"\1|b?"(?:\\.|[^"\\])*"|'(?:\\.[^']*|[^'\\])'|.""",
    re.S | re.X,
)
TYPE = re.compile(r"^\s*(?:pub(?:\([^)]*\))?\s+)?(?:struct|enum|union|trait|type)\s+([A-Z]\w*)")
FUNCTION = re.compile(r"\bfn\s+\w+")


def product_files():
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *ROOMS],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )
    paths = [ROOT / name for name in sorted(set(listed.stdout.split())) if name.endswith(".rs")]
    paths = [path for path in paths if path.exists()]
    test_modules = {module for path in paths for module in modules_of_tests(path)}
    for path in paths:
        parts = path.relative_to(ROOT).parts
        if "tests" not in parts and path.name != "tests.rs" and path not in test_modules:
            yield path


def modules_of_tests(path):
    """The files of modules that are declared for tests alone."""
    folder = path.parent if path.name in ("mod.rs", "lib.rs", "main.rs") else path.with_suffix("")
    for found in re.finditer(r"^#\[cfg\(test\)\]\n(?:pub(?:\([^)]*\))? )?mod (\w+);", path.read_text(), re.M):
        yield folder / f"{found.group(1)}.rs"
        yield folder / found.group(1) / "mod.rs"


def without_tests(text):
    """The text up to its test module, which stands last in a file."""
    return re.split(r"^#\[cfg\(test\)\]\s*\nmod \w+ \{", text, maxsplit=1, flags=re.M)[0]


def code_only(text):
    """The text with comments and literals blanked, line for line."""
    blank = lambda found: re.sub(r"[^\n]", " ", found)
    pieces = []
    for found in TOKEN.finditer(text):
        piece = found.group(0)
        literal = len(piece) > 1
        pieces.append(blank(piece) if literal else piece)
    return "".join(pieces)


def bodies(code):
    """First and last line of the outermost body of every function."""
    lines_before = [0]
    for character in code:
        lines_before.append(lines_before[-1] + (character == "\n"))
    end = 0
    for found in FUNCTION.finditer(code):
        if found.start() < end:
            continue
        # A declaration in a trait ends before a body begins; brackets hold array lengths.
        depth, at = 0, found.end()
        while at < len(code) and (depth or code[at] not in "{;"):
            depth += (code[at] in "([") - (code[at] in ")]")
            at += 1
        if at >= len(code) or code[at] == ";":
            continue
        depth, start = 0, at
        while at < len(code):
            depth += (code[at] == "{") - (code[at] == "}")
            at += 1
            if depth == 0:
                break
        end = at
        yield lines_before[start], lines_before[at - 1]


def n_words(name):
    return len(re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]*", name))


def share(part, whole):
    return f"{100 * part / max(whole, 1):.1f} %"


def figures():
    types, lengths, file_lines = Counter(), [], []
    body_lines = body_comments = match_on_bool = must_use = wildcard = 0
    for path in product_files():
        text = without_tests(path.read_text())
        code = code_only(text)
        written, lines = text.split("\n"), code.split("\n")
        file_lines.append(len(text.splitlines()))
        names = set()
        for line in lines:
            if found := TYPE.match(line):
                # Associated types belong to their trait and are not names of their own.
                if "type" not in line.split() or not line.startswith(" "):
                    names.add(found.group(1))
        types.update(names)
        for first, last in bodies(code):
            lengths.append(last - first + 1)
            inside = written[first + 1 : last]
            body_lines += len(inside)
            body_comments += sum(line.lstrip().startswith("//") for line in inside)
        match_on_bool += len(re.findall(r"^\s*(?:\S.*)?\btrue\s*=>", code, re.M))
        must_use += text.count("#[must_use")
        for block in re.findall(r"\bmatch\b[^{;]*\{(.*?)^\s*\}", code, re.S | re.M):
            wildcard += bool(re.search(r"\bFamily::\w+", block) and re.search(r"^\s*_\s*(?:=>|\|)", block, re.M))
    repeated = [name for name, times in types.items() if times > 1]
    definitions = sum(types.values())
    lengths.sort()
    percentile = lambda p: lengths[int(p * (len(lengths) - 1))]
    table = {
        "product lines": sum(file_lines),
        "files, median lines": statistics.median(file_lines),
        "functions, lines at p90 and p99": f"{percentile(0.90)} and {percentile(0.99)}",
        "type names": len(types),
        "type names defined more than once": share(len(repeated), len(types)),
        "definitions whose name is defined more than once": share(
            sum(types[name] for name in repeated), definitions
        ),
        "type names of one word": share(sum(n_words(name) == 1 for name in types), len(types)),
        "comments inside bodies, share of lines": share(body_comments, body_lines),
        "matches on true and false": match_on_bool,
        "matches on families with a wildcard": wildcard,
        "#[must_use]": must_use,
    }
    for kind, pattern in EXAMPLES.items():
        table[f"files that name a {kind}"] = sum(
            bool(re.search(pattern, path.read_text())) for path in product_files()
        )
    return table, types


def main():
    table, types = figures()
    if "--json" in sys.argv:
        print(json.dumps(table, indent=1))
        return
    for name, value in table.items():
        print(f"{name:<52}{value}")
    if "--repeated" in sys.argv:
        for name, times in types.most_common():
            if times > 1:
                print(f"{times:>4} {name}")


if __name__ == "__main__":
    main()
