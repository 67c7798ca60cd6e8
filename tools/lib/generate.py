"""Objects for benchmarks: one program of any shape, in the form of several machines.

Functions stand in sections of their own and call each other within and between objects;
there are variables, tables of function pointers, mergeable strings, COMDAT groups and
debug sections. For every machine the sections, symbols, relocations and sizes are equal;
what differs is the instructions' bytes, the relocation types and the class of the file.

Writing is fast because objects are not built one by one: a few of them are, as templates
in which the number of the object stands as five marks. An object is a template with its
number in these places, with other names for what it refers to, and with its own piece of
the strings that objects share.
"""
import math
import os
import random
import re
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from elf import (ELF32, ELF64, ET_REL, SHF_ALLOC, SHF_EXECINSTR, SHF_MERGE, SHF_STRINGS, SHF_WRITE,
                 SHT_GROUP, SHT_NOBITS, SHT_PROGBITS, SHT_RELA, SHT_STRTAB, SHT_SYMTAB, STB_GLOBAL,
                 STB_LOCAL, STB_WEAK, STT_FUNC, STT_NOTYPE, STT_OBJECT, STT_SECTION)

SHF_INFO_LINK, SHF_GROUP, GRP_COMDAT = 0x40, 0x200, 1
ENTRY = "module00000_function000"
MARK = b"#####"                # where an object's number goes
TEMPLATES = 8                  # different ones of a set
SLOT = 8                       # bytes of code, or of a table, for each relocation
# The slots of a function: calls, and pairs that make an address. The first address is
# that of a variable, the second that of a string.
PATTERN = "CCHLCHLC"
DEBUG_SPACING = 24             # bytes of debug sections for each relocation in them
STRING_LENGTHS = (11, 23, 17, 35, 14, 61, 29, 19)


@dataclass(frozen=True)
class Slot:
    """Eight bytes of code with a relocation."""
    code: bytes
    type: int
    at: int = 0
    addend: int = 0


@dataclass(frozen=True)
class Form:
    """A machine's form of the program."""
    machine: int
    is64: bool
    call: Slot
    high: Slot
    low: Slot
    pointer: int               # relocation type of a pointer in data
    word: int                  # relocation type of an offset or address in debug sections
    code: int = SHF_ALLOC | SHF_EXECINSTR
    flat: bool = False         # needs a script that gives it one large memory


def words(*values: int) -> bytes:
    """Little-endian 32-bit words."""
    return struct.pack(f"<{len(values)}I", *values)


def plain_form(machine: int, kind: int, code: int = SHF_ALLOC | SHF_EXECINSTR) -> Form:
    """A machine of small memories: every place gets a whole address, which fits anywhere."""
    slot = Slot(bytes(SLOT), kind)
    return Form(machine, False, slot, slot, slot, kind, kind, code, flat=True)


FORMS = {
    # call; movehi, or
    "nyuzi": Form(9999, False, Slot(words(0xF8000000, 0), 3), Slot(words(0x4F000000, 0), 4),
                  Slot(words(0, 0), 5), 1, 1),
    "xs1": plain_form(203, 1),
    "aphelion": Form(0xA9E1, True, Slot(bytes(SLOT), 3), Slot(bytes(SLOT), 2),
                     Slot(bytes(SLOT), 2), 2, 2),
    "dpu": plain_form(245, 1),
    # Code may stand only at the beginning of a tile's memory, so it passes for constants.
    "colossus": plain_form(248, 4, SHF_ALLOC),
    # call rel32; mov $imm32
    "x86-64": Form(62, True, Slot(bytes.fromhex("e800000000909090"), 4, 1, -4),
                   Slot(bytes.fromhex("b800000000909090"), 10, 1),
                   Slot(bytes.fromhex("b900000000909090"), 10, 1), 1, 10),
    # auipc, jalr; lui; addi
    "riscv32": Form(243, False, Slot(words(0x00000097, 0x000080E7), 19),
                    Slot(words(0x00000537, 0x13), 26), Slot(words(0x00050513, 0x13), 27), 1, 1),
}


