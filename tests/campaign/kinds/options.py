"""Options that `--help` names, put together at random, with values right and wrong."""

import functools
import re
import subprocess

from corpus import MODEL

ABOUT = "random combinations of commands, options and values"
SETTLED = True
# These run until they are ended, or for minutes, by what they are for.
LONG = {"bench", "reproduce", "help", "demo", "play", "lsp"}
OPTION = re.compile(r"^\s+(?:(-\w)(?:, )?)?(--[\w-]+)?(?: <([^>]+)>)?$")
NUMBERS = ["0", "1", "2", "3", "0.5", "-1", "1e-300", "1e308", "nan", "inf", "-inf", "", "x", "99999999999999999999", "0.9:0.1", "1:", "1e400"]
# What is legal and takes long is not asked for.
FEW = {"-n": ["0", "1", "5", "-1", "x", "1e3", ""], "--threads": ["0", "1", "2", "64", "x", "-1", "99999999999999999999"]}
FILES = ["m.pcirc", "d.csv", "none.csv", "-", "", ".", "out.pelton", "out.pcirc", "d.csv.gz", "dir/none", "o\tdd", "/dev/null"]
WORDS = ["rain", "wet", "P(rain)", "sky = storm", "temp <= 1", "rain,wet", "K=3", "a=b=c", "=", "PC0101", "root", "clt", "temp", "\u202e", "a" * 300]


@functools.lru_cache(maxsize=None)
def help_of(binary, command):
    """Options of a command with the name of the value and the values that are listed."""
    text = subprocess.run([binary, *command, "--help"], capture_output=True, text=True, timeout=60, check=False).stdout
    options, current = [], None
    for line in text.splitlines():
        match = OPTION.match(line)
        if match and (match[1] or match[2]):
            current = (match[2] or match[1], match[3], [])
            options.append(current)
        value = re.match(r"^\s+- ([\w-]+):", line)
        if value and current:
            current[2].append(value[1])
    commands = re.findall(r"^  (\w+) ", text.split("Commands:")[1].split("Options:")[0], re.M) if "Commands:" in text else []
    return options, commands


def trial(box, rng, corpus):
    """A command with up to six options and up to three other words."""
    command = ()
    while True:
        options, commands = help_of(box.setting.binary, command)
        commands = [name for name in commands if name not in LONG]
        if not commands:
            break
        command += (rng.choice(commands),)
    box.write("m.pcirc", MODEL)
    box.write("d.csv", corpus.table)
    words = list(command)
    for _ in range(rng.choice([0, 1, 1, 2, 2, 3])):
        words.append(rng.choice(["m.pcirc"] * 4 + FILES + WORDS))
    for name, value, listed in rng.sample(options, min(len(options), rng.choice([0, 1, 2, 3, 6]))):
        words.append(name)
        if value or rng.random() < 0.03:
            words.append(pick(rng, name, value or "", listed))
    if command[0] in ("fit", "learn", "tune") and rng.random() < 0.7:
        words += ["--train", "d.csv", "-o", "out.pelton"]
    if "epochs" not in " ".join(words) and command[0] in ("fit", "learn"):
        words += ["--fullbatch-epochs", "2"]
    box.run(*words, stdin=rng.choice([b"", corpus.table, MODEL.encode()]))


def pick(rng, name, value, listed):
    """A value for an option, mostly of its kind."""
    if name in FEW:
        return rng.choice(FEW[name])
    if listed and rng.random() < 0.8:
        return rng.choice(listed)
    if "epochs" in name or "budget" in name or name in ("--hidden", "--trees", "--samples", "--members", "--iterations"):
        return rng.choice(["0", "1", "3", "-1", "x", "1.5", "2s"])
    if any(word in value for word in ("FILE", "OUT", "DATA", "DIR")):
        return rng.choice(FILES)
    return rng.choice(NUMBERS + WORDS if rng.random() < 0.3 else NUMBERS)
