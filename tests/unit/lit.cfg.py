# The tests in C++, for lit: the executables ROOM_tests of the directory given
# with -Dbuild=DIR, by default build-test.
import os

import lit.formats

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
build = os.path.join(root, lit_config.params.get("build", "build-test"))

config.name = "xlink-unit"
config.test_format = lit.formats.GoogleTest(".", "_tests")
config.test_source_root = os.path.join(build, "tests", "unit")
config.test_exec_root = config.test_source_root
# The longest ones are here: begun last they would keep one processor busy alone.
config.is_early = True
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