@dataclass(frozen=True)
class Shape:
    """What a program consists of. Numbers are for each object unless they say otherwise."""
    objects: int                   # of the program
    functions: int
    relocations: int = 8           # of each function
    pointers: int = 16             # in .data
    variables: int = 32            # in .bss
    labels: int = 0                # further local symbols
    externals: int = 32            # functions of other objects that it refers to
    strings: int = 0
    shared_strings: float = 0.5    # share of them that other objects have too
    comdats: int = 0
    shared_comdats: float = 0.75   # share of them that every object has
    debug: int = 0                 # bytes of .debug_info and .debug_line
    debug_relocated: float = 0.25  # share of them that is .debug_info, with relocations
    debug_strings: int = 0
    archives: int = 0              # of the program
    archived: float = 0.0          # share of objects that are in archives
    needed: float = 1.0            # share of those that the link needs
    dropped: float = 0.0           # share of functions that nothing refers to; --gc-sections
    regions: int = 0               # of the script, which there is when there are any
    seed: int = 1

    def __post_init__(self) -> None:
        sound = (1 <= self.objects <= 100_000 and 1 <= self.functions <= 1000 and
                 self.relocations >= 1 and self.seed >= 0 and
                 min(self.pointers, self.variables, self.labels, self.externals, self.strings,
                     self.comdats, self.debug, self.debug_strings, self.archives) >= 0 and
                 max(self.variables, self.comdats) <= 1000 and
                 all(0 <= share <= 1 for share in (self.shared_strings, self.shared_comdats,
                                                   self.debug_relocated, self.archived,
                                                   self.needed, self.dropped)) and
                 (self.archives > 0) == (self.roots() < self.objects) and
                 self.archives <= self.objects - self.roots() < self.objects and
                 0 <= self.regions <= self.objects * self.functions)
        if not sound:
            raise ValueError(f"no program is of this shape: {self}")

    def roots(self) -> int:
        """How many objects are in no archive."""
        return self.objects - round(self.objects * self.archived)

    def used(self) -> int:
        """How many objects the link needs; they come first."""
        return self.roots() + math.ceil((self.objects - self.roots()) * self.needed)

    def live(self) -> int:
        """How many functions of an object something refers to; they come first."""
        return max(1, round(self.functions * (1 - self.dropped)))


def function_name(function: int) -> str:
    """A function's name, with marks for the object's number."""
    return f"module#####_function{function:03}"


def variable_name(variable: int) -> str:
    """A variable's name, likewise; as long as a function's."""
    return f"module#####_variable{variable:03}"


def is_local(function: int) -> bool:
    """One function in four is local to its object."""
    return function % 4 == 3


def padded(text: str, number: int) -> bytes:
    """A string of the length that strings of this number have, with its zero."""
    length = max(STRING_LENGTHS[number % len(STRING_LENGTHS)], len(text))
    return text.ljust(length, ".").encode() + b"\0"


class Strings:
    """The mergeable strings of an object: shared ones first, then its own.

    The shared ones are a piece of a pool. Lengths repeat, so each piece that begins at a
    multiple of the period has its strings at the same offsets.
    """

    def __init__(self, count: int, shared: float, what: str) -> None:
        period = len(STRING_LENGTHS)
        self.pieces = round(count * shared) // period
        pool = [b"".join(padded(f"{what} {piece * period + place:06}", place)
                         for place in range(period)) for piece in range(4 * self.pieces)]
        self.period = len(pool[0]) if pool else 0
        self.pool = b"".join(pool)
        own = count - self.pieces * period
        self.own = b"".join(padded(f"{number:06} {what} {MARK.decode()}", number)
                            for number in range(own))
        first = self.pool[:self.pieces * self.period] + self.own
        self.size = len(first)
        self.offsets = [0] + [zero.end() for zero in re.finditer(b"\0", first[:-1])]

    def of(self, rng: random.Random, number: bytes) -> bytes:
        """The section of the object with this number."""
        start = rng.randrange(3 * self.pieces + 1) * self.period
        return (self.pool[start:start + self.pieces * self.period] +
                self.own.replace(MARK, number))


@dataclass
class Header:
    """A section of a template; its bytes are None where they differ between objects."""
    name: int
    type: int
    flags: int
    data: bytes | None
    size: int
    link: int = 0
    info: int = 0
    align: int = 1
    entsize: int = 0


