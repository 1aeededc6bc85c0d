"""Training: parameters, callbacks, options, and circuits from rows alone."""

import numpy as np
import pelton
import pytest
from conftest import OPEN


def clusters(n: int = 400, seed: int = 0) -> np.ndarray:
    """Rows of two kinds: mostly ones, and mostly zeros."""
    random = np.random.default_rng(seed)
    kind = random.random(n) < 0.3
    chances = np.where(kind[:, None], [0.9, 0.8, 0.95], [0.1, 0.2, 0.05])
    return (random.random((n, 3)) < chances).astype(np.uint8)


def test_fit(open_circuit: pelton.Circuit) -> None:
    """The likelihood rises, and the clusters are found."""
    train, valid, test = clusters(seed=0), clusters(seed=1), clusters(seed=2)
    before = open_circuit.log_likelihood(train).mean()
    report = open_circuit.fit(train, valid=valid, test=test, seed=3)
    after = open_circuit.log_likelihood(train).mean()
    assert after > before
    assert report.train_ll == pytest.approx(after, abs=1e-5)
    assert report.valid_ll == pytest.approx(open_circuit.log_likelihood(valid).mean(), abs=1e-5)
    assert report.test_ll == pytest.approx(open_circuit.log_likelihood(test).mean(), abs=1e-5)
    assert report is open_circuit.report and report.method == "em"
    assert sorted(open_circuit.parameters["root.weights"]) == pytest.approx([0.3, 0.7], abs=0.1)
    assert "train_ll" in repr(report) and report.epochs[0].epoch == 1


def test_closed_form() -> None:
    """A deterministic circuit is counted."""
    circuit = pelton.compile("var a : bool; root ?: a + ?: !a;")
    report = circuit.fit([[1], [1], [1], [0]], pseudocount=0)
    assert report.method == "mle" and report.stop_reason == "closed_form"
    assert float(circuit.query("P(a)")) == pytest.approx(0.75)
    circuit.fit([[1], [0]], pseudocount=0, weights=[1, 4])
    assert float(circuit.query("P(a)")) == pytest.approx(0.2)


def test_same_seed_same_result() -> None:
    """Results depend on rows and options alone, not on threads."""
    rows = clusters()
    results = []
    for threads in (1, 2):
        circuit = pelton.compile(OPEN, threads=threads)
        circuit.fit(rows, seed=5, minibatch_epochs=3, batch_size=64, epochs=10)
        results.append(circuit.to_source())
    assert results[0] == results[1]


def test_regularizers(open_circuit: pelton.Circuit) -> None:
    """Softness and entropy keep probabilities away from 0 and 1."""
    rows = np.ones((50, 3))
    open_circuit.fit(rows, pseudocount=0)
    plain = open_circuit.log_likelihood(rows).mean()
    assert plain == pytest.approx(0, abs=1e-3)
    open_circuit.fit(rows, pseudocount=0, softness=0.1, entropy=0.1, softening="geometric")
    assert open_circuit.log_likelihood(rows).mean() < -0.01


def test_callback(open_circuit: pelton.Circuit) -> None:
    """It is told of every epoch, and may end the run; that keeps what was learned."""
    told: list[pelton.Epoch] = []

    def watch(epoch: pelton.Epoch) -> bool:
        told.append(epoch)
        return epoch.epoch == 4

    before = open_circuit.parameters["root.weights"]
    report = open_circuit.fit(clusters(), valid=clusters(seed=1), tolerance=0, callback=watch)
    assert [own.epoch for own in told] == [1, 2, 3, 4]
    assert report.stop_reason == "cancelled" and len(report.epochs) == 4
    assert told[0].phase == "fullbatch" and told[0].valid_ll is not None
    assert open_circuit.parameters["root.weights"].tolist() != before.tolist()


def test_callback_that_raises(open_circuit: pelton.Circuit) -> None:
    """What it raises is raised, and parameters stay; then training goes on as before."""
    before = open_circuit.to_source()

    def fail(epoch: pelton.Epoch) -> None:
        raise LookupError(epoch.epoch)

    with pytest.raises(LookupError, match="1"):
        open_circuit.fit(clusters(), callback=fail)
    assert open_circuit.to_source() == before
    assert open_circuit.report is None
    assert open_circuit.fit(clusters(), epochs=2).epochs


def test_callback_sees_old_parameters(open_circuit: pelton.Circuit) -> None:
    """A callback may ask the circuit, which is as it was; it may not change it."""
    rows = clusters()
    before = open_circuit.log_likelihood(rows)
    seen = []

    def watch(epoch: pelton.Epoch) -> None:
        seen.append(open_circuit.log_likelihood(rows))
        with pytest.raises(pelton.BusyError):
            open_circuit.parameters["root.weights"] = [0.5, 0.5]

    open_circuit.fit(rows, epochs=3, callback=watch)
    assert len(seen) == 3
    assert all((own == before).all() for own in seen)
    assert (open_circuit.log_likelihood(rows) != before).any()


