// RUN: ff-opt %s --ff-vectorize-for-cpu --canonicalize --split-input-file | FileCheck %s

// Whole panels of 32 columns, whose right operand is extended and put in order
// inside of the loop over panels; then the ragged rest of 5 columns.
// CHECK-LABEL: func.func @matmul_nk
func.func @matmul_nk(%a: tensor<?x40xf16>, %w: tensor<69x40xf16>, %c: tensor<?x69xf32>) -> tensor<?x69xf32> {
  // CHECK: scf.for
  // CHECK:   tensor.empty() : tensor<40x32xf32>
  // CHECK:   linalg.generic
  // CHECK:   arith.extf
  // CHECK:   scf.for {{.*}} step %c4
  // CHECK:     scf.for {{.*}} step %c16
  // CHECK:       scf.for {{.*}} step %c1
  // CHECK-COUNT-4: vector.fma {{.*}} : vector<32xf32>
  // CHECK:   scf.for {{.*}} step %c1
  // CHECK: vector.fma {{.*}} : vector<5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                                        affine_map<(m, n, k) -> (n, k)>,
                                        affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %w : tensor<?x40xf16>, tensor<69x40xf16>) outs(%c : tensor<?x69xf32>) {
  ^bb0(%x: f16, %y: f16, %o: f32):
    %0 = arith.extf %x : f16 to f32
    %1 = arith.extf %y : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<?x69xf32>
  return %r : tensor<?x69xf32>
}

// -----

// A dynamic K, and sums in 16 bits, stay as they are.
// CHECK-LABEL: func.func @untouched
func.func @untouched(%a: tensor<4x?xf32>, %b: tensor<?x8xf32>, %c: tensor<4x8xf32>,
                     %d: tensor<4x8xf16>, %e: tensor<8x8xf16>) -> (tensor<4x8xf32>, tensor<4x8xf16>) {
  // CHECK: linalg.matmul
  // CHECK: linalg.matmul
  // CHECK-NOT: vector.fma
  %r = linalg.matmul ins(%a, %b : tensor<4x?xf32>, tensor<?x8xf32>) outs(%c : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s = linalg.matmul ins(%d, %e : tensor<4x8xf16>, tensor<8x8xf16>) outs(%d : tensor<4x8xf16>) -> tensor<4x8xf16>
  return %r, %s : tensor<4x8xf32>, tensor<4x8xf16>
}

// -----

// The output's innermost dimension is one of the left operand: the operands
// exchange their roles. A batch and a second row dimension become loops.
// CHECK-LABEL: func.func @transposed
func.func @transposed(%a: tensor<3x2x16x40xf32>, %b: tensor<3x24x40xf32>, %c: tensor<3x24x2x16xf32>) -> tensor<3x24x2x16xf32> {
  // CHECK-NOT: arith.mulf
  // CHECK: vector.fma {{.*}} : vector<16xf32>
  // CHECK-NOT: arith.mulf
  %r = linalg.generic {indexing_maps = [affine_map<(b, m, i, n, k) -> (b, i, n, k)>,
                                        affine_map<(b, m, i, n, k) -> (b, m, k)>,
                                        affine_map<(b, m, i, n, k) -> (b, m, i, n)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<3x2x16x40xf32>, tensor<3x24x40xf32>) outs(%c : tensor<3x24x2x16xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %0, %o : f32
    linalg.yield %1 : f32
  } -> tensor<3x24x2x16xf32>
  return %r : tensor<3x24x2x16xf32>
}

// -----

// No columns.
// CHECK-LABEL: func.func @empty
func.func @empty(%a: tensor<4x8xf32>, %b: tensor<8x0xf32>, %c: tensor<4x0xf32>) -> tensor<4x0xf32> {
  // CHECK: linalg.matmul
  %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x0xf32>) outs(%c : tensor<4x0xf32>) -> tensor<4x0xf32>
  return %r : tensor<4x0xf32>
}
