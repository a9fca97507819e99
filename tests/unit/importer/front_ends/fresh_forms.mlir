// Functions as different from one another as those of real programs.
#map = affine_map<(d0) -> (d0)>
#ij = affine_map<(d0, d1) -> (d0, d1)>
#i_ = affine_map<(d0, d1) -> (d0)>
#ji = affine_map<(d0, d1) -> (d1, d0)>
#bmk = affine_map<(b, m, n, k) -> (b, m, k)>
#bnk = affine_map<(b, m, n, k) -> (b, n, k)>
#bmn = affine_map<(b, m, n, k) -> (b, m, n)>

// CALL scores q=tensor:2x6x4 k=tensor:2x5x4 -> 2x6x5
func.func @scores(%q: tensor<2x6x4xf32>, %k: tensor<2x5x4xf32>) -> tensor<2x6x5xf32> {
  %z = arith.constant 0.0 : f32
  %s = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<2x6x5xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x6x5xf32>) -> tensor<2x6x5xf32>
  %p = linalg.generic {indexing_maps = [#bmk, #bnk, #bmn], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x6x4xf32>, tensor<2x5x4xf32>) outs(%f : tensor<2x6x5xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %o, %m : f32
    linalg.yield %t : f32
  } -> tensor<2x6x5xf32>
  %r = linalg.softmax dimension(2) ins(%p : tensor<2x6x5xf32>) outs(%e : tensor<2x6x5xf32>) -> tensor<2x6x5xf32>
  return %r : tensor<2x6x5xf32>
}

// CALL batch_mm a=tensor:3x4x5 b=tensor:3x5x6 -> 3x4x6
func.func @batch_mm(%a: tensor<3x4x5xf32>, %b: tensor<3x5x6xf32>) -> tensor<3x4x6xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x4x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
  %r = linalg.batch_matmul ins(%a, %b : tensor<3x4x5xf32>, tensor<3x5x6xf32>) outs(%f : tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
  return %r : tensor<3x4x6xf32>
}

// CALL conv_pool x=tensor:1x9x9x2 w=tensor:3x3x2x4 -> 1x3x3x4
func.func @conv_pool(%x: tensor<1x9x9x2xf32>, %w: tensor<3x3x2x4xf32>) -> tensor<1x3x3x4xf32> {
  %z = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<1x7x7x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x7x7x4xf32>) -> tensor<1x7x7x4xf32>
  %c = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x9x9x2xf32>, tensor<3x3x2x4xf32>) outs(%f : tensor<1x7x7x4xf32>) -> tensor<1x7x7x4xf32>
  %win = tensor.empty() : tensor<3x3xf32>
  %pe = tensor.empty() : tensor<1x3x3x4xf32>
  %pf = linalg.fill ins(%low : f32) outs(%pe : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  %r = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%c, %win : tensor<1x7x7x4xf32>, tensor<3x3xf32>) outs(%pf : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  return %r : tensor<1x3x3x4xf32>
}

// CALL packed a=tensor:8x12 -> 8x12
func.func @packed(%a: tensor<8x12xf32>) -> tensor<8x12xf32> {
  %e = tensor.empty() : tensor<3x2x4x4xf32>
  %p = tensor.pack %a outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %e : tensor<8x12xf32> -> tensor<3x2x4x4xf32>
  %d = tensor.empty() : tensor<3x2x4x4xf32>
  %q = linalg.mul ins(%p, %p : tensor<3x2x4x4xf32>, tensor<3x2x4x4xf32>) outs(%d : tensor<3x2x4x4xf32>) -> tensor<3x2x4x4xf32>
  %o = tensor.empty() : tensor<8x12xf32>
  %r = tensor.unpack %q outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %o : tensor<3x2x4x4xf32> -> tensor<8x12xf32>
  return %r : tensor<8x12xf32>
}

