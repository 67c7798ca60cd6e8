"""What tools/bench checks of the linkers' outputs, and reads for it."""
import hashlib
import mmap
import os

from elf import ELF32, ELF64, ET_EXEC, SHF_ALLOC, SHT_SYMTAB
from generate import ENTRY, FORMS

SLACK = 64                         # bytes in which sizes may differ, for alignment


class Output:
    """The parts of a linked file that are compared; the rest is not read."""

    def __init__(self, path: str) -> None:
        with open(path, "rb") as file, \
                mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as image:
            if image[:4] != b"\x7fELF" or image[5] != 1:
                raise ValueError("not a little-endian ELF file")
            self.is64 = image[4] == 2
            self.layout = ELF64 if self.is64 else ELF32
            (self.type, self.machine, _, self.entry, _, at, _, _, _, _, _, count,
             names) = self.layout.header.unpack_from(image, 16)
            size = self.layout.section.size
            headers = [self.layout.section.unpack_from(image, at + size * index)
                       for index in range(count)]
            self.sizes: dict[str, int] = {}
            self.spans: list[tuple[int, int]] = []
            for name, kind, flags, address, _, length, *_ in headers:
                start = headers[names][4] + name
                text = image[start:image.find(b"\0", start)].decode()
                if flags & SHF_ALLOC:
                    self.spans.append((address, length))
                for group in (".text", ".data"):
                    if text == group or text.startswith(group + "0"):
                        self.sizes[group] = self.sizes.get(group, 0) + length
            self.entry_symbol = next(
                (self._symbol(image, header, headers[header[6]])
                 for header in headers if header[1] == SHT_SYMTAB), None)

    def _symbol(self, image: mmap.mmap, table: tuple[int, ...],
                strings: tuple[int, ...]) -> int | None:
        """The value of the entry symbol. Its name may be the end of another's."""
        wanted, start = ENTRY.encode() + b"\0", strings[4]
        end = start + strings[5]
        names = set()
        found = image.find(wanted, start, end)
        while found >= 0:
            names.add(found - start)
            found = image.find(wanted, found + 1, end)
        content = image[table[4]:table[4] + table[5]]
        for entry in self.layout.symbol.iter_unpack(content):
            if entry[0] in names:
                return int(entry[4] if self.is64 else entry[1])
        return None


def faults(path: str, form: str) -> list[str]:
    """What is wrong with an output by itself."""
    try:
        output = Output(path)
    except (OSError, ValueError) as error:
        return [f"{path}: {error}"]
    said = []
    if output.type != ET_EXEC or output.machine != FORMS[form].machine or \
            output.is64 != FORMS[form].is64:
        said.append(f"{path}: not an executable of {form}")
    if output.entry_symbol is None or output.entry != output.entry_symbol:
        said.append(f"{path}: the entry is {output.entry:#x}, {ENTRY} is at "
                    f"{output.entry_symbol}")
    if not any(start <= output.entry < start + size for start, size in output.spans):
        said.append(f"{path}: the entry {output.entry:#x} is in no section")
    return said


def check(outputs: list[tuple[str, str]]) -> list[str]:
    """What is wrong with outputs of one shape, given as (path, form), the first of which
    the others are compared with."""
    said = [fault for path, form in outputs for fault in faults(path, form)]
    if said:
        return said
    mine = Output(outputs[0][0]).sizes
    for path, _ in outputs[1:]:
        theirs = Output(path).sizes
        for name in (".text", ".data"):
            if abs(theirs.get(name, 0) - mine.get(name, 0)) > SLACK:
                said.append(f"{path}: {theirs.get(name, 0)} bytes of {name}, "
                            f"xlink has {mine.get(name, 0)}")
    return said


def digest(path: str) -> str:
    """What stands for a file's bytes."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha1").hexdigest()


def size_of(paths: list[str]) -> int:
    """The bytes of these files together."""
    return sum(os.path.getsize(path) for path in paths)
