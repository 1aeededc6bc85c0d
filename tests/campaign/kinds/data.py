"""Changed files of every kind of data that is read."""

import mutate
from corpus import MODEL

ABOUT = "changed files of all kinds of data: CSV, .data, .npy, Parquet, gzipped"
SETTLED = True


def trial(box, rng, corpus):
    """A table, changed, evaluated and learned from."""
    kind = rng.choice(sorted(corpus.data))
    box.sort = kind
    ending, blob = rng.choice(corpus.data[kind])
    other = rng.choice(corpus.data[rng.choice(sorted(corpus.data))])[1]
    name = box.write("in" + ending, mutate.mutate(rng, blob, other))
    box.write("m.pcirc", MODEL)
    header = ["--header", rng.choice(["auto", "yes", "no"])]
    commands = [
        ["eval", "m.pcirc", "--data", name, *header], ["eval", "m.pcirc", "--data", name, "--per-row", "--json"],
        ["query", "m.pcirc", "P(rain)", "--data", name, *header], ["map", "m.pcirc", "--data", name],
        ["sample", "m.pcirc", "--data", name], ["marginals", "m.pcirc", "--data", name, "--json"],
        ["fit", "m.pcirc", "--train", name, "--fullbatch-epochs", "2", "-o", "o.pelton"],
        ["learn", "clt", "--train", name, "-o", "o.pcirc"], ["query", "m.pcirc", "P(rain)", "--soft", name],
        ["learn", "hclt", "--train", name, "--hidden", "2", "--fullbatch-epochs", "2", "-o", "o.pcirc"],
        ["eval", "m.pcirc", "--data", name, "--weight-column", rng.choice(["temp", "n", "1", "nothing"])],
    ]
    for words in rng.sample(commands, 2):
        box.run(*words)
