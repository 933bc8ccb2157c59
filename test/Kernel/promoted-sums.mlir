// Sums of a centered norm over a long K leave the tensor cores' accumulators with every stage where
// results are f16: no product is in flight while they are added up (wait_group 0). With results in
// bf16, and over a short K, one group stays in flight.
// RUN: ff-opt %s --ff-to-ptx="chip=sm_90a family=prefill" --emit=ptx | FileCheck %s
// CHECK-LABEL: .entry long_f16_online_0_prefill_0(
// CHECK: wgmma.mma_async
// CHECK-NOT: wgmma.wait_group.sync.aligned 1
// CHECK: wgmma.wait_group.sync.aligned 0
// CHECK-NOT: wgmma.wait_group.sync.aligned 1
// CHECK-LABEL: .entry long_bf16_online_0_prefill_0(
// CHECK: wgmma.wait_group.sync.aligned 1
// CHECK-LABEL: .entry short_f16_online_0_prefill_0(
// CHECK: wgmma.wait_group.sync.aligned 1

func.func @long_f16(%x: tensor<1000x2048xf16>, %w: tensor<256x2048xf16>) -> tensor<1000x256xf16> {
  %y = ff.norm_linear layer_norm(%x) weights(%w) {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
      : (tensor<1000x2048xf16>, tensor<256x2048xf16>) -> tensor<1000x256xf16>
  return %y : tensor<1000x256xf16>
}

func.func @long_bf16(%x: tensor<1000x2048xbf16>, %w: tensor<256x2048xbf16>) -> tensor<1000x256xbf16> {
  %y = ff.norm_linear layer_norm(%x) weights(%w) {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
      : (tensor<1000x2048xbf16>, tensor<256x2048xbf16>) -> tensor<1000x256xbf16>
  return %y : tensor<1000x256xbf16>
}

func.func @short_f16(%x: tensor<1000x1024xf16>, %w: tensor<256x1024xf16>) -> tensor<1000x256xf16> {
  %y = ff.norm_linear layer_norm(%x) weights(%w) {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
      : (tensor<1000x1024xf16>, tensor<256x1024xf16>) -> tensor<1000x256xf16>
  return %y : tensor<1000x256xf16>
}
