// A tile of 256 columns, whose sums of 8-bit products are promoted in two pieces, and tiles of 160 and
// 128, in one; run from PTX (docs/testing.md). One scale for all of x, one for all weights.
// REQUIRES: numpy
// RUN: cat %s | %schedule_to_bundle -o %t.ffb
// RUN: %ptxsim %t.ffb --function=wide --norm=none --rows=70 --any-rows | FileCheck %s

// CHECK: ok wide_online_0_prefill_0 M=70
// CHECK: ok wide_online_0_prefill_1 M=70
// CHECK: ok wide_online_0_prefill_2 M=70

#two = #ff.schedule<family = prefill, mma = wgmma, tile_m = 128, tile_n = 256, tile_k = 128, stages = 2, warps = 8, align = 16>
#uneven = #ff.schedule<family = prefill, mma = wgmma, tile_m = 128, tile_n = 160, tile_k = 128, stages = 3, warps = 8, align = 16>
#one = #ff.schedule<family = prefill, mma = wgmma, tile_m = 128, tile_n = 128, tile_k = 128, stages = 2, warps = 8, align = 16>

module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", sms = 132, smem = 232448>} {
  func.func @wide(%x: tensor<?x288xf8E4M3FN>, %sx: tensor<1xf32>, %w: tensor<256x288xf8E4M3FN>,
                  %s: tensor<1xf32>) -> tensor<?x256xf16> {
    %c0 = arith.constant 0 : index
    %m = tensor.dim %x, %c0 : tensor<?x288xf8E4M3FN>
    %o = tensor.empty(%m) : tensor<?x256xf16>
    %y = ff.online(%x) weights(%w) columns(%s) x_scale(%sx) outs(%o)
        {column_of = array<i64: 0>, layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>], statistics = [],
         schedule = [#two, #uneven, #one]}
        : (tensor<?x288xf8E4M3FN>, tensor<256x288xf8E4M3FN>, tensor<1xf32>, tensor<1xf32>, tensor<?x256xf16>)
        -> tensor<?x256xf16> row {
    ^bb0(%a: f32):
      ff.yield %a : f32
    } finalize {
    ^bb0(%z: f32, %c: f32):
      %p = arith.mulf %z, %c : f32
      %t = arith.truncf %p : f32 to f16
      ff.yield %t : f16
    }
    return %y : tensor<?x256xf16>
  }
}
