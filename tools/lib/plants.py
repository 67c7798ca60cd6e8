"""Traps in programs that run: each is planted, fails in the emulator, and xlink names it; without the plant the
program's output is right and xlink is silent.

Not here, since no emulator shows it: noload-behind and image-gap (tools that write flash, and the size of a file),
region-overlap (it fails once a section has grown), gc-root (nothing is left to run). simavr puts .data behind
.text, wherever it is loaded, so AVR has no faults of copies."""
import collections

Handler = collections.namedtuple('Handler', 'flags archived', defaults=(False,))
MENDED = Handler(['-DHANDLER=SVC_Handler'])
# trap: its group. board: of boards(). edits: of the script, (text, text in its place). prints: the planted
# program's output, in one line. options: of the link. handler: how handler.c is built. mended: edits without the trap.
Plant = collections.namedtuple('Plant', 'trap board edits prints options handler mended', defaults=([], MENDED, []))
# script: GNU ld's own in place of plant.ld. prints: the right output.
Board = collections.namedtuple('Board', 'file compiler flags script edits prints run')

RIGHT = '4321 0 132 1 1 40'
GC = ['--gc-sections']


def boards(simavr, riscv, cortex):
    """The boards by name; the arguments make commands that run a program."""
    c = ['-O1', '-ffreestanding', '-fno-tree-loop-distribute-patterns', '-fno-asynchronous-unwind-tables', '-nostdlib']

    def placed(flash, ram):
        return [('@FLASH@', flash), ('@RAM@', ram)]
    arm = ['-mthumb', '-DRAM=0x20000000', *c]
    return {
        'M0': Board('arm-m', 'arm-none-eabi-gcc', ['-mcpu=cortex-m0', *arm], False, placed('0', '0x20000000'), RIGHT,
                    cortex('microbit')),
        'M3': Board('arm-m', 'arm-none-eabi-gcc', ['-mcpu=cortex-m3', '-DVTOR', *arm], False,
                    placed('0', '0x20000000'), RIGHT, cortex('mps2-an385')),
        'rv32': Board('rv32', 'riscv64-unknown-elf-gcc',
                      ['-march=rv32imac_zicsr', '-mabi=ilp32', '-mcmodel=medany', '-mno-relax', '-DRAM=0x80200000', *c],
                      False, placed('0x80000000', '0x80200000'), RIGHT, riscv(32)),
        'avr': Board('avr', 'avr-gcc', ['-mmcu=atmega328p', '-Os'], True,
                     [('*(.data)', '*(.data .fast)')], '4321 0 132 1 1', simavr('atmega328p')),
    }


COPY = '  _sidata = LOADADDR(.data);'
KEEP = '  .keep (NOLOAD) : { *(.bss.keep) } > TCM\n'
STACK = '  _estack'
BSS = '*(.bss .bss.*'


def boot(offset):
    """The hardware's table in front of the program's."""
    return [('SECTIONS {', f'SECTIONS {{\n  .boot : {{ LONG(_estack) LONG(Reset_Handler) . = {offset}; }} > FLASH')]


PLANTS = [
    Plant('load-range', 'M0', [('ALIGN(4);\n    _sinit', '0x3ff00;\n    _sinit'), ('0x3000', '0x40000'),
                               ('.data :', '.data : AT(0x3fff8)'), (' AT> FLASH', '')], ''),
    Plant('load-align', 'M0', [('_etext = .;', 'BYTE(1)')], 'fault'),
    Plant('load-symbol', 'M0', [(COPY, '  _sidata = _etext;'),
                                ('  .data :', '  .extra : { LONG(7) LONG(8) } > FLASH\n  .data :')],
          '36 0 1200000 1 1 40'),
    Plant('load-symbol', 'rv32', [(COPY, '  _sidata = _sdata;')], '-1768515947 0 -1545593767 1 1 40'),
    Plant('never-copied', 'M0', [('    *(.fast)\n', ''), (COPY, COPY + '\n  .fast : { *(.fast) } > TCM AT> FLASH')],
          '4321 0 -1545593767 1 1 40'),
    Plant('copy-offset', 'rv32', [('    *(.fast)\n', ''), ('    _edata = .;\n', ''),
                                  (COPY, COPY + '\n  .fast : ALIGN(64) { *(.fast) _edata = .; } > RAM AT> FLASH')],
          '4321 0 0 1 1 40'),
    Plant('outside-marks', 'M0', [(BSS, '*(.bss.*')], '4321 -505290296 132 1 1 40'),
    Plant('outside-marks', 'rv32', [('*(.data .data.*', '*(.data.*')], '-1768515947 0 132 1 1 40'),
    Plant('shadowed-pattern', 'M0', [(KEEP, ''), (STACK, KEEP + STACK)], '4321 0 132 1 1 0'),
    # The first three of eight bytes are cleared.
    Plant('zero-end', 'M0', [(KEEP, ''), (BSS, '*(.bss .bss.more'),
                             ('    . = ALIGN(4);\n    _ebss', '    . += 1;\n    _ebss'),
                             (STACK, KEEP.replace('TCM', 'RAM').replace(': {', ': SUBALIGN(1) {') + STACK)],
          '4321 0 132 1 1 25'),
    Plant('vector-align', 'M3', boot('0x120'), '4321 0 132 1 fault', mended=boot('0x200')),
    Plant('dropped-table', 'M0', [('KEEP(*(.isr_vector))', '*(.isr_vector)')], 'timeout', GC),
    Plant('dropped-table', 'avr', [('KEEP(*(.vectors))', '*(.vectors)')], 'timeout', GC),
    Plant('stack-room', 'M0', [('_estack = ORIGIN(RAM) + LENGTH(RAM)', '_estack = ORIGIN(RAM) + 0x80')],
          '4321 * 132 1 1 40'),
    Plant('self-load', 'rv32', [('  .data :', COPY + '\n  .data : AT(_sidata)'), (' AT> FLASH', '')], 'fault'),
    Plant('region-rights', 'M0', [('> RAM AT> FLASH', '> FLASH')], '4320 0 132 1 1 40'),
    Plant('same-address', 'rv32', [('  .bss :', '  .bss _sdata :')], '1 1 0 1 1 40'),
    Plant('mangled-handler', 'M0', [], 'timeout', handler=Handler(['-xc++', '-DHANDLER=SVC_Handler'])),
    Plant('mangled-handler', 'avr', [], 'timeout', handler=Handler(['-xc++'])),
    Plant('misspelt-handler', 'M0', [], 'timeout', handler=Handler(['-DHANDLER=SVC_Hander'])),
    Plant('weak-before-archive', 'M0', [], 'timeout', handler=Handler(MENDED.flags, True)),
    Plant('weak-before-archive', 'avr', [], 'timeout', handler=Handler(MENDED.flags, True)),
]
