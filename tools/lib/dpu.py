"""The UPMEM SDK as its compiler uses it: where it keeps what, and how it calls its linker."""
import glob
import os

# IRAM, WRAM, bits of the atomic memory, those that the run-time owns, threads.
SIZES = {"v1A": (32768, 65536, 256, 200, 24), "v1B": (31744, 63488, 64, 0, 16)}
THREADS = 24  # the scripts of all SDKs know this many


class Unusable(Exception):
    """A directory is no SDK, or lacks something; the text says what."""


class Runtime:
    """What is linked for one chip and one kind of run-time: crt0.o and libraries."""

    def __init__(self, sdk, cpu, profile):
        self.sdk, self.cpu, self.profile = sdk, cpu, profile
        mark = "_p" if profile else ""
        misc, built_in = os.path.join(sdk.base, "misc"), os.path.join(sdk.base, "built-in")
        own = os.path.join(misc, cpu)
        misc = own if os.path.isdir(own) else misc
        self.crt0 = os.path.join(misc, f"crt0{mark}.o")
        if not os.path.exists(self.crt0):
            self.crt0 = os.path.join(misc, "crt0.o")
        own = os.path.join(built_in, cpu)
        self.libraries, suffix = (own, "_" + cpu) if os.path.isdir(own) else (built_in, "")
        self.names = [f"rt{mark}{suffix}"]
        if profile and os.path.exists(self.archive(f"rtmcount{suffix}")):
            self.names.append(f"rtmcount{suffix}")

    def archive(self, name):
        return os.path.join(self.libraries, f"lib{name}.a")

    def missing(self):
        """What of it is not there."""
        files = [self.crt0] + [self.archive(n) for n in self.names]
        return [os.path.relpath(f, self.sdk.base) for f in files if not os.path.exists(f)]

    def command(self, objects, output, tasklets, stacks, script=True):
        """Arguments of the linker, as the SDK's compiler passes them."""
        command = ["--discard-locals", *objects, "-o", output, "-gc-sections", "--define-common",
                   "-L", self.libraries]
        for name in self.names:
            command += ["-l", name]
        if script:
            command += ["-T", self.sdk.script]
        command += [f"--defsym=NR_TASKLETS={tasklets}"]
        command += [f"--defsym=STACK_SIZE_TASKLET_{i}={n}" for i, n in enumerate(stacks)]
        if script and self.sdk.sized:
            names = ("IRAM_SIZE", "WRAM_SIZE", "ATOMIC_SIZE", "ATOMIC_DISPLACEMENT", "NR_THREADS")
            command += [f"--defsym=DPU_{n}={v}" for n, v in zip(names, SIZES[self.cpu])]
        return command + [self.crt0]


class Sdk:
    """An installed SDK, or a part of one. Layouts:

    2020.3         built-in/librt.a            misc/crt0.o, also of programs that -pg made
    2023.1         built-in/librt.a            misc/crt0.o, crt0_p.o
    2024.1         built-in/v1A/librt_v1A.a    misc/crt0.o, of both chips
    2025.1         built-in/v1A/librt_v1A.a    misc/v1A/crt0.o
    """

    def __init__(self, directory):
        found = []
        for pattern in ("link/dpu.lds", "**/link/dpu.lds"):
            found = found or sorted(
                glob.glob(os.path.join(directory, pattern), recursive=True))
        if not found:
            raise Unusable(f"no link/dpu.lds under {directory}")
        self.script = found[0]
        self.base = os.path.dirname(os.path.dirname(os.path.abspath(self.script)))
        with open(self.script, encoding="utf-8") as f:
            self.sized = "DPU_IRAM_SIZE" in f.read()
        self.cpus = [c for c in SIZES if os.path.isdir(os.path.join(self.base, "built-in", c))]
        if not self.cpus and glob.glob(os.path.join(self.base, "built-in", "librt*.a")):
            self.cpus = ["v1A"]
        if not self.cpus:
            raise Unusable(f"no run-time under {os.path.join(self.base, 'built-in')}")

    def runtimes(self):
        """(those that are there, what others lack)."""
        usable, lacking = [], []
        for cpu in self.cpus:
            for profile in (False, True):
                runtime = Runtime(self, cpu, profile)
                missing = runtime.missing()
                if missing:
                    lacking.append(f"{cpu}{' -pg' if profile else ''}: no {', '.join(missing)}")
                else:
                    usable.append(runtime)
        return usable, lacking