// CALL layer_norm x=tensor:4x8 g=tensor:8 b=tensor:8 -> 4x8
func.func @layer_norm(%x: tensor<4x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %z = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %e1 = tensor.empty() : tensor<4xf32>
  %e2 = tensor.empty() : tensor<4x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %s = linalg.reduce {arith.addf} ins(%x : tensor<4x8xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  %mean = linalg.map ins(%s : tensor<4xf32>) outs(%e1 : tensor<4xf32>) (%v: f32) {
    %q = arith.divf %v, %n : f32
    linalg.yield %q : f32
  }
  %mb = linalg.broadcast ins(%mean : tensor<4xf32>) outs(%e2 : tensor<4x8xf32>) dimensions = [1]
  %c = linalg.sub ins(%x, %mb : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e2 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %c2 = linalg.square ins(%c : tensor<4x8xf32>) outs(%e2 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %ss = linalg.reduce {arith.addf} ins(%c2 : tensor<4x8xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  %r = linalg.generic {indexing_maps = [#ij, #i_, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (j)>, #ij], iterator_types = ["parallel", "parallel"]} ins(%c, %ss, %g, %b : tensor<4x8xf32>, tensor<4xf32>, tensor<8xf32>, tensor<8xf32>) outs(%e2 : tensor<4x8xf32>) {
  ^bb0(%cv: f32, %sv: f32, %gv: f32, %bv: f32, %o: f32):
    %var = arith.divf %sv, %n : f32
    %ve = arith.addf %var, %eps : f32
    %rs = math.rsqrt %ve : f32
    %t = arith.mulf %cv, %rs : f32
    %u = arith.mulf %t, %gv : f32
    %w = arith.addf %u, %bv : f32
    linalg.yield %w : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// CALL gelu_tanh x=tensor:3x16 -> 3x16
func.func @gelu_tanh(%x: tensor<3x16xf32>) -> tensor<3x16xf32> {
  %e = tensor.empty() : tensor<3x16xf32>
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %k = arith.constant 0.044715 : f32
  %c = arith.constant 0.7978845608 : f32
  %r = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x16xf32>) outs(%e : tensor<3x16xf32>) {
  ^bb0(%v: f32, %o: f32):
    %p2 = arith.mulf %v, %v : f32
    %p3 = arith.mulf %p2, %v : f32
    %t = math.fma %p3, %k, %v : f32
    %u = arith.mulf %t, %c : f32
    %th = math.tanh %u : f32
    %s = arith.addf %th, %one : f32
    %h = arith.mulf %v, %half : f32
    %g = arith.mulf %h, %s : f32
    linalg.yield %g : f32
  } -> tensor<3x16xf32>
  return %r : tensor<3x16xf32>
}

// CALL jacobi a=memref:10x10 b=memref:10x10 -> b:10x10
func.func @jacobi(%a: memref<10x10xf32>, %b: memref<10x10xf32>) {
  %fifth = arith.constant 0.2 : f32
  affine.for %t = 0 to 3 {
    affine.for %i = 1 to 9 {
      affine.for %j = 1 to 9 {
        %c = affine.load %a[%i, %j] : memref<10x10xf32>
        %l = affine.load %a[%i, %j - 1] : memref<10x10xf32>
        %r = affine.load %a[%i, %j + 1] : memref<10x10xf32>
        %u = affine.load %a[%i - 1, %j] : memref<10x10xf32>
        %d = affine.load %a[%i + 1, %j] : memref<10x10xf32>
        %s0 = arith.addf %c, %l : f32
        %s1 = arith.addf %r, %u : f32
        %s2 = arith.addf %s0, %s1 : f32
        %s3 = arith.addf %s2, %d : f32
        %s = arith.mulf %s3, %fifth : f32
        affine.store %s, %b[%i, %j] : memref<10x10xf32>
      }
    }
    affine.for %i = 1 to 9 {
      affine.for %j = 1 to 9 {
        %v = affine.load %b[%i, %j] : memref<10x10xf32>
        affine.store %v, %a[%i, %j] : memref<10x10xf32>
      }
    }
  }
  return
}

// CALL syr2k a=memref:6x5 b=memref:6x5 c=memref:6x6 -> c:6x6
func.func @syr2k(%a: memref<6x5xf32>, %b: memref<6x5xf32>, %c: memref<6x6xf32>) {
  %beta = arith.constant 1.2 : f32
  %alpha = arith.constant 1.5 : f32
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %v = affine.load %c[%i, %j] : memref<6x6xf32>
      %w = arith.mulf %v, %beta : f32
      affine.store %w, %c[%i, %j] : memref<6x6xf32>
    }
    affine.for %k = 0 to 5 {
      affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
        %a0 = affine.load %a[%j, %k] : memref<6x5xf32>
        %a1 = arith.mulf %a0, %alpha : f32
        %b0 = affine.load %b[%i, %k] : memref<6x5xf32>
        %p = arith.mulf %a1, %b0 : f32
        %b1 = affine.load %b[%j, %k] : memref<6x5xf32>
        %b2 = arith.mulf %b1, %alpha : f32
        %a2 = affine.load %a[%i, %k] : memref<6x5xf32>
        %q = arith.mulf %b2, %a2 : f32
        %s = arith.addf %p, %q : f32
        %o = affine.load %c[%i, %j] : memref<6x6xf32>
        %t = arith.addf %o, %s : f32
        affine.store %t, %c[%i, %j] : memref<6x6xf32>
      }
    }
  }
  return
}

// CALL fir x=memref:20 h=memref:5 y=memref:16 -> y:16
func.func @fir(%x: memref<20xf32>, %h: memref<5xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    %s = scf.for %k = %c0 to %c5 step %c1 iter_args(%acc = %z) -> (f32) {
      %at = arith.addi %i, %k : index
      %a = memref.load %x[%at] : memref<20xf32>
      %r = arith.subi %c5, %k : index
      %r1 = arith.subi %r, %c1 : index
      %b = memref.load %h[%r1] : memref<5xf32>
      %p = arith.mulf %a, %b : f32
      %n = arith.addf %acc, %p : f32
      scf.yield %n : f32
    }
    memref.store %s, %y[%i] : memref<16xf32>
    scf.reduce
  }
  return
}

// CALL tiled_forall a=tensor:16x8 b=tensor:8x12 -> 16x12
func.func @tiled_forall(%a: tensor<16x8xf32>, %b: tensor<8x12xf32>) -> tensor<16x12xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x12xf32>
  %r = scf.forall (%i, %j) = (0, 0) to (16, 12) step (4, 6) shared_outs(%o = %e) -> (tensor<16x12xf32>) {
    %sa = tensor.extract_slice %a[%i, 0] [4, 8] [1, 1] : tensor<16x8xf32> to tensor<4x8xf32>
    %sb = tensor.extract_slice %b[0, %j] [8, 6] [1, 1] : tensor<8x12xf32> to tensor<8x6xf32>
    %so = tensor.extract_slice %o[%i, %j] [4, 6] [1, 1] : tensor<16x12xf32> to tensor<4x6xf32>
    %f = linalg.fill ins(%z : f32) outs(%so : tensor<4x6xf32>) -> tensor<4x6xf32>
    %m = linalg.matmul ins(%sa, %sb : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %m into %o[%i, %j] [4, 6] [1, 1] : tensor<4x6xf32> into tensor<16x12xf32>
    }
  }
  return %r : tensor<16x12xf32>
}

// CALL vec_mm a=memref:8x8 b=memref:8x8 c=memref:8x8 -> c:8x8
func.func @vec_mm(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 step 4 {
      %init = vector.transfer_read %c[%i, %j], %z {in_bounds = [true]} : memref<8x8xf32>, vector<4xf32>
      %s = affine.for %k = 0 to 8 iter_args(%acc = %init) -> (vector<4xf32>) {
        %av = affine.load %a[%i, %k] : memref<8x8xf32>
        %ab = vector.broadcast %av : f32 to vector<4xf32>
        %bv = vector.transfer_read %b[%k, %j], %z {in_bounds = [true]} : memref<8x8xf32>, vector<4xf32>
        %n = vector.fma %ab, %bv, %acc : vector<4xf32>
        affine.yield %n : vector<4xf32>
      }
      vector.transfer_write %s, %c[%i, %j] {in_bounds = [true]} : vector<4xf32>, memref<8x8xf32>
    }
  }
  return
}

