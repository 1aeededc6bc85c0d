"""Signals at random times: a file that is being written is the old one or a whole new one."""

import os
import signal

ABOUT = "SIGINT, SIGTERM and SIGKILL at random times while files are replaced"
SETTLED = True
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGKILL]
QUIET = ["--threads", "1", "--progress", "none"]
OLD = b"what was there before\n"
MODEL = """var x[0..16] : bool;
node h[k in 0..24] = prod i in 0..16 { x[i] ~ bernoulli(?) };
root sum k in 0..24 { ?: h[k] };
"""
LARGE = """param p[0..4000] : unit = [%s];
var x[0..4000] : bool;
root prod i in 0..4000 { x[i] ~ bernoulli(p[i]) };
""" % ", ".join(f"{(i % 97 + 1) / 99}" for i in range(4000))


def commands():
    """Each with the file that it writes; all of them take long enough to be hit."""
    return [
        ("o.pelton", ["fit", "m.pcirc", "--train", "d.csv", "--fullbatch-epochs", "300", "-o", "o.pelton", *QUIET]),
        ("o.pcirc", ["fit", "m.pcirc", "--train", "d.csv", "--fullbatch-epochs", "300", "--checkpoint", "c.pelton", "-o", "o.pcirc", *QUIET]),
        ("o.pcirc", ["learn", "hclt", "--train", "d.csv", "--hidden", "6", "--fullbatch-epochs", "50", "-o", "o.pcirc", *QUIET]),
        ("o.csv", ["sample", "m.pcirc", "-n", "200000", "-o", "o.csv"]),
        ("o.pelton", ["convert", "l.pcirc", "o.pelton"]),
        ("o.pcirc", ["condition", "l.pcirc", "x[3]", "-o", "o.pcirc"]),
    ]


def trial(box, rng, _corpus):
    """One command over a file that is there, one signal."""
    out, words = rng.choice(commands())
    box.write("m.pcirc", MODEL)
    box.write("l.pcirc", LARGE)
    header = ",".join(f"x[{i}]" for i in range(16))
    box.write("d.csv", "\n".join([header] + [",".join(rng.choice("01") for _ in range(16)) for _ in range(400)]) + "\n")
    box.write(out, OLD)
    sent, delay = rng.choice(SIGNALS), rng.choice([rng.uniform(0, 0.03), rng.uniform(0, 0.1), rng.uniform(0, 1.0)])
    state = {"sent": False}

    def watch(pid, seconds):
        if seconds >= delay and not state["sent"]:
            state["sent"] = True
            os.kill(pid, sent)

    before = set(os.listdir(box.folder))
    run = box.run(*words, judged=False, watch=watch)
    judge_end(box, run, sent, state["sent"])
    judge_files(box, run, sent, out, before)


def judge_end(box, run, sent, was_sent):
    """A signal may come too late, and before the handler is there it ends the process as it always does."""
    box.asked = int(was_sent)
    allowed = {(0, None), (None, int(sent))} if was_sent else {(0, None)}
    if was_sent and sent != signal.SIGKILL:
        allowed |= {(130, None), (128 + int(sent), None)}
    if (run.code, run.signal) not in allowed or run.timed_out:
        box.fault(f"{sent.name} during {run.words[0]}: exit {run.code}, signal {run.signal}, time-out {run.timed_out}", run)
    if "panicked" in run.errors:
        box.fault("panic", run)


def judge_files(box, run, sent, out, before):
    """Old or whole; no files of no one's, except where nothing could sweep."""
    left = set(os.listdir(box.folder)) - before - {"c.pelton"}
    if left and sent != signal.SIGKILL:
        box.fault(f"{sent.name} during {run.words[0]} leaves {sorted(left)[0][:8]}… behind", run)
    content = box.read(out)
    if content == OLD:
        return
    if content is None:
        return box.fault(f"{sent.name} during {run.words[0]}: the old file is gone", run)
    if out.endswith(".csv"):
        if content.count(b"\n") != 200001 or not content.endswith(b"\n"):
            box.fault(f"{sent.name}: {out} is torn", run)
    elif box.run("stats", out).code != 0:
        box.fault(f"{sent.name} during {run.words[0]}: {out} cannot be read", run)
