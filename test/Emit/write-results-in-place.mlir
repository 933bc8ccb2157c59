// RUN: ff-opt %s --pass-pipeline='builtin.module(func.func(ff-write-results-in-place))' | FileCheck %s

// CHECK-LABEL: func @reshaped
// CHECK-SAME: (%[[X:.*]]: memref<?x8x64xf32>, %[[OUT:.*]]: memref<?x8x32xf32>
// CHECK-NOT: memref.alloc
// CHECK: %[[Y:.*]] = memref.collapse_shape %[[OUT]] {{\[\[}}0, 1], [2]]
// CHECK: call @fill(%[[Y]])
// CHECK-NOT: memref.copy
func.func @reshaped(%x: memref<?x8x64xf32>, %out: memref<?x8x32xf32> {bufferize.result}) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %d = memref.dim %x, %c0 : memref<?x8x64xf32>
  %m = arith.muli %d, %c8 : index
  %y = memref.alloc(%m) : memref<?x32xf32>
  call @fill(%y) : (memref<?x32xf32>) -> ()
  %r = memref.expand_shape %y [[0, 1], [2]] output_shape [%d, 8, 32] : memref<?x32xf32> into memref<?x8x32xf32>
  memref.copy %r, %out : memref<?x8x32xf32> to memref<?x8x32xf32>
  return
}

// CHECK-LABEL: func @row
// CHECK-SAME: (%[[OUT:.*]]: memref<32xf32>
// CHECK: %[[Y:.*]] = memref.expand_shape %[[OUT]] {{\[\[}}0, 1]] output_shape [1, 32]
// CHECK: call @fill_static(%[[Y]])
// CHECK-NOT: memref.copy
func.func @row(%out: memref<32xf32> {bufferize.result}) {
  %y = memref.alloc() : memref<1x32xf32>
  call @fill_static(%y) : (memref<1x32xf32>) -> ()
  %r = memref.collapse_shape %y [[0, 1]] : memref<1x32xf32> into memref<32xf32>
  memref.copy %r, %out : memref<32xf32> to memref<32xf32>
  return
}

// The first copy is enough for a result that is returned twice.
// CHECK-LABEL: func @twice
// CHECK-SAME: (%[[A:.*]]: memref<1x32xf32> {bufferize.result}, %[[B:.*]]: memref<1x32xf32>
// CHECK: call @fill_static(%[[A]])
// CHECK: memref.copy %[[A]], %[[B]]
func.func @twice(%a: memref<1x32xf32> {bufferize.result}, %b: memref<1x32xf32> {bufferize.result}) {
  %y = memref.alloc() : memref<1x32xf32>
  call @fill_static(%y) : (memref<1x32xf32>) -> ()
  memref.copy %y, %a : memref<1x32xf32> to memref<1x32xf32>
  memref.copy %y, %b : memref<1x32xf32> to memref<1x32xf32>
  return
}

// A buffer that is written after the copy is not the result.
// CHECK-LABEL: func @written_later
// CHECK: %[[Y:.*]] = memref.alloc
// CHECK: memref.copy %[[Y]]
func.func @written_later(%out: memref<1x32xf32> {bufferize.result}) {
  %y = memref.alloc() : memref<1x32xf32>
  call @fill_static(%y) : (memref<1x32xf32>) -> ()
  memref.copy %y, %out : memref<1x32xf32> to memref<1x32xf32>
  call @fill_static(%y) : (memref<1x32xf32>) -> ()
  return
}

// Only out-parameters are the function's to write to.
// CHECK-LABEL: func @argument
// CHECK: memref.alloc
// CHECK: memref.copy
func.func @argument(%out: memref<1x32xf32>) {
  %y = memref.alloc() : memref<1x32xf32>
  call @fill_static(%y) : (memref<1x32xf32>) -> ()
  memref.copy %y, %out : memref<1x32xf32> to memref<1x32xf32>
  return
}

func.func private @fill(memref<?x32xf32>)
func.func private @fill_static(memref<1x32xf32>)
