"""Makes train.csv, valid.csv and test.csv: what travellers packed.

Four kinds of trips, which the data do not show, decide the season, the means of
transport and what is in the bag; one cell in twenty was not noted. The seed is
fixed, so that running this again gives the same files:

    python3 examples/packing/make_data.py
"""

import random
from pathlib import Path

SEASONS = ["spring", "summer", "autumn", "winter"]
TRANSPORT = ["car", "train", "plane"]
THINGS = [
    "swimsuit", "sunscreen", "umbrella", "gloves", "boots", "tent",
    "laptop", "suit", "camera", "guidebook", "novel", "medicine",
]

# How often there is such a trip, its seasons, its means of transport, and how
# likely each of the things is packed.
TRIPS = [
    (0.30, [2, 7, 2, 1], [3, 1, 6], [.90, .85, .15, .05, .10, .10, .15, .05, .50, .30, .70, .40]),
    (0.25, [3, 2, 3, 3], [2, 5, 5], [.15, .05, .50, .20, .05, .05, .95, .80, .10, .10, .35, .30]),
    (0.25, [3, 4, 3, 1], [6, 4, 1], [.30, .60, .40, .35, .90, .70, .10, .05, .55, .35, .30, .70]),
    (0.20, [4, 2, 3, 2], [1, 6, 4], [.10, .20, .65, .30, .25, .05, .30, .15, .80, .85, .45, .35]),
]

MISSING = 0.05


def trip(draw):
    """One row of cells."""
    _, seasons, transport, things = draw.choices(TRIPS, [kind[0] for kind in TRIPS])[0]
    cells = [draw.choices(SEASONS, seasons)[0], draw.choices(TRANSPORT, transport)[0]]
    cells += ["1" if draw.random() < p else "0" for p in things]
    return ["" if draw.random() < MISSING else cell for cell in cells]


def main():
    draw = random.Random(2021)
    for name, n_rows in [("train", 200), ("valid", 200), ("test", 400)]:
        rows = [["season", "transport", *THINGS]] + [trip(draw) for _ in range(n_rows)]
        text = "".join(",".join(row) + "\n" for row in rows)
        Path(__file__).with_name(f"{name}.csv").write_text(text)


if __name__ == "__main__":
    main()