def test_going_on(open_circuit: pelton.Circuit) -> None:
    """`start="keep"` begins with the parameters that the circuit has."""
    rows = clusters()
    open_circuit.fit(rows, epochs=30, tolerance=0)
    reached = open_circuit.log_likelihood(rows).mean()
    report = open_circuit.fit(rows, epochs=1, start="keep")
    assert report.epochs[0].train_ll == pytest.approx(reached, abs=1e-5)


def test_parameters(open_circuit: pelton.Circuit) -> None:
    """Read and written by name, whole, and only if they are right."""
    parameters = open_circuit.parameters
    assert "root.weights" in parameters and "nothing" not in parameters and 3 not in parameters
    assert len(parameters) == len(list(parameters)) == 7
    assert {own.dtype for own in parameters.values()} == {np.dtype(float)}
    parameters["root.weights"] = np.array([0.25, 0.75], dtype=np.float32)
    assert parameters["root.weights"].tolist() == [0.25, 0.75]
    name = next(name for name in parameters if name != "root.weights")
    parameters[name] = 0.125
    assert parameters[name].tolist() == [0.125]
    own = parameters.describe(name)
    assert own.kind == "unit" and own.learned.tolist() == [True]
    with pytest.raises(ValueError, match="read-only"):
        parameters["root.weights"][0] = 0.5
    for wrong in ([0.5, 0.6], [0.5], [-0.5, 1.5], [np.nan, 1], [[0.5, 0.5]]):
        with pytest.raises(pelton.UsageError, match=r"root\.weights"):
            parameters["root.weights"] = wrong
    with pytest.raises(TypeError, match="numbers"):
        parameters["root.weights"] = ["x", "y"]
    with pytest.raises(KeyError, match="did you mean `root.weights`"):
        parameters["root.weight"]
    with pytest.raises(pelton.UsageError, match="no parameter"):
        parameters["root.weight"] = [1]
    assert parameters["root.weights"].tolist() == [0.25, 0.75]


def test_several_parameters_or_none(open_circuit: pelton.Circuit) -> None:
    """If one of several is wrong, all stay."""
    parameters = open_circuit.parameters
    name = next(name for name in parameters if name != "root.weights")
    before = parameters[name].tolist()
    with pytest.raises(pelton.UsageError):
        parameters.update({name: 0.125, "root.weights": [2, 3]})
    assert parameters[name].tolist() == before
    parameters.update({name: 0.125, "root.weights": [0.5, 0.5]})
    assert parameters[name].tolist() == [0.125]


def test_fixed_parameters(rain: pelton.Circuit) -> None:
    """What the text fixes stays, unless everything may be learned."""
    with pytest.raises(pelton.UsageError, match="fixed to 0.3"):
        rain.parameters["root.weights"] = [0.5, 0.5]
    free = pelton.compile(rain.to_source(), learn_all=True)
    free.parameters["root.weights"] = [0.5, 0.5]
    assert float(free.query("P(rain)")) == pytest.approx(0.5)


def test_learn_hclt() -> None:
    """Trees fit better than columns alone."""
    train, valid = clusters(), clusters(seed=1)
    told = []
    circuit = pelton.learn_hclt(
        train, valid=valid, trees=2, states=2, epochs=20, seed=1, callback=told.append
    )
    assert [own.name for own in circuit.variables] == ["x[0]", "x[1]", "x[2]"]
    assert told and circuit.report is not None and circuit.report.valid_ll is not None
    p = train.mean(axis=0)
    alone = (valid * np.log(p) + (1 - valid) * np.log(1 - p)).sum(axis=1).mean()
    assert circuit.log_likelihood(valid).mean() > alone + 0.1
    with pytest.raises(pelton.UsageError):
        pelton.learn_hclt(train, trees=-1)
    with pytest.raises(pelton.Error):
        pelton.learn_hclt(np.empty((0, 3)))
    with pytest.raises(pelton.Error):
        pelton.learn_hclt(train, states=0)


def test_learners_by_name() -> None:
    """Every learner of the command line takes rows, with its own options by their names."""
    train = clusters()
    tree = pelton.learn_structure(train, "clt")
    assert tree.report is not None
    ensemble = pelton.learn_structure(train, "clt", {"trees": 2, "tree-choice": "bootstrap"})
    assert "mix" in ensemble.parameters
    trees = pelton.learn_structure(train, "hclt", {"trees": 2, "hidden": 2}, epochs=5, seed=1)
    same = pelton.learn_hclt(train, trees=2, states=2, epochs=5, seed=1)
    assert trees.to_source() == same.to_source()
    for learner, choices in [("oak", {}), ("clt", {"hidden": 2}), ("clt", {"trees": 0})]:
        with pytest.raises(pelton.UsageError):
            pelton.learn_structure(train, learner, choices)
    with pytest.raises(TypeError):
        pelton.learn_structure(train, "clt", epoch=5)
