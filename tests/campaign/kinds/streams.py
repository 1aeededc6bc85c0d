"""Requests over standard input, right and wrong: one answer to each line, and the process survives."""

import json

import judge
import mutate
from corpus import MODEL

ABOUT = "random and malformed requests to --stream: one answer a line, in order"
SETTLED = True
COMMANDS = ["eval", "query", "marginals", "map", "sample", "moments"]
VALUES = [True, False, None, 0, 1, -1, 2, 0.5, 1e308, -1e308, 5e-324, 1e17, 2**63, "storm", "clear", "", " ", "NA", "?", "1", "yes",
          "\u0000", "\u202e", "x" * 300, [], {}, [1], {"a": 1}]
EVENTS = ["rain", "wet, temp <= 10", "temp = 1e300", "sky in {clear}", "n >= 3", "P(", "rain &&", "temp < -1e308", "n = -1", "", "sky = `x", "((((rain))))",
          "rain && !rain", "n = 1e30", "[rain]", "temp in [1, 0)", "\n", "x[3]"]


def trial(box, rng, _corpus):
    """Some hundred lines to one process."""
    box.write("m.pcirc", MODEL)
    command = rng.choice(COMMANDS)
    lines = [line(rng, at) for at in range(rng.choice([20, 200, 600]))]
    words = [command, "m.pcirc", "--stream"] + (["P(rain)"] if command == "query" else [])
    if command != "moments":  # which has no kernels
        words += rng.choice([[], ["--precision", "f32"], ["--engine", "reference"], ["--threads", "1"]])
    run = box.run(*words, stdin=b"\n".join(lines) + b"\n", may_say_nan=True)
    box.asked = len(lines)
    if run.code != 0 and not box.found:
        return box.fault(f"the process ends with {run.code}", run)
    compare(box, run, lines)


def compare(box, run, lines):
    """As many answers as requests, each JSON, each with its id."""
    asked = [line for line in lines if line.strip(b" \t\r")]
    answers = run.stdout.split(b"\n")[:-1]
    if len(answers) != len(asked):
        return box.fault(f"{len(answers)} answers to {len(asked)} requests", run)
    for request, answer in zip(asked, answers):
        try:
            told = judge.strict_json(answer)
        except ValueError as error:
            return box.fault(f"an answer is not JSON ({str(error)[:60]}): {answer[:100]!r}", run)
        wanted = identity(request)
        if wanted is not None and told.get("id") != wanted:
            return box.fault(f"id {told.get('id')!r} answers {wanted!r}", run)


def identity(request):
    """The id of a well-formed request, where it is simple."""
    try:
        wanted = judge.strict_json(request.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    found = wanted.get("id") if isinstance(wanted, dict) else None
    # A key that is there twice is answered either way.
    return found if isinstance(found, int) and abs(found) < 2**53 and request.count(b'"id"') == 1 else None


def line(rng, at):
    """A request: right, odd, or changed in some of its bytes."""
    request = {"id": at}
    if rng.random() < 0.6:
        request["row"] = row(rng)
    elif rng.random() < 0.4:
        request["rows"] = [row(rng) for _ in range(rng.randrange(4))]
    for key, values in [("given", EVENTS), ("query", [f"P({event})" for event in EVENTS] + ["P(rain | wet)"]),
                        ("n", [0, 1, 3, -1, 1.5, "2", 10**18, None]), ("seed", [0, 1, -1, 2**64, "a"]), ("other", VALUES)]:
        if rng.random() < 0.25:
            request[key] = rng.choice(values)
    blob = json.dumps(request, ensure_ascii=rng.random() < 0.5).encode("utf-8", "replace")
    if rng.random() < 0.3:
        blob = mutate.mutate(rng, blob, b'{"row": [1, 2], "query": "P(wet)"}').replace(b"\n", b" ")
    if rng.random() < 0.02:
        blob = rng.choice([b"[" * 5000, b'{"row":' * 3000, b"\xff\xfe", b'"', b"1e999", b"null", b"\x00", b"{}" * 100])
    return blob


def row(rng):
    """What is observed, by name or in order."""
    values = {name: rng.choice(VALUES[:16] if rng.random() < 0.8 else VALUES) for name in ["rain", "wet", "sky", "n", "temp"] if rng.random() < 0.5}
    if rng.random() < 0.1:
        values[rng.choice(["skye", "", "rain ", "x[1]"])] = 1
    return values if rng.random() < 0.8 else [rng.choice(VALUES) for _ in range(rng.choice([0, 4, 5, 5, 6]))]
