"""Reading and writing ELF files: what the demonstration and the benchmarks need.

Written against the ELF specification, with nothing taken from the linker, so that
a file which both understand is understood alike for a reason. Little-endian only.
"""
import struct
from dataclasses import dataclass, field

SHT_PROGBITS, SHT_SYMTAB, SHT_STRTAB, SHT_RELA, SHT_NOBITS, SHT_GROUP = 1, 2, 3, 4, 8, 17
SHF_WRITE, SHF_ALLOC, SHF_EXECINSTR, SHF_MERGE, SHF_STRINGS = 1, 2, 4, 0x10, 0x20
SHF_EXCLUDE = 0x80000000
SHN_UNDEF, SHN_ABS, SHN_COMMON = 0, 0xFFF1, 0xFFF2
STB_LOCAL, STB_GLOBAL, STB_WEAK = 0, 1, 2
STT_NOTYPE, STT_OBJECT, STT_FUNC, STT_SECTION, STT_FILE = 0, 1, 2, 3, 4
ET_REL, ET_EXEC = 1, 2


@dataclass
class Layout:
    """The structures of one ELF class, as struct formats."""
    header: struct.Struct
    section: struct.Struct
    symbol: struct.Struct
    rela: struct.Struct
    info_shift: int  # where the symbol's index begins in r_info


ELF32 = Layout(struct.Struct("<HHIIIIIHHHHHH"), struct.Struct("<10I"),
               struct.Struct("<IIIBBH"), struct.Struct("<IIi"), 8)
ELF64 = Layout(struct.Struct("<HHIQQQIHHHHHH"), struct.Struct("<IIQQQQIIQQ"),
               struct.Struct("<IBBHQQ"), struct.Struct("<QQq"), 32)


@dataclass
class Section:
    """A section header with its contents; no contents for SHT_NOBITS."""
    name: str
    type: int
    flags: int
    address: int
    size: int
    link: int
    info: int
    align: int
    entsize: int
    data: bytes = b""


@dataclass
class Symbol:
    """A symbol table entry; `section` is st_shndx."""
    name: str
    value: int
    size: int
    bind: int
    type: int
    section: int


@dataclass
class Relocation:
    """An SHT_RELA entry; `symbol` is an index into the symbol table."""
    offset: int
    type: int
    symbol: int
    addend: int


def text_at(strings, offset):
    """The zero-terminated string at `offset` of a string table."""
    return strings[offset:strings.index(b"\0", offset)].decode()


class ElfFile:
    """An ELF file read as a whole: header fields, `sections`, `symbols`."""

    def __init__(self, path):
        with open(path, "rb") as file:
            image = file.read()
        if image[:4] != b"\x7fELF" or image[5] != 1:
            raise ValueError(f"{path}: not a little-endian ELF file")
        self.path = path
        self.is64 = image[4] == 2
        self.osabi = image[7]
        self.layout = layout = ELF64 if self.is64 else ELF32
        (self.type, self.machine, _, self.entry, _, shoff, self.flags, _, _, _, _, count,
         names) = layout.header.unpack_from(image, 16)
        self.sections, name_offsets = [], []
        for index in range(count):
            name, kind, flags, address, offset, size, link, info, align, entsize = \
                layout.section.unpack_from(image, shoff + index * layout.section.size)
            data = b"" if kind in (0, SHT_NOBITS) else image[offset:offset + size]
            name_offsets.append(name)
            self.sections.append(
                Section("", kind, flags, address, size, link, info, align, entsize, data))
        for section, name in zip(self.sections, name_offsets):
            section.name = text_at(self.sections[names].data, name) if names else ""
        self.symbols = []
        for section in self.sections:
            if section.type == SHT_SYMTAB:
                self._read_symbols(section)

    def _read_symbols(self, table):
        strings = self.sections[table.link].data
        for entry in self.layout.symbol.iter_unpack(table.data):
            if self.is64:
                name, info, _, shndx, value, size = entry
            else:
                name, value, size, info, _, shndx = entry
            self.symbols.append(
                Symbol(text_at(strings, name), value, size, info >> 4, info & 15, shndx))

    def relocations(self, index):
        """The relocations of the section with this index, in order."""
        found = []
        for table in self.sections:
            if table.type != SHT_RELA or table.info != index:
                continue
            for offset, info, addend in self.layout.rela.iter_unpack(table.data):
                shift = self.layout.info_shift
                found.append(Relocation(offset, info & (1 << shift) - 1, info >> shift, addend))
        return found

    def section_at(self, address):
        """The allocated section that holds `address`, or None."""
        for section in self.sections:
            if section.flags & SHF_ALLOC and \
                    section.address <= address < section.address + section.size:
                return section
        return None

    def bytes_at(self, address, size):
        """`size` bytes of the loaded image, or None where there are none."""
        section = self.section_at(address)
        if section is None or section.type == SHT_NOBITS:
            return None
        start = address - section.address
        data = section.data[start:start + size]
        return data if len(data) == size else None


