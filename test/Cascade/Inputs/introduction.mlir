// FuseMax's introductory cascades over A and B: two passes, one by factoring Y out, one by
// running sums that are corrected.
func.func @two(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<f32> {
  %0 = cascade.graph "two"(%a, %b) {arg_names = ["A", "B"]} : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32> {
  ^bb0(%A: tensor<8xf32>, %B: tensor<8xf32>):
    %y = cascade.einsum "Y"[] = add(%A[K], %B[K]) : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32> {
    ^bb1(%p: f32, %q: f32):
      %1 = arith.mulf %p, %q : f32
      cascade.yield %1 : f32
    }
    %z = cascade.einsum "Z"[] = add(%y[], %A[K]) : (tensor<f32>, tensor<8xf32>) -> tensor<f32> {
    ^bb1(%p: f32, %q: f32):
      %1 = arith.mulf %p, %q : f32
      cascade.yield %1 : f32
    }
    cascade.yield %z : tensor<f32>
  }
  return %0 : tensor<f32>
}

func.func @iterative(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<f32> {
  %0 = cascade.graph "iterative"(%a, %b) {arg_names = ["A", "B"]} : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32> {
  ^bb0(%A: tensor<8xf32>, %B: tensor<8xf32>):
    %zero = arith.constant dense<0.0> : tensor<f32>
    %r:3 = cascade.iterate "K" to 8 streams(%A, %B) init(%zero, %zero, %zero) {stream_dims = array<i64: 0, 0>}
        : (tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
    ^bb1(%k: index, %ak: tensor<f32>, %bk: tensor<f32>, %ry: tensor<f32>, %rx: tensor<f32>, %rz: tensor<f32>):
      %y = cascade.einsum "RY"[] = map(%ry[], %ak[], %bk[]) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<f32> {
      ^bb2(%s: f32, %p: f32, %q: f32):
        %1 = arith.mulf %p, %q : f32
        %2 = arith.addf %s, %1 : f32
        cascade.yield %2 : f32
      }
      %x = cascade.einsum "RX"[] = map(%rx[], %ak[]) : (tensor<f32>, tensor<f32>) -> tensor<f32> {
      ^bb2(%s: f32, %p: f32):
        %1 = arith.addf %s, %p : f32
        cascade.yield %1 : f32
      }
      // Z = (sum a) * (sum a b): what was there, corrected, and what is new.
      %z = cascade.einsum "RZ"[] = map(%y[], %x[]) : (tensor<f32>, tensor<f32>) -> tensor<f32> {
      ^bb2(%p: f32, %q: f32):
        %1 = arith.mulf %p, %q : f32
        cascade.yield %1 : f32
      }
      cascade.yield %y, %x, %z : tensor<f32>, tensor<f32>, tensor<f32>
    }
    cascade.yield %r#2 : tensor<f32>
  }
  return %0 : tensor<f32>
}
