"""Objects for RISC-V 32 that Nyuzi can have too: each relocation is a word with S + A.

A test's input is assembled or compiled for RISC-V 32, whose GNU ld and lld are at hand, and made
plain: differences of labels in one section become numbers, and the field of any other relocation
a word. Code is not meant to run then, but refers to what it did. The same bytes with another
e_machine are an object of Nyuzi, whose relocation of words has the same number.
"""
import re
import struct
import subprocess

EM_RISCV, EM_NYUZI = 243, 9999
WORD = 1                                      # R_RISCV_32, and Nyuzi's R_NYUZI_ABS32
DROPPED = {0, 43, 51}                         # NONE, ALIGN, RELAX
ADDS = {33: 1, 34: 2, 35: 4, 36: 8}           # bytes of the field
SUBS = {37: 1, 38: 2, 39: 4, 40: 8}
SETS = {54: 1, 55: 2, 56: 4}
SUB6, SET6 = 52, 53
PC32, WORD64 = 57, 2
RELA, REL, ATTRIBUTES = 4, 9, 0x70000003


class Unusable(Exception):
    """An input that is none for these machines; the text says why."""


class Object:
    """A little-endian ELF32 object whose bytes are edited in place."""

    def __init__(self, data, begin=0):
        self.data, self.begin = data, begin
        self.shoff, = struct.unpack_from("<I", data, begin + 32)
        self.count, = struct.unpack_from("<H", data, begin + 48)
        self.heads = [struct.unpack_from("<10I", data, begin + self.shoff + 40 * i)
                      for i in range(self.count)]

    def set_head(self, index, field, value):
        struct.pack_into("<I", self.data, self.begin + self.shoff + 40 * index + 4 * field, value)

    def symbol(self, table, index):
        """(value, section) of a symbol."""
        _, value, _, _, _, section = struct.unpack_from(
            "<IIIBBH", self.data, self.begin + self.heads[table][4] + 16 * index)
        return value, section


def is_object(data, begin=0):
    return data[begin:begin + 6] == b"\x7fELF\1\1"


def machine(data, begin=0):
    return struct.unpack_from("<H", data, begin + 18)[0]


def absolute_frames(data, begin, size):
    """Makes the pointers of .eh_frame absolute, as the relocations of words give them."""
    at = begin
    while at + 8 <= begin + size:
        length, cie = struct.unpack_from("<II", data, at)
        if cie == 0 and data[at + 9:at + 12] == b"zR\0":
            data[at + 16] &= 0x8f             # behind code, data, register, length
        at += 4 + length


def difference(elf, table, group):
    """The number that a group of relocations of one place adds up to."""
    total, sections = 0, set()
    for _, info, addend in group:
        value, section = elf.symbol(table, info >> 8)
        sections.add(section)
        total += (value + addend) * (-1 if info & 255 in SUBS or info & 255 == SUB6 else 1)
    if len(sections) != 1 or 0 in sections:
        raise Unusable("a difference of symbols in two sections")
    return total


def store_difference(data, at, group, total):
    """Stores the number where the relocations would have put it."""
    kinds = {info & 255 for _, info, _ in group}
    if SET6 in kinds or SUB6 in kinds:
        data[at] = data[at] & 0xc0 | total & 0x3f
        return
    size = next((t[k] for k in kinds for t in (ADDS, SUBS, SETS) if k in t), None)
    if size is None:
        raise Unusable(f"relocation of type {min(kinds)}")
    data[at:at + size] = (total & (1 << 8 * size) - 1).to_bytes(size, "little")


def plain_section(elf, index):
    """Makes the relocations of one SHT_RELA section plain; what is left of them stays."""
    _, _, _, _, offset, size, table, target, *_ = elf.heads[index]
    home = elf.begin + elf.heads[target][4]
    room = elf.heads[target][5]
    groups, kept = {}, []
    for at in range(offset, offset + size, 12):
        entry = struct.unpack_from("<IIi", elf.data, elf.begin + at)
        if entry[1] & 255 not in DROPPED:
            groups.setdefault(entry[0], []).append(entry)
    for place, group in sorted(groups.items()):
        kinds = {info & 255 for _, info, _ in group}
        if kinds & (set(ADDS) | set(SUBS) | set(SETS) | {SUB6, SET6}):
            store_difference(elf.data, home + place, group, difference(elf, table, group))
        elif kinds & {WORD64, 60, 61} or place + 4 > room:
            raise Unusable(f"relocation of type {min(kinds)}")
        else:
            _, info, addend = group[-1]
            elf.data[home + place:home + place + 4] = bytes(4)
            kept.append((place, info & ~255 | WORD, addend))
    rows = b"".join(struct.pack("<IIi", *row) for row in kept)
    elf.data[elf.begin + offset:elf.begin + offset + len(rows)] = rows
    elf.set_head(index, 5, len(rows))


