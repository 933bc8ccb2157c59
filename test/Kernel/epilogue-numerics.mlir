// GELU in both forms in finalizers, run from PTX (docs/testing.md): erf, tanh and the approximate
// division of kernels against those of the host.
// REQUIRES: numpy
// RUN: ff-opt %s --ff-to-ptx=chip=sm_80 --emit=bundle -o %t.ffb
// RUN: %ptxsim %t.ffb --function=erf --norm=none --epilogue=gelu --rows=5 --family=simt | FileCheck %s --check-prefix=ERF
// RUN: %ptxsim %t.ffb --function=tanh --norm=none --epilogue=gelu_tanh --rows=5 | FileCheck %s --check-prefix=TANH
// ERF: ok erf_online_0_simt
// TANH: ok tanh_online_0_decode

#id = affine_map<(d0, d1) -> (d0, d1)>

func.func @erf(%x: tensor<?x68xf32>, %w: tensor<40x68xf32>) -> tensor<?x40xf32> {
  %c0 = arith.constant 0 : index
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %root = arith.constant 0.707106769 : f32
  %m = tensor.dim %x, %c0 : tensor<?x68xf32>
  %o = tensor.empty(%m) : tensor<?x40xf32>
  %y = ff.online(%x) weights(%w) outs(%o)
      {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>]}
      : (tensor<?x68xf32>, tensor<40x68xf32>, tensor<?x40xf32>) -> tensor<?x40xf32>
  row { ff.yield } finalize {
  ^bb0(%z: f32):
    ff.yield %z : f32
  }
  %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<?x40xf32>) outs(%o : tensor<?x40xf32>) {
  ^bb0(%a: f32, %out: f32):
    %s = arith.mulf %a, %root : f32
    %e = math.erf %s : f32
    %f = arith.addf %e, %one : f32
    %h = arith.mulf %a, %half : f32
    %r = arith.mulf %h, %f : f32
    linalg.yield %r : f32
  } -> tensor<?x40xf32>
  return %g : tensor<?x40xf32>
}

func.func @tanh(%x: tensor<?x136xbf16>, %w: tensor<40x136xbf16>) -> tensor<?x40xbf16> {
  %c0 = arith.constant 0 : index
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %three = arith.constant 3.0 : f32
  %cubic = arith.constant 4.471500e-02 : f32
  %root = arith.constant 0.797884583 : f32
  %m = tensor.dim %x, %c0 : tensor<?x136xbf16>
  %o = tensor.empty(%m) : tensor<?x40xbf16>
  %p = tensor.empty(%m) : tensor<?x40xbf16>
  %y = ff.online(%x) weights(%w) outs(%o)
      {statistics = [], layouts = [#ff.layout<nk>], linears_of = [array<i64: 0>]}
      : (tensor<?x136xbf16>, tensor<40x136xbf16>, tensor<?x40xbf16>) -> tensor<?x40xbf16>
  row { ff.yield } finalize {
  ^bb0(%z: f32):
    %b = arith.truncf %z : f32 to bf16
    ff.yield %b : bf16
  }
  %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<?x40xbf16>) outs(%p : tensor<?x40xbf16>) {
  ^bb0(%b: bf16, %out: bf16):
    %a = arith.extf %b : bf16 to f32
    %q = math.powf %a, %three : f32
    %s = arith.mulf %q, %cubic : f32
    %t = arith.addf %a, %s : f32
    %u = arith.mulf %t, %root : f32
    %e = math.tanh %u : f32
    %f = arith.addf %e, %one : f32
    %h = arith.mulf %a, %half : f32
    %r = arith.mulf %h, %f : f32
    %c = arith.truncf %r : f32 to bf16
    linalg.yield %c : bf16
  } -> tensor<?x40xbf16>
  return %g : tensor<?x40xbf16>
}