// CALL argmin_rows x=tensor:4x7 -> 4:i32
func.func @argmin_rows(%x: tensor<4x7xf32>) -> tensor<4xi32> {
  %inf = arith.constant 0x7F800000 : f32
  %m1 = arith.constant 0 : i32
  %ev = tensor.empty() : tensor<4xf32>
  %ei = tensor.empty() : tensor<4xi32>
  %fv = linalg.fill ins(%inf : f32) outs(%ev : tensor<4xf32>) -> tensor<4xf32>
  %fi = linalg.fill ins(%m1 : i32) outs(%ei : tensor<4xi32>) -> tensor<4xi32>
  %r:2 = linalg.generic {indexing_maps = [#ij, #i_, #i_], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x7xf32>) outs(%fv, %fi : tensor<4xf32>, tensor<4xi32>) {
  ^bb0(%v: f32, %bv: f32, %bi: i32):
    %j = linalg.index 1 : index
    %ji = arith.index_cast %j : index to i32
    %lt = arith.cmpf olt, %v, %bv : f32
    %nv = arith.select %lt, %v, %bv : f32
    %ni = arith.select %lt, %ji, %bi : i32
    linalg.yield %nv, %ni : f32, i32
  } -> (tensor<4xf32>, tensor<4xi32>)
  return %r#1 : tensor<4xi32>
}

// CALL rotary x=tensor:3x8 c=tensor:3x4 s=tensor:3x4 -> 3x8
func.func @rotary(%x: tensor<3x8xf32>, %c: tensor<3x4xf32>, %s: tensor<3x4xf32>) -> tensor<3x8xf32> {
  %e = tensor.empty() : tensor<3x4xf32>
  %a = tensor.extract_slice %x[0, 0] [3, 4] [1, 1] : tensor<3x8xf32> to tensor<3x4xf32>
  %b = tensor.extract_slice %x[0, 4] [3, 4] [1, 1] : tensor<3x8xf32> to tensor<3x4xf32>
  %ac = linalg.mul ins(%a, %c : tensor<3x4xf32>, tensor<3x4xf32>) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  %bs = linalg.mul ins(%b, %s : tensor<3x4xf32>, tensor<3x4xf32>) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  %as = linalg.mul ins(%a, %s : tensor<3x4xf32>, tensor<3x4xf32>) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  %bc = linalg.mul ins(%b, %c : tensor<3x4xf32>, tensor<3x4xf32>) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  %lo = linalg.sub ins(%ac, %bs : tensor<3x4xf32>, tensor<3x4xf32>) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  %hi = linalg.add ins(%as, %bc : tensor<3x4xf32>, tensor<3x4xf32>) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  %r = tensor.concat dim(1) %lo, %hi : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x8xf32>
  return %r : tensor<3x8xf32>
}

// CALL padded_mean x=tensor:5x5 -> 5x5
func.func @padded_mean(%x: tensor<5x5xf32>) -> tensor<5x5xf32> {
  %z = arith.constant 0.0 : f32
  %n = arith.constant 9.0 : f32
  %p = tensor.pad %x low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<5x5xf32> to tensor<7x7xf32>
  %e = tensor.empty() : tensor<5x5xf32>
  %w = tensor.empty() : tensor<3x3xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j, k, l) -> (i + k, j + l)>, affine_map<(i, j, k, l) -> (k, l)>, affine_map<(i, j, k, l) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%p, %w : tensor<7x7xf32>, tensor<3x3xf32>) outs(%f : tensor<5x5xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  } -> tensor<5x5xf32>
  %r = linalg.map ins(%s : tensor<5x5xf32>) outs(%e : tensor<5x5xf32>) (%v: f32) {
    %q = arith.divf %v, %n : f32
    linalg.yield %q : f32
  }
  return %r : tensor<5x5xf32>
}

