// What stays where it is, and why.
// RUN: ff-opt %s --ff-fuse-epilogue --remarks-filter='.*' --remark-format=yaml --remarks-output-file=%t.yaml -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=REMARK < %t.yaml
// RUN: ff-opt %s --ff-fuse-epilogue=chip=sm_90a --remarks-filter='.*' --remark-format=yaml --remarks-output-file=%t.90.yaml -o %t.90.mlir
// RUN: FileCheck %s --check-prefix=KERNEL < %t.90.yaml
// RUN: not ff-opt %s --ff-fuse-epilogue=rounding=none 2>&1 | FileCheck %s --check-prefix=ROUNDING
// RUN: not ff-opt %s --ff-fuse-epilogue=chip=sm_1 2>&1 | FileCheck %s --check-prefix=CHIP
// ROUNDING: unknown rounding 'none': expected relaxed or strict
// CHIP: unknown chip 'sm_1'; known are sm_80

#row = affine_map<(d0, d1) -> (d0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>

// Varies with the row alone.
// CHECK-LABEL: func @per_row
// CHECK: ff.online
// CHECK: linalg.generic
// REMARK: Function: per_row
// REMARK-NEXT: Args:
// REMARK-NEXT: - reason: other-positions
func.func @per_row(%x: tensor<4x64xf32>, %w: tensor<32x64xf32>, %r: tensor<4xf32>) -> tensor<4x32xf32> {
  %o = tensor.empty() : tensor<4x32xf32>
  %y = ff.online(%x) weights(%w) outs(%o)
      {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>]}
      : (tensor<4x64xf32>, tensor<32x64xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>
  row { ff.yield } finalize {
  ^bb0(%z: f32):
    ff.yield %z : f32
  }
  %s = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %r : tensor<4x32xf32>, tensor<4xf32>) outs(%o : tensor<4x32xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %t = arith.mulf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<4x32xf32>
  return %s : tensor<4x32xf32>
}

// Read transposed.
// CHECK-LABEL: func @turned
// CHECK: ff.online
// CHECK: linalg.generic
// REMARK: Function: turned
// REMARK-NEXT: Args:
// REMARK-NEXT: - reason: other-positions
func.func @turned(%x: tensor<32x64xf32>, %w: tensor<32x64xf32>, %r: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %o = tensor.empty() : tensor<32x32xf32>
  %y = ff.online(%x) weights(%w) outs(%o)
      {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>]}
      : (tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  row { ff.yield } finalize {
  ^bb0(%z: f32):
    ff.yield %z : f32
  }
  %s = linalg.generic {indexing_maps = [#turned, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %r : tensor<32x32xf32>, tensor<32x32xf32>) outs(%o : tensor<32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %t = arith.mulf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<32x32xf32>
  return %s : tensor<32x32xf32>
}

// An operation without a form on every device, and a number known at run time only.
// CHECK-LABEL: func @bodies
// CHECK: ff.online
// CHECK: math.sin
// CHECK: linalg.fill
// REMARK: Function: bodies
// REMARK-NEXT: Args:
// REMARK-NEXT: - reason: unsupported-operation
func.func @bodies(%x: tensor<4x64xf32>, %w: tensor<32x64xf32>, %r: f32) -> tensor<4x32xf32> {
  %o = tensor.empty() : tensor<4x32xf32>
  %y = ff.online(%x) weights(%w) outs(%o)
      {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>]}
      : (tensor<4x64xf32>, tensor<32x64xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>
  row { ff.yield } finalize {
  ^bb0(%z: f32):
    ff.yield %z : f32
  }
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<4x32xf32>) outs(%o : tensor<4x32xf32>) {
  ^bb0(%a: f32, %out: f32):
    %t = math.sin %a : f32
    linalg.yield %t : f32
  } -> tensor<4x32xf32>
  %f = linalg.fill ins(%r : f32) outs(%o : tensor<4x32xf32>) -> tensor<4x32xf32>
  %u = linalg.add ins(%s, %f : tensor<4x32xf32>, tensor<4x32xf32>) outs(%o : tensor<4x32xf32>) -> tensor<4x32xf32>
  return %u : tensor<4x32xf32>
}

// A value on the way is returned: its operation becomes an output, the rest of the way another.
// CHECK-LABEL: func @between
// CHECK: ff.online
// CHECK-SAME: linears_of = [array<i64: 0>, array<i64: 0>]
// CHECK-NOT: linalg.
// CHECK: return
// On a GPU that would be a second product for the tensor cores.
// KERNEL: Function: between
// KERNEL-NEXT: Args:
// KERNEL-NEXT: - operations: '1'
// KERNEL: !Missed
// KERNEL: Function: between
// KERNEL-NEXT: Args:
// KERNEL-NEXT: - reason: no-kernel
// KERNEL-NEXT: - message: {{.*}}a Linear is taken twice
func.func @between(%x: tensor<40x64xbf16>, %w: tensor<32x64xbf16>) -> (tensor<40x32xbf16>, tensor<40x32xbf16>) {
  %o = tensor.empty() : tensor<40x32xbf16>
  %y = ff.online(%x) weights(%w) outs(%o)
      {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>]}
      : (tensor<40x64xbf16>, tensor<32x64xbf16>, tensor<40x32xbf16>) -> tensor<40x32xbf16>
  row { ff.yield } finalize {
  ^bb0(%z: f32):
    %h = arith.truncf %z : f32 to bf16
    ff.yield %h : bf16
  }
  %s = linalg.exp ins(%y : tensor<40x32xbf16>) outs(%o : tensor<40x32xbf16>) -> tensor<40x32xbf16>
  %t = linalg.square ins(%s : tensor<40x32xbf16>) outs(%o : tensor<40x32xbf16>) -> tensor<40x32xbf16>
  return %s, %t : tensor<40x32xbf16>, tensor<40x32xbf16>
}

