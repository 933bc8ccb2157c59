// Operations, types and attributes of dialects that nobody registered, around a chain and around its
// function: the chain is found, they stay as they were.
// RUN: ff-opt %s --allow-unregistered-dialect --ff-raise | FileCheck %s
// RUN: ff-opt %s --allow-unregistered-dialect --ff-raise --ff-decompose --ff-schedule=chip=sm_90a | FileCheck %s --check-prefix=SCHEDULE
// Finding nothing more the second time is what idempotent means; locations and attributes included.
// RUN: ff-opt %s --allow-unregistered-dialect --ff-raise --mlir-print-debuginfo -o %t.once
// RUN: ff-opt %t.once --allow-unregistered-dialect --ff-raise --mlir-print-debuginfo -o %t.twice
// RUN: cmp %t.once %t.twice

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>

// CHECK: module attributes {other.module = #other<"kept">}
module attributes {other.module = #other<"kept">} {
  // CHECK: "other.region"() ({
  "other.region"() ({
    // CHECK: func.func @f(%[[X:.*]]: tensor<4x8xf32> {other.arg = 1 : i64}, %[[W:.*]]: tensor<8x6xf32>, %[[T:.*]]: !other.token)
    // CHECK-SAME: attributes {other.func}
    // SCHEDULE: func.func @f
    // SCHEDULE: "other.before"
    // SCHEDULE: ff.online
    // SCHEDULE-SAME: schedule = [
    func.func @f(%x: tensor<4x8xf32> {other.arg = 1}, %w: tensor<8x6xf32>, %t: !other.token) -> tensor<4x6xf32> attributes {other.func} {
      // CHECK-NEXT: %[[T1:.*]] = "other.before"(%[[T]], %[[X]]) ({
      // CHECK-NEXT: }) {other.keep} : (!other.token, tensor<4x8xf32>) -> !other.token
      %t1 = "other.before"(%t, %x) ({}) {other.keep} : (!other.token, tensor<4x8xf32>) -> !other.token
      %zero = arith.constant 0.0 : f32
      %count = arith.constant 8.0 : f32
      %e1 = tensor.empty() : tensor<4xf32>
      %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
      %s = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<4x8xf32>) outs(%z1 : tensor<4xf32>) {
      ^bb0(%in: f32, %out: f32):
        %q = arith.mulf %in, %in : f32
        %r = arith.addf %out, %q : f32
        linalg.yield %r : f32
      } -> tensor<4xf32>
      %e2 = tensor.empty() : tensor<4x8xf32>
      %h = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"], other.norm}
          ins(%x, %s : tensor<4x8xf32>, tensor<4xf32>) outs(%e2 : tensor<4x8xf32>) {
      ^bb0(%in: f32, %sum: f32, %out: f32):
        %a = arith.divf %sum, %count : f32
        %c = math.rsqrt %a : f32
        %d = arith.mulf %in, %c : f32
        linalg.yield %d : f32
      } -> tensor<4x8xf32>
      %e3 = tensor.empty() : tensor<4x6xf32>
      %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
      // One operation may stand for several contractions: their attributes (how to tile them, maybe) go.
      // CHECK: %[[Y:.*]] = ff.norm_linear rms_norm(%[[X]]) weights(%[[W]])
      // CHECK-NOT: other.tag
      %y = linalg.matmul {other.tag = "gone"} ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z3 : tensor<4x6xf32>) -> tensor<4x6xf32>
      // CHECK: "other.after"(%[[Y]], %[[T1]])
      "other.after"(%y, %t1) : (tensor<4x6xf32>, !other.token) -> ()
      return %y : tensor<4x6xf32>
    }
  }) : () -> ()
}
