"""Relocations as the machines' documents give them, and sums at and beyond their limits.

Nothing is taken from arch/: tools/generate-limit-vectors and tools/check-golden compare the two.
Where the documents say nothing, this holds:

  * ABS32 and HI19 of Nyuzi: "fits 32 bits" means signed or unsigned.
  * A misaligned sum is reported as such also where it is out of range (Colossus says so).
  * A whole field that holds an addend (SHT_REL) is unsigned where the relocation's range
    is, else signed (tests/arch/AddendTest.cpp).
  * XS1 15, 17 and 22 have no names: those here are the table's.
  * XS1 15 and 17: S+A is modulo 2^32, as the results of `.expr` are, which they can hold.
    A -1 among these is 0xffffffff, and fits 16 bits.
  * XS1 17: no range; the eighth bit of each byte is the assembler's and stays. An addend
    in its field has up to 32 bits here.
"""


class Field:
    """Word bits of each value bit, and the value bits of each part."""

    def __init__(self):
        self.places, self.parts = {}, []

    def add(self, low, high, to):
        for bit in range(low, high + 1):
            self.places.setdefault(bit, []).append(to + bit - low)
        self.parts.append((2 << high) - (1 << low))


def in_words(*words):
    """From words of 32 bits; 31-18=15-2 is value bits 15..2 in word bits 31..18."""
    field = Field()
    for index, word in enumerate(words):
        for part in word.split():
            (top, to), (high, low) = (map(int, side.split("-")) for side in part.split("="))
            assert top - to == high - low
            field.add(low, high, 32 * index + to)
    return field


def scattered(text):
    """From the form of the DPU's document, `0-3 -> 20, 16 -> 5`."""
    field = Field()
    for part in text.split(", "):
        bits, to = part.split(" -> ")
        low, high = (list(map(int, bits.split("-"))) * 2)[:2]
        field.add(low, high, int(to))
    return field


def unsigned(bits, scale=1):
    return 0, (2**bits - 1) * scale


def signed(bits, scale=1):
    return -(2 ** (bits - 1)) * scale, (2 ** (bits - 1) - 1) * scale


def either(bits):
    return signed(bits)[0], unsigned(bits)[1]


def magnitude(bits, scale):
    return -(2**bits - 1) * scale, (2**bits - 1) * scale


class Row:
    """One relocation. `low` and `high` limit the sum, not the value after scaling; of an
    unchecked one they are the extremes that make a difference."""

    def __init__(self, name, size, field, limits, formula="S+A", scale=1, **more):
        # multiple: of the sum; next: bytes of a bundle; any_place: no alignment is
        # demanded, in so many words; readable: an addend can be read back.
        self.name, self.size, self.field, self.formula = name, size, field, formula
        self.low, self.high = limits
        self.scale, self.multiple = scale, scale
        self.checked, self.floor, self.sign, self.next = True, False, None, 0
        self.place_multiple, self.any_place, self.readable = 1, False, False
        self.__dict__.update(more)

    def bits(self):
        """The value's width."""
        return max(self.field.places) + 1

    def mask(self):
        """The bits of the unit that belong to the field."""
        bits = 0 if self.sign is None else 1 << self.sign
        return bits | sum(1 << to for all_to in self.field.places.values() for to in all_to)

    def put(self, value, unit):
        """The unit's bytes with the value in its field."""
        word = int.from_bytes(unit, "little")
        bits = abs(value) if self.sign is not None else value
        set_bits = [(to, bits >> bit & 1)
                    for bit, all_to in self.field.places.items() for to in all_to]
        if self.sign is not None:
            set_bits.append((self.sign, int(value < 0)))
        for to, bit in set_bits:
            word = word & ~(1 << to) | bit << to
        return word.to_bytes(len(unit), "little")

    def checks(self, total):
        """The sum's fault, or none."""
        if total % self.multiple and not self.floor:
            return "align"
        return "range" if self.checked and not self.low <= total <= self.high else None


