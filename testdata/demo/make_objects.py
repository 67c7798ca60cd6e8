#!/usr/bin/env python3
"""Writes the small Aphelion, DPU and Colossus objects of tools/demo.

    make_objects.py [DIRECTORY]

Each machine gets two objects under DIRECTORY/MACHINE (by default beside this
file), with the machine's own instruction words and every immediate still zero.
They show how relocations look on that machine; they are no useful programs.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../tools/lib"))
from elf import (ObjectWriter, SHF_ALLOC, SHF_EXECINSTR, SHF_MERGE, SHF_STRINGS,  # noqa: E402
                 SHF_WRITE, SHT_NOBITS, STB_LOCAL, STT_NOTYPE, STT_OBJECT)

CODE, DATA, CONST = SHF_ALLOC | SHF_EXECINSTR, SHF_ALLOC | SHF_WRITE, SHF_ALLOC

# ---- Aphelion: 32-bit instructions; addresses and far targets take a sequence ---
WORD, WORD_UNALIGNED, CALL, FCALL, LI = 1, 2, 3, 4, 5
NEAR_CALL = (0x00007E08, 0x0003DE91)                          # ssi.c lp; jlr lp, lp
FAR_CALL = (0x0000FE08, 0x00009E08, 0x00005E08, 0x0003DEB1)   # ssi lp x3; jl lp, lp
LOAD_A0 = (0x0000E108, 0x00008108, 0x00004108, 0x00000108)    # ssi a0 x4
RETURN, NOP = 0x0003C0B1, 0x00000026                          # jl zr, lp; or zr, zr, zr


def aphelion(directory):
    """Calls near and far, an address in four instructions, aligned and packed words."""
    main = ObjectWriter(0xA9E1, is64=True, flags=6)
    main.section(".text", CODE)
    main.label("_start")
    main.relocate(LI, "message")
    main.words(*LOAD_A0)
    # jlr adds to the address of the next instruction, P + 8, hence A = -8.
    main.relocate(CALL, "length", -8)
    main.words(*NEAR_CALL)
    main.relocate(FCALL, "report")
    main.words(*FAR_CALL)
    main.relocate(CALL, ".Lstop", -8)
    main.words(*NEAR_CALL)
    main.label(".Lstop", STT_NOTYPE, STB_LOCAL)
    main.words(NOP, RETURN)
    main.section(".rodata.str1.1", CONST | SHF_MERGE | SHF_STRINGS, 1, entsize=1)
    main.label("message", STT_OBJECT)
    main.emit(b"hello from aphelion\0")
    main.write(f"{directory}/main.o")

    util = ObjectWriter(0xA9E1, is64=True, flags=6)
    util.section(".text", CODE)
    util.words(NOP)
    util.label("length")
    util.words(RETURN)
    util.label("report")
    util.relocate(CALL, "length", -8)
    util.words(*NEAR_CALL)
    util.words(RETURN)
    util.section(".data", DATA, 8)
    util.label("table", STT_OBJECT, size=16)
    for symbol, addend in (("_start", 0), ("message", 6)):
        util.relocate(WORD, symbol, addend)
        util.emit(bytes(8))
    util.emit(b"\x01")  # a packed record: a byte, then an address
    util.relocate(WORD_UNALIGNED, "table", 8)
    util.emit(bytes(8))
    util.write(f"{directory}/util.o")


# ---- DPU: 64-bit instruction words (48 used); four memories ---------------------
DPU_32, PC, IMM16_ATM, IMM24, IMM32 = 1, 128, 137, 138, 142
ZERO, R23 = 24, 23


def add_immediate(destination, source):
    """add rc, ra, imm32"""
    return 0x000300000000 | destination << 39 | source << 34


CALL_IMMEDIATE = 0x806300000000 | R23 << 39                  # call r23, imm24
RETURN_R23 = 0x800300000000 | ZERO << 39 | R23 << 34         # call zero, r23
ACQUIRE = 0x7C0380000000 | ZERO << 34 | 3 << 24              # acquire zero, imm16, nz, pc
STOP = 0x7EF320000000 | 1 << 24                              # stop true, pc


def dpu(directory):
    """One instruction field for each of the four memories, two relocations at one place."""
    def instruction(writer, word):
        writer.emit(word.to_bytes(8, "little"))

    main = ObjectWriter(245, flags=0x02800000)
    main.section(".text.main", CODE, 8)
    main.label("main")
    main.relocate(IMM32, "counter")                          # WRAM
    instruction(main, add_immediate(0, ZERO))
    main.relocate(IMM32, "samples", 16)                      # MRAM
    instruction(main, add_immediate(1, ZERO))
    main.label(".Lagain", STT_NOTYPE, STB_LOCAL)
    main.relocate(IMM16_ATM, "lock")                         # atomic bit
    main.relocate(PC, ".Lagain")                             # IRAM, same instruction
    instruction(main, ACQUIRE)
    main.relocate(IMM24, "helper")                           # IRAM
    instruction(main, CALL_IMMEDIATE)
    instruction(main, RETURN_R23)
    main.section(".data.counter", DATA)
    main.label("counter", STT_OBJECT, size=4)
    main.words(41)
    main.label("pointer", STT_OBJECT, size=4)
    main.relocate(DPU_32, "helper", 1)                       # one instruction after it
    main.words(0)
    main.section(".mram.noinit", DATA, 8, SHT_NOBITS)
    main.label("samples", STT_OBJECT, size=64)
    main.reserve(64)
    main.section(".atomic", DATA, 1, SHT_NOBITS)
    main.label("lock", STT_OBJECT, size=1)
    main.reserve(1)
    main.write(f"{directory}/main.o")

    start = ObjectWriter(245, flags=0x02800000)
    start.section(".text.helper", CODE, 8)
    start.label("helper")
    start.relocate(IMM32, "pointer")
    instruction(start, add_immediate(2, ZERO))
    instruction(start, RETURN_R23)
    start.section(".text.__bootstrap", CODE, 8)
    start.label("__bootstrap")
    start.relocate(IMM24, "main")
    instruction(start, CALL_IMMEDIATE)
    start.relocate(PC, "__bootstrap")
    instruction(start, STOP)
    start.write(f"{directory}/start.o")


# ---- Colossus: 32-bit instructions; absolute addresses, packed pointers ---------
C_16, C_20, C_32, RELATIVE_16_S2, S2_19, RUN, S3_16 = 2, 3, 4, 6, 8, 9, 14
SETZI, BRI, RUN_WORKER, IPU_NOP = 0x19000000, 0x40800000, 0x14000000, 0x19E00000
IPU21, STANDALONE = 0x21, 255


def colossus(directory):
    """A supervisor that starts a worker, a jump table and compressed pointers."""
    main = ObjectWriter(248, flags=IPU21, osabi=STANDALONE)
    main.section(".text.start", CODE)
    main.label("_start")
    main.relocate(C_20, "state")
    main.words(SETZI | 1 << 20)                              # setzi $m1, state
    main.relocate(RUN, "worker")
    main.words(RUN_WORKER)                                   # run $m0, $m0, worker
    main.relocate(S2_19, "finish")
    main.words(BRI)                                          # bri finish
    main.section(".data.state", DATA, 8)
    main.label("state", STT_OBJECT, size=16)
    for kind, symbol in ((RELATIVE_16_S2, "input"), (S3_16, "output")):
        main.relocate(kind, symbol)                          # 16-bit pointers
        main.emit(bytes(2))
    main.relocate(C_32, "worker", 4)
    main.words(0)
    main.section(".bss", DATA, 8, SHT_NOBITS)
    main.label("input", STT_OBJECT, size=64)
    main.reserve(64)
    main.label("output", STT_OBJECT, size=64)
    main.reserve(64)
    main.write(f"{directory}/main.o")

    vertex = ObjectWriter(248, flags=IPU21, osabi=STANDALONE)
    vertex.section(".text.worker", CODE, 8)
    vertex.label("worker")
    vertex.relocate(C_20, "table")
    vertex.words(SETZI | 2 << 20)                            # setzi $m2, table
    vertex.words(IPU_NOP)
    vertex.label("finish")
    vertex.relocate(S2_19, "finish")
    vertex.words(BRI)                                        # bri finish
    vertex.section(".data.table", DATA)
    vertex.label("table", STT_OBJECT, size=8)
    for symbol in ("worker", "finish"):
        vertex.relocate(C_32, symbol)
        vertex.words(0)
    vertex.write(f"{directory}/vertex.o")


def main():
    """Writes all three sets."""
    base = sys.argv[1] if len(sys.argv) > 1 else HERE
    for machine in (aphelion, dpu, colossus):
        directory = os.path.join(base, machine.__name__)
        os.makedirs(directory, exist_ok=True)
        machine(directory)


if __name__ == "__main__":
    main()
