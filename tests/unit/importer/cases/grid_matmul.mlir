// One block of 4 x 4 per point of a launch grid, as TileLoom takes it from its front end: A is
// 12 x 20, B 20 x 8, C 12 x 8.
func.func @matmul(%A: memref<*xf32>, %B: memref<*xf32>, %C: memref<*xf32>,
                  %grid_dim_x: index, %grid_dim_y: index, %grid_dim_z: index) {
  affine.parallel (%block_id_x, %block_id_y) = (0, 0) to (symbol(%grid_dim_x), symbol(%grid_dim_y)) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<4x4xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = scf.for %k = %c0 to %c5 step %c1 iter_args(%acc = %1) -> (tensor<4x4xf32>) {
      %4 = affine.apply affine_map<(d0, d1) -> (d1 * 80 + d0 * 4)>(%k, %block_id_x)
      %a = memref.reinterpret_cast %A to offset: [%4], sizes: [4, 4], strides: [20, 1]
          : memref<*xf32> to memref<4x4xf32, strided<[20, 1], offset: ?>>
      %alloc = memref.alloc() : memref<4x4xf32>
      memref.copy %a, %alloc : memref<4x4xf32, strided<[20, 1], offset: ?>> to memref<4x4xf32>
      %5 = bufferization.to_tensor %alloc restrict writable : memref<4x4xf32>
      %6 = affine.apply affine_map<(d0, d1) -> (d1 * 32 + d0 * 4)>(%block_id_y, %k)
      %b = memref.reinterpret_cast %B to offset: [%6], sizes: [4, 4], strides: [8, 1]
          : memref<*xf32> to memref<4x4xf32, strided<[8, 1], offset: ?>>
      %alloc_2 = memref.alloc() : memref<4x4xf32>
      memref.copy %b, %alloc_2 : memref<4x4xf32, strided<[8, 1], offset: ?>> to memref<4x4xf32>
      %7 = bufferization.to_tensor %alloc_2 restrict writable : memref<4x4xf32>
      %8 = linalg.matmul ins(%5, %7 : tensor<4x4xf32>, tensor<4x4xf32>)
                         outs(%acc : tensor<4x4xf32>) -> tensor<4x4xf32>
      scf.yield %8 : tensor<4x4xf32>
    }
    %9 = affine.apply affine_map<(d0, d1) -> (d0 * 32 + d1 * 4)>(%block_id_x, %block_id_y)
    %c = memref.reinterpret_cast %C to offset: [%9], sizes: [4, 4], strides: [8, 1]
        : memref<*xf32> to memref<4x4xf32, strided<[8, 1], offset: ?>>
    bufferization.materialize_in_destination %2 in writable %c
        : (tensor<4x4xf32>, memref<4x4xf32, strided<[8, 1], offset: ?>>) -> ()
  }
  return
}
