"""Attacks the binary for as long as one likes. See README.md."""

import argparse
import json
import multiprocessing
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from dataclasses import dataclass

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import finds  # noqa: E402
import kinds  # noqa: E402
import reduce  # noqa: E402
from box import Box  # noqa: E402
from corpus import TREE, Corpus  # noqa: E402


@dataclass
class Setting:
    """What all trials share."""

    binary: str
    seed: int
    timeout: float
    kept: str


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(prog="tests/campaign", description=__doc__)
    parser.add_argument("--hours", type=float, default=None, help="how long to attack")
    parser.add_argument("--count", type=int, default=None, help="so many trials of each kind, instead of hours")
    parser.add_argument("--jobs", type=int, default=2, help="attacks at the same time")
    parser.add_argument("--seed", type=int, default=None, help="what all inputs follow from; by default drawn and printed")
    parser.add_argument("--kinds", "--only", dest="only", default="", help="kinds, between commas, or `all`; by default those that are settled")
    parser.add_argument("--pelton", "--binary", dest="binary", default=None, help="the program to attack; by default the built one")
    parser.add_argument("--timeout", type=float, default=60, help="seconds that a run may take")
    parser.add_argument("--keep", default=None, help="where finds go; by default target/campaign")
    parser.add_argument("--json", action="store_true", help="print the report as JSON too")
    parser.add_argument("--replay", metavar="FOLDER", help="do a kept find again")
    parser.add_argument("--list", action="store_true", help="show the kinds")
    return parser.parse_args()


def built():
    """The newest binary of this tree."""
    target = os.environ.get("CARGO_TARGET_DIR", os.path.join(TREE, "target"))
    there = [path for path in (os.path.join(target, way, "pelton") for way in ("release", "debug")) if os.path.exists(path)]
    if not there:
        sys.exit("tests/campaign: no binary under target/; build one, or name it with --binary")
    return max(there, key=os.path.getmtime)


def chosen(words):
    """The kinds to attack."""
    if words == "all":
        return list(kinds.SHARES)
    if words:
        unknown = [name for name in words.split(",") if name not in kinds.SHARES]
        if unknown:
            sys.exit(f"tests/campaign: no kind `{unknown[0]}`; there are {', '.join(kinds.SHARES)}")
        return words.split(",")
    return [name for name in kinds.SHARES if kinds.load(name).SETTLED]


def attempt(setting, corpus, parent, name, index):
    """One trial; the same seed, kind and index give the same inputs."""
    box = Box(setting, parent)
    rng = random.Random(f"{setting.seed}/{name}/{index}")
    try:
        kinds.load(name).trial(box, rng, corpus)
    except Exception as error:  # a fault of the campaign is told as such, and does not end it
        import traceback
        box.fault(f"the campaign itself failed: {type(error).__name__}: {error}")
        box.inputs["traceback.txt"] = traceback.format_exc().encode()
    return box


def work(setting, corpus, parent, tasks, results):
    """A worker: trials until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name, index in iter(tasks.get, None):
        start = time.monotonic()
        box = attempt(setting, corpus, parent, name, index)
        folder = None
        if box.found:
            reduce.reduce(box)
            folder = finds.keep(setting, box, name, index)
        ends = ["time-out" if run.timed_out else f"signal {run.signal}" if run.signal else str(run.code) for run in box.runs]
        results.put((name, index, ends, [text for text, _ in box.found], folder, time.monotonic() - start, box.asked, box.sort))
        box.sweep()


def main():
    """Starts workers, hands out trials, counts, reports. Exit code 1 says that something was found."""
    options = arguments()
    if options.list:
        for name in kinds.SHARES:
            module = kinds.load(name)
            print(f"{name:9} {module.ABOUT}{'' if module.SETTLED else ' (only if named)'}")
        return 0
    binary = os.path.abspath(options.binary or built())
    seed = options.seed if options.seed is not None else random.randrange(1 << 32)
    setting = Setting(binary, seed, options.timeout, os.path.abspath(options.keep or os.path.join(TREE, "target", "campaign")))
    if options.replay:
        return finds.replay(setting, options.replay, attempt, Corpus)
    names = chosen(options.only)
    corpus = Corpus(binary)
    parent = tempfile.mkdtemp(prefix="pelton-campaign-")
    report = finds.Report(setting, names)
    try:
        campaign(options, setting, corpus, parent, names, report)
    finally:
        shutil.rmtree(parent, ignore_errors=True)
    report.table()
    report.save()
    print(json.dumps(report.final(), ensure_ascii=False) if options.json else f"the whole report: {setting.kept}/{seed}.json")
    return 1 if report.finds else 0


def campaign(options, setting, corpus, parent, names, report):
    """The loop over trials: the kind that has had least of its share of time is next."""
    tasks, results = multiprocessing.Queue(), multiprocessing.Queue()
    workers = [multiprocessing.Process(target=work, args=(setting, corpus, parent, tasks, results)) for _ in range(options.jobs)]
    for worker in workers:
        worker.start()
    end = time.monotonic() + (options.hours if options.hours is not None else 1 / 60) * 3600
    spent, given, under_way = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0), 0
    try:
        while True:
            while under_way < options.jobs:
                open_names = [name for name in names if options.count is None or given[name] < options.count]
                if not open_names or (options.count is None or options.hours is not None) and time.monotonic() > end:
                    break
                name = min(open_names, key=lambda name: (spent[name] + 0.01 * given[name]) / kinds.SHARES[name])
                tasks.put((name, given[name]))
                given[name] += 1
                under_way += 1
            if not under_way:
                break
            result = results.get()
            under_way -= 1
            spent[result[0]] += result[5]
            report.add(*result)
    except KeyboardInterrupt:
        print("interrupted: the report is of what was done", file=sys.stderr)
    for _ in workers:
        tasks.put(None)
    for worker in workers:
        worker.join(timeout=options.timeout + 10)


if __name__ == "__main__":
    sys.exit(main())
