// RUN: ff-opt %s --ff-emit-ptx | FileCheck %s
// RUN: ff-opt %s --ff-emit-ptx --emit=ptx -o %t.ptx
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.ptx

// A broken CUDA installation does not matter.
// RUN: env CUDA_HOME=/nonexistent ff-opt %s --ff-emit-ptx --emit=ptx 2>&1 | FileCheck %s --check-prefix=PTX

// CHECK-NOT: gpu.module
// CHECK: gpu.binary @ff_kernels [#gpu.object<#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx83">, assembly = "{{.*}}.entry k(

// PTX: .version 8.3
// PTX: .target sm_90a
// PTX: .extern .shared .align 1024 .b8 ff_smem[]
// PTX: .visible .entry k(
// PTX-NEXT: .param .align 64 .b8 k_param_0[128]
// PTX-NEXT: .param .u64 .ptr .global {{.*}}k_param_1
// PTX-NEXT: .param .u32 k_param_2
// PTX: .maxntid 128
// PTX-NOT: __nv_
// PTX: prefetch.param.tensormap
// PTX-NOT: __nv_
module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", sms = 132, smem = 232448>} {
  gpu.module @ff_kernels {
    llvm.mlir.global external @ff_smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
    llvm.func @k(%map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant, llvm.align = 64 : i64},
                 %out: !llvm.ptr<1>, %rows: i32)
        attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 128>} {
      nvvm.prefetch tensormap, %map : !llvm.ptr
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %zero = arith.constant dense<0.0> : vector<2xf32>
      // Structured control flow, vectors and arithmetic stand side by side with LLVM operations.
      %sum = scf.for %i = %c0 to %rows step %c1 iter_args(%acc = %zero) -> (vector<2xf32>) : i32 {
        %f = arith.uitofp %i : i32 to f32
        %v = vector.broadcast %f : f32 to vector<2xf32>
        %next = arith.addf %acc, %v : vector<2xf32>
        scf.yield %next : vector<2xf32>
      }
      %half = vector.extract_strided_slice %sum {offsets = [1], sizes = [1], strides = [1]}
          : vector<2xf32> to vector<1xf32>
      %smem = llvm.mlir.addressof @ff_smem : !llvm.ptr<3>
      llvm.store %half, %smem : vector<1xf32>, !llvm.ptr<3>
      nvvm.barrier0
      %r = llvm.load %smem : !llvm.ptr<3> -> f32
      llvm.store %r, %out : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}
