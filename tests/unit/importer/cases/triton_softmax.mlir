// Softmax of one row per program, as triton-shared writes it.
func.func @rowsoftmax(%out: memref<*xf32>, %rows: memref<*xf32>, %stride_in: i32, %stride_out: i32, %n: i32, %a5: i32, %a6: i32, %a7: i32, %a8: i32, %a9: i32, %a10: i32) {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %0 = arith.muli %a8, %stride_in : i32
  %1 = arith.index_cast %0 : i32 to index
  %r = memref.reinterpret_cast %rows to offset: [%1], sizes: [128], strides: [1] : memref<*xf32> to memref<128xf32, strided<[1], offset: ?>>
  %al = memref.alloc() : memref<128xf32>
  memref.copy %r, %al : memref<128xf32, strided<[1], offset: ?>> to memref<128xf32>
  %t = bufferization.to_tensor %al restrict writable : memref<128xf32>
  %i = bufferization.alloc_tensor() : tensor<f32>
  %ii = tensor.insert %low into %i[] : tensor<f32>
  %m = linalg.reduce ins(%t : tensor<128xf32>) outs(%ii : tensor<f32>) dimensions = [0]
    (%x: f32, %init: f32) {
      %mm = arith.maximumf %x, %init : f32
      linalg.yield %mm : f32
    }
  %mx = tensor.extract %m[] : tensor<f32>
  %e = tensor.empty() : tensor<128xf32>
  %ms = linalg.fill ins(%mx : f32) outs(%e : tensor<128xf32>) -> tensor<128xf32>
  %d = arith.subf %t, %ms : tensor<128xf32>
  %ex = math.exp %d : tensor<128xf32>
  %j = bufferization.alloc_tensor() : tensor<f32>
  %jj = tensor.insert %zero into %j[] : tensor<f32>
  %s = linalg.reduce ins(%ex : tensor<128xf32>) outs(%jj : tensor<f32>) dimensions = [0]
    (%x: f32, %init: f32) {
      %mm = arith.addf %x, %init : f32
      linalg.yield %mm : f32
    }
  %sx = tensor.extract %s[] : tensor<f32>
  %ss = linalg.fill ins(%sx : f32) outs(%e : tensor<128xf32>) -> tensor<128xf32>
  %q = arith.divf %ex, %ss : tensor<128xf32>
  %2 = arith.muli %a8, %stride_out : i32
  %3 = arith.index_cast %2 : i32 to index
  %w = memref.reinterpret_cast %out to offset: [%3], sizes: [128], strides: [1] : memref<*xf32> to memref<128xf32, strided<[1], offset: ?>>
  bufferization.materialize_in_destination %q in writable %w : (tensor<128xf32>, memref<128xf32, strided<[1], offset: ?>>) -> ()
  return
}