// CALL im2col_mm x=tensor:1x6x6x2 w=tensor:18x3 -> 16x3
func.func @im2col_mm(%x: tensor<1x6x6x2xf32>, %w: tensor<18x3xf32>) -> tensor<16x3xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x18xf32>
  %c = linalg.generic {indexing_maps = [#ij], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<16x18xf32>) {
  ^bb0(%o: f32):
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c6 = arith.constant 6 : index
    %p = linalg.index 0 : index
    %k = linalg.index 1 : index
    %oh = arith.divui %p, %c4 : index
    %ow = arith.remui %p, %c4 : index
    %kh = arith.divui %k, %c6 : index
    %kr = arith.remui %k, %c6 : index
    %kw = arith.divui %kr, %c2 : index
    %ch = arith.remui %kr, %c2 : index
    %h = arith.addi %oh, %kh : index
    %v = arith.addi %ow, %kw : index
    %t = tensor.extract %x[%c0, %h, %v, %ch] : tensor<1x6x6x2xf32>
    linalg.yield %t : f32
  } -> tensor<16x18xf32>
  %o = tensor.empty() : tensor<16x3xf32>
  %f = linalg.fill ins(%z : f32) outs(%o : tensor<16x3xf32>) -> tensor<16x3xf32>
  %r = linalg.matmul ins(%c, %w : tensor<16x18xf32>, tensor<18x3xf32>) outs(%f : tensor<16x3xf32>) -> tensor<16x3xf32>
  return %r : tensor<16x3xf32>
}

