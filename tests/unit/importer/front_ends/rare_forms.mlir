// Functions of further programs, whose forms are rarer.
#ij = affine_map<(d0, d1) -> (d0, d1)>
#i_ = affine_map<(d0, d1) -> (d0)>
#_j = affine_map<(d0, d1) -> (d1)>
#i = affine_map<(d0) -> (d0)>
#nchw = affine_map<(n, c, h, w) -> (n, c, h, w)>

// A persistent program of Triton: each takes every second block of rows.
// CALL persistent x=unranked:24x8 y=unranked:24x8 n=i32=24 grid=2 -> y:24x8
func.func @persistent(%x: memref<*xf32>, %y: memref<*xf32>, %n: i32, %g0: i32, %g1: i32, %g2: i32, %px: i32, %py: i32, %pz: i32) {
  %c4 = arith.constant 4 : i32
  %c8 = arith.constant 8 : index
  %two = arith.constant 2.0 : f32
  %blocks = arith.ceildivsi %n, %c4 : i32
  scf.for %t = %px to %blocks step %g0 : i32 {
    %r = arith.muli %t, %c4 : i32
    %ri = arith.index_cast %r : i32 to index
    %o = arith.muli %ri, %c8 : index
    %xv = memref.reinterpret_cast %x to offset: [%o], sizes: [4, 8], strides: [8, 1] : memref<*xf32> to memref<4x8xf32, strided<[8, 1], offset: ?>>
    %a = memref.alloc() : memref<4x8xf32>
    memref.copy %xv, %a : memref<4x8xf32, strided<[8, 1], offset: ?>> to memref<4x8xf32>
    %at = bufferization.to_tensor %a restrict writable : memref<4x8xf32>
    %e = tensor.empty() : tensor<4x8xf32>
    %tt = linalg.fill ins(%two : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    %m = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%at, %tt : tensor<4x8xf32>, tensor<4x8xf32>) outs(%at : tensor<4x8xf32>) {
    ^bb0(%p: f32, %q: f32, %out: f32):
      %s = arith.mulf %p, %q : f32
      linalg.yield %s : f32
    } -> tensor<4x8xf32>
    %yv = memref.reinterpret_cast %y to offset: [%o], sizes: [4, 8], strides: [8, 1] : memref<*xf32> to memref<4x8xf32, strided<[8, 1], offset: ?>>
    bufferization.materialize_in_destination %m in writable %yv : (tensor<4x8xf32>, memref<4x8xf32, strided<[8, 1], offset: ?>>) -> ()
  }
  return
}

