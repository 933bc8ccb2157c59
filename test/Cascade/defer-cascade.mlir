// RUN: ff-opt %s --ff-cascade-defer | FileCheck %s
// RUN: ff-opt %s --ff-cascade-defer=moments | FileCheck %s --check-prefix=MOMENTS

// LayerNorm and a Linear with a bias: three sums over x, W and nothing of the row's.
// CHECK-LABEL: func @norm_linear
// CHECK: %[[MU:.*]] = cascade.einsum "MU"
// CHECK: %[[R:.*]] = cascade.einsum "R"
// CHECK-NOT: "Y"
// CHECK: %[[A:.*]] = cascade.einsum "Z.1"[P, N] = add(%[[X:.*]][P, K], %[[G:.*]][K], %[[W:.*]][N, K])
// CHECK: %[[C:.*]] = cascade.einsum "Z.2"[N] = add(%[[G]][K], %[[W]][N, K])
// CHECK: %[[B:.*]] = cascade.einsum "Z.3"[N] = add(%{{.*}}[K], %[[W]][N, K])
// CHECK: cascade.einsum "Z"[P, N] = map(%[[R]][P], %[[MU]][P], %[[A]][P, N], %[[C]][N], %[[B]][N], %{{.*}}[N])
// CHECK-NEXT: ^bb0(%[[r:.*]]: f32, %[[mu:.*]]: f32, %[[a:.*]]: f32, %[[c:.*]]: f32, %[[b:.*]]: f32, %[[d:.*]]: f32):
// CHECK-DAG: %[[ar:.*]] = arith.mulf %[[a]], %[[r]]
// CHECK: %[[DIFF:.*]] = arith.subf %[[ar]], %{{.*}}
// CHECK: %[[SUM:.*]] = arith.addf %[[DIFF]], %[[b]]
// CHECK: arith.addf %[[SUM]], %[[d]]
// The variance itself stays two-pass unless asked for.
// CHECK-LABEL: func @variance
// CHECK: cascade.einsum "Q"[P] = add(
// CHECK-NOT: "Q.1"
// MOMENTS-LABEL: func @variance
// MOMENTS: cascade.einsum "Q.1"[P] = add(%{{.*}}[P, K])
// MOMENTS: cascade.einsum "Q"[P] = map(
func.func @norm_linear(%x: tensor<4x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>, %w: tensor<5x8xf32>, %d: tensor<5xf32>) -> tensor<4x5xf32> {
  %0 = cascade.graph "g"(%x, %g, %b, %w, %d) : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<5x8xf32>, tensor<5xf32>) -> tensor<4x5xf32> {
  ^bb0(%X: tensor<4x8xf32>, %G: tensor<8xf32>, %B: tensor<8xf32>, %W: tensor<5x8xf32>, %D: tensor<5xf32>):
    %mu = cascade.einsum "MU"[P] = add(%X[P, K]) : (tensor<4x8xf32>) -> tensor<4xf32> {
    ^bb1(%a: f32):
      %c = arith.constant 0.125 : f32
      %1 = arith.mulf %a, %c : f32
      cascade.yield %1 : f32
    }
    %dx = cascade.einsum "D"[P, K] = map(%X[P, K], %mu[P]) : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xf32> {
    ^bb1(%a: f32, %m: f32):
      %1 = arith.subf %a, %m : f32
      cascade.yield %1 : f32
    }
    %q = cascade.einsum "Q"[P] = add(%dx[P, K]) : (tensor<4x8xf32>) -> tensor<4xf32> {
    ^bb1(%a: f32):
      %1 = arith.mulf %a, %a : f32
      cascade.yield %1 : f32
    }
    %r = cascade.einsum "R"[P] = map(%q[P]) : (tensor<4xf32>) -> tensor<4xf32> {
    ^bb1(%a: f32):
      %1 = math.rsqrt %a : f32
      cascade.yield %1 : f32
    }
    %y = cascade.einsum "Y"[P, K] = map(%dx[P, K], %r[P], %G[K], %B[K]) : (tensor<4x8xf32>, tensor<4xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x8xf32> {
    ^bb1(%a: f32, %s: f32, %t: f32, %u: f32):
      %1 = arith.mulf %a, %s : f32
      %2 = arith.mulf %1, %t : f32
      %3 = arith.addf %2, %u : f32
      cascade.yield %3 : f32
    }
    %z = cascade.einsum "Z"[P, N] = add(%y[P, K], %W[N, K]) init(%D[N]) : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5xf32>) -> tensor<4x5xf32> {
    ^bb1(%a: f32, %s: f32):
      %1 = arith.mulf %a, %s : f32
      cascade.yield %1 : f32
    }
    cascade.yield %z : tensor<4x5xf32>
  }
  return %0 : tensor<4x5xf32>
}

