// RUN: ff-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s

// CHECK-LABEL: func @on_buffers
// CHECK-SAME: (%[[X:.*]]: memref<?x64xbf16>, %[[W:.*]]: memref<32x64xbf16>, %[[C:.*]]: memref<32xf32>, %[[E:.*]]: f32)
// CHECK: %[[Y:.*]] = memref.alloc(%{{.*}}) {{.*}} : memref<?x32xbf16>
// CHECK: ff.online(%[[X]]) weights(%[[W]]) columns(%[[C]]) scalars(%[[E]]) outs(%[[Y]])
// CHECK-SAME: column_of = array<i64: 0>
// CHECK-SAME: -> () row {
// CHECK: math.rsqrt
// CHECK: finalize
// CHECK: arith.addf
// CHECK: return %[[Y]]
func.func @on_buffers(%x: tensor<?x64xbf16>, %w: tensor<32x64xbf16>, %c: tensor<32xf32>, %eps: f32) -> tensor<?x32xbf16> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x64xbf16>
  %init = tensor.empty(%m) : tensor<?x32xbf16>
  %y = ff.online(%x) weights(%w) columns(%c) scalars(%eps) outs(%init) {
      statistics = [#ff.statistic<mean_square>], layouts = [#ff.layout<nk>],
      column_of = array<i64: 0>, linears_of = [array<i64: 0>]}
      : (tensor<?x64xbf16>, tensor<32x64xbf16>, tensor<32xf32>, f32, tensor<?x32xbf16>) -> tensor<?x32xbf16>
  row {
  ^bb0(%q: f32, %e: f32):
    %s = arith.addf %q, %e : f32
    %r = math.rsqrt %s : f32
    ff.yield %r : f32
  } finalize {
  ^bb0(%z: f32, %b: f32):
    %s = arith.addf %z, %b : f32
    %t = arith.truncf %s : f32 to bf16
    ff.yield %t : bf16
  }
  return %y : tensor<?x32xbf16>
}

// The output never shares memory with an input, whatever the source says.
// CHECK-LABEL: func @over_its_input
// CHECK-SAME: (%[[X:.*]]: memref<4x64xf32>, %[[W:.*]]: memref<64x64xf32>)
// CHECK: %[[Y:.*]] = memref.alloc() {{.*}} : memref<4x64xf32>
// CHECK: ff.online(%[[X]]) weights(%[[W]]) outs(%[[Y]])
func.func @over_its_input(%x: tensor<4x64xf32>, %w: tensor<64x64xf32>) -> tensor<4x64xf32> {
  %y = ff.online(%x) weights(%w) outs(%x) {
      statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>]}
      : (tensor<4x64xf32>, tensor<64x64xf32>, tensor<4x64xf32>) -> tensor<4x64xf32>
  row {
    ff.yield
  } finalize {
  ^bb0(%z: f32):
    ff.yield %z : f32
  }
  return %y : tensor<4x64xf32>
}

// A tile is read at the positions that are written, but by other threads: the
// output never takes its memory over, though nothing else reads it.
// CHECK-LABEL: func @tile
// CHECK: %[[R:.*]] = memref.alloc()
// CHECK: %[[Y:.*]] = memref.alloc()
// CHECK: ff.online(%{{.*}}) weights(%{{.*}}) tiles(%[[R]]) outs(%[[Y]])
// CHECK-SAME: tile_of = array<i64: 0>
func.func @tile(%x: tensor<4x64xf32>, %w: tensor<32x64xf32>) -> tensor<4x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x32xf32>
  %r = linalg.fill ins(%zero : f32) outs(%e : tensor<4x32xf32>) -> tensor<4x32xf32>
  %y = ff.online(%x) weights(%w) tiles(%r) outs(%r) {layouts = [#ff.layout<nk>],
      tile_of = array<i64: 0>, linears_of = [array<i64: 0>], statistics = []}
      : (tensor<4x64xf32>, tensor<32x64xf32>, tensor<4x32xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>
  row { ff.yield } finalize {
  ^bb0(%z: f32, %t: f32):
    %s = arith.addf %z, %t : f32
    ff.yield %s : f32
  }
  return %y : tensor<4x32xf32>
}
