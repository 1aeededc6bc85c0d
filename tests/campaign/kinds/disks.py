"""Full disks: one clear error, and nothing that is half written."""

import os
import subprocess

import corpus as files
from kinds import kills

ABOUT = "full disks: a small tmpfs where that may be mounted, else a limit on the size of files"
SETTLED = True


def trial(box, rng, corpus):
    """A command that writes more than there is room for."""
    box.write("m.pcirc", files.MODEL)
    box.write("l.pcirc", kills.LARGE)
    box.write("d.csv", corpus.table)
    os.mkdir(box.path("disk"))
    room = rng.choice([4, 8, 16, 64])
    mounted = os.geteuid() == 0 and not subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={room}k", "tmpfs", box.path("disk")], capture_output=True, check=False).returncode
    try:
        attack(box, rng, None if mounted else room * 1024)
    finally:
        if mounted:
            subprocess.run(["umount", box.path("disk")], capture_output=True, check=False)


def attack(box, rng, file_size):
    """The output may be there already, and the disk may be all but full."""
    out, words = rng.choice([
        ("s.csv", ["sample", "m.pcirc", "-n", "20000", "-o", "disk/s.csv"]),
        ("l.pelton", ["convert", "l.pcirc", "disk/l.pelton"]),
        ("l.jpc", ["convert", "l.pcirc", "disk/l.jpc"]),
        ("e.json", ["emit", "l.pcirc", "--as", "json", "-o", "disk/e.json"]),
        ("c.pcirc", ["condition", "l.pcirc", "x[3]", "-o", "disk/c.pcirc"]),
        ("o.pelton", ["fit", "m.pcirc", "--train", "d.csv", "--fullbatch-epochs", "3", "-o", "disk/o.pelton", "--report", "disk/r.json"]),
        ("o.pelton", ["fit", "m.pcirc", "--train", "d.csv", "--fullbatch-epochs", "3", "--checkpoint", "disk/k.pelton", "-o", "disk/o.pelton"]),
    ])
    old = rng.choice([None, kills.OLD])
    if old:
        with open(box.path(f"disk/{out}"), "wb") as file:
            file.write(old)
    if file_size is None and rng.random() < 0.5:
        fill(box.path("disk/filler"))
    run = box.run(*words, file_size=file_size)
    box.asked = 1
    names = set(os.listdir(box.path("disk"))) - {"filler"}
    if run.code == 0:
        return
    if run.code != 2:
        box.fault(f"a full disk ends {words[0]} with {run.code}", run)
    if sum(line.startswith(("error", "pelton: ")) for line in run.errors.splitlines()) != 1:
        box.fault(f"a full disk gives {words[0]} no single error", run)
    content = box.read(f"disk/{out}")
    if content != old and (content is None or words[0] != "fit"):
        box.fault(f"a full disk leaves {out} half written or takes it away", run)
    if names - {out, "r.json", "k.pelton"}:
        box.fault(f"a full disk leaves {sorted(names)[0][:8]}… behind", run)


def fill(path):
    """Takes what room there is."""
    try:
        with open(path, "wb", buffering=0) as file:
            while file.write(b"\0" * 512):
                pass
    except OSError:
        pass
