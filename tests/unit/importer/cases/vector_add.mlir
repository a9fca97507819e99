// A Triton vector sum: blocks of 32 of a launch grid, without a mask.
func.func @add_kernel(%x: memref<*xf32>, %y: memref<*xf32>, %out: memref<*xf32>, %n: i32,
    %arg4: i32, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32) {
  %c32 = arith.constant 32 : i32
  %0 = arith.muli %arg7, %c32 : i32
  %1 = arith.index_cast %0 : i32 to index
  %a = memref.reinterpret_cast %x to offset: [%1], sizes: [32], strides: [1]
      : memref<*xf32> to memref<32xf32, strided<[1], offset: ?>>
  %aa = memref.alloc() : memref<32xf32>
  memref.copy %a, %aa : memref<32xf32, strided<[1], offset: ?>> to memref<32xf32>
  %at = bufferization.to_tensor %aa restrict writable : memref<32xf32>
  %b = memref.reinterpret_cast %y to offset: [%1], sizes: [32], strides: [1]
      : memref<*xf32> to memref<32xf32, strided<[1], offset: ?>>
  %bb = memref.alloc() : memref<32xf32>
  memref.copy %b, %bb : memref<32xf32, strided<[1], offset: ?>> to memref<32xf32>
  %bt = bufferization.to_tensor %bb restrict writable : memref<32xf32>
  %s = arith.addf %at, %bt : tensor<32xf32>
  %c = memref.reinterpret_cast %out to offset: [%1], sizes: [32], strides: [1]
      : memref<*xf32> to memref<32xf32, strided<[1], offset: ?>>
  bufferization.materialize_in_destination %s in writable %c
      : (tensor<32xf32>, memref<32xf32, strided<[1], offset: ?>>) -> ()
  return
}
