"""Makes the input of a find smaller, as long as the same rule is broken by the same command."""

import os
import shutil
import time

import judge
import process

# Seconds that are spent on one find.
PATIENCE = 20


def reduce(box):
    """Looks for the shortest input of the run that showed the first fault. Only rules that hold for
    every run can be judged again; what rests on enumeration is kept as it is."""
    text, run = box.found[0]
    if run is None or run.timed_out or text not in judge.faults(run, may_say_nan=False):
        return
    end = time.monotonic() + PATIENCE
    files = {name: blob for name, blob in box.inputs.items() if name in run.words}
    for name in sorted(files, key=lambda name: -len(files[name])):
        files[name] = shortest(lambda blob: breaks(box, run, text, {**files, name: blob}, run.stdin), files[name], end)
    stdin = shortest(lambda blob: breaks(box, run, text, files, blob), run.stdin, end)
    box.reduced = {**files, "stdin": stdin}


def shortest(still, blob, end):
    """Leaves out ever smaller stretches."""
    size = max(1, len(blob) // 2)
    while blob and time.monotonic() < end:
        at, gone = 0, False
        while at < len(blob) and time.monotonic() < end:
            less = blob[:at] + blob[at + size:]
            if still(less):
                blob, gone = less, True
            else:
                at += size
        if size == 1 and not gone:
            break
        size = max(1, size // 2)
    return blob


def breaks(box, run, text, files, stdin):
    """Whether the command breaks the same rule on these inputs."""
    folder = os.path.join(box.root, "less")
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    for name, blob in {**box.inputs, **files}.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(blob)
    again = process.run(box.setting.binary, run.words, folder, process.Limits(seconds=10), stdin)
    return any(judge.signature("", fault) == judge.signature("", text) for fault in judge.faults(again, may_say_nan=False))
