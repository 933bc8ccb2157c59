#!/bin/bash
# Builds everything and runs every test that this machine can run; tests that
# need what is not here (a GPU, ptxas) are counted as skipped.
set -uo pipefail
cd "$(dirname "$0")/.."
tools/build.sh build || exit 1

results=build/test-results.json
rm -f "$results"
LIT_OPTS="${LIT_OPTS:-} --output=$PWD/$results" cmake --build build --target check-ff
status=$?
[ -f "$results" ] || { echo "the tests did not run"; exit 1; }
# lit has no one-line summary that says all: make it out of its own results.
python3 - "$results" <<'PY'
import collections, json, sys
counts = collections.Counter(t["code"] for t in json.load(open(sys.argv[1]))["tests"])
passed = counts["PASS"] + counts["XFAIL"] + counts["FLAKYPASS"]
skipped = counts["UNSUPPORTED"] + counts["SKIPPED"] + counts["EXCLUDED"]
print(f"{passed} passed, {sum(counts.values()) - passed - skipped} failed, {skipped} skipped")
PY
exit $status
