#!/bin/bash
# The suite under sanitizers (docs/testing.md): builds in build-sanitize and runs what does not
# only exercise Python or generated code.  usage: tools/sanitize.sh [address,undefined | thread]
# Status 77: the sanitizers themselves do not work on this machine.
set -euo pipefail
cd "$(dirname "$0")/.."
sanitize=${1:-address,undefined}
build=build-sanitize
[ "$sanitize" = thread ] && build=build-sanitize-thread

llvm=$(llvm-config-22 --prefix)
if [ ! -f "$build/build.ninja" ]; then
  # -O1: half of the compile time of -O3, and reports that still have lines.
  cmake -G Ninja -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG -gline-tables-only" \
    -DFF_SANITIZE="$sanitize" -DLLVM_USE_LINKER=lld -DPython3_EXECUTABLE=/usr/bin/python3 \
    -DMLIR_DIR="$llvm/lib/cmake/mlir" -DLLVM_EXTERNAL_LIT="$llvm/bin/lit" \
    -DCMAKE_C_COMPILER="$llvm/bin/clang" -DCMAKE_CXX_COMPILER="$llvm/bin/clang++" \
    -DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache >/dev/null
fi
probe=$(mktemp -d)
trap 'rm -rf "$probe"' EXIT
echo 'int main() { return 0; }' | "$llvm/bin/clang" -x c - -fsanitize="${sanitize%%,*}" -o "$probe/empty"
if ! "$probe/empty" 2>"$probe/log"; then
  if [ "$sanitize" = thread ]; then
    cat "$probe/log"
    echo "ThreadSanitizer does not work on this machine: not run"
    exit 77
  else # A leak is looked for by a process that traces itself, which some containers forbid.
    cat "$probe/log"
    export FF_DETECT_LEAKS=0
    ASAN_OPTIONS=detect_leaks=0 "$probe/empty" ||
      { echo "AddressSanitizer does not work on this machine: not run"; exit 77; }
    echo "LeakSanitizer does not work on this machine: leaks are not looked for"
  fi
fi
export CCACHE_SLOPPINESS=pch_defines,time_macros
if [ "$sanitize" = thread ]; then
  # What runs threads (docs/testing.md has what can be seen).
  cmake --build "$build" --target ff-opt compile-threads
  "$llvm/bin/lit" -s "$build/test" --filter='threads'
  exit
fi
cmake --build "$build" --target check-ff-deps
# Not here: simulated and executed kernels, random programs by the hundred, other builds.
"$llvm/bin/lit" -s "$build/test" --filter-out='layers|numerics|random|-run\.test|widths' \
  --filter='(CAPI|Composability|Decompose|Dialect|Schedule|Lower|Emit|Verify|Pipelines|Target|Runtime|Cascade|Fuzz|Kernel|Plan)/|ff-run/(errors|run|cuda|extents|f8|names|online|recursion|verify)|Raise/(rms|layer-norm|l2|declined|linears|escapes|rounding|gain|unit|casts|control|dequant|domains|other|plain|quant|stablehlo|tosa|types|weights)'
