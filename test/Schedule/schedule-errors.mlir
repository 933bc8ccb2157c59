// RUN: not ff-opt %s --ff-schedule=chip=sm_7 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not ff-opt %s --ff-schedule=family=fast 2>&1 | FileCheck %s --check-prefix=FAMILY

// CHIP: error: unknown chip 'sm_7'; known are sm_80, {{.*}}sm_90a
// The message is all there is: no dump of the module.
// CHIP-NOT: see current operation
// FAMILY: error: unknown kernel family 'fast': expected decode, prefill or simt
module {}
