// RUN: ff-opt %s --ff-to-cpu | FileCheck %s

// No rows, several column panels.
// CHECK-LABEL: llvm.func @no_rows
func.func @no_rows(%a: tensor<0x64xf32>, %b: tensor<64x64xf32>, %c: tensor<0x64xf32>) -> tensor<0x64xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<0x64xf32>, tensor<64x64xf32>) outs(%c : tensor<0x64xf32>) -> tensor<0x64xf32>
  return %r : tensor<0x64xf32>
}

// A tensor that a loop carries.
// CHECK-LABEL: llvm.func @loop
func.func @loop(%x0: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %l = arith.constant 0 : index
  %s = arith.constant 1 : index
  %u = arith.constant 3 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %l to %u step %s iter_args(%x = %x0) -> tensor<8x8xf32> {
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %y = linalg.matmul ins(%x, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %y : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}
