"""The results of tools/bench as text, as a Markdown table, and as what JSON holds."""
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from measure import Contender, ratio

EMPTY = "empty process"


@dataclass(frozen=True)
class Condition:
    """How links are run: where the output is, whether it exists before, how many threads."""
    place: str                     # disk, tmpfs
    state: str                     # new, existing
    threads: str                   # 1, all

    def __str__(self) -> str:
        return f"{self.place}-{self.state}-{self.threads}"

    def words(self) -> str:
        """For tables."""
        threads = "1 thread" if self.threads == "1" else "all threads"
        return f"{self.state} on {self.place}, {threads}"


@dataclass
class Result:
    """One set in one condition. `contenders` begin with xlink; an empty process may be among
    them."""
    set: str
    about: str
    machine: str
    condition: Condition
    contenders: list[Contender]
    input_bytes: int
    output_bytes: int
    files: int
    own_peak: int

    def xlink(self) -> Contender:
        """What is compared."""
        return self.contenders[0]

    def peers(self) -> list[Contender]:
        """The other linkers."""
        return [one for one in self.contenders[1:] if one.name != EMPTY]

    def best(self) -> Contender | None:
        """The fastest of the other linkers."""
        peers = self.peers()
        return min(peers, key=lambda one: one.median("wall")) if peers else None


def milliseconds(seconds: float) -> str:
    """Three digits or more."""
    value = 1000 * seconds
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def print_result(result: Result) -> None:
    """One set in one condition, a line for each contender."""
    print(f"{result.set}: {result.condition.words()}; {result.files} files, "
          f"{result.input_bytes / 1e6:.1f} MB, output {result.output_bytes / 1e6:.1f} MB")
    for one in result.contenders:
        known = one.peak or one.memory() > 1.1 * result.own_peak
        peak = f"{one.memory() / 1e6:7.1f}" if known else f" <{result.own_peak / 1e6:5.0f}"
        line = (f"  {one.name:20} {milliseconds(one.median('wall')):>7} ms, processor "
                f"{milliseconds(one.median('cpu')):>7} ms, {peak} MB, "
                f"{one.median('faults'):8.0f} faults")
        if one is not result.xlink() and one.name != EMPTY:
            line += (f"   xlink takes {ratio(result.xlink(), one):.2f}, "
                     f"processor {ratio(result.xlink(), one, 'cpu'):.2f} of it")
        print(line, flush=True)


def markdown(results: Sequence[Result]) -> str:
    """A table for a README."""
    lines = ["| set | output, threads | xlink, ms | best other | its ms | xlink takes of it | "
             "in processor time |", "|---|---|---|---|---|---|---|"]
    for result in results:
        best, mine = result.best(), result.xlink()
        theirs = ["-"] * 4
        if best:
            theirs = [best.name, milliseconds(best.median("wall")), f"{ratio(mine, best):.2f}",
                      f"{ratio(mine, best, 'cpu'):.2f}"]
        cells = [f"{result.set}: {result.about}", result.condition.words(),
                 milliseconds(mine.median("wall")), *theirs]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def to_json(result: Result) -> dict[str, Any]:
    """Everything about a result."""
    best, mine = result.best(), result.xlink()
    keys = ("wall", "cpu", "memory", "faults")
    linkers = [{"name": one.name, "command": one.command,
                "median": {key: one.median(key) for key in keys},
                "peak_memory": one.memory(), "runs": [asdict(run) for run in one.runs],
                "xlink_takes_of_it": {key: ratio(mine, one, key) for key in keys}}
               for one in result.contenders]
    return {"set": result.set, "about": result.about, "machine": result.machine,
            "condition": asdict(result.condition), "files": result.files,
            "input_bytes": result.input_bytes, "output_bytes": result.output_bytes,
            "least_memory_shown": result.own_peak, "linkers": linkers,
            "best_other": best.name if best else None}
