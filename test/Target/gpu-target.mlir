// LLVM takes the PTX version of every chip, and ptxas the result.
// REQUIRES: ptxas
// RUN: for chip in sm_80 sm_86 sm_87 sm_89 sm_90 sm_90a sm_100 sm_100a sm_103 sm_103a sm_120 sm_120a; do \
// RUN:   ff-opt %s --ff-schedule="chip=$chip family=simt" --ff-lower-to-nvgpu --ff-emit-ptx --emit=ptx -o %t.ptx && \
// RUN:   %ptxas -arch=$chip %t.ptx -o %t.cubin || exit 1; \
// RUN: done
// RUN: not ff-opt %s --ff-schedule=chip=sm_75 2>&1 | FileCheck %s
// CHECK: error: unknown chip 'sm_75'; known are sm_80, sm_86, sm_87, sm_89, sm_90, sm_90a, sm_100, sm_100a, sm_103, sm_103a, sm_120, sm_120a
func.func @linear(%x: memref<?x8xbf16>, %w: memref<8x8xf32>, %y: memref<?x8xbf16>) {
  ff.online(%x) weights(%w) outs(%y)
      {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>]}
      : (memref<?x8xbf16>, memref<8x8xf32>, memref<?x8xbf16>) -> ()
  row {
    ff.yield
  } finalize {
  ^bb0(%z: f32):
    %r = arith.truncf %z : f32 to bf16
    ff.yield %r : bf16
  }
  return
}
