# again.py FF_OPT FILE: every pass of ours, behind those that it needs, once and twice: the same text.
import subprocess
import sys

FF_OPT, FILE = sys.argv[1:]
BUFFERIZE = ["one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}"]
ONLINE = ["ff-raise{plain-linears}", "ff-decompose"]
SCHEDULED = ONLINE + ["ff-fuse-epilogue", "ff-schedule{chip=sm_90a}"]
BUFFERS = SCHEDULED + ["ff-prepare-host-functions"] + BUFFERIZE
KERNELS = BUFFERS + ["func.func(ff-write-results-in-place)", "ff-lower-to-nvgpu"]
CASCADE = ["ff-raise-cascade"]
# The last of each is run twice.
LISTS = [
    ["ff-raise"], ["ff-raise{plain-linears}"], ONLINE, ONLINE + ["ff-fuse-epilogue"], SCHEDULED,
    ONLINE + ["ff-mark-unrounded"], ["ff-expand-f8"], ["ff-promote-accumulators"], ["ff-expand-dynamic-reshapes"],
    ONLINE + ["ff-expand-online"], ONLINE + ["ff-lower-to-loops"], ONLINE + ["ff-lower-to-loops", "ff-vectorize-for-cpu"],
    SCHEDULED + ["ff-prepare-host-functions"], BUFFERS + ["func.func(ff-write-results-in-place)"], KERNELS,
    KERNELS + ["ff-emit-ptx"], KERNELS + ["ff-lower-packs"],
    CASCADE, CASCADE + ["ff-cascade-defer"], CASCADE + ["ff-cascade-iterate"], CASCADE + ["ff-cascade-group"],
    CASCADE + ["ff-lower-cascade"], CASCADE + ["ff-cascade-report"],
]


def run(passes, text):
    pipeline = "builtin.module(" + ",".join(passes) + ")"
    return subprocess.run([FF_OPT, "--mlir-print-debuginfo", "--pass-pipeline=" + pipeline], input=text, text=True,
                          check=True, capture_output=True).stdout


before = run([], open(FILE).read())
wrong = idle = 0
for passes in LISTS:
    once = run(passes, before)
    idle += once == run(passes[:-1], before)
    if run(passes + passes[-1:], before) != once:
        wrong += 1
        print(passes[-1], "changes what it made")
print(f"{len(LISTS)} passes, {len(LISTS) - idle} of them with something to do, {wrong} not idempotent")
