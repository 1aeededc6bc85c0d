"""Round trips with odd names: what `sample` writes, `eval`, `fit` and Python's own reader take for the same."""

import csv
import io
import math

import judge

ABOUT = "odd names of variables and categories: sample, then eval and fit, against the table read by Python"
SETTLED = True
NAMES = [" ", "a ", " a", "NA", "?", "nan", "null", "1", "01", "1.0", "yes", "true", "0", "a,b", 'a"b', '"', "'", ";", "\u00e9", "e\u0301", "\u200b",
         "\u202eabc", "#", "a=b", "-", "--data", "x[1]", "x[1, 2]", "h.t", "\\", "\\n", "inf", "-inf", "1e5", "P(x)", "|", "in", "root", "\U0001f327", "A", "a"]


def trial(box, rng, _corpus):
    """Two variables with some of these names."""
    names, size = rng.sample(NAMES, 2), rng.randint(2, 4)
    # A category that is named like a variable is compared with that, as the language has it.
    values = [rng.sample([name for name in NAMES if name not in names], size) for _ in names]
    parts = [[rng.randint(1, 5) for _ in range(size)] for _ in names]
    text = "".join(f"var `{name}` : {{{', '.join(f'`{v}`' for v in options)}}};\n" for name, options in zip(names, values))
    text += "root " + " * ".join(f"`{name}` ~ categorical({', '.join(f'{p}/{sum(ps)}' for p in ps)})" for name, ps in zip(names, parts)) + ";\n"
    box.write("a.pcirc", text)
    learned = text.split("root ")[0] + "root " + " * ".join(f"`{name}` ~ categorical(?)" for name in names) + ";\n"
    box.write("f.pcirc", learned)
    if box.run("sample", "a.pcirc", "-n", 60, "--seed", rng.randrange(99), "-o", "s.csv", may_say_nan=True).code != 0:
        return None
    table = list(csv.reader(io.StringIO(box.read("s.csv").decode())))
    if table[0] != names:
        return box.fault(f"the header is {table[0]}, the names are {names}", box.runs[-1])
    try:
        expected = [sum(math.log(ps[options.index(cell)] / sum(ps)) for cell, options, ps in zip(row, values, parts)) for row in table[1:]]
    except ValueError:
        return box.fault("a sample is of no category", box.runs[-1])
    run = box.run("eval", "a.pcirc", "--data", "s.csv", "--header", "yes", "--per-row", "--precision", "f64", may_say_nan=True)
    told = run.text.split()
    if len(told) != len(expected) or not all(judge.close(float(a), b, 1e-11, 1e-11) for a, b in zip(told, expected)):
        return box.fault("samples do not come back as they were drawn", run)
    return fit(box, names, values, table[1:])


def fit(box, names, values, rows):
    """Learned frequencies are those of the table."""
    run = box.run("fit", "f.pcirc", "--train", "s.csv", "--header", "yes", "--pseudocount", "0", "-o", "o.pcirc", may_say_nan=True)
    if run.code != 0:
        return box.fault(f"fit to samples ends with {run.code}", run)
    at = len(rows) % 2
    value = values[at][0]
    asked = box.run("query", "o.pcirc", "--json", f"P(`{names[at]}` = `{value}`)", may_say_nan=True)
    share = sum(row[at] == value for row in rows) / len(rows)
    if asked.code != 0 or not judge.close(judge.strict_json(asked.stdout)["value"], share, 1e-6, 1e-9):
        box.fault(f"the question {'cannot be asked' if asked.code else 'is not answered by the share'}: P(`{names[at]}` = `{value}`), {share}", asked)
    return None
