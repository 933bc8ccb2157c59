// RUN: ff-opt %s --ff-decompose --ff-schedule="chip=sm_90a tuning=%S/Inputs/tuning.json" --remarks-filter='ff-schedule' 2>&1 \
// RUN:   | FileCheck %s
// RUN: ff-opt %s --ff-decompose --ff-schedule="chip=sm_90 tuning=%S/Inputs/tuning.json" | FileCheck %s --check-prefix=OTHER

// What the table has comes first, and the proposals serve the rest.
// CHECK: remark: [Analysis] tuning | Category:ff-schedule | Function=tuned | found=true, op="mean_square bf16 K=64 N=32nk outs=1"
// CHECK: remark: [Analysis] tuning | Category:ff-schedule | Function=other | found=false, op="mean_square bf16 K=64 N=40nk outs=1"
// CHECK-LABEL: func @tuned
// CHECK: schedule = [#ff.schedule<family = simt, mma = fma, max_rows = 3>,
// CHECK-SAME: #ff.schedule<family = prefill, mma = mma_sync, min_rows = 4, max_rows = 9,
// CHECK-SAME: #ff.schedule<family = decode
// CHECK-SAME: #ff.schedule<family = prefill, mma = wgmma
// CHECK-LABEL: func @other
// CHECK: schedule = [#ff.schedule<family = decode

// Entries of another chip are not for this one.
// OTHER-LABEL: func @tuned
// OTHER: schedule = [#ff.schedule<family = decode

func.func @tuned(%x: tensor<?x64xbf16>, %w: tensor<32x64xbf16>) -> tensor<?x32xbf16> {
  %0 = ff.norm_linear rms_norm(%x) weights(%w) {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
    : (tensor<?x64xbf16>, tensor<32x64xbf16>) -> tensor<?x32xbf16>
  return %0 : tensor<?x32xbf16>
}

func.func @other(%x: tensor<?x64xbf16>, %w: tensor<40x64xbf16>) -> tensor<?x40xbf16> {
  %0 = ff.norm_linear rms_norm(%x) weights(%w) {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
    : (tensor<?x64xbf16>, tensor<40x64xbf16>) -> tensor<?x40xbf16>
  return %0 : tensor<?x40xbf16>
}