def make_plain(data):
    """A RISC-V 32 object with relocations of words alone."""
    data = bytearray(data)
    if not is_object(data) or machine(data) != EM_RISCV:
        raise Unusable("no object of RISC-V 32")
    elf = Object(data)
    names = elf.heads[struct.unpack_from("<H", data, 50)[0]][4]
    for index, head in enumerate(elf.heads):
        name = data[names + head[0]:data.index(0, names + head[0])]
        if head[1] == RELA:
            plain_section(elf, index)
        elif head[1] == ATTRIBUTES:           # says what code needs; Nyuzi has no such section
            elf.set_head(index, 1, 0)
        elif name == b".eh_frame":
            absolute_frames(data, head[4], head[5])
    struct.pack_into("<I", data, 36, 0)
    return bytes(data)


def to_nyuzi(data):
    """The same object, or archive of objects, for Nyuzi."""
    data = bytearray(data)
    starts = [0]
    if data[:8] == b"!<arch>\n":
        starts, at = [], 8
        while at + 60 <= len(data):
            size = int(data[at + 48:at + 58])
            if data[at:at + 3] == b"#1/":
                name = int(data[at + 3:at + 16])
                starts.append(at + 60 + name)
            else:
                starts.append(at + 60)
            at += 60 + size + (size & 1)
    for begin in starts:
        if is_object(data, begin) and machine(data, begin) == EM_RISCV:
            struct.pack_into("<H", data, begin + 18, EM_NYUZI)
    return bytes(data)


# --- sources ------------------------------------------------------------------------------------

LABEL = re.compile(r'\s*(?:[\w.$]+|"[^"]*"):')
KEPT = {"nop", "ret"}
REFERENCE = re.compile(r"(?<![\w.$%])\$?([A-Za-z_.][\w.$]*(?:\s*[+-]\s*\d+)?)")
REGISTER = re.compile(r"(?:[re]?[abcd]x|[re]?[sd]i|[re]?[sb]p|[abcd][lh]|[re]?ip|[c-g]s|[xyz]mm\d+|"
                      r"[xwrv]\d+|sp|lr|pc|ptr|byte|word|dword|qword)$", re.IGNORECASE)


def in_words(line):
    """A line of another machine's assembly: its directives, and words that refer to what its
    instruction did."""
    match = LABEL.match(line)
    labels, rest = (match.group(), line[match.end():]) if match else ("", line)
    again = LABEL.match(rest)
    if again:
        return labels + in_words(rest)
    text = rest.strip()
    if not text or text[0] in "#/" or re.match(r"[\w.$]+\s*=", text):
        return line
    if text[0] == ".":
        if re.match(r"\.(quad|8byte|xword|dword)\b", text) and re.search(r"[A-Za-z_]\w*", text[6:]) \
                and not re.fullmatch(r"\.\w+\s+(0x[0-9a-fA-F]+|\d+|\s|,|-)+(#.*)?", text):
            rest = re.sub(r"\.(quad|8byte|xword|dword)", ".word", rest, count=1)
        return labels + re.sub(r"@(plt|PLT|GOTPCREL|gotpcrel|GOT|got|rel32)\b", "", rest)
    word, _, operands = text.partition(" ")
    operands = re.sub(r"@\w+", "", re.sub(r"#.*|//.*|%\w+", "", operands))
    names = [n for n in REFERENCE.findall(operands) if not REGISTER.match(n)]
    if word in KEPT or not names:
        return labels + " nop"
    return labels + "".join(f" .word {name};" for name in names)


def assemble(assembler, source, output, options, folders, align_bytes=False):
    """Assembles a source, whatever machine it is for, as far as it consists of directives;
    `align_bytes`: .align counts bytes there, as on x86, and no bits."""
    lines, bad = [], re.compile(r"^\s*(\.(intel_syntax|code64|code32|arch|fpu|cpu|attribute|set_base)\b)")
    for line in source.decode("utf-8", "replace").splitlines():
        line = "" if bad.match(line) else in_words(line)
        lines.append(re.sub(r"\.align\b", ".balign", line) if align_bytes else line)
    command = [assembler, "-march=rv32i", "-mabi=ilp32", "-mno-relax", "-o", str(output),
               *(f"-I{f}" for f in folders), *options, "-"]
    done = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True,
                          check=False, cwd=folders[0])
    if done.returncode:
        first = next((line for line in done.stderr.splitlines() if "rror" in line), "?")
        raise Unusable("does not assemble: " + re.sub(r"^.*?rror: ", "", first))


def compile_c(compiler, source, output, options):
    """Compiles C or C++."""
    command = [compiler, "-target", "riscv32", "-march=rv32i", "-mabi=ilp32", "-mno-relax", "-w",
               "-msmall-data-limit=0", "-fno-asynchronous-unwind-tables", "-ffreestanding",
               "-fno-addrsig", "-c", str(source), "-o", str(output), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        first = next((line for line in done.stderr.splitlines() if "rror" in line), "?")
        raise Unusable("does not compile: " + re.sub(r"^.*?rror: ", "", first))
