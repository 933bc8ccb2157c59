// On a driver that takes notes: what is launched, and that results stay as they were poisoned.
// RUN: not %fake_cuda ff-run %s --entry=twice --target=cuda --verify --expect-fused=1 --shape=arg0:5x64 | FileCheck %s --check-prefix=TWICE
// RUN: %fake_cuda ff-run %s --entry=twice --target=cuda --verify --shape=arg0:0x64 | FileCheck %s --check-prefix=EMPTY
// RUN: %fake_cuda ff-run %s --entry=twice --target=cuda --shape=arg0:200x64 | FileCheck %s --check-prefix=ROWS
// RUN: %fake_cuda ff-run %s --entry=shifted --target=cuda --family=decode | FileCheck %s --check-prefix=PACK
// RUN: %fake_cuda ff-run %s --entry=shifted --target=cuda --family=simt --bench | FileCheck %s --check-prefix=BENCH
// RUN: %fake_cuda ff-run %s --entry=exact --target=cuda --chip=sm_80 | FileCheck %s --check-prefix=EXACT
// RUN: %fake_cuda ff-run %s --entry=written --target=cuda --verify | FileCheck %s --check-prefix=WRITTEN
// RUN: not %fake_cuda ff-run %s --entry=exact --target=cuda --chip=sm_99 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not %fake_cuda ff-run %s --entry=exact --target=cuda --family=fast 2>&1 | FileCheck %s --check-prefix=FAMILY
// RUN: %fake_cuda ff-run %s --entry=sliced --target=cuda --shape=arg0:5x80 --shape=arg2:3 --output=res0:%t.npy | FileCheck %s --check-prefix=SLICED
// RUN: %python -c "import sys; print([round(v, 1) for v in memoryview(open(sys.argv[1], 'rb').read()[-800:]).cast('f')[5:13]])" %t.npy | FileCheck %s --check-prefix=VALUES
// CHIP: error: unknown chip 'sm_99'
// FAMILY: error: unknown kernel family 'fast'

