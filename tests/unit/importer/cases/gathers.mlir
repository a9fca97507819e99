// Elements at indices that are read from data.
func.func @embed(%table: tensor<12x8xf32>, %id: tensor<4x3xi64>) -> tensor<4x3x8xf32> {
  %e = tensor.empty() : tensor<4x3x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%id : tensor<4x3xi64>) outs(%e : tensor<4x3x8xf32>) {
  ^bb0(%in: i64, %out: f32):
    %i = arith.index_cast %in : i64 to index
    %j = linalg.index 2 : index
    %v = tensor.extract %table[%i, %j] : tensor<12x8xf32>
    linalg.yield %v : f32
  } -> tensor<4x3x8xf32>
  return %r : tensor<4x3x8xf32>
}
func.func @pick(%x: memref<12xf32>, %at: memref<6xi32>, %y: memref<6xf32>) {
  affine.for %n = 0 to 6 {
    %i = affine.load %at[%n] : memref<6xi32>
    %j = arith.index_cast %i : i32 to index
    %v = memref.load %x[%j] : memref<12xf32>
    %w = arith.mulf %v, %v : f32
    affine.store %w, %y[%n] : memref<6xf32>
  }
  return
}
