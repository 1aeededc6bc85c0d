"""Probabilistic circuits: compiled, exact, and trained.

>>> import pelton
>>> circuit = pelton.compile('''
...     var rain, wet : bool;
...     root 0.3: rain * wet ~ bernoulli(0.9) + 0.7: !rain * wet ~ bernoulli(0.2);
... ''')
>>> round(float(circuit.query("P(rain | wet)")), 4)
0.6585
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._circuit import Circuit, compile, from_bytes, learn_hclt, learn_structure, load
from ._errors import (
    BusyError,
    CircuitError,
    DataError,
    Diagnostic,
    Error,
    InternalError,
    NumericError,
    Span,
    Suggestion,
    UsageError,
)
from ._parameters import Parameter, Parameters
from ._pelton import __version__
from ._results import (
    Answer,
    Completions,
    Epoch,
    Estimate,
    Marginals,
    Moments,
    Report,
    Size,
    Variable,
    Verdict,
)

if TYPE_CHECKING:
    from .sklearn import PeltonDensity as PeltonDensity

__all__ = [
    "Answer",
    "BusyError",
    "Circuit",
    "CircuitError",
    "Completions",
    "DataError",
    "Diagnostic",
    "Epoch",
    "Error",
    "Estimate",
    "InternalError",
    "Marginals",
    "Moments",
    "NumericError",
    "Parameter",
    "Parameters",
    "Report",
    "Size",
    "Span",
    "Suggestion",
    "UsageError",
    "Variable",
    "Verdict",
    "__version__",
    "compile",
    "from_bytes",
    "learn_hclt",
    "learn_structure",
    "load",
]


def __getattr__(name: str) -> Any:
    # scikit-learn is large, and few programs need it.
    if name == "PeltonDensity":
        if not _has_sklearn():
            # Who looks at all that the module has must not fail where scikit-learn is absent.
            raise AttributeError(
                "pelton.PeltonDensity needs scikit-learn: pip install scikit-learn"
            )
        from .sklearn import PeltonDensity  # noqa: PLC0415

        return PeltonDensity
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *(["PeltonDensity"] if _has_sklearn() else [])])


def _has_sklearn() -> bool:
    # Asked for by few, and not a module that every import has.
    from importlib.util import find_spec  # noqa: PLC0415

    try:
        return find_spec("sklearn") is not None
    except ValueError:  # a module that was put in its place by hand
        return False
