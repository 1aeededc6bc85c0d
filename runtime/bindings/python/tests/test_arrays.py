"""Arrays of every type and layout give the same numbers, or an error that says what."""

import copy

import numpy as np
import pelton
import pytest

WHOLE = np.array([[0, 20, 3, 0], [2, 7, 5, 1], [1, 10, 2, 1], [0, 25, 4, 0]])
MISSING = np.array([[0, 20.5, 3, np.nan], [2, np.nan, 5, 1], [np.nan, 10, 2, np.nan]])


def by_hand(row: np.ndarray) -> float:
    """Sum the three branches of the circuit by hand."""
    sky, temp, n, late = row
    branches = [
        (0.5, 0, 20, 4, [0.1, 0.2, 0.3, 0.4], 0.1),
        (0.3, 1, 12, 5, [0.4, 0.3, 0.2, 0.1], 0.3),
        (0.2, 2, 8, 3, [0.25] * 4, 0.7),
    ]
    total = 0.0
    for weight, code, mean, sd, chances, p in branches:
        own = weight * (1.0 if np.isnan(sky) else float(sky == code))
        if not np.isnan(temp):
            own *= np.exp(-(((temp - mean) / sd) ** 2) / 2) / (sd * np.sqrt(2 * np.pi))
        if not np.isnan(n):
            own *= chances[int(n) - 2]
        if not np.isnan(late):
            own *= p if late else 1 - p
        total += own
    return float(np.log(total))


@pytest.mark.parametrize(
    "dtype",
    ["f8", "f4", "f2", "longdouble", "i8", "i4", "i2", "i1", "u1", "u2", "u4", "u8", ">f8", ">i4"],
)
def test_types(mixed: pelton.Circuit, dtype: str) -> None:
    """Numbers of any type are the same numbers."""
    wanted = [by_hand(row) for row in WHOLE.astype(float)]
    assert mixed.log_likelihood(WHOLE.astype(dtype)) == pytest.approx(wanted, abs=1e-12)


def test_truth_values(rain: pelton.Circuit) -> None:
    """Arrays of bool are truth values."""
    rows = np.array([[True, True], [False, True]])
    assert np.exp(rain.log_likelihood(rows)) == pytest.approx([0.27, 0.14])


@pytest.mark.parametrize(
    "layout",
    [
        np.asfortranarray,
        lambda x: np.repeat(x, 2, axis=1)[:, ::2],
        lambda x: np.repeat(x, 3, axis=0)[::3],
        lambda x: x[::-1].copy()[::-1],
        lambda x: x[:, ::-1].copy()[:, ::-1],
        lambda x: np.lib.stride_tricks.as_strided(x, x.shape, x.strides, writeable=False),
        lambda x: np.rec.fromarrays(
            [np.zeros(x.shape, "u1"), x], dtype=np.dtype([("pad", "u1"), ("x", "f8")])
        )["x"],
        lambda x: x.view(np.matrix),
        lambda x: x.tolist(),
        lambda x: [tuple(row) for row in x],
        lambda x: x.astype(object),
        lambda x: np.ma.masked_invalid(x),
        lambda x: np.ma.masked_invalid(np.asfortranarray(x)),
        lambda x: [[None if np.isnan(cell) else cell for cell in row] for row in x],
    ],
)
@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
def test_layouts(mixed: pelton.Circuit, layout) -> None:
    """However an array lies in memory, its rows are the same."""
    wanted = [by_hand(row) for row in MISSING]
    assert mixed.log_likelihood(layout(MISSING.copy())) == pytest.approx(wanted, abs=1e-12)


def test_broadcast_and_read_only(mixed: pelton.Circuit) -> None:
    """Rows that are one row, which cannot be written to."""
    rows = np.broadcast_to(MISSING[0], (5, 4))
    assert not rows.flags.writeable
    assert mixed.log_likelihood(rows) == pytest.approx([by_hand(MISSING[0])] * 5)


def test_no_rows_and_no_cells(mixed: pelton.Circuit) -> None:
    """No rows are no results; a row of missing cells is certain."""
    assert mixed.log_likelihood(np.empty((0, 4))).shape == (0,)
    assert mixed.log_likelihood(np.full((2, 4), np.nan)) == pytest.approx([0, 0], abs=1e-12)
    assert mixed.map(np.empty((0, 4))).values.shape == (0, 4)
    assert mixed.sample(0).shape == (0, 4)
    assert mixed.marginals(np.empty((0, 4)))["sky"].shape == (0, 3)


def test_input_stays(mixed: pelton.Circuit) -> None:
    """Nothing is written to arrays of the caller."""
    rows = MISSING.copy()
    mixed.log_likelihood(rows)
    mixed.map(rows)
    mixed.marginals(rows)
    np.testing.assert_array_equal(rows, MISSING)


