// Discardable attributes on our own operations go all the way to buffers.
// RUN: ff-opt %s --allow-unregistered-dialect --ff-decompose --ff-schedule=chip=sm_80 \
// RUN:   --one-shot-bufferize="bufferize-function-boundaries" | FileCheck %s
// CHECK: ff.online
// CHECK-SAME: other.layer = 7 : i64
// CHECK-SAME: memref
func.func @f(%x: tensor<4x8xf32>, %w: tensor<6x8xf32>) -> tensor<4x6xf32> {
  %y = ff.norm_linear rms_norm(%x) weights(%w) {layouts = [#ff.layout<nk>], other.layer = 7}
    : (tensor<4x8xf32>, tensor<6x8xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}
