// PolyBench's 2mm as loops over memory: D = alpha * A * B * C + beta * D.
func.func @two_products(%alpha: f32, %beta: f32, %tmp: memref<6x8xf32>, %A: memref<6x10xf32>,
                        %B: memref<10x8xf32>, %C: memref<8x4xf32>, %D: memref<6x4xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 8 {
      affine.store %zero, %tmp[%i, %j] : memref<6x8xf32>
      affine.for %k = 0 to 10 {
        %a = affine.load %A[%i, %k] : memref<6x10xf32>
        %scaled = arith.mulf %alpha, %a : f32
        %b = affine.load %B[%k, %j] : memref<10x8xf32>
        %p = arith.mulf %scaled, %b : f32
        %old = affine.load %tmp[%i, %j] : memref<6x8xf32>
        %sum = arith.addf %old, %p : f32
        affine.store %sum, %tmp[%i, %j] : memref<6x8xf32>
      }
    }
  }
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 4 {
      %d = affine.load %D[%i, %j] : memref<6x4xf32>
      %scaled = arith.mulf %d, %beta : f32
      affine.store %scaled, %D[%i, %j] : memref<6x4xf32>
      affine.for %k = 0 to 8 {
        %t = affine.load %tmp[%i, %k] : memref<6x8xf32>
        %c = affine.load %C[%k, %j] : memref<8x4xf32>
        %p = arith.mulf %t, %c : f32
        %old = affine.load %D[%i, %j] : memref<6x4xf32>
        %sum = arith.addf %old, %p : f32
        affine.store %sum, %D[%i, %j] : memref<6x4xf32>
      }
    }
  }
  return
}
