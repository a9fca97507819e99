// Programs in the style of tpp-mlir: layouts in blocks, operations as linalg.generic with six and
// more loops, calls that later passes would make.
#a = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d3, d5)>
#b = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d5, d4)>
#c = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d4)>
#id4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#bias4 = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>
#col = affine_map<(d0, d1) -> (d1)>

// CALL packed_layer x=tensor:2x3x4x8 w=tensor:2x3x8x8 bias=tensor:2x8 out=tensor:2x2x4x8 -> 2x2x4x8
func.func @packed_layer(%x: tensor<2x3x4x8xf32>, %w: tensor<2x3x8x8xf32>, %bias: tensor<2x8xf32>, %out: tensor<2x2x4x8xf32>) -> tensor<2x2x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<2x3x4x8xf32>, tensor<2x3x8x8xf32>) outs(%out : tensor<2x2x4x8xf32>) {
  ^bb0(%in: f32, %in_0: f32, %o: f32):
    %p = arith.mulf %in, %in_0 : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x2x4x8xf32>
  %1 = linalg.generic {indexing_maps = [#bias4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%bias : tensor<2x8xf32>) outs(%0 : tensor<2x2x4x8xf32>) {
  ^bb0(%in: f32, %o: f32):
    %s = arith.addf %in, %o : f32
    linalg.yield %s : f32
  } -> tensor<2x2x4x8xf32>
  %2 = linalg.generic {indexing_maps = [#id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%1 : tensor<2x2x4x8xf32>) {
  ^bb0(%o: f32):
    %s = arith.maximumf %o, %zero : f32
    linalg.yield %s : f32
  } -> tensor<2x2x4x8xf32>
  return %2 : tensor<2x2x4x8xf32>
}

// Pairs of rows stand side by side, as 16-bit dot products want them.
// CALL vnni x=tensor:8x12 w=tensor:6x16x2 -> 8x16
func.func @vnni(%x: tensor<8x12xbf16>, %w: tensor<6x16x2xbf16>) -> tensor<8x16xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<8x16xbf16>
  %f = linalg.fill ins(%zero : bf16) outs(%e : tensor<8x16xbf16>) -> tensor<8x16xbf16>
  %xv = tensor.expand_shape %x [[0], [1, 2]] output_shape [8, 6, 2] : tensor<8x12xbf16> into tensor<8x6x2xbf16>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%xv, %w : tensor<8x6x2xbf16>, tensor<6x16x2xbf16>) outs(%f : tensor<8x16xbf16>) {
  ^bb0(%in: bf16, %in_0: bf16, %o: bf16):
    %p = arith.mulf %in, %in_0 : bf16
    %s = arith.addf %o, %p : bf16
    linalg.yield %s : bf16
  } -> tensor<8x16xbf16>
  return %0 : tensor<8x16xbf16>
}

// CALL brgemm A=memref:3x8x4 B=memref:3x4x16 C=memref:8x16 -> C:8x16
func.func @brgemm(%A: memref<3x8x4xf32>, %B: memref<3x4x16xf32>, %C: memref<8x16xf32>) {
  linalg.batch_reduce_matmul ins(%A, %B : memref<3x8x4xf32>, memref<3x4x16xf32>) outs(%C : memref<8x16xf32>)
  return
}

