// One kernel for 1 to 64 rows: schedules that differ only in the rows of a block.
// RUN: ff-opt %s --ff-decompose --ff-schedule="chip=sm_90a batch-invariant=true" | FileCheck %s
// RUN: ff-opt %s --ff-decompose --ff-schedule="chip=sm_80 batch-invariant=true" | FileCheck %s --check-prefix=SM80
// RUN: ff-opt %s --ff-to-ptx="chip=sm_90a batch-invariant=true" --emit=bundle | FileCheck %s --check-prefix=BUNDLE
// RUN: ff-opt %s --ff-to-ptx="chip=sm_90a" --emit=bundle | FileCheck %s --check-prefix=FREE

// CHECK: ff.batch_invariant
// CHECK-LABEL: func.func @any(
// CHECK: schedule = [#ff.schedule<family = decode, mma = wgmma, max_rows = 16, tile_m = 16, tile_n = [[N:[0-9]+]], tile_k = [[K:[0-9]+]], stages = {{[0-9]+}}, split = [[S:[0-9]+]],
// CHECK-SAME: mma = wgmma, min_rows = 17, max_rows = 32, tile_m = 32, tile_n = [[N]], tile_k = [[K]], stages = {{[0-9]+}}, split = [[S]],
// CHECK-SAME: mma = wgmma, min_rows = 33, max_rows = 48, tile_m = 48, tile_n = [[N]], tile_k = [[K]], stages = {{[0-9]+}}, split = [[S]],
// CHECK-SAME: mma = wgmma, min_rows = 49, max_rows = 64, tile_m = 64, tile_n = [[N]], tile_k = [[K]], stages = {{[0-9]+}}, split = [[S]],
// CHECK-SAME: min_rows = 65,
// CHECK-NOT: min_rows = {{([2-9]|[1-5][0-9]|6[0-4]),}}

// The same where M is known.
// CHECK-LABEL: func.func @five(
// CHECK: schedule = [#ff.schedule<family = decode, mma = wgmma, max_rows = 16, tile_m = 16, tile_n = [[N]], tile_k = [[K]], stages = {{[0-9]+}}, split = [[S]],

// Where a gain asks for packed weights, a second kernel is for who does not pack.
// CHECK-LABEL: func.func @gain(
// CHECK: packed = true
// CHECK: mma = mma_sync, max_rows = 8, tile_m = 8, tile_n = 8, tile_k = [[D:[0-9]+]], stages = {{[0-9]+}}, warps = 16, split = [[P:[0-9]+]], align = 16>
// CHECK-SAME: mma = mma_sync, max_rows = 64, tile_m = 16, tile_n = 8, tile_k = [[D]], stages = {{[0-9]+}}, warps = 16, split = [[P]], align = 16>

// CHECK-LABEL: func.func @f32(
// CHECK: schedule = [#ff.schedule<family = simt, mma = fma,

// SM80-LABEL: func.func @any(
// SM80: schedule = [#ff.schedule<family = decode, mma = mma_sync, max_rows = 8, tile_m = 8, tile_n = 8, tile_k = [[D:[0-9]+]], stages = {{[0-9]+}}, warps = 16, split = [[P:[0-9]+]], align = 16>
// SM80-SAME: mma = mma_sync, max_rows = 64, tile_m = 16, tile_n = 8, tile_k = [[D]], stages = {{[0-9]+}}, warps = 16, split = [[P]], align = 16>

// BUNDLE: "batch_invariant": 64
// FREE-NOT: "batch_invariant"

func.func @any(%x: tensor<?x4096xbf16>, %w: tensor<6144x4096xbf16>) -> tensor<?x6144xbf16> {
  %y = ff.norm_linear rms_norm(%x) weights(%w) {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
      : (tensor<?x4096xbf16>, tensor<6144x4096xbf16>) -> tensor<?x6144xbf16>
  return %y : tensor<?x6144xbf16>
}

func.func @five(%x: tensor<5x4096xbf16>, %w: tensor<6144x4096xbf16>) -> tensor<5x6144xbf16> {
  %y = ff.norm_linear rms_norm(%x) weights(%w) {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
      : (tensor<5x4096xbf16>, tensor<6144x4096xbf16>) -> tensor<5x6144xbf16>
  return %y : tensor<5x6144xbf16>
}

func.func @gain(%x: tensor<?x4096xbf16>, %g: tensor<4096xbf16>, %w: tensor<6144x4096xbf16>)
    -> tensor<?x6144xbf16> {
  %y = ff.norm_linear rms_norm(%x) gain(%g) weights(%w)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
      : (tensor<?x4096xbf16>, tensor<4096xbf16>, tensor<6144x4096xbf16>) -> tensor<?x6144xbf16>
  return %y : tensor<?x6144xbf16>
}

func.func @f32(%x: tensor<?x64xf32>, %w: tensor<32x64xf32>) -> tensor<?x32xf32> {
  %y = ff.norm_linear rms_norm(%x) weights(%w) {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
      : (tensor<?x64xf32>, tensor<32x64xf32>) -> tensor<?x32xf32>
  return %y : tensor<?x32xf32>
}
