// The example of docs/embedding.md: ff.norm_linear as another compiler emits it.
// RUN: ff-opt %s --ff-to-ptx=chip=sm_80 | FileCheck %s --check-prefix=PTX
// RUN: ff-opt %s --ff-to-cpu | FileCheck %s --check-prefix=CPU
// RUN: ff-run %s --shape=arg0:5x64 --verify --expect-fused=1
// It is in the document as it is here.
// RUN: %python %S/Inputs/quoted.py %s %ff_src_root/docs/embedding.md

// PTX: gpu.binary
// CPU: llvm.func @f
// A LayerNorm of x with gain g and shift s, then two Linears, the second with a bias.
func.func @f(%x: tensor<?x64xf32>, %g: tensor<64xf32>, %s: tensor<64xf32>, %w: tensor<32x64xf32>,
             %v: tensor<64x16xf32>, %c: tensor<16xf32>) -> (tensor<?x32xf32>, tensor<?x16xf32>) {
  %q, %k = ff.norm_linear layer_norm(%x) gain(%g) shift(%s) weights(%w, %v) biases(%c)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>, #ff.layout<kn>], bias_of = array<i64: 1>}
      : (tensor<?x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<32x64xf32>, tensor<64x16xf32>, tensor<16xf32>)
      -> (tensor<?x32xf32>, tensor<?x16xf32>)
  return %q, %k : tensor<?x32xf32>, tensor<?x16xf32>
}
