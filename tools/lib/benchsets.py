"""The sets of tools/bench: what they hold, and where they are kept."""
import os
import zlib
from dataclasses import dataclass, fields, replace

import generate
from generate import Shape


@dataclass(frozen=True)
class Set:
    """A program to link, how often, and what it is for."""
    name: str
    about: str
    shape: Shape
    rounds: int = 7
    script: bool = False       # only for linkers that take any script


SETS = {one.name: one for one in (
    Set("two", "two objects of 8 functions", Shape(2, 8, strings=16), rounds=100),
    Set("firmware", "50 objects, 30 of them in 3 archives",
        Shape(50, 40, strings=60, comdats=4, debug=8192, debug_strings=40, archives=3,
              archived=0.6, needed=0.8), rounds=50),
    Set("thousand", "1,000 objects of 200 functions and 64 KB of debug sections",
        Shape(1000, 200, strings=200, comdats=8, debug=65536, debug_strings=100)),
    Set("debug", "2,000 objects, 500 MB, mostly debug sections",
        Shape(2000, 40, relocations=6, strings=40, comdats=4, debug=196608,
              debug_strings=400)),
    Set("tiny", "20,000 objects of 2 functions",
        Shape(20000, 2, relocations=4, pointers=1, variables=1, externals=2)),
    Set("archive", "an archive of 10,000 members, 200 of them needed",
        Shape(10000, 20, strings=20, externals=16, archives=1, archived=0.999, needed=0.02),
        rounds=15),
    Set("strings", "1,000 objects of 2,000 strings, many of them equal",
        Shape(1000, 20, strings=2000, shared_strings=0.8)),
    Set("gc", "1,000 objects of 200 functions, 7 of 10 dropped",
        Shape(1000, 200, strings=50, comdats=20, dropped=0.7)),
    Set("regions", "10,000 functions in 2,000 memory regions",
        Shape(200, 50, strings=10, regions=2000), rounds=15, script=True),
)}
MAPS = Set("maps", "what maps cost in a link of 100,000 functions, half of the set thousand",
           replace(SETS["thousand"].shape, objects=500), rounds=21)
QUICK = 10                         # a set's size divided by that of its quick variant


def quick(one: Set) -> Set:
    """The small variant of a set, with few rounds."""
    shape = replace(one.shape, objects=max(2, one.shape.objects // QUICK),
                    regions=one.shape.regions // QUICK)
    about = one.about if shape.objects == one.shape.objects else one.about + ", a tenth of that"
    return replace(one, about=about, shape=shape,
                   rounds=min(one.rounds, 20 if shape.objects < QUICK else 3))


def reshaped(one: Set, changes: list[str]) -> Set:
    """The set with other numbers, each given as FIELD=NUMBER."""
    known = {field.name: type(getattr(one.shape, field.name)) for field in fields(Shape)}
    values = {}
    for change in changes:
        name, _, text = change.partition("=")
        try:
            values[name] = known[name](text)
        except (KeyError, ValueError):
            raise SystemExit(f"{change} is none of: " + ", ".join(
                f"{field}={'SHARE' if kind is float else 'NUMBER'}"
                for field, kind in known.items())) from None
    try:
        shape = replace(one.shape, **values)
    except ValueError as error:
        raise SystemExit(str(error)) from None
    return replace(one, about=", ".join((one.about, *changes)), shape=shape)


def prepare(machine: str, one: Set, directory: str) -> str:
    """Writes the program unless it is there. Returns the path of its response file."""
    with open(generate.__file__, "rb") as file:
        version = zlib.crc32(repr(one.shape).encode(), zlib.crc32(file.read()))
    place = os.path.join(directory, f"{one.name}-{machine}-{version:08x}")
    listing = os.path.join(place, "objects.rsp")
    return listing if os.path.exists(listing) else generate.write(machine, place, one.shape)


def inputs(listing: str) -> list[str]:
    """The files that a response file names: objects, archives, the script."""
    with open(listing, encoding="ascii") as file:
        return [line for line in file.read().split("\n") if os.path.isabs(line)]
