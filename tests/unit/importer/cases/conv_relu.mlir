// A convolution, a bias and relu; then a product with another matrix: two kernels.
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>
func.func @conv(%image: tensor<1x3x8x8xf32>, %filter: tensor<4x3x3x3xf32>, %bias: tensor<4xf32>)
    -> tensor<1x4x6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x4x6x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  %conv = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%image, %filter : tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>)
      outs(%init : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  %relu = linalg.generic {indexing_maps = [#map, #channel, #map],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%conv, %bias : tensor<1x4x6x6xf32>, tensor<4xf32>) outs(%empty : tensor<1x4x6x6xf32>) {
  ^bb0(%in: f32, %b: f32, %out: f32):
    %s = arith.addf %in, %b : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<1x4x6x6xf32>
  return %relu : tensor<1x4x6x6xf32>
}
