// Functions in others' forms: blocks of language models, packed products, tails.

// CALL swiglu_tail g=unranked:4x20 u=unranked:4x20 y=unranked:4x20 n=i32=20 grid=4,2 -> y:4x20
func.func @swiglu_tail(%g: memref<*xf32>, %u: memref<*xf32>, %y: memref<*xf32>, %n: i32, %gx: i32, %gy: i32, %gz: i32, %px: i32, %py: i32, %pz: i32) {
  %c16_i32 = arith.constant 16 : i32
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %row = arith.muli %px, %n : i32
  %rowi = arith.index_cast %row : i32 to index
  %col = arith.muli %py, %c16_i32 : i32
  %coli = arith.index_cast %col : i32 to index
  %at = arith.addi %rowi, %coli : index
  %gv = memref.reinterpret_cast %g to offset: [%at], sizes: [16], strides: [1] : memref<*xf32> to memref<16xf32, strided<[1], offset: ?>>
  %uv = memref.reinterpret_cast %u to offset: [%at], sizes: [16], strides: [1] : memref<*xf32> to memref<16xf32, strided<[1], offset: ?>>
  %end = arith.addi %coli, %c16 : index
  %ni = arith.index_cast %n : i32 to index
  %lim = arith.minsi %end, %ni : index
  %lim2 = arith.maxsi %lim, %coli : index
  %valid = arith.subi %lim2, %coli : index
  %gb = memref.alloc() : memref<16xf32>
  %small = arith.cmpi slt, %valid, %c16 : index
  scf.if %small {
    linalg.fill ins(%zero : f32) outs(%gb : memref<16xf32>)
  }
  %gs = memref.subview %gv[0] [%valid] [1] : memref<16xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  %gd = memref.subview %gb[0] [%valid] [1] : memref<16xf32> to memref<?xf32, strided<[1]>>
  memref.copy %gs, %gd : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1]>>
  %gt = bufferization.to_tensor %gb restrict writable : memref<16xf32>
  %ub = memref.alloc() : memref<16xf32>
  scf.if %small {
    linalg.fill ins(%zero : f32) outs(%ub : memref<16xf32>)
  }
  %us = memref.subview %uv[0] [%valid] [1] : memref<16xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  %ud = memref.subview %ub[0] [%valid] [1] : memref<16xf32> to memref<?xf32, strided<[1]>>
  memref.copy %us, %ud : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1]>>
  %ut = bufferization.to_tensor %ub restrict writable : memref<16xf32>
  %e = tensor.empty() : tensor<16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%gt, %ut : tensor<16xf32>, tensor<16xf32>) outs(%e : tensor<16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %neg = arith.negf %a : f32
    %ex = math.exp %neg : f32
    %den = arith.addf %ex, %one : f32
    %sig = arith.divf %a, %den : f32
    %m = arith.mulf %sig, %b : f32
    linalg.yield %m : f32
  } -> tensor<16xf32>
  %yv = memref.reinterpret_cast %y to offset: [%at], sizes: [16], strides: [1] : memref<*xf32> to memref<16xf32, strided<[1], offset: ?>>
  %rs = tensor.extract_slice %r[0] [%valid] [1] : tensor<16xf32> to tensor<?xf32>
  %ys = memref.subview %yv[0] [%valid] [1] : memref<16xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  bufferization.materialize_in_destination %rs in writable %ys : (tensor<?xf32>, memref<?xf32, strided<[1], offset: ?>>) -> ()
  return
}

