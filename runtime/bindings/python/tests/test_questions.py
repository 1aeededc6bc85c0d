"""Questions, against what a table of all states gives."""

import itertools

import numpy as np
import pelton
import pytest

TEXT = """
var a : bool; var b : {x, y, z}; var c : 0..3;
node one = a ~ bernoulli(0.3) * b ~ categorical(0.2, 0.3, 0.5) * c ~ categorical(0.6, 0.3, 0.1);
node two = a ~ bernoulli(0.8) * b ~ categorical(0.7, 0.2, 0.1) * c ~ categorical(0.1, 0.1, 0.8);
root 0.4: one + 0.6: two;
"""

STATES = np.array(list(itertools.product(range(2), range(3), range(3))), dtype=float)


@pytest.fixture
def circuit() -> pelton.Circuit:
    return pelton.compile(TEXT, precision="double")


@pytest.fixture
def table(circuit: pelton.Circuit) -> np.ndarray:
    chances = np.exp(circuit.log_likelihood(STATES))
    assert chances.sum() == pytest.approx(1)
    return chances


def test_conditional(circuit: pelton.Circuit, table: np.ndarray) -> None:
    """Rows given rows, and given an event."""
    both = table[(STATES[:, 1] == 2) & (STATES[:, 0] == 1)].sum()
    alone = table[STATES[:, 0] == 1].sum()
    wanted = np.log(both / alone)
    assert circuit.conditional({"b": "z"}, {"a": 1}) == pytest.approx([wanted])
    assert circuit.conditional({"b": ["z", "z"]}, "a") == pytest.approx([wanted] * 2)
    assert circuit.conditional({"a": [0]}, "a").tolist() == [-np.inf]
    far = pelton.compile("var x : real; var y : bool; root x ~ normal(0, 1) * y ~ bernoulli(0.3);")
    given_outlier = far.conditional({"y": [1]}, "x = 1000000000")
    assert given_outlier == pytest.approx([np.log(0.3)], rel=1e-5)
    assert circuit.conditional({"a": 0}, {"a": 1}).tolist() == [-np.inf]
    with pytest.raises(pelton.UsageError, match="2 rows, and evidence for 1"):
        circuit.conditional({"b": ["z", "x"]}, {"a": [1]})


def test_query(circuit: pelton.Circuit, table: np.ndarray) -> None:
    """Events, for rows and without."""
    either = (STATES[:, 0] == 1) | (STATES[:, 2] >= 1)
    answer = circuit.query("P(a || c >= 1)")
    assert answer.value == pytest.approx(table[either].sum())
    assert float(answer) == answer.value and not answer.is_density
    given = circuit.query("P(a || c >= 1)", {"b": ["x", "y", "z"]})
    for code, value in enumerate(given.value):
        own = STATES[:, 1] == code
        assert value == pytest.approx(table[either & own].sum() / table[own].sum())


def test_marginals(circuit: pelton.Circuit, table: np.ndarray) -> None:
    """Every variable, given rows and an event."""
    found = circuit.marginals({"a": [0, 1]}, given="c < 2")
    assert list(found) == ["a", "b", "c"] and len(found) == 3
    for row in range(2):
        own = (STATES[:, 0] == row) & (STATES[:, 2] < 2)
        assert found.log_evidence[row] == pytest.approx(np.log(table[own].sum()))
        for at, name in enumerate(found):
            sizes = range(found[name].shape[1])
            wanted = [table[own & (STATES[:, at] == code)].sum() for code in sizes]
            assert found[name][row] == pytest.approx(np.array(wanted) / table[own].sum())
    assert circuit.marginals()["a"].shape == (1, 2)


def test_map(circuit: pelton.Circuit, table: np.ndarray) -> None:
    """The most probable state that agrees with each row."""
    found = circuit.map({"b": ["x", "y", "z"]})
    assert found.is_exact.all()
    for code in range(3):
        own = np.where(STATES[:, 1] == code, table, 0)
        assert found.values[code].tolist() == STATES[own.argmax()].tolist()
        assert found.log[code] == pytest.approx(np.log(own.max() / own.sum()))
    assert circuit.map().values.tolist() == [STATES[table.argmax()].tolist()]