// CALL brgemm a=memref:3x4x5 b=memref:3x5x6 c=memref:4x6 -> c:4x6
func.func @brgemm(%a: memref<3x4x5xf32>, %b: memref<3x5x6xf32>, %c: memref<4x6xf32>) {
  linalg.batch_reduce_matmul ins(%a, %b : memref<3x4x5xf32>, memref<3x5x6xf32>) outs(%c : memref<4x6xf32>)
  %z = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#ij], iterator_types = ["parallel", "parallel"]} outs(%c : memref<4x6xf32>) {
  ^bb0(%v: f32):
    %m = arith.maximumf %v, %z : f32
    linalg.yield %m : f32
  }
  return
}

// CALL transposed_sum x=tensor:4x6 y=tensor:6x4 -> 6
func.func @transposed_sum(%x: tensor<4x6xf32>, %y: tensor<6x4xf32>) -> tensor<6xf32> {
  %z = arith.constant 0.0 : f32
  %et = tensor.empty() : tensor<6x4xf32>
  %e = tensor.empty() : tensor<6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  %t = linalg.transpose ins(%x : tensor<4x6xf32>) outs(%et : tensor<6x4xf32>) permutation = [1, 0]
  %s = linalg.add ins(%t, %y : tensor<6x4xf32>, tensor<6x4xf32>) outs(%et : tensor<6x4xf32>) -> tensor<6x4xf32>
  %a = linalg.abs ins(%s : tensor<6x4xf32>) outs(%et : tensor<6x4xf32>) -> tensor<6x4xf32>
  %r = linalg.reduce ins(%a : tensor<6x4xf32>) outs(%f : tensor<6xf32>) dimensions = [1] (%v: f32, %acc: f32) {
    %n = arith.addf %v, %acc : f32
    linalg.yield %n : f32
  }
  return %r : tensor<6xf32>
}

// CALL depthwise x=tensor:1x8x8x3 w=tensor:3x3x3 -> 1x3x3x3
func.func @depthwise(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3xf32>) -> tensor<1x3x3x3xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x3x3x3xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x3x3x3xf32>) -> tensor<1x3x3x3xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x8x8x3xf32>, tensor<3x3x3xf32>) outs(%f : tensor<1x3x3x3xf32>) -> tensor<1x3x3x3xf32>
  return %r : tensor<1x3x3x3xf32>
}

