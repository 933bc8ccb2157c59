// RUN: ff-opt %s --split-input-file --verify-diagnostics

func.func @layout(%x: tensor<4x64xf32>, %w: tensor<32x64xf32>) -> tensor<4x32xf32> {
  // expected-error @+1 {{expects weight 0 with layout kn to run over K = 64, but it is 'tensor<32x64xf32>'}}
  %0 = ff.norm_linear rms_norm(%x) weights(%w) {layouts = [#ff.layout<kn>]}
    : (tensor<4x64xf32>, tensor<32x64xf32>) -> tensor<4x32xf32>
  return %0 : tensor<4x32xf32>
}

// -----

func.func @dynamic_k(%x: tensor<4x?xf32>, %w: tensor<32x64xf32>) -> tensor<4x32xf32> {
  // expected-error @+1 {{expects K, the last extent of x, to be static and not 0}}
  %0 = ff.norm_linear rms_norm(%x) weights(%w) {layouts = [#ff.layout<nk>]}
    : (tensor<4x?xf32>, tensor<32x64xf32>) -> tensor<4x32xf32>
  return %0 : tensor<4x32xf32>
}

// -----

func.func @gain(%x: tensor<4x64xf32>, %g: tensor<32xf32>, %w: tensor<32x64xf32>) -> tensor<4x32xf32> {
  // expected-error @+1 {{expects gain to have the one extent K = 64}}
  %0 = ff.norm_linear rms_norm(%x) gain(%g) weights(%w) {layouts = [#ff.layout<nk>]}
    : (tensor<4x64xf32>, tensor<32xf32>, tensor<32x64xf32>) -> tensor<4x32xf32>
  return %0 : tensor<4x32xf32>
}

// -----

func.func @offset(%x: tensor<4x64xf32>, %w: tensor<32x64xf32>) -> tensor<4x32xf32> {
  // expected-error @+1 {{has a gain_offset but no gain}}
  %0 = ff.norm_linear rms_norm(%x) weights(%w) {layouts = [#ff.layout<nk>], gain_offset = 1.0 : f64}
    : (tensor<4x64xf32>, tensor<32x64xf32>) -> tensor<4x32xf32>
  return %0 : tensor<4x32xf32>
}

// -----

func.func @two_eps(%x: tensor<4x64xf32>, %w: tensor<32x64xf32>, %e: f32) -> tensor<4x32xf32> {
  // expected-error @+1 {{has eps both as a constant and as an operand}}
  %0 = ff.norm_linear rms_norm(%x) weights(%w) eps(%e) {layouts = [#ff.layout<nk>], eps = 1.0e-5 : f64}
    : (tensor<4x64xf32>, tensor<32x64xf32>, f32) -> tensor<4x32xf32>
  return %0 : tensor<4x32xf32>
}

// -----

func.func @result(%x: tensor<4x64xf32>, %w: tensor<32x64xf32>) -> tensor<4x64xf32> {
  // expected-error @+1 {{expects result 0 to be M x N = 4 x 32, but it is 'tensor<4x64xf32>'}}
  %0 = ff.norm_linear rms_norm(%x) weights(%w) {layouts = [#ff.layout<nk>]}
    : (tensor<4x64xf32>, tensor<32x64xf32>) -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}

// -----

func.func @bias(%x: tensor<4x64xf32>, %w: tensor<32x64xf32>, %c: tensor<32xf32>) -> tensor<4x32xf32> {
  // expected-error @+1 {{expects bias_of to name each Linear at most once}}
  %0 = ff.norm_linear rms_norm(%x) weights(%w) biases(%c, %c)
    {layouts = [#ff.layout<nk>], bias_of = array<i64: 0, 0>}
    : (tensor<4x64xf32>, tensor<32x64xf32>, tensor<32xf32>, tensor<32xf32>) -> tensor<4x32xf32>
  return %0 : tensor<4x32xf32>
}

// -----

func.func @negative_eps(%x: tensor<4x64xf32>, %w: tensor<32x64xf32>) -> tensor<4x32xf32> {
  // expected-error @+1 {{expects eps to be finite and not negative}}
  %0 = ff.norm_linear rms_norm(%x) weights(%w) {layouts = [#ff.layout<nk>], eps = -1.0 : f64}
    : (tensor<4x64xf32>, tensor<32x64xf32>) -> tensor<4x32xf32>
  return %0 : tensor<4x32xf32>
}

// -----

func.func @scale_length(%x: tensor<4x64xf32>, %w: tensor<32x64xf8E4M3FN>, %s: tensor<2xf32>) -> tensor<4x32xf32> {
  // expected-error @+1 {{expects the scale of Linear 0 to have length N or 1}}
  %0 = ff.norm_linear rms_norm(%x) weights(%w) scales(%s)
    {layouts = [#ff.layout<nk>], scale_of = array<i64: 0>}
    : (tensor<4x64xf32>, tensor<32x64xf8E4M3FN>, tensor<2xf32>) -> tensor<4x32xf32>
  return %0 : tensor<4x32xf32>
}

// -----

func.func @scale_of(%x: tensor<4x64xf32>, %w: tensor<32x64xf8E4M3FN>, %s: tensor<32xf32>) -> tensor<4x32xf32> {
  // expected-error @+1 {{expects scale_of to name one Linear per scale}}
  %0 = ff.norm_linear rms_norm(%x) weights(%w) scales(%s) {layouts = [#ff.layout<nk>]}
    : (tensor<4x64xf32>, tensor<32x64xf8E4M3FN>, tensor<32xf32>) -> tensor<4x32xf32>
  return %0 : tensor<4x32xf32>
}

// -----

func.func @other_scale(%x: tensor<4x64xf32>, %w: tensor<32x64xf8E4M3FN>, %s: tensor<32xf32>) -> tensor<4x32xf32> {
  // expected-error @+1 {{expects scale_of to name each Linear at most once}}
  %0 = ff.norm_linear rms_norm(%x) weights(%w) scales(%s)
    {layouts = [#ff.layout<nk>], scale_of = array<i64: 1>}
    : (tensor<4x64xf32>, tensor<32x64xf8E4M3FN>, tensor<32xf32>) -> tensor<4x32xf32>
  return %0 : tensor<4x32xf32>
}

// -----

func.func @f8_of_x(%x: tensor<4x64xf8E4M3FN>, %w: tensor<32x64xf8E4M3FN>, %v: tensor<8x64xbf16>)
    -> (tensor<4x32xf32>, tensor<4x8xf32>) {
  // expected-error @+1 {{expects weights of f8E4M3FN for an x of f8E4M3FN}}
  %0:2 = ff.norm_linear rms_norm(%x) weights(%w, %v) {layouts = [#ff.layout<nk>, #ff.layout<nk>]}
    : (tensor<4x64xf8E4M3FN>, tensor<32x64xf8E4M3FN>, tensor<8x64xbf16>) -> (tensor<4x32xf32>, tensor<4x8xf32>)
  return %0#0, %0#1 : tensor<4x32xf32>, tensor<4x8xf32>
}

// -----

func.func @x_scale_of_wide_x(%x: tensor<4x64xbf16>, %s: tensor<4xf32>, %w: tensor<32x64xbf16>) -> tensor<4x32xf32> {
  // expected-error @+1 {{has an x_scale, but x is not f8E4M3FN}}
  %0 = ff.norm_linear rms_norm(%x) x_scale(%s) weights(%w) {layouts = [#ff.layout<nk>]}
    : (tensor<4x64xbf16>, tensor<4xf32>, tensor<32x64xbf16>) -> tensor<4x32xf32>
  return %0 : tensor<4x32xf32>
}

// -----

func.func @x_scale_length(%x: tensor<?x64xf8E4M3FN>, %s: tensor<4xf32>, %w: tensor<32x64xf8E4M3FN>) -> tensor<?x32xf32> {
  // expected-error @+1 {{expects x_scale to have the length of a column of x, or 1, not 'tensor<4xf32>'}}
  %0 = ff.norm_linear rms_norm(%x) x_scale(%s) weights(%w) {layouts = [#ff.layout<nk>]}
    : (tensor<?x64xf8E4M3FN>, tensor<4xf32>, tensor<32x64xf8E4M3FN>) -> tensor<?x32xf32>
  return %0 : tensor<?x32xf32>
}

// -----

func.func @other_f8(%x: tensor<4x64xf32>, %w: tensor<32x64xf8E5M2>) -> tensor<4x32xf32> {
  // expected-error @+1 {{operand #1 must be variadic of 2D tensor of}}
  %0 = ff.norm_linear rms_norm(%x) weights(%w) {layouts = [#ff.layout<nk>]}
    : (tensor<4x64xf32>, tensor<32x64xf8E5M2>) -> tensor<4x32xf32>
  return %0 : tensor<4x32xf32>
}

// -----

#csr = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>
func.func @encoded_weight(%x: tensor<4x64xf32>, %w: tensor<32x64xf32, #csr>) -> tensor<4x32xf32> {
  // expected-error @+1 {{expects tensors without an encoding}}
  %0 = ff.norm_linear rms_norm(%x) weights(%w) {eps = 1.0e-5 : f64, layouts = [#ff.layout<nk>]}
    : (tensor<4x64xf32>, tensor<32x64xf32, #csr>) -> tensor<4x32xf32>
  return %0 : tensor<4x32xf32>
}

// -----

func.func @gain_offset(%x: tensor<4x64xf32>, %g: tensor<64xf32>, %w: tensor<32x64xf32>) -> tensor<4x32xf32> {
  // expected-error @+1 {{expects a finite gain_offset}}
  %0 = ff.norm_linear rms_norm(%x) gain(%g) weights(%w) {eps = 1.0e-5 : f64, gain_offset = 0x7FF8000000000000 : f64, layouts = [#ff.layout<nk>]}
    : (tensor<4x64xf32>, tensor<64xf32>, tensor<32x64xf32>) -> tensor<4x32xf32>
  return %0 : tensor<4x32xf32>
}
