// Attention in four operations: two kernels.
func.func @attention(%Q: tensor<2x64x32xf16>, %K: tensor<2x64x32xf16>, %V: tensor<2x64x32xf16>) -> tensor<2x64x32xf16> {
  %z = arith.constant 0.0 : f16
  %s = arith.constant 0.17677 : f16
  %kt_e = tensor.empty() : tensor<2x32x64xf16>
  %kt = linalg.transpose ins(%K : tensor<2x64x32xf16>) outs(%kt_e : tensor<2x32x64xf16>) permutation = [0, 2, 1]
  %e = tensor.empty() : tensor<2x64x64xf16>
  %f = linalg.fill ins(%z : f16) outs(%e : tensor<2x64x64xf16>) -> tensor<2x64x64xf16>
  %qk = linalg.batch_matmul ins(%Q, %kt : tensor<2x64x32xf16>, tensor<2x32x64xf16>) outs(%f : tensor<2x64x64xf16>) -> tensor<2x64x64xf16>
  %sc = tensor.splat %s : tensor<2x64x64xf16>
  %sqk = arith.mulf %qk, %sc : tensor<2x64x64xf16>
  %p = linalg.softmax dimension(2) ins(%sqk : tensor<2x64x64xf16>) outs(%e : tensor<2x64x64xf16>) -> tensor<2x64x64xf16>
  %oe = tensor.empty() : tensor<2x64x32xf16>
  %of = linalg.fill ins(%z : f16) outs(%oe : tensor<2x64x32xf16>) -> tensor<2x64x32xf16>
  %o = linalg.batch_matmul ins(%p, %V : tensor<2x64x64xf16>, tensor<2x64x32xf16>) outs(%of : tensor<2x64x32xf16>) -> tensor<2x64x32xf16>
  return %o : tensor<2x64x32xf16>
}
