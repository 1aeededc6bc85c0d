"""The estimator for scikit-learn."""

import pickle

import numpy as np
import pelton
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer
from sklearn.utils.estimator_checks import check_estimator

EXPECTED: dict[str, str] = {}
"""Checks that cannot apply, with the reason."""


def rows(n: int = 300, seed: int = 0) -> np.ndarray:
    random = np.random.default_rng(seed)
    kind = random.random(n) < 0.4
    return (random.random((n, 6)) < np.where(kind[:, None], 0.9, 0.15)).astype(int)


def test_scikit_learns_own_checks() -> None:
    """All checks pass, but for those that are listed."""
    estimator = pelton.PeltonDensity(trees=1, states=2, epochs=5, random_state=0)
    results = check_estimator(
        estimator, expected_failed_checks=EXPECTED, on_fail=None, on_skip=None
    )
    failed = {own["check_name"]: own["exception"] for own in results if own["status"] == "failed"}
    assert not failed
    assert sum(own["status"] == "passed" for own in results) > 40


def test_density() -> None:
    """Rows like those of training are likelier, and samples are like them."""
    model = pelton.PeltonDensity(trees=1, states=2, random_state=0).fit(rows())
    assert model.score_samples(rows(seed=1)).shape == (300,)
    assert model.score(rows(seed=1)) > model.score(1 - rows(seed=1))
    samples = model.sample(2000, random_state=1)
    assert samples.mean(axis=0) == pytest.approx(rows(5000).mean(axis=0), abs=0.1)
    assert (samples == model.sample(2000, random_state=1)).all()
    assert model.circuit_.query("P(x[0] = 1 | x[1] = 1)").value > 0.6


def test_missing_cells() -> None:
    """NaN is missing, in training and after it."""
    data = rows().astype(float)
    data[::7, 2] = np.nan
    model = pelton.PeltonDensity(trees=1, states=2, random_state=0).fit(data)
    assert np.isfinite(model.score_samples(data)).all()


def test_values_that_never_occurred() -> None:
    """They are impossible, and no error: folds need not hold the largest count."""
    counts = np.random.default_rng(0).poisson(3, (60, 3))
    model = pelton.PeltonDensity(trees=1, states=2, random_state=0).fit(counts)
    strange = np.array([[3, 3, 3], [99, 3, 3], [3, -1, 3], [3, 3, 2]])
    assert np.isfinite(model.score_samples(strange)).tolist() == [True, False, False, True]
    halves = strange.astype(float)
    halves[3, 2], halves[0, 0] = 2.5, np.nan
    assert np.isfinite(model.score_samples(halves)).tolist() == [True, False, False, False]


def test_grid_search() -> None:
    """Rows that were left out choose the number of states."""
    grid = GridSearchCV(
        pelton.PeltonDensity(trees=1, epochs=10, random_state=0),
        {"states": [1, 2], "pseudocount": [0.1, 1.0]},
        cv=3,
        n_jobs=2,
    )
    grid.fit(rows())
    assert grid.best_params_["states"] == 2
    assert np.isfinite(grid.cv_results_["mean_test_score"]).all()


def test_pipeline_and_pickle() -> None:
    """It goes behind others, is cloned, and is pickled."""
    data = np.random.default_rng(0).normal(size=(200, 3))
    bins = KBinsDiscretizer(
        n_bins=4, encode="ordinal", strategy="quantile", quantile_method="averaged_inverted_cdf"
    )
    model = make_pipeline(bins, pelton.PeltonDensity(trees=1, states=2, random_state=0)).fit(data)
    again = pickle.loads(pickle.dumps(model))
    assert (again.score_samples(data) == model.score_samples(data)).all()
    other = clone(model[-1]).set_params(states=3, softness=0.01)
    assert (other.states, other.softness) == (3, 0.01)
    assert not hasattr(other, "circuit_")
