#!/usr/bin/env python3
"""Writes start.o, work.o and table.o: a hand-encoded XS1 program in three relocatable objects that uses every
relocated field of the ABI and the expression section, and checks its own results as it runs: it calls exit (system
call 0) with 42 when all were right, 1 when one was wrong."""
import struct, sys

DP, CP = 0x10000000, 0x20000000
REL = {n: i for i, n in enumerate("NONE ADDR32 DP_REL6 DP_REL16 CP_REL6 CP_REL16 CP_REL10 CP_REL20 REL6 REL16 REL10 REL20 LSIZE20".split())}
R = lambda r: r << 6
STWDP, LDWDP, LDAWDP, LDC, LDWCP, LDAWCP, LDWCPL, BLACP = 0x5000, 0x5800, 0x6000, 0x6800, 0x6C00, 0x7F40, 0xE400, 0xE000
BT, BF, BU, BL, LDAP, ENTSP, EXTSP, RETSP = 0x7000, 0x7800, 0x7300, 0xD000, 0xD800, 0x7740, 0x7780, 0x77C0

class Object:
    def __init__(s): s.sections = {}; s.order = []; s.labels = {}; s.undefined = []; s.absolute = {}; s.expressions = []; s.local_abs = []
    def section(s, name, flags=6, type_=1, align=4):
        if name not in s.sections: s.sections[name] = dict(flags=flags, type=type_, align=align, data=bytearray(), size=0, rel=[]); s.order.append(name)
        s.cur = s.sections[name]; s.cur_name = name
    def half(s, *hs):
        for h in hs: s.cur["data"] += struct.pack("<H", h)
    def word(s, v): s.cur["data"] += struct.pack("<I", v & 0xffffffff)
    def label(s, name, kind=0): s.labels[name] = (s.cur_name, len(s.cur["data"]), kind)
    def ref(s, rel, op, symbol, addend=0):
        s.cur["rel"].append((len(s.cur["data"]), REL[rel], symbol, addend))
        long_form = rel in ("DP_REL16", "CP_REL16", "CP_REL20", "REL16", "REL20", "LSIZE20")
        s.half(*([0xF000, op] if long_form else [op]))
    def address(s, symbol, addend=0): s.cur["rel"].append((len(s.cur["data"]), REL["ADDR32"], symbol, addend)); s.word(0)
    def const(s, op, v, long_form=False): s.half(*([0xF000 | v >> 6, op | v & 63] if long_form else [op | v]))
    def expr(s, operator, result, *operands): s.expressions.append((operator, result, operands))
    def write(s, path, machine=203):
        strtab = bytearray(b"\0"); where = {}
        def st(n):
            if n not in where: where[n] = len(strtab); strtab.extend(n.encode() + b"\0")
            return where[n]
        names = list(s.order)
        syms, index = [(0, 0, 0, 0)], {}
        def add(n, v, info, shndx): index[n] = len(syms); syms.append((st(n), v, info, shndx))
        used = {r[2] for x in s.sections.values() for r in x["rel"]} | {e[1] for e in s.expressions} | {o for e in s.expressions for o in e[2] if isinstance(o, str) and not o.startswith('"')}
        for n in s.local_abs: add(n, 0, 0x00, 0xfff1)
        for n, (sec, off, kind) in s.labels.items(): add(n, off, 0x10 | kind if not n.startswith(".L") else kind, names.index(sec) + 1)
        for n, v in s.absolute.items(): add(n, v, 0x10, 0xfff1)
        for n in sorted(used): 
            if n not in index: add(n, 0, 0x10, 0)
        expr = b""
        for operator, result, ops in s.expressions:
            t = operator << 6; words = []
            for i, o in enumerate(ops):
                if isinstance(o, int): words.append(o & 0xffffffff)
                elif o.startswith('"'): t |= 2 << 2 * i; words.append(st(o[1:]))
                else: t |= 1 << 2 * i; words.append(index[o])
            expr += struct.pack("<5I", t, index[result], *(words + [0, 0, 0])[:3])
        secs = [("", 0, 0, b"", 0, 0, 0, 0)]
        nsec = len(names)
        rels = [n for n in names if s.sections[n]["rel"]]
        sym_index = 1 + nsec + len(rels) + (1 if expr else 0)
        for n in names:
            x = s.sections[n]; secs.append((n, x["type"], x["flags"], bytes(x["data"]) if x["type"] != 8 else x["size"], 0, 0, x["align"], 0))
        for n in rels:
            data = b"".join(struct.pack("<IIi", o, index[sy] << 8 | ty, a) for o, ty, sy, a in s.sections[n]["rel"])
            secs.append((".rela" + n, 4, 0, data, sym_index, names.index(n) + 1, 1, 12))
        if expr: secs.append((".expr", 0x14, 0, expr, 0, 0, 4, 4))
        secs.append((".symtab", 2, 0, b"".join(struct.pack("<IIIBBH", n, v, 0, i, 0, x) for n, v, i, x in syms), sym_index + 1, 0, 4, 16))
        offs = [st(x[0]) if x[0] else 0 for x in secs] + [st(".strtab")]
        secs.append((".strtab", 3, 0, bytes(strtab), 0, 0, 1, 0))
        body = b""; base = 52 + 40 * len(secs); heads = b""
        for x, n in zip(secs, offs):
            size = x[3] if isinstance(x[3], int) else len(x[3])
            heads += struct.pack("<10I", n, x[1], x[2], 0, base + len(body) if x[1] else 0, size, x[4], x[5], x[6], x[7])
            if not isinstance(x[3], int): body += x[3]
        eh = b"\x7fELF\1\1\1" + b"\0" * 9 + struct.pack("<HHIIIIIHHHHHH", 1, machine, 1, 0, 0, 52, 0, 52, 0, 0, 40, len(secs), len(secs) - 1)
        open(path, "wb").write(eh + heads + body)

