#!/bin/bash
# The main job on a real input: a RMSNorm with its q, k and v projections, as
# PyTorch exports it, becomes one fused kernel's PTX, and the fused program is
# compared with the program as written, on the CPU.
# usage: tools/demo.sh [IN.mlir]
set -euo pipefail
cd "$(dirname "$0")/.."
input=${1:-test/Inputs/export/llama_rmsnorm_qkv_dynseq_bf16.mlir}
tools/build.sh build

out=build/demo
mkdir -p "$out"
echo
echo "== What is fused in $input"
build/bin/ff-opt "$input" --ff-raise --remarks-filter='.*' -o "$out/raised.mlir" 2>&1 | grep -E 'remark' || true
grep -oE 'ff.norm_linear +[a-z0-9_]+' "$out/raised.mlir" | tr -s ' ' || echo "nothing"
echo
echo "== GPU code for sm_90a"
build/bin/ff-opt "$input" --ff-to-ptx=chip=sm_90a --emit=ptx -o "$out/kernels.ptx"
grep -E '^\.visible \.entry' "$out/kernels.ptx" | sed 's/($//'
echo "$out/kernels.ptx: $(wc -l <"$out/kernels.ptx") lines of PTX"
echo
echo "== The fused program against the program as written and a float64 reference, on the CPU"
build/bin/ff-run "$input" --verify --rows=hard
