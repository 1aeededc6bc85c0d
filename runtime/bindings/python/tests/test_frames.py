"""Frames of pandas, Polars and pyarrow, by the names of their columns."""

import numpy as np
import pandas as pd
import pelton
import polars as pl
import pyarrow as pa
import pytest

COLUMNS = {
    "late": [False, True, None, True],
    "temp": [20.5, None, 10.0, -3.25],
    "sky": ["clear", "storm", None, "cloudy"],
    "n": [3, 5, None, 2],
}
CODES = {"clear": 0, "cloudy": 1, "storm": 2, None: np.nan}
ROWS = list(zip(*(COLUMNS[name] for name in ("sky", "temp", "n", "late")), strict=True))
MATRIX = np.array(
    [
        [CODES[sky], *(np.nan if cell is None else float(cell) for cell in cells)]
        for sky, *cells in ROWS
    ]
)


def pandas_frame() -> pd.DataFrame:
    return pd.DataFrame(COLUMNS)


def polars_frame() -> pl.DataFrame:
    return pl.DataFrame(COLUMNS)


def arrow_chunks() -> pa.Table:
    table = pa.table(COLUMNS)
    return pa.concat_tables([table.slice(0, 1), table.slice(1, 2), table.slice(3)])


FRAMES = {
    "pandas": pandas_frame,
    "pandas, another index": lambda: pandas_frame().set_index(pd.Index([7, 5, 3, 1], name="temp2")),
    "pandas, an unnamed index": lambda: pandas_frame().set_axis(["p", "q", "r", "s"]),
    "pandas, categories": lambda: pandas_frame().astype({"sky": "category"}),
    "pandas, nullable": lambda: pandas_frame().convert_dtypes(),
    "pandas, Arrow types": lambda: pandas_frame().convert_dtypes(dtype_backend="pyarrow"),
    "pandas, objects": lambda: pandas_frame().astype(object),
    "polars": polars_frame,
    "polars, categories": lambda: polars_frame().with_columns(pl.col("sky").cast(pl.Categorical)),
    "polars, enum": lambda: polars_frame().with_columns(
        pl.col("sky").cast(pl.Enum(["storm", "clear", "cloudy"]))
    ),
    "polars, small integers": lambda: polars_frame().with_columns(pl.col("n").cast(pl.Int8)),
    "polars, unsigned": lambda: polars_frame().with_columns(pl.col("n").cast(pl.UInt64)),
    "polars, single": lambda: polars_frame().with_columns(pl.col("temp").cast(pl.Float32)),
    "polars, in parts": lambda: pl.concat(
        [polars_frame().slice(0, 2), polars_frame().slice(2)], rechunk=False
    ),
    "arrow": lambda: pa.table(COLUMNS),
    "arrow, in parts": arrow_chunks,
    "arrow, a slice": lambda: pa.concat_tables([pa.table(COLUMNS)] * 2).slice(4),
    "arrow, long texts": lambda: pa.table(COLUMNS).cast(
        pa.schema(
            {"late": pa.bool_(), "temp": pa.float64(), "sky": pa.large_string(), "n": pa.int16()}
        )
    ),
    "arrow, views": lambda: pa.table(
        {**COLUMNS, "sky": pa.array(COLUMNS["sky"], pa.string_view())}
    ),
    "arrow, dictionary": lambda: pa.table(
        {**COLUMNS, "sky": pa.array(COLUMNS["sky"]).dictionary_encode()}
    ),
    "arrow, dictionary of numbers": lambda: pa.table(
        {**COLUMNS, "n": pa.array(COLUMNS["n"]).dictionary_encode()}
    ),
    "a record batch": lambda: pa.RecordBatch.from_pydict(COLUMNS),
    "a dict of lists": lambda: COLUMNS,
    "a dict of arrays": lambda: {
        "sky": np.array(COLUMNS["sky"], dtype=object),
        "temp": np.ma.masked_invalid(MATRIX[:, 1]),
        "n": MATRIX[:, 2],
        "late": np.array([0, 1, np.nan, 1], dtype=np.float32),
    },
    "a list of rows": lambda: ROWS,
}


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES.keys())
def test_frames(mixed: pelton.Circuit, make) -> None:
    """Every frame says what the matrix says."""
    wanted = mixed.log_likelihood(MATRIX)
    assert mixed.log_likelihood(make()) == pytest.approx(wanted, abs=1e-12)
    evidence = mixed.marginals(MATRIX)
    assert mixed.marginals(make())["sky"] == pytest.approx(evidence["sky"], abs=1e-12)


def test_long_texts() -> None:
    """Categories of more letters than fit into a view."""
    names = ["short", "a_name_that_has_more_letters_than_a_view", "another_name_that_is_as_long_as"]
    circuit = pelton.compile(
        f"var kind : {{{', '.join(names)}}}; root kind ~ categorical(0.5, 0.3, 0.2);"
    )
    wanted = np.log([0.3, 0.2, 0.5, 0.3])
    cells = [names[1], names[2], names[0], names[1]]
    for frame in (pl.DataFrame({"kind": cells}), pd.DataFrame({"kind": cells})):
        assert circuit.log_likelihood(frame) == pytest.approx(wanted, rel=1e-6)


