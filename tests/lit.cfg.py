# Configuration of lit, LLVM's test runner, for the tests of this directory: files of text
# (*.test) that run the tool. The tool under test is that of the directory given
# with -Dbuild=DIR, by default build-test.
# .lit_test_times.txt names the longest tests, with their seconds: a new build begins with them.
import os
import re
import sys

import lit.formats

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
build = os.path.join(root, lit_config.params.get("build", "build-test"))


def llvm_tools():
    """The directory of FileCheck, yaml2obj and the like: LLVM's own that was built with."""
    with open(os.path.join(build, "CMakeCache.txt")) as cache:
        found = re.search(r"^LLVM_DIR:[A-Z]+=(.*?)/(lib/)?cmake(/llvm)?$", cache.read(), re.M)
    return os.path.join(os.path.realpath(found[1]), "bin")


config.name = "xlink"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test"]
config.test_source_root = os.path.join(root, "tests")
config.test_exec_root = os.path.join(build, "tests", "lit")
# The path's python3 may be a script that looks for one.
config.environment["PATH"] = os.pathsep.join(
    [build, os.path.join(root, "tests", "bin"), llvm_tools(), os.path.dirname(sys.executable),
     os.environ["PATH"]])
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
# lit's own diff and cat are Python programs, which take longer to start than all else in a RUN
# line.
config.substitutions.append((r"(?<![\w./-])cat(?= )", "/bin/cat"))
config.substitutions.append((r"(?<![\w./-])(?<!xlink-inspect )diff(?= )", "/usr/bin/diff -u"))
# -Dthrough-r=1: each link once more from what -r makes of its objects; -Dbig-twin=1: for a
# big-endian machine.
for name in ("through-r", "big-twin"):
    if name in lit_config.params:
        config.available_features.add(name)
        config.substitutions.append((r"(?<![\w./%\"-])xlink(?= )", name + " " + os.path.join(build, "xlink")))
config.substitutions.append(("%testdata", os.path.join(root, "testdata")))
config.substitutions.append(("%source", root))
config.substitutions.append(("%build", build))
