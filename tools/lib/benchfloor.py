"""What a machine takes at least for what every link has to do: read the inputs, write the
output, and both with names hashed and relocations applied (leastlink.cpp)."""
import mmap
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial

from measure import make_program

BLOCK = 1 << 20
PAGE = 4096


def timed(work: Callable[[], None], rounds: int) -> float:
    """The median of the seconds that `work` takes, after one uncounted time."""
    taken = []
    for _ in range(rounds + 1):
        begin = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begin)
    return statistics.median(taken[1:])


def copy_file(source: str, target: str) -> None:
    """Copies a file into a new one, by the kernel where it can."""
    if os.path.exists(target):
        os.remove(target)
    with open(source, "rb", buffering=0) as one, open(target, "wb", buffering=0) as other:
        left = os.fstat(one.fileno()).st_size
        while left > 0:
            try:
                done = os.copy_file_range(one.fileno(), other.fileno(), left)
            except OSError:
                done = os.sendfile(other.fileno(), one.fileno(), None, left)
            left -= done or left


def read_all(paths: list[str], buffer: bytearray) -> None:
    """Reads files into a buffer that is used again and again, as it is in a cache."""
    view = memoryview(buffer)
    for path in paths:
        descriptor = os.open(path, os.O_RDONLY)
        while os.readv(descriptor, [view]):
            pass
        os.close(descriptor)


def map_all(paths: list[str]) -> None:
    """Maps files and touches each of their pages."""
    for path in paths:
        descriptor = os.open(path, os.O_RDONLY)
        with mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ) as image:
            image[::PAGE]                      # pylint: disable=pointless-statement
        os.close(descriptor)


def floors(paths: list[str], outputs: dict[str, str], rounds: int) -> dict[str, float]:
    """Seconds for reading these inputs, and for copying the output in each place, given
    by the place's name."""
    buffer = bytearray(BLOCK)
    found = {"read inputs": timed(lambda: read_all(paths, buffer), rounds),
             "map inputs": timed(lambda: map_all(paths), rounds)}
    for place, path in outputs.items():
        found[f"copy output, {place}"] = timed(partial(copy_file, path, path + ".copy"), rounds)
        os.remove(path + ".copy")
    with open(next(iter(outputs.values())), "rb") as file:
        content = file.read()
    target = memoryview(bytearray(len(content)))

    def copy() -> None:
        target[:] = content

    found["copy output in memory"] = timed(copy, rounds)
    return found


def make_least_link(directory: str) -> str | None:
    """The program of leastlink.cpp; None where it cannot be made."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "leastlink.cpp")
    return make_program("c++", source, os.path.join(directory, "leastlink"), "-std=c++20",
                        "-pthread")


def least_link(program: str, listing: str, threads: int, needed: float, output: str,
               rounds: int) -> list[float] | None:
    """Of the least link of these inputs, into a new file no longer than `output`: the medians
    of the seconds by the clock and of processors, and the bytes that it writes. `needed` is
    the share of archives' members that is. None: it did not work."""
    copy, taken = output + ".least", []
    command = [program, str(threads), str(needed), str(os.path.getsize(output)), copy, listing]
    for _ in range(rounds + 1):
        done = subprocess.run(command, capture_output=True, check=False, text=True)
        if os.path.exists(copy):
            os.remove(copy)
        if done.returncode != 0:
            print(f"the least link failed: {done.stderr.strip()}", file=sys.stderr)
            return None
        taken.append([float(word) for word in done.stdout.split()])
    return [statistics.median(column) for column in zip(*taken[1:])]
