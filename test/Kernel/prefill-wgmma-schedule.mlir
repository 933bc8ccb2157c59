// RUN: ff-opt %s --ff-decompose --ff-schedule="chip=sm_90a family=prefill" | FileCheck %s

// For few rows wide tiles with K in two parts, the widest for many, and for five row blocks, which
// 24 of them make one wave; the ranges meet.

// CHECK-LABEL: func.func @dynamic
// CHECK: mma = wgmma, min_rows = 17, max_rows = 128, tile_m = 128, tile_n = 96, tile_k = 64, stages = 7, warps = 8, parts = 2, align = 16>
// CHECK-SAME: mma = wgmma, min_rows = 129, max_rows = 256, tile_m = 128, tile_n = 192, tile_k = 64, stages = 4, warps = 8, parts = 2, align = 16>
// CHECK-SAME: mma = wgmma, min_rows = 257, max_rows = 512, tile_m = 128, tile_n = 192, tile_k = 64, stages = 4, warps = 8, split = 2, align = 16>
// CHECK-SAME: mma = wgmma, min_rows = 513, max_rows = 640, tile_m = 128, tile_n = 256, tile_k = 64, stages = 4, warps = 8, split = 2, align = 16>
// CHECK-SAME: mma = wgmma, min_rows = 641, max_rows = 1536, tile_m = 128, tile_n = 192, tile_k = 64, stages = 4, warps = 8, split = 2, align = 16>
// CHECK-SAME: mma = wgmma, min_rows = 1537, tile_m = 128, tile_n = 256, tile_k = 64, stages = 4, warps = 8, split = 2, align = 16>
func.func @dynamic(%x: tensor<?x4096xbf16>, %w: tensor<6144x4096xbf16>) -> tensor<?x6144xbf16> {
  %y = ff.norm_linear rms_norm(%x) weights(%w) {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
      : (tensor<?x4096xbf16>, tensor<6144x4096xbf16>) -> tensor<?x6144xbf16>
  return %y : tensor<?x6144xbf16>
}

// With M known, the tile for it: 8 row blocks and 32 tiles of 192 columns are two
// waves of 128 blocks. The gain is folded into packed weights.

// CHECK-LABEL: func.func @static
// CHECK: mma = wgmma, min_rows = 17, tile_m = 128, tile_n = 192, tile_k = 64, stages = 4, warps = 8, split = 2, packed = true, align = 16>
// CHECK-NOT: mma = wgmma
func.func @static(%x: tensor<1000x4096xbf16>, %g: tensor<4096xbf16>, %w: tensor<6144x4096xbf16>)
    -> tensor<1000x6144xbf16> {
  %y = ff.norm_linear rms_norm(%x) gain(%g) weights(%w)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
      : (tensor<1000x4096xbf16>, tensor<4096xbf16>, tensor<6144x4096xbf16>) -> tensor<1000x6144xbf16>
  return %y : tensor<1000x6144xbf16>
}

// x of 8 bits: from the first row on, since no other kernel has tensor cores for it; the widest tile in
// one piece for many rows. A center is left to simt.

// CHECK-LABEL: func.func @f8
// CHECK: schedule = [#ff.schedule<family = prefill, mma = wgmma, max_rows = {{[0-9]+}}, tile_m = 128, tile_n = {{[0-9]+}}, tile_k = 128,
// CHECK-SAME: tile_m = 128, tile_n = 192, tile_k = 128, stages = 4, warps = 8, align = 16>, #ff.schedule<family = simt
// CHECK: schedule = [#ff.schedule<family = simt
// CHECK-NOT: wgmma
func.func @f8(%x: tensor<?x4096xf8E4M3FN>, %s: tensor<?xf32>, %w: tensor<6144x4096xf8E4M3FN>, %o: tensor<?x6144xbf16>)
    -> (tensor<?x6144xbf16>, tensor<?x6144xbf16>) {
  %y = ff.online(%x) weights(%w) x_scale(%s) outs(%o)
      {layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = []}
      : (tensor<?x4096xf8E4M3FN>, tensor<6144x4096xf8E4M3FN>, tensor<?xf32>, tensor<?x6144xbf16>)
      -> tensor<?x6144xbf16>
  row {
  ^bb0(%a: f32):
    ff.yield %a : f32
  } finalize {
  ^bb0(%z: f32):
    %t = arith.truncf %z : f32 to bf16
    ff.yield %t : bf16
  }
  %c = ff.norm_linear layer_norm(%x) x_scale(%s) weights(%w)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
      : (tensor<?x4096xf8E4M3FN>, tensor<?xf32>, tensor<6144x4096xf8E4M3FN>) -> tensor<?x6144xbf16>
  return %y, %c : tensor<?x6144xbf16>, tensor<?x6144xbf16>
}