def add(a, b, c): return [0b00010 << 11 | ((a >> 2) + 3 * (b >> 2) + 9 * (c >> 2)) << 6 | (a & 3) << 4 | (b & 3) << 2 | (c & 3)]
def eq(a, b, c): return [0b00110 << 11 | ((a >> 2) + 3 * (b >> 2) + 9 * (c >> 2)) << 6 | (a & 3) << 4 | (b & 3) << 2 | (c & 3)]
def mov(a, b): return [0b10010 << 11 | ((a >> 2) + 3 * (b >> 2)) << 6 | (a & 3) << 4 | (b & 3) << 2]

start = Object()                                    # sets cp, dp, sp, then calls main
start.section(".text", align=4)
start.label("_start", 2)
start.ref("REL20", LDAP, "_cp"); start.half(0x37F0 | 11)
start.ref("REL20", LDAP, "_dp"); start.half(0x37E0 | 11)
start.ref("REL20", LDAP, "_sp"); start.half(0x2FF0 | 11)
start.ref("REL20", BL, "main")
start.half(*mov(1, 0)); start.const(LDC | R(0), 0)
start.ref("REL20", BL, "_DoSyscall")
start.label(".Lstop"); start.ref("REL6", BU, ".Lstop")
start.label("_DoSyscall", 2); start.const(RETSP, 0)
start.absolute["_sp"] = 0x1f000

w = Object()
w.section(".text", align=4)
checks = 0
def check(reg, value):
    global checks; checks += 1
    w.const(LDC | R(6), value, True); w.half(*eq(7, reg, 6)); w.ref("REL16", BF | R(7), ".Lfail")