// CALL gemv_increments A=unranked:6x32 x=unranked:32 y=unranked:6 k=i32=32 grid=6 -> y:6
func.func @gemv_increments(%A: memref<*xf32>, %x: memref<*xf32>, %y: memref<*xf32>, %k: i32, %gx: i32, %gy: i32, %gz: i32, %px: i32, %py: i32, %pz: i32) {
  %c0_i32 = arith.constant 0 : i32
  %c8_i32 = arith.constant 8 : i32
  %c8 = arith.constant 8 : index
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %p = arith.muli %px, %k : i32
  %row = arith.index_cast %p : i32 to index
  %r:3 = scf.for %i = %c0_i32 to %k step %c8_i32 iter_args(%acc = %init, %pa = %row, %pb = %c0) -> (tensor<8xf32>, index, index) : i32 {
    %av = memref.reinterpret_cast %A to offset: [%pa], sizes: [8], strides: [1] : memref<*xf32> to memref<8xf32, strided<[1], offset: ?>>
    %xv = memref.reinterpret_cast %x to offset: [%pb], sizes: [8], strides: [1] : memref<*xf32> to memref<8xf32, strided<[1], offset: ?>>
    %ab = memref.alloc() : memref<8xf32>
    %xb = memref.alloc() : memref<8xf32>
    memref.copy %av, %ab : memref<8xf32, strided<[1], offset: ?>> to memref<8xf32>
    memref.copy %xv, %xb : memref<8xf32, strided<[1], offset: ?>> to memref<8xf32>
    %at = bufferization.to_tensor %ab restrict writable : memref<8xf32>
    %xt = bufferization.to_tensor %xb restrict writable : memref<8xf32>
    %m = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%at, %xt : tensor<8xf32>, tensor<8xf32>) outs(%acc : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %ml = arith.mulf %a, %b : f32
      %s = arith.addf %o, %ml : f32
      linalg.yield %s : f32
    } -> tensor<8xf32>
    %na = arith.addi %pa, %c8 : index
    %nb = arith.addi %pb, %c8 : index
    scf.yield %m, %na, %nb : tensor<8xf32>, index, index
  }
  %t = bufferization.alloc_tensor() : tensor<f32>
  %z = tensor.insert %zero into %t[] : tensor<f32>
  %sum = linalg.reduce ins(%r#0 : tensor<8xf32>) outs(%z : tensor<f32>) dimensions = [0] (%in: f32, %o: f32) {
    %s = arith.addf %in, %o : f32
    linalg.yield %s : f32
  }
  %v = tensor.extract %sum[] : tensor<f32>
  %pi = arith.index_cast %px : i32 to index
  %yv = memref.reinterpret_cast %y to offset: [%pi], sizes: [1], strides: [1] : memref<*xf32> to memref<1xf32, strided<[1], offset: ?>>
  affine.store %v, %yv[0] : memref<1xf32, strided<[1], offset: ?>>
  return
}

// CALL llm_block x=tensor:1x6x8 g=tensor:8 wg=tensor:12x8 wu=tensor:12x8 wd=tensor:8x12 -> 1x6x8
func.func @llm_block(%x: tensor<1x6x8xf32>, %g: tensor<8xf32>, %wg: tensor<12x8xf32>, %wu: tensor<12x8xf32>, %wd: tensor<8x12xf32>) -> tensor<1x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %eight = arith.constant 8.0 : f32
  %eps = arith.constant 0.001 : f32
  %one = arith.constant 1.0 : f32
  %e3 = tensor.empty() : tensor<1x6x8xf32>
  %sq = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<1x6x8xf32>) outs(%e3 : tensor<1x6x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = math.powf %a, %two : f32
    linalg.yield %p : f32
  } -> tensor<1x6x8xf32>
  %e1 = tensor.empty() : tensor<1x6x1xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x6x1xf32>) -> tensor<1x6x1xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%sq : tensor<1x6x8xf32>) outs(%f1 : tensor<1x6x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<1x6x1xf32>
  %rs = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sum : tensor<1x6x1xf32>) outs(%e1 : tensor<1x6x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.divf %a, %eight : f32
    %me = arith.addf %m, %eps : f32
    %r = math.rsqrt %me : f32
    linalg.yield %r : f32
  } -> tensor<1x6x1xf32>
  %n = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, d1, d2)>, affine_map<(d0, d1, d2) -> (0, d1, 0)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %rs, %g : tensor<1x6x8xf32>, tensor<1x6x1xf32>, tensor<8xf32>) outs(%e3 : tensor<1x6x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %mm = arith.mulf %m, %c : f32
    linalg.yield %mm : f32
  } -> tensor<1x6x8xf32>
  %et = tensor.empty() : tensor<8x12xf32>
  %wgt = linalg.transpose ins(%wg : tensor<12x8xf32>) outs(%et : tensor<8x12xf32>) permutation = [1, 0]
  %wut = linalg.transpose ins(%wu : tensor<12x8xf32>) outs(%et : tensor<8x12xf32>) permutation = [1, 0]
  %c = tensor.collapse_shape %n [[0, 1], [2]] : tensor<1x6x8xf32> into tensor<6x8xf32>
  %eh = tensor.empty() : tensor<6x12xf32>
  %fh = linalg.fill ins(%zero : f32) outs(%eh : tensor<6x12xf32>) -> tensor<6x12xf32>
  %gate = linalg.matmul ins(%c, %wgt : tensor<6x8xf32>, tensor<8x12xf32>) outs(%fh : tensor<6x12xf32>) -> tensor<6x12xf32>
  %up = linalg.matmul ins(%c, %wut : tensor<6x8xf32>, tensor<8x12xf32>) outs(%fh : tensor<6x12xf32>) -> tensor<6x12xf32>
  %act = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%gate, %up : tensor<6x12xf32>, tensor<6x12xf32>) outs(%eh : tensor<6x12xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %neg = arith.negf %a : f32
    %ex = math.exp %neg : f32
    %den = arith.addf %ex, %one : f32
    %inv = arith.divf %one, %den : f32
    %si = arith.mulf %inv, %a : f32
    %m = arith.mulf %si, %b : f32
    linalg.yield %m : f32
  } -> tensor<6x12xf32>
  %ed = tensor.empty() : tensor<12x8xf32>
  %wdt = linalg.transpose ins(%wd : tensor<8x12xf32>) outs(%ed : tensor<12x8xf32>) permutation = [1, 0]
  %eo = tensor.empty() : tensor<6x8xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<6x8xf32>) -> tensor<6x8xf32>
  %down = linalg.matmul ins(%act, %wdt : tensor<6x12xf32>, tensor<12x8xf32>) outs(%fo : tensor<6x8xf32>) -> tensor<6x8xf32>
  %d3 = tensor.expand_shape %down [[0, 1], [2]] output_shape [1, 6, 8] : tensor<6x8xf32> into tensor<1x6x8xf32>
  %res = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, d1, d2)>, affine_map<(d0, d1, d2) -> (0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%d3, %x : tensor<1x6x8xf32>, tensor<1x6x8xf32>) outs(%e3 : tensor<1x6x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<1x6x8xf32>
  return %res : tensor<1x6x8xf32>
}

