// RUN: ff-opt %s --ff-to-cpu=fuse=false | FileCheck %s

// Everything is LLVM, with a C interface and without calls of bf16 helpers.
// CHECK-NOT: unrealized_conversion_cast
// CHECK-NOT: llvm.fptrunc {{.*}} to bf16
// CHECK: llvm.func @rms_norm
// CHECK: llvm.func @_mlir_ciface_rms_norm
func.func @rms_norm(%x: tensor<?x64xbf16>, %g: tensor<64xf32>, %w: tensor<32x64xbf16>) -> tensor<?x32xbf16> {
  %y = ff.norm_linear rms_norm(%x) gain(%g) weights(%w)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
      : (tensor<?x64xbf16>, tensor<64xf32>, tensor<32x64xbf16>) -> tensor<?x32xbf16>
  return %y : tensor<?x32xbf16>
}