// CALL floyd d=memref:6x6 -> d:6x6
func.func @floyd(%d: memref<6x6xf32>) {
  affine.for %k = 0 to 6 {
    affine.for %i = 0 to 6 {
      affine.for %j = 0 to 6 {
        %a = affine.load %d[%i, %k] : memref<6x6xf32>
        %b = affine.load %d[%k, %j] : memref<6x6xf32>
        %s = arith.addf %a, %b : f32
        %o = affine.load %d[%i, %j] : memref<6x6xf32>
        %m = arith.minimumf %o, %s : f32
        affine.store %m, %d[%i, %j] : memref<6x6xf32>
      }
    }
  }
  return
}

// CALL masked_read x=memref:10 y=memref:12 -> y:12
func.func @masked_read(%x: memref<10xf32>, %y: memref<12xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  %c12 = arith.constant 12 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c12 step %c4 {
    %left = arith.subi %c10, %i : index
    %n = arith.minsi %left, %c4 : index
    %s = memref.subview %x[%i] [%n] [1] : memref<10xf32> to memref<?xf32, strided<[1], offset: ?>>
    %v = vector.transfer_read %s[%c0], %z : memref<?xf32, strided<[1], offset: ?>>, vector<4xf32>
    %w = arith.addf %v, %v : vector<4xf32>
    vector.transfer_write %w, %y[%i] {in_bounds = [true]} : vector<4xf32>, memref<12xf32>
  }
  return
}

// CALL masked_copy x=memref:10 y=memref:10 -> y:10
func.func @masked_copy(%x: memref<10xf32>, %y: memref<10xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  %z = arith.constant 1.0 : f32
  scf.for %i = %c0 to %c10 step %c4 {
    %left = arith.subi %c10, %i : index
    %n = arith.minsi %left, %c4 : index
    %s = memref.subview %x[%i] [%n] [1] : memref<10xf32> to memref<?xf32, strided<[1], offset: ?>>
    %t = memref.subview %y[%i] [%n] [1] : memref<10xf32> to memref<?xf32, strided<[1], offset: ?>>
    %v = vector.transfer_read %s[%c0], %z : memref<?xf32, strided<[1], offset: ?>>, vector<4xf32>
    %w = math.exp %v : vector<4xf32>
    vector.transfer_write %w, %t[%c0] : vector<4xf32>, memref<?xf32, strided<[1], offset: ?>>
  }
  return
}

// CALL triton_add x=unranked:50 y=unranked:50 o=unranked:50 n=i32=50 grid=4,1,1 -> o:50
func.func @triton_add(%x: memref<*xf32>, %y: memref<*xf32>, %o: memref<*xf32>, %n: i32, %gx: i32, %gy: i32, %gz: i32, %px: i32, %py: i32, %pz: i32) {
  %c16 = arith.constant 16 : i32
  %c16i = arith.constant 16 : index
  %base = arith.muli %px, %c16 : i32
  %at = arith.index_cast %base : i32 to index
  %rx = memref.reinterpret_cast %x to offset: [%at], sizes: [16], strides: [1] : memref<*xf32> to memref<16xf32, strided<[1], offset: ?>>
  %ry = memref.reinterpret_cast %y to offset: [%at], sizes: [16], strides: [1] : memref<*xf32> to memref<16xf32, strided<[1], offset: ?>>
  %ax = memref.alloc() : memref<16xf32>
  %ay = memref.alloc() : memref<16xf32>
  %nn = arith.index_cast %n : i32 to index
  %e = arith.addi %at, %c16i : index
  %m = arith.minsi %e, %nn : index
  %m2 = arith.maxsi %m, %at : index
  %k = arith.subi %m2, %at : index
  %sx = memref.subview %rx[0] [%k] [1] : memref<16xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  %tx = memref.subview %ax[0] [%k] [1] : memref<16xf32> to memref<?xf32, strided<[1]>>
  memref.copy %sx, %tx : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1]>>
  %sy = memref.subview %ry[0] [%k] [1] : memref<16xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  %ty = memref.subview %ay[0] [%k] [1] : memref<16xf32> to memref<?xf32, strided<[1]>>
  memref.copy %sy, %ty : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1]>>
  %a = bufferization.to_tensor %ax restrict writable : memref<16xf32>
  %b = bufferization.to_tensor %ay restrict writable : memref<16xf32>
  %r = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a, %b : tensor<16xf32>, tensor<16xf32>) outs(%a : tensor<16xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<16xf32>
  %ro = memref.reinterpret_cast %o to offset: [%at], sizes: [16], strides: [1] : memref<*xf32> to memref<16xf32, strided<[1], offset: ?>>
  %part = tensor.extract_slice %r[0] [%k] [1] : tensor<16xf32> to tensor<?xf32>
  %so = memref.subview %ro[0] [%k] [1] : memref<16xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  bufferization.materialize_in_destination %part in writable %so : (tensor<?xf32>, memref<?xf32, strided<[1], offset: ?>>) -> ()
  return
}

