"""The relocations of the five machines, from their ABIs and in plain Python.

A second description beside the linker's own tables, for checking what it wrote:
each type has a formula and the places of the value's bits in the storage unit.
"""
from dataclasses import dataclass, field

M32, M64 = 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF


@dataclass
class Place:
    """The numbers of one relocation."""
    S: int
    A: int
    P: int
    bases: dict = field(default_factory=dict)  # "cp", "dp", "tmem"
    G: int = 0
    alloc: bool = True


@dataclass
class Rule:
    """One relocation type: `value` gives V, `pieces` are (value bit, width, unit bit)."""
    name: str
    size: int
    formula: str
    value: object
    pieces: tuple
    sign: int = -1    # unit bit of the sign beside a magnitude
    bias: int = 0     # what P adds to the place
    word: int = 0     # bytes of an instruction, where the unit is several

    def deposit(self, unit, value):
        """`unit` with the field cleared and set to `value`."""
        if self.sign >= 0:
            unit = unit & ~(1 << self.sign) | (value < 0) << self.sign
            value = abs(value)
        for bit, width, where in self.pieces:
            mask = (1 << width) - 1
            unit = unit & ~(mask << where) | (value >> bit & mask) << where
        return unit


def signed32(value):
    """The value modulo 2^32, read as a signed number."""
    value &= M32
    return value - (1 << 32) if value >> 31 else value


def exactly(value, shift):
    """value / 2^shift, which must be whole."""
    if value & (1 << shift) - 1:
        raise ValueError(f"{value:#x} is not a multiple of {1 << shift}")
    return value >> shift


def whole(size):
    """A field that fills its unit."""
    return ((0, 8 * size, 0),)


def absolute(name, size, pieces=None, shift=0):
    """(S + A) >> shift, exact."""
    formula = "S+A" if not shift else f"(S+A)/{1 << shift}"
    return Rule(name, size, formula, lambda p: exactly(p.S + p.A, shift), pieces or whole(size))


# ---- XMOS XS1 ----------------------------------------------------------------
# Immediates of 6 and 10 bits, alone in a 16-bit unit or with 10 more bits in a
# prefix that comes first.
RU6, LRU6 = ((0, 6, 0),), ((0, 6, 16), (6, 10, 0))
U10, LU10 = ((0, 10, 0),), ((0, 10, 16), (10, 10, 0))


def xs1_base(name, base, size, pieces):
    """The distance in words from cp or dp."""
    return Rule("R_XCORE1_" + name, size, f"(S+A-{base})/4",
                lambda p: exactly(p.S + p.A - p.bases[base], 2), pieces)


def xs1_jump(name, size, pieces):
    """The distance in halfwords from the next instruction, as sign and magnitude."""
    return Rule("R_XCORE1_" + name, size, "(S+A-P)/2",
                lambda p: exactly(signed32(p.S + p.A - p.P), 1), pieces,
                sign=10 if size == 2 else 26, bias=size)


XS1 = {
    1: absolute("R_XCORE1_ADDR32", 4),
    2: xs1_base("DP_REL6", "dp", 2, RU6), 3: xs1_base("DP_REL16", "dp", 4, LRU6),
    4: xs1_base("CP_REL6", "cp", 2, RU6), 5: xs1_base("CP_REL16", "cp", 4, LRU6),
    6: xs1_base("CP_REL10", "cp", 2, U10), 7: xs1_base("CP_REL20", "cp", 4, LU10),
    8: xs1_jump("REL6", 2, RU6), 9: xs1_jump("REL16", 4, LRU6),
    10: xs1_jump("REL10", 2, U10), 11: xs1_jump("REL20", 4, LU10),
    12: absolute("R_XCORE1_LSIZE20", 4, LRU6),
}


# ---- Nyuzi -------------------------------------------------------------------
def nyuzi_branch(name, pieces):
    """The distance in words from the branch itself."""
    return Rule("R_NYUZI_" + name, 4, "(S+A-P)/4",
                lambda p: exactly(signed32(p.S + p.A - p.P), 2), pieces)


