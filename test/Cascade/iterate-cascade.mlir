// RUN: ff-opt %s --ff-cascade-iterate=block=5 --remarks-filter='.*' -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t
// RUN: ff-opt %s --ff-cascade-iterate=rounding=strict --remarks-filter='.*' -o %t.strict 2>&1 | FileCheck %s --check-prefix=STRICT
// RUN: not ff-opt %s --ff-cascade-iterate=rounding=up 2>&1 | FileCheck %s --check-prefix=UP
// UP: error: ff-cascade-iterate: unknown rounding 'up': expected relaxed or strict
// RUN: not ff-opt %s --ff-cascade-iterate=block=0 2>&1 | FileCheck %s --check-prefix=BLOCK
// BLOCK: block must be positive

// Five does not divide eight: blocks of four. The scores move into the steps, %v is streamed.
// REMARK: one-pass | {{.*}}Function=attention | rank=M, steps=2, sums=2
// CHECK-LABEL: func @attention
// CHECK: %[[V:.*]] = tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2]] output_shape [2, 4, 3] : tensor<8x3xf32>
// CHECK: %[[K:.*]] = tensor.expand_shape
// CHECK: %[[R:.*]]:3 = cascade.iterate "M1" to 2 streams(%[[V]], %[[K]])
// CHECK: ^bb0(%{{.*}}: index, %[[VM:.*]]: tensor<4x3xf32>, %[[KM:.*]]: tensor<4x2xf32>, %[[RM:.*]]: tensor<6xf32>, %[[RD:.*]]: tensor<6xf32>, %[[RNV:.*]]: tensor<6x3xf32>):
// CHECK: %[[S:.*]] = cascade.einsum "S"[P, M0] = add(%{{.*}}[P, E], %[[KM]][M0, E])
// CHECK: %[[LM:.*]] = cascade.einsum "GM.l"[P] = max(%[[S]][P, M0])
// CHECK: %[[NEXT:.*]] = cascade.einsum "GM"[P] = map(%[[RM]][P], %[[LM]][P])
// CHECK: %[[SN:.*]] = cascade.einsum "SN"[P, M0] = map(%[[S]][P, M0], %[[NEXT]][P])
// A maximum of minus infinity is no shift.
// CHECK: arith.cmpf oeq
// CHECK: arith.select
// CHECK: %[[C:.*]] = cascade.einsum "GM.c"[P] = map(%[[RM]][P], %[[NEXT]][P])
// CHECK: %[[DL:.*]] = cascade.einsum "SD.l"[P] = add(%[[SN]][P, M0])
// CHECK: %[[DP:.*]] = cascade.einsum "SD.p"[P] = map(%[[RD]][P], %[[C]][P])
// CHECK: cascade.einsum "SD"[P] = map(%[[DL]][P], %[[DP]][P])
// CHECK: cascade.einsum "SNV.l"[P, F] = add(%[[SN]][P, M0], %[[VM]][M0, F])
// CHECK: cascade.einsum "AV"[P, F] = map(%[[R]]#2[P, F], %[[R]]#1[P])
func.func @attention(%q: tensor<6x2xf32>, %k: tensor<8x2xf32>, %v: tensor<8x3xf32>) -> tensor<6x3xf32> {
  %0 = cascade.graph "g"(%q, %k, %v) : (tensor<6x2xf32>, tensor<8x2xf32>, tensor<8x3xf32>) -> tensor<6x3xf32> {
  ^bb0(%Q: tensor<6x2xf32>, %K: tensor<8x2xf32>, %V: tensor<8x3xf32>):
    %s = cascade.einsum "S"[P, M] = add(%Q[P, E], %K[M, E]) : (tensor<6x2xf32>, tensor<8x2xf32>) -> tensor<6x8xf32> {
    ^bb1(%a: f32, %b: f32):
      %1 = arith.mulf %a, %b : f32
      cascade.yield %1 : f32
    }
    %gm = cascade.einsum "GM"[P] = max(%s[P, M]) : (tensor<6x8xf32>) -> tensor<6xf32> {
    ^bb1(%a: f32):
      cascade.yield %a : f32
    }
    %sn = cascade.einsum "SN"[P, M] = map(%s[P, M], %gm[P]) : (tensor<6x8xf32>, tensor<6xf32>) -> tensor<6x8xf32> {
    ^bb1(%a: f32, %b: f32):
      %1 = arith.subf %a, %b : f32
      %2 = math.exp %1 : f32
      cascade.yield %2 : f32
    }
    %sd = cascade.einsum "SD"[P] = add(%sn[P, M]) : (tensor<6x8xf32>) -> tensor<6xf32> {
    ^bb1(%a: f32):
      cascade.yield %a : f32
    }
    %nv = cascade.einsum "SNV"[P, F] = add(%sn[P, M], %V[M, F]) : (tensor<6x8xf32>, tensor<8x3xf32>) -> tensor<6x3xf32> {
    ^bb1(%a: f32, %b: f32):
      %1 = arith.mulf %a, %b : f32
      cascade.yield %1 : f32
    }
    %av = cascade.einsum "AV"[P, F] = map(%nv[P, F], %sd[P]) : (tensor<6x3xf32>, tensor<6xf32>) -> tensor<6x3xf32> {
    ^bb1(%a: f32, %b: f32):
      %1 = arith.divf %a, %b : f32
      cascade.yield %1 : f32
    }
    cascade.yield %av : tensor<6x3xf32>
  }
  return %0 : tensor<6x3xf32>
}