class Template:
    """An object with marks for its number.

    `constant` is its beginning; the strings, the names and `headers` follow in an object.
    """

    def __init__(self, form: Form, shape: Shape, variant: int, strings: Strings,
                 debug_strings: Strings) -> None:
        self.form, self.shape = form, shape
        self.layout = ELF64 if form.is64 else ELF32
        self.word = 8 if form.is64 else 4
        self.rng = random.Random(f"template {shape.seed} {variant}")
        self.strings, self.debug_strings = strings, debug_strings
        self.names = bytearray(b"\0")
        self.symbols: list[tuple[int, int, int, int, int]] = []  # name, value, size, info, section
        self.indexes: dict[str, int] = {}
        self.sections: list[Header] = []
        self.exported: list[str] = []          # what an archive's index lists
        self._plan()
        self._symbols()
        self._contents()
        self._finish()

    # ---- Names and numbers ----------------------------------------------------

    def _plan(self) -> None:
        """Numbers the sections: functions, groups, data, debug sections, symbols."""
        shape = self.shape
        each = 2 if shape.relocations else 1
        self.code_index = [1 + each * f for f in range(shape.functions)]
        first = 1 + each * shape.functions
        self.group_index = [first + (each + 1) * c for c in range(shape.comdats)]
        self.data_index = first + (each + 1) * shape.comdats
        self.bss_index = self.data_index + (2 if shape.pointers else 1)
        self.debug_index = self.bss_index + 1
        self.symtab_index = self.debug_index + (3 if shape.debug else 0)
        self.string_index = self.symtab_index + 1
        self.debug_string_index = self.string_index + 1
        self.strtab_index = self.debug_string_index + 1
        self.code_names = [self._name(".rela.text." + function_name(f))
                           for f in range(shape.functions)]
        self.group_names = [self._name(".rela.text." + self.comdat_name(c))
                            for c in range(shape.comdats)]

    def _name(self, text: str) -> int:
        """The offset of a new name in the string table."""
        offset = len(self.names)
        self.names += text.encode() + b"\0"
        return offset

    def comdat_name(self, number: int) -> str:
        """A name of the object's own, or one that all objects have."""
        shared = number < round(self.shape.comdats * self.shape.shared_comdats)
        return f"inline_shared_{number:03}" if shared else f"module#####_inline{number:03}"

    # ---- Symbols ----------------------------------------------------------------

    def _symbol(self, key: str, name: int, value: int, size: int, info: tuple[int, int],
                section: int) -> None:
        """Appends a symbol that is found by `key` from now on."""
        self.symbols.append((name, value, size, info[0] << 4 | info[1], section))
        self.indexes[key] = len(self.symbols)

    def _symbols(self) -> None:
        """Local symbols, as ELF demands, then global ones, then undefined ones."""
        shape, size = self.shape, self.shape.relocations * SLOT
        section = (STB_LOCAL, STT_SECTION)
        self._symbol("strings", 0, 0, 0, section, self.string_index)
        if shape.debug:
            self._symbol("line", 0, 0, 0, section, self.debug_index + 2)
            self._symbol("debug strings", 0, 0, 0, section, self.debug_string_index)
        for f in filter(is_local, range(shape.functions)):
            self._symbol(function_name(f), self.code_names[f] + 11, 0, size,
                         (STB_LOCAL, STT_FUNC), self.code_index[f])
        for label in range(shape.labels):
            self._symbol("label", self._name(f"label{label:04}"), 0, 0, (STB_LOCAL, STT_NOTYPE),
                         self.code_index[label % shape.functions])
        self.local_count = len(self.symbols) + 1
        for f in range(shape.functions):
            if not is_local(f):
                self._global(function_name(f), self.code_names[f] + 11, (0, size),
                             (STB_GLOBAL, STT_FUNC), self.code_index[f])
        for c in range(shape.comdats):
            self._global(self.comdat_name(c), self.group_names[c] + 11, (0, size),
                         (STB_WEAK, STT_FUNC), self.group_index[c] + 1)
        data = (STB_GLOBAL, STT_OBJECT)
        if shape.pointers:
            name = "module#####_pointers"
            self._global(name, self._name(name), (0, shape.pointers * SLOT), data, self.data_index)
        for v in range(shape.variables):
            name = variable_name(v)
            self._global(name, self._name(name), (4 * v, 4), data, self.bss_index)
        # The names of other objects' symbols follow our own; all are of one length.
        self.own_names = len(self.names)
        undefined = (STB_GLOBAL, STT_NOTYPE)
        for e in range(shape.externals):
            self._symbol(f"external {e}", self._name(function_name(0)), 0, 0, undefined, 0)

    def _global(self, name: str, offset: int, place: tuple[int, int], info: tuple[int, int],
                section: int) -> None:
        self._symbol(name, offset, *place, info, section)
        self.exported.append(name)

    # ---- What functions refer to ------------------------------------------------

    def _called(self, function: int, call: int) -> int:
        """The symbol that a call of a function refers to.

        Functions are a tree, as are objects, so that every live one is reached; calls
        that these trees do not need are random.
        """
        shape, rng = self.shape, self.rng
        dead = shape.live() <= function < shape.functions
        limit = shape.functions if dead else shape.live()
        child = 2 * function + 1 + call
        if call < 2 and child < limit:
            return self.indexes[function_name(child)]
        if function == 0 and 2 <= call < 2 + min(2, shape.externals):
            return self.indexes[f"external {call - 2}"]
        choice = rng.randrange(8)
        if choice == 0 and shape.comdats:
            return self.indexes[self.comdat_name(rng.randrange(shape.comdats))]
        if choice < 4 and shape.externals:
            return self.indexes[f"external {rng.randrange(shape.externals)}"]
        return self.indexes[function_name(rng.randrange(limit))]

    def _addressed(self, function: int, pair: int) -> tuple[int, int]:
        """The symbol whose address a function takes, and an offset."""
        shape, rng = self.shape, self.rng
        if pair % 2 and self.strings.size:
            return self.indexes["strings"], rng.choice(self.strings.offsets)
        if function == 0 and shape.pointers:
            return self.indexes["module#####_pointers"], 0
        if shape.variables:
            return self.indexes[variable_name(rng.randrange(shape.variables))], 0
        return self.indexes[function_name(0)], 0

    def _function(self, function: int) -> tuple[bytes, bytes]:
        """A function's code and relocations."""
        form, code, entries = self.form, bytearray(), []
        calls = pairs = 0
        target = (0, 0)
        for number in range(self.shape.relocations):
            kind = PATTERN[number % len(PATTERN)]
            if kind == "C":
                slot, target = form.call, (self._called(function, calls), 0)
                calls += 1
            elif kind == "H":
                slot, target = form.high, self._addressed(function, pairs)
                pairs += 1
            else:
                slot = form.low
            entries.append((len(code) + slot.at, target[0], slot.type, target[1] + slot.addend))
            code += slot.code
        return bytes(code), self._relocations(entries)

    def _relocations(self, entries: Iterable[tuple[int, int, int, int]]) -> bytes:
        """SHT_RELA entries from (offset, symbol, type, addend)."""
        pack, shift = self.layout.rela.pack, self.layout.info_shift
        return b"".join(pack(o, s << shift | t, a) for o, s, t, a in entries)

    # ---- Sections ----------------------------------------------------------------

    def _add(self, name: int, kind: int, flags: int, data: bytes, **rest: int) -> None:
        self.sections.append(Header(name, kind, flags, data, len(data), **rest))

    def _add_relocations(self, name: int, data: bytes, section: int, flags: int = 0) -> None:
        self._add(name, SHT_RELA, SHF_INFO_LINK | flags, data, link=self.symtab_index,
                  info=section, align=self.word, entsize=self.layout.rela.size)

    def _contents(self) -> None:
        """The sections up to .symtab, in the order of _plan()."""
        shape, form = self.shape, self.form
        for f, (name, index) in enumerate(zip(self.code_names, self.code_index)):
            code, relocations = self._function(f)
            self._add(name + 5, SHT_PROGBITS, form.code, code, align=8)
            if relocations:
                self._add_relocations(name, relocations, index)
        group = self._name(".group")
        for c, (name, index) in enumerate(zip(self.group_names, self.group_index)):
            code, relocations = self._function(shape.functions + c)
            members = [index + 1, index + 2] if relocations else [index + 1]
            self._add(group, SHT_GROUP, 0, words(GRP_COMDAT, *members), link=self.symtab_index,
                      info=self.indexes[self.comdat_name(c)], align=4, entsize=4)
            self._add(name + 5, SHT_PROGBITS, form.code | SHF_GROUP, code, align=8)
            if relocations:
                self._add_relocations(name, relocations, index + 1, SHF_GROUP)
        data = self._name(".rela.data")
        self._add(data + 5, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, bytes(shape.pointers * SLOT),
                  align=8)
        if shape.pointers:
            live = range(shape.live())
            self._add_relocations(data, self._relocations(
                (SLOT * p, self.indexes[function_name(self.rng.choice(live))], form.pointer, 0)
                for p in range(shape.pointers)), self.data_index)
        self.sections.append(Header(self._name(".bss"), SHT_NOBITS, SHF_ALLOC | SHF_WRITE, None,
                                    4 * shape.variables, align=8))
        if shape.debug:
            self._debug()

    def _debug(self) -> None:
        """.debug_info, its relocations, .debug_line."""
        shape, rng = self.shape, self.rng
        info = int(shape.debug * shape.debug_relocated) // DEBUG_SPACING * DEBUG_SPACING
        entries = []
        for number, at in enumerate(range(0, info, DEBUG_SPACING)):
            target, addend = self.indexes["line"], 0
            if number % 3 == 1:
                target = self.indexes[function_name(rng.randrange(shape.functions))]
            elif number % 3 == 2 and self.debug_strings.size:
                target = self.indexes["debug strings"]
                addend = rng.choice(self.debug_strings.offsets)
            entries.append((at + 8, target, self.form.word, addend))
        name = self._name(".rela.debug_info")
        self._add(name + 5, SHT_PROGBITS, 0, rng.randbytes(info))
        self._add_relocations(name, self._relocations(entries), self.debug_index)
        self._add(self._name(".debug_line"), SHT_PROGBITS, 0, rng.randbytes(shape.debug - info))

    def _symbol_table(self) -> bytes:
        """The contents of .symtab."""
        pack = self.layout.symbol.pack
        if self.form.is64:
            entries = (pack(n, i, 0, s, v, z) for n, v, z, i, s in self.symbols)
        else:
            entries = (pack(n, v, z, i, 0, s) for n, v, z, i, s in self.symbols)
        return bytes(self.layout.symbol.size) + b"".join(entries)

    def _finish(self) -> None:
        """The last sections, and everything that is equal in all objects."""
        self._add(self._name(".symtab"), SHT_SYMTAB, 0, self._symbol_table(),
                  link=self.strtab_index, info=self.local_count, align=self.word,
                  entsize=self.layout.symbol.size)
        # What differs between objects comes last and needs no alignment, so all else stays.
        merge = SHF_MERGE | SHF_STRINGS
        self.sections.append(Header(self._name(".rodata.str1.1"), SHT_PROGBITS, SHF_ALLOC | merge,
                                    None, self.strings.size, entsize=1))
        self.sections.append(Header(self._name(".debug_str"), SHT_PROGBITS, merge, None,
                                    self.debug_strings.size, entsize=1))
        name = self._name(".strtab")
        self.sections.append(Header(name, SHT_STRTAB, 0, None, len(self.names)))
        start = 16 + self.layout.header.size
        parts, headers, at = [b""], [bytes(self.layout.section.size)], start
        for section in self.sections:
            gap = -at % section.align
            at += gap
            headers.append(self.layout.section.pack(
                section.name, section.type, section.flags, 0, at, section.size, section.link,
                section.info, section.align, section.entsize))
            parts.append(bytes(gap))
            if section.data is not None:
                parts.append(section.data)
            if section.type != SHT_NOBITS:
                at += section.size
        self.padding = bytes(-at % 8)
        ident = b"\x7fELF" + bytes([2 if self.form.is64 else 1, 1, 1]) + bytes(9)
        parts[0] = ident + self.layout.header.pack(
            ET_REL, self.form.machine, 1, 0, 0, at + len(self.padding), 0, start, 0, 0,
            self.layout.section.size, len(headers), len(headers) - 1)
        self.constant, self.headers = b"".join(parts), b"".join(headers)

    # ---- Objects -------------------------------------------------------------------

    def object(self, index: int) -> bytes:
        """The bytes of the object with this number."""
        number = b"%05d" % index
        rng = random.Random(self.shape.seed << 20 | index)
        strings = self.strings.of(rng, number)
        external = b"".join(self._externals(index, rng))
        end = self.own_names + len(external)
        names = bytes(self.names)
        return b"".join((self.constant, strings, self.debug_strings.of(rng, number),
                         names[:self.own_names].replace(MARK, number), external,
                         names[end:], self.padding, self.headers))

    def _externals(self, index: int, rng: random.Random) -> Iterator[bytes]:
        """The names of the functions of other objects: those that follow in the tree of
        objects, then any."""
        shape = self.shape
        used, live = shape.used(), shape.live()
        for external in range(shape.externals):
            child = 2 * index + 1 + external
            if external < 2 and child < used:
                yield b"module%05d_function000\0" % child
            else:
                function = rng.randrange(live)
                yield b"module%05d_function%03d\0" % (rng.randrange(used),
                                                      function - is_local(function))

    def exports(self, index: int) -> list[bytes]:
        """The names that the object with this number defines."""
        number = b"%05d" % index
        return [name.encode().replace(MARK, number) for name in self.exported]


