"""Rows in any form: arrays, lists, columns by name, frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ._errors import UsageError
from ._pelton import Rows

if TYPE_CHECKING:
    from ._pelton import Core

Any2d = Any
"""An array or list of rows, columns by name, or a frame."""

_Cell = str | bool | float | None
"""What a column of texts may hold."""

_MATRIX = 2
_KINDS = "fiub"


def rows(data: Any2d, core: Core | None = None) -> np.ndarray | Rows:
    """Give rows in a form that is read without further questions.

    Arrays of numbers stay what they are. Of frames and mappings, the columns are taken that
    are variables of the circuit, or all if there is none.
    """
    if type(data) is np.ndarray and data.dtype.kind in _KINDS:
        return data
    if isinstance(data, Rows):
        return data
    if isinstance(data, np.ma.MaskedArray):
        return _masked(data)
    if hasattr(data, "__arrow_c_stream__"):
        return _frame(data, core)
    if isinstance(data, Mapping):
        return _mapping(data, core)
    return _array(_asarray(data))


def plain(array: np.ndarray) -> np.ndarray:
    """Copy an array whose cells cannot be read as they lie."""
    kind, size = array.dtype.kind, array.dtype.itemsize
    if kind == "f" or (kind, size) == ("u", 8):
        # Half precision is exact as single; more than double precision is rounded.
        wanted: type = np.float32 if size <= np.float32().itemsize else np.float64
    elif kind in "iu":
        wanted = np.int32 if size < np.int32().itemsize else np.int64
    elif kind == "b":
        wanted = np.uint8
    else:
        raise _no_numbers(array)
    return np.ascontiguousarray(array, dtype=wanted)


def _asarray(data: Any) -> np.ndarray:
    try:
        array = np.asarray(data)
    except ValueError as error:
        raise UsageError(f"rows have different lengths: {error}") from None
    if array.dtype.kind in "US":
        # A list of mixed cells is an array of texts to NumPy, and None would be one.
        array = np.asarray(data, dtype=object)
    return array


def _array(array: np.ndarray) -> np.ndarray | Rows:
    """Give the rows of an array of any type."""
    if array.dtype.kind in _KINDS:
        return np.asarray(array)
    if array.ndim != _MATRIX:
        raise TypeError(f"rows are an array of 2 dimensions, not of {array.ndim}")
    if array.dtype.kind not in "OUST":
        raise _no_numbers(array)
    columns = [_column(array[:, at], f"column {at}") for at in range(array.shape[1])]
    return Rows.columns(None, columns, array.shape[0])


def _no_numbers(array: np.ndarray) -> TypeError:
    return TypeError(f"cells of type `{array.dtype}` are neither numbers nor texts")


def _masked(data: np.ma.MaskedArray) -> Rows:
    if data.ndim != _MATRIX:
        raise TypeError(f"rows are an array of 2 dimensions, not of {data.ndim}")
    if data.dtype.kind not in _KINDS:
        raise _no_numbers(np.asarray(data.data))
    mask = np.ascontiguousarray(np.ma.getmaskarray(data)).view(np.uint8)
    return Rows(np.asarray(data.data), mask, None)


def _mapping(data: Mapping[str, Any], core: Core | None) -> Rows:
    names = [_name(name) for name in data]
    if core is not None:
        kept = core.frame_columns(names)
        names = [names[at] for at in kept]
    cells = [_cells(data[name], name) for name in names]
    lengths = {name: len(own) for name, own in zip(names, cells, strict=True) if own.ndim}
    n_rows = next(iter(lengths.values()), 1)
    for name, length in lengths.items():
        if length != n_rows:
            first = next(iter(lengths))
            raise UsageError(
                f"column `{name}` has {length} rows, and column `{first}` has {n_rows}"
            )
    columns = [
        _column(np.broadcast_to(own, (n_rows,)) if own.ndim == 0 else own, f"column `{name}`")
        for name, own in zip(names, cells, strict=True)
    ]
    declared = [_declared(data[name]) for name in names]
    return Rows.columns(names, columns, n_rows, declared)


def _name(name: Any) -> str:
    if not isinstance(name, str):
        raise TypeError(f"the name of a column is a text, not {name!r}")
    return name


def _cells(column: Any, name: str) -> np.ndarray:
    if isinstance(column, np.ma.MaskedArray):
        masked, column = np.ma.getmaskarray(column), np.array(column.data, dtype=object)
        column[masked] = None
    array = np.asarray(column)
    if array.dtype.kind in "US":
        array = np.asarray(column, dtype=object)
    if array.ndim > 1:
        raise TypeError(f"column `{name}` has {array.ndim} dimensions")
    return array


def _declared(column: Any) -> list[str] | None:
    """Give the categories that a column of pandas, Polars or Arrow is declared with."""
    dtype = getattr(column, "dtype", None)
    if type(dtype).__name__ in ("CategoricalDtype", "Enum"):
        names = list(dtype.categories)  # type: ignore[union-attr]
    elif hasattr(column, "dictionary"):
        names = column.dictionary.to_pylist()
    else:
        return None
    return names if all(isinstance(name, str) for name in names) else None


def _column(cells: np.ndarray, what: str) -> np.ndarray | list[_Cell]:
    """Give numbers as an array, anything with a text in it as a list."""
    if cells.dtype.kind in _KINDS:
        return np.asarray(cells, dtype=np.float64)
    if cells.dtype.kind not in "OUST":
        raise TypeError(f"{what} has cells of type `{cells.dtype}`, neither numbers nor texts")
    given = [None if _is_missing(cell) else cell for cell in cells.tolist()]
    if not any(isinstance(cell, str) for cell in given):
        return _numbers(given, what)
    return [_cell(cell, what) for cell in given]


def _is_missing(cell: Any) -> bool:
    # What is missing is not equal to itself, or, as pandas' NA, does not say.
    if cell is None:
        return True
    if type(cell).__name__ in ("NAType", "NaTType", "MaskedConstant"):
        return True
    return isinstance(cell, float) and cell != cell  # noqa: PLR0124


def _numbers(cells: list[Any], what: str) -> np.ndarray:
    try:
        return np.array([np.nan if cell is None else float(cell) for cell in cells], dtype=float)
    except (TypeError, ValueError):
        other = next(cell for cell in cells if not isinstance(cell, (int, float, type(None))))
        raise TypeError(f"{what} holds {other!r}, which is neither a number nor a text") from None


def _cell(cell: Any, what: str) -> _Cell:
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, (bool, np.bool_)):
        return bool(cell)
    if isinstance(cell, (int, float, np.integer, np.floating)):
        return float(cell)
    raise TypeError(f"{what} holds {cell!r}, which is neither a number nor a text")


def _frame(data: Any, core: Core | None) -> Rows:
    if not _is_pandas(data):
        return Rows.arrow(data.__arrow_c_stream__(), core, None)
    names = [_name(name) for name in data.columns]
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise UsageError(f"two columns are called `{twice}`")
    try:
        stream = data.__arrow_c_stream__()
    except (ImportError, TypeError, ValueError, OSError):
        # Without pyarrow, or with cells that it has no type for.
        return _mapping({name: _pandas_cells(data[name]) for name in names}, core)
    # An index comes as a column, which is none of these.
    return Rows.arrow(stream, core, set(names))


def _is_pandas(data: Any) -> bool:
    is_own = type(data).__module__.partition(".")[0] == "pandas"
    return is_own and hasattr(data, "columns")


def _pandas_cells(series: Any) -> Any:
    if type(series.dtype).__name__ == "CategoricalDtype":
        return series
    if isinstance(series.dtype, np.dtype) and series.dtype.kind in _KINDS:
        return series.to_numpy()
    return series.astype(object).to_numpy()