def test_samples(circuit: pelton.Circuit, table: np.ndarray) -> None:
    """Samples come as often as they should, and with equal seeds alike."""
    samples = circuit.sample(20_000, seed=3)
    assert samples.shape == (20_000, 3)
    shares = [(samples == state).all(axis=1).mean() for state in STATES]
    assert shares == pytest.approx(table, abs=0.02)
    assert (samples[:50] == circuit.sample(50, seed=3)).all()
    assert not (samples[:50] == circuit.sample(50, seed=4)).all()
    assert not (circuit.sample(50) == circuit.sample(50)).all()
    assert (circuit.sample(100, given="a, b != z", seed=1)[:, :2] != [0, 2]).all()
    given = circuit.sample(7, given={"b": ["x", "z"]}, seed=1)
    assert given.shape == (2, 7, 3)
    assert (given[0, :, 1] == 0).all() and (given[1, :, 1] == 2).all()
    for wrong, kind in ((-1, pelton.UsageError), (2.5, TypeError)):
        with pytest.raises(kind):
            circuit.sample(wrong)
    for much in (2**50, 2**62, 2**63 - 1):
        with pytest.raises((MemoryError, ValueError)):
            circuit.sample(much)


def test_many_samples_in_parts(circuit: pelton.Circuit) -> None:
    """However many are drawn, the first ones are those of few."""
    many = circuit.sample(200_000, seed=9)
    assert (many[:20_000] == circuit.sample(20_000, seed=9)).all()


def test_entropy_and_moments(circuit: pelton.Circuit, table: np.ndarray) -> None:
    """Entropy, means and covariances."""
    nats = -(table * np.log(table)).sum()
    assert circuit.entropy() == pytest.approx(nats)
    estimate = circuit.estimate_entropy(5000, seed=2)
    assert abs(estimate.nats - nats) < 5 * estimate.standard_error
    moments = circuit.moments(covariance=True)
    numeric = STATES[:, [0, 2]]
    mean = table @ numeric
    covariance = np.cov(numeric.T, aweights=table, ddof=0)
    assert moments.mean[[0, 2]] == pytest.approx(mean)
    assert moments.variance[[0, 2]] == pytest.approx(np.diag(covariance))
    assert moments.covariance is not None
    assert moments.covariance[np.ix_([0, 2], [0, 2])] == pytest.approx(covariance)
    assert np.isnan(moments.mean[1])
    assert circuit.moments().covariance is None


def test_what_it_is(circuit: pelton.Circuit) -> None:
    """Variables, sizes, properties, a drawing and a line."""
    assert [(own.name, own.kind) for own in circuit.variables] == [
        ("a", "bool"),
        ("b", "categories"),
        ("c", "range"),
    ]
    assert circuit.variables[1].categories == ("x", "y", "z")
    assert circuit.variables[2].bounds == (0, 3)
    assert circuit.size.units > 0 and circuit.size.free_parameters == 0
    assert circuit.property("smooth")
    assert circuit.property("deterministic").verdict == "refuted"
    assert "a, b, c" in repr(circuit)
    assert circuit._repr_svg_().startswith("<svg") and circuit._repr_svg_().endswith("</svg>\n")
    large = pelton.learn_hclt(np.random.default_rng(0).integers(0, 2, (100, 30)), epochs=1)
    assert len(large.to_svg()) < 1_000_000
    assert "… x[29]" in repr(large)


def test_ask_by_name(circuit: pelton.Circuit) -> None:
    """Questions of the table are asked by name."""
    assert circuit.ask("entropy")["entropy"] == pytest.approx(circuit.entropy())
    assert circuit.ask("kl", circuit)["kl"] == 0
    with pytest.raises(pelton.UsageError, match="no question"):
        circuit.ask("entrop")
