// RUN: ff-opt %s --ff-emit-ptx --emit=ptx | FileCheck %s
// Math operations become instructions; nothing comes from CUDA's device library.
module attributes {ff.target = #ff.target<chip = "sm_80", features = "+ptx80", sms = 108, smem = 166912>} {
  gpu.module @ff_kernels {
    // CHECK-LABEL: .entry direct(
    // CHECK: sqrt.rn.f32
    // CHECK: abs.f32
    // CHECK: fma.rn.f32
    // CHECK: cvt.rmi.f32.f32
    // CHECK: max.NaN.f32
    llvm.func @direct(%p: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %x = llvm.load %p : !llvm.ptr<1> -> f32
      %0 = math.sqrt %x : f32
      %1 = math.absf %0 : f32
      %2 = math.fma %1, %0, %x : f32
      %3 = math.floor %2 : f32
      %4 = arith.maximumf %3, %0 : f32
      llvm.store %4, %p : f32, !llvm.ptr<1>
      llvm.return
    }
    // exp(x) is 2^floor(t) * 2^(t - floor(t)) with t = x log2(e).
    // CHECK-LABEL: .entry exponential(
    // CHECK: max.NaN.f32 {{.*}}, 0fC2D20000
    // CHECK: min.NaN.f32 {{.*}}, 0f42B40000
    // CHECK: cvt.rmi.f32.f32
    // CHECK: fma.rn.f32
    // CHECK: fma.rn.f32
    // CHECK: ex2.approx.f32
    // CHECK: ex2.approx.f32
    llvm.func @exponential(%p: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %x = llvm.load %p : !llvm.ptr<1> -> f32
      %0 = math.exp %x : f32
      llvm.store %0, %p : f32, !llvm.ptr<1>
      llvm.return
    }
    // rsqrt is refined once; where that gives no number (x is 0 or infinite) it is not.
    // CHECK-LABEL: .entry reciprocal_root(
    // CHECK: rsqrt.approx.f32
    // CHECK: fma.rn.f32
    // CHECK: fma.rn.f32
    // CHECK: setp.num.f32
    // CHECK: selp
    llvm.func @reciprocal_root(%p: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %x = llvm.load %p : !llvm.ptr<1> -> f32
      %0 = math.rsqrt %x : f32
      llvm.store %0, %p : f32, !llvm.ptr<1>
      llvm.return
    }
    // Two polynomials side by side; no branch, no call.
    // CHECK-LABEL: .entry error_function(
    // CHECK-NOT: bra
    // CHECK-NOT: call
    // CHECK: min.NaN.f32 {{.*}}, 0f40800000
    // CHECK: ex2.approx.f32
    // CHECK: copysign.f32
    // CHECK: ret
    llvm.func @error_function(%p: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %x = llvm.load %p : !llvm.ptr<1> -> f32
      %0 = math.erf %x : f32
      llvm.store %0, %p : f32, !llvm.ptr<1>
      llvm.return
    }
    // CHECK-LABEL: .entry hyperbolic(
    // CHECK-NOT: bra
    // CHECK-NOT: call
    // CHECK: ex2.approx.f32
    // CHECK: div.full.f32
    // CHECK: ret
    llvm.func @hyperbolic(%p: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %x = llvm.load %p : !llvm.ptr<1> -> f32
      %0 = math.tanh %x : f32
      llvm.store %0, %p : f32, !llvm.ptr<1>
      llvm.return
    }
    // A division is approximate only where the program allows it.
    // CHECK-LABEL: .entry quotient(
    // CHECK: div.full.f32
    // CHECK: div.rn.f32
    llvm.func @quotient(%p: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %x = llvm.load %p : !llvm.ptr<1> -> f32
      %y = llvm.load volatile %p : !llvm.ptr<1> -> f32
      %0 = arith.divf %x, %y fastmath<afn> : f32
      %1 = arith.divf %x, %0 : f32
      llvm.store %1, %p : f32, !llvm.ptr<1>
      llvm.return
    }
    // 16-bit floats go through f32, vectors by element.
    // CHECK-LABEL: .entry narrow(
    // CHECK-COUNT-2: ex2.approx.f32
    // CHECK: cvt.rn.bf16x2.f32
    llvm.func @narrow(%p: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %x = llvm.load %p : !llvm.ptr<1> -> vector<2xbf16>
      %0 = math.exp2 %x : vector<2xbf16>
      llvm.store %0, %p : vector<2xbf16>, !llvm.ptr<1>
      llvm.return
    }
  }
}