NYUZI = {
    1: absolute("R_NYUZI_ABS32", 4),
    2: nyuzi_branch("BRANCH20", ((0, 20, 5),)),
    3: nyuzi_branch("BRANCH25", ((0, 25, 0),)),
    4: Rule("R_NYUZI_HI19", 4, "(S+A)>>13", lambda p: (p.S + p.A) >> 13,
            ((0, 5, 0), (5, 14, 10))),
    5: Rule("R_NYUZI_IMM_LO13", 4, "(S+A)&0x1fff", lambda p: (p.S + p.A) & 0x1FFF,
            ((0, 13, 10),)),
    6: Rule("R_NYUZI_GOT", 4, "G+A", lambda p: p.G + p.A, ((0, 15, 10),)),
}

# ---- Aphelion ----------------------------------------------------------------
# The unit of an instruction is the whole sequence of two or four 32-bit words.
APHELION = {
    1: absolute("R_APHELION_WORD", 8),
    2: absolute("R_APHELION_WORD_UNALIGNED", 8),
    3: Rule("R_APHELION_CALL", 8, "(S+A-P)/4", lambda p: exactly(p.S + p.A - p.P, 2),
            ((14, 16, 16), (0, 14, 50))),
    4: absolute("R_APHELION_FCALL", 16, ((46, 16, 16), (30, 16, 48), (14, 16, 80), (0, 14, 114)), 2),
    5: absolute("R_APHELION_LI", 16, ((48, 16, 16), (32, 16, 48), (16, 16, 80), (0, 16, 112))),
}

for _number in (3, 4, 5):
    APHELION[_number].word = 4

# ---- UPMEM DPU ---------------------------------------------------------------
def dpu_map(value):
    """A link-time address -> the address within its memory."""
    value &= M32
    if value >> 28 == 0xF:       # atomic bits
        return value & 0x0FFFFFFF
    if value >> 31:              # IRAM: 8 bytes an instruction
        value &= 0x7FFFFFFF
        return (value >> 3) + (value & 7)
    return value & ~0x08000000   # MRAM; WRAM stays


def dpu(name, size, pieces=None):
    """S + A modulo 2^32, mapped where the place is part of the program."""
    return Rule("R_DPU_" + name, size, "map(S+A)",
                lambda p: dpu_map(p.S + p.A) if p.alloc else (p.S + p.A) & M32,
                pieces or whole(size))


_LOW8 = ((0, 4, 20), (4, 4, 16))
_REVERSED = ((8, 1, 15), (9, 1, 14), (10, 1, 13), (11, 1, 12))
_IMM24 = _LOW8 + _REVERSED + ((12, 12, 0),)
DPU = {
    1: dpu("32", 4), 2: dpu("8", 1), 3: dpu("16", 2), 4: dpu("64", 8),
    128: dpu("PC", 2),
    137: dpu("IMM16_ATM", 8, _LOW8 + ((8, 5, 26), (13, 3, 39))),
    138: dpu("IMM24", 8, _IMM24),
    142: dpu("IMM32", 8, _IMM24 + ((24, 8, 24),)),
}


# ---- Graphcore Colossus ------------------------------------------------------
def tile_words(name, size, pieces=None):
    """The distance in words from the start of tile memory."""
    return Rule("R_COLOSSUS_" + name, size, "(S+A-tmem)/4",
                lambda p: exactly(p.S + p.A - p.bases["tmem"], 2), pieces or whole(size))


COLOSSUS = {
    1: absolute("R_COLOSSUS_8", 1), 2: absolute("R_COLOSSUS_16", 2),
    3: absolute("R_COLOSSUS_20", 4, ((0, 20, 0),)),
    4: absolute("R_COLOSSUS_32", 4),
    6: tile_words("RELATIVE_16_S2", 2),
    8: absolute("R_COLOSSUS_19_S2", 4, ((0, 19, 0),), 2),
    9: tile_words("RUN", 4, ((0, 12, 0), (12, 4, 16))),
    14: absolute("R_COLOSSUS_16_S3", 2, None, 3),
    17: absolute("R_COLOSSUS_21", 4, ((0, 21, 0),)),
}

RULES = {"xs1": XS1, "nyuzi": NYUZI, "aphelion": APHELION, "dpu": DPU, "colossus": COLOSSUS}
MACHINES = {"xs1": (203, 0xB49E), "nyuzi": (9999,), "aphelion": (0xA9E1,), "dpu": (245,),
            "colossus": (248,)}
# The type that stores an address in a field of its own, at any place.
ADDRESS_TYPES = {"xs1": 1, "nyuzi": 1, "aphelion": 2, "dpu": 1, "colossus": 4}