class Machine:
    """What the machines share: 32 bits, S+A as it is, S+A-P modulo 2^32."""

    title, prefix, place, base, address_bits = "", "", 0x40000000, None, 32
    rows, empty = [], []

    def total(self, row, case):
        """The sum; its multiples and range are checked on it."""
        total = case.S + case.A
        if row.formula == "S+A-P":
            return self.as_signed(total - self.pc(row, case.P, case.words))
        return total - case.base if "-" in row.formula else total

    def as_signed(self, number):
        half = 2 ** (self.address_bits - 1)
        return (number + half) % (2 * half) - half

    def pc(self, row, place, words):
        return place

    def apply(self, row, case, unit):
        """Bytes or an error."""
        if case.P and case.P % row.place_multiple:
            return "place"
        total = self.total(row, case)
        return row.checks(total) or row.put(total // row.scale, unit)

    def operands(self, row, total, turn, place, base, words):
        """S and A of this sum; some of it is in the addend."""
        top = 2**self.address_bits
        addend = (0, 8, -8)[turn % 3]
        if row.formula == "S+A-P":
            return (total + self.pc(row, place, words) - addend) % top, addend
        total += base or 0
        symbol = min(max(total - addend, 0), top - 1)
        return symbol, total - symbol

    def settings(self, row):
        """What each limit is tried with: cpu, P, base, further words."""
        return [("-", self.place, self.base, ())]

    def words(self, row, words, label, total):
        """The words of a case."""
        return words

    def usual(self, row):
        """Cases of a row by their sums."""
        step = row.multiple
        yield from (("low", row.low), ("high", row.high), ("zero", 0))
        yield from (("below", row.low - step), ("above", row.high + step))
        if row.low < 0:
            yield "minus", -step
        for bit in range(step.bit_length() - 1):
            label = "floor" if row.floor else "align"
            yield label, step + (1 << bit)
            if not row.floor:
                yield label, row.high + step + (1 << bit)
        if row.floor:
            yield "floor", 2 * step - 1

    def patterns(self, row):
        """Bits of the field as sums that are in range."""
        whole = row.scale << row.bits()
        for value in row.field.parts:
            total = value * row.scale
            yield "piece", total - (whole if total > row.high else 0)
            if row.sign is not None:
                yield "piece", -total
        for bit in row.field.places if len(row.field.parts) > 1 else ():
            total = row.scale << bit
            yield "bit", total - (whole if total > row.high else 0)

    def extra(self, row):
        """Further cases: label, S, A, P, base, words."""
        return ()

    def addends(self, row):
        """Values in a field that holds an addend, and the addends."""
        if not row.readable:
            return
        low, high = row.low // row.scale, row.high // row.scale
        if row.sign is None and low < 0 or not row.checked and row.bits() % 8 == 0:
            low, high = signed(row.bits())
        for value in (0, 1, low, high, -1 if low < 0 else high - 1):
            yield value, value * row.scale


class Case:
    """The operands of one line."""

    def __init__(self, S, A, P, base, words):
        self.S, self.A, self.P, self.base, self.words = S, A, P, base, words


# ---------------------------------------------------------------------------- XS1


class Xs1(Machine):
    title, prefix, base = "XMOS XS1", "R_XCORE1_", 0x20000
    empty = ["NONE", "KEEP"]
    ru6, u10 = in_words("5-0=5-0"), in_words("9-0=9-0")
    lru6 = in_words("21-16=5-0 9-0=15-6")
    lu10 = in_words("25-16=9-0 9-0=19-10")
    leb = in_words("6-0=6-0 14-8=13-7 22-16=20-14 30-24=27-21", "6-0=34-28")
    rows = [
        Row("ADDR32", 4, in_words("31-0=31-0"), either(32), any_place=True),
        Row("DP_REL6", 2, ru6, unsigned(6, 4), "S+A-dp", 4),
        Row("DP_REL16", 4, lru6, unsigned(16, 4), "S+A-dp", 4),
        Row("CP_REL6", 2, ru6, unsigned(6, 4), "S+A-cp", 4),
        Row("CP_REL16", 4, lru6, unsigned(16, 4), "S+A-cp", 4),
        Row("CP_REL10", 2, u10, unsigned(10, 4), "S+A-cp", 4),
        Row("CP_REL20", 4, lu10, unsigned(20, 4), "S+A-cp", 4),
        Row("REL6", 2, ru6, magnitude(6, 2), "S+A-P", 2, sign=10),
        Row("REL16", 4, lru6, magnitude(16, 2), "S+A-P", 2, sign=26),
        Row("REL10", 2, u10, magnitude(10, 2), "S+A-P", 2, sign=10),
        Row("REL20", 4, lu10, magnitude(20, 2), "S+A-P", 2, sign=26),
        Row("LSIZE20", 4, lru6, unsigned(16)),
        Row("ADDR16", 2, in_words("15-0=15-0"), either(16), any_place=True),
        Row("ULEB128", 5, leb, unsigned(32), checked=False, any_place=True),
        Row("REL6_4", 2, ru6, magnitude(6, 4), "S+A-P", 4, sign=10, next=4),
        Row("REL16_4", 4, lru6, magnitude(16, 4), "S+A-P", 4, sign=26),
        Row("REL10_4", 2, u10, magnitude(10, 4), "S+A-P", 4, sign=10, next=4),
        Row("REL20_4", 4, lu10, magnitude(20, 4), "S+A-P", 4, sign=26),
    ]

    def pc(self, row, place, words):
        """The next instruction; of short ones in dual issue the next bundle."""
        if "offset" in words:
            return place
        after = place + row.size
        return after + -after % row.next if row.next else after

    def settings(self, row):
        if row.formula == "S+A-P":
            return [("-", self.place + step, None, words)
                    for words in ((), ("offset",)) for step in (0, 2)]
        if row.formula == "S+A":
            return [("-", self.place, None, ())]
        return [("-", self.place, self.base, (row.formula[-2:],))]

    def total(self, row, case):
        total = super().total(row, case)
        if row.name == "ULEB128":
            return total % 2**32
        return self.as_signed(total) if row.name == "ADDR16" else total

    def patterns(self, row):
        known = 2**32 - 1 if row.name == "ULEB128" else -1
        return ((label, total & known) for label, total in super().patterns(row) if total & known)

    def extra(self, row):
        if row.any_place:
            yield "place", row.high - 1, 0, self.place + 1, None, ()
        if row.formula == "S+A-P":  # the pc wraps
            yield "wrap", 0x8, 0, 0xFFFFFFF0, None, ()
            yield "wrap", 0xFFFFFFF8, 0, 0x8, None, ()
        elif row.formula != "S+A":  # a base does not
            yield "wrap", 0x10, 0, self.place, 0xFFFFFFF0, ()
            yield "wrap", 0xFFFFFFF0, 0x14, self.place, 0, ()
        elif row.name in ("LSIZE20", "ADDR16"):
            yield "wrap", 0xFFFFFFFF, 2, self.place, None, ()
            yield "range", 0xFFFFFFFF, 0, self.place, None, ()


for each in Xs1.rows:
    each.readable = True


# -------------------------------------------------------------------------- Nyuzi


class Nyuzi(Machine):
    title, prefix, place = "Nyuzi", "R_NYUZI_", 0x40000000
    empty = ["NONE"]
    rows = [
        Row("ABS32", 4, in_words("31-0=31-0"), either(32), any_place=True, readable=True),
        Row("BRANCH20", 4, in_words("24-5=19-0"), signed(20, 4), "S+A-P", 4),
        Row("BRANCH25", 4, in_words("24-0=24-0"), signed(25, 4), "S+A-P", 4),
        Row("HI19", 4, in_words("23-10=18-5 4-0=4-0"), either(32), scale=2**13, floor=True),
        Row("IMM_LO13", 4, in_words("22-10=12-0"), either(32), checked=False),
        Row("GOT", 4, in_words("24-10=14-0"), signed(15), "G+A"),
    ]

    def usual(self, row):
        for label, total in super().usual(row):
            if row.floor and label == "above":
                total = row.high + 1  # the limits are those of the sum
            if row.floor and label == "below":
                total = row.low - 1
            yield label, total

    def extra(self, row):
        if row.any_place:
            yield "place", row.high - 1, 0, self.place + 1, None, ()
        if row.formula == "S+A-P":
            yield "wrap", 0x8, 0, 0xFFFFFFF0, None, ()
            yield "wrap", 0xFFFFFFF8, 0, 0x8, None, ()


# ----------------------------------------------------------------------- Aphelion


class Aphelion(Machine):
    title, prefix, place, address_bits = "Aphelion", "R_APHELION_", 0x4000000000, 64
    empty = ["NONE"]
    word = in_words("31-0=31-0", "31-0=63-32")
    rows = [
        Row("WORD", 8, word, unsigned(64), checked=False, place_multiple=8, readable=True),
        Row("WORD_UNALIGNED", 8, word, unsigned(64), checked=False, any_place=True, readable=True),
        Row("CALL", 8, in_words("31-16=31-16", "31-18=15-2"), (-(2**31), 2**31 - 4), "S+A-P",
            multiple=4, place_multiple=4),
        Row("FCALL", 16, in_words("31-16=63-48", "31-16=47-32", "31-16=31-16", "31-18=15-2"),
            (0, 2**64 - 4), checked=False, multiple=4, place_multiple=4),
        Row("LI", 16, in_words("31-16=63-48", "31-16=47-32", "31-16=31-16", "31-16=15-0"),
            unsigned(64), checked=False, place_multiple=4),
    ]

    def extra(self, row):
        total = 0x10 + (self.place if row.formula == "S+A-P" else 0)
        for step in (1, 2, 4):
            S = total + (step if row.formula == "S+A-P" else 0)
            yield "place", S, 0, self.place + step, None, ()
        if row.formula == "S+A-P":
            yield "wrap", 0x8, 0, 2**64 - 16, None, ()
            yield "wrap", 2**64 - 8, 0, 0x8, None, ()
        else:
            yield "wrap", 2**64 - 4, 0x10, self.place, None, ()


# ----------------------------------------------------------------------- Colossus


class Colossus(Machine):
    title, prefix, base = "Graphcore Colossus", "R_COLOSSUS_", 0x40000
    empty = ["NONE"]
    half = in_words("15-0=15-0")
    rows = [
        Row("8", 1, in_words("7-0=7-0"), unsigned(8), readable=True),
        Row("16", 2, half, unsigned(16), readable=True),
        Row("20", 4, in_words("19-0=19-0"), unsigned(20)),
        Row("32", 4, in_words("31-0=31-0"), unsigned(32), checked=False, readable=True),
        Row("64", 8, in_words("31-0=31-0", "31-0=63-32"), signed(32), checked=False, readable=True),
        Row("RELATIVE_16_S2", 2, half, unsigned(16, 4), "x-base", 4, readable=True),
        Row("18_S2", 4, in_words("17-0=17-0"), unsigned(18, 4), scale=4),
        Row("19_S2", 4, in_words("18-0=18-0"), unsigned(19, 4), scale=4),
        Row("RUN", 4, in_words("19-16=15-12 11-0=11-0"), unsigned(16, 4), "x-base", 4),
        Row("16_S3", 2, half, unsigned(16, 8), scale=8, readable=True),
        Row("16_S4", 2, half, unsigned(16, 16), scale=16, readable=True),
        Row("16_S5", 2, half, unsigned(16, 32), scale=32, readable=True),
        Row("21", 4, in_words("20-0=20-0"), unsigned(21)),
    ]

    def total(self, row, case):
        x = (case.S + case.A) % 2**32
        if row.name == "64":
            return self.as_signed(x)
        return x - case.base if row.formula == "x-base" else x

    def operands(self, row, total, turn, place, base, words):
        base = base if row.formula == "x-base" else 0
        return super().operands(row, total, turn, place, base, words)

    def settings(self, row):
        if row.formula != "x-base":
            return [("ipu1", None, self.base, ())]
        bases = {"ipu1": 0x40000, "ipu2": 0x4C000, "ipu21": 0x4C000}
        return [(cpu, None, base, ("TMEM",)) for cpu, base in bases.items()]

    def patterns(self, row):
        return ((label, total) for label, total in super().patterns(row) if row.name != "64")

    def extra(self, row):
        base = self.base if row.formula == "x-base" else 0
        yield "wrap", 0xFFFFFFE0, 0x60 + base, None, None, ()
        if base:
            yield "range", 0, 0, None, None, ()
        if row.name == "64":
            for bit in range(32):
                yield "bit", 1 << bit, 0, None, None, ()


# ---------------------------------------------------------------------------- DPU


class Dpu(Machine):
    title, prefix, place = "UPMEM DPU", "R_DPU_", 0x1000
    empty = ["NONE"]
    low8 = "0-3 -> 20, 4-7 -> 16"
    middle = "8 -> 15, 9 -> 14, 10 -> 13, 11 -> 12"
    fields = {
        "PC": "0-15 -> 0",
        "IMM5": "0-3 -> 20, 4 -> 28",
        "IMM8_DMA": "0-7 -> 24",
        "IMM24_PC": low8,
        "IMM27_PC": f"{low8}, 8-10 -> 39",
        "IMM28_PC_OPC8": f"{low8}, 8-10 -> 39, 11 -> 44",
        "IMM8_STR": "0-3 -> 16, 4-7 -> 0",
        "IMM12_STR": f"0-3 -> 20, 4-6 -> 39, 7 -> 24, {middle}",
        "IMM16_STR": "0-3 -> 16, 4-15 -> 0",
        "IMM16_ATM": f"{low8}, 8-12 -> 26, 13-15 -> 39",
        "IMM24": f"{low8}, {middle}, 12-23 -> 0",
        "IMM24_RB": f"0-3 -> 20, 4-6 -> 39, 7 -> 24, {middle}, 12-23 -> 0",
        "IMM27": f"{low8}, {middle}, 12-23 -> 0, 24-26 -> 39",
        "IMM28": f"{low8}, {middle}, 12-23 -> 0, 24-26 -> 39, 27 -> 44",
        "IMM32": f"{low8}, {middle}, 12-23 -> 0, 24-31 -> 24",
        "IMM32_ZERO_RB": f"0-3 -> 20, 4-6 -> 34, 7 -> 39, {middle}, 12-23 -> 0, 24-31 -> 24",
        "IMM17_24": f"{low8}, {middle}, 12-16 -> 0, 16 -> 5, 16 -> 6, 16 -> 7, 16 -> 8, "
                    "16 -> 9, 16 -> 10, 16 -> 11",
        "IMM32_DUS_RB": f"0-3 -> 20, 4-6 -> 34, 7 -> 44, {middle}, 12-23 -> 0, 24-31 -> 24",
    }
    rows = [
        Row("32", 4, scattered("0-31 -> 0"), unsigned(32), checked=False, readable=True),
        Row("8", 1, scattered("0-7 -> 0"), either(8), readable=True),
        Row("16", 2, scattered("0-15 -> 0"), either(16), readable=True),
        Row("64", 8, scattered("0-63 -> 0"), unsigned(32), checked=False, readable=True),
    ]
    for name, text in fields.items():
        field = scattered(text)
        bits = max(field.places) + 1
        limits = unsigned(32) if bits == 32 else signed(17) if bits == 17 else either(bits)
        rows.append(Row(name, 8, field, limits, checked=bits < 32, readable=name == "PC"))

    @staticmethod
    def mapped(v):
        """Out of the link-time address space: atomic, IRAM, MRAM, WRAM."""
        if v >= 0xF0000000:
            return v - 0xF0000000
        if v >= 0x80000000:
            index, more = divmod(v - 0x80000000, 8)
            return index + more
        return v - 0x08000000 if v // 0x08000000 % 2 else v

    def apply(self, row, case, unit):
        v = (case.S + case.A) % 2**32
        field = v if "unloaded" in case.words else self.mapped(v)
        w = self.as_signed(v)
        if row.checked and field > row.high:
            if not row.low <= w < 0:
                return "range"
            field = w
        return row.put(field, unit)

    def words(self, row, words, label, total):
        """What is not 0 to 0x7ffffff is itself only where nothing is mapped."""
        limit = label in ("low", "high", "below", "above")
        return ("unloaded",) if limit or not 0 <= total < 2**27 else words

    def patterns(self, row):
        return ((label, total) for label, total in super().patterns(row) if abs(total) < 2**32)

    def extra(self, row):
        high, low = row.high, row.low
        mram, iram, atomic = 0x08000000, 0x80000000, 0xF0000000
        reach = min(high, mram - 1)
        sums = [reach, mram, mram + reach, mram - 1, 0x10000000, 0x7FFFFFFF, iram, iram + 0x58,
                0xEFFFFFFF, atomic, atomic + reach, 2**32 - 1, 2**32 - 5]
        if low < 0:
            sums += [2**32 + low, 2**32 + low - 1]
        if high < 2**24:
            sums += [memory + high + 1 for memory in (0, mram, atomic)]
            sums += [iram + 8 * high, iram + 8 * (high + 1)]
        for v in dict.fromkeys(sums):
            yield "memory", v, 0, self.place, None, ()
        yield "memory", iram + 0x50, 7, self.place, None, ()  # 7 instructions on
        yield "memory", 0, -1, self.place, None, ()
        yield "wrap", 0xFFFFFFF0, 0x12, self.place, None, ()
        yield "wrap", 0xFFFFFFF0, 0x12, self.place, None, ("unloaded",)


MACHINES = (Xs1(), Nyuzi(), Aphelion(), Colossus(), Dpu())
