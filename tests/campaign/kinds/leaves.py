"""Leaves with extreme parameters: probabilities are probabilities, samples come back, what has a closed form agrees with it."""

import math

import judge

ABOUT = "leaves with extreme parameters: probabilities, closed forms, samples that eval reads"
SETTLED = False
SMALL = [5e-324, 1e-300, 1e-100, 1e-45, 1e-38, 1e-17, 1e-12, 1e-5]
MIDDLE = [0.1, 0.5, 1.0, 2.5, 10.0, 300.0]
LARGE = [1e5, 1e9, 1e12, 1e15, 9007199254740991.0, 1e17, 1e38, 1e100, 1e300]


def spread(z):
    """What a standard normal variable is at most `z` with, and above it with."""
    return math.erfc(-z / math.sqrt(2)) / 2, math.erfc(z / math.sqrt(2)) / 2


def two_sided(z):
    """The same of a Laplace variable."""
    outer = math.exp(-abs(z)) / 2
    return (1 - outer, outer) if z >= 0 else (outer, 1 - outer)


def families(rng):
    """Name, domain, parameters, and the two tails at `t` where they have a closed form."""
    positive = lambda: rng.choice(rng.choice([SMALL, MIDDLE, MIDDLE, LARGE]))
    chance = lambda: rng.choice(SMALL + [0.1, 0.5, 0.9, 0.999999, 0.9999999999999999])
    whole = lambda: int(rng.choice([1, 2, 10, 500, 10**5, 10**9, 2**53 - 1]))
    mean, sd, rate, p = rng.choice([0.0, -1.0, 1.0, *LARGE, -1e300, 1e-300]), positive(), positive(), chance()
    tails = lambda up: (-math.expm1(up), math.exp(up))
    n, hits, draws = whole(), whole(), whole()
    return rng.choice([
        ("normal", "real", [mean, sd], lambda t: spread((t - mean) / sd)),
        ("lognormal", "real", [rng.choice([0.0, 5.0, -50.0, 700.0]), positive()], None),
        ("exponential", "real", [rate], lambda t: tails(-rate * t) if t >= 0 else (0.0, 1.0)),
        ("laplace", "real", [mean, sd], lambda t: two_sided((t - mean) / sd)),
        ("gamma", "real", [positive(), positive()], None),
        ("poisson", "nat", [positive()], None),
        ("geometric", "nat", [p], lambda t: tails((math.floor(t) + 1) * math.log1p(-p)) if t >= 0 else (0.0, 1.0)),
        ("binomial", "nat", [n, p], None),
        ("negative_binomial", "nat", [rng.choice([1, 2, 50, 10**6]), p], None),
        ("hypergeometric", "nat", [max(n, hits, draws), hits, draws], None),
    ])


def trial(box, rng, _corpus):
    """One leaf, asked at some places, sampled, and read back."""
    family, domain, numbers, closed = families(rng)
    box.sort = family
    words = ", ".join(str(number) if isinstance(number, int) else repr(number) for number in numbers)
    cut = ""
    if rng.random() < 0.2:
        closed, cut = None, f" in [{rng.choice(['0', '1', '100'])}, {rng.choice(['101', '1000', '1e15'])})"
    box.write("a.pcirc", f"var x : {domain};\nroot x ~ {family}({words}){cut};\n")
    if box.run("check", "a.pcirc").code != 0:
        return
    ask(box, rng, domain, numbers, closed)
    box.run(rng.choice(["moments", "entropy", "map", "marginals"]), "a.pcirc")
    samples(box, rng)


def ask(box, rng, domain, numbers, closed):
    """Both tails at some places."""
    places = [rng.choice(SMALL + MIDDLE + LARGE), float(rng.choice(numbers)), rng.uniform(0, 3) * float(rng.choice(numbers))]
    if domain == "nat":
        places = [min(float(int(place)), 2.0**53 - 1) for place in places if 0 <= place < 1e300]
    for place in places:
        if abs(place) > 1e307:
            continue
        spelled = str(int(place)) if domain == "nat" else repr(place)
        run = box.run("query", "a.pcirc", "--json", f"P(x <= {spelled})", f"P(x > {spelled})")
        if run.code != 0:
            continue
        below, above = (judge.strict_json(line)["value"] for line in run.text.splitlines())
        box.asked += 2
        if below is None or above is None or not (0 <= below <= 1 and 0 <= above <= 1) or abs(below + above - 1) > 1e-9:
            box.fault(f"P(x <= {spelled}) = {below} and P(x > {spelled}) = {above} are no probabilities of two halves", run)
        elif closed:
            for told, wanted in zip((below, above), closed(place)):
                if not judge.close(told, wanted, 1e-9, 1e-300):
                    box.fault(f"a tail at {spelled} is {told}, the closed form says {wanted}", run)


def samples(box, rng):
    """What is drawn is of the domain and of positive density."""
    run = box.run("sample", "a.pcirc", "-n", 20, "--seed", rng.randrange(9), "-o", "s.csv")
    if run.code != 0:
        return
    back = box.run("eval", "a.pcirc", "--data", "s.csv", "--header", "yes", "--per-row", "--precision", "f64")
    box.asked += 20
    if back.code != 0:
        box.fault(f"eval of what sample drew ends with {back.code}", back)
    elif "-inf" in back.text.split():
        box.fault("a sample has probability zero", back)