func.func @variance(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %0 = cascade.graph "g"(%x) : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%X: tensor<4x8xf32>):
    %mu = cascade.einsum "MU"[P] = add(%X[P, K]) : (tensor<4x8xf32>) -> tensor<4xf32> {
    ^bb1(%a: f32):
      cascade.yield %a : f32
    }
    %dx = cascade.einsum "D"[P, K] = map(%X[P, K], %mu[P]) : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xf32> {
    ^bb1(%a: f32, %m: f32):
      %1 = arith.subf %a, %m : f32
      cascade.yield %1 : f32
    }
    %q = cascade.einsum "Q"[P] = add(%dx[P, K]) : (tensor<4x8xf32>) -> tensor<4xf32> {
    ^bb1(%a: f32):
      %1 = arith.mulf %a, %a : f32
      cascade.yield %1 : f32
    }
    cascade.yield %q : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// Division deferral: F divisions instead of M.
// CHECK-LABEL: func @division
// CHECK: %[[NV:.*]] = cascade.einsum "AV.1"[F] = add(%{{.*}}[M], %{{.*}}[M, F])
// CHECK: cascade.einsum "AV"[F] = map(%{{.*}}[], %[[NV]][F])
// CHECK: arith.divf
// What does not wait for a sum over the same rank stays where it is.
// CHECK: cascade.einsum "S"[F] = add(%{{.*}}[M, F], %{{.*}}[F])
func.func @division(%n: tensor<8xf32>, %v: tensor<8x3xf32>, %s: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0:2 = cascade.graph "g"(%n, %v, %s) : (tensor<8xf32>, tensor<8x3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  ^bb0(%N: tensor<8xf32>, %V: tensor<8x3xf32>, %S: tensor<3xf32>):
    %d = cascade.einsum "SD"[] = add(%N[M]) : (tensor<8xf32>) -> tensor<f32> {
    ^bb1(%a: f32):
      cascade.yield %a : f32
    }
    %w = cascade.einsum "A"[M] = map(%N[M], %d[]) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32> {
    ^bb1(%a: f32, %b: f32):
      %1 = arith.divf %a, %b : f32
      cascade.yield %1 : f32
    }
    %av = cascade.einsum "AV"[F] = add(%w[M], %V[M, F]) : (tensor<8xf32>, tensor<8x3xf32>) -> tensor<3xf32> {
    ^bb1(%a: f32, %b: f32):
      %1 = arith.mulf %a, %b : f32
      cascade.yield %1 : f32
    }
    %t = cascade.einsum "S"[F] = add(%V[M, F], %S[F]) : (tensor<8x3xf32>, tensor<3xf32>) -> tensor<3xf32> {
    ^bb1(%a: f32, %b: f32):
      %1 = arith.mulf %a, %b : f32
      cascade.yield %1 : f32
    }
    cascade.yield %av, %t : tensor<3xf32>, tensor<3xf32>
  }
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xf32>
}

