# %% [markdown]
# # Pelton in ten minutes
#
# A probabilistic circuit is a joint distribution that answers questions exactly. This
# notebook writes one, asks it, trains it, and learns one from data alone. Open it with
# Jupytext, or in any editor that knows `# %%` cells, or run it as it is.

# %%
import numpy as np
import pandas as pd

import pelton

# %% [markdown]
# ## A circuit is text
#
# Sums mix, products combine, leaves are distributions of single variables.

# %%
weather = pelton.compile("""
    var sky : {clear, cloudy, storm};
    var temp : real;
    var rain, late : bool;

    node wet = 0.8: rain * late ~ bernoulli(0.4) + 0.2: !rain * late ~ bernoulli(0.1);
    node dry = 0.1: rain * late ~ bernoulli(0.4) + 0.9: !rain * late ~ bernoulli(0.1);
    root 0.5: [sky = clear] * temp ~ normal(22, 4) * dry
       + 0.3: [sky = cloudy] * temp ~ normal(14, 5) * dry
       + 0.2: [sky = storm] * temp ~ normal(9, 4) * wet;
""")
weather  # in a notebook the circuit draws itself

# %% [markdown]
# What is wrong is told with its place, and often with the repair.

# %%
try:
    pelton.compile("var rain, wet : bool;\nroot 0.4: rain * wet + 0.6: !rain;")
except pelton.CircuitError as error:
    print(error)
    print(error.code, error.diagnostics[0].span)

# %% [markdown]
# ## Questions have exact answers

# %%
print("P(late)               ", float(weather.query("P(late)")))
print("P(storm | late, cold) ", float(weather.query("P(sky = storm | late, temp < 10)")))
print("late, exactly as often", weather.moments().mean[3])

# %% [markdown]
# Rows are arrays, columns by name, or frames of pandas and Polars. What is not known is
# missing: NaN, None, or a column that is not there. Missing cells are summed out.

# %%
days = pd.DataFrame(
    {
        "sky": ["clear", "storm", None],
        "temp": [24.5, 8.0, 12.0],
        "late": [False, True, None],
    }
)
print("log-likelihood ", weather.log_likelihood(days))
print("chances of rain", weather.marginals(days)["rain"][:, 1])

completions = weather.map(days)
print("completed days\n", completions.values)
print("a stormy sample", weather.sample(1, given="sky = storm", seed=1))

# %% [markdown]
# The same question for every row, given what the row has observed:

# %%
print("P(late | day)  ", weather.query("P(late)", days[["sky", "temp"]]).value)

# %% [markdown]
# ## Training
#
# What the text leaves open (`?`) is learned. Here two kinds of flowers, which nobody has
# labelled, are found by their petals.

# %%
random = np.random.default_rng(0)
large = random.random(600) < 0.4
petals = np.where(
    large[:, None],
    random.normal([5.5, 2.0], 0.4, (600, 2)),
    random.normal([1.5, 0.3], 0.2, (600, 2)),
)

flowers = pelton.compile("""
    var length, width : real;
    node kind[k in 0..2] = length ~ normal(?, ?) * width ~ normal(?, ?);
    root sum k in 0..2 { ?: kind[k] };
""")
report = flowers.fit(petals[:500], valid=petals[500:], start="kmeans")
print(report)
print("weights", flowers.parameters["root.weights"])
assert abs(np.sort(flowers.parameters["root.weights"])[0] - 0.4) < 0.1

# %% [markdown]
# A function sees every epoch, and ends the run by returning something true.

# %%
likelihoods: list[float] = []


def watch(epoch: pelton.Epoch) -> bool:
    """Keep the likelihoods, and stop after twenty."""
    likelihoods.append(epoch.train_ll)
    return len(likelihoods) == 20


flowers.fit(petals, callback=watch)
print(len(likelihoods), "epochs, from", likelihoods[0], "to", likelihoods[-1])
assert likelihoods[-1] > likelihoods[0]

# %% [markdown]
# ## Circuits from data alone
#
# Hidden Chow-Liu trees find the structure too. Softness and entropy regularize.

# %%
answers = (random.random((800, 8)) < np.where(random.random((800, 1)) < 0.5, 0.85, 0.2)).astype(int)
trees = pelton.learn_hclt(
    answers[:600], valid=answers[600:], trees=2, states=4, softness=0.01, entropy=0.001
)
print(trees)
print(trees.report)
print("P(first | all others)", float(trees.query("P(x[0] = 1 | x[1] = 1, x[2] = 1)")))

# %% [markdown]
# They are text as well, and readable:

# %%
print(trees.to_source()[:300])

# %% [markdown]
# ## Files
#
# Model files are safe to open; pickles hold the same bytes.

# %%
trees.save("answers.pelton")
again = pelton.load("answers.pelton")
assert (again.log_likelihood(answers) == trees.log_likelihood(answers)).all()

# %% [markdown]
# ## scikit-learn
#
# `PeltonDensity` is an estimator like any other.

# %%
from sklearn.model_selection import GridSearchCV  # noqa: E402

search = GridSearchCV(
    pelton.PeltonDensity(trees=1, epochs=20, random_state=0), {"states": [1, 4]}, cv=2
)
search.fit(answers)
print(search.best_params_, search.best_score_)
assert search.best_params_ == {"states": 4}
