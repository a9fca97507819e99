// A running softmax over the blocks of keys up to the query: the end of the loop depends on the
// program.
func.func @causal_triton(%s: memref<32x32xf32>, %o: memref<32xf32>, %g0: i32, %g1: i32, %g2: i32, %px: i32, %py: i32, %pz: i32) {
  %z = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %e = tensor.empty() : tensor<8xf32>
  %l0 = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %m0 = linalg.fill ins(%low : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %p1 = arith.addi %px, %c1 : i32
  %hi = arith.muli %p1, %c8 : i32
  %row = arith.muli %px, %c8 : i32
  %ri = arith.index_cast %row : i32 to index
  %r:2 = scf.for %j = %c0 to %hi step %c8 iter_args(%l = %l0, %m = %m0) -> (tensor<8xf32>, tensor<8xf32>) : i32 {
    %ji = arith.index_cast %j : i32 to index
    %sv = memref.subview %s[%ri, %ji] [8, 8] [1, 1] : memref<32x32xf32> to memref<8x8xf32, strided<[32, 1], offset: ?>>
    %sa = memref.alloc() : memref<8x8xf32>
    memref.copy %sv, %sa : memref<8x8xf32, strided<[32, 1], offset: ?>> to memref<8x8xf32>
    %st = bufferization.to_tensor %sa restrict writable : memref<8x8xf32>
    %e2 = tensor.empty() : tensor<8x8xf32>
    %sm = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%st : tensor<8x8xf32>) outs(%e2 : tensor<8x8xf32>) {
    ^bb0(%x: f32, %out: f32):
      %a = linalg.index 0 : index
      %b = linalg.index 1 : index
      %ai = arith.addi %a, %ri : index
      %bi = arith.addi %b, %ji : index
      %c = arith.cmpi sge, %ai, %bi : index
      %v = arith.select %c, %x, %low : f32
      linalg.yield %v : f32
    } -> tensor<8x8xf32>
    %mi = linalg.fill ins(%low : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %mr = linalg.reduce ins(%sm : tensor<8x8xf32>) outs(%mi : tensor<8xf32>) dimensions = [1]
      (%x: f32, %init: f32) {
        %g = arith.maximumf %x, %init : f32
        linalg.yield %g : f32
      }
    %mn = arith.maximumf %m, %mr : tensor<8xf32>
    %mb = linalg.broadcast ins(%mn : tensor<8xf32>) outs(%e2 : tensor<8x8xf32>) dimensions = [1]
    %d = arith.subf %sm, %mb : tensor<8x8xf32>
    %p = math.exp %d : tensor<8x8xf32>
    %li = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %lr = linalg.reduce ins(%p : tensor<8x8xf32>) outs(%li : tensor<8xf32>) dimensions = [1]
      (%x: f32, %init: f32) {
        %g = arith.addf %x, %init : f32
        linalg.yield %g : f32
      }
    %md = arith.subf %m, %mn : tensor<8xf32>
    %al = math.exp %md : tensor<8xf32>
    %l1 = arith.mulf %l, %al : tensor<8xf32>
    %l2 = arith.addf %l1, %lr : tensor<8xf32>
    scf.yield %l2, %mn : tensor<8xf32>, tensor<8xf32>
  }
  %lg = math.log %r#0 : tensor<8xf32>
  %res = arith.addf %lg, %r#1 : tensor<8xf32>
  %ov = memref.subview %o[%ri] [8] [1] : memref<32xf32> to memref<8xf32, strided<[1], offset: ?>>
  bufferization.materialize_in_destination %res in writable %ov : (tensor<8xf32>, memref<8xf32, strided<[1], offset: ?>>) -> ()
  return
}