def templates(machine: str, shape: Shape) -> list[Template]:
    """The templates of a program; the object with number n is made of the one with
    number n modulo their number."""
    strings = Strings(shape.strings, shape.shared_strings, "message")
    debug_strings = Strings(shape.debug_strings, shape.shared_strings, "name of a type")
    return [Template(FORMS[machine], shape, variant, strings, debug_strings)
            for variant in range(min(TEMPLATES, shape.objects))]


def archive(members: list[tuple[str, bytes, list[bytes]]]) -> bytes:
    """An archive in the form of System V: an index of names, then (name, bytes, exports)."""
    def member(name: str, size: int) -> bytes:
        return f"{name:16}{0:<12}{0:<6}{0:<6}{644:<8}{size:<10}`\n".encode()

    names = b"".join(name + b"\0" for _, _, exports in members for name in exports)
    names += bytes(len(names) % 2)
    count = sum(len(exports) for _, _, exports in members)
    at = 8 + 60 + 4 + 4 * count + len(names)
    offsets, parts = [], []
    for name, data, exports in members:
        offsets += [at] * len(exports)
        parts += [member(name + "/", len(data)), data]
        at += 60 + len(data)           # objects are of even size
    index = struct.pack(f">{count + 1}I", count, *offsets) + names
    return b"".join((b"!<arch>\n", member("/", len(index)), index, *parts))