// CALL gqa_scores q=tensor:4x5x8 k=tensor:2x5x8 -> 4x5x5
func.func @gqa_scores(%q: tensor<4x5x8xf32>, %k: tensor<2x5x8xf32>) -> tensor<4x5x5xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0e+04 : f32
  %e4 = tensor.empty() : tensor<2x2x5x8xf32>
  %b = linalg.broadcast ins(%k : tensor<2x5x8xf32>) outs(%e4 : tensor<2x2x5x8xf32>) dimensions = [1]
  %kk = tensor.collapse_shape %b [[0, 1], [2], [3]] : tensor<2x2x5x8xf32> into tensor<4x5x8xf32>
  %et = tensor.empty() : tensor<4x8x5xf32>
  %kt = linalg.transpose ins(%kk : tensor<4x5x8xf32>) outs(%et : tensor<4x8x5xf32>) permutation = [0, 2, 1]
  %es = tensor.empty() : tensor<4x5x5xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
  %s = linalg.batch_matmul ins(%q, %kt : tensor<4x5x8xf32>, tensor<4x8x5xf32>) outs(%fs : tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<4x5x5xf32>) outs(%es : tensor<4x5x5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %late = arith.cmpi ugt, %j, %i : index
    %v = arith.select %late, %low, %a : f32
    linalg.yield %v : f32
  } -> tensor<4x5x5xf32>
  return %m : tensor<4x5x5xf32>
}

