"""Memory of a process that evaluates: no page is writable and executable."""

import circuits

ABOUT = "no page of memory is writable and executable while circuits are compiled and evaluated"
SETTLED = True


def trial(box, rng, _corpus):
    """A circuit and rows for some time, on every engine that makes code; the maps are read all the while."""
    maker = circuits.Maker(rng, variables=6)
    text, _function = maker.make(5)
    box.write("a.pcirc", text)
    box.write("d.csv", maker.csv([rng.choice(maker.rows()) for _ in range(200)] * rng.choice([1, 100])))
    looks = []
    run = box.run("eval", "a.pcirc", "--data", "d.csv", "--engine", rng.choice(["cranelift", "wide", "auto"]), watch=lambda pid, _: looks.append(look(pid)))
    box.asked = len(looks)
    for line in sorted({line for lines in looks for line in lines}):
        box.fault(f"a page is writable and executable: {line}", run)


def look(pid):
    """The lines of the map that are both."""
    try:
        with open(f"/proc/{pid}/maps", encoding="utf-8", errors="replace") as file:
            return [line.strip() for line in file if "w" in line.split()[1] and "x" in line.split()[1]]
    except (OSError, IndexError):
        return []
