"""One run of the binary: with limits, with its output kept, and with what it cost."""

import os
import resource
import signal
import subprocess
import time
from dataclasses import dataclass, field

MEBI = 1 << 20


@dataclass
class Run:
    """What came of a run. `code` is None where a signal ended it."""

    words: list
    code: int | None = None
    signal: int | None = None
    timed_out: bool = False
    seconds: float = 0.0
    peak_mebibytes: float = 0.0
    stdout: bytes = b""
    stderr: bytes = b""
    notes: list = field(default_factory=list)

    @property
    def text(self):
        """Standard output as text."""
        return self.stdout.decode("utf-8", "replace")

    @property
    def errors(self):
        """Standard error as text."""
        return self.stderr.decode("utf-8", "replace")

    def summary(self):
        """One line for reports."""
        end = "time-out" if self.timed_out else f"signal {self.signal}" if self.signal else f"exit {self.code}"
        return f"{end}, {self.seconds:.2f} s, {self.peak_mebibytes:.0f} MiB: {' '.join(map(str, self.words))}"


@dataclass
class Limits:
    """What a run may use. Address space is far above what may be resident,
    because code, stacks of threads and guard pages are mapped and never touched."""

    seconds: float = 60.0
    address_space: int = 8192 * MEBI
    file_size: int | None = None

    def apply(self):
        """Runs in the child, between fork and exec. Workers ignore Ctrl-C, and what is ignored would be inherited."""
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_AS, (self.address_space, self.address_space))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if self.file_size is not None:
            # A write behind the limit is an error then, as on a full disk, and no signal.
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (self.file_size, self.file_size))


def run(binary, words, folder, limits, stdin=b"", watch=None):
    """Runs `binary words` in `folder`. `watch(pid, seconds)` is called again and again
    while it runs, to send signals or to look at its memory."""
    scratch = os.path.join(os.path.dirname(folder), f"{os.path.basename(folder)}.io")
    os.makedirs(scratch, exist_ok=True)
    paths = [os.path.join(scratch, name) for name in ("stdin", "stdout", "stderr")]
    with open(paths[0], "wb") as file:
        file.write(stdin)
    with open(paths[0], "rb") as source, open(paths[1], "wb") as out, open(paths[2], "wb") as err:
        start = time.monotonic()
        child = subprocess.Popen(
            [binary, *words], cwd=folder, stdin=source, stdout=out, stderr=err,
            preexec_fn=limits.apply, env=environment(), start_new_session=True,
        )
        result = wait(child, start, limits, Run([str(word) for word in words]), watch)
    with open(paths[1], "rb") as out, open(paths[2], "rb") as err:
        result.stdout, result.stderr = out.read(64 * MEBI), err.read(4 * MEBI)
    return result


def environment():
    """The same for every run: nothing of the caller's settings."""
    return {"PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8", "RUST_BACKTRACE": "1", "NO_COLOR": "1"}


def wait(child, start, limits, result, watch):
    """Waits for the end, or brings it about."""
    pause = 0.0005
    while True:
        pid, status, usage = os.wait4(child.pid, os.WNOHANG)
        elapsed = time.monotonic() - start
        if pid:
            break
        if elapsed > limits.seconds and not result.timed_out:
            result.timed_out = True
            os.kill(child.pid, signal.SIGKILL)
        if watch:
            watch(child.pid, elapsed)
        time.sleep(pause)
        pause = min(pause * 1.3, 0.002 if watch else 0.02)
    child.returncode = os.waitstatus_to_exitcode(status)
    result.seconds, result.peak_mebibytes = elapsed, usage.ru_maxrss / 1024
    if os.WIFSIGNALED(status):
        result.signal = os.WTERMSIG(status)
    else:
        result.code = os.WEXITSTATUS(status)
    return result
