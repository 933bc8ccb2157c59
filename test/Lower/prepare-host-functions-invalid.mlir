// RUN: not ff-opt %s --ff-to-cpu 2>&1 | FileCheck %s
// RUN: not ff-opt %s --ff-to-ptx 2>&1 | FileCheck %s
// CHECK: error: a module within a module is not compiled: move its functions out of it
module {
  module @inner {
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      return %x : tensor<4xf32>
    }
  }
}
