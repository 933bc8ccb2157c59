// RUN: ff-run %s --entry=norm --verify --expect-fused=1 | FileCheck %s --check-prefix=NORM
// RUN: ff-run %s --entry=plain --verify | FileCheck %s --check-prefix=PLAIN
// RUN: %python %S/Inputs/f8_numbers.py %t.npy
// RUN: ff-run %s --entry=numbers --input=arg0:%t.npy --output=res0:%t.out.npy
// RUN: %python %S/Inputs/f8_numbers.py %t.npy --check %t.out.npy

// Quantised weights of both layouts: a scale per channel, one per tensor, none; a bias behind one.
// NORM: fused=1
// NORM-NEXT: result 0: 8x37xbf16 fused {{.*}} ok
// NORM-NEXT: result 1: 8x70xbf16 fused {{.*}} ok
// NORM-NEXT: result 2: 8x5xbf16 fused {{.*}} ok
func.func @norm(%x: tensor<?x64xbf16>, %g: tensor<64xf32>, %wq: tensor<37x64xf8E4M3FN>,
                %wk: tensor<64x70xf8E4M3FN>, %wv: tensor<5x64xf8E4M3FN>, %s: tensor<37xf32>,
                %t: tensor<1xf32>, %c: tensor<37xbf16>)
    -> (tensor<?x37xbf16>, tensor<?x70xbf16>, tensor<?x5xbf16>) {
  %q, %k, %v = ff.norm_linear layer_norm(%x) gain(%g) weights(%wq, %wk, %wv) scales(%s, %t) biases(%c)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>, #ff.layout<kn>, #ff.layout<nk>],
       scale_of = array<i64: 0, 1>, bias_of = array<i64: 0>}
      : (tensor<?x64xbf16>, tensor<64xf32>, tensor<37x64xf8E4M3FN>, tensor<64x70xf8E4M3FN>,
         tensor<5x64xf8E4M3FN>, tensor<37xf32>, tensor<1xf32>, tensor<37xbf16>)
      -> (tensor<?x37xbf16>, tensor<?x70xbf16>, tensor<?x5xbf16>)
  return %q, %k, %v : tensor<?x37xbf16>, tensor<?x70xbf16>, tensor<?x5xbf16>
}

// Weights that are dequantised in bf16: what they are compared with is not rounded.
// PLAIN: result 0: 3x16xf32 {{.*}} ok
func.func @plain(%x: tensor<3x64xbf16>, %q: tensor<16x64xf8E4M3FN>, %s: tensor<16xf32>) -> tensor<3x16xf32> {
  %e = tensor.empty() : tensor<16x64xbf16>
  %w = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n)>,
                                        affine_map<(n, k) -> (n, k)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%q, %s : tensor<16x64xf8E4M3FN>, tensor<16xf32>) outs(%e : tensor<16x64xbf16>) {
  ^bb0(%a: f8E4M3FN, %b: f32, %o: bf16):
    %f = arith.extf %a : f8E4M3FN to f32
    %p = arith.mulf %f, %b : f32
    %r = arith.truncf %p : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<16x64xbf16>
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<3x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%o : tensor<3x16xf32>) -> tensor<3x16xf32>
  %y = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                                        affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %w : tensor<3x64xbf16>, tensor<16x64xbf16>) outs(%init : tensor<3x16xf32>) -> tensor<3x16xf32>
  return %y : tensor<3x16xf32>
}

// All 256 of them.
func.func @numbers(%q: tensor<256xf8E4M3FN>) -> tensor<256xf32> {
  %e = tensor.empty() : tensor<256xf32>
  %f = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%q : tensor<256xf8E4M3FN>) outs(%e : tensor<256xf32>) {
  ^bb0(%a: f8E4M3FN, %o: f32):
    %w = arith.extf %a : f8E4M3FN to f32
    linalg.yield %w : f32
  } -> tensor<256xf32>
  return %f : tensor<256xf32>
}
