"""The suite that all ways to embed the library have in common, for Python."""

import json
import math
from pathlib import Path

import numpy as np
import pelton
import pytest
from conftest import ROOT

FILES = sorted((ROOT / "tests" / "conformance").glob("*.json"))
TOLERANCES = {"double": 1e-9, "single": 1e-4}
RESULTS = (
    "logs",
    "log",
    "is_density",
    "log_evidence",
    "numbers",
    "values",
    "nats",
    "means",
    "variances",
)


def number(cell):
    return {None: math.nan, "inf": math.inf, "-inf": -math.inf}.get(cell, cell)


def make(circuit: pelton.Circuit, call: dict) -> dict:
    """Make a call and give its results by name."""

    def cells(name):
        rows = [[number(cell) for cell in row] for row in call[name]]
        width = len(rows[0]) if rows else len(circuit.variables)
        return np.array(rows, dtype=float).reshape(len(rows), width)

    match call["call"]:
        case "log_likelihood":
            return {"logs": circuit.log_likelihood(cells("rows"))}
        case "log_conditional":
            return {"logs": circuit.conditional(cells("rows"), cells("evidence"))}
        case "query":
            answer = circuit.query(call["question"])
            return {"log": answer.log, "is_density": answer.is_density}
        case "posteriors":
            found = circuit.marginals(cells("evidence"), call["given"])
            columns = list(found.values())
            numbers = [[own[row] for own in columns] for row in range(len(found.log_evidence))]
            return {"log_evidence": found.log_evidence, "numbers": numbers}
        case "map":
            found = circuit.map(cells("evidence"), call["given"])
            return {"values": found.values, "logs": found.log}
        case "entropy":
            return {"nats": circuit.entropy()}
        case "moments":
            found = circuit.moments(call["given"])
            return {"means": found.mean, "variances": found.variance}
        case "parameter":
            return {"values": circuit.parameters[call["name"]]}
        case other:
            raise AssertionError(f"there is no call {other}")


def agree(wanted, found, tolerance: float) -> None:
    if isinstance(wanted, list):
        assert len(wanted) == len(found)
        for own, other in zip(wanted, found, strict=True):
            agree(own, other, tolerance)
    elif isinstance(wanted, bool):
        assert wanted == found
    else:
        wanted = number(wanted)
        assert found == pytest.approx(
            wanted, abs=tolerance * max(1, abs(wanted)), rel=0, nan_ok=True
        )


@pytest.mark.parametrize("precision", TOLERANCES)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_suite(path: Path, precision: str) -> None:
    """Every call gives what the file says, or the kind of error that it says."""
    file = json.loads(path.read_text(encoding="utf-8"))
    for call in file["calls"]:
        expected = [name for name in RESULTS if name in call]
        try:
            circuit = pelton.compile(file["circuit"], precision=precision, threads=1)
            found = {} if call["call"] == "compile" else make(circuit, call)
        except pelton.Error as error:
            assert error.kind == call.get("error"), f"{error} of {call}"
            continue
        assert "error" not in call, call
        assert expected or call["call"] == "compile"
        for name in expected:
            agree(call[name], found[name], TOLERANCES[precision])


def test_suite_is_there() -> None:
    """No path has moved away under the suite."""
    assert len(FILES) >= 7