// Weights that are divided before they are used, and weights that are returned: not yet linear.
// REMARK: declined | {{.*}}Function=undeferred | reason=weights-used-elsewhere
// CHECK-LABEL: func @undeferred
// CHECK-NOT: cascade.iterate
func.func @undeferred(%s: tensor<6x8xf32>) -> (tensor<6xf32>, tensor<6x8xf32>) {
  %0:2 = cascade.graph "g"(%s) : (tensor<6x8xf32>) -> (tensor<6xf32>, tensor<6x8xf32>) {
  ^bb0(%S: tensor<6x8xf32>):
    %gm = cascade.einsum "GM"[P] = max(%S[P, M]) : (tensor<6x8xf32>) -> tensor<6xf32> {
    ^bb1(%a: f32):
      cascade.yield %a : f32
    }
    %sn = cascade.einsum "SN"[P, M] = map(%S[P, M], %gm[P]) : (tensor<6x8xf32>, tensor<6xf32>) -> tensor<6x8xf32> {
    ^bb1(%a: f32, %b: f32):
      %1 = arith.subf %a, %b : f32
      %2 = math.exp %1 : f32
      cascade.yield %2 : f32
    }
    %sd = cascade.einsum "SD"[P] = add(%sn[P, M]) : (tensor<6x8xf32>) -> tensor<6xf32> {
    ^bb1(%a: f32):
      cascade.yield %a : f32
    }
    cascade.yield %sd, %sn : tensor<6xf32>, tensor<6x8xf32>
  }
  return %0#0, %0#1 : tensor<6xf32>, tensor<6x8xf32>
}

// A sum of squares of the weights is not corrected by the same factor.
// REMARK: declined | {{.*}}Function=square | reason=not-linear
// CHECK-LABEL: func @square
// CHECK-NOT: cascade.iterate
func.func @square(%s: tensor<6x8xf32>) -> tensor<6xf32> {
  %0 = cascade.graph "g"(%s) : (tensor<6x8xf32>) -> tensor<6xf32> {
  ^bb0(%S: tensor<6x8xf32>):
    %gm = cascade.einsum "GM"[P] = max(%S[P, M]) : (tensor<6x8xf32>) -> tensor<6xf32> {
    ^bb1(%a: f32):
      cascade.yield %a : f32
    }
    %sn = cascade.einsum "SN"[P, M] = map(%S[P, M], %gm[P]) : (tensor<6x8xf32>, tensor<6xf32>) -> tensor<6x8xf32> {
    ^bb1(%a: f32, %b: f32):
      %1 = arith.subf %a, %b : f32
      %2 = math.exp %1 : f32
      cascade.yield %2 : f32
    }
    %sd = cascade.einsum "SD"[P] = add(%sn[P, M]) : (tensor<6x8xf32>) -> tensor<6xf32> {
    ^bb1(%a: f32):
      %1 = arith.mulf %a, %a : f32
      cascade.yield %1 : f32
    }
    cascade.yield %sd : tensor<6xf32>
  }
  return %0 : tensor<6xf32>
}

