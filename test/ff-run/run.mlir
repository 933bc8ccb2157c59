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
