// RUN: ff-opt %s --ff-cascade-defer --remarks-filter='.*' -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t
// RUN: ff-opt %s --ff-cascade-defer=rounding=strict --remarks-filter='.*' -o %t.strict 2>&1 | FileCheck %s --check-prefix=STRICT-REMARK
// RUN: FileCheck %s --check-prefix=STRICT < %t.strict
// RUN: not ff-opt %s --ff-cascade-defer=rounding=up 2>&1 | FileCheck %s --check-prefix=UP
// UP: error: ff-cascade-defer: unknown rounding 'up': expected relaxed or strict

// Llama's norm in 16 bits: x r is rounded, so is its product with the gain, then comes a Linear.
// The sum is f32 of what memory holds; of constants and of what does not wait, roundings stay.
// REMARK: deferred | {{.*}}Function=rms_norm | einsum=Z, rounding=skipped, terms=1
// STRICT-REMARK: declined | {{.*}}Function=rms_norm | einsum=Z, reason=rounding
// CHECK-LABEL: func @rms_norm
// CHECK-NOT: "Y"
// CHECK: %[[S:.*]] = cascade.einsum "Z.1"[P, N] = add(%{{.*}}[K], %{{.*}}[P, K], %{{.*}}[K, N]) : (tensor<8xbf16>, tensor<4x8xbf16>, tensor<8x5xbf16>) -> tensor<4x5xf32> {
// CHECK-NOT: truncf
// CHECK: cascade.yield
// CHECK: cascade.einsum "Z"[P, N] = map(%{{.*}}[P], %[[S]][P, N]) : (tensor<4xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
// STRICT-LABEL: func @rms_norm
// STRICT: cascade.einsum "Y"
// STRICT: cascade.einsum "Z"[P, N] = add(
func.func @rms_norm(%x: tensor<4x8xbf16>, %g: tensor<8xbf16>, %w: tensor<8x5xbf16>) -> tensor<4x5xf32> {
  %0 = cascade.graph "g"(%x, %g, %w) : (tensor<4x8xbf16>, tensor<8xbf16>, tensor<8x5xbf16>) -> tensor<4x5xf32> {
  ^bb0(%X: tensor<4x8xbf16>, %G: tensor<8xbf16>, %W: tensor<8x5xbf16>):
    %q = cascade.einsum "Q"[P] = add(%X[P, K]) : (tensor<4x8xbf16>) -> tensor<4xf32> {
    ^bb1(%a: bf16):
      %1 = arith.extf %a : bf16 to f32
      %2 = arith.mulf %1, %1 : f32
      cascade.yield %2 : f32
    }
    %r = cascade.einsum "R"[P] = map(%q[P]) : (tensor<4xf32>) -> tensor<4xf32> {
    ^bb1(%a: f32):
      %1 = math.rsqrt %a : f32
      cascade.yield %1 : f32
    }
    %y = cascade.einsum "Y"[P, K] = map(%G[K], %X[P, K], %r[P]) : (tensor<8xbf16>, tensor<4x8xbf16>, tensor<4xf32>) -> tensor<4x8xbf16> {
    ^bb1(%a: bf16, %b: bf16, %c: f32):
      %1 = arith.extf %b : bf16 to f32
      %2 = arith.mulf %1, %c : f32
      %3 = arith.truncf %2 : f32 to bf16
      %4 = arith.mulf %a, %3 : bf16
      cascade.yield %4 : bf16
    }
    %z = cascade.einsum "Z"[P, N] = add(%y[P, K], %W[K, N]) : (tensor<4x8xbf16>, tensor<8x5xbf16>) -> tensor<4x5xf32> {
    ^bb1(%a: bf16, %b: bf16):
      %1 = arith.extf %a : bf16 to f32
      %2 = arith.extf %b : bf16 to f32
      %3 = arith.mulf %1, %2 : f32
      cascade.yield %3 : f32
    }
    cascade.yield %z : tensor<4x5xf32>
  }
  return %0 : tensor<4x5xf32>
}

