// Forms of ff.online that a user may write, on the CPU against its definition and f64.
// RUN: ff-run %s --entry=residual --shape=arg0:5x24 --shape=arg3:5x16 --verify --expect-fused=1 | FileCheck %s
// RUN: ff-run %s --entry=plain --shape=arg0:5x24 --shape=arg2:5x16 --verify --expect-fused=1 | FileCheck %s
// RUN: ff-run %s --entry=pair --shape=arg0:5x24 --verify --expect-fused=1 | FileCheck %s

// CHECK: fused=1
// CHECK: result 0: {{.*}} ok

// A bias and a residual behind a norm.
func.func @residual(%x: tensor<?x24xf16>, %w: tensor<16x24xf16>, %c: tensor<16xf32>,
                    %r: tensor<?x16xf16>) -> tensor<?x16xf16> {
  %zero = arith.constant 0 : index
  %m = tensor.dim %x, %zero : tensor<?x24xf16>
  %o = tensor.empty(%m) : tensor<?x16xf16>
  %y = ff.online(%x) weights(%w) columns(%c) tiles(%r) outs(%o)
      {statistics = [#ff.statistic<mean_square>], layouts = [#ff.layout<nk>],
       column_of = array<i64: 0>, tile_of = array<i64: 0>, linears_of = [array<i64: 0>]}
      : (tensor<?x24xf16>, tensor<16x24xf16>, tensor<16xf32>, tensor<?x16xf16>,
         tensor<?x16xf16>) -> tensor<?x16xf16>
  row {
  ^bb0(%square: f32):
    %scale = math.rsqrt %square : f32
    ff.yield %scale : f32
  } finalize {
  ^bb0(%z: f32, %b: f32, %t: f16):
    %t32 = arith.extf %t : f16 to f32
    %s = arith.addf %z, %b : f32
    %s2 = arith.addf %s, %t32 : f32
    %h = arith.truncf %s2 : f32 to f16
    ff.yield %h : f16
  }
  return %y : tensor<?x16xf16>
}

// A Linear without a norm, and a residual.
func.func @plain(%x: tensor<?x24xbf16>, %w: tensor<24x16xbf16>, %r: tensor<?x16xf32>)
    -> tensor<?x16xf32> {
  %zero = arith.constant 0 : index
  %m = tensor.dim %x, %zero : tensor<?x24xbf16>
  %o = tensor.empty(%m) : tensor<?x16xf32>
  %y = ff.online(%x) weights(%w) tiles(%r) outs(%o)
      {statistics = [], layouts = [#ff.layout<kn>], tile_of = array<i64: 0>,
       linears_of = [array<i64: 0>]}
      : (tensor<?x24xbf16>, tensor<24x16xbf16>, tensor<?x16xf32>, tensor<?x16xf32>)
      -> tensor<?x16xf32>
  row { ff.yield } finalize {
  ^bb0(%z: f32, %t: f32):
    %s = arith.subf %t, %z : f32
    ff.yield %s : f32
  }
  return %y : tensor<?x16xf32>
}

// Two outputs that share a Linear, one of them of two Linears.
func.func @pair(%x: tensor<?x24xf32>, %w: tensor<16x24xf32>, %v: tensor<16x24xf32>)
    -> (tensor<?x16xf32>, tensor<?x16xf32>) {
  %zero = arith.constant 0 : index
  %m = tensor.dim %x, %zero : tensor<?x24xf32>
  %o = tensor.empty(%m) : tensor<?x16xf32>
  %y:2 = ff.online(%x) weights(%w, %v) outs(%o, %o)
      {statistics = [], layouts = [#ff.layout<nk>, #ff.layout<nk>],
       linears_of = [array<i64: 0, 1>, array<i64: 0>]}
      : (tensor<?x24xf32>, tensor<16x24xf32>, tensor<16x24xf32>, tensor<?x16xf32>,
         tensor<?x16xf32>) -> (tensor<?x16xf32>, tensor<?x16xf32>)
  row { ff.yield } finalize {
  ^bb0(%a: f32, %b: f32):
    %s = arith.mulf %a, %b : f32
    ff.yield %s : f32
  }, {
  ^bb0(%a: f32):
    ff.yield %a : f32
  }
  return %y#0, %y#1 : tensor<?x16xf32>, tensor<?x16xf32>
}
