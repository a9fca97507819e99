// Two layers: Y = relu(X W1 + b) W2. Two products: two kernels.
func.func @mlp(%X: tensor<8x12xf16>, %W1: tensor<12x16xf16>, %b: tensor<16xf16>,
               %W2: tensor<16x4xf16>) -> tensor<8x4xf16> {
  %zero = arith.constant 0.0 : f16
  %e1 = tensor.empty() : tensor<8x16xf16>
  %f1 = linalg.fill ins(%zero : f16) outs(%e1 : tensor<8x16xf16>) -> tensor<8x16xf16>
  %h = linalg.matmul ins(%X, %W1 : tensor<8x12xf16>, tensor<12x16xf16>)
                     outs(%f1 : tensor<8x16xf16>) -> tensor<8x16xf16>
  %wide = linalg.broadcast ins(%b : tensor<16xf16>) outs(%e1 : tensor<8x16xf16>) dimensions = [0]
  %s = arith.addf %h, %wide : tensor<8x16xf16>
  %z = tensor.splat %zero : tensor<8x16xf16>
  %r = arith.maximumf %s, %z : tensor<8x16xf16>
  %e2 = tensor.empty() : tensor<8x4xf16>
  %f2 = linalg.fill ins(%zero : f16) outs(%e2 : tensor<8x4xf16>) -> tensor<8x4xf16>
  %Y = linalg.matmul ins(%r, %W2 : tensor<8x16xf16>, tensor<16x4xf16>)
                     outs(%f2 : tensor<8x4xf16>) -> tensor<8x4xf16>
  return %Y : tensor<8x4xf16>
}