w.label("helper", 2); w.const(ENTSP, 1, True); w.const(LDC | R(0), 77, True); w.const(RETSP, 1)
w.label("main", 2); w.const(ENTSP, 2)
w.ref("DP_REL6", LDWDP | R(1), "near", 4); check(1, 1111)
w.ref("DP_REL16", LDWDP | R(1), "far"); check(1, 2222)
w.ref("CP_REL6", LDWCP | R(1), "k_near"); check(1, 3333)
w.ref("CP_REL16", LDWCP | R(1), "k_far"); check(1, 4444)
w.ref("CP_REL10", LDWCPL, "k_near"); check(11, 3333)
w.ref("CP_REL20", LDWCPL, "k_far"); check(11, 4444)
w.const(LDC | R(5), 9); w.ref("DP_REL6", STWDP | R(5), "near"); w.ref("DP_REL6", LDWDP | R(1), "near"); check(1, 9)
w.ref("DP_REL16", STWDP | R(5), "zeroed"); w.ref("DP_REL16", LDWDP | R(1), "zeroed"); check(1, 9)
w.ref("REL6", BU, ".Lover"); w.ref("REL16", BU, ".Lfail")
w.label(".Lback"); w.ref("REL10", 0xD400, "helper"); check(0, 77); w.ref("REL6", BU, ".Lon")
w.label(".Lover"); w.ref("REL6", BU | 0x400, ".Lback")
w.label(".Lon"); w.ref("REL20", 0xD400, "helper"); check(0, 77)
w.ref("REL20", BL, "remote"); check(0, 99)
w.ref("REL10", 0xDC00, "helper"); w.half(*mov(3, 11)); w.ref("REL20", 0xDC00, "helper"); w.half(*eq(7, 3, 11)); w.ref("REL6", BF | R(7), ".Lfail")
w.ref("CP_REL20", BLACP, "helper_pointer"); check(0, 77)
w.ref("LSIZE20", LDC | R(1), "main.nstackwords"); check(1, 347)
w.ref("LSIZE20", LDC | R(1), "pick"); check(1, 5)
w.ref("LSIZE20", LDC | R(1), "table.globound"); check(1, 3)
w.const(LDC | R(7), 1); w.ref("REL6", BT | R(7), ".Lgood"); w.ref("REL6", BU, ".Lfail")
w.label(".Lfail"); w.const(LDC | R(0), 1); w.const(RETSP, 2)
w.label(".Lgood"); w.const(LDC | R(0), 42); w.const(RETSP, 2)
# main.nstackwords = max(helper.nstackwords, remote.nstackwords) + 47; remote's is another object's expression
w.local_abs += [".LLNK1"]
w.expr(1, "helper.nstackwords", 1, 0)
w.expr(1, "main.nstackwords", ".LLNK1", 47)
w.expr(2, ".LLNK1", "helper.nstackwords", "remote.nstackwords")
w.expr(17, "main", "main.nstackwords"); w.expr(17, "helper", "helper.nstackwords")
w.expr(12, "main", "helper"); w.expr(12, "main", "remote")
w.expr(37, "main", '"f{si}(0)')                      # an annotation of newer tools: a type
w.expr(4, "span", "pick", 2)                         # pick is another object's result: 5 - 2
w.absolute["helper.nstackwords"] = 0; w.absolute["main.nstackwords"] = 0; w.absolute["span"] = 0

t = Object()
t.section(".text", align=4)
t.label("remote", 2); t.const(LDC | R(0), 99, True); t.const(RETSP, 0)
t.section(".cp.rodata", 2 | CP, align=4)
t.word(8); t.label("k_near", 1); t.word(3333)
for i in range(100): t.word(i)
t.label("k_far", 1); t.word(4444)
t.label("helper_pointer", 1); t.address("helper")
t.section(".dp.data", 3 | DP, align=4)
t.label("near", 1); t.word(5); t.word(1111)
for i in range(150): t.word(i)
t.label("far", 1); t.word(2222)
t.label("table", 1); t.address("near", 4); t.address("k_far"); t.address("remote")
t.section(".dp.bss", 3 | DP, type_=8, align=4); t.sections[".dp.bss"]["size"] = 64
t.labels["zeroed"] = (".dp.bss", 8, 1)
t.section(".cp.const4", 0x12 | CP, align=4); t.sections[".cp.const4"]["data"] += struct.pack("<4I", 7, 7, 9, 7)
t.absolute["table.globound"] = 3
t.absolute["remote.nstackwords"] = 0; t.absolute["pick"] = 0
t.expr(6, "remote.nstackwords", 299, 4)              # aligned up: 300
t.expr(17, "remote", "remote.nstackwords")
t.local_abs += [".LLNK1", ".LLNK2"]                  # a local name that work.o uses too
t.expr(7, ".LLNK1", 3, 4)                            # 3 < 4: 1
t.expr(3, ".LLNK2", ".LLNK1", 6)                     # 6
t.expr(4, "pick", ".LLNK2", 1)                       # 5

out = sys.argv[1] if len(sys.argv) > 1 else "."
start.write(f"{out}/start.o"); w.write(f"{out}/work.o"); t.write(f"{out}/table.o", 0xB49E)
