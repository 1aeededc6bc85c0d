"""What every run must keep, whatever it was given."""

import json
import re

# 0 ok, 1 the circuit, 2 usage and files, 3 data, 4 numbers, 5 unknown under --strict, 130 interrupted.
DOCUMENTED = {0, 1, 2, 3, 4, 5, 130}
# Inputs are small: what needs more has run away.
MEBIBYTES = 2048
NOT_A_NUMBER = re.compile(r"(?<![\w.`\"'-])[-+]?nan(?![\w.`\"'])", re.IGNORECASE)


def faults(run, may_say_nan=False, memory=MEBIBYTES):
    """Every rule that this run broke, as short texts."""
    found = []
    if run.timed_out:
        found.append("time-out")
    elif run.signal is not None:
        found.append(f"ended by signal {run.signal}")
    elif run.code not in DOCUMENTED:
        found.append(f"exit code {run.code} is not documented")
    if "panicked at" in run.errors or "bug in Pelton" in run.errors:
        found.append("panic: " + first_line(run.errors, "panicked at", "bug in Pelton"))
    if run.peak_mebibytes > memory:
        found.append(f"memory ran away (more than {memory} MiB)")
    if run.code not in (0, None) and not run.stderr.strip() and not run.stdout.strip():
        found.append(f"exit code {run.code} without a word")
    if run.code == 0 and not may_say_nan and NOT_A_NUMBER.search(run.text):
        found.append("NaN is printed with exit code 0")
    return found


def first_line(text, *needles):
    """The first line that has one of the needles."""
    lines = [line for line in text.splitlines() if any(needle in line for needle in needles)]
    return lines[0].strip()[:200] if lines else ""


def strict_json(line):
    """Reads JSON as the standard has it: NaN and Infinity are errors, and so are numbers that no double holds."""
    def refuse(word):
        raise ValueError(f"{word[:20]} is not JSON")

    def finite(kind):
        return lambda text: kind(text) if abs(float(text)) != float("inf") else refuse(text)
    return json.loads(line, parse_constant=refuse, parse_int=finite(int), parse_float=finite(float))


def is_nan_free(words_and_files):
    """Whether an input could not have brought the word itself."""
    return all(b"nan" not in blob.lower() for blob in words_and_files)


def signature(kind, fault):
    """Faults that differ in numbers and names alone are kept together."""
    return kind + ": " + re.sub(r"[-+]?\d[\d.e+-]*", "#", re.sub(r"`[^`]*`", "`…`", fault))[:160]


def close(a, b, relative, absolute=0.0):
    """Whether two numbers agree; infinities of one sign do."""
    if a == b:
        return True
    if a is None or b is None or a in (float("inf"), float("-inf")) or b in (float("inf"), float("-inf")):
        return False
    return abs(a - b) <= absolute + relative * max(abs(a), abs(b))
