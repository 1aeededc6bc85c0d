"""What was found: kept as folders, counted, reported, done again."""

import json
import os
import shlex
import shutil
import sys
import tempfile
import time

import judge

# Finds of one kind beyond this are counted, not kept.
KEPT = 10


def keep(setting, box, kind, index):
    """Writes the inputs, the command lines and what was printed. The folder's name is the trial's."""
    folder = os.path.join(setting.kept, f"{setting.seed}-{kind}-{index}")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for name, blob in box.inputs.items():
        put(folder, os.path.join("inputs", name), blob)
    for name, blob in box.reduced.items():
        put(folder, os.path.join("reduced", name), blob)
    script = ["#!/bin/sh", "# The runs of this trial, on the inputs as they were given.", 'cd "$(dirname "$0")/inputs" || exit 2']
    for at, run in enumerate(box.runs):
        put(folder, f"{at}.stdout", run.stdout[:1_000_000])
        put(folder, f"{at}.stderr", run.stderr[:1_000_000])
        put(folder, f"{at}.stdin", run.stdin)
        script.append(f"# {run.summary()}".replace("\n", "\\n")[:300])
        script.append(f"{shlex.join(['PELTON', *run.words]).replace('PELTON', shlex.quote(setting.binary), 1)} < ../{at}.stdin")
    put(folder, "run.sh", "\n".join(script).encode("utf-8", "surrogateescape") + b"\n")
    told = {"kind": kind, "seed": setting.seed, "index": index, "binary": setting.binary,
            "faults": [{"fault": text, "run": box.runs.index(run) if run else None} for text, run in box.found],
            "runs": [run.summary() for run in box.runs]}
    put(folder, "find.json", json.dumps(told, indent=1, ensure_ascii=False).encode("utf-8", "surrogateescape"))
    return folder


def put(folder, name, blob):
    """Writes a file and the folders above it."""
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(blob)


def replay(setting, folder, attempt, corpus):
    """Does the trial of a find again, with this binary, and says what is wrong now."""
    with open(os.path.join(folder, "find.json"), encoding="utf-8") as file:
        told = json.load(file)
    setting.seed = told["seed"]
    parent = tempfile.mkdtemp(prefix="pelton-replay-")
    box = attempt(setting, corpus(setting.binary), parent, told["kind"], told["index"])
    for name, blob in box.inputs.items():
        path = os.path.join(folder, "inputs", name)
        if not os.path.exists(path) or open(path, "rb").read() != blob:
            print(f"note: {name} is not as it was kept (timing, or the tests' files have changed); inputs/ and run.sh have the old one", file=sys.stderr)
    for run in box.runs:
        print(run.summary())
    for text, _ in box.found:
        print(f"FAULT {text}")
    box.sweep()
    shutil.rmtree(parent, ignore_errors=True)
    print("still there" if box.found else "gone")
    return 1 if box.found else 0


class Report:
    """Counts by kind, and finds by what they have in common."""

    def __init__(self, setting, names):
        self.setting, self.start, self.told = setting, time.monotonic(), 0.0
        self.counts = {name: {"trials": 0, "runs": 0, "checks": 0, "finds": 0, "seconds": 0.0, "ends": {}, "sorts": {}} for name in names}
        self.finds = {}

    def add(self, kind, index, ends, faults, folder, seconds, asked, sort):
        """Takes the result of one trial."""
        count = self.counts[kind]
        count["trials"] += 1
        count["runs"] += len(ends)
        count["checks"] += asked
        count["seconds"] = round(count["seconds"] + seconds, 2)
        if sort:
            count["sorts"][sort] = count["sorts"].get(sort, 0) + 1
        for end in ends:
            count["ends"][end] = count["ends"].get(end, 0) + 1
        if faults:
            count["finds"] += 1
            self.found(kind, faults, folder)
        if time.monotonic() - self.told > 10:
            self.progress()

    def found(self, kind, faults, folder):
        """Keeps the folder of the first finds of a sort."""
        sort = judge.signature(kind, faults[0])
        known = self.finds.setdefault(sort, {"fault": faults[0], "times": 0, "folders": []})
        known["times"] += 1
        if len(known["folders"]) < KEPT:
            known["folders"].append(folder)
        else:
            shutil.rmtree(folder, ignore_errors=True)
        if known["times"] == 1:
            print(f"find: {kind}: {faults[0]}\n      python3 tests/campaign --replay {folder}", file=sys.stderr, flush=True)

    def progress(self):
        """A line now and then, and the report so far."""
        self.told = time.monotonic()
        self.save()
        parts = [f"{name} {count['trials']}" + (f" ({count['finds']} finds)" if count["finds"] else "") for name, count in self.counts.items()]
        print(f"{self.told - self.start:7.0f} s  {', '.join(parts)}", file=sys.stderr, flush=True)

    def table(self):
        """Counts of each kind, and the finds, to read."""
        print(f"{'kind':10} {'trials':>8} {'runs':>8} {'checks':>9} {'finds':>6} {'seconds':>8}  ends, files")
        for name, count in self.counts.items():
            ends = " ".join(f"{end}:{times}" for end, times in sorted(count["ends"].items()))
            sorts = f", {len(count['sorts'])} sorts of files" if count["sorts"] else ""
            print(f"{name:10} {count['trials']:8} {count['runs']:8} {count['checks']:9} {count['finds']:6} {count['seconds']:8.0f}  {ends}{sorts}")
        for known in self.finds.values():
            print(f"find, {known['times']} times: {known['fault']}\n      {known['folders'][0]}")

    def save(self):
        """Writes the report, so that it is there however the campaign ends."""
        told = json.dumps(self.final(), indent=1, ensure_ascii=False)
        put(self.setting.kept, f"{self.setting.seed}.json", told.encode("utf-8", "surrogateescape"))

    def final(self):
        """The report."""
        return {
            "seed": self.setting.seed, "binary": self.setting.binary, "seconds": round(time.monotonic() - self.start, 1),
            "trials": sum(count["trials"] for count in self.counts.values()),
            "runs": sum(count["runs"] for count in self.counts.values()),
            "kinds": self.counts,
            "finds": [{"sort": sort, **known} for sort, known in self.finds.items()],
        }
