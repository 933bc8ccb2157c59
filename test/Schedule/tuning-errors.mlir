// RUN: not ff-opt %s --ff-decompose --ff-schedule="chip=sm_90a tuning=%t.none" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: echo '{"format": "other"}' > %t.json
// RUN: not ff-opt %s --ff-decompose --ff-schedule="chip=sm_90a tuning=%t.json" 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: echo '{"format": "flashfusion-tuning", "version": 2}' > %t.json
// RUN: not ff-opt %s --ff-decompose --ff-schedule="chip=sm_90a tuning=%t.json" 2>&1 | FileCheck %s --check-prefix=VERSION
// RUN: echo '{"format": "flashfusion-tuning", "version": 1, "entries": [{"chip": "sm_90a"}]}' > %t.json
// RUN: not ff-opt %s --ff-decompose --ff-schedule="chip=sm_90a tuning=%t.json" 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: echo '{"format": "flashfusion-tuning", "version": 1, "entries": [{"chip": "a", "op": "b", "schedule": ["42 : i32"]}]}' > %t.json
// RUN: not ff-opt %s --ff-decompose --ff-schedule="chip=sm_90a tuning=%t.json" 2>&1 | FileCheck %s --check-prefix=SCHEDULE
// RUN: not ff-opt %s --ff-decompose --ff-schedule="chip=sm_80 tuning=%S/Inputs/tuning.json" 2>&1 | FileCheck %s --check-prefix=FIT

// NONE: error: tuning table '{{.*}}': No such file
// FORMAT: error: tuning table '{{.*}}': is none
// VERSION: error: tuning table '{{.*}}': is not of version 1
// ENTRY: error: tuning table '{{.*}}': entry 0 needs chip, op and schedule
// SCHEDULE: error: tuning table '{{.*}}': entry 0 holds what is no #ff.schedule
// FIT: :[[@LINE+2]]:{{.*}} error: the tuning table's #ff.schedule<family = decode, mma = fma> does not fit: no such kernel
func.func @bf16(%x: tensor<?x64xbf16>, %w: tensor<32x64xbf16>) -> tensor<?x32xbf16> {
  %0 = ff.norm_linear rms_norm(%x) weights(%w) {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
    : (tensor<?x64xbf16>, tensor<32x64xbf16>) -> tensor<?x32xbf16>
  return %0 : tensor<?x32xbf16>
}
