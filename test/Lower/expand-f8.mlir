// RUN: ff-opt %s --ff-expand-f8 | FileCheck %s

// CHECK-LABEL: func.func @scalar
// CHECK-SAME: (%[[Q:.*]]: f8E4M3FN)
func.func @scalar(%q: f8E4M3FN) -> f32 {
  // CHECK: %[[B:.*]] = arith.bitcast %[[Q]] : f8E4M3FN to i8
  // CHECK: %[[I:.*]] = arith.extui %[[B]] : i8 to i32
  // CHECK: %[[C127:.*]] = arith.constant 127 : i32
  // CHECK: %[[M:.*]] = arith.andi %[[I]], %[[C127]] : i32
  // CHECK: %[[C20:.*]] = arith.constant 20 : i32
  // CHECK: %[[P:.*]] = arith.shli %[[M]], %[[C20]] : i32
  // CHECK: %[[F:.*]] = arith.bitcast %[[P]] : i32 to f32
  // CHECK: %[[BIAS:.*]] = arith.constant 1.32922{{[0-9]+}}E+36 : f32
  // CHECK: arith.mulf %[[F]], %[[BIAS]] : f32
  // CHECK: arith.constant 128 : i32
  // CHECK: arith.cmpi eq, %[[M]]
  // CHECK: arith.constant 2143289344 : i32
  // CHECK: arith.select
  // CHECK: %[[R:.*]] = arith.bitcast %{{.*}} : i32 to f32
  // CHECK-NOT: f8E4M3FN
  // CHECK: return %[[R]] : f32
  %f = arith.extf %q : f8E4M3FN to f32
  return %f : f32
}

// Whatever it is widened to, it was exact in f32.
// CHECK-LABEL: func.func @vector
func.func @vector(%q: vector<8xf8E4M3FN>) -> (vector<8xf64>, vector<8xbf16>) {
  // CHECK: arith.bitcast %{{.*}} : vector<8xf8E4M3FN> to vector<8xi8>
  // CHECK: arith.mulf %{{.*}} : vector<8xf32>
  // CHECK: arith.extf %{{.*}} : vector<8xf32> to vector<8xf64>
  // CHECK: arith.truncf %{{.*}} : vector<8xf32> to vector<8xbf16>
  %f = arith.extf %q : vector<8xf8E4M3FN> to vector<8xf64>
  %b = arith.extf %q : vector<8xf8E4M3FN> to vector<8xbf16>
  return %f, %b : vector<8xf64>, vector<8xbf16>
}

// Other types are somebody else's.
// CHECK-LABEL: func.func @others
func.func @others(%q: f8E5M2, %h: bf16) -> (f32, f32) {
  // CHECK: arith.extf %{{.*}} : f8E5M2 to f32
  // CHECK: arith.extf %{{.*}} : bf16 to f32
  %f = arith.extf %q : f8E5M2 to f32
  %g = arith.extf %h : bf16 to f32
  return %f, %g : f32, f32
}
