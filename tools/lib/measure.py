"""Measuring commands against each other.

Runs alternate, so that whatever else the machine does meets all of them alike, and
medians are compared. A child is started with posix_spawn, which does not copy the
interpreter, so starting costs both sides the same small time.
"""
import os
import shutil
import statistics
import time
from dataclasses import dataclass, field


@dataclass
class Contender:
    """A command that takes part, and what its runs took."""
    name: str
    command: list
    wall: list = field(default_factory=list)     # seconds
    cpu: list = field(default_factory=list)      # seconds, user and system
    memory: int = 0                              # largest resident set, bytes


def find_tool(*names):
    """The path of the first of these programs that is installed, or None."""
    for name in names:
        path = shutil.which(name)
        if path:
            return path
    return None


def run_once(contender, keep=True):
    """Runs the command; leaves with an error when it fails."""
    quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    begin = time.perf_counter()
    pid = os.posix_spawn(contender.command[0], contender.command, os.environ,
                         file_actions=quiet)
    _, status, usage = os.wait4(pid, 0)
    end = time.perf_counter()
    if status:
        raise SystemExit(f"failed ({status}): {' '.join(contender.command)}")
    if keep:
        contender.wall.append(end - begin)
        contender.cpu.append(usage.ru_utime + usage.ru_stime)
        contender.memory = max(contender.memory, usage.ru_maxrss * 1024)


def alternate(contenders, rounds, warmup):
    """Runs all contenders in turn, `rounds` times after `warmup` uncounted rounds."""
    for number in range(warmup + rounds):
        for contender in contenders:
            run_once(contender, keep=number >= warmup)


def ratio(one, other, key="wall"):
    """The median over the rounds of one's time divided by the other's."""
    return statistics.median(a / b for a, b in zip(getattr(one, key), getattr(other, key)))
