"""Files to start from: those of the tests and examples, neighbours' if there, and some made by the binary."""

import gzip
import os
import struct
import tempfile

import process

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.dirname(os.path.dirname(HERE))
PLACES = [os.path.join(TREE, "tests"), os.path.join(TREE, "examples"), os.path.join(TREE, "..", "shared", "zoo")]
MODELS = {
    ".pcirc": "pcirc", ".psdd": "psdd", ".vtree": "vtree", ".sdd": "sdd", ".jpc": "jpc", ".spn": "spn", ".clt": "clt",
    ".nnf": "nnf", ".ddnnf": "d4", ".uai": "uai", ".bif": "bif", ".cnf": "cnf", ".dnf": "dnf", ".circuit": "circuit",
}
DATA = {".csv": "csv", ".npy": "npy", ".parquet": "parquet", ".data": "data"}
LARGEST = 60_000

MODEL = """var rain, wet : bool;
var sky : {clear, cloudy, storm};
var n : nat;
var temp : real;
node a = ?0.9: wet + ?0.1: !wet;
root ?0.3: rain * a * sky ~ categorical(?) * temp ~ normal(?8, ?3) * n ~ poisson(?2)
   + ?0.7: !rain * wet ~ bernoulli(?0.2) * sky ~ categorical(0.6, 0.3, 0.1) * temp ~ normal(18, 5) * n ~ geometric(0.25);
"""


def kind_of(path):
    """What a file is, by its ending and by where it lies."""
    base, ending = os.path.splitext(os.path.basename(path))
    if ending == ".txt" and "spflow" in base:
        return "spflow", ".spflow"
    if ending == ".json" and "deeprob" in base:
        return "deeprob", ".json"
    return (MODELS.get(ending) or DATA.get(ending)), ending


def array(letters, sign):
    """An array of NumPy of six rows and five columns, of zeros and ones."""
    shape = {"descr": letters, "fortran_order": sign in "<h<f", "shape": (6, 5)}
    head = f"{shape}\n".encode()
    cells = b"".join(struct.pack(sign, at % 3 == 0) for at in range(30))
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + cells


class Corpus:
    """Blobs by kind, in an order that does not depend on the machine."""

    def __init__(self, binary):
        self.models, self.data, self.checkpoints = {}, {}, []
        for place in PLACES:
            self.collect(place)
        self.make(binary)
        for group in (self.models, self.data):
            for kind in list(group):
                group[kind] = sorted(group[kind])
            zipped = [(ending + ".gz", gzip.compress(blob, 1, mtime=0)) for blobs in group.values() for ending, blob in blobs[:2]]
            group["gz"] = zipped

    def collect(self, place):
        """Takes every small file whose kind is known."""
        for folder, folders, names in os.walk(place):
            folders[:] = sorted(name for name in folders if name not in ("campaign", "target", "__pycache__"))
            for name in sorted(names):
                path = os.path.join(folder, name)
                kind, ending = kind_of(path)
                if kind and os.path.isfile(path) and os.path.getsize(path) <= LARGEST:
                    with open(path, "rb") as file:
                        self.add(kind, ending, file.read())

    def add(self, kind, ending, blob):
        """Keeps a blob with its ending."""
        group = self.data if ending in DATA else self.models
        group.setdefault(kind, []).append((ending, blob))

    def make(self, binary):
        """Model files, checkpoints and data, which no folder holds."""
        with tempfile.TemporaryDirectory() as root:
            work = os.path.join(root, "work")
            os.mkdir(work)

            def run(*words):
                return process.run(binary, [str(word) for word in words], work, process.Limits(seconds=120))

            def read(name):
                try:
                    with open(os.path.join(work, name), "rb") as file:
                        return file.read()
                except OSError:
                    return None

            with open(os.path.join(work, "m.pcirc"), "w", encoding="utf-8") as file:
                file.write(MODEL)
            with open(os.path.join(work, "b.pcirc"), "w", encoding="utf-8") as file:
                file.write("var a, b : bool;\nroot 0.3: a * b + 0.7: !a * b ~ bernoulli(0.2);\n")
            run("sample", "m.pcirc", "-n", 60, "-o", "d.csv")
            run("fit", "m.pcirc", "--train", "d.csv", "--fullbatch-epochs", 3, "--checkpoint", "c.pelton", "-o", "o.pelton")
            run("convert", "m.pcirc", "m.pelton")
            for name in ("o.pelton", "m.pelton"):
                if read(name):
                    self.add("pelton", ".pelton", read(name))
            if read("c.pelton"):
                self.checkpoints.append(read("c.pelton"))
            table = read("d.csv") or b"rain,wet\n0,1\n"
            self.table = table
            self.add("csv", ".csv", table)
            self.add("csv", ".csv", table.replace(b",", b"\t"))
            self.add("csv", ".csv", table.replace(b",", b";"))
            for letters, sign in (("|b1", "?"), ("|u1", "B"), ("<i2", "<h"), (">i4", ">i"), ("<i8", "<q"), ("<f2", "<e"), ("<f4", "<f"), (">f8", ">d")):
                self.add("npy", ".npy", array(letters, sign))
            for name in ("m.psdd", "m.jpc", "m.spn", "m.nnf"):
                if run("convert", "b.pcirc", name).code == 0:
                    self.add(name[2:], name[1:], read(name))
            self.add("data", ".data", b"\n".join(table.split(b"\n")[1:]))
