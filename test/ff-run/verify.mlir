// RUN: ff-run %s --entry=rms --verify --expect-fused=1 | FileCheck %s --check-prefix=RMS
// RUN: ff-run %s --entry=ln --verify --rows=hard | FileCheck %s --check-prefix=LN
// RUN: ff-run %s --entry=rms --verify --shape=arg0:0x64 | FileCheck %s --check-prefix=EMPTY
// RUN: ff-run %s --entry=gated --verify --rows=hard | FileCheck %s --check-prefix=GATED
// RUN: ff-run %s --all --optimize=0 --verify --expect-fused=1 | FileCheck %s --check-prefix=ALL

// ALL: @rms
// ALL-NEXT: fused=1
// ALL-NEXT: result 0: 8x37xbf16 fused {{.*}} ok
// ALL-NEXT: result 1: 8x70xbf16 fused {{.*}} ok
// ALL-NEXT: @ln
// ALL-NEXT: fused=1
// ALL-NEXT: result 0: 13x37xf32 fused {{.*}} ok
// ALL-NEXT: @gated
// ALL-NEXT: fused=1
// ALL-NEXT: result 0: 7x16xf16 fused row={{[0-9.e-]+}} written={{[0-9.e-]+}} {{.*}} ok

// Two Linears of both layouts, ragged N, a dynamic M that is a block of rows and a rest.
// RMS: fused=1
// RMS-NEXT: result 0: 8x37xbf16 fused {{.*}} ok
// RMS-NEXT: result 1: 8x70xbf16 fused {{.*}} ok
// EMPTY: result 0: 0x37xbf16 fused {{.*}} ok
// EMPTY: result 1: 0x70xbf16 fused {{.*}} ok
func.func @rms(%x: tensor<?x64xbf16>, %g: tensor<64xf32>, %wq: tensor<37x64xbf16>,
               %wk: tensor<64x70xbf16>) -> (tensor<?x37xbf16>, tensor<?x70xbf16>) {
  %q, %k = ff.norm_linear rms_norm(%x) gain(%g) weights(%wq, %wk)
      {eps = 1.0e-5 : f64, gain_offset = 1.0 : f64, layouts = [#ff.layout<nk>, #ff.layout<kn>]}
      : (tensor<?x64xbf16>, tensor<64xf32>, tensor<37x64xbf16>, tensor<64x70xbf16>)
      -> (tensor<?x37xbf16>, tensor<?x70xbf16>)
  return %q, %k : tensor<?x37xbf16>, tensor<?x70xbf16>
}

// Everything that ff.norm_linear can have; rows with mean/std = 100 and outliers.
// LN: result 0: 13x37xf32 fused {{.*}} ok
func.func @ln(%x: tensor<13x50xf32>, %g: tensor<50xf32>, %s: tensor<50xf32>, %w: tensor<37x50xf32>,
              %c: tensor<37xf32>, %e: f32) -> tensor<13x37xf32> {
  %q = ff.norm_linear layer_norm(%x) gain(%g) shift(%s) weights(%w) biases(%c) eps(%e)
      {bias_of = array<i64: 0>, layouts = [#ff.layout<nk>]}
      : (tensor<13x50xf32>, tensor<50xf32>, tensor<50xf32>, tensor<37x50xf32>, tensor<37xf32>, f32)
      -> tensor<13x37xf32>
  return %q : tensor<13x37xf32>
}

// An L2 norm with two Linears in one finalizer; no more rows than a vector has elements.
// GATED: result 0: 7x16xf16 fused row={{[0-9.e-]+}} written={{[0-9.e-]+}} {{.*}} ok
func.func @gated(%x: tensor<7x24xf16>, %w0: tensor<16x24xf16>, %w1: tensor<24x16xf16>,
                 %c: tensor<16xf16>) -> tensor<7x16xf16> {
  %out = tensor.empty() : tensor<7x16xf16>
  %y = ff.online(%x) weights(%w0, %w1) columns(%c) outs(%out)
      {statistics = [#ff.statistic<sum_square>], layouts = [#ff.layout<nk>, #ff.layout<kn>],
       column_of = array<i64: 0>, linears_of = [array<i64: 0, 1>]}
      : (tensor<7x24xf16>, tensor<16x24xf16>, tensor<24x16xf16>, tensor<16xf16>, tensor<7x16xf16>)
      -> tensor<7x16xf16>
  row {
  ^bb0(%q: f32):
    %eps = arith.constant 1.0e-12 : f32
    %one = arith.constant 1.0 : f32
    %n = math.sqrt %q : f32
    %b = arith.maximumf %n, %eps : f32
    %r = arith.divf %one, %b : f32
    ff.yield %r : f32
  } finalize {
  ^bb0(%a: f32, %b: f32, %c0: f16):
    %c1 = arith.extf %c0 : f16 to f32
    %d = arith.addf %a, %c1 : f32
    %p = arith.mulf %d, %b : f32
    %t = arith.truncf %p : f32 to f16
    ff.yield %t : f16
  }
  return %y : tensor<7x16xf16>
}