// CALL tiled_nest a=memref:12x12 b=memref:12x12 c=memref:12x12 -> c:12x12
func.func @tiled_nest(%a: memref<12x12xf32>, %b: memref<12x12xf32>, %c: memref<12x12xf32>) {
  affine.for %it = 0 to 12 step 5 {
    affine.for %jt = 0 to 12 step 4 {
      affine.for %kt = 0 to 12 step 6 {
        affine.for %i = affine_map<(d0) -> (d0)>(%it) to min affine_map<(d0) -> (d0 + 5, 12)>(%it) {
          affine.for %j = affine_map<(d0) -> (d0)>(%jt) to affine_map<(d0) -> (d0 + 4)>(%jt) {
            affine.for %k = affine_map<(d0) -> (d0)>(%kt) to affine_map<(d0) -> (d0 + 6)>(%kt) {
              %x = affine.load %a[%i, %k] : memref<12x12xf32>
              %y = affine.load %b[%k, %j] : memref<12x12xf32>
              %p = arith.mulf %x, %y : f32
              %z = affine.load %c[%i, %j] : memref<12x12xf32>
              %s = arith.addf %z, %p : f32
              affine.store %s, %c[%i, %j] : memref<12x12xf32>
            }
          }
        }
      }
    }
  }
  return
}

// CALL atax a=memref:5x6 x=memref:6 y=memref:6 -> y:6
func.func @atax(%a: memref<5x6xf32>, %x: memref<6xf32>, %y: memref<6xf32>) {
  %z = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<5xf32>
  affine.for %i = 0 to 6 {
    affine.store %z, %y[%i] : memref<6xf32>
  }
  affine.for %i = 0 to 5 {
    affine.store %z, %t[%i] : memref<5xf32>
    affine.for %j = 0 to 6 {
      %p = affine.load %t[%i] : memref<5xf32>
      %q = affine.load %a[%i, %j] : memref<5x6xf32>
      %r = affine.load %x[%j] : memref<6xf32>
      %s = arith.mulf %q, %r : f32
      %u = arith.addf %p, %s : f32
      affine.store %u, %t[%i] : memref<5xf32>
    }
    affine.for %j = 0 to 6 {
      %p = affine.load %y[%j] : memref<6xf32>
      %q = affine.load %a[%i, %j] : memref<5x6xf32>
      %r = affine.load %t[%i] : memref<5xf32>
      %s = arith.mulf %q, %r : f32
      %u = arith.addf %p, %s : f32
      affine.store %u, %y[%j] : memref<6xf32>
    }
  }
  memref.dealloc %t : memref<5xf32>
  return
}

