// TileLoom's programs: a grid of blocks as affine.parallel, the type of an argument that of a block,
// names of block sizes as attributes.

// CALL gemm_blocks A=unranked:32x48 B=unranked:48x24 C=unranked:32x24 gx=index=4 gy=index=3 -> C:32x24
module attributes {loom.front_end = "triton"} {
  func.func @gemm_blocks(%A: memref<*xf16> {loom.role = "in"}, %B: memref<*xf16>, %C: memref<*xf32>, %gx: index {loom.grid = 0 : i64}, %gy: index {loom.grid = 1 : i64}) attributes {loom.block_m = 8 : i64, loom.block_n = 8 : i64, loom.block_k = 16 : i64} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c24 = arith.constant 24 : index
    %c48 = arith.constant 48 : index
    %zero = arith.constant 0.0 : f32
    affine.parallel (%bx, %by) = (0, 0) to (symbol(%gx), symbol(%gy)) {
      %e = tensor.empty() : tensor<8x8xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
      %m = arith.muli %bx, %c8 : index
      %n = arith.muli %by, %c8 : index
      %r = scf.for %k = %c0 to %c48 step %c16 iter_args(%acc = %f) -> (tensor<8x8xf32>) {
        %a0 = arith.muli %m, %c48 : index
        %a1 = arith.addi %a0, %k : index
        %av = memref.reinterpret_cast %A to offset: [%a1], sizes: [8, 16], strides: [48, 1] : memref<*xf16> to memref<8x16xf16, strided<[48, 1], offset: ?>>
        %aa = memref.alloc() {loom.buffer = "l1"} : memref<8x16xf16>
        memref.copy %av, %aa {loom.broadcast = "row"} : memref<8x16xf16, strided<[48, 1], offset: ?>> to memref<8x16xf16>
        %at = bufferization.to_tensor %aa restrict writable : memref<8x16xf16>
        %b0 = arith.muli %k, %c24 : index
        %b1 = arith.addi %b0, %n : index
        %bv = memref.reinterpret_cast %B to offset: [%b1], sizes: [16, 8], strides: [24, 1] : memref<*xf16> to memref<16x8xf16, strided<[24, 1], offset: ?>>
        %ba = memref.alloc() : memref<16x8xf16>
        memref.copy %bv, %ba : memref<16x8xf16, strided<[24, 1], offset: ?>> to memref<16x8xf16>
        %bt = bufferization.to_tensor %ba restrict writable : memref<16x8xf16>
        %p = linalg.matmul ins(%at, %bt : tensor<8x16xf16>, tensor<16x8xf16>) outs(%acc : tensor<8x8xf32>) -> tensor<8x8xf32>
        scf.yield %p : tensor<8x8xf32>
      } {loom.loop = "k"}
      %c0o = arith.muli %m, %c24 : index
      %c1o = arith.addi %c0o, %n : index
      %cv = memref.reinterpret_cast %C to offset: [%c1o], sizes: [8, 8], strides: [24, 1] : memref<*xf32> to memref<8x8xf32, strided<[24, 1], offset: ?>>
      bufferization.materialize_in_destination %r in writable %cv : (tensor<8x8xf32>, memref<8x8xf32, strided<[24, 1], offset: ?>>) -> ()
    }
    return
  }

  // The same after mapping: cores in parallel, waves of tiles in time, with a bias and a relu.
  // CALL gemm_waves A=unranked:32x16 B=unranked:16x32 bias=unranked:32 C=unranked:32x32 -> C:32x32
  func.func @gemm_waves(%A: memref<*xf32>, %B: memref<*xf32>, %bias: memref<*xf32>, %C: memref<*xf32>) {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant 0.0 : f32
    affine.parallel (%cx, %cy) = (0, 0) to (2, 2) {
      affine.for %tx = 0 to 2 {
        affine.for %ty = 0 to 2 {
          %bx = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%tx, %cx)
          %by = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%ty, %cy)
          %e = tensor.empty() : tensor<8x8xf32>
          %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
          %r = scf.for %k = %c0 to %c16 step %c8 iter_args(%acc = %f) -> (tensor<8x8xf32>) {
            %a1 = affine.apply affine_map<(d0)[s0] -> (d0 * 128 + s0)>(%bx)[%k]
            %av = memref.reinterpret_cast %A to offset: [%a1], sizes: [8, 8], strides: [16, 1] : memref<*xf32> to memref<8x8xf32, strided<[16, 1], offset: ?>>
            %aa = memref.alloc() : memref<8x8xf32>
            memref.copy %av, %aa : memref<8x8xf32, strided<[16, 1], offset: ?>> to memref<8x8xf32>
            %at = bufferization.to_tensor %aa restrict writable : memref<8x8xf32>
            %b1 = affine.apply affine_map<(d0, d1) -> (d0 * 32 + d1 * 8)>(%k, %by)
            %bv = memref.reinterpret_cast %B to offset: [%b1], sizes: [8, 8], strides: [32, 1] : memref<*xf32> to memref<8x8xf32, strided<[32, 1], offset: ?>>
            %ba = memref.alloc() : memref<8x8xf32>
            memref.copy %bv, %ba : memref<8x8xf32, strided<[32, 1], offset: ?>> to memref<8x8xf32>
            %bt = bufferization.to_tensor %ba restrict writable : memref<8x8xf32>
            %p = linalg.matmul ins(%at, %bt : tensor<8x8xf32>, tensor<8x8xf32>) outs(%acc : tensor<8x8xf32>) -> tensor<8x8xf32>
            scf.yield %p : tensor<8x8xf32>
          }
          %bo = affine.apply affine_map<(d0) -> (d0 * 8)>(%by)
          %biasv = memref.reinterpret_cast %bias to offset: [%bo], sizes: [8], strides: [1] : memref<*xf32> to memref<8xf32, strided<[1], offset: ?>>
          %biasa = memref.alloc() : memref<8xf32>
          memref.copy %biasv, %biasa : memref<8xf32, strided<[1], offset: ?>> to memref<8xf32>
          %biast = bufferization.to_tensor %biasa restrict writable : memref<8xf32>
          %bb = linalg.broadcast ins(%biast : tensor<8xf32>) outs(%e : tensor<8x8xf32>) dimensions = [0]
          %s = arith.addf %r, %bb : tensor<8x8xf32>
          %z = arith.constant dense<0.0> : tensor<8x8xf32>
          %relu = arith.maximumf %s, %z : tensor<8x8xf32>
          %co = affine.apply affine_map<(d0, d1) -> (d0 * 256 + d1 * 8)>(%bx, %by)
          %cv = memref.reinterpret_cast %C to offset: [%co], sizes: [8, 8], strides: [32, 1] : memref<*xf32> to memref<8x8xf32, strided<[32, 1], offset: ?>>
          bufferization.materialize_in_destination %relu in writable %cv : (tensor<8x8xf32>, memref<8x8xf32, strided<[32, 1], offset: ?>>) -> ()
        } {loom.wave = "y"}
      } {loom.wave = "x"}
    }
    return
  }

  // Attention after the pass that makes the grid parallel: one block of queries per iteration.
  // CALL flash_blocks Q=unranked:2x16x8 K=unranked:2x16x8 V=unranked:2x16x8 O=unranked:2x16x8 heads=index=2 blocks=index=2 -> O:2x16x8
  func.func @flash_blocks(%Q: memref<*xf32>, %K: memref<*xf32>, %V: memref<*xf32>, %O: memref<*xf32>, %heads: index, %blocks: index) attributes {loom.block_q = 8 : i64} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c128 = arith.constant 128 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %low = arith.constant 0xFF800000 : f32
    %scale = arith.constant 0.25 : f32
    affine.parallel (%h, %b) = (0, 0) to (symbol(%heads), symbol(%blocks)) {
      %ho = arith.muli %h, %c128 : index
      %bo = arith.muli %b, %c64 : index
      %qo = arith.addi %ho, %bo : index
      %qv = memref.reinterpret_cast %Q to offset: [%qo], sizes: [8, 8], strides: [8, 1] : memref<*xf32> to memref<8x8xf32, strided<[8, 1], offset: ?>>
      %qa = memref.alloc() : memref<8x8xf32>
      memref.copy %qv, %qa : memref<8x8xf32, strided<[8, 1], offset: ?>> to memref<8x8xf32>
      %q = bufferization.to_tensor %qa restrict writable : memref<8x8xf32>
      %e2 = tensor.empty() : tensor<8x8xf32>
      %e1 = tensor.empty() : tensor<8xf32>
      %o0 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<8x8xf32>) -> tensor<8x8xf32>
      %l0 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
      %m0 = linalg.fill ins(%low : f32) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
      %r:3 = scf.for %j = %c0 to %c16 step %c8 iter_args(%o = %o0, %l = %l0, %m = %m0) -> (tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>) {
        %jo = arith.muli %j, %c8 : index
        %ko = arith.addi %ho, %jo : index
        %kv = memref.reinterpret_cast %K to offset: [%ko], sizes: [8, 8], strides: [8, 1] : memref<*xf32> to memref<8x8xf32, strided<[8, 1], offset: ?>>
        %ka = memref.alloc() : memref<8x8xf32>
        memref.copy %kv, %ka : memref<8x8xf32, strided<[8, 1], offset: ?>> to memref<8x8xf32>
        %k = bufferization.to_tensor %ka restrict writable : memref<8x8xf32>
        %vv = memref.reinterpret_cast %V to offset: [%ko], sizes: [8, 8], strides: [8, 1] : memref<*xf32> to memref<8x8xf32, strided<[8, 1], offset: ?>>
        %va = memref.alloc() : memref<8x8xf32>
        memref.copy %vv, %va : memref<8x8xf32, strided<[8, 1], offset: ?>> to memref<8x8xf32>
        %v = bufferization.to_tensor %va restrict writable : memref<8x8xf32>
        %s0 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<8x8xf32>) -> tensor<8x8xf32>
        %s1 = linalg.matmul_transpose_b ins(%q, %k : tensor<8x8xf32>, tensor<8x8xf32>) outs(%s0 : tensor<8x8xf32>) -> tensor<8x8xf32>
        %sc = tensor.splat %scale : tensor<8x8xf32>
        %s = arith.mulf %s1, %sc : tensor<8x8xf32>
        %mr = linalg.reduce { arith.maximumf } ins(%s : tensor<8x8xf32>) outs(%m : tensor<8xf32>) dimensions = [1]
        %mb = linalg.broadcast ins(%mr : tensor<8xf32>) outs(%e2 : tensor<8x8xf32>) dimensions = [1]
        %sd = arith.subf %s, %mb : tensor<8x8xf32>
        %p = math.exp %sd : tensor<8x8xf32>
        %md = arith.subf %m, %mr : tensor<8xf32>
        %alpha = math.exp %md : tensor<8xf32>
        %ls = arith.mulf %l, %alpha : tensor<8xf32>
        %ln = linalg.reduce { arith.addf } ins(%p : tensor<8x8xf32>) outs(%ls : tensor<8xf32>) dimensions = [1]
        %ab = linalg.broadcast ins(%alpha : tensor<8xf32>) outs(%e2 : tensor<8x8xf32>) dimensions = [1]
        %os = arith.mulf %o, %ab : tensor<8x8xf32>
        %on = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x8xf32>) outs(%os : tensor<8x8xf32>) -> tensor<8x8xf32>
        scf.yield %on, %ln, %mr : tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>
      }
      %lb = linalg.broadcast ins(%r#1 : tensor<8xf32>) outs(%e2 : tensor<8x8xf32>) dimensions = [1]
      %out = arith.divf %r#0, %lb : tensor<8x8xf32>
      %ov = memref.reinterpret_cast %O to offset: [%qo], sizes: [8, 8], strides: [8, 1] : memref<*xf32> to memref<8x8xf32, strided<[8, 1], offset: ?>>
      bufferization.materialize_in_destination %out in writable %ov : (tensor<8x8xf32>, memref<8x8xf32, strided<[8, 1], offset: ?>>) -> ()
    }
    return
  }

  // A stencil over blocks: the block and its border are one copy.
  // CALL blur_blocks X=unranked:18x18 Y=unranked:16x16 g=index=4 -> Y:16x16
  func.func @blur_blocks(%X: memref<*xf32>, %Y: memref<*xf32>, %g: index) {
    %c3 = arith.constant 3 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    affine.parallel (%bx, %by) = (0, 0) to (symbol(%g), symbol(%g)) {
      %xo = affine.apply affine_map<(d0, d1) -> (d0 * 72 + d1 * 4)>(%bx, %by)
      %xv = memref.reinterpret_cast %X to offset: [%xo], sizes: [6, 6], strides: [18, 1] : memref<*xf32> to memref<6x6xf32, strided<[18, 1], offset: ?>>
      %xa = memref.alloc() : memref<6x6xf32>
      memref.copy %xv, %xa : memref<6x6xf32, strided<[18, 1], offset: ?>> to memref<6x6xf32>
      %x = bufferization.to_tensor %xa restrict writable : memref<6x6xf32>
      %e = tensor.empty() : tensor<4x4xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
      %w = tensor.empty() : tensor<3x3xf32>
      %s = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0 + d2, d1 + d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : tensor<6x6xf32>, tensor<3x3xf32>) outs(%f : tensor<4x4xf32>) {
      ^bb0(%in: f32, %shape: f32, %o: f32):
        %q = arith.addf %in, %o : f32
        linalg.yield %q : f32
      } -> tensor<4x4xf32>
      %yo = affine.apply affine_map<(d0, d1) -> (d0 * 64 + d1 * 4)>(%bx, %by)
      %yv = memref.reinterpret_cast %Y to offset: [%yo], sizes: [4, 4], strides: [16, 1] : memref<*xf32> to memref<4x4xf32, strided<[16, 1], offset: ?>>
      bufferization.materialize_in_destination %s in writable %yv : (tensor<4x4xf32>, memref<4x4xf32, strided<[16, 1], offset: ?>>) -> ()
    }
    return
  }
}
