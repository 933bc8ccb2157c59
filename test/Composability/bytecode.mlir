// Operations and attributes of ff survive bytecode.
// RUN: ff-opt %s > %t.text
// RUN: ff-opt %s --emit-bytecode | ff-opt > %t.bytecode
// RUN: cmp %t.text %t.bytecode
// RUN: ff-opt %s --ff-decompose --ff-schedule=chip=sm_90a > %t.online
// RUN: ff-opt %t.online --emit-bytecode | ff-opt > %t.online-bytecode
// RUN: cmp %t.online %t.online-bytecode
// RUN: FileCheck %s < %t.bytecode
// RUN: FileCheck %s --check-prefix=ONLINE < %t.online-bytecode

// CHECK: ff.norm_linear layer_norm(%{{[a-z0-9]+}}) gain(%{{[a-z0-9]+}}) shift(%{{[a-z0-9]+}}) weights(%{{[a-z0-9]+}}, %{{[a-z0-9]+}}) biases(%{{[a-z0-9]+}}) eps(%{{[a-z0-9]+}})
// CHECK-SAME: bias_of = array<i64: 1>, gain_offset = 1.000000e+00 : f64, layouts = [#ff.layout<nk>, #ff.layout<kn>]
// ONLINE: ff.target = #ff.target<chip = "sm_90a"
// ONLINE: ff.online
// ONLINE-SAME: schedule = [#ff.schedule<family =
// ONLINE-SAME: statistics = [#ff.statistic<mean>, #ff.statistic<variance>]
func.func @f(%x: tensor<?x64xbf16>, %g: tensor<64xf32>, %s: tensor<64xf32>, %w: tensor<32x64xbf16>,
             %v: tensor<64x16xbf16>, %c: tensor<16xf32>, %eps: f32) -> (tensor<?x32xbf16>, tensor<?x16xbf16>) {
  %q, %k = ff.norm_linear layer_norm(%x) gain(%g) shift(%s) weights(%w, %v) biases(%c) eps(%eps)
      {gain_offset = 1.0 : f64, layouts = [#ff.layout<nk>, #ff.layout<kn>], bias_of = array<i64: 1>}
      : (tensor<?x64xbf16>, tensor<64xf32>, tensor<64xf32>, tensor<32x64xbf16>, tensor<64x16xbf16>, tensor<16xf32>, f32)
      -> (tensor<?x32xbf16>, tensor<?x16xbf16>)
  return %q, %k : tensor<?x32xbf16>, tensor<?x16xbf16>
}
