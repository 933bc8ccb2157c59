// Kernels of the host's own: those for other GPUs are left alone, a target that is attached is kept.
// RUN: ff-opt %s --ff-emit-ptx | FileCheck %s
// CHECK: gpu.module @amd [#rocdl.target<chip = "gfx90a">]
// CHECK: gpu.binary @old [#gpu.object<#nvvm.target<chip = "sm_80"{{.*}}.target sm_80
// CHECK: gpu.binary @ours [#gpu.object<#nvvm.target<O = 3, chip = "sm_90a"{{.*}}.target sm_90a
module attributes {ff.target = #ff.target<chip = "sm_90a", features = "+ptx83", sms = 132, smem = 232448>} {
  gpu.module @amd [#rocdl.target<chip = "gfx90a">] {
    llvm.func @k() attributes {gpu.kernel, rocdl.kernel} { llvm.return }
  }
  gpu.module @old [#nvvm.target<chip = "sm_80", features = "+ptx80">] {
    llvm.func @k() attributes {gpu.kernel, nvvm.kernel} { llvm.return }
  }
  gpu.module @ours {
    llvm.func @k() attributes {gpu.kernel, nvvm.kernel} { llvm.return }
  }
}
