// RUN: ff-opt %s --split-input-file --verify-diagnostics

func.func @kind(%x: tensor<4xf32>) -> tensor<f32> {
  // expected-error @+1 {{expected map, add or max}}
  %0 = cascade.einsum "A"[] = sum(%x[M]) : (tensor<4xf32>) -> tensor<f32> {
  ^bb0(%a: f32):
    cascade.yield %a : f32
  }
  return %0 : tensor<f32>
}

// -----

func.func @subscript(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{operand 0 has 1 dimensions but 2 ranks}}
  %0 = cascade.einsum "A"[M] = map(%x[M, N]) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: f32):
    cascade.yield %a : f32
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @sizes(%x: tensor<4xf32>, %y: tensor<5xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{rank M has size 4 and 5}}
  %0 = cascade.einsum "A"[M] = map(%x[M], %y[M]) : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32> {
  ^bb0(%a: f32, %b: f32):
    cascade.yield %a : f32
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @twice(%x: tensor<4x4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{operand 0 has rank M twice}}
  %0 = cascade.einsum "A"[M] = map(%x[M, M]) : (tensor<4x4xf32>) -> tensor<4xf32> {
  ^bb0(%a: f32):
    cascade.yield %a : f32
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @unit(%x: tensor<4x2xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{operand 0 has '_' for a dimension of size other than 1}}
  %0 = cascade.einsum "A"[M] = map(%x[M, _]) : (tensor<4x2xf32>) -> tensor<4xf32> {
  ^bb0(%a: f32):
    cascade.yield %a : f32
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @no_reduction(%x: tensor<4x2xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{says map but the result lacks rank N}}
  %0 = cascade.einsum "A"[M] = map(%x[M, N]) : (tensor<4x2xf32>) -> tensor<4xf32> {
  ^bb0(%a: f32):
    cascade.yield %a : f32
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @nothing_reduced(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has a reduction but the result has every rank}}
  %0 = cascade.einsum "A"[M] = add(%x[M]) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: f32):
    cascade.yield %a : f32
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @init(%x: tensor<4x2xf32>, %b: tensor<2xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{init has rank N, which the result lacks}}
  %0 = cascade.einsum "A"[M] = add(%x[M, N]) init(%b[N]) : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4xf32> {
  ^bb0(%a: f32):
    cascade.yield %a : f32
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @body(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{argument 0 of its body is no element of its operand}}
  %0 = cascade.einsum "A"[M] = map(%x[M]) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: f64):
    %1 = arith.truncf %a : f64 to f32
    cascade.yield %1 : f32
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @yields(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expects its body to yield one element of the result}}
  %0 = cascade.einsum "A"[M] = map(%x[M]) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: f32):
    %1 = arith.extf %a : f32 to f64
    cascade.yield %1 : f64
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @across(%x: tensor<4xf32>, %y: tensor<5xf32>) -> tensor<5xf32> {
  %0 = cascade.graph "g"(%x, %y) : (tensor<4xf32>, tensor<5xf32>) -> tensor<5xf32> {
  ^bb0(%a: tensor<4xf32>, %b: tensor<5xf32>):
    %1 = cascade.einsum "A"[M] = map(%a[M]) : (tensor<4xf32>) -> tensor<4xf32> {
    ^bb1(%c: f32):
      cascade.yield %c : f32
    }
    // expected-error @+1 {{has size 5 for rank M, which is 4 elsewhere}}
    %2 = cascade.einsum "B"[M] = map(%b[M]) : (tensor<5xf32>) -> tensor<5xf32> {
    ^bb1(%c: f32):
      cascade.yield %c : f32
    }
    cascade.yield %2 : tensor<5xf32>
  }
  return %0 : tensor<5xf32>
}

// -----

func.func @unlisted(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = cascade.graph "g"(%x) {groups = [#cascade.group<name = "G">]} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    // expected-error @+1 {{is in group H, which its graph does not list}}
    %1 = cascade.einsum "A"[M] = map(%a[M]) group "H" : (tensor<4xf32>) -> tensor<4xf32> {
    ^bb1(%c: f32):
      cascade.yield %c : f32
    }
    cascade.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @effects(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = cascade.graph "g"(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    // expected-error @+1 {{has side effects, which a graph cannot have}}
    %m = memref.alloc() : memref<4xf32>
    cascade.yield %a : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @steps(%k: tensor<2x3xf32>, %r: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{runs 4 steps over a stream with 3}}
  %0 = cascade.iterate "M" to 4 streams(%k) init(%r) {stream_dims = array<i64: 1>} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%m: index, %km: tensor<2xf32>, %rm: tensor<2xf32>):
    cascade.yield %rm : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// -----

func.func @fiber(%k: tensor<2x3xf32>, %r: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{has a fiber of type}}
  %0 = cascade.iterate "M" to 3 streams(%k) init(%r) {stream_dims = array<i64: 1>} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%m: index, %km: tensor<3xf32>, %rm: tensor<2xf32>):
    cascade.yield %rm : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// -----

func.func @iterated(%k: tensor<2x3xf32>, %r: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{has an Einsum over rank M in its body, which steps over it}}
  %0 = cascade.iterate "M" to 3 streams(%k) init(%r) {stream_dims = array<i64: 1>} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%m: index, %km: tensor<2xf32>, %rm: tensor<2xf32>):
    %1 = cascade.einsum "A"[M] = map(%km[M]) : (tensor<2xf32>) -> tensor<2xf32> {
    ^bb1(%c: f32):
      cascade.yield %c : f32
    }
    cascade.yield %1 : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// -----

func.func @unknown(%x: f32) -> tensor<?xf32> {
  // expected-error @+1 {{has rank M in its result, of a size that no operand says}}
  %0 = cascade.einsum "A"[M] = map(%x[]) : (f32) -> tensor<?xf32> {
  ^bb0(%a: f32):
    cascade.yield %a : f32
  }
  return %0 : tensor<?xf32>
}

// -----

func.func @repeats(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{repeats group G a negative number of times}}
  %0 = cascade.graph "g"(%x) {groups = [#cascade.group<name = "G", repeats = -1>]} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    cascade.yield %a : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
