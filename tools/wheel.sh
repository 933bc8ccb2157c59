#!/bin/bash
# Builds the wheel of the Python package, compiler included, into dist/.
# usage: tools/wheel.sh [BUILD_DIR]
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
tools/build.sh "$build" ff-compile
FLASHFUSION_COMPILER=$PWD/$build/compiler python3 -m pip wheel --no-deps -w dist ./python
ls -l dist
