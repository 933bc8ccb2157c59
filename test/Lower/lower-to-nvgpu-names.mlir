// RUN: ff-opt %s --ff-schedule=chip=sm_80 --ff-lower-to-nvgpu | FileCheck %s

// Kernel names are legal in PTX whatever the function is called, and the
// module's own symbols stay.
// CHECK-LABEL: func.func @"9-torch.f"
// CHECK: call @_9_torch_f_online_0
// CHECK: gpu.module @ff_kernels_0
// CHECK: llvm.func @_9_torch_f_online_0_simt_0
func.func @"9-torch.f"(%x: memref<4x64xf32>, %w: memref<32x64xf32>, %o: memref<4x32xf32>) {
  ff.online(%x) weights(%w) outs(%o) {layouts = [#ff.layout<nk>],
    linears_of = [array<i64: 0>], statistics = []}
    : (memref<4x64xf32>, memref<32x64xf32>, memref<4x32xf32>) -> () row {
      ff.yield
    } finalize {
    ^bb0(%z: f32):
      ff.yield %z : f32
    }
  return
}

func.func private @ff_kernels()
