"""Files, bytes and pickles."""

import copy
import pickle

import numpy as np
import pelton
import pytest
from conftest import ROOT


def test_save_and_load(tmp_path, open_circuit: pelton.Circuit) -> None:
    """Values come back bit for bit, as a model and as text."""
    rows = np.random.default_rng(0).integers(0, 2, (60, 3))
    open_circuit.fit(rows, epochs=5)
    wanted = open_circuit.log_likelihood(rows)
    for name in ("model.pelton", "model.pcirc"):
        open_circuit.save(tmp_path / name)
        again = pelton.load(str(tmp_path / name))
        assert (again.log_likelihood(rows) == wanted).all()
    assert "?[" in (tmp_path / "model.pcirc").read_text(encoding="utf-8")
    assert (pelton.from_bytes(open_circuit.to_bytes()).log_likelihood(rows) == wanted).all()
    assert (pelton.compile(open_circuit.to_source()).log_likelihood(rows) == wanted).all()


def test_examples() -> None:
    """Circuits of the tree are read, with what they use."""
    for path in sorted((ROOT / "examples").glob("*.pcirc")):
        assert pelton.load(path).variables


def test_pickle(open_circuit: pelton.Circuit) -> None:
    """A pickle holds the safe model format, and the options."""
    open_circuit.fit(np.ones((5, 3)), epochs=2)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        data = pickle.dumps(open_circuit, protocol)
        assert open_circuit.to_bytes() in data or protocol < 3
        again = pickle.loads(data)
        assert (again.log_likelihood([[1, 1, 1]]) == open_circuit.log_likelihood([[1, 1, 1]])).all()
        assert again.report == open_circuit.report
    text = "const P = 0.5; var x : bool; root x ~ bernoulli(P);"
    double = pelton.compile(text, precision="double", threads=1, define={"P": 0.125})
    again = pickle.loads(pickle.dumps(double))
    assert again.log_likelihood([[1]])[0] == double.log_likelihood([[1]])[0]
    free = pickle.loads(pickle.dumps(pelton.compile(text, learn_all=True)))
    free.parameters["root.x.p"] = 0.25
    assert float(pickle.loads(pickle.dumps(free)).query("P(x)")) == 0.25
    assert copy.copy(double).log_likelihood([[1]])[0] == pytest.approx(np.log(0.125))


def test_define() -> None:
    """Constants of a text take other values."""
    text = "const P = 0.5; var x : bool; root x ~ bernoulli(P);"
    assert float(pelton.compile(text).query("P(x)")) == 0.5
    assert float(pelton.compile(text, define={"P": 0.25}).query("P(x)")) == 0.25


def test_safetensors(tmp_path, open_circuit: pelton.Circuit) -> None:
    """A model file is one that the package of that name reads."""
    safetensors = pytest.importorskip("safetensors.numpy")
    open_circuit.save(tmp_path / "model.pelton")
    tensors = safetensors.load_file(tmp_path / "model.pelton")
    assert tensors


def test_endings_of_other_formats_are_refused(tmp_path, open_circuit: pelton.Circuit) -> None:
    """A file holds what its name says."""
    with pytest.raises(pelton.UsageError, match="the command line converts"):
        open_circuit.save(tmp_path / "model.psdd")
    assert not list(tmp_path.iterdir())


USING = 'use "lib/coin.pcirc" as coin; var x : bool; root coin.fair(x);'
COIN = "def fair(v) = v ~ bernoulli(0.5);"


def test_texts_reach_no_files(tmp_path) -> None:
    """A text from memory uses what it is handed."""
    secret = tmp_path / "secret"
    secret.write_text("token 1234567", encoding="utf-8")
    text = f'use "{secret.as_posix()}" as s; var x : bool; root s.f(x);'
    for read in (pelton.compile, lambda own: pelton.from_bytes(own.encode())):
        with pytest.raises(pelton.CircuitError, match="reaches no files") as caught:
            read(text)
        assert "1234567" not in "".join(own.rendered for own in caught.value.diagnostics)
    files = {"lib/coin.pcirc": COIN}
    circuit = pelton.compile(USING, files=files)
    assert float(circuit.query("P(x)")) == 0.5
    again = pelton.from_bytes(USING.encode(), files=files)
    assert float(again.query("P(x)")) == 0.5
    assert float(pickle.loads(pickle.dumps(circuit)).query("P(x)")) == 0.5


def test_files_of_allowed_folders(tmp_path) -> None:
    """A file uses those below its folder, and those that are allowed."""
    for name in ("own", "lib"):
        (tmp_path / name).mkdir()
    (tmp_path / "lib/coin.pcirc").write_text(COIN, encoding="utf-8")
    main = tmp_path / "own/main.pcirc"
    main.write_text(USING.replace("lib/", "../lib/"), encoding="utf-8")
    with pytest.raises(pelton.CircuitError, match="may not be used"):
        pelton.load(main)
    for allowed in ([tmp_path / "lib"], tmp_path / "lib", str(tmp_path / "lib")):
        circuit = pelton.load(main, allow_use=allowed)
        assert float(circuit.query("P(x)")) == 0.5
        assert float(pickle.loads(pickle.dumps(circuit)).query("P(x)")) == 0.5
