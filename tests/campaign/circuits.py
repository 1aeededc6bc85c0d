"""Random circuits over finite variables, as text and as values that Python computes exactly."""

import itertools
import math
import re
from fractions import Fraction

# Weights and probabilities as they are written; the value is that of the text.
PLAIN = ["0.5", "0.25", "0.1", "1/3", "2/7", "0.9", "0.001", "1"]
EXTREME = ["1e-300", "5e-324", "1e-17", "0.9999999999999999", "1e-45", "1e-38", "1e-12", "0.999999", "1e-100", "1/9007199254740991"]


def value_of(text):
    """The exact value of a literal, rounded once as a double is where it is decimal."""
    if "/" in text:
        above, below = text.split("/")
        return Fraction(int(above), int(below))
    return Fraction(float(text))


class Maker:
    """Grows a circuit. Nodes are `(text, scope, function of an assignment)`; sums are kept to be judged."""

    def __init__(self, rng, extreme=False, normalized=True, variables=4):
        self.rng, self.extreme, self.normalized = rng, extreme, normalized
        self.variables = []
        for at in range(rng.randint(1, variables)):
            self.variables.append((f"v{at}", rng.choice(["bool", "cat", "range"]), rng.choice([2, 2, 3, 4])))
        self.variables = [(name, kind, 2 if kind == "bool" else size) for name, kind, size in self.variables]
        self.nodes, self.sums, self.shared = [], [], {}

    def declarations(self):
        """The `var` statements."""
        lines = []
        for name, kind, size in self.variables:
            domain = {"bool": "bool", "cat": "{" + ", ".join(f"c{k}" for k in range(size)) + "}", "range": f"0..{size}"}[kind]
            lines.append(f"var {name} : {domain};")
        return "\n".join(lines)

    def simplex(self, count):
        """Texts of weights that add up to 1, or to what they like."""
        pool = EXTREME + PLAIN if self.extreme else PLAIN
        if not self.normalized:
            return [self.rng.choice(pool + ["2", "3", "12", "0.7"]) for _ in range(count)]
        if self.extreme and self.rng.random() < 0.5:
            texts = [self.rng.choice(["1e-300", "5e-324", "1e-17", "1e-45", "1e-100"]) for _ in range(count - 1)] + ["1"]
            self.rng.shuffle(texts)
            return texts
        parts = [self.rng.randint(1, 9) for _ in range(count)]
        return [f"{part}/{sum(parts)}" for part in parts]

    def leaf(self, at):
        """An indicator or a distribution of one variable."""
        name, kind, size = self.variables[at]
        value = self.rng.randrange(size)
        spell = (lambda k: f"c{k}") if kind == "cat" else str
        way = self.rng.random()
        if way < 0.35 or (kind == "bool" and way < 0.5):
            if kind == "bool":
                return ("" if value else "!") + name, lambda row: Fraction(int(row[at] == value))
            return f"[{name} = {spell(value)}]", lambda row: Fraction(int(row[at] == value))
        if way < 0.5 and kind != "bool" and not self.normalized:
            return f"[{name} != {spell(value)}]", lambda row: Fraction(int(row[at] != value))
        if kind == "bool":
            text = self.rng.choice(EXTREME + PLAIN if self.extreme else PLAIN + ["0", "1"])
            chance = value_of(text)
            return f"{name} ~ bernoulli({text})", lambda row: chance if row[at] else 1 - chance
        texts = self.simplex_leaf(size)
        values = [value_of(text) for text in texts]
        return f"{name} ~ categorical({', '.join(texts)})", lambda row: values[row[at]]

    def simplex_leaf(self, size):
        """Probabilities of a categorical leaf, which always add up to 1; some are zero."""
        parts = [self.rng.choice([0, 1, 2, 5]) for _ in range(size)]
        parts[self.rng.randrange(size)] += 1
        return [f"{part}/{sum(parts)}" for part in parts]

    def node(self, scope, depth):
        """A node over this scope, perhaps one that is there already."""
        key = tuple(scope)
        if self.shared.get(key) and self.rng.random() < 0.25:
            return self.rng.choice(self.shared[key])
        way = self.rng.random()
        if depth > 0 and (way < 0.55 or len(scope) == 1 and way < 0.4):
            made = self.sum(scope, depth)
        elif len(scope) > 1:
            made = self.product(scope, depth)
        else:
            text, function = self.leaf(scope[0])
            return text, function
        if self.rng.random() < 0.4:
            name = f"u{len(self.nodes)}"
            self.nodes.append(f"node {name} = {made[0]};")
            made = (name, made[1])
            self.shared.setdefault(key, []).append(made)
            return made
        return f"({made[0]})", made[1]

    def product(self, scope, depth):
        """Factors over parts of the scope."""
        order = list(scope)
        self.rng.shuffle(order)
        at = self.rng.randint(1, len(order) - 1)
        left, right = self.node(sorted(order[:at]), depth - 1), self.node(sorted(order[at:]), depth - 1)
        return f"{left[0]} * {right[0]}", lambda row: left[1](row) * right[1](row)

    def sum(self, scope, depth):
        """Children over the same scope."""
        children = [self.node(scope, depth - 1) for _ in range(self.rng.choice([2, 2, 3, 4]))]
        texts = self.simplex(len(children))
        weights = [value_of(text) for text in texts]
        self.sums.append((children, weights))
        text = " + ".join(f"{weight}: {child[0]}" for weight, child in zip(texts, children))
        return text, lambda row: sum(weight * child[1](row) for weight, child in zip(weights, children))

    def make(self, depth=4):
        """The whole text and its function."""
        root = self.node(list(range(len(self.variables))), depth)
        self.root = root[0]
        text = "\n".join([self.declarations(), *self.nodes, f"root {root[0]};"]) + "\n"
        return text, root[1]

    def sums_are_reached(self):
        """Whether every sum hangs below the root with positive weight. A named node may be made and never
        used, because the choice among shared ones is free; then no verdict rests on it."""
        text = " ".join(self.nodes) + " " + self.root
        used = all(len(re.findall(rf"\b{line.split()[1]}\b", text)) > 1 for line in self.nodes)
        return used and all(weight > 0 for _, weights in self.sums for weight in weights)

    def rows(self):
        """Every assignment."""
        return list(itertools.product(*(range(size) for _, _, size in self.variables)))

    def cell(self, at, value):
        """How a value is written in data and questions."""
        return f"c{value}" if self.variables[at][1] == "cat" else str(value)

    def csv(self, rows):
        """Data with a header; None is missing."""
        lines = [",".join(name for name, _, _ in self.variables)]
        lines += [",".join("?" if value is None else self.cell(at, value) for at, value in enumerate(row)) for row in rows]
        return "\n".join(lines) + "\n"

    def total(self, function, row):
        """The value with what is missing summed out."""
        places = [range(size) if value is None else [value] for value, (_, _, size) in zip(row, self.variables)]
        return sum((function(full) for full in itertools.product(*places)), Fraction(0))


def log(value):
    """The logarithm of a fraction of any size."""
    if value == 0:
        return float("-inf")
    shift = value.numerator.bit_length() - value.denominator.bit_length()
    return math.log(float(value / Fraction(2) ** shift)) + shift * math.log(2)