// Blocks of an output in parallel, each a reduction over blocks; views drop dimensions.
// CALL forall_blocks x=memref:2x3x4x8 w=memref:2x3x8x8 y=memref:2x2x4x8 -> y:2x2x4x8
func.func @forall_blocks(%x: memref<2x3x4x8xf32>, %w: memref<2x3x8x8xf32>, %y: memref<2x2x4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  scf.forall (%i, %j) in (2, 2) {
    %yv = memref.subview %y[%i, %j, 0, 0] [1, 1, 4, 8] [1, 1, 1, 1] : memref<2x2x4x8xf32> to memref<4x8xf32, strided<[8, 1], offset: ?>>
    linalg.fill ins(%zero : f32) outs(%yv : memref<4x8xf32, strided<[8, 1], offset: ?>>)
    %xv = memref.subview %x[%i, 0, 0, 0] [1, 3, 4, 8] [1, 1, 1, 1] : memref<2x3x4x8xf32> to memref<3x4x8xf32, strided<[32, 8, 1], offset: ?>>
    %wv = memref.subview %w[%j, 0, 0, 0] [1, 3, 8, 8] [1, 1, 1, 1] : memref<2x3x8x8xf32> to memref<3x8x8xf32, strided<[64, 8, 1], offset: ?>>
    linalg.batch_reduce_matmul ins(%xv, %wv : memref<3x4x8xf32, strided<[32, 8, 1], offset: ?>>, memref<3x8x8xf32, strided<[64, 8, 1], offset: ?>>) outs(%yv : memref<4x8xf32, strided<[8, 1], offset: ?>>)
    linalg.generic {indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]} outs(%yv : memref<4x8xf32, strided<[8, 1], offset: ?>>) {
    ^bb0(%o: f32):
      %s = arith.maximumf %o, %zero : f32
      linalg.yield %s : f32
    }
  }
  return
}