// A normalised tensor that is quantised, or rounded in a direction, is another tensor.
// REMARK-NOT: Function=quantised
// REMARK-NOT: Function=directed
// CHECK-LABEL: func @quantised
// CHECK: arith.truncf %{{.*}} : f32 to f8E4M3FN
// CHECK: cascade.einsum "Z"[P, N] = add(
// CHECK-LABEL: func @directed
// CHECK: arith.truncf %{{.*}} toward_zero : f32 to bf16
// CHECK: cascade.einsum "Z"[P, N] = add(
func.func @quantised(%x: tensor<4x8xf32>, %w: tensor<8x5xf32>) -> tensor<4x5xf32> {
  %0 = cascade.graph "g"(%x, %w) : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32> {
  ^bb0(%X: tensor<4x8xf32>, %W: tensor<8x5xf32>):
    %q = cascade.einsum "Q"[P] = add(%X[P, K]) : (tensor<4x8xf32>) -> tensor<4xf32> {
    ^bb1(%a: f32):
      cascade.yield %a : f32
    }
    %y = cascade.einsum "Y"[P, K] = map(%X[P, K], %q[P]) : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xf8E4M3FN> {
    ^bb1(%a: f32, %b: f32):
      %1 = arith.divf %a, %b : f32
      %2 = arith.truncf %1 : f32 to f8E4M3FN
      cascade.yield %2 : f8E4M3FN
    }
    %z = cascade.einsum "Z"[P, N] = add(%y[P, K], %W[K, N]) : (tensor<4x8xf8E4M3FN>, tensor<8x5xf32>) -> tensor<4x5xf32> {
    ^bb1(%a: f8E4M3FN, %b: f32):
      %1 = arith.extf %a : f8E4M3FN to f32
      %2 = arith.mulf %1, %b : f32
      cascade.yield %2 : f32
    }
    cascade.yield %z : tensor<4x5xf32>
  }
  return %0 : tensor<4x5xf32>
}
func.func @directed(%x: tensor<4x8xf32>, %w: tensor<8x5xf32>) -> tensor<4x5xf32> {
  %0 = cascade.graph "g"(%x, %w) : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32> {
  ^bb0(%X: tensor<4x8xf32>, %W: tensor<8x5xf32>):
    %q = cascade.einsum "Q"[P] = add(%X[P, K]) : (tensor<4x8xf32>) -> tensor<4xf32> {
    ^bb1(%a: f32):
      cascade.yield %a : f32
    }
    %y = cascade.einsum "Y"[P, K] = map(%X[P, K], %q[P]) : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xbf16> {
    ^bb1(%a: f32, %b: f32):
      %1 = arith.divf %a, %b : f32
      %2 = arith.truncf %1 toward_zero : f32 to bf16
      cascade.yield %2 : bf16
    }
    %z = cascade.einsum "Z"[P, N] = add(%y[P, K], %W[K, N]) : (tensor<4x8xbf16>, tensor<8x5xf32>) -> tensor<4x5xf32> {
    ^bb1(%a: bf16, %b: f32):
      %1 = arith.extf %a : bf16 to f32
      %2 = arith.mulf %1, %b : f32
      cascade.yield %2 : f32
    }
    cascade.yield %z : tensor<4x5xf32>
  }
  return %0 : tensor<4x5xf32>
}

// Two maps, both rounded, of which the first alone has the divisor: it leaves past both. What does
// not wait is rounded as it was: the gain, which is a weight, and the row's factor.
// REMARK: deferred | {{.*}}Function=twice | einsum=Z, rounding=skipped, terms=1
// CHECK-LABEL: func @twice
// CHECK: %[[S:.*]] = cascade.einsum "Z.1"[P, N] = add(
// CHECK: arith.truncf %{{.*}} : f32 to f16
// CHECK-NOT: arith.truncf
// CHECK: cascade.einsum "Z"[P, N] = map(%{{.*}}[P], %[[S]][P, N])
// CHECK: arith.truncf %{{.*}} : f32 to f16
// CHECK-NOT: arith.truncf
// CHECK: return
func.func @twice(%x: tensor<4x8xf16>, %g: tensor<8xf32>, %w: tensor<8x5xf16>) -> (tensor<4x5xf32>, tensor<4x8xf16>) {
  %0:2 = cascade.graph "g"(%x, %g, %w) : (tensor<4x8xf16>, tensor<8xf32>, tensor<8x5xf16>) -> (tensor<4x5xf32>, tensor<4x8xf16>) {
  ^bb0(%X: tensor<4x8xf16>, %G: tensor<8xf32>, %W: tensor<8x5xf16>):
    %q = cascade.einsum "Q"[P] = add(%X[P, K]) : (tensor<4x8xf16>) -> tensor<4xf32> {
    ^bb1(%a: f16):
      %1 = arith.extf %a : f16 to f32
      cascade.yield %1 : f32
    }
    %y = cascade.einsum "Y"[P, K] = map(%X[P, K], %q[P]) : (tensor<4x8xf16>, tensor<4xf32>) -> tensor<4x8xf16> {
    ^bb1(%a: f16, %b: f32):
      %1 = arith.truncf %b : f32 to f16
      %2 = arith.divf %a, %1 : f16
      cascade.yield %2 : f16
    }
    %s = cascade.einsum "S"[P, K] = map(%y[P, K], %G[K]) : (tensor<4x8xf16>, tensor<8xf32>) -> tensor<4x8xf16> {
    ^bb1(%a: f16, %b: f32):
      %1 = arith.truncf %b : f32 to f16
      %2 = arith.mulf %a, %1 : f16
      cascade.yield %2 : f16
    }
    %z = cascade.einsum "Z"[P, N] = add(%s[P, K], %W[K, N]) : (tensor<4x8xf16>, tensor<8x5xf16>) -> tensor<4x5xf32> {
    ^bb1(%a: f16, %b: f16):
      %1 = arith.extf %a : f16 to f32
      %2 = arith.extf %b : f16 to f32
      %3 = arith.mulf %1, %2 : f32
      cascade.yield %3 : f32
    }
    cascade.yield %z, %y : tensor<4x5xf32>, tensor<4x8xf16>
  }
  return %0#0, %0#1 : tensor<4x5xf32>, tensor<4x8xf16>
}

