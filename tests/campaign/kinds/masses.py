"""Circuits whose mass is not 1: eval, query and condition agree with enumeration."""

import re

import circuits
import judge
from kinds import engines

ABOUT = "circuits whose mass is not 1: eval, query, condition and sample against enumeration"
SETTLED = True


def trial(box, rng, _corpus):
    """A circuit of any weights; answers are those of its normalized distribution."""
    maker = circuits.Maker(rng, normalized=False, extreme=rng.random() < 0.3)
    text, function = maker.make(rng.choice([1, 2, 3]))
    box.write("a.pcirc", text)
    mass = maker.total(function, [None] * len(maker.variables))
    if mass == 0:
        return box.run("check", "a.pcirc")
    rows = rng.sample(maker.rows(), min(len(maker.rows()), 24))
    box.write("d.csv", maker.csv(rows))
    run = box.run("eval", "a.pcirc", "--data", "d.csv", "--header", "yes", "--per-row", "--precision", "f64")
    divisor = 1 if counts(text) else mass
    engines.compare(box, run, [circuits.log(function(row) / divisor) for row in rows], "f64")
    engines.ask(box, rng, maker, function, mass)
    condition(box, rng, maker, function, mass, text)


def counts(text):
    """Whether a circuit counts: indicators alone, all weights 1. Its values are numbers of models."""
    body = "\n".join(line for line in text.splitlines() if not line.startswith("var "))
    return "~" not in body and all(weight == "1" for weight in re.findall(r"([^\s(]+):", body))


def condition(box, rng, maker, function, mass, text):
    """What is left of the circuit, and the log-probability that is told."""
    at = rng.randrange(len(maker.variables))
    value = rng.randrange(maker.variables[at][2])
    row = [value if place == at else None for place in range(len(maker.variables))]
    given = maker.total(function, row)
    run = box.run("condition", "a.pcirc", f"{maker.variables[at][0]} = {maker.cell(at, value)}", "--keep", "-o", "c.pcirc")
    if given == 0:
        if run.code != 3:
            box.fault(f"an impossible condition ends with {run.code}", run)
        return None
    if run.code != 0:
        return box.fault(f"a possible condition ends with {run.code}", run)
    told = re.search(r"log-probability of the evidence is (\S+)", run.errors)
    if told and not judge.close(float(told[1]), circuits.log(given / mass), 1e-5, 2e-6):
        box.fault(f"the log-probability told is {told[1]}, enumeration says {circuits.log(given / mass)}", run)
    left_counts = counts(text) and counts(box.read("c.pcirc").decode())
    left = box.run("eval", "c.pcirc", "--data", "d.csv", "--header", "yes", "--per-row", "--precision", "f64")
    rows = [line.split(",") for line in box.read("d.csv").decode().splitlines()[1:]]
    full = [row for row in maker.rows() if [maker.cell(place, cell) for place, cell in enumerate(row)] in rows]
    by_text = {tuple(maker.cell(place, cell) for place, cell in enumerate(row)): row for row in full}
    divisor = 1 if left_counts else given
    expected = [circuits.log(function(by_text[tuple(row)]) / divisor if by_text[tuple(row)][at] == value else given * 0) for row in rows]
    return engines.compare(box, left, expected, "f64")
