// Two passes over a row, block by block.
func.func @rownorm(%X: memref<*xf32>, %Y: memref<*xf32>, %W: memref<*xf32>, %stride: i32, %N: i32, %g0: i32, %g1: i32, %g2: i32, %px: i32, %py: i32, %pz: i32) {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %i0 = arith.muli %px, %stride : i32
  %off = arith.index_cast %i0 : i32 to index
  %e = tensor.empty() : tensor<16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %s = scf.for %o = %c0 to %N step %c16 iter_args(%acc = %f) -> (tensor<16xf32>) : i32 {
    %oi = arith.index_cast %o : i32 to index
    %p = arith.addi %off, %oi : index
    %r = memref.reinterpret_cast %X to offset: [%p], sizes: [16], strides: [1] : memref<*xf32> to memref<16xf32, strided<[1], offset: ?>>
    %al = memref.alloc() : memref<16xf32>
    memref.copy %r, %al : memref<16xf32, strided<[1], offset: ?>> to memref<16xf32>
    %t = bufferization.to_tensor %al restrict writable : memref<16xf32>
    %a = arith.addf %acc, %t : tensor<16xf32>
    scf.yield %a : tensor<16xf32>
  }
  %i = bufferization.alloc_tensor() : tensor<f32>
  %ii = tensor.insert %z into %i[] : tensor<f32>
  %sum = linalg.reduce ins(%s : tensor<16xf32>) outs(%ii : tensor<f32>) dimensions = [0]
    (%a: f32, %b: f32) {
      %c = arith.addf %a, %b : f32
      linalg.yield %c : f32
    }
  %sx = tensor.extract %sum[] : tensor<f32>
  %nf = arith.sitofp %N : i32 to f32
  %mean = arith.divf %sx, %nf : f32
  %ms = linalg.fill ins(%mean : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  scf.for %o = %c0 to %N step %c16 : i32 {
    %oi = arith.index_cast %o : i32 to index
    %p = arith.addi %off, %oi : index
    %r = memref.reinterpret_cast %X to offset: [%p], sizes: [16], strides: [1] : memref<*xf32> to memref<16xf32, strided<[1], offset: ?>>
    %al = memref.alloc() : memref<16xf32>
    memref.copy %r, %al : memref<16xf32, strided<[1], offset: ?>> to memref<16xf32>
    %t = bufferization.to_tensor %al restrict writable : memref<16xf32>
    %wr = memref.reinterpret_cast %W to offset: [%oi], sizes: [16], strides: [1] : memref<*xf32> to memref<16xf32, strided<[1], offset: ?>>
    %wl = memref.alloc() : memref<16xf32>
    memref.copy %wr, %wl : memref<16xf32, strided<[1], offset: ?>> to memref<16xf32>
    %wt = bufferization.to_tensor %wl restrict writable : memref<16xf32>
    %d = arith.subf %t, %ms : tensor<16xf32>
    %q = arith.mulf %d, %wt : tensor<16xf32>
    %yr = memref.reinterpret_cast %Y to offset: [%p], sizes: [16], strides: [1] : memref<*xf32> to memref<16xf32, strided<[1], offset: ?>>
    bufferization.materialize_in_destination %q in writable %yr : (tensor<16xf32>, memref<16xf32, strided<[1], offset: ?>>) -> ()
  }
  return
}
