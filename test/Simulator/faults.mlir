// Kernels edited as text: what the simulator reports, and where.
// REQUIRES: numpy
// RUN: ff-opt %s --ff-to-ptx=chip=sm_80 --emit=bundle -o %t.ffb
// RUN: %ptxsim %t.ffb --norm=rms_norm --rows=3 --family=simt
// RUN: not %ptxsim %t.ffb --norm=rms_norm --rows=3 --family=simt --replace "bar.sync" "bar.warp.sync -1; //" 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not %ptxsim %t.ffb --norm=rms_norm --rows=3 --family=simt --replace "st.global.b32" "st.global.b64" 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not %ptxsim %t.ffb --norm=rms_norm --rows=3 --family=simt --replace "fma.rn.f32" "frob.rn.f32" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not %ptxsim %t.ffb --norm=rms_norm --rows=3 --family=simt --replace "mul.wide.u32" "mul.wide.s32" --replace "min.u32" "max.u32" 2>&1 | FileCheck %s --check-prefix=BOUNDS
// RUN: not %ptxsim %t.ffb --norm=rms_norm --rows=3 --family=simt --replace "0f3727C5AC" "0f40000000" 2>&1 | FileCheck %s --check-prefix=WRONG

// RACE: error: {{read of|write to}} shared memory that races with a {{read|write}} by {{thread [0-9]+|several threads}}
// RACE-NEXT: at "{{ld|st}}.shared{{.*}}" in block 0 of f_online_0_simt_0
// TYPE: error: {{.*}}
// UNKNOWN: error: not modelled: frob.rn.f32
// BOUNDS: error: read outside of {{x|weight}} 0: 4 bytes at
// WRONG: FAIL f_online_0_simt_0 M=3 row {{[0-9]+}}.{{[0-9]+}} group

func.func @f(%x: tensor<?x68xf32>, %w: tensor<40x68xf32>) -> tensor<?x40xf32> {
  %y = ff.norm_linear rms_norm(%x) weights(%w)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
      : (tensor<?x68xf32>, tensor<40x68xf32>) -> tensor<?x40xf32>
  return %y : tensor<?x40xf32>
}
