"""Exceptions carry everything there is to say."""

import pickle

import numpy as np
import pelton
import pytest

WRONG = "var a, b : bool;\nroot 0.5: a + 0.5: b;\n"


def test_wrong_circuit() -> None:
    """Code, place, repair, and the message as the command prints it."""
    with pytest.raises(pelton.CircuitError) as caught:
        pelton.compile(WRONG)
    error = caught.value
    assert isinstance(error, ValueError) and isinstance(error, pelton.Error)
    assert (error.code, error.kind) == ("PC0101", 1)
    first = error.diagnostics[0]
    assert (first.code, first.severity) == ("PC0101", "error")
    span = error.span
    assert span is not None and span.is_primary and span == first.span
    assert (span.file, span.line, span.column) == ("circuit", 2, 11)
    assert WRONG.encode()[span.start : span.end] == b"a"
    assert len(first.spans) == 2 and first.notes
    message, edits = first.suggestions[0]
    assert message
    repaired = bytearray(WRONG.encode())
    for place, text in sorted(edits, key=lambda edit: -edit[0].start):
        repaired[place.start : place.end] = text.encode()
    pelton.compile(repaired.decode())
    assert str(error).startswith("error[PC0101]") and "root 0.5: a + 0.5: b;" in str(error)
    assert str(first) == first.rendered


def test_witness() -> None:
    """A property that does not hold comes with an input that shows it."""
    text = """
        var a : bool; var sky : {clear, storm};
        node one = 0.5: a * sky ~ categorical(0.5, 0.5) + 0.5: a * [sky = storm];
        root one;
        assert root is deterministic;
    """
    with pytest.raises(pelton.CircuitError) as caught:
        pelton.compile(text)
    witnesses = [own.witness for own in caught.value.diagnostics if own.witness]
    assert witnesses == [{"a": True, "sky": "storm"}]
    assert caught.value.witness == witnesses[0]


def test_wrong_question(rain: pelton.Circuit) -> None:
    """A question that is not understood is an error with a place in it."""
    with pytest.raises(pelton.UsageError) as caught:
        rain.query("P(snow | wet)")
    assert caught.value.diagnostics[0].span.column == 3
    assert "snow" in str(caught.value)


def test_impossible_evidence(rain: pelton.Circuit) -> None:
    """What is given has probability zero: an error for events, NaN for rows."""
    with pytest.raises(pelton.DataError, match="rain && !rain"):
        rain.query("P(wet | rain && !rain)")
    sure = pelton.compile("var a, b : bool; root a * b ~ bernoulli(0.5);")
    rows = [[0, None], [1, None]]
    assert np.isnan(sure.conditional([[None, 1], [None, 1]], rows)).tolist() == [True, False]
    assert np.isnan(sure.map(rows).values[0]).all()
    assert np.isnan(sure.sample(2, given=rows, seed=0)[0]).all()
    assert sure.log_likelihood(rows).tolist() == [-np.inf, 0]


def test_no_exact_entropy() -> None:
    """A question that the circuit does not allow says why, and there is another way."""
    circuit = pelton.compile(
        """
        var x[0..40] : real;
        root sum k in 0..2 { 0.5: prod i in 0..40 { x[i] ~ normal(k, 1) } };
        """
    )
    with pytest.raises(pelton.CircuitError):
        circuit.entropy()
    estimate = circuit.estimate_entropy(2000, seed=1)
    assert estimate.nats == pytest.approx(57.5, abs=5 * estimate.standard_error + 0.5)


def test_files(tmp_path, rain: pelton.Circuit) -> None:
    """Files that cannot be read or written name themselves."""
    with pytest.raises(pelton.UsageError, match=r"nothing\.pelton"):
        pelton.load(tmp_path / "nothing.pelton")
    with pytest.raises(pelton.UsageError, match="no_folder"):
        rain.save(tmp_path / "no_folder" / "model.pelton")
    path = tmp_path / "broken.pelton"
    path.write_bytes(rain.to_bytes()[:50])
    with pytest.raises(pelton.Error):
        pelton.load(path)
    with pytest.raises(pelton.Error):
        pelton.from_bytes(b"\x00\x01nonsense")


