// Whole pipelines run passes of upstream's that crash on such operations: an error in front of them.
// RUN: split-file %s %t
// RUN: not ff-opt %t/region.mlir --allow-unregistered-dialect --ff-to-ptx 2>&1 | FileCheck %s --check-prefix=REGION
// RUN: not ff-opt %t/region.mlir --allow-unregistered-dialect --ff-to-cpu 2>&1 | FileCheck %s --check-prefix=REGION
// RUN: not ff-opt %t/beside.mlir --allow-unregistered-dialect --ff-to-ptx 2>&1 | FileCheck %s --check-prefix=BESIDE
// RUN: not ff-opt %t/beside.mlir --allow-unregistered-dialect --ff-to-cpu 2>&1 | FileCheck %s --check-prefix=BESIDE
// REGION: region.mlir:2:3: error: 'x.region' op is of no registered dialect
// BESIDE: beside.mlir:1:1: error: 'x.global' op is of no registered dialect
// One that does nothing to tensors stays where it is.
// RUN: ff-opt %t/inside.mlir --allow-unregistered-dialect --ff-to-ptx | FileCheck %s --check-prefix=INSIDE
// INSIDE: "x.mark"() : () -> ()

//--- region.mlir
func.func @f() {
  "x.region"() ({
    "x.yield"() : () -> ()
  }) : () -> ()
  return
}
//--- beside.mlir
"x.global"() : () -> ()
//--- inside.mlir
func.func @f() {
  "x.mark"() : () -> ()
  return
}