FLAT_SCRIPT = """/* One memory, large enough for any program. */
SECTIONS {
  . = 0x10000;
  .text : { *(.text .text.*) }
  .rodata : { *(.rodata .rodata.*) }
  .data : { *(.data .data.*) }
  .bss : { *(.bss .bss.*) *(COMMON) }
}
"""


def region_script(shape: Shape) -> str:
    """A script that spreads the functions over many memory regions, by their names."""
    functions = [f"module{o:05}_function{f:03}" for o in range(shape.objects)
                 for f in range(shape.functions)]
    size = 1 << max(12, (shape.relocations * SLOT * len(functions) // shape.regions)
                    .bit_length() + 1)
    start = 0x100000
    memory, sections = [], []
    for region in range(shape.regions):
        mine = functions[region * len(functions) // shape.regions:
                         (region + 1) * len(functions) // shape.regions]
        memory.append(f"  r{region:04} (rx) : ORIGIN = {start + region * size:#x}, "
                      f"LENGTH = {size:#x}")
        patterns = " ".join(".text." + name for name in mine)
        sections.append(f"  .text{region:04} : {{ *({patterns}) }} > r{region:04}")
    memory.append(f"  rest (rwx) : ORIGIN = {start + shape.regions * size:#x}, LENGTH = 1024M")
    sections += [f"  {name} : {{ *({name} {name}.*) }} > rest"
                 for name in (".text", ".rodata", ".data", ".bss")]
    return "\n".join(("MEMORY {", *memory, "}", "SECTIONS {", *sections, "}", ""))


def write(machine: str, directory: str, shape: Shape) -> str:
    """Writes a program below `directory`. Returns the path of objects.rsp there, which has
    the arguments of the link but for the machine and the output."""
    os.makedirs(directory, exist_ok=True)
    made = templates(machine, shape)
    arguments = ["-e", ENTRY]
    if shape.dropped:
        arguments.append("--gc-sections")
    if shape.regions or FORMS[machine].flat:
        script = os.path.join(directory, "script.ld")
        with open(script, "w", encoding="ascii") as file:
            file.write(region_script(shape) if shape.regions else FLAT_SCRIPT)
        arguments += ["-T", script]
    for index in range(shape.roots()):
        path = os.path.join(directory, f"module{index:05}.o")
        with open(path, "wb", buffering=0) as raw:
            raw.write(made[index % len(made)].object(index))
        arguments.append(path)
    if shape.archives:
        arguments.append("--start-group")
        for number in range(shape.archives):
            path = os.path.join(directory, f"library{number}.a")
            with open(path, "wb", buffering=0) as raw:
                raw.write(archive([(f"m{index:05}.o", made[index % len(made)].object(index),
                                    made[index % len(made)].exports(index)) for index in
                                   range(shape.roots() + number, shape.objects, shape.archives)]))
            arguments.append(path)
        arguments.append("--end-group")
    listing = os.path.join(directory, "objects.rsp")
    with open(listing, "w", encoding="ascii") as file:
        file.write("\n".join(arguments) + "\n")
    return listing


def generate(machine: str, directory: str, objects: int, functions: int) -> str:
    """Writes a program of many functions without debug sections; see write()."""
    return write(machine, directory, Shape(objects, functions, strings=96))
