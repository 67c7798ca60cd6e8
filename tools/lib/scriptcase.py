"""The cases of tools/lib/scriptgen.py as links: inputs, scripts, command lines, and many at once.

A tool that links cases derives a Worker with a method run(task), and gives it to results(). A task
is (profile, seed, kind), where the kind is the tool's: a class, a machine.
"""
import multiprocessing
import os
import tempfile

from elfcompare import build_objects, make_archive
from scriptgen import PROFILES, generate
from scriptspecial import MAKERS, Archives


def build_inputs(yaml2obj, ar, folder, elf_class):
    """Makes the objects of a class below a folder, for each linker, and archives beside them."""
    build_objects(yaml2obj, folder, elf_class)
    for form in elf_class.macros:
        for name, members in Archives.MEMBERS.items():
            make_archive(ar, os.path.join(folder, form), name, members)


def make_case(profile, seed, bits):
    """The case of a profile's name and a seed."""
    return generate(PROFILES[profile], seed, MAKERS, bits)


def command_line(case, scripts):
    """The arguments that a case is linked with, given the paths of its scripts."""
    line = case.line or case.before + ["-T"] + case.args + [f + ".o" for f in case.files]
    at = line.index("-T")
    return line[:at] + [x for s in scripts for x in ("-T", s)] + line[at + 1:]


class Worker:
    """Links cases, with a folder of its own below the one of the inputs."""
    one = None          # of this process

    def __init__(self, folder):
        self.folder = folder
        self.own = tempfile.mkdtemp(dir=folder)

    def write(self, case):
        """Writes the scripts of a case; their paths."""
        paths = []
        for number, text in enumerate(case.inserts + [case.text]):
            paths.append(os.path.join(self.own, f"{number}.ld"))
            with open(paths[-1], "w") as file:
                file.write(text)
        return paths


def start(worker, arguments):
    """Makes the Worker of a process."""
    Worker.one = worker(*arguments)


def work(task):
    """A task, with what became of it."""
    return task, Worker.one.run(task)


def results(jobs, worker, arguments, tasks):
    """Runs tasks in so many processes, each with its worker(*arguments); yields (task, result)
    in order."""
    with multiprocessing.Pool(jobs, start, (worker, arguments)) as pool:
        yield from pool.imap(work, tasks, chunksize=8)


def add_arguments(parser):
    """Options that say which cases are meant."""
    parser.add_argument("--seed", type=int, default=1, help="of the first script")
    parser.add_argument("--count", type=int, default=700, help="of scripts, by default 700")
    parser.add_argument("--profile", action="extend", nargs="+", choices=list(PROFILES),
                        default=[], help="what scripts are about; by default all in turn")


def make_tasks(options, kinds):
    """The tasks that options mean: each seed in each kind."""
    names = options.profile or list(PROFILES)
    return [(names[seed % len(names)], seed, kind)
            for seed in range(options.seed, options.seed + options.count) for kind in kinds]
