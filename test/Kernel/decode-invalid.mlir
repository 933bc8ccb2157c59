// RUN: ff-opt %s --ff-lower-to-nvgpu --split-input-file --verify-diagnostics

module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", sms = 132, smem = 232448>} {
func.func @tile(%x: memref<?x64xbf16>, %w: memref<24x64xbf16>, %y: memref<?x24xbf16>) {
  // expected-error @below {{tile_k must be a multiple of 32 * warps}}
  ff.online(%x) weights(%w) outs(%y)
      {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>],
       schedule = [#ff.schedule<family = decode, mma = mma_sync, max_rows = 8, tile_m = 8,
                                tile_n = 8, tile_k = 64, stages = 4, warps = 4, align = 16>]}
      : (memref<?x64xbf16>, memref<24x64xbf16>, memref<?x24xbf16>) -> ()
  row {
    ff.yield
  } finalize {
  ^bb0(%z: f32):
    %t = arith.truncf %z : f32 to bf16
    ff.yield %t : bf16
  }
  return
}
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", sms = 132, smem = 232448>} {
func.func @smem(%x: memref<?x2048xbf16>, %w: memref<24x2048xbf16>, %y: memref<?x24xbf16>) {
  // expected-error @below {{it needs 270976 bytes of shared memory, of 232448}}
  ff.online(%x) weights(%w) outs(%y)
      {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>],
       schedule = [#ff.schedule<family = decode, mma = mma_sync, max_rows = 8, tile_m = 8,
                                tile_n = 8, tile_k = 2048, stages = 8, warps = 8, align = 16>]}
      : (memref<?x2048xbf16>, memref<24x2048xbf16>, memref<?x24xbf16>) -> ()
  row {
    ff.yield
  } finalize {
  ^bb0(%z: f32):
    %t = arith.truncf %z : f32 to bf16
    ff.yield %t : bf16
  }
  return
}
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", sms = 132, smem = 232448>} {
func.func @rows(%x: memref<?x64xbf16>, %w: memref<24x64xbf16>, %y: memref<?x24xbf16>) {
  // expected-error @below {{it must serve 1 <= min_rows <= max_rows <= 64 rows}}
  ff.online(%x) weights(%w) outs(%y)
      {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>],
       schedule = [#ff.schedule<family = decode, mma = mma_sync, tile_m = 8, tile_n = 8,
                                tile_k = 128, stages = 4, warps = 4, align = 16>]}
      : (memref<?x64xbf16>, memref<24x64xbf16>, memref<?x24xbf16>) -> ()
  row {
    ff.yield
  } finalize {
  ^bb0(%z: f32):
    %t = arith.truncf %z : f32 to bf16
    ff.yield %t : bf16
  }
  return
}
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", sms = 132, smem = 232448>} {
func.func @packed(%x: memref<?x64xbf16>, %w: memref<64x24xbf16>, %y: memref<?x24xbf16>) {
  // expected-error @below {{a weight is K x N, which needs packed = true}}
  ff.online(%x) weights(%w) outs(%y)
      {statistics = [], layouts = [#ff.layout<kn>], linears_of = [array<i64: 0>],
       schedule = [#ff.schedule<family = decode, mma = mma_sync, max_rows = 8, tile_m = 8,
                                tile_n = 8, tile_k = 128, stages = 4, warps = 4, align = 16>]}
      : (memref<?x64xbf16>, memref<64x24xbf16>, memref<?x24xbf16>) -> ()
  row {
    ff.yield
  } finalize {
  ^bb0(%z: f32):
    %t = arith.truncf %z : f32 to bf16
    ff.yield %t : bf16
  }
  return
}
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", sms = 132, smem = 232448>} {
func.func @packed_f8(%x: memref<?x128xbf16>, %w: memref<24x128xf8E4M3FN>, %y: memref<?x24xbf16>) {
  // expected-error @below {{weights of 8 bits are not packed}}
  ff.online(%x) weights(%w) outs(%y)
      {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>],
       schedule = [#ff.schedule<family = decode, mma = mma_sync, max_rows = 8, tile_m = 8,
                                tile_n = 8, tile_k = 128, stages = 4, warps = 4, packed = true, align = 16>]}
      : (memref<?x128xbf16>, memref<24x128xf8E4M3FN>, memref<?x24xbf16>) -> ()
  row {
    ff.yield
  } finalize {
  ^bb0(%z: f32):
    %t = arith.truncf %z : f32 to bf16
    ff.yield %t : bf16
  }
  return
}
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", sms = 132, smem = 232448>} {
func.func @rows_of_f8(%x: memref<?x120xbf16>, %w: memref<24x120xf8E4M3FN>, %y: memref<?x24xbf16>) {
  // expected-error @below {{K is not a multiple of 16}}
  ff.online(%x) weights(%w) outs(%y)
      {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>],
       schedule = [#ff.schedule<family = decode, mma = mma_sync, max_rows = 8, tile_m = 8,
                                tile_n = 8, tile_k = 128, stages = 4, warps = 4, align = 16>]}
      : (memref<?x120xbf16>, memref<24x120xf8E4M3FN>, memref<?x24xbf16>) -> ()
  row {
    ff.yield
  } finalize {
  ^bb0(%z: f32):
    %t = arith.truncf %z : f32 to bf16
    ff.yield %t : bf16
  }
  return
}
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_89", features = "+ptx80", sms = 132, smem = 232448>} {
func.func @chip_of_f8(%x: memref<?x128xbf16>, %w: memref<24x128xf8E4M3FN>, %y: memref<?x24xbf16>) {
  // expected-error @below {{sm_89 has no conversions of f8E4M3FN (sm_89 with PTX 8.1 is the first)}}
  ff.online(%x) weights(%w) outs(%y)
      {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>],
       schedule = [#ff.schedule<family = decode, mma = mma_sync, max_rows = 8, tile_m = 8,
                                tile_n = 8, tile_k = 128, stages = 4, warps = 4, align = 16>]}
      : (memref<?x128xbf16>, memref<24x128xf8E4M3FN>, memref<?x24xbf16>) -> ()
  row {
    ff.yield
  } finalize {
  ^bb0(%z: f32):
    %t = arith.truncf %z : f32 to bf16
    ff.yield %t : bf16
  }
  return
}
}
