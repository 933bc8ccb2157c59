#!/bin/bash
# Installs what the build needs on Debian 12 (the one place that names packages)
# and builds everything, or a target.  usage: tools/build.sh [BUILD_DIR [TARGET]]
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}

packages=(
  cmake ninja-build ccache python3-numpy valgrind       # build, tests
  clang-22 lld-22 libclang-rt-22-dev                    # compiler, linker, sanitizers
  llvm-22 llvm-22-dev llvm-22-tools                     # LLVM, FileCheck, lit
  libmlir-22-dev mlir-22-tools                          # MLIR
  libzstd-dev zlib1g-dev                                # for tools/ff-compile, which is static
)
missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  echo "== Installing ${missing[*]}"
  as_root=$([ "$(id -u)" = 0 ] && echo env || echo sudo)
  $as_root apt-get update -qq
  $as_root DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
fi

llvm=$(llvm-config-22 --prefix)
if [ ! -f "$build/build.ninja" ]; then
  echo "== Configuring $build"
  cmake -G Ninja -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DLLVM_USE_LINKER=lld \
    -DPython3_EXECUTABLE=/usr/bin/python3 -DMLIR_DIR="$llvm/lib/cmake/mlir" -DLLVM_EXTERNAL_LIT="$llvm/bin/lit" \
    -DCMAKE_C_COMPILER="$llvm/bin/clang" -DCMAKE_CXX_COMPILER="$llvm/bin/clang++" \
    -DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache >"/dev/null"
fi
echo "== Building"
# ccache and the precompiled header: macros and time stamps in it do not matter here.
export CCACHE_SLOPPINESS=pch_defines,time_macros
cmake --build "$build" ${2:+--target "$2"}
