// Bodies share subexpressions: a value that is squared sixty times is looked at once per use, not
// once per path. Every pass comes to its end.
// RUN: ff-opt %s --ff-cascade-defer --ff-cascade-iterate --ff-cascade-report --remarks-filter='.*' -o %t 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=IR < %t
// CHECK: group | {{.*}}mul=480
// IR: cascade.einsum "Z"[] = add(%{{.*}}[K], %{{.*}}[K])
func.func @squares(%x: tensor<8xf32>, %w: tensor<8xf32>) -> tensor<f32> {
  %0 = cascade.graph "g"(%x, %w) : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32> {
  ^bb0(%X: tensor<8xf32>, %W: tensor<8xf32>):
    %s = cascade.einsum "S"[] = add(%X[K]) : (tensor<8xf32>) -> tensor<f32> {
    ^bb1(%a: f32):
      cascade.yield %a : f32
    }
    %y = cascade.einsum "Y"[K] = map(%X[K], %s[]) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32> {
    ^bb1(%a: f32, %b: f32):
      %v0 = arith.addf %a, %b : f32
      %v1 = arith.mulf %v0, %v0 : f32
      %v2 = arith.mulf %v1, %v1 : f32
      %v3 = arith.mulf %v2, %v2 : f32
      %v4 = arith.mulf %v3, %v3 : f32
      %v5 = arith.mulf %v4, %v4 : f32
      %v6 = arith.mulf %v5, %v5 : f32
      %v7 = arith.mulf %v6, %v6 : f32
      %v8 = arith.mulf %v7, %v7 : f32
      %v9 = arith.mulf %v8, %v8 : f32
      %v10 = arith.mulf %v9, %v9 : f32
      %v11 = arith.mulf %v10, %v10 : f32
      %v12 = arith.mulf %v11, %v11 : f32
      %v13 = arith.mulf %v12, %v12 : f32
      %v14 = arith.mulf %v13, %v13 : f32
      %v15 = arith.mulf %v14, %v14 : f32
      %v16 = arith.mulf %v15, %v15 : f32
      %v17 = arith.mulf %v16, %v16 : f32
      %v18 = arith.mulf %v17, %v17 : f32
      %v19 = arith.mulf %v18, %v18 : f32
      %v20 = arith.mulf %v19, %v19 : f32
      %v21 = arith.mulf %v20, %v20 : f32
      %v22 = arith.mulf %v21, %v21 : f32
      %v23 = arith.mulf %v22, %v22 : f32
      %v24 = arith.mulf %v23, %v23 : f32
      %v25 = arith.mulf %v24, %v24 : f32
      %v26 = arith.mulf %v25, %v25 : f32
      %v27 = arith.mulf %v26, %v26 : f32
      %v28 = arith.mulf %v27, %v27 : f32
      %v29 = arith.mulf %v28, %v28 : f32
      %v30 = arith.mulf %v29, %v29 : f32
      %v31 = arith.mulf %v30, %v30 : f32
      %v32 = arith.mulf %v31, %v31 : f32
      %v33 = arith.mulf %v32, %v32 : f32
      %v34 = arith.mulf %v33, %v33 : f32
      %v35 = arith.mulf %v34, %v34 : f32
      %v36 = arith.mulf %v35, %v35 : f32
      %v37 = arith.mulf %v36, %v36 : f32
      %v38 = arith.mulf %v37, %v37 : f32
      %v39 = arith.mulf %v38, %v38 : f32
      %v40 = arith.mulf %v39, %v39 : f32
      %v41 = arith.mulf %v40, %v40 : f32
      %v42 = arith.mulf %v41, %v41 : f32
      %v43 = arith.mulf %v42, %v42 : f32
      %v44 = arith.mulf %v43, %v43 : f32
      %v45 = arith.mulf %v44, %v44 : f32
      %v46 = arith.mulf %v45, %v45 : f32
      %v47 = arith.mulf %v46, %v46 : f32
      %v48 = arith.mulf %v47, %v47 : f32
      %v49 = arith.mulf %v48, %v48 : f32
      %v50 = arith.mulf %v49, %v49 : f32
      %v51 = arith.mulf %v50, %v50 : f32
      %v52 = arith.mulf %v51, %v51 : f32
      %v53 = arith.mulf %v52, %v52 : f32
      %v54 = arith.mulf %v53, %v53 : f32
      %v55 = arith.mulf %v54, %v54 : f32
      %v56 = arith.mulf %v55, %v55 : f32
      %v57 = arith.mulf %v56, %v56 : f32
      %v58 = arith.mulf %v57, %v57 : f32
      %v59 = arith.mulf %v58, %v58 : f32
      %v60 = arith.mulf %v59, %v59 : f32
      cascade.yield %v60 : f32
    }
    %z = cascade.einsum "Z"[] = add(%y[K], %W[K]) : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32> {
    ^bb1(%a: f32, %b: f32):
      %1 = arith.mulf %a, %b : f32
      cascade.yield %1 : f32
    }
    cascade.yield %z : tensor<f32>
  }
  return %0 : tensor<f32>
}
