"""Options as Rust takes them, checked as far as types go."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ._errors import UsageError
from ._results import Epoch
from ._rows import Any2d, rows

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ._pelton import Core

    Callback = Callable[[Epoch], Any]

_MOST_SEEDS = 1 << 64


def reading_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """Give how a circuit is read."""
    define = given.get("define") or {}
    files = given.get("files") or {}
    return {
        "threads": as_count("threads", given["threads"]),
        "precision": given["precision"],
        "engine": given["engine"],
        "define": [(str(name), str(value)) for name, value in define.items()],
        "smooth": bool(given.get("smooth", False)),
        "learn_all": bool(given.get("learn_all", False)),
        "effort": float(given.get("effort", 1.0)),
        "files": [(os.fspath(name), text) for name, text in files.items()],
        "allow_use": _folders(given.get("allow_use") or ()),
    }


def _folders(given: Any) -> list[str]:
    # A single folder is likely meant as such, and a text is a sequence of letters.
    many = [given] if isinstance(given, (str, os.PathLike)) else given
    return [os.fspath(folder) for folder in many]


_FIT_COUNTS = ("minibatch_epochs", "epochs", "batch_size", "patience")
_FIT_NUMBERS = ("pseudocount", "softness", "entropy", "tolerance")
_FIT_OTHERS = ("method", "softening", "start", "scale_by_marginal", "pseudocount_per_batch")


def fit_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """Give how parameters are learned."""
    first, last = given["step_size"]
    return {
        **{name: as_count(name, given[name]) for name in _FIT_COUNTS},
        **{name: float(given[name]) for name in _FIT_NUMBERS},
        **{name: given[name] for name in _FIT_OTHERS},
        "step_size": (float(first), float(last)),
        "seed": as_seed(given["seed"]),
    }


def training_rows(
    train: Any,
    valid: Any2d | None,
    test: Any2d | None,
    weights: ArrayLike | None,
    core: Core | None,
) -> tuple[Any, Any, Any, NDArray[np.float64] | None]:
    """Give rows to learn from, to judge by and to look at last, and weights."""
    others = (None if own is None else rows(own, core) for own in (valid, test))
    if weights is None:
        return (train, *others, None)
    numbers = np.asarray(weights, dtype=np.float64)
    if numbers.ndim != 1:
        raise UsageError(f"weights are a number for each row, not of shape {numbers.shape}")
    return (train, *others, numbers)


def watcher(callback: Callback | None) -> Callable[..., Any] | None:
    """Give a function that takes the fields of an epoch."""
    if callback is None:
        return None
    return lambda *fields: callback(Epoch(*fields))


def as_count(name: str, value: Any) -> int:
    """Give an integer from 0 up, or say what is none."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is an integer, not {value!r}") from None
    if number < 0:
        raise UsageError(f"{name} is {number}; it must be an integer from 0 up")
    return number


def as_seed(seed: Any) -> int:
    """Give a seed: a new one if there is none."""
    if seed is None:
        return int.from_bytes(os.urandom(8), "little")
    number = operator.index(seed)
    if not 0 <= number < _MOST_SEEDS:
        raise UsageError(f"the seed is {number}; it must be from 0 to 2**64 - 1")
    return number
