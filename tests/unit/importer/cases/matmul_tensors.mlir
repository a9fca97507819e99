// A matrix product on tensors.
func.func @matmul(%A: tensor<12x20xf32>, %B: tensor<20x8xf32>) -> tensor<12x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<12x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<12x8xf32>) -> tensor<12x8xf32>
  %product = linalg.matmul ins(%A, %B : tensor<12x20xf32>, tensor<20x8xf32>)
                           outs(%init : tensor<12x8xf32>) -> tensor<12x8xf32>
  return %product : tensor<12x8xf32>
}
