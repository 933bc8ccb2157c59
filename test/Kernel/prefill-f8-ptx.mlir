// RUN: ff-opt %s --ff-lower-to-nvgpu | FileCheck %s --check-prefix=IR
// RUN: ff-opt %s --ff-lower-to-nvgpu --ff-emit-ptx --emit=ptx -o %t.ptx
// RUN: %if ptxas %{ %ptxas -v -arch=sm_90a %t.ptx -o %t.cubin 2>&1 | FileCheck %s %}

// x and weights of 8 bits: 128 of K a stage, whose products start from nothing; what they sum up to is
// awaited and added in f32. A tile of 256 columns in two pieces. Boxes are of bytes.
// IR-LABEL: llvm.func @plain_online_0_prefill_0
// IR: nvvm.mbarrier.try_wait
// IR: nvvm.wgmma.fence.aligned
// IR: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 128, k = 32>, D[<f32>, <zero>]
// IR-COUNT-3: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 128, k = 32>, D[<f32>, <one>]
// IR: nvvm.wgmma.commit.group.sync.aligned
// IR-NEXT: llvm.extractvalue
// IR: llvm.inline_asm has_side_effects {{.*}}wgmma.wait_group.sync.aligned 0;
// IR-NOT: nvvm.wgmma
// IR: arith.addf
// IR: nvvm.wgmma.fence.aligned
// IR: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 128, k = 32>, D[<f32>, <zero>]
// IR-LABEL: llvm.func @plain_online_0_prefill_1
// IR: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 192, k = 32>, D[<f32>, <zero>]
// IR-LABEL: llvm.func @plain_online_0_prefill_2
// IR: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 64, k = 32>, D[<f32>, <zero>]
// IR-LABEL: llvm.func @rms_online_0_prefill_0
// IR: ff.plan = {{.*}}box_cols = 128

// CHECK-NOT: {{[1-9][0-9]*}} bytes stack frame
// CHECK-NOT: {{[1-9][0-9]*}} bytes spill
// CHECK-NOT: serialized
// CHECK: ptxas info
// CHECK-NOT: {{[1-9][0-9]*}} bytes stack frame
// CHECK-NOT: {{[1-9][0-9]*}} bytes spill
// CHECK-NOT: serialized

#nk = #ff.layout<nk>
#wide = #ff.schedule<family = prefill, mma = wgmma, tile_m = 128, tile_n = 256, tile_k = 128, stages = 4, warps = 8, align = 16>
#shared = #ff.schedule<family = prefill, mma = wgmma, tile_m = 128, tile_n = 256, tile_k = 128, stages = 4, warps = 8, split = 2, align = 16>
#middle = #ff.schedule<family = prefill, mma = wgmma, tile_m = 128, tile_n = 192, tile_k = 128, stages = 5, warps = 8, align = 16>
#narrow = #ff.schedule<family = prefill, mma = wgmma, tile_m = 128, tile_n = 64, tile_k = 128, stages = 8, warps = 8, align = 16>

module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", sms = 132, smem = 232448>} {
  func.func @plain(%x: memref<?x4096xf8E4M3FN>, %s: memref<?xf32>, %w: memref<4096x4096xf8E4M3FN>,
      %c: memref<4096xf32>, %y: memref<?x4096xbf16>) {
    ff.online(%x) weights(%w) columns(%c) x_scale(%s) outs(%y)
      {layouts = [#nk], linears_of = [array<i64: 0>], column_of = array<i64: 0>,
       statistics = [], schedule = [#wide, #middle, #narrow]}
      : (memref<?x4096xf8E4M3FN>, memref<4096x4096xf8E4M3FN>, memref<4096xf32>, memref<?xf32>, memref<?x4096xbf16>) -> ()
    row {
    ^bb0(%a: f32):
      ff.yield %a : f32
    } finalize {
    ^bb0(%z: f32, %b: f32):
      %p = arith.mulf %z, %b : f32
      %r = arith.truncf %p : f32 to bf16
      ff.yield %r : bf16
    }
    return
  }

  func.func @rms(%x: memref<?x4096xf8E4M3FN>, %s: memref<1xf32>, %w: memref<4096x4096xf8E4M3FN>, %y: memref<?x4096xf32>) {
    ff.online(%x) weights(%w) x_scale(%s) outs(%y)
      {layouts = [#nk], linears_of = [array<i64: 0>],
       statistics = [#ff.statistic<sum_square>], schedule = [#shared, #middle]}
      : (memref<?x4096xf8E4M3FN>, memref<4096x4096xf8E4M3FN>, memref<1xf32>, memref<?x4096xf32>) -> ()
    row {
    ^bb0(%q: f32, %a: f32):
      %r = math.rsqrt %q : f32
      %t = arith.mulf %r, %a : f32
      ff.yield %t : f32
    } finalize {
    ^bb0(%z: f32):
      ff.yield %z : f32
    }
    return
  }
}