// A norm of a sum of a normalised tensor and another one: what waits in the sum stays there, or the
// Linear would run once for each of the two.
// CHECK-LABEL: func @residual
// CHECK: %[[H:.*]] = cascade.einsum "H"
// CHECK: cascade.einsum "Z.1"[P, N] = add(%[[H]][P, K], %{{.*}}[K, N])
// CHECK-NOT: "Z.2"
func.func @residual(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %w: tensor<8x5xf32>) -> tensor<4x5xf32> {
  %0 = cascade.graph "g"(%x, %y, %w) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32> {
  ^bb0(%X: tensor<4x8xf32>, %Y: tensor<4x8xf32>, %W: tensor<8x5xf32>):
    %s = cascade.einsum "S"[P] = add(%X[P, K]) : (tensor<4x8xf32>) -> tensor<4xf32> {
    ^bb1(%a: f32):
      %1 = arith.mulf %a, %a : f32
      cascade.yield %1 : f32
    }
    %h = cascade.einsum "H"[P, K] = map(%X[P, K], %s[P], %Y[P, K]) : (tensor<4x8xf32>, tensor<4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> {
    ^bb1(%a: f32, %b: f32, %c: f32):
      %1 = arith.divf %a, %b : f32
      %2 = arith.addf %1, %c : f32
      cascade.yield %2 : f32
    }
    %t = cascade.einsum "T"[P] = add(%h[P, K]) : (tensor<4x8xf32>) -> tensor<4xf32> {
    ^bb1(%a: f32):
      %1 = arith.mulf %a, %a : f32
      cascade.yield %1 : f32
    }
    %n = cascade.einsum "M"[P, K] = map(%h[P, K], %t[P]) : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xf32> {
    ^bb1(%a: f32, %b: f32):
      %1 = arith.divf %a, %b : f32
      cascade.yield %1 : f32
    }
    %z = cascade.einsum "Z"[P, N] = add(%n[P, K], %W[K, N]) : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32> {
    ^bb1(%a: f32, %b: f32):
      %1 = arith.mulf %a, %b : f32
      cascade.yield %1 : f32
    }
    cascade.yield %z : tensor<4x5xf32>
  }
  return %0 : tensor<4x5xf32>
}

// What is scaled by constants alone, as Q and K are by PyTorch's attention, is scaled behind the sum;
// what is rounded after that is not, and neither is a map that does more.
// CHECK-LABEL: func @scaled
// CHECK: %[[S:.*]] = cascade.einsum "S.1"[P, M] = add(%{{.*}}[P, E], %{{.*}}[M, E])
// CHECK: cascade.einsum "S"[P, M] = map(%[[S]][P, M])
// CHECK-COUNT-2: arith.mulf
// CHECK: %[[H:.*]] = cascade.einsum "H"
// CHECK: %[[G:.*]] = cascade.einsum "G"
// CHECK: cascade.einsum "T"[P, M] = add(%[[H]][P, E], %[[G]][M, E])
func.func @scaled(%q: tensor<6x2xf32>, %k: tensor<8x2xf32>) -> (tensor<6x8xf32>, tensor<6x8xf32>) {
  %0:2 = cascade.graph "g"(%q, %k) : (tensor<6x2xf32>, tensor<8x2xf32>) -> (tensor<6x8xf32>, tensor<6x8xf32>) {
  ^bb0(%Q: tensor<6x2xf32>, %K: tensor<8x2xf32>):
    %a = cascade.einsum "A"[P, E] = map(%Q[P, E]) : (tensor<6x2xf32>) -> tensor<6x2xf32> {
    ^bb1(%x: f32):
      %1 = arith.constant 0.5 : f32
      %2 = arith.mulf %x, %1 : f32
      cascade.yield %2 : f32
    }
    %b = cascade.einsum "B"[M, E] = map(%K[M, E]) : (tensor<8x2xf32>) -> tensor<8x2xf32> {
    ^bb1(%x: f32):
      %1 = arith.constant 0.5 : f32
      %2 = arith.mulf %x, %1 : f32
      cascade.yield %2 : f32
    }
    %s = cascade.einsum "S"[P, M] = add(%a[P, E], %b[M, E]) : (tensor<6x2xf32>, tensor<8x2xf32>) -> tensor<6x8xf32> {
    ^bb1(%x: f32, %y: f32):
      %1 = arith.mulf %x, %y : f32
      cascade.yield %1 : f32
    }
    %h = cascade.einsum "H"[P, E] = map(%Q[P, E]) : (tensor<6x2xf32>) -> tensor<6x2xbf16> {
    ^bb1(%x: f32):
      %1 = arith.constant 0.5 : f32
      %2 = arith.mulf %x, %1 : f32
      %3 = arith.truncf %2 : f32 to bf16
      cascade.yield %3 : bf16
    }
    %g = cascade.einsum "G"[M, E] = map(%K[M, E]) : (tensor<8x2xf32>) -> tensor<8x2xf32> {
    ^bb1(%x: f32):
      %1 = arith.constant 0.5 : f32
      %2 = arith.mulf %x, %1 : f32
      %3 = math.tanh %2 : f32
      cascade.yield %3 : f32
    }
    %t = cascade.einsum "T"[P, M] = add(%h[P, E], %g[M, E]) : (tensor<6x2xbf16>, tensor<8x2xf32>) -> tensor<6x8xf32> {
    ^bb1(%x: bf16, %y: f32):
      %1 = arith.extf %x : bf16 to f32
      %2 = arith.mulf %1, %y : f32
      cascade.yield %2 : f32
    }
    cascade.yield %s, %t : tensor<6x8xf32>, tensor<6x8xf32>
  }
  return %0#0, %0#1 : tensor<6x8xf32>, tensor<6x8xf32>
}

// A variance whose difference and square are one map, as they are raised. Both mixed terms sum x.
// CHECK-LABEL: func @square
// CHECK-NOT: "V.1"
// MOMENTS-LABEL: func @square
// MOMENTS: cascade.einsum "V.1"[P] = add(%{{.*}}[P, K])
// MOMENTS: arith.mulf
// MOMENTS: cascade.einsum "V.2"[P] = add(%{{.*}}[P, K])
// MOMENTS-NOT: "V.3"
// MOMENTS: cascade.einsum "V"[P] = map(
func.func @square(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %0 = cascade.graph "g"(%x) : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%X: tensor<4x8xf32>):
    %mu = cascade.einsum "MU"[P] = add(%X[P, K]) : (tensor<4x8xf32>) -> tensor<4xf32> {
    ^bb1(%a: f32):
      cascade.yield %a : f32
    }
    %d = cascade.einsum "D"[P, K] = map(%X[P, K], %mu[P]) : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xf32> {
    ^bb1(%a: f32, %m: f32):
      %1 = arith.subf %a, %m : f32
      %2 = arith.mulf %1, %1 : f32
      cascade.yield %2 : f32
    }
    %v = cascade.einsum "V"[P] = add(%d[P, K]) : (tensor<4x8xf32>) -> tensor<4xf32> {
    ^bb1(%a: f32):
      cascade.yield %a : f32
    }
    cascade.yield %v : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