// Gradients of a layer norm, two sums of a row over masked columns.
// CALL norm_backward dy=unranked:4x12 x=unranked:4x12 dx=unranked:4x12 n=i32=12 grid=4 -> dx:4x12
func.func @norm_backward(%dy: memref<*xf32>, %x: memref<*xf32>, %dx: memref<*xf32>, %n: i32, %g0: i32, %g1: i32, %g2: i32, %px: i32, %py: i32, %pz: i32) {
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %row = arith.muli %px, %n : i32
  %o = arith.index_cast %row : i32 to index
  %ni = arith.index_cast %n : i32 to index
  %k = arith.minsi %ni, %c16 : index
  %pad = arith.cmpi slt, %k, %c16 : index
  %xv = memref.reinterpret_cast %x to offset: [%o], sizes: [16], strides: [1] : memref<*xf32> to memref<16xf32, strided<[1], offset: ?>>
  %xa = memref.alloc() : memref<16xf32>
  scf.if %pad {
    linalg.fill ins(%zero : f32) outs(%xa : memref<16xf32>)
  }
  %xs = memref.subview %xv[0] [%k] [1] : memref<16xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  %xd = memref.subview %xa[0] [%k] [1] : memref<16xf32> to memref<?xf32, strided<[1]>>
  memref.copy %xs, %xd : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1]>>
  %xt = bufferization.to_tensor %xa restrict writable : memref<16xf32>
  %dv = memref.reinterpret_cast %dy to offset: [%o], sizes: [16], strides: [1] : memref<*xf32> to memref<16xf32, strided<[1], offset: ?>>
  %da = memref.alloc() : memref<16xf32>
  scf.if %pad {
    linalg.fill ins(%zero : f32) outs(%da : memref<16xf32>)
  }
  %ds = memref.subview %dv[0] [%k] [1] : memref<16xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  %dd = memref.subview %da[0] [%k] [1] : memref<16xf32> to memref<?xf32, strided<[1]>>
  memref.copy %ds, %dd : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1]>>
  %dt = bufferization.to_tensor %da restrict writable : memref<16xf32>
  %xy = linalg.generic {indexing_maps = [#i, #i, #i], iterator_types = ["parallel"]} ins(%xt, %dt : tensor<16xf32>, tensor<16xf32>) outs(%xt : tensor<16xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %1 = arith.mulf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<16xf32>
  %t0 = bufferization.alloc_tensor() : tensor<f32>
  %i0 = tensor.insert %zero into %t0[] : tensor<f32>
  %r0 = linalg.reduce ins(%xy : tensor<16xf32>) outs(%i0 : tensor<f32>) dimensions = [0]
    (%in: f32, %acc: f32) {
      %1 = arith.addf %in, %acc : f32
      linalg.yield %1 : f32
    }
  %c1 = tensor.extract %r0[] : tensor<f32>
  %r1 = linalg.reduce ins(%dt : tensor<16xf32>) outs(%i0 : tensor<f32>) dimensions = [0]
    (%in: f32, %acc: f32) {
      %1 = arith.addf %in, %acc : f32
      linalg.yield %1 : f32
    }
  %c2 = tensor.extract %r1[] : tensor<f32>
  %nf = arith.sitofp %n : i32 to f32
  %m1 = arith.divf %c1, %nf : f32
  %m2 = arith.divf %c2, %nf : f32
  %e = tensor.empty() : tensor<16xf32>
  %f1 = linalg.fill ins(%m1 : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %f2 = linalg.fill ins(%m2 : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %g = linalg.generic {indexing_maps = [#i, #i, #i, #i, #i], iterator_types = ["parallel"]} ins(%xt, %dt, %f1, %f2 : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) outs(%xt : tensor<16xf32>) {
  ^bb0(%a: f32, %b: f32, %p: f32, %q: f32, %out: f32):
    %1 = arith.mulf %a, %p : f32
    %2 = arith.addf %1, %q : f32
    %3 = arith.subf %b, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<16xf32>
  %ov = memref.reinterpret_cast %dx to offset: [%o], sizes: [16], strides: [1] : memref<*xf32> to memref<16xf32, strided<[1], offset: ?>>
  %gs = tensor.extract_slice %g[0] [%k] [1] : tensor<16xf32> to tensor<?xf32>
  %os = memref.subview %ov[0] [%k] [1] : memref<16xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  bufferization.materialize_in_destination %gs in writable %os : (tensor<?xf32>, memref<?xf32, strided<[1], offset: ?>>) -> ()
  return
}

// A convolution of Triton: an unrolled sum of shifted rows, whose offset is carried.
// CALL depthwise_row x=unranked:3x20 w=unranked:3x5 y=unranked:3x16 grid=3 -> y:3x16
func.func @depthwise_row(%x: memref<*xf32>, %w: memref<*xf32>, %y: memref<*xf32>, %g0: i32, %g1: i32, %g2: i32, %px: i32, %py: i32, %pz: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %p = arith.index_cast %px : i32 to index
  %xo = arith.muli %p, %c20 : index
  %wo = arith.muli %p, %c5 : index
  %yo = arith.muli %p, %c16 : index
  %e = tensor.empty() : tensor<16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %r:3 = scf.for %k = %c0 to %c5 step %c1 iter_args(%acc = %z, %xi = %xo, %wi = %wo) -> (tensor<16xf32>, index, index) {
    %wv = memref.reinterpret_cast %w to offset: [%wi], sizes: [1], strides: [1] : memref<*xf32> to memref<1xf32, strided<[1], offset: ?>>
    %ws = affine.load %wv[0] : memref<1xf32, strided<[1], offset: ?>>
    %wf = linalg.fill ins(%ws : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
    %xv = memref.reinterpret_cast %x to offset: [%xi], sizes: [16], strides: [1] : memref<*xf32> to memref<16xf32, strided<[1], offset: ?>>
    %a = memref.alloc() : memref<16xf32>
    memref.copy %xv, %a : memref<16xf32, strided<[1], offset: ?>> to memref<16xf32>
    %at = bufferization.to_tensor %a restrict writable : memref<16xf32>
    %m = linalg.generic {indexing_maps = [#i, #i, #i], iterator_types = ["parallel"]} ins(%at, %wf : tensor<16xf32>, tensor<16xf32>) outs(%at : tensor<16xf32>) {
    ^bb0(%u: f32, %v: f32, %out: f32):
      %1 = arith.mulf %u, %v : f32
      linalg.yield %1 : f32
    } -> tensor<16xf32>
    %s = linalg.generic {indexing_maps = [#i, #i, #i], iterator_types = ["parallel"]} ins(%acc, %m : tensor<16xf32>, tensor<16xf32>) outs(%acc : tensor<16xf32>) {
    ^bb0(%u: f32, %v: f32, %out: f32):
      %1 = arith.addf %u, %v : f32
      linalg.yield %1 : f32
    } -> tensor<16xf32>
    %xn = arith.addi %xi, %c1 : index
    %wn = arith.addi %wi, %c1 : index
    scf.yield %s, %xn, %wn : tensor<16xf32>, index, index
  }
  %yv = memref.reinterpret_cast %y to offset: [%yo], sizes: [16], strides: [1] : memref<*xf32> to memref<16xf32, strided<[1], offset: ?>>
  bufferization.materialize_in_destination %r#0 in writable %yv : (tensor<16xf32>, memref<16xf32, strided<[1], offset: ?>>) -> ()
  return
}

// Row maximum over masked columns with another value, stored transposed.
// CALL column_softmax x=unranked:6x10 y=unranked:10x6 -> y:10x6
func.func @column_softmax(%x: memref<*xf32>, %y: memref<*xf32>) {
  %c0 = arith.constant 0 : index
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %xv = memref.reinterpret_cast %x to offset: [0], sizes: [6, 16], strides: [10, 1] : memref<*xf32> to memref<6x16xf32, strided<[10, 1]>>
  %a = memref.alloc() : memref<6x16xf32>
  linalg.fill ins(%ninf : f32) outs(%a : memref<6x16xf32>)
  %xs = memref.subview %xv[0, 0] [6, 10] [1, 1] : memref<6x16xf32, strided<[10, 1]>> to memref<6x10xf32, strided<[10, 1]>>
  %as = memref.subview %a[0, 0] [6, 10] [1, 1] : memref<6x16xf32> to memref<6x10xf32, strided<[16, 1]>>
  memref.copy %xs, %as : memref<6x10xf32, strided<[10, 1]>> to memref<6x10xf32, strided<[16, 1]>>
  %t = bufferization.to_tensor %a restrict writable : memref<6x16xf32>
  %e = tensor.empty() : tensor<6xf32>
  %i0 = linalg.fill ins(%ninf : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  %m = linalg.reduce { arith.maxnumf } ins(%t : tensor<6x16xf32>) outs(%i0 : tensor<6xf32>) dimensions = [1]
  %ee = tensor.empty() : tensor<6x16xf32>
  %b = linalg.broadcast ins(%m : tensor<6xf32>) outs(%ee : tensor<6x16xf32>) dimensions = [1]
  %d = linalg.sub ins(%t, %b : tensor<6x16xf32>, tensor<6x16xf32>) outs(%ee : tensor<6x16xf32>) -> tensor<6x16xf32>
  %x1 = linalg.exp ins(%d : tensor<6x16xf32>) outs(%ee : tensor<6x16xf32>) -> tensor<6x16xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  %s = linalg.reduce { arith.addf } ins(%x1 : tensor<6x16xf32>) outs(%z0 : tensor<6xf32>) dimensions = [1]
  %sb = linalg.broadcast ins(%s : tensor<6xf32>) outs(%ee : tensor<6x16xf32>) dimensions = [1]
  %q = linalg.div ins(%x1, %sb : tensor<6x16xf32>, tensor<6x16xf32>) outs(%ee : tensor<6x16xf32>) -> tensor<6x16xf32>
  %te = tensor.empty() : tensor<16x6xf32>
  %tr = linalg.transpose ins(%q : tensor<6x16xf32>) outs(%te : tensor<16x6xf32>) permutation = [1, 0]
  %yv = memref.reinterpret_cast %y to offset: [0], sizes: [16, 6], strides: [6, 1] : memref<*xf32> to memref<16x6xf32, strided<[6, 1]>>
  %ts = tensor.extract_slice %tr[0, 0] [10, 6] [1, 1] : tensor<16x6xf32> to tensor<10x6xf32>
  %ys = memref.subview %yv[0, 0] [10, 6] [1, 1] : memref<16x6xf32, strided<[6, 1]>> to memref<10x6xf32, strided<[6, 1]>>
  bufferization.materialize_in_destination %ts in writable %ys : (tensor<10x6xf32>, memref<10x6xf32, strided<[6, 1]>>) -> ()
  return
}

// Named operations that are rare.
// CALL rare_products a=tensor:3x5x4 b=tensor:3x5x6 v=tensor:3x6 -> 3x4
func.func @rare_products(%a: tensor<3x5x4xf32>, %b: tensor<3x5x6xf32>, %v: tensor<3x6xf32>) -> tensor<3x4xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x4x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
  %p = linalg.batch_matmul_transpose_a ins(%a, %b : tensor<3x5x4xf32>, tensor<3x5x6xf32>) outs(%f : tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
  %e2 = tensor.empty() : tensor<3x4xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<3x4xf32>) -> tensor<3x4xf32>
  %q = linalg.batch_matvec ins(%p, %v : tensor<3x4x6xf32>, tensor<3x6xf32>) outs(%f2 : tensor<3x4xf32>) -> tensor<3x4xf32>
  %r = linalg.elemwise_unary {fun = #linalg.unary_fn<tanh>} ins(%q : tensor<3x4xf32>) outs(%e2 : tensor<3x4xf32>) -> tensor<3x4xf32>
  %s = linalg.elemwise_binary {fun = #linalg.binary_fn<max_signed>} ins(%r, %q : tensor<3x4xf32>, tensor<3x4xf32>) outs(%e2 : tensor<3x4xf32>) -> tensor<3x4xf32>
  %t = linalg.square ins(%s : tensor<3x4xf32>) outs(%e2 : tensor<3x4xf32>) -> tensor<3x4xf32>
  %u = linalg.map { math.sqrt } ins(%t : tensor<3x4xf32>) outs(%e2 : tensor<3x4xf32>)
  return %u : tensor<3x4xf32>
}

// CALL multiplier x=tensor:1x7x7x3 w=tensor:3x3x3x2 -> 1x2x2x3x2
func.func @multiplier(%x: tensor<1x7x7x3xf32>, %w: tensor<3x3x3x2xf32>) -> tensor<1x2x2x3x2xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x5x5x3x2xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x5x5x3x2xf32>) -> tensor<1x5x5x3x2xf32>
  %c = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x7x7x3xf32>, tensor<3x3x3x2xf32>) outs(%f : tensor<1x5x5x3x2xf32>) -> tensor<1x5x5x3x2xf32>
  %s = tensor.extract_slice %c[0, 0, 1, 0, 0] [1, 2, 2, 3, 2] [1, 2, 2, 1, 1] : tensor<1x5x5x3x2xf32> to tensor<1x2x2x3x2xf32>
  return %s : tensor<1x2x2x3x2xf32>
}

// A mean of windows that counts only what is inside.
// CALL pool_inside x=tensor:1x2x5x5 -> 1x2x5x5
func.func @pool_inside(%x: tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32> {
  %z = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %z : f32
  } : tensor<1x2x5x5xf32> to tensor<1x2x7x7xf32>
  %e = tensor.empty() : tensor<1x2x5x5xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32>
  %w = tensor.empty() : tensor<3x3xf32>
  %s = linalg.pooling_nchw_sum {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%p, %w : tensor<1x2x7x7xf32>, tensor<3x3xf32>) outs(%f : tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32>
  %r = linalg.generic {indexing_maps = [#nchw, #nchw], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<1x2x5x5xf32>) outs(%e : tensor<1x2x5x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %h = linalg.index 2 : index
    %v = linalg.index 3 : index
    %h0 = arith.subi %h, %c1 : index
    %h1 = arith.maxsi %h0, %c0 : index
    %h2 = arith.addi %h, %c2 : index
    %h3 = arith.minsi %h2, %c5 : index
    %hn = arith.subi %h3, %h1 : index
    %v0 = arith.subi %v, %c1 : index
    %v1 = arith.maxsi %v0, %c0 : index
    %v2 = arith.addi %v, %c2 : index
    %v3 = arith.minsi %v2, %c5 : index
    %vn = arith.subi %v3, %v1 : index
    %n = arith.muli %hn, %vn : index
    %ni = arith.index_cast %n : index to i64
    %nf = arith.sitofp %ni : i64 to f32
    %q = arith.divf %in, %nf : f32
    linalg.yield %q : f32
  } -> tensor<1x2x5x5xf32>
  return %r : tensor<1x2x5x5xf32>
}

// A cell of an LSTM.
// CALL lstm x=tensor:2x4 h=tensor:2x3 c=tensor:2x3 wi=tensor:4x12 wh=tensor:3x12 -> 2x3
func.func @lstm(%x: tensor<2x4xf32>, %h: tensor<2x3xf32>, %c: tensor<2x3xf32>, %wi: tensor<4x12xf32>, %wh: tensor<3x12xf32>) -> tensor<2x3xf32> {
  %z = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<2x12xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x12xf32>) -> tensor<2x12xf32>
  %a = linalg.matmul ins(%x, %wi : tensor<2x4xf32>, tensor<4x12xf32>) outs(%f : tensor<2x12xf32>) -> tensor<2x12xf32>
  %b = linalg.matmul ins(%h, %wh : tensor<2x3xf32>, tensor<3x12xf32>) outs(%a : tensor<2x12xf32>) -> tensor<2x12xf32>
  %gi = tensor.extract_slice %b[0, 0] [2, 3] [1, 1] : tensor<2x12xf32> to tensor<2x3xf32>
  %gf = tensor.extract_slice %b[0, 3] [2, 3] [1, 1] : tensor<2x12xf32> to tensor<2x3xf32>
  %gg = tensor.extract_slice %b[0, 6] [2, 3] [1, 1] : tensor<2x12xf32> to tensor<2x3xf32>
  %go = tensor.extract_slice %b[0, 9] [2, 3] [1, 1] : tensor<2x12xf32> to tensor<2x3xf32>
  %e2 = tensor.empty() : tensor<2x3xf32>
  %r = linalg.generic {indexing_maps = [#ij, #ij, #ij, #ij, #ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%gi, %gf, %gg, %go, %c : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) outs(%e2 : tensor<2x3xf32>) {
  ^bb0(%i0: f32, %f0: f32, %g0: f32, %o0: f32, %c0: f32, %out: f32):
    %1 = arith.negf %i0 : f32
    %2 = math.exp %1 : f32
    %3 = arith.addf %2, %one : f32
    %4 = arith.divf %one, %3 : f32
    %5 = arith.negf %f0 : f32
    %6 = math.exp %5 : f32
    %7 = arith.addf %6, %one : f32
    %8 = arith.divf %one, %7 : f32
    %9 = math.tanh %g0 : f32
    %10 = arith.mulf %4, %9 : f32
    %11 = math.fma %8, %c0, %10 : f32
    %12 = math.tanh %11 : f32
    %13 = arith.mulf %12, %o0 : f32
    linalg.yield %13 : f32
  } -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// Distances of all pairs, with dynamic sizes and checks.
// CALL distances x=tensor:5x3 x_0=set=5 y=tensor:4x3 none -> 5x4
func.func @distances(%x: tensor<?x3xf32>, %y: tensor<4x3xf32>) -> tensor<?x4xf32> attributes {torch.assume_strict_symbolic_shapes, llvm.emit_c_interface} {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %ok = arith.cmpi sge, %n, %c0 : index
  cf.assert %ok, "no rows"
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %y : tensor<?x3xf32>, tensor<4x3xf32>) outs(%f : tensor<?x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.subf %a, %b : f32
    %2 = math.absf %1 : f32
    %t = arith.constant 2.0 : f32
    %3 = math.powf %2, %t : f32
    %4 = arith.addf %3, %o : f32
    linalg.yield %4 : f32
  } -> tensor<?x4xf32>
  %r = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.sqrt %a : f32
    linalg.yield %1 : f32
  } -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// PolyBench's nussinov without its table of pairs: a triangle of maxima in place.
// CALL nussinov t=memref:8x8 -> t:8x8
func.func @nussinov(%t: memref<8x8xf32>) {
  affine.for %r = 0 to 8 {
    affine.for %j = affine_map<(d0) -> (-d0 + 8)>(%r) to 8 {
      affine.for %k = affine_map<(d0) -> (-d0 + 8)>(%r) to affine_map<(d0) -> (d0)>(%j) {
        %a = affine.load %t[-%r + 7, %j] : memref<8x8xf32>
        %b = affine.load %t[-%r + 7, %k] : memref<8x8xf32>
        %c = affine.load %t[%k + 1, %j] : memref<8x8xf32>
        %s = arith.addf %b, %c : f32
        %m = arith.maximumf %a, %s : f32
        affine.store %m, %t[-%r + 7, %j] : memref<8x8xf32>
      }
    }
  }
  return
}

// PolyBench's deriche: a pass forward and one backward along each row, with carried numbers.
// CALL deriche x=memref:4x9 y1=memref:4x9 y2=memref:4x9 o=memref:4x9 -> o:4x9
func.func @deriche(%x: memref<4x9xf32>, %y1: memref<4x9xf32>, %y2: memref<4x9xf32>, %o: memref<4x9xf32>) {
  %z = arith.constant 0.0 : f32
  %a = arith.constant 0.5 : f32
  %b = arith.constant 0.25 : f32
  affine.for %i = 0 to 4 {
    %r:3 = affine.for %j = 0 to 9 iter_args(%xm = %z, %ym1 = %z, %ym2 = %z) -> (f32, f32, f32) {
      %v = affine.load %x[%i, %j] : memref<4x9xf32>
      %1 = arith.mulf %a, %v : f32
      %2 = arith.mulf %b, %xm : f32
      %3 = arith.addf %1, %2 : f32
      %4 = arith.mulf %a, %ym1 : f32
      %5 = arith.mulf %b, %ym2 : f32
      %6 = arith.addf %4, %5 : f32
      %7 = arith.addf %3, %6 : f32
      affine.store %7, %y1[%i, %j] : memref<4x9xf32>
      affine.yield %v, %7, %ym1 : f32, f32, f32
    }
  }
  affine.for %i = 0 to 4 {
    %r:2 = affine.for %j = 0 to 9 iter_args(%xp = %z, %yp = %z) -> (f32, f32) {
      %v = affine.load %x[%i, -%j + 8] : memref<4x9xf32>
      %1 = arith.mulf %a, %xp : f32
      %2 = arith.mulf %b, %yp : f32
      %3 = arith.addf %1, %2 : f32
      affine.store %3, %y2[%i, -%j + 8] : memref<4x9xf32>
      affine.yield %v, %3 : f32, f32
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 9 {
      %1 = affine.load %y1[%i, %j] : memref<4x9xf32>
      %2 = affine.load %y2[%i, %j] : memref<4x9xf32>
      %3 = arith.addf %1, %2 : f32
      affine.store %3, %o[%i, %j] : memref<4x9xf32>
    }
  }
  return
}

// A banded product with bounds by minima and maxima, and a carried sum.
// CALL banded a=memref:10x10 x=memref:10 y=memref:10 -> y:10
func.func @banded(%a: memref<10x10xf32>, %x: memref<10xf32>, %y: memref<10xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 10 {
    %s = affine.for %j = max affine_map<(d0) -> (0, d0 - 2)>(%i) to min affine_map<(d0) -> (10, d0 + 3)>(%i) iter_args(%acc = %z) -> (f32) {
      %0 = affine.load %a[%i, %j] : memref<10x10xf32>
      %1 = affine.load %x[%j] : memref<10xf32>
      %2 = arith.mulf %0, %1 : f32
      %3 = arith.addf %acc, %2 : f32
      affine.yield %3 : f32
    }
    affine.store %s, %y[%i] : memref<10xf32>
  }
  return
}

// PolyBench's doitgen, whose sum goes through a row of its own.
// CALL doitgen a=memref:3x4x5 c=memref:5x5 s=memref:5 -> a:3x4x5
func.func @doitgen(%a: memref<3x4x5xf32>, %c: memref<5x5xf32>, %s: memref<5xf32>) {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  scf.for %r = %c0 to %c3 step %c1 {
    scf.for %q = %c0 to %c4 step %c1 {
      scf.for %p = %c0 to %c5 step %c1 {
        memref.store %z, %s[%p] : memref<5xf32>
        scf.for %k = %c0 to %c5 step %c1 {
          %0 = memref.load %a[%r, %q, %k] : memref<3x4x5xf32>
          %1 = memref.load %c[%k, %p] : memref<5x5xf32>
          %2 = arith.mulf %0, %1 : f32
          %3 = memref.load %s[%p] : memref<5xf32>
          %4 = arith.addf %3, %2 : f32
          memref.store %4, %s[%p] : memref<5xf32>
        }
      }
      scf.for %p = %c0 to %c5 step %c1 {
        %0 = memref.load %s[%p] : memref<5xf32>
        memref.store %0, %a[%r, %q, %p] : memref<3x4x5xf32>
      }
    }
  }
  return
}

// scf.parallel that reduces, within a region that is executed.
// CALL parallel_sum x=memref:6x8 y=memref:6 -> y:6
func.func @parallel_sum(%x: memref<6x8xf32>, %y: memref<6xf32>) {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c6) step (%c1) {
    %v = scf.execute_region -> f32 {
      %s = scf.parallel (%j) = (%c0) to (%c8) step (%c1) init (%z) -> f32 {
        %0 = memref.load %x[%i, %j] : memref<6x8xf32>
        %1 = arith.mulf %0, %0 : f32
        scf.reduce(%1 : f32) {
        ^bb0(%l: f32, %r: f32):
          %2 = arith.addf %l, %r : f32
          scf.reduce.return %2 : f32
        }
      }
      scf.yield %s : f32
    }
    memref.store %v, %y[%i] : memref<6xf32>
    scf.reduce
  }
  return
}

// Two results of nested scf.forall with a mapping.
// CALL forall_two a=tensor:8x12 b=tensor:12x8 -> 8x8
func.func @forall_two(%a: tensor<8x12xf32>, %b: tensor<12x8xf32>) -> tensor<8x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %r:2 = scf.forall (%i, %j) = (0, 0) to (8, 8) step (4, 4) shared_outs(%o = %e, %q = %e) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
    %as = tensor.extract_slice %a[%i, 0] [4, 12] [1, 1] : tensor<8x12xf32> to tensor<4x12xf32>
    %bs = tensor.extract_slice %b[0, %j] [12, 4] [1, 1] : tensor<12x8xf32> to tensor<12x4xf32>
    %os = tensor.extract_slice %o[%i, %j] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
    %f = linalg.fill ins(%z : f32) outs(%os : tensor<4x4xf32>) -> tensor<4x4xf32>
    %m = linalg.matmul ins(%as, %bs : tensor<4x12xf32>, tensor<12x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
    %qs = tensor.extract_slice %q[%j, %i] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
    %t = linalg.transpose ins(%m : tensor<4x4xf32>) outs(%qs : tensor<4x4xf32>) permutation = [1, 0]
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %m into %o[%i, %j] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x8xf32>
      tensor.parallel_insert_slice %t into %q[%j, %i] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x8xf32>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  %s = linalg.add ins(%r#0, %r#1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %s : tensor<8x8xf32>
}

// MTTKRP and a chain of tensor contractions by generic, with a reduction over two loops.
// CALL mttkrp t=tensor:4x5x6 b=tensor:5x3 c=tensor:6x3 -> 4x3
func.func @mttkrp(%t: tensor<4x5x6xf32>, %b: tensor<5x3xf32>, %c: tensor<6x3xf32>) -> tensor<4x3xf32> {
  %z = arith.constant dense<0.0> : tensor<4x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k, l) -> (i, k, l)>, affine_map<(i, j, k, l) -> (k, j)>, affine_map<(i, j, k, l) -> (l, j)>, affine_map<(i, j, k, l) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%t, %b, %c : tensor<4x5x6xf32>, tensor<5x3xf32>, tensor<6x3xf32>) outs(%z : tensor<4x3xf32>) {
  ^bb0(%0: f32, %1: f32, %2: f32, %o: f32):
    %3 = arith.mulf %0, %1 : f32
    %4 = arith.mulf %3, %2 : f32
    %5 = arith.addf %o, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// Attention of a window of keys: a mask by two indices, sizes split and joined.
// CALL window q=tensor:1x8x8 k=tensor:1x8x8 v=tensor:1x8x8 -> 1x8x8
func.func @window(%q: tensor<1x8x8xf32>, %k: tensor<1x8x8xf32>, %v: tensor<1x8x8xf32>) -> tensor<1x8x8xf32> {
  %z = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.5 : f32
  %c3 = arith.constant 3 : index
  %qe = tensor.expand_shape %q [[0], [1], [2, 3]] output_shape [1, 8, 2, 4] : tensor<1x8x8xf32> into tensor<1x8x2x4xf32>
  %ke = tensor.expand_shape %k [[0], [1], [2, 3]] output_shape [1, 8, 2, 4] : tensor<1x8x8xf32> into tensor<1x8x2x4xf32>
  %ve = tensor.expand_shape %v [[0], [1], [2, 3]] output_shape [1, 8, 2, 4] : tensor<1x8x8xf32> into tensor<1x8x2x4xf32>
  %te = tensor.empty() : tensor<1x2x8x4xf32>
  %qt = linalg.transpose ins(%qe : tensor<1x8x2x4xf32>) outs(%te : tensor<1x2x8x4xf32>) permutation = [0, 2, 1, 3]
  %kt = linalg.transpose ins(%ke : tensor<1x8x2x4xf32>) outs(%te : tensor<1x2x8x4xf32>) permutation = [0, 2, 1, 3]
  %vt = linalg.transpose ins(%ve : tensor<1x8x2x4xf32>) outs(%te : tensor<1x2x8x4xf32>) permutation = [0, 2, 1, 3]
  %q3 = tensor.collapse_shape %qt [[0, 1], [2], [3]] : tensor<1x2x8x4xf32> into tensor<2x8x4xf32>
  %k3 = tensor.collapse_shape %kt [[0, 1], [2], [3]] : tensor<1x2x8x4xf32> into tensor<2x8x4xf32>
  %v3 = tensor.collapse_shape %vt [[0, 1], [2], [3]] : tensor<1x2x8x4xf32> into tensor<2x8x4xf32>
  %se = tensor.empty() : tensor<2x8x8xf32>
  %sz = linalg.fill ins(%z : f32) outs(%se : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %s = linalg.batch_matmul_transpose_b ins(%q3, %k3 : tensor<2x8x4xf32>, tensor<2x8x4xf32>) outs(%sz : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%s : tensor<2x8x8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %d = arith.subi %i, %j : index
    %p0 = arith.cmpi sle, %j, %i : index
    %p1 = arith.cmpi slt, %d, %c3 : index
    %p = arith.andi %p0, %p1 : i1
    %sc = arith.mulf %o, %scale : f32
    %r = arith.select %p, %sc, %ninf : f32
    linalg.yield %r : f32
  } -> tensor<2x8x8xf32>
  %soft = linalg.softmax dimension(2) ins(%m : tensor<2x8x8xf32>) outs(%se : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %oe = tensor.empty() : tensor<2x8x4xf32>
  %oz = linalg.fill ins(%z : f32) outs(%oe : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  %o = linalg.batch_matmul ins(%soft, %v3 : tensor<2x8x8xf32>, tensor<2x8x4xf32>) outs(%oz : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  %o4 = tensor.expand_shape %o [[0, 1], [2], [3]] output_shape [1, 2, 8, 4] : tensor<2x8x4xf32> into tensor<1x2x8x4xf32>
  %oo = tensor.empty() : tensor<1x8x2x4xf32>
  %ot = linalg.transpose ins(%o4 : tensor<1x2x8x4xf32>) outs(%oo : tensor<1x8x2x4xf32>) permutation = [0, 2, 1, 3]
  %r = tensor.collapse_shape %ot [[0], [1], [2, 3]] : tensor<1x8x2x4xf32> into tensor<1x8x8xf32>
  return %r : tensor<1x8x8xf32>
}

// A loop that carries a sum up to the diagonal, and stores in each iteration.
// CALL triangle x=memref:6x6 y=memref:6x6 s=memref:6 -> y:6x6
func.func @triangle(%x: memref<6x6xf32>, %y: memref<6x6xf32>, %s: memref<6xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 6 {
    %r = affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) iter_args(%acc = %z) -> (f32) {
      %v = affine.load %x[%i, %j] : memref<6x6xf32>
      %a = arith.addf %v, %acc : f32
      affine.store %v, %y[%i, %j] : memref<6x6xf32>
      affine.yield %a : f32
    }
    affine.store %r, %s[%i] : memref<6xf32>
  }
  return
}

// The same, where each iteration stores the sum up to it.
// CALL triangle_sums x=memref:6x6 y=memref:6x6 s=memref:6 -> y:6x6
func.func @triangle_sums(%x: memref<6x6xf32>, %y: memref<6x6xf32>, %s: memref<6xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 6 {
    %r = affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) iter_args(%acc = %z) -> (f32) {
      %v = affine.load %x[%i, %j] : memref<6x6xf32>
      %a = arith.addf %v, %acc : f32
      affine.store %a, %y[%i, %j] : memref<6x6xf32>
      affine.yield %a : f32
    }
    affine.store %r, %s[%i] : memref<6xf32>
  }
  return
}

// A carried sum within a carried sum, both over triangles.
// CALL triangle_nested x=memref:6x6 y=memref:6x6 s=memref:6 -> s:6
func.func @triangle_nested(%x: memref<6x6xf32>, %y: memref<6x6xf32>, %s: memref<6xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 6 {
    %r = affine.for %j = affine_map<(d0) -> (d0)>(%i) to 6 iter_args(%acc = %z) -> (f32) {
      %h = affine.for %k = 0 to affine_map<(d0) -> (d0 + 1)>(%j) iter_args(%m = %z) -> (f32) {
        %v = affine.load %x[%j, %k] : memref<6x6xf32>
        %t = arith.mulf %m, %m : f32
        %u = arith.addf %t, %v : f32
        %w = math.tanh %u : f32
        affine.yield %w : f32
      }
      affine.store %h, %y[%i, %j] : memref<6x6xf32>
      %a = arith.addf %h, %acc : f32
      affine.yield %a : f32
    }
    affine.store %r, %s[%i] : memref<6xf32>
  }
  return
}

// A product in memory of its own, which ends with its scope.
// CALL scoped x=memref:8 y=memref:8 -> y:8
func.func @scoped(%x: memref<8xf32>, %y: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    memref.alloca_scope {
      %t = memref.alloca() : memref<1xf32>
      %v = affine.load %x[%i] : memref<8xf32>
      %w = arith.mulf %v, %v : f32
      affine.store %w, %t[0] : memref<1xf32>
      %u = affine.load %t[0] : memref<1xf32>
      affine.store %u, %y[%i] : memref<8xf32>
    }
  }
  return
}

// A carried sum behind a branch, and a maximum beside it, over a triangle.
// CALL reduce_if x=memref:6x8 y=memref:6 -> y:6
func.func @reduce_if(%x: memref<6x8xf32>, %y: memref<6xf32>) {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c6 step %c1 {
    %s:2 = scf.for %j = %i to %c8 step %c1 iter_args(%a = %z, %m = %z) -> (f32, f32) {
      %v = memref.load %x[%i, %j] : memref<6x8xf32>
      %p = arith.cmpf ogt, %v, %z : f32
      %t = scf.if %p -> (f32) {
        %q = arith.addf %a, %v : f32
        scf.yield %q : f32
      } else {
        scf.yield %a : f32
      }
      %n = arith.maximumf %m, %v : f32
      scf.yield %t, %n : f32, f32
    }
    %r = arith.addf %s#0, %s#1 : f32
    memref.store %r, %y[%i] : memref<6xf32>
  }
  return
}

// A row of its own, filled by the loop that sums it.
// CALL carry_local x=memref:6x8 y=memref:6x8 -> y:6x8
func.func @carry_local(%x: memref<6x8xf32>, %y: memref<6x8xf32>) {
  %z = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<8xf32>
  affine.for %i = 0 to 6 {
    %s = affine.for %j = affine_map<(d0) -> (d0)>(%i) to 8 iter_args(%a = %z) -> (f32) {
      %v = affine.load %x[%i, %j] : memref<6x8xf32>
      %w = arith.mulf %v, %v : f32
      affine.store %w, %t[%j] : memref<8xf32>
      %q = arith.addf %w, %a : f32
      affine.yield %q : f32
    }
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to 8 {
      %v = affine.load %t[%j] : memref<8xf32>
      %w = arith.divf %v, %s : f32
      affine.store %w, %y[%i, %j] : memref<6x8xf32>
    }
  }
  return
}

// A nest that adds to memory, within a loop that carries a sum.
// CALL inner_nest a=memref:6x6 y=memref:6x6 -> y:6x6
func.func @inner_nest(%a: memref<6x6xf32>, %y: memref<6x6xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 6 {
    %s = affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) iter_args(%c = %z) -> (f32) {
      affine.for %k = 0 to affine_map<(d0) -> (d0 + 1)>(%j) {
        %0 = affine.load %a[%j, %k] : memref<6x6xf32>
        %1 = affine.load %y[%i, %j] : memref<6x6xf32>
        %2 = arith.addf %0, %1 : f32
        affine.store %2, %y[%i, %j] : memref<6x6xf32>
      }
      %3 = affine.load %a[%i, %j] : memref<6x6xf32>
      %4 = arith.addf %c, %3 : f32
      affine.yield %4 : f32
    }
    affine.store %s, %y[%i, 5] : memref<6x6xf32>
  }
  return
}

// Programs that add to one row, as the parts of a sum do.
// CALL split_sum x=memref:4x8 y=memref:8 -> y:8
func.func @split_sum(%x: memref<4x8xf32>, %y: memref<8xf32>) {
  affine.parallel (%p) = (0) to (4) {
    affine.for %i = 0 to 8 {
      %v = affine.load %x[%p, %i] : memref<4x8xf32>
      %r = memref.atomic_rmw addf %v, %y[%i] : (f32, memref<8xf32>) -> f32
    }
  }
  return
}

// The same in triton-shared's output, with the greatest.
// CALL split_max x=unranked:4x8 y=unranked:8 grid=4 none -> y:8
func.func @split_max(%x: memref<*xf32>, %y: memref<*xf32>, %g0: i32, %g1: i32, %g2: i32, %px: i32, %py: i32, %pz: i32) {
  %c8 = arith.constant 8 : index
  %p = arith.index_cast %px : i32 to index
  %o = arith.muli %p, %c8 : index
  %xv = memref.reinterpret_cast %x to offset: [%o], sizes: [8], strides: [1] : memref<*xf32> to memref<8xf32, strided<[1], offset: ?>>
  %yv = memref.reinterpret_cast %y to offset: [0], sizes: [8], strides: [1] : memref<*xf32> to memref<8xf32, strided<[1]>>
  affine.for %i = 0 to 8 {
    %v = affine.load %xv[%i] : memref<8xf32, strided<[1], offset: ?>>
    %r = memref.generic_atomic_rmw %yv[%i] : memref<8xf32, strided<[1]>> {
    ^bb0(%old: f32):
      %s = arith.maximumf %old, %v : f32
      memref.atomic_yield %s : f32
    }
  }
  return
}

// A tensor's memory, copied to an argument.
// CALL to_memory a=memref:4x6 b=memref:6x8 c=memref:4x8 -> c:4x8
func.func @to_memory(%a: memref<4x6xf32>, %b: memref<6x8xf32>, %c: memref<4x8xf32>) {
  %z = arith.constant 0.0 : f32
  %0 = bufferization.to_tensor %a restrict : memref<4x6xf32>
  %1 = bufferization.to_tensor %b restrict : memref<6x8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = linalg.matmul ins(%0, %1 : tensor<4x6xf32>, tensor<6x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = bufferization.to_memref %2 : memref<4x8xf32>
  memref.copy %3, %c : memref<4x8xf32> to memref<4x8xf32>
  return
}
