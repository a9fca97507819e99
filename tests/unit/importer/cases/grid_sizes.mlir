// Blocks whose sizes are arguments, of 512 x 512 tensors; the type of an argument is that of a block.
module attributes {loom.block_m = 32 : i64} {
  func.func @matmul(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>, %grid_x: index, %grid_y: index, %BM: index, %BN: index, %BK: index) {
    affine.parallel (%bx, %by) = (0, 0) to (symbol(%grid_x), symbol(%grid_y)) {
      %c0 = arith.constant 0 : index
      %c512 = arith.constant 512 : index
      %cst = arith.constant 0.000000e+00 : f32
      %0 = tensor.empty(%BM, %BN) : tensor<?x?xf32>
      %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<?x?xf32>) -> tensor<?x?xf32>
      %rows = arith.muli %bx, %BM : index
      %cols = arith.muli %by, %BN : index
      %2 = scf.for %k = %c0 to %c512 step %BK iter_args(%acc = %1) -> (tensor<?x?xf32>) {
        %r = arith.muli %rows, %c512 : index
        %o = arith.addi %r, %k : index
        %a = memref.reinterpret_cast %A to offset: [%o], sizes: [%BM, %BK], strides: [512, 1] : memref<64x64xf32> to memref<?x?xf32, strided<[512, 1], offset: ?>>
        %at = memref.alloc(%BM, %BK) : memref<?x?xf32>
        memref.copy %a, %at : memref<?x?xf32, strided<[512, 1], offset: ?>> to memref<?x?xf32>
        %ta = bufferization.to_tensor %at restrict writable : memref<?x?xf32> to tensor<?x?xf32>
        %r2 = arith.muli %k, %c512 : index
        %o2 = arith.addi %r2, %cols : index
        %b = memref.reinterpret_cast %B to offset: [%o2], sizes: [%BK, %BN], strides: [512, 1] : memref<64x64xf32> to memref<?x?xf32, strided<[512, 1], offset: ?>>
        %bt = memref.alloc(%BK, %BN) : memref<?x?xf32>
        memref.copy %b, %bt : memref<?x?xf32, strided<[512, 1], offset: ?>> to memref<?x?xf32>
        %tb = bufferization.to_tensor %bt restrict writable : memref<?x?xf32> to tensor<?x?xf32>
        %m = linalg.matmul ins(%ta, %tb : tensor<?x?xf32>, tensor<?x?xf32>) outs(%acc : tensor<?x?xf32>) -> tensor<?x?xf32>
        scf.yield %m : tensor<?x?xf32>
      }
      %r3 = arith.muli %rows, %c512 : index
      %o3 = arith.addi %r3, %cols : index
      %c = memref.reinterpret_cast %C to offset: [%o3], sizes: [%BM, %BN], strides: [512, 1] : memref<64x64xf32> to memref<?x?xf32, strided<[512, 1], offset: ?>>
      bufferization.materialize_in_destination %2 in restrict writable %c : (tensor<?x?xf32>, memref<?x?xf32, strided<[512, 1], offset: ?>>) -> ()
    }
    return
  }
}
