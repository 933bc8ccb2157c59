// Several Linears in one result, silu(x Wg) (x Wu), in every family; run from PTX (docs/testing.md).
// REQUIRES: numpy
// RUN: ff-opt %s --ff-schedule=chip=sm_90a \
// RUN:   | sed -E "s/sms = [0-9]+/sms = 2/; s/(family = decode[^>]*stages = )[0-9]+/\14/g" \
// RUN:   | %schedule_to_bundle -o %t.ffb
// RUN: %ptxsim %t.ffb --norm=rms_norm --epilogue=silu_mul --rows=7 --any-rows | FileCheck %s
// RUN: %ptxsim %t.ffb --norm=rms_norm --epilogue=silu_mul --rows=130 --family=prefill | FileCheck %s --check-prefix=MANY
// RUN: ff-opt %s --ff-schedule="chip=sm_80 family=prefill" | sed -E "s/sms = [0-9]+/sms = 2/" \
// RUN:   | %schedule_to_bundle -o %t.80.ffb
// RUN: %ptxsim %t.80.ffb --norm=rms_norm --epilogue=silu_mul --rows=7,70 --family=prefill --any-rows | FileCheck %s --check-prefix=MMA
// RUN: ff-opt %s --ff-schedule="chip=sm_80 family=simt" | sed -E "s/sms = [0-9]+/sms = 2/" \
// RUN:   | %schedule_to_bundle -o %t.simt.ffb
// RUN: %ptxsim %t.simt.ffb --norm=rms_norm --epilogue=silu_mul --rows=7 --family=simt --any-rows | FileCheck %s --check-prefix=SIMT

// CHECK: ok gated_online_0_decode_0 M=7
// CHECK: ok gated_online_0_decode_{{[0-9]+}} M=7
// CHECK: ok gated_online_0_prefill_{{[0-9]+}} M=7
// CHECK: ok gated_online_0_prefill_{{[0-9]+}} M=7
// CHECK: ok gated_online_0_prefill_{{[0-9]+}} M=7
// SIMT-COUNT-2: ok gated_online_0_simt_{{[0-9]+}} M=7
// MMA-COUNT-4: ok gated_online_0_prefill_{{[0-9]+}} M=
// MANY: ok gated_online_0_prefill_{{[0-9]+}} M=130

func.func @gated(%x: tensor<?x136xbf16>, %g: tensor<136xbf16>, %wg: tensor<104x136xbf16>,
                 %wu: tensor<104x136xbf16>, %y: tensor<?x104xbf16>) -> tensor<?x104xbf16> {
  %r = ff.online(%x) gain(%g) weights(%wg, %wu) outs(%y)
      {statistics = [#ff.statistic<mean_square>], layouts = [#ff.layout<nk>, #ff.layout<nk>],
       linears_of = [array<i64: 0, 1>]}
      : (tensor<?x136xbf16>, tensor<136xbf16>, tensor<104x136xbf16>, tensor<104x136xbf16>,
         tensor<?x104xbf16>) -> tensor<?x104xbf16>
  row {
  ^bb0(%square: f32):
    %eps = arith.constant 1.0e-5 : f32
    %sum = arith.addf %square, %eps : f32
    %scale = math.rsqrt %sum : f32
    ff.yield %scale : f32
  } finalize {
  ^bb0(%gate: f32, %up: f32):
    %one = arith.constant 1.0 : f32
    %negative = arith.negf %gate : f32
    %e = math.exp %negative : f32
    %below = arith.addf %one, %e : f32
    %silu = arith.divf %gate, %below : f32
    %product = arith.mulf %silu, %up : f32
    %rounded = arith.truncf %product : f32 to bf16
    ff.yield %rounded : bf16
  }
  return %r : tensor<?x104xbf16>
}
