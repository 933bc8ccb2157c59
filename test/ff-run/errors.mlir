// RUN: rm -rf %t && mkdir %t && echo "not an array" > %t/text.npy
// RUN: ff-run %s --entry=f --output=res0:%t/f32.npy
// RUN: not ff-run %s 2>&1 | FileCheck %s --check-prefix=SEVERAL
// RUN: not ff-run %s --all --entry=f 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: not ff-run %s --entry=missing 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not ff-run %s --entry=hidden 2>&1 | FileCheck %s --check-prefix=HIDDEN
// RUN: not ff-run %t/none.mlir 2>&1 | FileCheck %s --check-prefix=NOFILE
// RUN: echo "func.func @f(" | not ff-run - 2>&1 | FileCheck %s --check-prefix=PARSE
// RUN: not ff-run %s --entry=f --target=tpu 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not ff-run %s --entry=f --rounding=up 2>&1 | FileCheck %s --check-prefix=ROUNDING
// RUN: not ff-run %s --entry=f --shape=arg0:3x5 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not ff-run %s --entry=f --shape=arg0:3x-4 2>&1 | FileCheck %s --check-prefix=EXTENT
// RUN: not ff-run %s --entry=f --shape=arg5:3 2>&1 | FileCheck %s --check-prefix=ARG
// RUN: not ff-run %s --entry=f --shape=3x4 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not ff-run %s --entry=two --shape=arg0:3x4 --shape=arg1:2x4 2>&1 | FileCheck %s --check-prefix=UNEQUAL
// RUN: not ff-run %s --entry=f --input=arg0:%t/none.npy 2>&1 | FileCheck %s --check-prefix=NONPY
// RUN: not ff-run %s --entry=f --input=arg0:%t/text.npy 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not ff-run %s --entry=half --input=arg0:%t/f32.npy 2>&1 | FileCheck %s --check-prefix=DTYPE
// RUN: not ff-run %s --entry=vector --input=arg0:%t/f32.npy 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not ff-run %s --entry=complex 2>&1 | FileCheck %s --check-prefix=COMPLEX
// RUN: not ff-run %s --entry=unranked 2>&1 | FileCheck %s --check-prefix=UNRANKED
// RUN: not ff-run %s --entry=f --expect-fused=1 2>&1 | FileCheck %s --check-prefix=EXPECT
// RUN: not ff-run %s --entry=f --output=res3:%t/x.npy 2>&1 | FileCheck %s --check-prefix=RESULT
// RUN: not ff-run %s --entry=f --shared-libs=%t/none.so 2>&1 | FileCheck %s --check-prefix=LIB
// RUN: not ff-run %s --entry=unknown 2>&1 | FileCheck %s --check-prefix=SYMBOL

// SEVERAL: error: the module has several functions, choose one by --entry or run --all: @f
// ALL: error: --all goes without --entry, --shape, --input and --output
// MISSING: error: the module has no function @missing with a body
// HIDDEN: error: function @hidden is private
// NOFILE: error: cannot open input file
// PARSE: error: expected
// TARGET: Cannot find option named 'tpu'
// ROUNDING: error: --rounding: expected relaxed or strict
// SHAPE: error: argument 0 is 'tensor<?x4xf32>', but was given shape 3x5
// EXTENT: error: --shape=arg0:3x-4: expected extents like 4x8x4096
// ARG: error: --shape=arg5:3: the function has 1 arguments
// FORM: error: --shape=3x4: expected argN:shape
// UNEQUAL: error: argument 1 is given extent 2 in dimension 0, but other arguments make it 3
// NONPY: none.npy: No such file or directory
// TEXT: text.npy: not a .npy file
// DTYPE: argument 0 is 'tensor<?x4xf16>', but {{.*}} holds f32
// RANK: argument 0 is 'tensor<4xf32>', but was given shape 8x4
// COMPLEX: error: argument 0 has a type that ff-run cannot make
// UNRANKED: error: result 0 has a type that ff-run cannot read
// EXPECT: error: @f: expected fused=1
// RESULT: error: --output=res3:{{.*}}: the function has 1 results
// LIB: none.so does not exist
// SYMBOL: not_in_any_library
func.func @f(%x: tensor<?x4xf32>) -> tensor<?x4xf32> { return %x : tensor<?x4xf32> }
func.func @half(%x: tensor<?x4xf16>) -> tensor<?x4xf16> { return %x : tensor<?x4xf16> }
func.func @vector(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }
func.func private @hidden(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }
func.func @complex(%x: tensor<4xcomplex<f32>>, %y: f32) -> f32 { return %y : f32 }
func.func @unranked(%x: tensor<4xf32>) -> tensor<*xf32> {
  %y = tensor.cast %x : tensor<4xf32> to tensor<*xf32>
  return %y : tensor<*xf32>
}
func.func @two(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %r = linalg.add ins(%x, %y : tensor<?x4xf32>, tensor<?x4xf32>) outs(%x : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
func.func private @not_in_any_library() -> f32
func.func @unknown() -> f32 {
  %0 = call @not_in_any_library() : () -> f32
  return %0 : f32
}
