// RUN: not ff-run %s --entry=f 2>&1 | FileCheck %s --check-prefix=ALWAYS
// RUN: ff-run %s --entry=g | FileCheck %s --check-prefix=ONCE
// ALWAYS: error: calls 'f' again and again
// ALWAYS-NOT: PLEASE
// ONCE: result 0
func.func @f(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = call @h(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
func.func private @h(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = call @f(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

func.func @g(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %again = arith.constant false
  %y = scf.if %again -> tensor<4x8xf32> {
    %r = func.call @g(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    scf.yield %r : tensor<4x8xf32>
  } else {
    scf.yield %x : tensor<4x8xf32>
  }
  return %y : tensor<4x8xf32>
}
