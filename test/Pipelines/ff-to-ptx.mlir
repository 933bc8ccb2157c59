// The whole road from a frontend's linalg: one bundle, one norm, nothing left on the host.
// RUN: ff-opt %ff_src_root/test/Inputs/export/llama_rmsnorm_qkv_linear_dynbatchseq_bf16.mlir --ff-to-ptx -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: ff-opt %ff_src_root/test/Inputs/export/llama_rmsnorm_qkv_linear_dynbatchseq_bf16.mlir --ff-to-ptx --emit=bundle | FileCheck %s --check-prefix=BUNDLE
// RUN: ff-opt %s --ff-to-ptx | FileCheck %s --check-prefix=UNTOUCHED
// RUN: not ff-opt %s --ff-to-ptx="chip=sm_1" 2>&1 | FileCheck %s --check-prefix=CHIP

// CHECK: ff.target = #ff.target<chip = "sm_90a"
// CHECK: func.func @[[F:[a-z0-9_]+]](%arg0: memref<?x?x512xbf16>
// CHECK-SAME: memref<?x?x512xbf16> {bufferize.result}, %{{.*}}: memref<?x?x128xbf16> {bufferize.result}
// CHECK-NOT: memref.copy
// CHECK-NOT: cf.assert
// CHECK: call @[[F]]_online_0(
// CHECK: gpu.binary @ff_kernels
// CHECK: func.func private @[[F]]_online_0(
// CHECK-SAME: ff.plan
// CHECK: gpu.launch_func

// BUNDLE: "name": "[[F:llama.*dynbatchseq_bf16]]"
// BUNDLE: "steps": [
// BUNDLE: "name": "[[F]]_online_0"
// BUNDLE-NOT: _online_1"

// Arguments are never written to, and without a norm the program stays what it is.
// UNTOUCHED: func.func @plain(%[[X:.*]]: memref<4xf32>, %[[OUT:.*]]: memref<4xf32> {bufferize.result})
// UNTOUCHED-NOT: outs(%[[X]]
// UNTOUCHED: linalg.generic
// UNTOUCHED-NOT: gpu.binary

// A result that is returned twice is computed once; calls are inlined.
// UNTOUCHED: func.func @twice(%[[X:.*]]: memref<4xf32>, %[[A:.*]]: memref<4xf32> {bufferize.result}, %[[B:.*]]: memref<4xf32> {bufferize.result})
// UNTOUCHED: linalg.generic {{.*}} outs(%[[A]]
// UNTOUCHED: memref.copy %[[A]], %[[B]]
// UNTOUCHED: func.func @calls(
// UNTOUCHED-NOT: call @
// UNTOUCHED-NOT: func.func private

// CHIP: error: {{.*}}sm_1
#map = affine_map<(d0) -> (d0)>
func.func @plain(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%x : tensor<4xf32>) {
  ^bb0(%o: f32):
    %a = arith.addf %o, %o : f32
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

func.func @twice(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %init = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%i: f32, %o: f32):
    %a = arith.addf %i, %i : f32
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %y, %y : tensor<4xf32>, tensor<4xf32>
}
func.func private @callee(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %init = tensor.empty(%n) : tensor<?xf32>
  %y = linalg.exp ins(%x : tensor<?xf32>) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
func.func @calls(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = call @callee(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