// CALL aie_packed a=memref:16x16 b=memref:16x16 c=memref:16x16 -> c:16x16
func.func @aie_packed(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%i, %j) in (2, 2) {
    %io = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
    %jo = affine.apply affine_map<(d0) -> (d0 * 8)>(%j)
    %acc = memref.alloc() : memref<2x2x4x4xf32>
    linalg.fill ins(%zero : f32) outs(%acc : memref<2x2x4x4xf32>)
    scf.for %k = %c0 to %c2 step %c1 {
      %ko = affine.apply affine_map<(d0) -> (d0 * 8)>(%k)
      %pa = memref.alloc() : memref<2x2x4x4xf32>
      %pb = memref.alloc() : memref<2x2x4x4xf32>
      %sa = memref.subview %a[%io, %ko] [8, 8] [1, 1] : memref<16x16xf32> to memref<8x8xf32, strided<[16, 1], offset: ?>>
      %sb = memref.subview %b[%ko, %jo] [8, 8] [1, 1] : memref<16x16xf32> to memref<8x8xf32, strided<[16, 1], offset: ?>>
      %ea = memref.expand_shape %sa [[0, 1], [2, 3]] output_shape [2, 4, 2, 4] : memref<8x8xf32, strided<[16, 1], offset: ?>> into memref<2x4x2x4xf32, strided<[64, 16, 4, 1], offset: ?>>
      %eb = memref.expand_shape %sb [[0, 1], [2, 3]] output_shape [2, 4, 2, 4] : memref<8x8xf32, strided<[16, 1], offset: ?>> into memref<2x4x2x4xf32, strided<[64, 16, 4, 1], offset: ?>>
      linalg.transpose ins(%ea : memref<2x4x2x4xf32, strided<[64, 16, 4, 1], offset: ?>>) outs(%pa : memref<2x2x4x4xf32>) permutation = [2, 0, 1, 3]
      linalg.transpose ins(%eb : memref<2x4x2x4xf32, strided<[64, 16, 4, 1], offset: ?>>) outs(%pb : memref<2x2x4x4xf32>) permutation = [2, 0, 1, 3]
      linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d2, d0, d3, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d5, d4)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d0, d3, d4)>], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%pa, %pb : memref<2x2x4x4xf32>, memref<2x2x4x4xf32>) outs(%acc : memref<2x2x4x4xf32>) {
      ^bb0(%x: f32, %y: f32, %o: f32):
        %m = arith.mulf %x, %y : f32
        %s = arith.addf %o, %m : f32
        linalg.yield %s : f32
      }
      memref.dealloc %pa : memref<2x2x4x4xf32>
      memref.dealloc %pb : memref<2x2x4x4xf32>
    }
    %sc = memref.subview %c[%io, %jo] [8, 8] [1, 1] : memref<16x16xf32> to memref<8x8xf32, strided<[16, 1], offset: ?>>
    %ec = memref.expand_shape %sc [[0, 1], [2, 3]] output_shape [2, 4, 2, 4] : memref<8x8xf32, strided<[16, 1], offset: ?>> into memref<2x4x2x4xf32, strided<[64, 16, 4, 1], offset: ?>>
    linalg.transpose ins(%acc : memref<2x2x4x4xf32>) outs(%ec : memref<2x4x2x4xf32, strided<[64, 16, 4, 1], offset: ?>>) permutation = [1, 2, 0, 3]
  }
  return
}

// CALL vnni_gemm a=memref:6x4x2 b=memref:4x5x2 c=memref:6x5 -> c:6x5
func.func @vnni_gemm(%a: memref<6x4x2xf32>, %b: memref<4x5x2xf32>, %c: memref<6x5xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%a, %b : memref<6x4x2xf32>, memref<4x5x2xf32>) outs(%c : memref<6x5xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %m = arith.mulf %x, %y : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  }
  return
}

// CALL tpp_forall_mlp x=tensor:8x12 w=tensor:12x8 b=tensor:8 -> 8x8
func.func @tpp_forall_mlp(%x: tensor<8x12xf32>, %w: tensor<12x8xf32>, %b: tensor<8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %r = scf.forall (%i, %j) = (0, 0) to (8, 8) step (4, 4) shared_outs(%out = %e) -> (tensor<8x8xf32>) {
    %xs = tensor.extract_slice %x[%i, 0] [4, 12] [1, 1] : tensor<8x12xf32> to tensor<4x12xf32>
    %ws = tensor.extract_slice %w[0, %j] [12, 4] [1, 1] : tensor<12x8xf32> to tensor<12x4xf32>
    %bs = tensor.extract_slice %b[%j] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %os = tensor.extract_slice %out[%i, %j] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
    %bb = linalg.broadcast ins(%bs : tensor<4xf32>) outs(%os : tensor<4x4xf32>) dimensions = [0]
    %m = linalg.matmul ins(%xs, %ws : tensor<4x12xf32>, tensor<12x4xf32>) outs(%bb : tensor<4x4xf32>) -> tensor<4x4xf32>
    %relu = linalg.elemwise_unary {fun = #linalg.unary_fn<abs>} ins(%m : tensor<4x4xf32>) outs(%os : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %relu into %out[%i, %j] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x8xf32>
    }
  }
  return %r : tensor<8x8xf32>
}

