// A syntax error behind a finalizer (or a row region) that was read, whose value something in front
// uses: an error. That nothing freed is used afterwards is seen by Composability/valgrind.test.
// RUN: not ff-opt %s --split-input-file 2>&1 | FileCheck %s
// CHECK: error: custom op 'ff.online' expected a region
func.func @behind_a_finalizer(%x: tensor<4x64xf32>, %w: tensor<32x64xf32>, %o: tensor<4x32xf32>) -> tensor<4x32xf32> {
  %early = arith.negf %r : f32
  %again = arith.addf %r, %early : f32
  %0 = ff.online(%x) weights(%w) outs(%o) {layouts = [#ff.layout<nk>],
    linears_of = [array<i64: 0>], statistics = []}
    : (tensor<4x64xf32>, tensor<32x64xf32>, tensor<4x32xf32>) -> tensor<4x32xf32> row {
      ff.yield
    } finalize {
    ^bb0(%z: f32):
      %r = arith.negf %z : f32
      ff.yield %r : f32
    }, 5
  return %0 : tensor<4x32xf32>
}

// -----

// CHECK: error: custom op 'ff.online' expected 'finalize'
func.func @behind_the_row(%x: tensor<4x64xf32>, %w: tensor<32x64xf32>, %o: tensor<4x32xf32>) -> tensor<4x32xf32> {
  %early = arith.negf %r : f32
  %again = arith.addf %r, %early : f32
  %0 = ff.online(%x) weights(%w) outs(%o) {layouts = [#ff.layout<nk>],
    linears_of = [array<i64: 0>], statistics = [#ff.statistic<mean_square>]}
    : (tensor<4x64xf32>, tensor<32x64xf32>, tensor<4x32xf32>) -> tensor<4x32xf32> row {
    ^bb0(%q: f32):
      %r = math.rsqrt %q : f32
      ff.yield %r : f32
    } finally {
    }
  return %0 : tensor<4x32xf32>
}