// REMARK: declined | {{.*}}Function=rounds | reason=element-type
// CHECK-LABEL: func @rounds
// CHECK-NOT: cascade.iterate
func.func @rounds(%s: tensor<6x8xf16>) -> tensor<6xf16> {
  %0 = cascade.graph "g"(%s) : (tensor<6x8xf16>) -> tensor<6xf16> {
  ^bb0(%S: tensor<6x8xf16>):
    %gm = cascade.einsum "GM"[P] = max(%S[P, M]) : (tensor<6x8xf16>) -> tensor<6xf16> {
    ^bb1(%a: f16):
      cascade.yield %a : f16
    }
    %sn = cascade.einsum "SN"[P, M] = map(%S[P, M], %gm[P]) : (tensor<6x8xf16>, tensor<6xf16>) -> tensor<6x8xf16> {
    ^bb1(%a: f16, %b: f16):
      %1 = arith.subf %a, %b : f16
      %2 = math.exp %1 : f16
      cascade.yield %2 : f16
    }
    %sd = cascade.einsum "SD"[P] = add(%sn[P, M]) : (tensor<6x8xf16>) -> tensor<6xf16> {
    ^bb1(%a: f16):
      cascade.yield %a : f16
    }
    cascade.yield %sd : tensor<6xf16>
  }
  return %0 : tensor<6xf16>
}

