// RUN: ff-opt %s --ff-emit-ptx --split-input-file --allow-unregistered-dialect --verify-diagnostics

// expected-error@+1 {{needs a GPU to compile for}}
gpu.module @ff_kernels {
  llvm.func @k() attributes {nvvm.kernel} { llvm.return }
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_1", features = "+ptx83", sms = 1, smem = 1>} {
  // expected-error@+1 {{LLVM knows no GPU named 'sm_1'}}
  gpu.module @ff_kernels {
    llvm.func @k() attributes {nvvm.kernel} { llvm.return }
  }
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_90", features = "+ptx1", sms = 1, smem = 1>} {
  // expected-error@+1 {{LLVM knows no feature '+ptx1' of a GPU}}
  gpu.module @ff_kernels {
    llvm.func @k() attributes {nvvm.kernel} { llvm.return }
  }
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_90", features = "+ptx83", sms = 132, smem = 232448>} {
  gpu.module @ff_kernels {
    llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
      %x = llvm.load %p : !llvm.ptr<1> -> f32
      // expected-error@+1 {{'math.atan' on 'f32' has no form in PTX without CUDA's device library}}
      %y = math.atan %x : f32
      llvm.store %y, %p : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_90", features = "+ptx83", sms = 132, smem = 232448>} {
  gpu.module @ff_kernels {
    llvm.func @helper(f32) -> f32
    llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
      %x = llvm.load %p : !llvm.ptr<1> -> f32
      // expected-error@+1 {{calls 'helper', which is not defined in @ff_kernels}}
      %y = llvm.call @helper(%x) : (f32) -> f32
      llvm.store %y, %p : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_90", features = "+ptx83", sms = 132, smem = 232448>} {
  gpu.module @ff_kernels {
    llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
      // expected-error@+1 {{'test.unknown' cannot be lowered to PTX}}
      %x = "test.unknown"() : () -> f32
      llvm.store %x, %p : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}

// -----

// LLVM itself would abort on instructions that the chip does not have.
module attributes {ff.target = #ff.target<chip = "sm_70", features = "+ptx83", sms = 80, smem = 98304>} {
  // expected-error@+1 {{kernels need sm_80 or newer, not 'sm_70'}}
  gpu.module @ff_kernels {
    llvm.func @k() attributes {nvvm.kernel} { llvm.return }
  }
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_80", features = "+ptx80", sms = 80, smem = 98304>} {
  gpu.module @ff_kernels {
    llvm.func @k() attributes {nvvm.kernel} {
      // expected-error@+1 {{is not supported on sm_80}}
      nvvm.cluster.arrive.relaxed
      llvm.return
    }
  }
}

// -----

// What upstream does not check.
module attributes {ff.target = #ff.target<chip = "sm_80", features = "+ptx80", sms = 80, smem = 98304>} {
  gpu.module @ff_kernels {
    llvm.func @k(%map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant, llvm.align = 64 : i64})
        attributes {nvvm.kernel} {
      // expected-error@+1 {{'nvvm.prefetch' op needs sm_90 or newer}}
      nvvm.prefetch tensormap, %map : !llvm.ptr
      llvm.return
    }
  }
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_80", features = "+ptx80", sms = 80, smem = 98304>} {
  gpu.module @ff_kernels {
    llvm.func @k() attributes {nvvm.kernel} {
      // expected-error@+1 {{'nvvm.griddepcontrol' op needs sm_90 or newer}}
      nvvm.griddepcontrol wait
      llvm.return
    }
  }
}

// -----

module attributes {ff.target = #ff.target<chip = "sm_100a", features = "+ptx83", sms = 80, smem = 98304>} {
  // expected-error@+1 {{kernels for 'sm_100a' need '+ptx86' or newer, not '+ptx83'}}
  gpu.module @ff_kernels {
    llvm.func @k() attributes {nvvm.kernel} { llvm.return }
  }
}

// -----

// LLVM would take this one, our kernels do not.
// expected-error@+1 {{kernels for 'sm_90' need '+ptx83' or newer, not '+ptx78'}}
gpu.module @ff_kernels [#nvvm.target<chip = "sm_90", features = "+ptx78">] {
  llvm.func @k() attributes {nvvm.kernel} { llvm.return }
}

// -----

// expected-error@+1 {{leave the version of PTX for 'sm_121' to LLVM}}
gpu.module @ff_kernels [#nvvm.target<chip = "sm_121", features = "+ptx87">] {
  llvm.func @k() attributes {nvvm.kernel} { llvm.return }
}
