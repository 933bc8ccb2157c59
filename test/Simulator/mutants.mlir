// What the simulator must notice: kernels with one barrier, fence, arrival or wait removed, one group
// too few waited for, one stage too many (docs/testing.md). What may go unnoticed: a bar.warp.sync
// that only brings lanes together again, and comparisons that are no ring's end.
// REQUIRES: numpy
// DEFINE: %{chip} = sm_90a
// DEFINE: %{family} = decode
// DEFINE: %{emit} = ff-opt %s --ff-decompose --ff-schedule="chip=%{chip} family=%{family}" \
// DEFINE:   | sed -E "s/sms = [0-9]+/sms = 2/; s/(family = decode[^>]*stages = )[0-9]+/\14/g; s/(family = prefill[^>]*), split = 2/\1/g" \
// DEFINE:   | %schedule_to_bundle -o %t.ffb

// RUN: %{emit}
// RUN: %ptxsim %t.ffb --norm=rms_norm --rows=8 --family=decode_0 --mutants | FileCheck %s --check-prefixes=BULK,ALL
// REDEFINE: %{chip} = sm_80
// RUN: %{emit}
// RUN: %ptxsim %t.ffb --norm=rms_norm --rows=8 --family=decode_0 --mutants | FileCheck %s --check-prefixes=ASYNC,ALL
// REDEFINE: %{family} = prefill
// RUN: %{emit}
// RUN: %ptxsim %t.ffb --norm=rms_norm --rows=17 --family=prefill_0 --mutants | FileCheck %s --check-prefixes=MMA,ALL
// REDEFINE: %{chip} = sm_90a
// RUN: %{emit}
// RUN: %ptxsim %t.ffb --norm=rms_norm --rows=130 --blocks=1 --family=prefill_0 --mutants | FileCheck %s --check-prefixes=WGMMA,ALL

// ALL: ok {{.*}}_online_0
// BULK: mutants noticed
// BULK: 2 x copy in shared memory after a read by threads without fence.proxy.async in between
// BULK: 2 x copy in shared memory races with a read
// BULK: 1 x copy that completes on an mbarrier without fence.mbarrier_init
// BULK: x deadlock
// BULK: x read of shared memory that races with a write by a copy or product in flight
// BULK: x read of shared memory that races with a write by thread
// BULK: 1 x read of x 0 before griddepcontrol.wait
// BULK: x use of an mbarrier that races with its initialisation

// WGMMA: mutants noticed
// WGMMA: 1 x a thread ends while its stores still read shared memory
// WGMMA: 1 x an accumulator is used while its products are in flight
// WGMMA: 1 x asynchronous read in shared memory after a write by threads without fence.proxy.async in between
// WGMMA: x asynchronous read in shared memory races with a write
// WGMMA: 1 x copy in shared memory after a read by threads without fence.proxy.async in between
// WGMMA: x copy in shared memory races with a read
// WGMMA: 1 x copy of x 0 before griddepcontrol.wait
// WGMMA: 1 x no wgmma.fence since the accumulators were written
// WGMMA: x write to shared memory that races with a read by a copy or product in flight

// ASYNC: mutants noticed
// ASYNC: x read of shared memory that races with a write by a copy or product in flight
// ASYNC: x read of shared memory that races with a write by thread
// ASYNC: x write to shared memory that races with a read by thread

// MMA: mutants noticed
// MMA: x read of shared memory that races with a write by a copy or product in flight
// MMA: x read of shared memory that races with a write by thread
// ALL-NOT: survives: with{{(out|.* in flight)}} "{{(bar.sync|cp|fence|griddepcontrol|mbarrier|wgmma)}}

func.func @f(%x: tensor<?x264xbf16>, %w: tensor<136x264xbf16>) -> tensor<?x136xbf16> {
  %y = ff.norm_linear rms_norm(%x) weights(%w)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
      : (tensor<?x264xbf16>, tensor<136x264xbf16>) -> tensor<?x136xbf16>
  return %y : tensor<?x136xbf16>
}
