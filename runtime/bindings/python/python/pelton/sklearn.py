"""Density estimation for scikit-learn: hidden Chow-Liu trees as an estimator."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, DensityMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from ._circuit import Circuit, learn_hclt


class PeltonDensity(DensityMixin, BaseEstimator):  # type: ignore[misc]
    """A density of rows, learned as a mixture of hidden Chow-Liu trees.

    What a column is, is told from its cells: truth values, small integers, or real numbers.
    NaN is missing; integers outside of what training has seen, from the least to the
    greatest, are impossible. :meth:`score` is the mean log-likelihood, so that
    ``GridSearchCV`` looks for the likeliest model of rows that were left out.

    Parameters
    ----------
    trees : int, default=4
        Trees that are mixed.
    states : int, default=12
        States of each hidden variable.
    pseudocount : float, default=0.1
        Rows that every vector of probabilities is given in advance.
    softness : float, default=0.0
        How much of every observed cell of a finite domain is noise.
    entropy : float, default=0.0
        How much the entropy counts beside the mean log-likelihood.
    epochs : int, default=100
        Most passes over the rows.
    threads : int, default=0
        Threads that evaluate and learn; 0 takes as many as there are cores.
    random_state : int, RandomState instance or None, default=None
        The seed of everything that is drawn.

    Attributes
    ----------
    circuit_ : Circuit
        What was learned.
    n_features_in_ : int
        Number of columns.
    n_iter_ : int
        Passes over the rows that were made.

    """

    def __init__(
        self,
        *,
        trees: int = 4,
        states: int = 12,
        pseudocount: float = 0.1,
        softness: float = 0.0,
        entropy: float = 0.0,
        epochs: int = 100,
        threads: int = 0,
        random_state: Any = None,
    ) -> None:
        """Take the options; nothing is learned yet."""
        self.trees = trees
        self.states = states
        self.pseudocount = pseudocount
        self.softness = softness
        self.entropy = entropy
        self.epochs = epochs
        self.threads = threads
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> PeltonDensity:
        """Learn structure and parameters from rows."""
        X = validate_data(self, X, dtype=_DTYPES, ensure_all_finite="allow-nan")
        if sample_weight is not None:
            sample_weight = _weights(sample_weight, len(X))
        self.circuit_: Circuit = learn_hclt(
            X,
            weights=sample_weight,
            trees=self.trees,
            states=self.states,
            pseudocount=self.pseudocount,
            softness=self.softness,
            entropy=self.entropy,
            epochs=self.epochs,
            threads=self.threads,
            seed=_seed(self.random_state),
        )
        report = self.circuit_.report
        self.n_iter_ = max(1, len(report.epochs) if report else 0)
        return self

    def score_samples(self, X: Any) -> np.ndarray:
        """Compute the log-likelihood of each row; -inf where a value never occurred."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=_DTYPES, ensure_all_finite="allow-nan", reset=False)
        is_known = _is_known(self.circuit_, X)
        if is_known.all():
            return self.circuit_.log_likelihood(X)
        logs = np.full(len(X), -np.inf)
        logs[is_known] = self.circuit_.log_likelihood(X[is_known])
        return logs

    def score(self, X: Any, y: Any = None) -> float:
        """Compute the mean log-likelihood of rows."""
        return float(np.mean(self.score_samples(X)))

    def sample(self, n_samples: int = 1, *, random_state: Any = None) -> np.ndarray:
        """Draw rows of what was learned."""
        check_is_fitted(self)
        return self.circuit_.sample(n_samples, seed=_seed(random_state))

    def __sklearn_tags__(self) -> Any:
        """Say that cells may be missing."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


_DTYPES = (np.float64, np.float32, np.int64, np.int32, np.uint8)
_MOST = 2**31 - 1


def _is_known(circuit: Circuit, rows: np.ndarray) -> np.ndarray:
    """Tell which rows hold values of the domains that were seen, or nothing."""
    is_known = np.ones(len(rows), dtype=bool)
    for cells, variable in zip(rows.T, circuit.variables, strict=True):
        if variable.kind == "real":
            continue
        low, high = variable.bounds or (0, 2 if variable.kind == "bool" else np.inf)
        is_value = (cells >= low) & (cells < high) & (cells == np.floor(cells))
        is_known &= is_value | np.isnan(cells)
    return is_known


def _seed(random_state: Any) -> int:
    return int(check_random_state(random_state).randint(_MOST))


def _weights(weights: Any, n_rows: int) -> np.ndarray:
    numbers = np.asarray(weights, dtype=np.float64)
    if not numbers.any():
        raise ValueError("all sample weights are zero")
    return np.full(n_rows, numbers) if numbers.ndim == 0 else numbers
