// The same sum of 100 elements in blocks of 32, with the mask that triton-shared makes of it.
func.func @masked_add(%x: memref<*xf32>, %y: memref<*xf32>, %out: memref<*xf32>, %n: i32,
    %arg4: i32, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32) {
  %c32 = arith.constant 32 : i32
  %c32i = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %0 = arith.muli %arg7, %c32 : i32
  %1 = arith.index_cast %0 : i32 to index
  %a = memref.reinterpret_cast %x to offset: [%1], sizes: [32], strides: [1]
      : memref<*xf32> to memref<32xf32, strided<[1], offset: ?>>
  %aa = memref.alloc() : memref<32xf32>
  %end = arith.addi %1, %c32i : index
  %size = arith.index_cast %n : i32 to index
  %stop = arith.minsi %end, %size : index
  %last = arith.maxsi %stop, %1 : index
  %valid = arith.subi %last, %1 : index
  %all = arith.cmpi slt, %valid, %c32i : index
  scf.if %all {
    linalg.fill ins(%zero : f32) outs(%aa : memref<32xf32>)
  }
  %as = memref.subview %a[0] [%valid] [1]
      : memref<32xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  %ad = memref.subview %aa[0] [%valid] [1] : memref<32xf32> to memref<?xf32, strided<[1]>>
  memref.copy %as, %ad : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1]>>
  %at = bufferization.to_tensor %aa restrict writable : memref<32xf32>
  %s = arith.addf %at, %at : tensor<32xf32>
  %c = memref.reinterpret_cast %out to offset: [%1], sizes: [32], strides: [1]
      : memref<*xf32> to memref<32xf32, strided<[1], offset: ?>>
  %part = tensor.extract_slice %s[0] [%valid] [1] : tensor<32xf32> to tensor<?xf32>
  %cs = memref.subview %c[0] [%valid] [1]
      : memref<32xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  bufferization.materialize_in_destination %part in writable %cs
      : (tensor<?xf32>, memref<?xf32, strided<[1], offset: ?>>) -> ()
  return
}