// CALL depthwise_tail x=tensor:1x9x9x4 w=tensor:3x3x4 -> 1x7x7x4
func.func @depthwise_tail(%x: tensor<1x9x9x4xf32>, %w: tensor<3x3x4xf32>) -> tensor<1x7x7x4xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %e = tensor.empty() : tensor<1x7x7x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x7x7x4xf32>) -> tensor<1x7x7x4xf32>
  %r = scf.for %i = %c0 to %c7 step %c3 iter_args(%acc = %f) -> (tensor<1x7x7x4xf32>) {
    %h = affine.min affine_map<(d0) -> (-d0 + 7, 3)>(%i)
    %hi = affine.apply affine_map<(d0) -> (d0 + 2)>(%h)
    %xs = tensor.extract_slice %x[0, %i, 0, 0] [1, %hi, 9, 4] [1, 1, 1, 1] : tensor<1x9x9x4xf32> to tensor<1x?x9x4xf32>
    %os = tensor.extract_slice %acc[0, %i, 0, 0] [1, %h, 7, 4] [1, 1, 1, 1] : tensor<1x7x7x4xf32> to tensor<1x?x7x4xf32>
    %d = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%xs, %w : tensor<1x?x9x4xf32>, tensor<3x3x4xf32>) outs(%os : tensor<1x?x7x4xf32>) -> tensor<1x?x7x4xf32>
    %ins = tensor.insert_slice %d into %acc[0, %i, 0, 0] [1, %h, 7, 4] [1, 1, 1, 1] : tensor<1x?x7x4xf32> into tensor<1x7x7x4xf32>
    scf.yield %ins : tensor<1x7x7x4xf32>
  }
  return %r : tensor<1x7x7x4xf32>
}

// CALL conv_rows_tail x=tensor:11 w=tensor:3 -> 9
func.func @conv_rows_tail(%x: tensor<11xf32>, %w: tensor<3xf32>) -> tensor<9xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<9xf32>) -> tensor<9xf32>
  %r = scf.forall (%i) = (0) to (9) step (4) shared_outs(%out = %f) -> (tensor<9xf32>) {
    %h = affine.min affine_map<(d0) -> (-d0 + 9, 4)>(%i)
    %hi = affine.apply affine_map<(d0) -> (d0 + 2)>(%h)
    %xs = tensor.extract_slice %x[%i] [%hi] [1] : tensor<11xf32> to tensor<?xf32>
    %os = tensor.extract_slice %out[%i] [%h] [1] : tensor<9xf32> to tensor<?xf32>
    %d = linalg.conv_1d ins(%xs, %w : tensor<?xf32>, tensor<3xf32>) outs(%os : tensor<?xf32>) -> tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %d into %out[%i] [%h] [1] : tensor<?xf32> into tensor<9xf32>
    }
  }
  return %r : tensor<9xf32>
}

// CALL pair_gather t=memref:16x4 ids=memref:6:i32<8 y=memref:6x4 -> y:6x4
func.func @pair_gather(%t: memref<16x4xf32>, %ids: memref<6xi32>, %y: memref<6x4xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  affine.for %i = 0 to 6 {
    %id = affine.load %ids[%i] : memref<6xi32>
    %ix = arith.index_cast %id : i32 to index
    %dbl = arith.muli %ix, %c2 : index
    %odd = arith.addi %dbl, %c1 : index
    affine.for %j = 0 to 4 {
      %v = memref.load %t[%odd, %j] : memref<16x4xf32>
      affine.store %v, %y[%i, %j] : memref<6x4xf32>
    }
  }
  return
}

// CALL shifted_gather t=tensor:12x4 ids=tensor:6:i64<9 -> 6x4
func.func @shifted_gather(%t: tensor<12x4xf32>, %ids: tensor<6xi64>) -> tensor<6x4xf32> {
  %c3 = arith.constant 3 : i64
  %e = tensor.empty() : tensor<6x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%ids : tensor<6xi64>) outs(%e : tensor<6x4xf32>) {
  ^bb0(%id: i64, %o: f32):
    %s = arith.addi %id, %c3 : i64
    %ix = arith.index_cast %s : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %t[%ix, %j] : tensor<12x4xf32>
    linalg.yield %v : f32
  } -> tensor<6x4xf32>
  return %r : tensor<6x4xf32>
}

