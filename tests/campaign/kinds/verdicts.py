"""Verdicts of `check` against brute force: nothing is proven that is not so, nothing refuted that is."""

import json

import circuits

ABOUT = "verdicts on determinism and normalization against brute force"
SETTLED = True


def trial(box, rng, _corpus):
    """A circuit of small numbers; every sum is looked at for every input."""
    maker = circuits.Maker(rng, normalized=rng.random() < 0.8, variables=5)
    text, function = maker.make(rng.choice([1, 2, 3, 4]))
    box.write("a.pcirc", text)
    effort = rng.choice([[], [], ["--effort", "0"], ["--effort", "10"]])
    run = box.run("check", "--json", *effort, "a.pcirc")
    if run.code != 0:
        return box.fault(f"a good circuit is refused with {run.code}", run)
    summary = json.loads(run.text.splitlines()[-1])["summary"]
    box.asked = 2
    judge_determinism(box, run, maker, summary["deterministic"])
    mass = maker.total(function, [None] * len(maker.variables))
    if summary["normalized"] == "proven" and abs(mass - 1) > 1e-9:
        box.fault(f"normalized is proven, the mass is {float(mass)}", run)


def judge_determinism(box, run, maker, verdict):
    """Whether two children of a sum are positive for one input. Children that are one and the
    same unit may be merged, and sums that no input reaches may go, so that those decide nothing."""
    strict = loose = False
    rows = maker.rows()
    for children, weights in maker.sums:
        for row in rows:
            positive = [child for child, weight in zip(children, weights) if weight * child[1](row) > 0]
            loose = loose or len(positive) > 1
            strict = strict or len({child[0] for child in positive}) > 1
    if verdict == "proven" and strict and maker.sums_are_reached():
        box.fault("deterministic is proven, but two children are positive for one input", run)
    if verdict == "refuted" and not loose:
        box.fault("deterministic is refuted, but no two children are positive for one input", run)
