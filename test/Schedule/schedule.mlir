// RUN: ff-opt %s --ff-decompose --ff-schedule=chip=sm_90a | FileCheck %s --check-prefix=SM90A
// RUN: ff-opt %s --ff-decompose --ff-schedule=chip=sm_80 | FileCheck %s --check-prefix=SM80
// RUN: ff-opt %s --ff-decompose --ff-schedule="chip=sm_90a family=prefill" | FileCheck %s --check-prefix=PREFILL
// RUN: ff-opt %s --ff-decompose --ff-schedule="chip=sm_90a family=simt" | FileCheck %s --check-prefix=SIMT
// RUN: ff-opt %s --ff-decompose --ff-schedule=chip=sm_90a --remarks-filter='ff-schedule' 2>&1 | FileCheck %s --check-prefix=REMARK

// The first variant that serves M at the pointers' alignment is launched: few
// rows, many rows, then what takes any alignment.
// SM90A: ff.target = #ff.target<chip = "sm_90a"
// SM90A-LABEL: func @bf16
// SM90A: schedule = [#ff.schedule<family = decode, mma = mma_sync, max_rows = 8,
// SM90A-SAME: #ff.schedule<family = prefill, mma = wgmma, min_rows = 17,
// SM90A-NOT: align = 16>], statistics
// SM90A-LABEL: func @f32
// SM90A: schedule = [#ff.schedule<family = simt, mma = fma

// SM80: ff.target = #ff.target<chip = "sm_80"
// SM80-LABEL: func @bf16
// SM80-NOT: wgmma
// SM80: family = prefill, mma = mma_sync

// A family that is asked for comes first, with the others where it cannot serve.
// PREFILL-LABEL: func @bf16
// PREFILL: schedule = [#ff.schedule<family = prefill
// PREFILL-NOT: decode
// PREFILL-LABEL: func @f32
// PREFILL: schedule = [#ff.schedule<family = simt

// SIMT-LABEL: func @bf16
// SIMT: schedule = [#ff.schedule<family = simt
// SIMT-NOT: prefill

// REMARK: remark: [Passed] kernel | Category:ff-schedule | Function=bf16 | {{.*}}family=decode
// REMARK: remark: [Missed] kernel | Category:ff-schedule | Function=f32 | {{.*}}reason=

func.func @bf16(%x: tensor<?x64xbf16>, %w: tensor<32x64xbf16>) -> tensor<?x32xbf16> {
  %0 = ff.norm_linear rms_norm(%x) weights(%w) {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
    : (tensor<?x64xbf16>, tensor<32x64xbf16>) -> tensor<?x32xbf16>
  return %0 : tensor<?x32xbf16>
}

func.func @f32(%x: tensor<?x64xf32>, %w: tensor<32x64xf32>) -> tensor<?x32xf32> {
  %0 = ff.norm_linear rms_norm(%x) weights(%w) {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
    : (tensor<?x64xf32>, tensor<32x64xf32>) -> tensor<?x32xf32>
  return %0 : tensor<?x32xf32>
}
