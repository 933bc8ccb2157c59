// Extents that must be equal follow the one that is given: through reshapes, dims and assertions.
// RUN: ff-run %s --entry=sum --shape=arg0:1x5x4 | FileCheck %s
// CHECK: result 0: 1x5x4xf32

// An assertion of the program that fails is said, and no crash.
// RUN: not ff-run %s --entry=refuses --shape=arg0:6 2>&1 | FileCheck %s --check-prefix=GIVES-UP
// GIVES-UP-NOT: Stack dump
// GIVES-UP: no more than five
// GIVES-UP: error: the program gave up
// GIVES-UP-NOT: Stack dump
// RUN: ff-run %s --entry=refuses --shape=arg0:5

// Factors of rows are as many as the rows.
// RUN: ff-run %s --entry=scaled --shape=arg0:40x64 --verify | FileCheck %s --check-prefix=SCALED
// SCALED: result 0: 40x16xbf16 fused row={{0?\.00}}{{.*}} ok
// RUN: not ff-run %s --entry=scaled --shape=arg0:40x64 --shape=arg1:8 2>&1 | FileCheck %s --check-prefix=FEWER
// FEWER: error: argument 1 is given extent 8 in dimension 0, but other arguments make it 40

func.func @sum(%x: tensor<1x?x4xf32>, %r: tensor<1x?x4xf32>) -> tensor<1x?x4xf32> {
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %x, %c1 : tensor<1x?x4xf32>
  %flat = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x?x4xf32> into tensor<?x4xf32>
  %back = tensor.expand_shape %flat [[0, 1], [2]] output_shape [1, %rows, 4] : tensor<?x4xf32> into tensor<1x?x4xf32>
  %others = tensor.dim %r, %c1 : tensor<1x?x4xf32>
  %same = arith.cmpi eq, %others, %rows : index
  cf.assert %same, "mismatched size for broadcast"
  %e = tensor.empty(%others) : tensor<1x?x4xf32>
  %y = linalg.add ins(%r, %back : tensor<1x?x4xf32>, tensor<1x?x4xf32>) outs(%e : tensor<1x?x4xf32>) -> tensor<1x?x4xf32>
  return %y : tensor<1x?x4xf32>
}

func.func @refuses(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %few = arith.cmpi ule, %n, %c5 : index
  cf.assert %few, "no more than five"
  return %x : tensor<?xf32>
}

func.func @scaled(%x: tensor<?x64xf8E4M3FN>, %s: tensor<?xf32>, %w: tensor<16x64xf8E4M3FN>) -> tensor<?x16xbf16> {
  %y = ff.norm_linear rms_norm(%x) x_scale(%s) weights(%w) {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
      : (tensor<?x64xf8E4M3FN>, tensor<?xf32>, tensor<16x64xf8E4M3FN>) -> tensor<?x16xbf16>
  return %y : tensor<?x16xbf16>
}
