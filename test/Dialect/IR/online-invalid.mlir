// RUN: ff-opt %s --split-input-file --verify-diagnostics

func.func @row(%x: tensor<4x64xf32>, %w: tensor<32x64xf32>, %o: tensor<4x32xf32>) -> tensor<4x32xf32> {
  // expected-error @+1 {{expects region 'row' to take ('f32')}}
  %0 = ff.online(%x) weights(%w) outs(%o) {layouts = [#ff.layout<nk>],
    linears_of = [array<i64: 0>], statistics = [#ff.statistic<mean_square>]}
    : (tensor<4x64xf32>, tensor<32x64xf32>, tensor<4x32xf32>) -> tensor<4x32xf32> row {
      ff.yield
    } finalize {
    ^bb0(%z: f32):
      ff.yield %z : f32
    }
  return %0 : tensor<4x32xf32>
}

// -----

func.func @yield(%x: tensor<4x64xf32>, %w: tensor<32x64xf32>, %o: tensor<4x32xbf16>) -> tensor<4x32xbf16> {
  // expected-error @+1 {{expects region 'finalize' to yield one element of the output}}
  %0 = ff.online(%x) weights(%w) outs(%o) {layouts = [#ff.layout<nk>],
    linears_of = [array<i64: 0>], statistics = []}
    : (tensor<4x64xf32>, tensor<32x64xf32>, tensor<4x32xbf16>) -> tensor<4x32xbf16> row {
      ff.yield
    } finalize {
    ^bb0(%z: f32):
      ff.yield %z : f32
    }
  return %0 : tensor<4x32xbf16>
}

// -----

func.func @linears(%x: tensor<4x64xf32>, %w: tensor<32x64xf32>, %o: tensor<4x32xf32>) -> tensor<4x32xf32> {
  // expected-error @+1 {{expects linears_of[0] to list Linears}}
  %0 = ff.online(%x) weights(%w) outs(%o) {layouts = [#ff.layout<nk>],
    linears_of = [array<i64: 1>], statistics = []}
    : (tensor<4x64xf32>, tensor<32x64xf32>, tensor<4x32xf32>) -> tensor<4x32xf32> row {
      ff.yield
    } finalize {
    ^bb0(%z: f32):
      ff.yield %z : f32
    }
  return %0 : tensor<4x32xf32>
}

// -----

func.func @mixed(%x: memref<4x64xf32>, %w: tensor<32x64xf32>, %o: tensor<4x32xf32>) -> tensor<4x32xf32> {
  // expected-error @+1 {{mixes tensors and memrefs}}
  %0 = ff.online(%x) weights(%w) outs(%o) {layouts = [#ff.layout<nk>],
    linears_of = [array<i64: 0>], statistics = []}
    : (memref<4x64xf32>, tensor<32x64xf32>, tensor<4x32xf32>) -> tensor<4x32xf32> row {
      ff.yield
    } finalize {
    ^bb0(%z: f32):
      ff.yield %z : f32
    }
  return %0 : tensor<4x32xf32>
}

// -----

func.func @column(%x: tensor<4x64xf32>, %w: tensor<32x64xf32>, %c: tensor<8xf32>, %o: tensor<4x32xf32>) -> tensor<4x32xf32> {
  // expected-error @+1 {{expects column 0 to have length N = 32}}
  %0 = ff.online(%x) weights(%w) columns(%c) outs(%o) {layouts = [#ff.layout<nk>],
    column_of = array<i64: 0>, linears_of = [array<i64: 0>], statistics = []}
    : (tensor<4x64xf32>, tensor<32x64xf32>, tensor<8xf32>, tensor<4x32xf32>) -> tensor<4x32xf32> row {
      ff.yield
    } finalize {
    ^bb0(%z: f32, %d: f32):
      ff.yield %z : f32
    }
  return %0 : tensor<4x32xf32>
}

// -----

func.func @schedule(%x: tensor<4x64xf32>, %w: tensor<32x64xf32>, %o: tensor<4x32xf32>) -> tensor<4x32xf32> {
  // expected-error @+1 {{expects schedule to list #ff.schedule attributes}}
  %0 = ff.online(%x) weights(%w) outs(%o) {layouts = [#ff.layout<nk>],
    linears_of = [array<i64: 0>], statistics = [], schedule = [1]}
    : (tensor<4x64xf32>, tensor<32x64xf32>, tensor<4x32xf32>) -> tensor<4x32xf32> row {
      ff.yield
    } finalize {
    ^bb0(%z: f32):
      ff.yield %z : f32
    }
  return %0 : tensor<4x32xf32>
}

// -----

func.func @tile(%x: tensor<4x64xf32>, %w: tensor<32x64xf32>, %t: tensor<4x8xf32>, %o: tensor<4x32xf32>) -> tensor<4x32xf32> {
  // expected-error @+1 {{expects tile 0 to have the shape of output 0, but it is 'tensor<4x8xf32>'}}
  %0 = ff.online(%x) weights(%w) tiles(%t) outs(%o) {layouts = [#ff.layout<nk>],
    tile_of = array<i64: 0>, linears_of = [array<i64: 0>], statistics = []}
    : (tensor<4x64xf32>, tensor<32x64xf32>, tensor<4x8xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>
  row { ff.yield } finalize {
  ^bb0(%z: f32, %r: f32):
    ff.yield %z : f32
  }
  return %0 : tensor<4x32xf32>
}

// -----

func.func @tile_of(%x: tensor<4x64xf32>, %w: tensor<32x64xf32>, %t: tensor<4x32xf32>, %o: tensor<4x32xf32>) -> tensor<4x32xf32> {
  // expected-error @+1 {{expects tile_of to name outputs}}
  %0 = ff.online(%x) weights(%w) tiles(%t) outs(%o) {layouts = [#ff.layout<nk>],
    tile_of = array<i64: 1>, linears_of = [array<i64: 0>], statistics = []}
    : (tensor<4x64xf32>, tensor<32x64xf32>, tensor<4x32xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>
  row { ff.yield } finalize {
  ^bb0(%z: f32, %r: f32):
    ff.yield %z : f32
  }
  return %0 : tensor<4x32xf32>
}

// -----

func.func @tile_count(%x: tensor<4x64xf32>, %w: tensor<32x64xf32>, %t: tensor<4x32xf32>, %o: tensor<4x32xf32>) -> tensor<4x32xf32> {
  // expected-error @+1 {{expects tile_of to name one output per tile}}
  %0 = ff.online(%x) weights(%w) tiles(%t) outs(%o) {layouts = [#ff.layout<nk>],
    linears_of = [array<i64: 0>], statistics = []}
    : (tensor<4x64xf32>, tensor<32x64xf32>, tensor<4x32xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>
  row { ff.yield } finalize {
  ^bb0(%z: f32, %r: f32):
    ff.yield %z : f32
  }
  return %0 : tensor<4x32xf32>
}

// -----

func.func @rows(%x: tensor<4x64xf32>, %w: tensor<32x64xf32>, %o: tensor<4x32xf32>) -> tensor<4x32xf32> {
  // expected-error @+1 {{expects 1 <= min_rows <= max_rows, or max_rows = 0, in #ff.schedule<}}
  %0 = ff.online(%x) weights(%w) outs(%o) {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = [],
      schedule = [#ff.schedule<family = simt, mma = fma, min_rows = 9, max_rows = 8>]}
    : (tensor<4x64xf32>, tensor<32x64xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>
  row { ff.yield } finalize {
  ^bb0(%z: f32):
    ff.yield %z : f32
  }
  return %0 : tensor<4x32xf32>
}

// -----

func.func @align(%x: tensor<4x64xf32>, %w: tensor<32x64xf32>, %o: tensor<4x32xf32>) -> tensor<4x32xf32> {
  // expected-error @+1 {{expects align to be a power of 2 up to 4096 in #ff.schedule<}}
  %0 = ff.online(%x) weights(%w) outs(%o) {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = [],
      schedule = [#ff.schedule<family = simt, mma = fma, align = 3>]}
    : (tensor<4x64xf32>, tensor<32x64xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>
  row { ff.yield } finalize {
  ^bb0(%z: f32):
    ff.yield %z : f32
  }
  return %0 : tensor<4x32xf32>
}

// -----

func.func @stages(%x: tensor<4x64xf32>, %w: tensor<32x64xf32>, %o: tensor<4x32xf32>) -> tensor<4x32xf32> {
  // expected-error @+1 {{expects 1 to 64 stages in #ff.schedule<}}
  %0 = ff.online(%x) weights(%w) outs(%o) {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = [],
      schedule = [#ff.schedule<family = simt, mma = fma, stages = -1>]}
    : (tensor<4x64xf32>, tensor<32x64xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>
  row { ff.yield } finalize {
  ^bb0(%z: f32):
    ff.yield %z : f32
  }
  return %0 : tensor<4x32xf32>
}

// -----

func.func @integers(%x: tensor<4x64xi8>, %w: tensor<32x64xf32>, %o: tensor<4x32xf32>) -> tensor<4x32xf32> {
  // expected-error @+1 {{expects operands of floats of at most 64 bits, not 'tensor<4x64xi8>'}}
  %0 = ff.online(%x) weights(%w) outs(%o) {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = []}
    : (tensor<4x64xi8>, tensor<32x64xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>
  row { ff.yield } finalize {
  ^bb0(%z: f32):
    ff.yield %z : f32
  }
  return %0 : tensor<4x32xf32>
}

// -----

func.func @wide(%x: tensor<4x64xf80>, %w: tensor<32x64xf32>, %o: tensor<4x32xf32>) -> tensor<4x32xf32> {
  // expected-error @+1 {{expects operands of floats of at most 64 bits, not 'tensor<4x64xf80>'}}
  %0 = ff.online(%x) weights(%w) outs(%o) {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = []}
    : (tensor<4x64xf80>, tensor<32x64xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>
  row { ff.yield } finalize {
  ^bb0(%z: f32):
    ff.yield %z : f32
  }
  return %0 : tensor<4x32xf32>
}

// -----

func.func @f8_of_x(%x: tensor<4x64xf8E4M3FN>, %w: tensor<32x64xf16>, %o: tensor<4x32xf32>) -> tensor<4x32xf32> {
  // expected-error @+1 {{expects weights of f8E4M3FN for an x of f8E4M3FN}}
  %0 = ff.online(%x) weights(%w) outs(%o) {layouts = [#ff.layout<nk>], statistics = [], linears_of = [array<i64: 0>]}
    : (tensor<4x64xf8E4M3FN>, tensor<32x64xf16>, tensor<4x32xf32>) -> tensor<4x32xf32>
  row { ff.yield } finalize { ^bb0(%z: f32): ff.yield %z : f32 }
  return %0 : tensor<4x32xf32>
}

// -----

func.func @x_scale_type(%x: tensor<4x64xf8E4M3FN>, %s: tensor<4xf16>, %w: tensor<32x64xf8E4M3FN>, %o: tensor<4x32xf32>) -> tensor<4x32xf32> {
  // expected-error @+1 {{expects region 'row' to take ('f16')}}
  %0 = ff.online(%x) weights(%w) x_scale(%s) outs(%o) {layouts = [#ff.layout<nk>], statistics = [], linears_of = [array<i64: 0>]}
    : (tensor<4x64xf8E4M3FN>, tensor<32x64xf8E4M3FN>, tensor<4xf16>, tensor<4x32xf32>) -> tensor<4x32xf32>
  row { ^bb0(%a: f32): ff.yield %a : f32 } finalize { ^bb0(%z: f32): ff.yield %z : f32 }
  return %0 : tensor<4x32xf32>
}

// -----

func.func @other_f8(%x: tensor<4x64xf32>, %w: tensor<32x64xf8E5M2>, %o: tensor<4x32xf32>) -> tensor<4x32xf32> {
  // expected-error @+1 {{expects floats of fewer than 16 bits to be x or weights of f8E4M3FN, not 'tensor<32x64xf8E5M2>'}}
  %0 = ff.online(%x) weights(%w) outs(%o) {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = []}
    : (tensor<4x64xf32>, tensor<32x64xf8E5M2>, tensor<4x32xf32>) -> tensor<4x32xf32>
  row { ff.yield } finalize {
  ^bb0(%z: f32):
    ff.yield %z : f32
  }
  return %0 : tensor<4x32xf32>
}

// -----

func.func @parts(%x: tensor<4x64xf16>, %w: tensor<32x64xf16>, %o: tensor<4x32xf32>) -> tensor<4x32xf32> {
  // expected-error @+1 {{expects parts only for prefill with wgmma in #ff.schedule<family = simt, mma = fma, parts = 2>}}
  %0 = ff.online(%x) weights(%w) outs(%o) {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = [],
      schedule = [#ff.schedule<family = simt, mma = fma, parts = 2>]}
    : (tensor<4x64xf16>, tensor<32x64xf16>, tensor<4x32xf32>) -> tensor<4x32xf32>
  row { ff.yield } finalize {
  ^bb0(%z: f32):
    ff.yield %z : f32
  }
  return %0 : tensor<4x32xf32>
}