// The residual is made of another result: nothing can move.
// CHECK-LABEL: func @order
// CHECK: ff.online
// CHECK: linalg.matmul
// CHECK: linalg.add
// REMARK: Function: order
// REMARK-NEXT: Args:
// REMARK-NEXT: - reason: operand-order
func.func @order(%x: tensor<32x64xf32>, %w: tensor<32x64xf32>, %v: tensor<32x64xf32>) -> tensor<32x32xf32> {
  %o = tensor.empty() : tensor<32x32xf32>
  %zero = arith.constant 0.0 : f32
  %y:2 = ff.online(%x) weights(%w, %v) outs(%o, %o)
      {statistics = [], layouts = [#ff.layout<nk>, #ff.layout<nk>],
       linears_of = [array<i64: 0>, array<i64: 1>]}
      : (tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x32xf32>, tensor<32x32xf32>)
      -> (tensor<32x32xf32>, tensor<32x32xf32>)
  row { ff.yield } finalize {
  ^bb0(%z: f32):
    ff.yield %z : f32
  }, {
  ^bb0(%z: f32):
    ff.yield %z : f32
  }
  %i = linalg.fill ins(%zero : f32) outs(%o : tensor<32x32xf32>) -> tensor<32x32xf32>
  %p = linalg.matmul ins(%y#0, %y#0 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%i : tensor<32x32xf32>) -> tensor<32x32xf32>
  %s = linalg.add ins(%p, %y#1 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%o : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %s : tensor<32x32xf32>
}

// Reads nothing of the result that it takes.
// CHECK-LABEL: func @unused
// CHECK: ff.online
// CHECK: linalg.generic
// REMARK: Function: unused
// REMARK-NEXT: Args:
// REMARK-NEXT: - reason: unsupported-operation
func.func @unused(%x: tensor<4x64xf32>, %w: tensor<32x64xf32>) -> tensor<4x32xf32> {
  %o = tensor.empty() : tensor<4x32xf32>
  %one = arith.constant 1.0 : f32
  %y = ff.online(%x) weights(%w) outs(%o)
      {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>]}
      : (tensor<4x64xf32>, tensor<32x64xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>
  row { ff.yield } finalize {
  ^bb0(%z: f32):
    ff.yield %z : f32
  }
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<4x32xf32>) outs(%o : tensor<4x32xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %one : f32
  } -> tensor<4x32xf32>
  return %s : tensor<4x32xf32>
}

// Nobody knows how many columns the residual and the bias have; a number that is known at run
// time only fills no matrix.
// CHECK-LABEL: func @extents
// CHECK: ff.online
// CHECK: linalg.add
// CHECK: ff.online
// CHECK: linalg.generic
// CHECK: ff.online
// CHECK: linalg.fill
// CHECK: linalg.add
// REMARK: Function: extents
// REMARK-NEXT: Args:
// REMARK-NEXT: - reason: unsupported-type
// REMARK: Function: extents
// REMARK-NEXT: Args:
// REMARK-NEXT: - reason: unsupported-type
// REMARK: Function: extents
// REMARK-NEXT: Args:
// REMARK-NEXT: - reason: scalar-operand
func.func @extents(%x: tensor<4x64xf32>, %w: tensor<32x64xf32>, %r: tensor<4x?xf32>, %b: tensor<?xf32>, %n: f32)
    -> (tensor<4x32xf32>, tensor<4x32xf32>, tensor<4x32xf32>) {
  %o = tensor.empty() : tensor<4x32xf32>
  %y = ff.online(%x) weights(%w) outs(%o)
      {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>]}
      : (tensor<4x64xf32>, tensor<32x64xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>
  row { ff.yield } finalize {
  ^bb0(%z: f32):
    ff.yield %z : f32
  }
  %s = linalg.add ins(%y, %r : tensor<4x32xf32>, tensor<4x?xf32>) outs(%o : tensor<4x32xf32>) -> tensor<4x32xf32>
  %u = ff.online(%x) weights(%w) outs(%o)
      {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>]}
      : (tensor<4x64xf32>, tensor<32x64xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>
  row { ff.yield } finalize {
  ^bb0(%z: f32):
    ff.yield %z : f32
  }
  %t = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d1)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%u, %b : tensor<4x32xf32>, tensor<?xf32>) outs(%o : tensor<4x32xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %d = arith.addf %a, %c : f32
    linalg.yield %d : f32
  } -> tensor<4x32xf32>
  %v = ff.online(%x) weights(%w) outs(%o)
      {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>]}
      : (tensor<4x64xf32>, tensor<32x64xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>
  row { ff.yield } finalize {
  ^bb0(%z: f32):
    ff.yield %z : f32
  }
  %f = linalg.fill ins(%n : f32) outs(%o : tensor<4x32xf32>) -> tensor<4x32xf32>
  %p = linalg.add ins(%v, %f : tensor<4x32xf32>, tensor<4x32xf32>) outs(%o : tensor<4x32xf32>) -> tensor<4x32xf32>
  return %s, %t, %p : tensor<4x32xf32>, tensor<4x32xf32>, tensor<4x32xf32>
}

// linalg.map is an elementwise operation like any other.
// CHECK-LABEL: func @map
// CHECK: ff.online({{.*}}tiles(
// CHECK-NOT: linalg.map
// CHECK: return
func.func @map(%x: tensor<4x64xf32>, %w: tensor<32x64xf32>, %r: tensor<4x32xf32>) -> tensor<4x32xf32> {
  %o = tensor.empty() : tensor<4x32xf32>
  %y = ff.online(%x) weights(%w) outs(%o)
      {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>]}
      : (tensor<4x64xf32>, tensor<32x64xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>
  row { ff.yield } finalize {
  ^bb0(%z: f32):
    ff.yield %z : f32
  }
  %s = linalg.map { arith.subf } ins(%y, %r : tensor<4x32xf32>, tensor<4x32xf32>) outs(%o : tensor<4x32xf32>)
  return %s : tensor<4x32xf32>
}
