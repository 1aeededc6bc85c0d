"""Random circuits with extreme numbers: engines agree with each other and with enumeration."""

import circuits
import judge

ABOUT = "random circuits with extreme weights: engines and questions against enumeration in fractions"
SETTLED = True
ENGINES = [(engine, precision) for engine in ("cranelift", "wide", "reference") for precision in ("f32", "f64")]
# Of the logarithm, relative and absolute. Totals of f32 kernels lose some of 24 bits at every level.
BOUNDS = {"f32": (2e-5, 2e-5), "f64": (1e-11, 1e-11)}


def trial(box, rng, _corpus):
    """A circuit, all or many rows of it, some with cells missing."""
    maker = circuits.Maker(rng, extreme=rng.random() < 0.6)
    text, function = maker.make(rng.choice([1, 2, 3, 4]))
    box.write("a.pcirc", text)
    mass = maker.total(function, [None] * len(maker.variables))
    rows = [tuple(None if rng.random() < 0.3 else value for value in row) for row in maker.rows()]
    rows = rng.sample(rows, min(len(rows), 24))
    box.write("d.csv", maker.csv(rows))
    expected = [circuits.log(maker.total(function, row)) for row in rows]
    for engine, precision in ENGINES:
        run = box.run("eval", "a.pcirc", "--data", "d.csv", "--header", "yes", "--per-row", "--engine", engine, "--precision", precision)
        if run.code == 2 and "wide" in run.errors and engine == "wide":
            continue  # a machine without its instructions
        compare(box, run, expected, precision)
    ask(box, rng, maker, function, mass)


def compare(box, run, expected, precision):
    """Each line is the logarithm that was enumerated."""
    if run.code != 0:
        return box.fault(f"eval of a good circuit ends with {run.code}", run)
    lines = run.text.split()
    if len(lines) != len(expected):
        return box.fault(f"{len(lines)} answers for {len(expected)} rows", run)
    relative, absolute = BOUNDS[precision]
    for at, (line, value) in enumerate(zip(lines, expected)):
        box.asked += 1
        if not judge.close(float(line), value, relative, absolute):
            return box.fault(f"{precision} kernels: row {at + 1} is {line}, enumeration says {value}", run)


def ask(box, rng, maker, function, mass):
    """Questions about one or two variables, given another."""
    questions, answers = [], []
    for _ in range(4):
        size = len(maker.variables)
        chosen = [(at, rng.randrange(maker.variables[at][2])) for at in rng.sample(range(size), rng.randint(1, min(size, 3)))]
        split = rng.randint(1, len(chosen))
        above, below = [None] * size, [None] * size
        for place, (at, value) in enumerate(chosen):
            above[at] = value
            if place >= split:
                below[at] = value
        given = maker.total(function, below)
        if given == 0 or mass == 0:
            continue
        spell = [f"{maker.variables[at][0]} = {maker.cell(at, value)}" for at, value in chosen]
        bar = f" | {', '.join(spell[split:])}" if spell[split:] else ""
        questions.append(f"P({' && '.join(spell[:split])}{bar})")
        answers.append(maker.total(function, above) / given)
    if not questions:
        return
    run = box.run("query", "a.pcirc", "--json", *questions)
    if run.code != 0:
        return box.fault(f"a question of positive evidence ends with {run.code}", run)
    for line, question, answer in zip(run.text.splitlines(), questions, answers):
        told = judge.strict_json(line)
        box.asked += 1
        value = told["log"] if told["log"] is not None else float("-inf")
        if not judge.close(value, circuits.log(answer), 1e-11, 1e-10):
            box.fault(f"{question} is {told['value']}, enumeration says {float(answer)}", run)
