// RUN: rm -rf %t && mkdir %t
// RUN: ff-run %s --entry=several --shape=arg0:3x4 --seed=7 --output=res0:%t/a.npy --output=res1:%t/b.npy | FileCheck %s
// RUN: ff-run %s --entry=several --input=arg0:%t/a.npy --output=res0:%t/c.npy
// RUN: cmp %t/a.npy %t/c.npy
// RUN: ff-run %s --entry=bf16 --output=res0:%t/d.npy
// RUN: ff-run %s --entry=bf16 --input=arg0:%t/d.npy --output=res0:%t/e.npy
// RUN: cmp %t/d.npy %t/e.npy
// RUN: ff-run %s --entry=calls --bench | FileCheck %s --check-prefix=CALLS
// RUN: ff-run %s --entry=sized --shape=arg0:3 | FileCheck %s --check-prefix=SIZED
// RUN: ff-run %s --entry=sized --shape=arg1:2x5 | FileCheck %s --check-prefix=FOLLOWS
// RUN: ff-run %s --entry=contractions | FileCheck %s --check-prefix=SUMS
// RUN: ff-run %s --entry=written --verify | FileCheck %s --check-prefix=WRITTEN

// Results that are arguments or constants, of any rank, and a scalar.
// CHECK: fused=0
// CHECK-NEXT: result 0: 3x4xf32
// CHECK-NEXT: result 1: 2xi32 [5, 6]
// CHECK-NEXT: result 2: f32 [1.5]
// CHECK-NEXT: result 3: f32
func.func @several(%x: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<2xi32>, f32, tensor<f32>) {
  %c = arith.constant dense<[5, 6]> : tensor<2xi32>
  %s = arith.constant 1.5 : f32
  %0 = arith.constant dense<2.5> : tensor<f32>
  return %x, %c, %s, %0 : tensor<?x4xf32>, tensor<2xi32>, f32, tensor<f32>
}

func.func @bf16(%x: tensor<5xbf16>) -> tensor<5xbf16> {
  return %x : tensor<5xbf16>
}

// An external function that MLIR's runner libraries have.
// CALLS: result 0: f64
// CALLS: median {{[0-9.]+}} ms
func.func private @rtclock() -> f64
func.func @calls() -> f64 {
  %0 = call @rtclock() : () -> f64
  return %0 : f64
}

// The index argument and the extent that it must be equal to follow each other.
// SIZED: result 0: 2x3xf32
// FOLLOWS: result 0: 2x5xf32
func.func @sized(%n: index, %x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %e = tensor.empty(%n) : tensor<2x?xf32>
  %y = linalg.exp ins(%x : tensor<2x?xf32>) outs(%e : tensor<2x?xf32>) -> tensor<2x?xf32>
  return %y : tensor<2x?xf32>
}

// A program without a norm, of 16-bit sums: held to the program as written only. The callers'
// buffers stay as they are, though the function overwrites its argument.
// WRITTEN: fused=0
// WRITTEN-NEXT: result 0: 4x6xbf16 as written {{.*}} cap=n/a {{.*}} ok
func.func @written(%a: tensor<4x8xbf16>, %b: tensor<8x6xbf16>, %c: tensor<4x6xbf16>) -> tensor<4x6xbf16> {
  %r = linalg.matmul ins(%a, %b : tensor<4x8xbf16>, tensor<8x6xbf16>) outs(%c : tensor<4x6xbf16>) -> tensor<4x6xbf16>
  return %r : tensor<4x6xbf16>
}

// Contractions of every form that is vectorized, against sums that are known: of 40 ones.
// SUMS: result 0: 3x24x2x16xf32 [40, 40, 40, 40, ..]
// SUMS: result 1: 37xf32 [40, 40, 40, 40, ..]
// SUMS: result 2: 5xf32 [40, 40, 40, 40, ..]
// SUMS: result 3: f32 [1920]
func.func @contractions() -> (tensor<3x24x2x16xf32>, tensor<37xf32>, tensor<5xf32>, tensor<f32>) {
  %a = arith.constant dense<1.0> : tensor<3x2x16x40xf32>
  %b = arith.constant dense<1.0> : tensor<3x24x40xf32>
  %c = arith.constant dense<0.0> : tensor<3x24x2x16xf32>
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
  %v = arith.constant dense<1.0> : tensor<40xf32>
  %w = arith.constant dense<1.0> : tensor<40x37xf32>
  %d = arith.constant dense<0.0> : tensor<37xf32>
  %s = linalg.vecmat ins(%v, %w : tensor<40xf32>, tensor<40x37xf32>) outs(%d : tensor<37xf32>) -> tensor<37xf32>
  %h = arith.constant dense<1.0> : tensor<5x40xf32>
  %e = arith.constant dense<0.0> : tensor<5xf32>
  %t = linalg.matvec ins(%h, %v : tensor<5x40xf32>, tensor<40xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  // The sum over all of one row of the first result: 24 * 2 elements of 40.
  %z = arith.constant dense<0.0> : tensor<f32>
  %q = tensor.extract_slice %r[0, 0, 0, 0] [1, 24, 2, 1] [1, 1, 1, 1] : tensor<3x24x2x16xf32> to tensor<24x2xf32>
  %u = linalg.reduce ins(%q : tensor<24x2xf32>) outs(%z : tensor<f32>) dimensions = [0, 1]
    (%in: f32, %init: f32) {
      %0 = arith.addf %in, %init : f32
      linalg.yield %0 : f32
    }
  return %r, %s, %t, %u : tensor<3x24x2x16xf32>, tensor<37xf32>, tensor<5xf32>, tensor<f32>
}