// CALL gated x=tensor:4x6 w=tensor:6x8 v=tensor:6x8 -> 4x8
func.func @gated(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>, %v: tensor<6x8xf32>) -> tensor<4x8xf32> {
  %z = arith.constant dense<0.0> : tensor<4x8xf32>
  %one = arith.constant dense<1.0> : tensor<4x8xf32>
  %a = linalg.matmul ins(%x, %w : tensor<4x6xf32>, tensor<6x8xf32>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
  %b = linalg.matmul ins(%x, %v : tensor<4x6xf32>, tensor<6x8xf32>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
  %n = arith.negf %a : tensor<4x8xf32>
  %e = math.exp %n : tensor<4x8xf32>
  %d = arith.addf %e, %one : tensor<4x8xf32>
  %s = arith.divf %a, %d : tensor<4x8xf32>
  %r = arith.mulf %s, %b : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// CALL reshaped_heads x=tensor:6x8 -> 2x6x4
func.func @reshaped_heads(%x: tensor<6x8xf32>) -> tensor<2x6x4xf32> {
  %e = tensor.expand_shape %x [[0], [1, 2]] output_shape [6, 2, 4] : tensor<6x8xf32> into tensor<6x2x4xf32>
  %o = tensor.empty() : tensor<2x6x4xf32>
  %r = linalg.transpose ins(%e : tensor<6x2x4xf32>) outs(%o : tensor<2x6x4xf32>) permutation = [1, 0, 2]
  return %r : tensor<2x6x4xf32>
}

// CALL conv_nchw x=tensor:1x2x6x6 w=tensor:3x2x3x3 b=tensor:3 -> 1x3x4x4
func.func @conv_nchw(%x: tensor<1x2x6x6xf32>, %w: tensor<3x2x3x3xf32>, %b: tensor<3xf32>) -> tensor<1x3x4x4xf32> {
  %e = tensor.empty() : tensor<1x3x4x4xf32>
  %i = linalg.broadcast ins(%b : tensor<3xf32>) outs(%e : tensor<1x3x4x4xf32>) dimensions = [0, 2, 3]
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%x, %w : tensor<1x2x6x6xf32>, tensor<3x2x3x3xf32>) outs(%i : tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  return %r : tensor<1x3x4x4xf32>
}

// CALL avg_pool x=tensor:1x6x6x2 -> 1x3x3x2
func.func @avg_pool(%x: tensor<1x6x6x2xf32>) -> tensor<1x3x3x2xf32> {
  %z = arith.constant 0.0 : f32
  %q = arith.constant 0.25 : f32
  %e = tensor.empty() : tensor<1x3x3x2xf32>
  %w = tensor.empty() : tensor<2x2xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32>
  %s = linalg.pooling_nhwc_sum {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%x, %w : tensor<1x6x6x2xf32>, tensor<2x2xf32>) outs(%f : tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32>
  %r = linalg.map { arith.mulf } ins(%s, %s : tensor<1x3x3x2xf32>, tensor<1x3x3x2xf32>) outs(%e : tensor<1x3x3x2xf32>)
  return %r : tensor<1x3x3x2xf32>
}

// CALL vec_reduce x=memref:8x16 y=memref:8 -> y:8
func.func @vec_reduce(%x: memref<8x16xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c8 step %c1 {
    %a = vector.load %x[%i, %c0] : memref<8x16xf32>, vector<8xf32>
    %b = vector.load %x[%i, %c8] : memref<8x16xf32>, vector<8xf32>
    %m = arith.maximumf %a, %b : vector<8xf32>
    %s = vector.reduction <add>, %m, %z : vector<8xf32> into f32
    memref.store %s, %y[%i] : memref<8xf32>
  }
  return
}

// CALL prefix x=memref:12 y=memref:12 -> y:12
func.func @prefix(%x: memref<12xf32>, %y: memref<12xf32>) {
  %z = arith.constant 0.0 : f32
  %last = affine.for %i = 0 to 12 iter_args(%acc = %z) -> (f32) {
    %v = affine.load %x[%i] : memref<12xf32>
    %s = arith.addf %acc, %v : f32
    affine.store %s, %y[%i] : memref<12xf32>
    affine.yield %s : f32
  }
  return
}

// CALL embedding t=tensor:10x4 i=tensor:5:i64<10 -> 5x4
func.func @embedding(%t: tensor<10x4xf32>, %i: tensor<5xi64>) -> tensor<5x4xf32> {
  %e = tensor.empty() : tensor<5x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, #ij], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<5xi64>) outs(%e : tensor<5x4xf32>) {
  ^bb0(%n: i64, %o: f32):
    %at = arith.index_cast %n : i64 to index
    %d = linalg.index 1 : index
    %v = tensor.extract %t[%at, %d] : tensor<10x4xf32>
    linalg.yield %v : f32
  } -> tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}