def test_without_pyarrow(mixed: pelton.Circuit, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where pandas has no Arrow, columns are read one by one."""

    def refuse(self, requested_schema=None):
        raise ImportError("no pyarrow")

    monkeypatch.setattr(pd.DataFrame, "__arrow_c_stream__", refuse)
    wanted = mixed.log_likelihood(MATRIX)
    for name, make in FRAMES.items():
        if name.startswith("pandas"):
            assert mixed.log_likelihood(make()) == pytest.approx(wanted, abs=1e-12), name


def test_columns_left_out(mixed: pelton.Circuit) -> None:
    """A frame may leave variables out; they are missing."""
    wanted = np.log([0.5, 0.2, 1, 0.3])
    for frame in (pandas_frame()[["sky"]], polars_frame().select("sky")):
        assert mixed.log_likelihood(frame) == pytest.approx(wanted, abs=1e-12)


def test_further_columns(mixed: pelton.Circuit) -> None:
    """Or have further columns, of any type; they are ignored."""
    wanted = mixed.log_likelihood(MATRIX)
    when = pd.Timestamp("2020-01-01")
    assert mixed.log_likelihood(pandas_frame().assign(when=when)) == pytest.approx(wanted)
    further = polars_frame().with_columns(when=pl.lit([1, 2]))
    assert mixed.log_likelihood(further) == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("frame", "kind", "told"),
    [
        (
            pandas_frame().rename(columns={"temp": "tmp"}),
            pelton.UsageError,
            "`tmp` is no variable.*no column for `temp`.*did you write `tmp` for `temp`",
        ),
        (
            polars_frame().rename({"temp": "tmp"}),
            pelton.UsageError,
            "did you write `tmp` for `temp`",
        ),
        (pd.DataFrame({"a": [1]}), pelton.UsageError, "no column has the name of a variable: `a`"),
        (pd.DataFrame(), pelton.UsageError, "there are no columns"),
        (pandas_frame().assign(sky="snow"), pelton.DataError, "`snow` is not a category of `sky`"),
        (polars_frame().with_columns(n=pl.lit(9)), pelton.DataError, "not in the range 2..6"),
        (
            pandas_frame().assign(temp=pd.Timestamp("2020-01-01")),
            TypeError,
            "column `temp` has cells of the Arrow type `ts",
        ),
        (
            polars_frame().with_columns(temp=pl.lit([1.0])),
            TypeError,
            "column `temp` has cells of the Arrow type",
        ),
        (
            pd.DataFrame([[1, 2]], columns=["n", "n"]),
            pelton.UsageError,
            "two columns are called `n`",
        ),
        (pd.DataFrame([[1, 2]]), TypeError, "the name of a column is a text, not 0"),
        (pa.chunked_array([[1, 2]]), TypeError, "a frame has columns"),
        (pd.Series([1, 2]), TypeError, "a frame has columns"),
        (pl.Series([1, 2]), TypeError, "a frame has columns"),
        (pandas_frame().assign(temp=[[1], [2], [3], object()]), TypeError, "column `temp` holds"),
    ],
)
def test_wrong_frames(mixed: pelton.Circuit, frame, kind, told: str) -> None:
    """A frame that does not fit says which column, and why."""
    with pytest.raises(kind, match=told):
        mixed.log_likelihood(frame)


def test_fault_is_told_by_row(mixed: pelton.Circuit) -> None:
    """Also of frames the row is known."""
    frame = pandas_frame().astype({"n": float})
    frame.loc[3, "n"] = 17
    with pytest.raises(pelton.DataError) as caught:
        mixed.log_likelihood(frame)
    assert (caught.value.row, caught.value.variable, caught.value.value) == (3, "n", "17")


def test_stream_is_read_once(mixed: pelton.Circuit) -> None:
    """A stream that was used up is an error and no crash."""

    class Once:
        stream = pa.table(COLUMNS).__arrow_c_stream__()

        def __arrow_c_stream__(self, requested_schema=None):
            return self.stream

    frame = Once()
    mixed.log_likelihood(frame)
    with pytest.raises(ValueError, match="read before"):
        mixed.log_likelihood(frame)


def test_learning_from_a_frame() -> None:
    """Columns keep their names, and texts become categories."""
    frame = pd.concat([pandas_frame()] * 30, ignore_index=True)
    circuit = pelton.learn_hclt(frame, trees=1, states=2, epochs=5)
    assert [own.name for own in circuit.variables] == list(COLUMNS)
    assert circuit.variables[2].categories == ("clear", "cloudy", "storm")
    assert np.isfinite(circuit.log_likelihood(pl.from_pandas(frame))).all()
    assert circuit.report is not None


def test_numbers_are_names_where_categories_are_called_so() -> None:
    """A file and its frame mean the same."""
    circuit = pelton.compile(
        'var s : {"1", "2", "0"}; root s ~ categorical(0.5, 0.3, 0.2);', precision="double"
    )
    wanted = circuit.log_likelihood({"s": ["1", "2", "0"]})
    for column in ([1, 2, 0], pd.Categorical([1, 2, 0]), np.array([1.0, 2.0, 0.0])):
        assert (circuit.log_likelihood(pd.DataFrame({"s": column})) == wanted).all()
    assert (circuit.log_likelihood({"s": [1, 2, 0]}) == wanted).all()
    assert (circuit.log_likelihood(np.array([[0], [1], [2]])) == wanted).all()