class StringTable:
    """A string table under construction; equal strings are stored once."""

    def __init__(self):
        self.data = bytearray(b"\0")
        self._offsets = {"": 0}

    def add(self, text):
        """The offset of `text`."""
        offset = self._offsets.get(text)
        if offset is None:
            offset = self._offsets[text] = len(self.data)
            self.data += text.encode() + b"\0"
        return offset


@dataclass
class ObjectSection:
    """A section of an object under construction."""
    name: str
    type: int
    flags: int
    align: int
    entsize: int
    data: bytearray = field(default_factory=bytearray)
    size: int = 0  # of SHT_NOBITS
    relocations: list = field(default_factory=list)  # (offset, type, symbol, addend)


class ObjectWriter:
    """Builds a relocatable object: sections, then symbols by name, then write()."""

    def __init__(self, machine, is64=False, flags=0, osabi=0):
        self.machine, self.is64, self.flags, self.osabi = machine, is64, flags, osabi
        self.layout = ELF64 if is64 else ELF32
        self.sections = []
        self.current = None
        self._symbols = {}  # name -> (section, st_shndx or None, value, size, bind, type)
        self._statements = []  # of XS1's .expr: (operator, result, operands)

    def section(self, name, flags, align=4, kind=SHT_PROGBITS, entsize=0):
        """Begins a section; what follows goes there."""
        self.current = ObjectSection(name, kind, flags, align, entsize)
        self.sections.append(self.current)

    def label(self, name, kind=STT_FUNC, bind=STB_GLOBAL, size=0):
        """Defines a symbol here."""
        here = self.current.size if self.current.type == SHT_NOBITS else len(self.current.data)
        self._symbols[name] = (self.current, here, size, bind, kind)

    def define(self, name, section, value, size, bind, kind):
        """Defines a symbol in one of `sections`."""
        self._symbols[name] = (section, value, size, bind, kind)

    def absolute(self, name, value):
        """Defines a symbol that is in no section."""
        self._symbols[name] = (SHN_ABS, value, 0, STB_GLOBAL, STT_NOTYPE)

    def common(self, name, size, align):
        """Defines a symbol that gets its place when it is linked."""
        self._symbols[name] = (SHN_COMMON, align, size, STB_GLOBAL, STT_OBJECT)

    def relocate(self, kind, symbol, addend=0, offset=0):
        """A relocation `offset` bytes from here."""
        self.current.relocations.append(
            (len(self.current.data) + offset, kind, symbol, addend))

    def emit(self, data):
        """Appends bytes."""
        self.current.data += data

    def reserve(self, size):
        """Appends room to a section without contents."""
        self.current.size += size

    def words(self, *values):
        """Appends 32-bit words."""
        self.emit(struct.pack(f"<{len(values)}I", *values))

    def statement(self, operator, result, *operands):
        """An entry of XS1's .expr about the symbol `result`. Operands are numbers, strings, and
        (name,) for symbols."""
        self._statements.append((operator, result, operands + (0,) * (3 - len(operands))))

    def _expressions(self, index, strings):
        """The contents of .expr. Operands are of kinds 0 (number), 1 (symbol), 2 (string)."""
        data = bytearray()
        for operator, result, operands in self._statements:
            word, values = operator << 6, []
            for place, operand in enumerate(operands):
                if isinstance(operand, tuple):
                    word |= 1 << 2 * place
                    values.append(index[operand[0]])
                elif isinstance(operand, str):
                    word |= 2 << 2 * place
                    values.append(strings.add(operand))
                else:
                    values.append(operand)
            data += struct.pack("<5I", word, index[result], *values)
        return bytes(data)

    def _symbol_entry(self, name, value, size, info, shndx):
        if self.is64:
            return self.layout.symbol.pack(name, info, 0, shndx, value, size)
        return self.layout.symbol.pack(name, value, size, info, 0, shndx)

    def write(self, path):
        """Writes the object; names that nothing defines become undefined symbols."""
        strings, names = StringTable(), StringTable()
        for section in self.sections:
            for _, _, symbol, _ in section.relocations:
                self._symbols.setdefault(symbol, (None, 0, 0, STB_GLOBAL, STT_NOTYPE))
        for _, result, operands in self._statements:
            for name in (result, *(o[0] for o in operands if isinstance(o, tuple))):
                self._symbols.setdefault(name, (None, 0, 0, STB_GLOBAL, STT_NOTYPE))
        ordered = sorted(self._symbols.items(), key=lambda item: item[1][3] != STB_LOCAL)
        table, index = bytearray(self._symbol_entry(0, 0, 0, 0, 0)), {}
        for name, (section, value, size, bind, kind) in ordered:
            shndx = section if isinstance(section, int) else \
                self.sections.index(section) + 1 if section else SHN_UNDEF
            index[name] = len(index) + 1
            table += self._symbol_entry(strings.add(name), value, size, bind << 4 | kind, shndx)
        locals_ = 1 + sum(1 for _, entry in ordered if entry[3] == STB_LOCAL)

        plain = len(self.sections)
        related = [s for s in self.sections if s.relocations]
        symtab = 1 + plain + len(related) + bool(self._statements)
        # Section header fields in the order of Section, with the contents last.
        headers = [(s.name, s.type, s.flags, 0, 0, s.align, s.entsize, bytes(s.data), s.size)
                   for s in self.sections]
        for section in related:
            data = b"".join(
                self.layout.rela.pack(offset, index[symbol] << self.layout.info_shift | kind, addend)
                for offset, kind, symbol, addend in section.relocations)
            headers.append((".rela" + section.name, SHT_RELA, 0x40, symtab,
                            self.sections.index(section) + 1, 8 if self.is64 else 4,
                            self.layout.rela.size, data, 0))
        if self._statements:
            headers.append((".expr", 0x14, 0, 0, 0, 4, 4, self._expressions(index, strings), 0))
        headers.append((".symtab", SHT_SYMTAB, 0, symtab + 1, locals_, 8 if self.is64 else 4,
                        self.layout.symbol.size, bytes(table), 0))
        headers.append((".strtab", SHT_STRTAB, 0, 0, 0, 1, 0, bytes(strings.data), 0))
        for name, *_ in headers:
            names.add(name)
        names.add(".shstrtab")
        headers.append((".shstrtab", SHT_STRTAB, 0, 0, 0, 1, 0, bytes(names.data), 0))

        header_size = 16 + self.layout.header.size
        body, records = bytearray(), bytearray(self.layout.section.size)
        for name, kind, flags, link, info, align, entsize, data, size in headers:
            body += bytes(-(header_size + len(body)) % max(align, 1))
            records += self.layout.section.pack(
                names.add(name), kind, flags, 0, header_size + len(body), len(data) or size,
                link, info, align, entsize)
            body += data
        body += bytes(-(header_size + len(body)) % 8)
        ident = b"\x7fELF" + bytes([2 if self.is64 else 1, 1, 1, self.osabi]) + bytes(8)
        header = self.layout.header.pack(
            ET_REL, self.machine, 1, 0, 0, header_size + len(body), self.flags, header_size,
            0, 0, self.layout.section.size, len(headers) + 1, len(headers))
        with open(path, "wb") as file:
            file.write(ident + header + body + records)