def test_results_are_the_callers(mixed: pelton.Circuit) -> None:
    """Results are arrays of their own, which can be written to."""
    first, second = mixed.log_likelihood(MISSING), mixed.log_likelihood(MISSING)
    first[:] = 7
    assert first.dtype == np.float64
    assert second == pytest.approx(mixed.log_likelihood(MISSING))


@pytest.mark.parametrize(
    ("rows", "kind", "told"),
    [
        (np.zeros(4), TypeError, "2 dimensions, not of 1"),
        (np.zeros((1, 1, 4)), TypeError, "2 dimensions, not of 3"),
        (np.float64(3), TypeError, "2 dimensions, not of 0"),
        (np.zeros((2, 3)), pelton.UsageError, "3 columns.*4 variables"),
        (np.zeros((2, 0)), pelton.UsageError, "0 columns.*4 variables"),
        (np.zeros((2, 4), complex), TypeError, "complex128"),
        (np.zeros((2, 4), "M8[s]"), TypeError, "datetime64"),
        (np.zeros((2, 4), "V8"), TypeError, "neither numbers nor texts"),
        (np.ma.zeros((2, 4), complex), TypeError, "complex128"),
        (np.ma.zeros(4), TypeError, "2 dimensions"),
        ([[1, 2, 3, 0], [1, 2]], pelton.UsageError, "different lengths"),
        ([[1, 2, 3, object()]], TypeError, "column 3 holds <object"),
        ([["clear", 2, 3, b"x"]], TypeError, "column 3 holds b'x'"),
        ("clear", TypeError, "2 dimensions"),
        (None, TypeError, "2 dimensions"),
        ({"sky": [1, 2], "n": [3]}, pelton.UsageError, "`n` has 1 rows, and column `sky` has 2"),
        ({"sky": [[1, 2]]}, TypeError, "column `sky` has 2 dimensions"),
        ({1: [2]}, TypeError, "the name of a column is a text, not 1"),
    ],
)
def test_wrong_arrays(mixed: pelton.Circuit, rows, kind, told) -> None:
    """What is no matrix of numbers says so."""
    with pytest.raises(kind, match=told):
        mixed.log_likelihood(rows)


@pytest.mark.parametrize(
    ("column", "value", "told"),
    [
        (0, 3, "not the code of a category"),
        (0, -1, "not the code of a category"),
        (0, 0.5, "not the code of a category"),
        (1, np.inf, "finite"),
        (2, 6, "not in the range 2..6"),
        (2, 2**60, "not an integer"),
        (3, 2, "neither true nor false"),
    ],
)
def test_values_outside(mixed: pelton.Circuit, column: int, value: float, told: str) -> None:
    """A cell that is no value of its variable is told by row and column."""
    rows = MISSING.copy()
    rows[2, column] = value
    for call in (mixed.log_likelihood, mixed.map, mixed.marginals, mixed.fit):
        with pytest.raises(pelton.DataError, match=told) as caught:
            call(rows)
        assert (caught.value.row, caught.value.column) == (2, column)
        assert caught.value.variable == mixed.variables[column].name


def test_row_of_a_late_part() -> None:
    """Rows that are evaluated in parts are counted from the first one of all."""
    text = "var x[0..200] : bool; root prod i in 0..200 { x[i] ~ bernoulli(0.5) };"
    circuit = pelton.compile(text)
    rows = np.zeros((520_000, 200), dtype=np.uint8)
    assert circuit.log_likelihood(rows) == pytest.approx(
        np.full(len(rows), 200 * np.log(0.5)), rel=1e-5
    )
    rows[515_000, 7] = 3
    with pytest.raises(pelton.DataError) as caught:
        circuit.log_likelihood(rows)
    assert (caught.value.row, caught.value.column) == (515_000, 7)


def test_unsigned_numbers_beyond(mixed: pelton.Circuit) -> None:
    """A number that wraps around in other types is refused."""
    rows = WHOLE.astype(np.uint64)
    rows[0, 2] = 2**64 - 1
    with pytest.raises(pelton.DataError):
        mixed.log_likelihood(rows)


def test_copies(open_circuit: pelton.Circuit) -> None:
    """A copy has parameters of its own."""
    other = copy.deepcopy(open_circuit)
    before = open_circuit.parameters["root.weights"]
    other.parameters["root.weights"] = [0.25, 0.75]
    assert open_circuit.parameters["root.weights"].tolist() == before.tolist()
    assert other.parameters["root.weights"].tolist() == [0.25, 0.75]
