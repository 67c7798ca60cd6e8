"""Maps of programs that nobody wrote, of any size, for the page of --html-report.

As src/map/README.md describes them. Everything that the page can show occurs: archives
and single objects, COMMON, linker-made parts, padding, load addresses in another region,
reservations, stacks with and without limits, discarded sections, mangled names, and a
reference graph with cycles. Equal arguments give equal maps."""

import random

WORDS = ("uart spi i2c dma adc pwm timer queue task mutex ring buffer filter fir iir fft "
         "matrix packet frame crc hash cache flash boot clock power sensor motor audio codec "
         "usb ether arp ip udp tcp dns dhcp log trace assert heap list tree string format").split()


def target(entry):
    """The part that an entry of a map's references is of: [to, count, calls], or to alone."""
    return entry if isinstance(entry, int) else entry[0]


class Maker:
    def __init__(self, symbols, files, seed, bits):
        self.random = random.Random(seed)
        self.symbols = symbols
        self.bits = bits
        self.base = 0xffff800000000000 if bits == 64 else 0
        self.files = self.make_files(files)
        self.parts = []
        self.patterns = []
        self.names = set()

    def hex(self, address):
        return hex(address)

    def make_files(self, count):
        files = [{"path": "start.o", "source": "start.S"}, {"path": "main.o", "source": "src/main.c"}]
        while len(files) < count:
            number = len(files)
            name = f"{self.random.choice(WORDS)}_{self.random.choice(WORDS)}_{number}"
            if number % 5 == 0:
                files.append({"path": f"build/{name}.o", "source": f"src/{name}.c"})
            else:
                files.append({"path": f"lib/lib{WORDS[number % 9]}.a", "member": f"{name}.o",
                              "symbol": f"{name}_init", "neededBy": self.random.randrange(number),
                              "source": f"{WORDS[number % 9]}/{name}.c"})
        return files

    def symbol_name(self):
        words = [self.random.choice(WORDS) for _ in range(self.random.randint(1, 3))]
        name = "_".join(words) + f"_{len(self.names)}"
        if self.random.random() < 0.2:
            space, function = words[0], f"{words[-1]}{len(self.names)}"
            name = f"_ZN{len(space)}{space}{len(function)}{function}Ev"
        self.names.add(name)
        return name

    def part_size(self):
        return max(4, int(self.random.paretovariate(0.9) * 16) // 4 * 4 % 20000)

    def fill(self, output, address, count, kind, prefix):
        """Parts of an output section; returns the address behind them."""
        start = address
        output["parts"] = []
        for number in range(count):
            align = self.random.choice([4, 4, 4, 8, 16, 64 if prefix == ".text" else 4])
            gap = -address % align
            if gap:
                output["parts"].append({"kind": "padding", "address": self.hex(address), "size": gap,
                                        "cause": f"alignment to {align}"})
                address += gap
            size = self.part_size()
            name = self.symbol_name()
            part = {"name": f"{prefix}.{name}", "file": self.random.randrange(len(self.files)),
                    "address": self.hex(address), "size": size, "align": align,
                    "pattern": len(self.patterns), "live": "reference",
                    "symbols": [{"name": name, "size": size, "kind": kind}]}
            if self.random.random() < 0.2 and size >= 16:
                half = size // 2
                part["symbols"][0]["size"] = half
                part["symbols"].append({"name": self.symbol_name(), "address": self.hex(address + half),
                                        "size": size - half - 4, "kind": kind, "local": True})
            output["parts"].append(part)
            address += size
        self.patterns.append({"script": "board.ld", "line": 20 + len(prefix), "text": f"*({prefix}.*)"})
        output["address"] = self.hex(start)
        output["size"] = address - start
        output["align"] = 64 if prefix == ".text" else 16
        return address

    def make(self):
        code, constant, data, zero = (self.symbols * 11 // 24, self.symbols * 3 // 24,
                                      self.symbols * 3 // 24, self.symbols * 3 // 24)
        flash, ram = self.base + 0x08000000, self.base + 0x20000000
        outputs = []
        text = {"name": ".text", "flags": "AX", "region": 0}
        end = self.fill(text, flash, code, "function", ".text")
        outputs.append(text)
        rodata = {"name": ".rodata", "flags": "A", "region": 0}
        end = self.fill(rodata, (end + 0xfff) & ~0xfff, constant, "object", ".rodata")
        outputs.append(rodata)
        load = (end + 15) & ~15
        datas = {"name": ".data", "flags": "WA", "region": 1, "loadRegion": 0}
        ram_end = self.fill(datas, ram, data, "object", ".data")
        datas["loadAddress"] = self.hex(load)
        outputs.append(datas)
        bss = {"name": ".bss", "flags": "WA", "type": 8, "region": 1}
        ram_end = self.fill(bss, (ram_end + 15) & ~15, zero, "object", ".bss")
        bss["parts"][-1]["kind"] = "common"
        bss["parts"].append({"kind": "padding", "cause": "assignment to .", "address": self.hex(ram_end),
                             "size": IRQ_STACK})
        irq_stack = ram_end
        bss["size"] += IRQ_STACK
        ram_end += IRQ_STACK
        outputs.append(bss)
        got = {"name": ".got", "flags": "WA", "region": 1, "address": self.hex(ram_end), "size": 64, "align": 4,
               "parts": [{"kind": "linker", "name": ".got", "address": self.hex(ram_end), "size": 60, "align": 4},
                         {"kind": "data", "address": self.hex(ram_end + 60), "size": 4}]}
        ram_end += 64
        outputs.append(got)
        outputs.append({"name": ".debug_info", "address": "0x0", "size": self.symbols * 90, "align": 1,
                        "parts": [{"name": ".debug_info", "file": 1, "address": "0x0",
                                   "size": self.symbols * 90}]})
        flash_used = load + datas["size"] - flash
        flash_length = 1 << (flash_used * 5 // 4).bit_length()
        ram_used = ram_end - ram
        ram_length = 1 << (ram_used * 5 // 4 + 4096).bit_length()
        result = {
            "format": "xlink map", "version": 2, "machine": "xs1", "output": "firmware.elf",
            "addressBits": self.bits, "entry": {"name": "main", "address": self.hex(flash)},
            "regions": [
                {"name": "FLASH", "origin": self.hex(flash), "length": flash_length, "used": flash_used,
                 "loadOnly": datas["size"]},
                {"name": "RAM", "origin": self.hex(ram), "length": ram_length, "used": ram_used,
                 "reservations": [
                     {"name": "__irq_stack", "kind": "stack", "address": self.hex(irq_stack), "size": IRQ_STACK},
                     {"name": ".heap", "kind": "heap", "address": self.hex(ram + ram_length - 4096 - 2048),
                      "size": 2048},
                     {"name": ".stack", "kind": "stack", "address": self.hex(ram + ram_length - 4096),
                      "size": 4096}]},
                {"name": "TCM", "origin": self.hex(self.base + 0x30000000), "length": 16384, "used": 0}],
            "files": self.files, "patterns": self.patterns, "outputs": outputs,
            "absolutes": [{"name": "__stack_size", "address": "0x1000"}],
        }
        self.connect(result, text["parts"])
        self.add_rest(result, text["parts"])
        return result

    def connect(self, result, texts):
        """References, and what keeps each part alive: a tree below the first part."""
        numbered, functions, everything = {}, [], []
        for output in result["outputs"]:
            for part in output.get("parts", []):
                number = len(numbered)
                numbered[number] = part
                if "file" in part and output.get("flags"):
                    everything.append(number)
                    if "X" in output["flags"]:
                        functions.append(number)
        references = {}
        for place, number in enumerate(everything):
            part = numbered[number]
            if place == 0:
                part["live"] = "root"
                part["symbols"][0]["name"] = "main"
                continue
            keeper = functions[self.random.randrange(min(place, len(functions)))]
            if keeper == number:
                keeper = functions[0]
            part["from"] = keeper
            references[keeper, number] = [1 + self.random.randrange(4), int(place < len(functions))]
        for _ in range(len(everything)):
            pair = self.random.choice(functions), self.random.choice(everything)
            references.setdefault(pair, [1, 0])
        targets = {}
        for (of, to), rest in sorted(references.items()):
            targets.setdefault(of, []).append(to if rest == [1, 1] else [to, *rest])
        result["references"] = [[of, *rows] for of, rows in targets.items()]

    def add_rest(self, result, texts):
        names = [part["symbols"][0]["name"] for part in texts if part.get("symbols")][:40]
        result["discarded"] = [
            {"name": f".text.{self.symbol_name()}", "file": self.random.randrange(len(self.files)),
             "size": self.part_size(), "reason": self.random.choice(["unused", "unused", "comdat", "folded"])}
            for _ in range(max(3, self.symbols // 20))]
        result["relocations"] = [{"type": name, "count": 1 + self.symbols * weight // 10} for name, weight in
                                 (("R_XCORE1_PC", 31), ("R_XCORE1_DP_REL20", 12), ("R_XCORE1_CP_REL20", 9),
                                  ("R_XCORE1_ABS32", 4), ("R_XCORE1_REL10", 1))]
        path = [{"function": name, "bytes": 16 + 24 * (number % 7)} for number, name in enumerate(names[:9])]
        total = sum(frame["bytes"] for frame in path)
        result["stacks"] = [
            {"root": "main", "kind": "entry", "bytes": total, "limit": 4096, "path": path},
            {"root": names[3 % len(names)], "kind": "thread", "bytes": total // 3, "limit": total // 4,
             "path": path[:4]},
            {"root": names[5 % len(names)], "kind": "tasklet 3", "bytes": 480, "bounded": False,
             "path": path[2:5]}]


IRQ_STACK = 256
OLD_FOLDER = "/build/of/yesterday/"


def sample(symbols=600, files=40, seed=1, bits=32):
    return Maker(symbols, files, seed, bits).make()


def older(current, seed=2):
    """A map as of an older link in another folder: some things smaller, some absent, some that are gone since."""
    chance = random.Random(seed)
    import copy
    old = copy.deepcopy(current)
    for file in old["files"]:
        file["path"] = OLD_FOLDER + file["path"]
    for output in old["outputs"]:
        end = int(output["address"], 16)
        rooms = old["regions"][output.get("region", 0)].get("reservations", [])
        for part in output.get("parts", []):
            moved = end - int(part["address"], 16)
            if part.get("symbols") and chance.random() < 0.1:
                change = chance.choice([-8, 4, 16, 40])
                part["symbols"][0]["size"] = max(4, part["symbols"][0]["size"] + change)
                part["size"] = max(4, part["size"] + change)
            elif part.get("symbols") and chance.random() < 0.03:
                part["symbols"][0]["name"] = "old_" + part["symbols"][0]["name"]
            aside = [room for room in rooms if room["address"] == part["address"]]
            for thing in [part] + aside + [symbol for symbol in part.get("symbols", []) if "address" in symbol]:
                thing["address"] = hex(int(thing["address"], 16) + moved)
            end += part["size"]
        output["size"] = sum(part["size"] for part in output.get("parts", []))
    for region in old["regions"]:
        region["used"] = max(0, region["used"] - 600)
    return old


if __name__ == "__main__":
    import json
    import sys
    count, files = int(sys.argv[1]), int(sys.argv[2])
    made = sample(count, files)
    with open(sys.argv[3], "w") as out:
        json.dump(made, out)
    with open(sys.argv[4], "w") as out:
        json.dump(older(made), out)