// Everything in 16 bits: the sum is f32 and its quotient alone is rounded.
// REMARK: deferred | {{.*}}Function=narrow | einsum=H, rounding=skipped, terms=1
// STRICT-REMARK: declined | {{.*}}Function=narrow | einsum=H, reason=rounding
// CHECK-LABEL: func @narrow
// CHECK: cascade.einsum "H.1"[F] = add(%{{.*}}[M], %{{.*}}[M, F]) : (tensor<8xf16>, tensor<8x3xf16>) -> tensor<3xf32>
// CHECK: cascade.einsum "H"[F] = map(
// CHECK: arith.divf %{{.*}} : f32
// CHECK: arith.truncf %{{.*}} : f32 to f16
// STRICT-LABEL: func @narrow
// STRICT: cascade.einsum "H"[F] = add(
func.func @narrow(%h: tensor<8xf16>, %u: tensor<8x3xf16>) -> tensor<3xf16> {
  %0 = cascade.graph "g"(%h, %u) : (tensor<8xf16>, tensor<8x3xf16>) -> tensor<3xf16> {
  ^bb0(%H: tensor<8xf16>, %U: tensor<8x3xf16>):
    %e = cascade.einsum "HD"[] = add(%H[M]) : (tensor<8xf16>) -> tensor<f16> {
    ^bb1(%a: f16):
      cascade.yield %a : f16
    }
    %k = cascade.einsum "HA"[M] = map(%H[M], %e[]) : (tensor<8xf16>, tensor<f16>) -> tensor<8xf16> {
    ^bb1(%a: f16, %b: f16):
      %1 = arith.divf %a, %b : f16
      cascade.yield %1 : f16
    }
    %hv = cascade.einsum "H"[F] = add(%k[M], %U[M, F]) : (tensor<8xf16>, tensor<8x3xf16>) -> tensor<3xf16> {
    ^bb1(%a: f16, %b: f16):
      %1 = arith.mulf %a, %b : f16
      cascade.yield %1 : f16
    }
    cascade.yield %hv : tensor<3xf16>
  }
  return %0 : tensor<3xf16>
}

// Rows that a condition clears are cleared behind the sum; with any rounding.
// REMARK: deferred | {{.*}}Function=cleared | einsum=Z, rounding=none, terms=1
// STRICT-REMARK: deferred | {{.*}}Function=cleared | einsum=Z, rounding=none, terms=1
// CHECK-LABEL: func @cleared
// CHECK: %[[S:.*]] = cascade.einsum "Z.1"[P, N] = add(%{{.*}}[P, K], %{{.*}}[K, N])
// CHECK: cascade.einsum "Z"[P, N] = map(%[[Q:.*]][P], %[[C:.*]][P], %[[S]][P, N])
// CHECK-NEXT: ^bb0(%[[D:.*]]: f32, %[[B:.*]]: i1, %[[Z:.*]]: f32):
// CHECK-NEXT: %[[V:.*]] = arith.divf %[[Z]], %[[D]] : f32
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0.0
// CHECK-NEXT: arith.select %[[B]], %[[ZERO]], %[[V]] : f32
func.func @cleared(%x: tensor<4x8xf32>, %w: tensor<8x5xf32>) -> tensor<4x5xf32> {
  %0 = cascade.graph "g"(%x, %w) : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32> {
  ^bb0(%X: tensor<4x8xf32>, %W: tensor<8x5xf32>):
    %q = cascade.einsum "Q"[P] = add(%X[P, K]) : (tensor<4x8xf32>) -> tensor<4xf32> {
    ^bb1(%a: f32):
      cascade.yield %a : f32
    }
    %c = cascade.einsum "C"[P] = map(%q[P]) : (tensor<4xf32>) -> tensor<4xi1> {
    ^bb1(%a: f32):
      %1 = arith.constant 0.0 : f32
      %2 = arith.cmpf oeq, %a, %1 : f32
      cascade.yield %2 : i1
    }
    %y = cascade.einsum "Y"[P, K] = map(%c[P], %X[P, K], %q[P]) : (tensor<4xi1>, tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xf32> {
    ^bb1(%a: i1, %b: f32, %d: f32):
      %1 = arith.divf %b, %d : f32
      %2 = arith.constant 0.0 : f32
      %3 = arith.select %a, %2, %1 : f32
      cascade.yield %3 : f32
    }
    %z = cascade.einsum "Z"[P, N] = add(%y[P, K], %W[K, N]) : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32> {
    ^bb1(%a: f32, %b: f32):
      %1 = arith.mulf %a, %b : f32
      cascade.yield %1 : f32
    }
    cascade.yield %z : tensor<4x5xf32>
  }
  return %0 : tensor<4x5xf32>
}