@pytest.mark.parametrize(
    ("options", "kind", "told"),
    [
        ({"precision": "half"}, ValueError, "'single', 'double'"),
        ({"engine": "steam"}, ValueError, "'cranelift'"),
        ({"threads": -1}, pelton.UsageError, "threads is -1"),
        ({"threads": 1.5}, TypeError, r"threads is an integer, not 1\.5"),
        ({"effort": -1}, ValueError, "effort is -1"),
        ({"define": {"NOPE": 1}}, pelton.CircuitError, "NOPE"),
        ({"speed": 3}, TypeError, "speed"),
    ],
)
def test_wrong_options(options: dict, kind: type, told: str) -> None:
    """Options that there are not."""
    with pytest.raises(kind, match=told):
        pelton.compile("var x : bool; root x ~ bernoulli(0.5);", **options)


@pytest.mark.parametrize(
    ("options", "kind", "told"),
    [
        ({"softness": 0.7}, pelton.UsageError, "softness is 0.7"),
        ({"softness": float("nan")}, pelton.UsageError, "softness"),
        ({"entropy": -1}, pelton.UsageError, "entropy is -1"),
        ({"epochs": -1}, pelton.UsageError, "epochs is -1"),
        ({"method": "magic"}, ValueError, "'mle', 'em'"),
        ({"start": "here"}, ValueError, "'kmeans'"),
        ({"seed": -1}, pelton.UsageError, "seed is -1"),
        ({"seed": 2**64}, pelton.UsageError, "seed"),
        ({"weights": [1.0]}, pelton.UsageError, "1 weights for 8 rows"),
        ({"weights": [[1.0]]}, pelton.UsageError, "shape"),
        ({"weights": [-1.0] * 8}, pelton.UsageError, "weight of row 0"),
        ({"valid": np.zeros((2, 5))}, pelton.UsageError, "5 columns"),
        ({"step_size": (2, 1)}, pelton.UsageError, "step size is 2"),
        ({"callback": 3}, TypeError, "not callable"),
    ],
)
def test_wrong_training(open_circuit: pelton.Circuit, options, kind, told: str) -> None:
    """Training with what there is not leaves the parameters as they are."""
    before = {name: own.tolist() for name, own in open_circuit.parameters.items()}
    with pytest.raises(kind, match=told):
        open_circuit.fit(np.array([[0, 1, 1], [1, 0, 0]] * 4), **options)
    assert before == {name: own.tolist() for name, own in open_circuit.parameters.items()}


def test_remedies() -> None:
    """Options that would help are called as they are in Python."""
    fixed = pelton.compile("var x : bool; root x ~ bernoulli(0.5);")
    with pytest.raises(pelton.CircuitError, match="or use `learn_all=True`") as caught:
        fixed.fit(np.array([[1], [0]]))
    assert "--" not in str(caught.value)


def test_exceptions_travel() -> None:
    """Exceptions are pickled whole, as those of worker processes are."""
    with pytest.raises(pelton.CircuitError) as caught:
        pelton.compile(WRONG)
    other = pickle.loads(pickle.dumps(caught.value))
    assert type(other) is pelton.CircuitError
    assert (str(other), other.diagnostics) == (str(caught.value), caught.value.diagnostics)
    circuit = pelton.compile("var x : bool; root x ~ bernoulli(0.5);")
    with pytest.raises(pelton.DataError) as caught_data:
        circuit.log_likelihood([[2]])
    cell = pickle.loads(pickle.dumps(caught_data.value))
    assert (cell.row, cell.column, cell.variable, cell.value) == (0, 0, "x", "2")


def test_no_circuit_from_nothing() -> None:
    """Circuits are compiled, loaded or learned."""
    with pytest.raises(TypeError, match=r"pelton\.compile"):
        pelton.Circuit()
    with pytest.raises(TypeError, match="from text"):
        pelton.compile(b"var x : bool;")
