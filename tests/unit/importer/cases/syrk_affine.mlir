// PolyBench's syrk: the lower triangle of C = alpha * A * A' + beta * C, with a triangular loop.
func.func @syrk(%alpha: f32, %beta: f32, %C: memref<8x8xf32>, %A: memref<8x6xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %c = affine.load %C[%i, %j] : memref<8x8xf32>
      %s = arith.mulf %c, %beta : f32
      affine.store %s, %C[%i, %j] : memref<8x8xf32>
    }
    affine.for %k = 0 to 6 {
      affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
        %a = affine.load %A[%i, %k] : memref<8x6xf32>
        %b = affine.load %A[%j, %k] : memref<8x6xf32>
        %p = arith.mulf %a, %b : f32
        %q = arith.mulf %alpha, %p : f32
        %c = affine.load %C[%i, %j] : memref<8x8xf32>
        %s = arith.addf %c, %q : f32
        affine.store %s, %C[%i, %j] : memref<8x8xf32>
      }
    }
  }
  return
}