// Three layers as named operations.
// CALL mlp3 x=tensor:4x8 w1=tensor:8x12 w2=tensor:12x8 w3=tensor:8x4 b1=tensor:12 -> 4x4
func.func @mlp3(%x: tensor<4x8xf32>, %w1: tensor<8x12xf32>, %w2: tensor<12x8xf32>, %w3: tensor<8x4xf32>, %b1: tensor<12xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<4x12xf32>
  %b = linalg.generic {indexing_maps = [#col, #id2], iterator_types = ["parallel", "parallel"]} ins(%b1 : tensor<12xf32>) outs(%e1 : tensor<4x12xf32>) {
  ^bb0(%in: f32, %o: f32):
    linalg.yield %in : f32
  } -> tensor<4x12xf32>
  %0 = linalg.matmul ins(%x, %w1 : tensor<4x8xf32>, tensor<8x12xf32>) outs(%b : tensor<4x12xf32>) -> tensor<4x12xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4x12xf32>) -> tensor<4x12xf32>
  %1 = linalg.max ins(%0, %z1 : tensor<4x12xf32>, tensor<4x12xf32>) outs(%e1 : tensor<4x12xf32>) -> tensor<4x12xf32>
  %e2 = tensor.empty() : tensor<4x8xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = linalg.matmul ins(%1, %w2 : tensor<4x12xf32>, tensor<12x8xf32>) outs(%z2 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = linalg.max ins(%2, %z2 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e2 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %e3 = tensor.empty() : tensor<4x4xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = linalg.matmul ins(%3, %w3 : tensor<4x8xf32>, tensor<8x4xf32>) outs(%z3 : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %4 : tensor<4x4xf32>
}

// Small kernels as contractions of vectors, blocks by loops that carry the sum.
// CALL contract_loop A=memref:2x4x8x8 B=memref:2x4x8x8 C=memref:16x16 -> C:16x16
func.func @contract_loop(%A: memref<2x4x8x8xf32>, %B: memref<2x4x8x8xf32>, %C: memref<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%i, %j) in (2, 2) {
    %i8 = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
    %j8 = affine.apply affine_map<(d0) -> (d0 * 8)>(%j)
    %cv = memref.subview %C[%i8, %j8] [8, 8] [1, 1] : memref<16x16xf32> to memref<8x8xf32, strided<[16, 1], offset: ?>>
    %init = vector.transfer_read %cv[%c0, %c0], %zero {in_bounds = [true, true]} : memref<8x8xf32, strided<[16, 1], offset: ?>>, vector<8x8xf32>
    %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %init) -> (vector<8x8xf32>) {
      %a = vector.transfer_read %A[%i, %k, %c0, %c0], %zero {in_bounds = [true, true]} : memref<2x4x8x8xf32>, vector<8x8xf32>
      %b = vector.transfer_read %B[%j, %k, %c0, %c0], %zero {in_bounds = [true, true]} : memref<2x4x8x8xf32>, vector<8x8xf32>
      %s = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %acc : vector<8x8xf32>, vector<8x8xf32> into vector<8x8xf32>
      scf.yield %s : vector<8x8xf32>
    }
    vector.transfer_write %r, %cv[%c0, %c0] {in_bounds = [true, true]} : vector<8x8xf32>, memref<8x8xf32, strided<[16, 1], offset: ?>>
  }
  return
}

// CALL pack_matmul A=tensor:12x16 B=tensor:16x8 -> 12x8
func.func @pack_matmul(%A: tensor<12x16xf32>, %B: tensor<16x8xf32>) -> tensor<12x8xf32> {
  %zero = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<3x4x4x4xf32>
  %pa = tensor.pack %A inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %ea : tensor<12x16xf32> -> tensor<3x4x4x4xf32>
  %eb = tensor.empty() : tensor<2x4x4x4xf32>
  %pb = tensor.pack %B outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %eb : tensor<16x8xf32> -> tensor<2x4x4x4xf32>
  %ec = tensor.empty() : tensor<3x2x4x4xf32>
  %fc = linalg.fill ins(%zero : f32) outs(%ec : tensor<3x2x4x4xf32>) -> tensor<3x2x4x4xf32>
  %pc = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%pa, %pb : tensor<3x4x4x4xf32>, tensor<2x4x4x4xf32>) outs(%fc : tensor<3x2x4x4xf32>) {
  ^bb0(%in: f32, %in_0: f32, %o: f32):
    %p = arith.mulf %in, %in_0 : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<3x2x4x4xf32>
  %e = tensor.empty() : tensor<12x8xf32>
  %u = tensor.unpack %pc inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %e : tensor<3x2x4x4xf32> -> tensor<12x8xf32>
  return %u : tensor<12x8xf32>
}

// A softmax as four operations on memory, with rows of one column.
// CALL softmax_memory x=memref:4x16 y=memref:4x16 -> y:4x16
func.func @softmax_memory(%x: memref<4x16xf32>, %y: memref<4x16xf32>) {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %m = memref.alloc() {alignment = 64 : i64} : memref<4x1xf32>
  linalg.fill ins(%low : f32) outs(%m : memref<4x1xf32>)
  linalg.generic {indexing_maps = [#id2, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<4x16xf32>) outs(%m : memref<4x1xf32>) {
  ^bb0(%in: f32, %o: f32):
    %g = arith.maximumf %in, %o : f32
    linalg.yield %g : f32
  }
  linalg.generic {indexing_maps = [#id2, #row, #id2], iterator_types = ["parallel", "parallel"]} ins(%x, %m : memref<4x16xf32>, memref<4x1xf32>) outs(%y : memref<4x16xf32>) {
  ^bb0(%in: f32, %g: f32, %o: f32):
    %d = arith.subf %in, %g : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  }
  %s = memref.alloc() : memref<4x1xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<4x1xf32>)
  linalg.generic {indexing_maps = [#id2, #row], iterator_types = ["parallel", "reduction"]} ins(%y : memref<4x16xf32>) outs(%s : memref<4x1xf32>) {
  ^bb0(%in: f32, %o: f32):
    %g = arith.addf %in, %o : f32
    linalg.yield %g : f32
  }
  linalg.generic {indexing_maps = [#row, #id2], iterator_types = ["parallel", "parallel"]} ins(%s : memref<4x1xf32>) outs(%y : memref<4x16xf32>) {
  ^bb0(%in: f32, %o: f32):
    %d = arith.divf %o, %in : f32
    linalg.yield %d : f32
  }
  memref.dealloc %m : memref<4x1xf32>
  memref.dealloc %s : memref<4x1xf32>
  return
}

// CALL mmt4d A=tensor:2x3x4x2 B=tensor:2x3x8x2 C=tensor:2x2x4x8 -> 2x2x4x8
func.func @mmt4d(%A: tensor<2x3x4x2xf32>, %B: tensor<2x3x8x2xf32>, %C: tensor<2x2x4x8xf32>) -> tensor<2x2x4x8xf32> {
  %0 = linalg.mmt4d ins(%A, %B : tensor<2x3x4x2xf32>, tensor<2x3x8x2xf32>) outs(%C : tensor<2x2x4x8xf32>) -> tensor<2x2x4x8xf32>
  return %0 : tensor<2x2x4x8xf32>
}
