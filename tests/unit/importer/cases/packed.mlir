// A product in blocks, as data tiling writes it; the last blocks of rows are not full.
func.func @packed(%A: tensor<7x12xf32>, %B: tensor<12x16xf32>) -> tensor<7x16xf32> {
  %zero = arith.constant 0.0 : f32
  %ae = tensor.empty() : tensor<2x3x4x4xf32>
  %be = tensor.empty() : tensor<2x3x8x4xf32>
  %ce = tensor.empty() : tensor<2x2x4x8xf32>
  %a = tensor.pack %A padding_value(%zero : f32) outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %ae : tensor<7x12xf32> -> tensor<2x3x4x4xf32>
  %b = tensor.pack %B outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [8, 4] into %be : tensor<12x16xf32> -> tensor<2x3x8x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%ce : tensor<2x2x4x8xf32>) -> tensor<2x2x4x8xf32>
  %c = linalg.mmt4d ins(%a, %b : tensor<2x3x4x4xf32>, tensor<2x3x8x4xf32>) outs(%f : tensor<2x2x4x8xf32>) -> tensor<2x2x4x8xf32>
  %e = tensor.empty() : tensor<7x16xf32>
  %r = tensor.unpack %c inner_dims_pos = [0, 1] inner_tiles = [4, 8] into %e : tensor<2x2x4x8xf32> -> tensor<7x16xf32>
  return %r : tensor<7x16xf32>
}
