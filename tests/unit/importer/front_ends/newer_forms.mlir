// Functions of further programs, each in a form of its own.
#ij = affine_map<(d0, d1) -> (d0, d1)>
#i_ = affine_map<(d0, d1) -> (d0)>
#i = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
#nchw = affine_map<(n, c, h, w) -> (n, c, h, w)>
#c_ = affine_map<(n, c, h, w) -> (c)>
#nc = affine_map<(n, c, h, w) -> (n, c)>

// CALL two_sums x=tensor:4x6 -> 4
func.func @two_sums(%x: tensor<4x6xf32>) -> tensor<4xf32> {
  %z = arith.constant 0.0 : f32
  %n = arith.constant 6.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %s:2 = linalg.generic {indexing_maps = [#ij, #i_, #i_], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x6xf32>) outs(%f, %f : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %p: f32, %q: f32):
    %1 = arith.addf %p, %a : f32
    %2 = arith.mulf %a, %a : f32
    %3 = arith.addf %q, %2 : f32
    linalg.yield %1, %3 : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  %r = linalg.generic {indexing_maps = [#i, #i, #i], iterator_types = ["parallel"]} ins(%s#0, %s#1 : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.divf %a, %n : f32
    %v = arith.divf %b, %n : f32
    %mm = arith.mulf %m, %m : f32
    %d = arith.subf %v, %mm : f32
    linalg.yield %d : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CALL batch_norm x=tensor:2x3x4x4 m=tensor:3 v=tensor:3 g=tensor:3 b=tensor:3 -> 2x3x4x4
func.func @batch_norm(%x: tensor<2x3x4x4xf32>, %m: tensor<3xf32>, %v: tensor<3xf32>, %g: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<2x3x4x4xf32> {
  %eps = arith.constant 1.000000e-05 : f32
  %r = linalg.generic {indexing_maps = [#nchw, #c_, #c_, #c_, #c_, #nchw], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %g, %b, %m, %v : tensor<2x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%x : tensor<2x3x4x4xf32>) {
  ^bb0(%a: f32, %ga: f32, %be: f32, %mu: f32, %va: f32, %o: f32):
    %vv = math.absf %va : f32
    %s = arith.addf %vv, %eps : f32
    %q = math.rsqrt %s : f32
    %d = arith.subf %a, %mu : f32
    %t = arith.mulf %d, %q : f32
    %u = arith.mulf %t, %ga : f32
    %w = arith.addf %u, %be : f32
    linalg.yield %w : f32
  } -> tensor<2x3x4x4xf32>
  return %r : tensor<2x3x4x4xf32>
}

// CALL squeeze_excite x=tensor:1x4x5x5 w=tensor:4x4 -> 1x4x5x5
func.func @squeeze_excite(%x: tensor<1x4x5x5xf32>, %w: tensor<4x4xf32>) -> tensor<1x4x5x5xf32> {
  %z = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %n = arith.constant 25.0 : f32
  %e = tensor.empty() : tensor<1x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x4xf32>) -> tensor<1x4xf32>
  %p = linalg.generic {indexing_maps = [#nchw, #nc], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%x : tensor<1x4x5x5xf32>) outs(%f : tensor<1x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %a, %o : f32
    linalg.yield %1 : f32
  } -> tensor<1x4xf32>
  %wt_e = tensor.empty() : tensor<4x4xf32>
  %wt = linalg.transpose ins(%w : tensor<4x4xf32>) outs(%wt_e : tensor<4x4xf32>) permutation = [1, 0]
  %h = linalg.matmul ins(%p, %wt : tensor<1x4xf32>, tensor<4x4xf32>) outs(%f : tensor<1x4xf32>) -> tensor<1x4xf32>
  %g = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%h : tensor<1x4xf32>) outs(%e : tensor<1x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.divf %a, %n : f32
    %2 = arith.negf %1 : f32
    %3 = math.exp %2 : f32
    %4 = arith.addf %3, %one : f32
    %5 = arith.divf %one, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<1x4xf32>
  %oe = tensor.empty() : tensor<1x4x5x5xf32>
  %r = linalg.generic {indexing_maps = [#nchw, #nc, #nchw], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %g : tensor<1x4x5x5xf32>, tensor<1x4xf32>) outs(%oe : tensor<1x4x5x5xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %1 = arith.mulf %a, %s : f32
    linalg.yield %1 : f32
  } -> tensor<1x4x5x5xf32>
  return %r : tensor<1x4x5x5xf32>
}

// CALL pixel_shuffle x=tensor:1x8x3x3 -> 1x2x6x6
func.func @pixel_shuffle(%x: tensor<1x8x3x3xf32>) -> tensor<1x2x6x6xf32> {
  %a = tensor.expand_shape %x [[0], [1, 2, 3], [4], [5]] output_shape [1, 2, 2, 2, 3, 3] : tensor<1x8x3x3xf32> into tensor<1x2x2x2x3x3xf32>
  %e = tensor.empty() : tensor<1x2x3x2x3x2xf32>
  %t = linalg.transpose ins(%a : tensor<1x2x2x2x3x3xf32>) outs(%e : tensor<1x2x3x2x3x2xf32>) permutation = [0, 1, 4, 2, 5, 3]
  %r = tensor.collapse_shape %t [[0], [1], [2, 3], [4, 5]] : tensor<1x2x3x2x3x2xf32> into tensor<1x2x6x6xf32>
  return %r : tensor<1x2x6x6xf32>
}

// CALL one_hot i=tensor:6:i64<5 -> 6x5
func.func @one_hot(%i: tensor<6xi64>) -> tensor<6x5xf32> {
  %z = arith.constant 0.0 : f32
  %o = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<6x5xf32>
  %r = linalg.generic {indexing_maps = [#i_, #ij], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<6xi64>) outs(%e : tensor<6x5xf32>) {
  ^bb0(%a: i64, %out: f32):
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i64
    %c = arith.cmpi eq, %a, %k : i64
    %s = arith.select %c, %o, %z : f32
    linalg.yield %s : f32
  } -> tensor<6x5xf32>
  return %r : tensor<6x5xf32>
}

// CALL roll x=tensor:8x5 -> 8x5
func.func @roll(%x: tensor<8x5xf32>) -> tensor<8x5xf32> {
  %a = tensor.extract_slice %x[5, 0] [3, 5] [1, 1] : tensor<8x5xf32> to tensor<3x5xf32>
  %b = tensor.extract_slice %x[0, 0] [5, 5] [1, 1] : tensor<8x5xf32> to tensor<5x5xf32>
  %r = tensor.concat dim(0) %a, %b : (tensor<3x5xf32>, tensor<5x5xf32>) -> tensor<8x5xf32>
  return %r : tensor<8x5xf32>
}

// CALL brgemm_bias_relu a=tensor:3x4x5 b=tensor:3x5x6 bias=tensor:6 -> 4x6
func.func @brgemm_bias_relu(%a: tensor<3x4x5xf32>, %b: tensor<3x5x6xf32>, %bias: tensor<6xf32>) -> tensor<4x6xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x6xf32>
  %init = linalg.broadcast ins(%bias : tensor<6xf32>) outs(%e : tensor<4x6xf32>) dimensions = [0]
  %m = linalg.batch_reduce_matmul ins(%a, %b : tensor<3x4x5xf32>, tensor<3x5x6xf32>) outs(%init : tensor<4x6xf32>) -> tensor<4x6xf32>
  %r = linalg.generic {indexing_maps = [#ij], iterator_types = ["parallel", "parallel"]} outs(%m : tensor<4x6xf32>) {
  ^bb0(%o: f32):
    %1 = arith.maximumf %o, %z : f32
    linalg.yield %1 : f32
  } -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// CALL huber p=tensor:10 t=tensor:10 -> scalar
func.func @huber(%p: tensor<10xf32>, %t: tensor<10xf32>) -> tensor<f32> {
  %z = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {indexing_maps = [#i, #i, #none], iterator_types = ["reduction"]} ins(%p, %t : tensor<10xf32>, tensor<10xf32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %ab = math.absf %d : f32
    %sq = arith.mulf %d, %d : f32
    %q = arith.mulf %sq, %half : f32
    %l = arith.subf %ab, %half : f32
    %c = arith.cmpf olt, %ab, %one : f32
    %s = arith.select %c, %q, %l : f32
    %u = arith.addf %o, %s : f32
    linalg.yield %u : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

// CALL gqa_scores q=tensor:4x3x5 k=tensor:2x6x5 -> 4x3x6
func.func @gqa_scores(%q: tensor<4x3x5xf32>, %k: tensor<2x6x5xf32>) -> tensor<4x3x6xf32> {
  %z = arith.constant 0.0 : f32
  %be = tensor.empty() : tensor<2x2x6x5xf32>
  %bk = linalg.broadcast ins(%k : tensor<2x6x5xf32>) outs(%be : tensor<2x2x6x5xf32>) dimensions = [1]
  %kk = tensor.collapse_shape %bk [[0, 1], [2], [3]] : tensor<2x2x6x5xf32> into tensor<4x6x5xf32>
  %e = tensor.empty() : tensor<4x3x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x3x6xf32>) -> tensor<4x3x6xf32>
  %r = linalg.batch_matmul_transpose_b ins(%q, %kk : tensor<4x3x5xf32>, tensor<4x6x5xf32>) outs(%f : tensor<4x3x6xf32>) -> tensor<4x3x6xf32>
  return %r : tensor<4x3x6xf32>
}

// CALL power_method a=tensor:5x5 v=tensor:5 -> 5
func.func @power_method(%a: tensor<5x5xf32>, %v: tensor<5xf32>) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %t = %c0 to %c3 step %c1 iter_args(%x = %v) -> (tensor<5xf32>) {
    %e = tensor.empty() : tensor<5xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
    %y = linalg.matvec ins(%a, %x : tensor<5x5xf32>, tensor<5xf32>) outs(%f : tensor<5xf32>) -> tensor<5xf32>
    scf.yield %y : tensor<5xf32>
  }
  return %r : tensor<5xf32>
}

// CALL reverse x=tensor:3x5 -> 3x5
func.func @reverse(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %e = tensor.empty() : tensor<3x5xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%o = %e) -> (tensor<3x5xf32>) {
    %q = scf.for %j = %c0 to %c5 step %c1 iter_args(%p = %o) -> (tensor<3x5xf32>) {
      %k = arith.subi %c4, %j : index
      %v = tensor.extract %x[%i, %k] : tensor<3x5xf32>
      %s = arith.addf %v, %v : f32
      %w = tensor.insert %s into %p[%i, %j] : tensor<3x5xf32>
      scf.yield %w : tensor<3x5xf32>
    }
    scf.yield %q : tensor<3x5xf32>
  }
  return %r : tensor<3x5xf32>
}

// CALL lcs a=memref:6:i32<3 b=memref:7:i32<3 t=memref:7x8:i32<1 -> t:7x8
func.func @lcs(%a: memref<6xi32>, %b: memref<7xi32>, %t: memref<7x8xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 1 to 7 {
    affine.for %j = 1 to 8 {
      %x = affine.load %a[%i - 1] : memref<6xi32>
      %y = affine.load %b[%j - 1] : memref<7xi32>
      %d = affine.load %t[%i - 1, %j - 1] : memref<7x8xi32>
      %u = affine.load %t[%i - 1, %j] : memref<7x8xi32>
      %l = affine.load %t[%i, %j - 1] : memref<7x8xi32>
      %c = arith.cmpi eq, %x, %y : i32
      %d1 = arith.addi %d, %one : i32
      %m = arith.maxsi %u, %l : i32
      %s = arith.select %c, %d1, %m : i32
      affine.store %s, %t[%i, %j] : memref<7x8xi32>
    }
  }
  return
}

// CALL seidel a=memref:8x8 -> a:8x8
func.func @seidel(%a: memref<8x8xf32>) {
  %q = arith.constant 2.000000e-01 : f32
  affine.for %i = 1 to 7 {
    affine.for %j = 1 to 7 {
      %n = affine.load %a[%i - 1, %j] : memref<8x8xf32>
      %w = affine.load %a[%i, %j - 1] : memref<8x8xf32>
      %c = affine.load %a[%i, %j] : memref<8x8xf32>
      %e = affine.load %a[%i, %j + 1] : memref<8x8xf32>
      %s = affine.load %a[%i + 1, %j] : memref<8x8xf32>
      %1 = arith.addf %n, %w : f32
      %2 = arith.addf %1, %c : f32
      %3 = arith.addf %2, %e : f32
      %4 = arith.addf %3, %s : f32
      %5 = arith.mulf %4, %q : f32
      affine.store %5, %a[%i, %j] : memref<8x8xf32>
    }
  }
  return
}

// CALL covariance d=memref:6x4 m=memref:4 c=memref:4x4 -> c:4x4
func.func @covariance(%d: memref<6x4xf32>, %m: memref<4xf32>, %c: memref<4x4xf32>) {
  %z = arith.constant 0.0 : f32
  %n = arith.constant 6.0 : f32
  %n1 = arith.constant 5.0 : f32
  affine.for %j = 0 to 4 {
    affine.store %z, %m[%j] : memref<4xf32>
    affine.for %i = 0 to 6 {
      %1 = affine.load %d[%i, %j] : memref<6x4xf32>
      %2 = affine.load %m[%j] : memref<4xf32>
      %3 = arith.addf %2, %1 : f32
      affine.store %3, %m[%j] : memref<4xf32>
    }
    %4 = affine.load %m[%j] : memref<4xf32>
    %5 = arith.divf %4, %n : f32
    affine.store %5, %m[%j] : memref<4xf32>
  }
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 4 {
      %1 = affine.load %m[%j] : memref<4xf32>
      %2 = affine.load %d[%i, %j] : memref<6x4xf32>
      %3 = arith.subf %2, %1 : f32
      affine.store %3, %d[%i, %j] : memref<6x4xf32>
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to 4 {
      affine.store %z, %c[%i, %j] : memref<4x4xf32>
      affine.for %k = 0 to 6 {
        %1 = affine.load %d[%k, %i] : memref<6x4xf32>
        %2 = affine.load %d[%k, %j] : memref<6x4xf32>
        %3 = arith.mulf %1, %2 : f32
        %4 = affine.load %c[%i, %j] : memref<4x4xf32>
        %5 = arith.addf %4, %3 : f32
        affine.store %5, %c[%i, %j] : memref<4x4xf32>
      }
      %6 = affine.load %c[%i, %j] : memref<4x4xf32>
      %7 = arith.divf %6, %n1 : f32
      affine.store %7, %c[%i, %j] : memref<4x4xf32>
      affine.store %7, %c[%j, %i] : memref<4x4xf32>
    }
  }
  return
}

// CALL conv1d_strided x=tensor:2x11x3 w=tensor:3x3x4 -> 2x4x4
func.func @conv1d_strided(%x: tensor<2x11x3xf32>, %w: tensor<3x3x4xf32>) -> tensor<2x4x4xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %r = linalg.conv_1d_nwc_wcf {dilations = dense<2> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%x, %w : tensor<2x11x3xf32>, tensor<3x3x4xf32>) outs(%f : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  return %r : tensor<2x4x4xf32>
}

// CALL pool_sum x=tensor:1x2x6x6 -> 1x2x3x3
func.func @pool_sum(%x: tensor<1x2x6x6xf32>) -> tensor<1x2x3x3xf32> {
  %z = arith.constant 0.0 : f32
  %k = tensor.empty() : tensor<2x2xf32>
  %e = tensor.empty() : tensor<1x2x3x3xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %r = linalg.pooling_nchw_sum {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%x, %k : tensor<1x2x6x6xf32>, tensor<2x2xf32>) outs(%f : tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  return %r : tensor<1x2x3x3xf32>
}

// CALL strided_rows a=memref:6x8 b=memref:3x4 -> b:3x4
func.func @strided_rows(%a: memref<6x8xf32>, %b: memref<3x4xf32>) {
  %v = memref.subview %a[1, 0] [3, 4] [2, 2] : memref<6x8xf32> to memref<3x4xf32, strided<[16, 2], offset: 8>>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c3, %c4) step (%c1, %c1) {
    %x = memref.load %v[%i, %j] : memref<3x4xf32, strided<[16, 2], offset: 8>>
    %y = math.tanh %x : f32
    memref.store %y, %b[%i, %j] : memref<3x4xf32>
    scf.reduce
  }
  return
}

// CALL block_transpose x=unranked:70 o=unranked:70 m=i32=10 n=i32=7 grid=3,2,1 -> o:70
func.func @block_transpose(%x: memref<*xf32>, %o: memref<*xf32>, %m: i32, %n: i32, %gx: i32, %gy: i32, %gz: i32, %px: i32, %py: i32, %pz: i32) {
  %c4 = arith.constant 4 : i32
  %k4 = arith.constant 4 : index
  %z = arith.constant 0.0 : f32
  %r0 = arith.muli %px, %c4 : i32
  %q0 = arith.muli %py, %c4 : i32
  %r = arith.index_cast %r0 : i32 to index
  %q = arith.index_cast %q0 : i32 to index
  %mi = arith.index_cast %m : i32 to index
  %ni = arith.index_cast %n : i32 to index
  %ro = arith.muli %r, %ni : index
  %at = arith.addi %ro, %q : index
  %v = memref.reinterpret_cast %x to offset: [%at], sizes: [4, 4], strides: [%ni, 1] : memref<*xf32> to memref<4x4xf32, strided<[?, 1], offset: ?>>
  %t = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%z : f32) outs(%t : memref<4x4xf32>)
  %re = arith.addi %r, %k4 : index
  %rm = arith.minsi %re, %mi : index
  %rx = arith.maxsi %rm, %r : index
  %rk = arith.subi %rx, %r : index
  %qe = arith.addi %q, %k4 : index
  %qm = arith.minsi %qe, %ni : index
  %qx = arith.maxsi %qm, %q : index
  %qk = arith.subi %qx, %q : index
  %sv = memref.subview %v[0, 0] [%rk, %qk] [1, 1] : memref<4x4xf32, strided<[?, 1], offset: ?>> to memref<?x?xf32, strided<[?, 1], offset: ?>>
  %st = memref.subview %t[0, 0] [%rk, %qk] [1, 1] : memref<4x4xf32> to memref<?x?xf32, strided<[4, 1]>>
  memref.copy %sv, %st : memref<?x?xf32, strided<[?, 1], offset: ?>> to memref<?x?xf32, strided<[4, 1]>>
  %a = bufferization.to_tensor %t restrict writable : memref<4x4xf32>
  %e = tensor.empty() : tensor<4x4xf32>
  %tr = linalg.transpose ins(%a : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
  %qo = arith.muli %q, %mi : index
  %to = arith.addi %qo, %r : index
  %w = memref.reinterpret_cast %o to offset: [%to], sizes: [4, 4], strides: [%mi, 1] : memref<*xf32> to memref<4x4xf32, strided<[?, 1], offset: ?>>
  %part = tensor.extract_slice %tr[0, 0] [%qk, %rk] [1, 1] : tensor<4x4xf32> to tensor<?x?xf32>
  %sw = memref.subview %w[0, 0] [%qk, %rk] [1, 1] : memref<4x4xf32, strided<[?, 1], offset: ?>> to memref<?x?xf32, strided<[?, 1], offset: ?>>
  bufferization.materialize_in_destination %part in writable %sw : (tensor<?x?xf32>, memref<?x?xf32, strided<[?, 1], offset: ?>>) -> ()
  return
}

// CALL column_max x=tensor:5x6 -> 6
func.func @column_max(%x: tensor<5x6xf32>) -> tensor<6xf32> {
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<6xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  %r = linalg.reduce {arith.maximumf} ins(%x : tensor<5x6xf32>) outs(%f : tensor<6xf32>) dimensions = [0]
  %e2 = tensor.empty() : tensor<6xf32>
  %s = linalg.map {math.exp} ins(%r : tensor<6xf32>) outs(%e2 : tensor<6xf32>)
  return %s : tensor<6xf32>
}

// CALL padded_conv x=tensor:1x5x5x2 w=tensor:3x3x2x3 -> 1x5x5x3
func.func @padded_conv(%x: tensor<1x5x5x2xf32>, %w: tensor<3x3x2x3xf32>) -> tensor<1x5x5x3xf32> {
  %z = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %z : f32
  } : tensor<1x5x5x2xf32> to tensor<1x7x7x2xf32>
  %e = tensor.empty() : tensor<1x5x5x3xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x5x5x3xf32>) -> tensor<1x5x5x3xf32>
  %c = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p, %w : tensor<1x7x7x2xf32>, tensor<3x3x2x3xf32>) outs(%f : tensor<1x5x5x3xf32>) -> tensor<1x5x5x3xf32>
  %r = linalg.generic {indexing_maps = [#nchw, #nchw], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<1x5x5x3xf32>) outs(%e : tensor<1x5x5x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.maximumf %a, %z : f32
    %2 = arith.minimumf %1, %six : f32
    linalg.yield %2 : f32
  } -> tensor<1x5x5x3xf32>
  return %r : tensor<1x5x5x3xf32>
}

// CALL upper_solve u=memref:6x6 b=memref:6 x=memref:6 -> x:6
func.func @upper_solve(%u: memref<6x6xf32>, %b: memref<6xf32>, %x: memref<6xf32>) {
  %three = arith.constant 3.0 : f32
  affine.for %r = 0 to 6 {
    %0 = affine.load %b[-%r + 5] : memref<6xf32>
    %s = affine.for %k = 0 to affine_map<(d0) -> (d0)>(%r) iter_args(%acc = %0) -> (f32) {
      %1 = affine.load %u[-%r + 5, -%k + 5] : memref<6x6xf32>
      %2 = affine.load %x[-%k + 5] : memref<6xf32>
      %3 = arith.mulf %1, %2 : f32
      %4 = arith.subf %acc, %3 : f32
      affine.yield %4 : f32
    }
    %5 = affine.load %u[-%r + 5, -%r + 5] : memref<6x6xf32>
    %6 = math.absf %5 : f32
    %7 = arith.addf %6, %three : f32
    %8 = arith.divf %s, %7 : f32
    affine.store %8, %x[-%r + 5] : memref<6xf32>
  }
  return
}

// CALL row_block_sums x=unranked:60 o=unranked:6 n=i32=10 grid=2,1,1 -> o:6
func.func @row_block_sums(%x: memref<*xf32>, %o: memref<*xf32>, %n: i32, %gx: i32, %gy: i32, %gz: i32, %px: i32, %py: i32, %pz: i32) {
  %c3 = arith.constant 3 : i32
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.0 : f32
  %ni = arith.index_cast %n : i32 to index
  %r0 = arith.muli %px, %c3 : i32
  %r = arith.index_cast %r0 : i32 to index
  %rn = arith.muli %r, %ni : index
  %e = tensor.empty() : tensor<3xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %s = scf.for %k = %c0 to %ni step %c4 iter_args(%acc = %f) -> (tensor<3xf32>) {
    %at = arith.addi %rn, %k : index
    %v = memref.reinterpret_cast %x to offset: [%at], sizes: [3, 4], strides: [%ni, 1] : memref<*xf32> to memref<3x4xf32, strided<[?, 1], offset: ?>>
    %t = memref.alloc() : memref<3x4xf32>
    linalg.fill ins(%z : f32) outs(%t : memref<3x4xf32>)
    %ke = arith.addi %k, %c4 : index
    %km = arith.minsi %ke, %ni : index
    %kk = arith.subi %km, %k : index
    %sv = memref.subview %v[0, 0] [3, %kk] [1, 1] : memref<3x4xf32, strided<[?, 1], offset: ?>> to memref<3x?xf32, strided<[?, 1], offset: ?>>
    %st = memref.subview %t[0, 0] [3, %kk] [1, 1] : memref<3x4xf32> to memref<3x?xf32, strided<[4, 1]>>
    memref.copy %sv, %st : memref<3x?xf32, strided<[?, 1], offset: ?>> to memref<3x?xf32, strided<[4, 1]>>
    %a = bufferization.to_tensor %t restrict writable : memref<3x4xf32>
    %p = linalg.reduce {arith.addf} ins(%a : tensor<3x4xf32>) outs(%acc : tensor<3xf32>) dimensions = [1]
    scf.yield %p : tensor<3xf32>
  }
  %w = memref.reinterpret_cast %o to offset: [%r], sizes: [3], strides: [1] : memref<*xf32> to memref<3xf32, strided<[1], offset: ?>>
  bufferization.materialize_in_destination %s in writable %w : (tensor<3xf32>, memref<3xf32, strided<[1], offset: ?>>) -> ()
  return
}
