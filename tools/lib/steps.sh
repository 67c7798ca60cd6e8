# Shared by tools/test and tools/test-nightly, which run in the project's directory.
jobs=${XLINK_JOBS:-$(nproc)}
export CMAKE_BUILD_PARALLEL_LEVEL=$jobs
times=()

# timed NAME COMMAND...: runs it, records its time, returns its status. To be called
# while `set -e` is off: a status that is returned ends the shell otherwise.
timed() {
  local name=$1 begin=$SECONDS status=0
  shift
  echo "$(basename "$0"): $name ..."
  # In a shell of its own, and not in a condition, where `set -e` would not hold.
  (set -e; "$@")
  status=$?
  times+=("$(printf '%4d s  %s' $((SECONDS - begin)) "$name")")
  return $status
}

# step NAME COMMAND...: the same; the first that fails ends the run.
step() {
  set +e
  timed "$@"
  local status=$?
  set -e
  if [[ $status -ne 0 ]]; then
    echo "$(basename "$0"): FAILED ($1)" >&2
    exit 1
  fi
}

finish() {
  printf "$(basename "$0"): %s\n" "${times[@]}" "all passed in $SECONDS s"
}

# The directory of the LLVM that is used: 19 to 22, the first that is there.
llvm_directory() {
  local version
  for version in 19 20 21 22; do
    if [[ -x /usr/lib/llvm-$version/bin/llvm-config ]]; then
      echo "/usr/lib/llvm-$version"
      return
    fi
  done
  dirname "$(dirname "$(command -v llvm-config)")"
}

# build_with_clang DIRECTORY OPTION...: clang compiles with sanitizers in three quarters
# of gcc's time, and its thread sanitizer starts on any kernel.
build_with_clang() {
  local llvm
  llvm=$(llvm_directory)
  tools/build "$1" -DCMAKE_CXX_COMPILER="$llvm/bin/clang++" -DLLVM_DIR="$llvm/cmake" \
    -DXLINK_TESTS=ON "${@:2}"
}
build_suite() {
  build_with_clang build-test -DXLINK_SANITIZE=ON
}

# run_lit BUILD TEST...: lit's tests, run on what BUILD has.
run_lit() {
  # LLVM's libraries know nothing of the marks that LLVM's allocator sets for the
  # sanitizer in code that is compiled with it. It notes the last five calls of an allocation: all
  # of them take a tenth of the time.
  ASAN_OPTIONS=allow_user_poisoning=0:malloc_context_size=5 python3 "$(llvm_directory)/build/utils/lit/lit.py" \
    -sv --no-progress-bar --workers "$jobs" -Dbuild="$1" "${@:2}"
}