func.func private @block(%x: tensor<?x64xf16>, %g: tensor<64xf16>, %w: tensor<32x64xf16>, %eps: f16) -> tensor<?x32xf16> {
  %q = ff.norm_linear rms_norm(%x) gain(%g) weights(%w) eps(%eps) {layouts = [#ff.layout<nk>]}
      : (tensor<?x64xf16>, tensor<64xf16>, tensor<32x64xf16>, f16) -> tensor<?x32xf16>
  return %q : tensor<?x32xf16>
}

// A function that is called twice, and a sum that is made on the host: read by a kernel, and a
// result. The eps is 1e-5 as f16.
// TWICE: launch block_online_0_pack_0<<<
// TWICE-NEXT: launch block_online_0_decode_0<<<{{[0-9]+}}, {{[0-9]+}}, {{[0-9]+}}>>> #[[X:[0-9]+]] {{.*}} 0x00a8 {{.*}} 5
// TWICE-NEXT: launch block_online_0_pack_0<<<
// TWICE-NEXT: launch block_online_0_decode_0<<<
// TWICE-NOT: launch
// TWICE: fused=1
// TWICE-NEXT: block_online_0: 5 rows by block_online_0_decode_0 on Fake GPU
// TWICE-NEXT: block_online_0: 5 rows by block_online_0_decode_0 on Fake GPU
// TWICE-NEXT: result 0: 5x64xf16 as written {{.*}} ok
// TWICE-NEXT: result 1: 5x32xf16 fused row=inf {{.*}} FAIL
// TWICE-NEXT: result 2: 5x32xf16 fused row=inf {{.*}} FAIL
// EMPTY-NOT: launch
// EMPTY: result 0: 0x64xf16 {{.*}} ok
// EMPTY-NEXT: result 1: 0x32xf16 {{.*}} ok
// ROWS: launch block_online_0_prefill_[[N:[0-9]+]]<<<
// ROWS: block_online_0: 200 rows by block_online_0_prefill_[[N]] on Fake GPU
// ROWS: result 1: 200x32xf16 [{{-?}}nan, {{-?}}nan, {{-?}}nan, {{-?}}nan, ..]
func.func @twice(%x: tensor<?x64xf16>, %y: tensor<?x64xf16>, %g: tensor<64xf16>, %w: tensor<32x64xf16>, %eps: f16)
    -> (tensor<?x64xf16>, tensor<?x32xf16>, tensor<?x32xf16>) {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x64xf16>
  %e = tensor.empty(%m) : tensor<?x64xf16>
  %s = linalg.add ins(%x, %y : tensor<?x64xf16>, tensor<?x64xf16>) outs(%e : tensor<?x64xf16>) -> tensor<?x64xf16>
  %a = call @block(%x, %g, %w, %eps) : (tensor<?x64xf16>, tensor<64xf16>, tensor<32x64xf16>, f16) -> tensor<?x32xf16>
  %b = call @block(%s, %g, %w, %eps) : (tensor<?x64xf16>, tensor<64xf16>, tensor<32x64xf16>, f16) -> tensor<?x32xf16>
  return %s, %a, %b : tensor<?x64xf16>, tensor<?x32xf16>, tensor<?x32xf16>
}

// Gain, shift and weight are packed on the device, in front of the kernel; a weight that is a
// constant of the program is uploaded like any other.
// PACK: launch shifted_online_0_pack_0<<<{{.*}}>>> {{.*}} #[[P:[0-9]+]]{{$}}
// PACK-NEXT: launch shifted_online_0_decode_0<<<{{.*}} 3{{$}}
// PACK: shifted_online_0: 3 rows by shifted_online_0_decode_0 on Fake GPU
// BENCH: launch shifted_online_0_simt_0<<<
// BENCH: capture shifted_online_0_simt_0<<<
// BENCH: shifted_online_0: 3 rows by shifted_online_0_simt_0 on Fake GPU: 1.00 us
// BENCH-NEXT: kernels 1.00 us
// BENCH-NEXT: median {{[0-9.]+}} ms
func.func @shifted(%x: tensor<3x64xbf16>, %g: tensor<64xbf16>, %s: tensor<64xbf16>) -> tensor<3x32xbf16> {
  %w = arith.constant dense<0.125> : tensor<64x32xbf16>
  %q = ff.norm_linear layer_norm(%x) gain(%g) shift(%s) weights(%w)
      {eps = 1.0e-5 : f64, layouts = [#ff.layout<kn>]}
      : (tensor<3x64xbf16>, tensor<64xbf16>, tensor<64xbf16>, tensor<64x32xbf16>) -> tensor<3x32xbf16>
  return %q : tensor<3x32xbf16>
}

// EXACT: launch exact_online_0_simt_{{[0-9]+}}<<<{{.*}}>>> #{{[0-9]+}} {{.*}} 1e-05 #{{[0-9]+}} 13
func.func @exact(%x: tensor<13x50xf32>, %w: tensor<37x50xf32>, %e: f32) -> tensor<13x37xf32> {
  %q = ff.norm_linear rms_norm(%x) weights(%w) eps(%e) {layouts = [#ff.layout<nk>]}
      : (tensor<13x50xf32>, tensor<37x50xf32>, f32) -> tensor<13x37xf32>
  return %q : tensor<13x37xf32>
}

// WRITTEN-NOT: launch
// WRITTEN: fused=0
// WRITTEN-NEXT: result 0: 4x6xf32 as written {{.*}} ok
func.func @written(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// Rows that are not contiguous, in a loop, written into a part of a larger tensor: copied there and
// back on the host. The rest of the tensor keeps what the host wrote.
// SLICED-COUNT-3: launch sliced_online_0_simt_{{[0-9]+}}<<<{{.*}} 5{{$}}
// SLICED-NOT: launch
// SLICED-COUNT-3: sliced_online_0: 5 rows
// SLICED: result 0: 5x40xf32 [0.5, 0.5, 0.5, 0.5, ..]
// VALUES: [0.5, 0.5, 0.5, nan, nan, nan, nan, nan]
func.func @sliced(%big: tensor<?x80xf32>, %w: tensor<32x64xf32>, %n: index) -> tensor<?x40xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : f32
  %m = tensor.dim %big, %c0 : tensor<?x80xf32>
  %e = tensor.empty(%m) : tensor<?x40xf32>
  %f = linalg.fill ins(%half : f32) outs(%e : tensor<?x40xf32>) -> tensor<?x40xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %f) -> tensor<?x40xf32> {
    %x = tensor.extract_slice %big[0, %i] [%m, 64] [1, 1] : tensor<?x80xf32> to tensor<?x64xf32>
    %q = ff.norm_linear rms_norm(%x) weights(%w) {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
        : (tensor<?x64xf32>, tensor<32x64xf32>) -> tensor<?x32xf32>
    %s = tensor.insert_slice %q into %acc[0, 8] [%m, 32] [1, 1] : tensor<?x32xf32> into tensor<?x40xf32>
    scf.yield %s : tensor<?x40xf32>
  }
  return %r : tensor<?x40xf32>
}