// A graph that lists its ranks gets the new ones; M1 is taken, by a rank of another size.
// REMARK: one-pass | {{.*}}Function=listed | rank=M, steps=2, sums=1
// CHECK-LABEL: func @listed
// CHECK: ranks = [#cascade.rank<"M1", 6>, #cascade.rank<"M", 8>, #cascade.rank<"M0", 4>, #cascade.rank<"M1_", 2>]
// CHECK: cascade.iterate "M1_" to 2
func.func @listed(%s: tensor<6x8xf32>) -> tensor<6xf32> {
  %0 = cascade.graph "g"(%s) {ranks = [#cascade.rank<"M1", 6>, #cascade.rank<"M", 8>]} : (tensor<6x8xf32>) -> tensor<6xf32> {
  ^bb0(%S: tensor<6x8xf32>):
    %gm = cascade.einsum "GM"[M1] = max(%S[M1, M]) : (tensor<6x8xf32>) -> tensor<6xf32> {
    ^bb1(%a: f32):
      cascade.yield %a : f32
    }
    %sn = cascade.einsum "SN"[M1, M] = map(%S[M1, M], %gm[M1]) : (tensor<6x8xf32>, tensor<6xf32>) -> tensor<6x8xf32> {
    ^bb1(%a: f32, %b: f32):
      %1 = arith.subf %a, %b : f32
      %2 = math.exp %1 : f32
      cascade.yield %2 : f32
    }
    %sd = cascade.einsum "SD"[M1] = add(%sn[M1, M]) : (tensor<6x8xf32>) -> tensor<6xf32> {
    ^bb1(%a: f32):
      cascade.yield %a : f32
    }
    cascade.yield %sd : tensor<6xf32>
  }
  return %0 : tensor<6xf32>
}

// Scores in 16 bits, widened where they are read; weights that are rounded before the second sum,
// which they are in every step. Who reads the maximum besides reads the last one.
// REMARK: one-pass | {{.*}}Function=narrow | rank=M, steps=2, sums=2
// STRICT: declined | {{.*}}Function=narrow | reason=rounding
// CHECK-LABEL: func @narrow
// CHECK: %[[R:.*]]:3 = cascade.iterate "M1" to 2
// CHECK: cascade.einsum "SN"
// CHECK: math.exp
// CHECK: cascade.einsum "GM.c"
// CHECK: cascade.einsum "SNV.l"[P, F] = add(
// CHECK: arith.truncf %{{.*}} : f32 to bf16
// CHECK: cascade.einsum "C"[P] = map(%[[R]]#0[P])
func.func @narrow(%s: tensor<6x8xbf16>, %v: tensor<8x3xbf16>) -> (tensor<6xf32>, tensor<6x3xf32>, tensor<6xi1>) {
  %0:3 = cascade.graph "g"(%s, %v) : (tensor<6x8xbf16>, tensor<8x3xbf16>) -> (tensor<6xf32>, tensor<6x3xf32>, tensor<6xi1>) {
  ^bb0(%S: tensor<6x8xbf16>, %V: tensor<8x3xbf16>):
    %gm = cascade.einsum "GM"[P] = max(%S[P, M]) : (tensor<6x8xbf16>) -> tensor<6xf32> {
    ^bb1(%a: bf16):
      %1 = arith.extf %a : bf16 to f32
      cascade.yield %1 : f32
    }
    %c = cascade.einsum "C"[P] = map(%gm[P]) : (tensor<6xf32>) -> tensor<6xi1> {
    ^bb1(%a: f32):
      %1 = arith.constant 0xFF800000 : f32
      %2 = arith.cmpf oeq, %a, %1 : f32
      cascade.yield %2 : i1
    }
    %sn = cascade.einsum "SN"[P, M] = map(%gm[P], %S[P, M]) : (tensor<6xf32>, tensor<6x8xbf16>) -> tensor<6x8xf32> {
    ^bb1(%a: f32, %b: bf16):
      %1 = arith.extf %b : bf16 to f32
      %2 = arith.subf %1, %a : f32
      %3 = math.exp %2 : f32
      cascade.yield %3 : f32
    }
    %sd = cascade.einsum "SD"[P] = add(%sn[P, M]) : (tensor<6x8xf32>) -> tensor<6xf32> {
    ^bb1(%a: f32):
      cascade.yield %a : f32
    }
    %nv = cascade.einsum "SNV"[P, F] = add(%sn[P, M], %V[M, F]) : (tensor<6x8xf32>, tensor<8x3xbf16>) -> tensor<6x3xf32> {
    ^bb1(%a: f32, %b: bf16):
      %1 = arith.truncf %a : f32 to bf16
      %2 = arith.extf %1 : bf16 to f32
      %3 = arith.extf %b : bf16 to f32
      %4 = arith.mulf %2, %3 : f32
      cascade.yield %4 : f32
    }
    cascade.yield %sd, %nv, %c : tensor<6xf32>, tensor<6x3xf32>, tensor<6xi1>
  }
  return %0#0, %0#1, %0#2 : tensor<6xf32>, tensor<6x3xf32>, tensor<6xi1>
}

// Weights of 8 bits are what they are.
// REMARK: declined | {{.*}}Function=quantised | reason=quantization
// CHECK-LABEL: func @quantised
// CHECK-NOT: cascade.iterate
func.func @quantised(%s: tensor<6x8xf32>, %v: tensor<8x3xf32>) -> tensor<6x3xf32> {
  %0 = cascade.graph "g"(%s, %v) : (tensor<6x8xf32>, tensor<8x3xf32>) -> tensor<6x3xf32> {
  ^bb0(%S: tensor<6x8xf32>, %V: tensor<8x3xf32>):
    %gm = cascade.einsum "GM"[P] = max(%S[P, M]) : (tensor<6x8xf32>) -> tensor<6xf32> {
    ^bb1(%a: f32):
      cascade.yield %a : f32
    }
    %sn = cascade.einsum "SN"[P, M] = map(%S[P, M], %gm[P]) : (tensor<6x8xf32>, tensor<6xf32>) -> tensor<6x8xf8E4M3FN> {
    ^bb1(%a: f32, %b: f32):
      %1 = arith.subf %a, %b : f32
      %2 = math.exp %1 : f32
      %3 = arith.truncf %2 : f32 to f8E4M3FN
      cascade.yield %3 : f8E4M3FN
    }
    %nv = cascade.einsum "SNV"[P, F] = add(%sn[P, M], %V[M, F]) : (tensor<6x8xf8E4M3FN>, tensor<8x3xf32>) -> tensor<6x3xf32> {
    ^bb1(%a: f8E4M3FN, %b: f32):
      %1 = arith.extf %a : f8E4M3FN to f32
      %2 = arith.mulf %1, %b : f32
      cascade.yield %2 : f32
    }
    cascade.yield %nv : tensor<6x3xf32>
  }
  return %0 : tensor<6x3xf32>
}

// A second sum that waits for the first, and values that wait for the maximum.
// REMARK: declined | {{.*}}Function=waits | reason=waits-for-itself
// REMARK: declined | {{.*}}Function=values | reason=waits-for-itself
// CHECK-LABEL: func @waits
// CHECK-NOT: cascade.iterate
// CHECK: return
func.func @waits(%s: tensor<6x8xf32>, %v: tensor<8x3xf32>) -> tensor<6x3xf32> {
  %0 = cascade.graph "g"(%s, %v) : (tensor<6x8xf32>, tensor<8x3xf32>) -> tensor<6x3xf32> {
  ^bb0(%S: tensor<6x8xf32>, %V: tensor<8x3xf32>):
    %gm = cascade.einsum "GM"[P] = max(%S[P, M]) : (tensor<6x8xf32>) -> tensor<6xf32> {
    ^bb1(%a: f32):
      cascade.yield %a : f32
    }
    %sn = cascade.einsum "SN"[P, M] = map(%S[P, M], %gm[P]) : (tensor<6x8xf32>, tensor<6xf32>) -> tensor<6x8xf32> {
    ^bb1(%a: f32, %b: f32):
      %1 = arith.subf %a, %b : f32
      %2 = math.exp %1 : f32
      cascade.yield %2 : f32
    }
    %sd = cascade.einsum "SD"[P] = add(%sn[P, M]) : (tensor<6x8xf32>) -> tensor<6xf32> {
    ^bb1(%a: f32):
      cascade.yield %a : f32
    }
    %nv = cascade.einsum "SNV"[P, F] = add(%sn[P, M], %V[M, F], %sd[P]) : (tensor<6x8xf32>, tensor<8x3xf32>, tensor<6xf32>) -> tensor<6x3xf32> {
    ^bb1(%a: f32, %b: f32, %c: f32):
      %1 = arith.addf %b, %c : f32
      %2 = arith.mulf %a, %1 : f32
      cascade.yield %2 : f32
    }
    cascade.yield %nv : tensor<6x3xf32>
  }
  return %0 : tensor<6x3xf32>
}
func.func @values(%s: tensor<6x8xf32>) -> tensor<6xf32> {
  %0 = cascade.graph "g"(%s) : (tensor<6x8xf32>) -> tensor<6xf32> {
  ^bb0(%S: tensor<6x8xf32>):
    %gm = cascade.einsum "GM"[P] = max(%S[P, M]) : (tensor<6x8xf32>) -> tensor<6xf32> {
    ^bb1(%a: f32):
      cascade.yield %a : f32
    }
    %v = cascade.einsum "V"[P, M] = map(%S[P, M], %gm[P]) : (tensor<6x8xf32>, tensor<6xf32>) -> tensor<6x8xf32> {
    ^bb1(%a: f32, %b: f32):
      %1 = arith.addf %a, %b : f32
      cascade.yield %1 : f32
    }
    %sn = cascade.einsum "SN"[P, M] = map(%S[P, M], %gm[P]) : (tensor<6x8xf32>, tensor<6xf32>) -> tensor<6x8xf32> {
    ^bb1(%a: f32, %b: f32):
      %1 = arith.subf %a, %b : f32
      %2 = math.exp %1 : f32
      cascade.yield %2 : f32
    }
    %nv = cascade.einsum "SNV"[P] = add(%sn[P, M], %v[P, M]) : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6xf32> {
    ^bb1(%a: f32, %b: f32):
      %1 = arith.mulf %a, %b : f32
      cascade.yield %1 : f32
    }
    cascade.yield %nv : tensor<6xf32>
  }
  return %0 : tensor<6xf32>
}
