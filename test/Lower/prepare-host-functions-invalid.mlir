// RUN: split-file %s %t
// RUN: not ff-opt %t/module.mlir --ff-to-cpu 2>&1 | FileCheck %s
// RUN: not ff-opt %t/module.mlir --ff-to-ptx 2>&1 | FileCheck %s
// CHECK: error: a module within a module is not compiled: move its functions out of it
// RUN: not ff-opt %t/region.mlir --allow-unregistered-dialect --ff-to-cpu 2>&1 | FileCheck %s --check-prefix=REGION
// RUN: not ff-opt %t/region.mlir --allow-unregistered-dialect --ff-to-ptx 2>&1 | FileCheck %s --check-prefix=REGION
// REGION: error: a function in an operation without a symbol table is not compiled

//--- module.mlir
module {
  module @inner {
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      return %x : tensor<4xf32>
    }
  }
}

//--- region.mlir
"other.region"() ({
  func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}) : () -> ()