// CALL partial_sub A=tensor:8 O=tensor:8 -> 8
func.func @partial_sub(%A: tensor<8xf32>, %O: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %r = scf.for %i = %c0 to %c6 step %c4 iter_args(%acc = %O) -> (tensor<8xf32>) {
    %m = affine.min affine_map<(d0) -> (4, -d0 + 6)>(%i)
    %a = tensor.extract_slice %A[%i] [%m] [1] : tensor<8xf32> to tensor<?xf32>
    %o = tensor.extract_slice %acc[%i] [%m] [1] : tensor<8xf32> to tensor<?xf32>
    %p = linalg.sub ins(%a, %o : tensor<?xf32>, tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
    %u = tensor.insert_slice %p into %acc[%i] [%m] [1] : tensor<?xf32> into tensor<8xf32>
    scf.yield %u : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// CALL rope_halves q=unranked:5x16 c=unranked:5x8 s=unranked:5x8 o=unranked:5x16 grid=5 -> o:5x16
func.func @rope_halves(%q: memref<*xf32>, %c: memref<*xf32>, %s: memref<*xf32>, %o: memref<*xf32>, %gx: i32, %gy: i32, %gz: i32, %px: i32, %py: i32, %pz: i32) {
  %c16 = arith.constant 16 : index
  %c8 = arith.constant 8 : index
  %p = arith.index_cast %px : i32 to index
  %row = arith.muli %p, %c16 : index
  %half = arith.addi %row, %c8 : index
  %tab = arith.muli %p, %c8 : index
  %lo = memref.reinterpret_cast %q to offset: [%row], sizes: [8], strides: [1] : memref<*xf32> to memref<8xf32, strided<[1], offset: ?>>
  %hi = memref.reinterpret_cast %q to offset: [%half], sizes: [8], strides: [1] : memref<*xf32> to memref<8xf32, strided<[1], offset: ?>>
  %cv = memref.reinterpret_cast %c to offset: [%tab], sizes: [8], strides: [1] : memref<*xf32> to memref<8xf32, strided<[1], offset: ?>>
  %sv = memref.reinterpret_cast %s to offset: [%tab], sizes: [8], strides: [1] : memref<*xf32> to memref<8xf32, strided<[1], offset: ?>>
  %la = memref.alloc() : memref<8xf32>
  %ha = memref.alloc() : memref<8xf32>
  %ca = memref.alloc() : memref<8xf32>
  %sa = memref.alloc() : memref<8xf32>
  memref.copy %lo, %la : memref<8xf32, strided<[1], offset: ?>> to memref<8xf32>
  memref.copy %hi, %ha : memref<8xf32, strided<[1], offset: ?>> to memref<8xf32>
  memref.copy %cv, %ca : memref<8xf32, strided<[1], offset: ?>> to memref<8xf32>
  memref.copy %sv, %sa : memref<8xf32, strided<[1], offset: ?>> to memref<8xf32>
  %l = bufferization.to_tensor %la restrict writable : memref<8xf32>
  %h = bufferization.to_tensor %ha restrict writable : memref<8xf32>
  %ct = bufferization.to_tensor %ca restrict writable : memref<8xf32>
  %st = bufferization.to_tensor %sa restrict writable : memref<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %f:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%l, %h, %ct, %st : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%e, %e : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %cc: f32, %ss: f32, %x: f32, %y: f32):
    %ac = arith.mulf %a, %cc : f32
    %bs = arith.mulf %b, %ss : f32
    %d = arith.subf %ac, %bs : f32
    %bc = arith.mulf %b, %cc : f32
    %as = arith.mulf %a, %ss : f32
    %t = arith.addf %bc, %as : f32
    linalg.yield %d, %t : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  %olo = memref.reinterpret_cast %o to offset: [%row], sizes: [8], strides: [1] : memref<*xf32> to memref<8xf32, strided<[1], offset: ?>>
  %ohi = memref.reinterpret_cast %o to offset: [%half], sizes: [8], strides: [1] : memref<*xf32> to memref<8xf32, strided<[1], offset: ?>>
  bufferization.materialize_in_destination %f#0 in writable %olo : (tensor<8xf32>, memref<8xf32, strided<[1], offset: ?>>) -> ()
  bufferization.materialize_in_destination %f#1 in writable %ohi : (tensor<8xf32>, memref<8xf32, strided<[1], offset: ?>>) -> ()
  return
}
