// The decode kernel on weights of 8 bits: half of the bytes, widened in registers.
// REQUIRES: ptxas
// RUN: ff-opt %s --ff-schedule="chip=sm_90a family=decode" --ff-lower-to-nvgpu -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: ff-opt %t.mlir --ff-emit-ptx --emit=ptx -o %t.ptx
// RUN: %ptxas -v -arch=sm_90a %t.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS
// RUN: ff-opt %s --ff-schedule="chip=sm_89 family=decode" --ff-lower-to-nvgpu --ff-emit-ptx --emit=ptx -o %t.ptx
// RUN: %ptxas -v -arch=sm_89 %t.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS89
// RUN: ff-opt %s --ff-schedule=chip=sm_80 | FileCheck %s --check-prefix=SM80
// RUN: ff-opt %s --ff-schedule=chip=sm_90a | FileCheck %s --check-prefix=UNPACKED

// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill
// PTXAS: Compiling entry function 'gated_online_0_decode_1'
// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill
// PTXAS: Compiling entry function 'llama_online_0_decode_0'
// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill

// Less shared memory: K = 4096 does not fit.
// PTXAS89-NOT: {{[1-9][0-9]*}} bytes spill
// PTXAS89: Compiling entry function 'gated_online_0_decode_0'
// PTXAS89-NOT: {{[1-9][0-9]*}} bytes spill

// SM80-NOT: family = decode
// SM80: family = simt

// Who never packs is served for more rows, too, behind what packs.
// UNPACKED-LABEL: func.func @llama
// UNPACKED: family = prefill, mma = mma_sync, {{[^>]*}}packed = true>, #ff.schedule<family = simt,
// UNPACKED-NOT: packed
// UNPACKED: #ff.schedule<family = simt, mma = fma, tile_m = {{[^>]*}}>], statistics

// bf16: x becomes f16, by a power of two for each row of a warp; the sums get the inverse.
// CHECK-LABEL: llvm.func @llama_online_0_decode_0(
// CHECK: arith.maxui {{.*}} : vector<8xi16>
// CHECK-COUNT-2: nvvm.shfl.sync bfly
// CHECK: llvm.bitcast {{.*}} : i32 to f32
// CHECK: %[[INVERSE:.*]] = llvm.bitcast {{.*}} : i32 to f32
// CHECK: arith.truncf {{.*}} : vector<8xf32> to vector<8xf16>
// CHECK: scf.for
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK: llvm.load {{.*}} !llvm.ptr<3> -> vector<2xi32>
// CHECK-COUNT-4: nvvm.convert.f8x2.to.f16x2 {{.*}}(f8E4M3FN)
// CHECK-COUNT-2: nvvm.mma.sync
// CHECK: arith.mulf {{.*}}, %[[INVERSE]] : f32
// The scale of the channel, in the finalizer.
// CHECK: nvvm.barrier id
// CHECK: rsqrt.approx
// CHECK: arith.mulf
func.func @llama(%x: memref<?x4096xbf16>, %w: memref<4096x4096xf8E4M3FN>, %c: memref<4096xf32>,
                 %y: memref<?x4096xbf16>) {
  ff.online(%x) weights(%w) columns(%c) outs(%y)
      {statistics = [#ff.statistic<mean_square>], layouts = [#ff.layout<nk>],
       column_of = array<i64: 0>, linears_of = [array<i64: 0>]}
      : (memref<?x4096xbf16>, memref<4096x4096xf8E4M3FN>, memref<4096xf32>, memref<?x4096xbf16>) -> ()
  row {
  ^bb0(%q: f32):
    %r = math.rsqrt %q : f32
    ff.yield %r : f32
  } finalize {
  ^bb0(%z: f32, %s: f32):
    %p = arith.mulf %z, %s : f32
    %t = arith.truncf %p : f32 to bf16
    ff.yield %t : bf16
  }
  return
}

// f16: x as it is. One scale for all columns of a Linear.
// CHECK-LABEL: llvm.func @gated_online_0_decode_0(
// CHECK-NOT: arith.maxui
// CHECK: nvvm.convert.f8x2.to.f16x2
// CHECK-NEXT: llvm.bitcast {{.*}} : vector<2xf16> to i32
func.func @gated(%x: memref<?x2048xf16>, %g: memref<2048xf16>, %u: memref<1000x2048xf8E4M3FN>,
                 %v: memref<1000x2048xf8E4M3FN>, %c: memref<1xf32>, %d: memref<1000xf32>,
                 %y: memref<?x1000xf16>) {
  ff.online(%x) gain(%g) weights(%u, %v) columns(%c, %d) outs(%y)
      {statistics = [#ff.statistic<mean_square>], layouts = [#ff.layout<nk>, #ff.layout<nk>],
       column_of = array<i64: 0, 0>, linears_of = [array<i64: 0, 1>]}
      : (memref<?x2048xf16>, memref<2048xf16>, memref<1000x2048xf8E4M3FN>,
         memref<1000x2048xf8E4M3FN>, memref<1xf32>, memref<1000xf32>, memref<?x1000xf16>) -> ()
  row {
  ^bb0(%q: f32):
    %r = math.rsqrt %q : f32
    ff.yield %r : f32
  } finalize {
  ^bb0(%a: f32, %b: f32, %s: f32, %t: f32):
    %e = arith.mulf %a, %s : f32
    %f = arith.mulf %b, %t : f32
    %p = arith.mulf %e, %f : f32
    %z = arith.truncf %p : f32 to f16
    ff.yield %z : f16
  }
  return
}
