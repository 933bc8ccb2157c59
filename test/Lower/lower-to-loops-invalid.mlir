// RUN: ff-opt %s --ff-lower-to-loops --verify-diagnostics

func.func @on_memrefs(%x: memref<4x8xf32>, %w: memref<6x8xf32>, %out: memref<4x6xf32>) {
  // expected-error @+1 {{is on memrefs; ff-lower-to-loops takes tensors}}
  ff.online(%x) weights(%w) outs(%out)
      {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>]}
      : (memref<4x8xf32>, memref<6x8xf32>, memref<4x6xf32>) -> ()
  row {
    ff.yield
  } finalize {
  ^bb0(%a: f32):
    ff.yield %a : f32
  }
  return
}
