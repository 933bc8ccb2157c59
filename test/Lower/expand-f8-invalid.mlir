// RUN: ff-opt %s --ff-expand-f8 --verify-diagnostics

func.func @narrow(%x: f32) -> f8E4M3FN {
  // expected-error @+1 {{rounds to f8E4M3FN, which is not lowered for the CPU}}
  %q = arith.truncf %x : f32 to f8E4M3FN
  return %q : f8E4M3FN
}
