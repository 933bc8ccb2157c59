// RUN: ff-opt %s --ff-decompose --ff-schedule=chip=sm_90a | FileCheck %s

// From the number of rows on for which it is predicted faster than the kernel for few rows, up to 128 rows; the
// ranges meet. 64 tiles of 96 columns are for 64 clusters of two blocks, each with half of K.

// CHECK-LABEL: func.func @dynamic
// CHECK: schedule = [#ff.schedule<family = decode, mma = wgmma, min_rows = {{[2-8]}}, max_rows = 16, tile_m = 16, tile_n = 96, tile_k = 128, stages = 5, split = 2, align = 16>
// CHECK-SAME: mma = wgmma, min_rows = 17, max_rows = 32, tile_m = 32, tile_n = 96, tile_k = 128, stages = 5, split = 2, align = 16>
// CHECK-SAME: mma = wgmma, min_rows = 33, max_rows = 48, tile_m = 48, tile_n = 96, tile_k = 128, stages = 5, split = 2, align = 16>
// CHECK-SAME: mma = wgmma, min_rows = 49, max_rows = 64, tile_m = 64, tile_n = 96, tile_k = 128, stages = 5, split = 2, align = 16>
// CHECK-SAME: mma = wgmma, min_rows = 65, max_rows = 96, tile_m = 96, tile_n = 96, tile_k = 128, stages = 4, warps = 8, split = 2, align = 16>
// CHECK-SAME: mma = wgmma, min_rows = 97, max_rows = 128, tile_m = 128, tile_n = 96, tile_k = 128, stages = 4, warps = 8, split = 2, align = 16>
// CHECK-SAME: mma = mma_sync, max_rows = 4,
// CHECK-SAME: family = prefill, mma = wgmma,
func.func @dynamic(%x: tensor<?x4096xbf16>, %w: tensor<6144x4096xbf16>) -> tensor<?x6144xbf16> {
  %y = ff.norm_linear rms_norm(%x) weights(%w) {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
      : (tensor<?x4096xbf16>, tensor<6144x4096xbf16>) -> tensor<?x6144xbf16>
  return %y : tensor<?x6144xbf16>
}

// Too wide for one tile of a cluster: a block for each of 128 tiles, with all of K. With M
// known, the variant for it. The gain is folded into packed weights.

// CHECK-LABEL: func.func @wide
// CHECK: schedule = [#ff.schedule<family = decode, mma = wgmma, min_rows = 49, max_rows = 64, tile_m = 64, tile_n = 224, tile_k = 64, stages = 6, packed = true, align = 16>
func.func @wide(%x: tensor<50x4096xbf16>, %g: tensor<4096xbf16>, %w: tensor<28672x4096xbf16>)
    -> tensor<50x28672xbf16> {
  %y = ff.norm_linear rms_norm(%x) gain(%g) weights(%w)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
      : (tensor<50x4096xbf16>, tensor<4096xbf16>, tensor<28672x4096xbf16>) -> tensor<50x28672xbf16>
  return %y : tensor<50x28672xbf16>
}

// Rows of 200 bytes have no tensor map.

// CHECK-LABEL: func.func @narrow
// CHECK-NOT: mma = wgmma
func.func @narrow(%x: tensor<?x100xbf16>, %w: tensor<64x100xbf16>) -> tensor<?x64xbf16> {
  %y = ff.norm_linear rms_norm(%x) weights(%w) {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
      : (tensor<?x100xbf16>, tensor<64x100xbf16>) -> tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}

// Little K: the kernel for few rows stays ahead up to 8 rows at least.

// CHECK-LABEL: func.func @small
// CHECK: schedule = [#ff.schedule<family = decode, mma = mma_sync, max_rows = 8,
func.func @small(%x: tensor<?x768xbf16>, %w: tensor<2304x768xbf16>) -> tensor<?x2304xbf16> {
  %y = ff.norm_linear rms_norm(%x) weights(%w) {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
      : (tensor<?x768xbf16>, tensor<2304x768xbf16>) -> tensor<?x2304xbf16>
  return %y : tensor<?x2304xbf16>
}
