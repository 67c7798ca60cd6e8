"""Measuring commands against each other.

Runs alternate, so that whatever else the machine does meets all of them alike, and
medians are compared. A child is started with posix_spawn, which does not copy the
interpreter, so starting costs every side the same small time.

The kernel counts to a child's peak of memory what its parent had when it started it. So
everything that needs memory is done apart, in a process of its own, and peaks are taken
in a run that a small program starts, where there is a C compiler to make one. Where there
is none, a peak that is not above the interpreter's own says nothing; see own_peak().
"""
import ctypes
import json
import os
import resource
import shutil
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

PR_SET_CHILD_SUBREAPER = 36
DEEP_STACK = 1 << 30
LAUNCHER = r"""
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* launch FILE COMMAND...: runs the command, and writes into FILE the largest resident
   set, in KiB, of it and of what it leaves behind. Without arguments it does nothing. */
int main(int argc, char **argv) {
  struct rusage usage;
  long peak = 0;
  int status, failed = 0;
  if (argc < 3)
    return 0;
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  if (fork() == 0) {
    execv(argv[2], argv + 2);
    _exit(127);
  }
  while (wait4(-1, &status, 0, &usage) > 0) {
    failed |= status;
    if (usage.ru_maxrss > peak)
      peak = usage.ru_maxrss;
  }
  FILE *file = fopen(argv[1], "w");
  if (!file || fprintf(file, "%ld", peak) < 0 || fclose(file))
    return 1;
  return failed != 0;
}
"""


@dataclass(frozen=True)
class Usage:
    """What a run took: seconds by the clock and of processors, bytes, page faults."""
    wall: float
    cpu: float
    memory: int
    faults: int


@dataclass
class Contender:
    """A command that takes part, and what its runs took."""
    name: str
    command: list[str]
    output: str = ""
    deep: bool = False         # recursive: needs a large stack
    peak: int = 0              # the largest resident set, where it was taken by itself
    runs: list[Usage] = field(default_factory=list)

    def median(self, key: str) -> float:
        """The median over its runs of one of the numbers of Usage."""
        return float(statistics.median(getattr(run, key) for run in self.runs))

    def memory(self) -> float:
        """The largest resident set, in bytes."""
        return self.peak or self.median("memory")


def find_tool(*names: str) -> str | None:
    """The path of the first of these programs that is installed, or None."""
    return next(filter(None, map(shutil.which, names)), None)


def adopt_orphans() -> None:
    """Makes this process the parent of what its children leave behind, so that the work
    of a linker whose first process ends early is counted, and waited for."""
    try:
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    except (OSError, AttributeError):
        pass


def own_peak() -> int:
    """The largest resident set that this process had, in bytes: no child shows less."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def apart(work: Callable[..., Any], *arguments: Any) -> Any:
    """What `work` returns, which is done in a process of its own and must fit JSON."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(reader)
            with open(writer, "w", encoding="ascii") as file:
                json.dump(work(*arguments), file)
            status = 0
        except SystemExit as stop:
            os.write(2, f"{stop}\n".encode())
        finally:
            os._exit(status)
    os.close(writer)
    with open(reader, encoding="ascii") as file:
        text = file.read()
    if os.waitpid(child, 0)[1]:
        raise SystemExit(f"{work.__name__} failed")
    return json.loads(text)


@contextmanager
def stack_for(contender: Contender) -> Iterator[None]:
    """Lets the children started meanwhile have a large stack when the contender needs it."""
    limits = resource.getrlimit(resource.RLIMIT_STACK)
    if contender.deep:
        most = DEEP_STACK if limits[1] == resource.RLIM_INFINITY else min(DEEP_STACK, limits[1])
        resource.setrlimit(resource.RLIMIT_STACK, (most, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_STACK, limits)


def make_program(compiler: str, source: str, program: str, *options: str) -> str | None:
    """Makes a static program. None where there is no such compiler, or it cannot."""
    found = find_tool(compiler)
    if found is None:
        return None
    done = subprocess.run([found, "-O2", "-static", *options, "-o", program, source],
                          capture_output=True, check=False)
    return program if done.returncode == 0 else None


def make_launcher(directory: str) -> str | None:
    """A small program that runs a command and says its peak of memory, or, without one,
    does nothing. None where it cannot be made."""
    source, program = (os.path.join(directory, name) for name in ("launch.c", "launch"))
    with open(source, "w", encoding="ascii") as file:
        file.write(LAUNCHER)
    return make_program("cc", source, program)


def take_peak(contender: Contender, launcher: str) -> None:
    """Runs the command once for its peak of memory."""
    note = launcher + ".peak"
    with stack_for(contender):
        done = subprocess.run([launcher, note, *contender.command], capture_output=True,
                              check=False)
    if done.returncode:
        raise SystemExit(f"failed: {' '.join(contender.command)}")
    with open(note, encoding="ascii") as file:
        contender.peak = 1024 * int(file.read())


def run_once(contender: Contender) -> Usage:
    """Runs the command; leaves with an error when it fails."""
    quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
             (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)]
    with stack_for(contender):
        begin = time.perf_counter()
        pid = os.posix_spawn(contender.command[0], contender.command, os.environ,
                             file_actions=quiet)
        _, status, usage = os.wait4(pid, 0)
        wall = time.perf_counter() - begin
    usages = [usage]
    while True:
        try:
            usages.append(os.wait4(-1, 0)[2])
        except ChildProcessError:
            break
    if status:
        raise SystemExit(f"failed ({status}): {' '.join(contender.command)}")
    return Usage(wall, sum(u.ru_utime + u.ru_stime for u in usages),
                 1024 * max(u.ru_maxrss for u in usages),
                 sum(u.ru_minflt + u.ru_majflt for u in usages))


def alternate(contenders: Sequence[Contender], rounds: int, warmup: int,
              before: Callable[[Contender], None] = lambda _: None,
              after: Callable[[Contender], None] = lambda _: None) -> None:
    """Runs all contenders in turn, `rounds` times after `warmup` uncounted rounds. Each
    round begins with another one. `before` and `after` are called around each run."""
    for number in range(warmup + rounds):
        first = number % len(contenders)
        for contender in [*contenders[first:], *contenders[:first]]:
            before(contender)
            usage = run_once(contender)
            after(contender)
            if number >= warmup:
                contender.runs.append(usage)


def ratio(one: Contender, other: Contender, key: str = "wall") -> float:
    """The median over the rounds of one's number divided by the other's."""
    return float(statistics.median(getattr(a, key) / max(getattr(b, key), 1e-9)
                                   for a, b in zip(one.runs, other.runs)))
