"""Changed files of every kind of circuit that is read."""

import mutate
from corpus import MODEL

ABOUT = "changed files of all kinds of circuits and of checkpoints"
SETTLED = True
# Circuits may grow when they are read; this keeps what is merely large from being slow.
SIZE = ["--max-size", "100000"]


def trial(box, rng, corpus):
    """A file, changed, read by a command or two."""
    if corpus.checkpoints and rng.random() < 0.05:
        return checkpoint(box, rng, corpus)
    kind = rng.choice(sorted(corpus.models))
    box.sort = kind
    ending, blob = rng.choice(corpus.models[kind])
    other = rng.choice(corpus.models[rng.choice(sorted(corpus.models))])[1]
    name = box.write("in" + (ending if rng.random() < 0.9 else rng.choice(["", ".pcirc", ".json"])), mutate.mutate(rng, blob, other))
    for words in rng.sample(commands(name), 2):
        box.run(*words, *SIZE)


def commands(name):
    """What may be done with a circuit."""
    return [
        ["check", name], ["check", "--json", name], ["stats", name, "--json"], ["convert", name, "out.pcirc"],
        ["convert", name, "out.pelton"], ["convert", name, "out.jpc"], ["convert", name, "out.psdd"], ["marginals", name],
        ["sample", name, "-n", "3"], ["map", name, "--json"], ["count", name], ["entropy", name], ["params", name],
        ["query", name], ["queries", name], ["moments", name, "--json"], ["smooth", name], ["prune", name, "--below", "0.01"],
        ["emit", name, "--as", "circuit"], ["emit", name, "--as", "json"],
    ]


def checkpoint(box, rng, corpus):
    """A run that is resumed from a changed state."""
    box.sort = "checkpoint"
    box.write("m.pcirc", MODEL)
    box.write("d.csv", corpus.table)
    blob = rng.choice(corpus.checkpoints)
    box.write("c.pelton", mutate.mutate(rng, blob, blob))
    box.run("fit", "m.pcirc", "--train", "d.csv", "--fullbatch-epochs", 4, "--checkpoint", "c.pelton", "--resume", "-o", "o.pelton")
