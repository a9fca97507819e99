// Attention of one block of queries per program, with a softmax that runs along the blocks of keys,
// as triton-shared writes it.
func.func @flash(%q: memref<*xf32>, %k: memref<*xf32>, %v: memref<*xf32>, %o: memref<*xf32>, %scale: f32, %n: i32, %g0: i32, %g1: i32, %g2: i32, %px: i32, %py: i32, %pz: i32) {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  %block = arith.constant 16 : i32
  %d = arith.constant 16 : i32
  %0 = arith.muli %py, %n : i32
  %1 = arith.muli %0, %d : i32
  %head = arith.index_cast %1 : i32 to index
  %2 = arith.muli %px, %block : i32
  %3 = arith.muli %2, %d : i32
  %4 = arith.index_cast %3 : i32 to index
  %qoff = arith.addi %head, %4 : index
  %qp = memref.reinterpret_cast %q to offset: [%qoff], sizes: [16, 16], strides: [16, 1] : memref<*xf32> to memref<16x16xf32, strided<[16, 1], offset: ?>>
  %qa = memref.alloc() : memref<16x16xf32>
  memref.copy %qp, %qa : memref<16x16xf32, strided<[16, 1], offset: ?>> to memref<16x16xf32>
  %qt = bufferization.to_tensor %qa restrict writable : memref<16x16xf32>
  %e2 = tensor.empty() : tensor<16x16xf32>
  %e1 = tensor.empty() : tensor<16xf32>
  %es = tensor.empty() : tensor<16x8xf32>
  %acc0 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %l0 = linalg.fill ins(%one : f32) outs(%e1 : tensor<16xf32>) -> tensor<16xf32>
  %m0 = linalg.fill ins(%low : f32) outs(%e1 : tensor<16xf32>) -> tensor<16xf32>
  %sc = linalg.fill ins(%scale : f32) outs(%es : tensor<16x8xf32>) -> tensor<16x8xf32>
  %r:5 = scf.for %j = %c0 to %n step %c8 iter_args(%acc = %acc0, %l = %l0, %m = %m0, %ko = %head, %vo = %head) -> (tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32>, index, index) : i32 {
    %kp = memref.reinterpret_cast %k to offset: [%ko], sizes: [8, 16], strides: [16, 1] : memref<*xf32> to memref<8x16xf32, strided<[16, 1], offset: ?>>
    %ka = memref.alloc() : memref<8x16xf32>
    memref.copy %kp, %ka : memref<8x16xf32, strided<[16, 1], offset: ?>> to memref<8x16xf32>
    %kt = bufferization.to_tensor %ka restrict writable : memref<8x16xf32>
    %ek = tensor.empty() : tensor<16x8xf32>
    %ktt = linalg.transpose ins(%kt : tensor<8x16xf32>) outs(%ek : tensor<16x8xf32>) permutation = [1, 0]
    %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<16x8xf32>) -> tensor<16x8xf32>
    %s1 = linalg.matmul ins(%qt, %ktt : tensor<16x16xf32>, tensor<16x8xf32>) outs(%s0 : tensor<16x8xf32>) -> tensor<16x8xf32>
    %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%s1, %sc : tensor<16x8xf32>, tensor<16x8xf32>) outs(%s1 : tensor<16x8xf32>) {
    ^bb0(%x: f32, %y: f32, %out: f32):
      %p = arith.mulf %x, %y : f32
      linalg.yield %p : f32
    } -> tensor<16x8xf32>
    %mi = linalg.fill ins(%low : f32) outs(%e1 : tensor<16xf32>) -> tensor<16xf32>
    %mr = linalg.reduce ins(%s : tensor<16x8xf32>) outs(%mi : tensor<16xf32>) dimensions = [1]
      (%x: f32, %init: f32) {
        %g = arith.maxnumf %x, %init : f32
        linalg.yield %g : f32
      }
    %mn = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%m, %mr : tensor<16xf32>, tensor<16xf32>) outs(%m : tensor<16xf32>) {
    ^bb0(%x: f32, %y: f32, %out: f32):
      %g = arith.maxnumf %x, %y : f32
      linalg.yield %g : f32
    } -> tensor<16xf32>
    %mx = tensor.expand_shape %mn [[0, 1]] output_shape [16, 1] : tensor<16xf32> into tensor<16x1xf32>
    %mb = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%mx : tensor<16x1xf32>) outs(%es : tensor<16x8xf32>) attrs = {broadcastDims = array<i64: 1>} {
    ^bb0(%x: f32, %out: f32):
      linalg.yield %x : f32
    } -> tensor<16x8xf32>
    %sd = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%s, %mb : tensor<16x8xf32>, tensor<16x8xf32>) outs(%s : tensor<16x8xf32>) {
    ^bb0(%x: f32, %y: f32, %out: f32):
      %g = arith.subf %x, %y : f32
      linalg.yield %g : f32
    } -> tensor<16x8xf32>
    %p = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%sd : tensor<16x8xf32>) outs(%sd : tensor<16x8xf32>) {
    ^bb0(%x: f32, %out: f32):
      %g = math.exp %x : f32
      linalg.yield %g : f32
    } -> tensor<16x8xf32>
    %li = linalg.fill ins(%zero : f32) outs(%e1 : tensor<16xf32>) -> tensor<16xf32>
    %lr = linalg.reduce ins(%p : tensor<16x8xf32>) outs(%li : tensor<16xf32>) dimensions = [1]
      (%x: f32, %init: f32) {
        %g = arith.addf %x, %init : f32
        linalg.yield %g : f32
      }
    %md = arith.subf %m, %mn : tensor<16xf32>
    %al = math.exp %md : tensor<16xf32>
    %l1 = arith.mulf %l, %al : tensor<16xf32>
    %l2 = arith.addf %l1, %lr : tensor<16xf32>
    %ax = tensor.expand_shape %al [[0, 1]] output_shape [16, 1] : tensor<16xf32> into tensor<16x1xf32>
    %ab = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%ax : tensor<16x1xf32>) outs(%e2 : tensor<16x16xf32>) attrs = {broadcastDims = array<i64: 1>} {
    ^bb0(%x: f32, %out: f32):
      linalg.yield %x : f32
    } -> tensor<16x16xf32>
    %a1 = arith.mulf %acc, %ab : tensor<16x16xf32>
    %vp = memref.reinterpret_cast %v to offset: [%vo], sizes: [8, 16], strides: [16, 1] : memref<*xf32> to memref<8x16xf32, strided<[16, 1], offset: ?>>
    %va = memref.alloc() : memref<8x16xf32>
    memref.copy %vp, %va : memref<8x16xf32, strided<[16, 1], offset: ?>> to memref<8x16xf32>
    %vt = bufferization.to_tensor %va restrict writable : memref<8x16xf32>
    %pz0 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %pv = linalg.matmul ins(%p, %vt : tensor<16x8xf32>, tensor<8x16xf32>) outs(%pz0 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %a2 = arith.addf %a1, %pv : tensor<16x16xf32>
    %kn = arith.addi %ko, %c128 : index
    %vn = arith.addi %vo, %c128 : index
    scf.yield %a2, %l2, %mn, %kn, %vn : tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32>, index, index
  }
  %lx = tensor.expand_shape %r#1 [[0, 1]] output_shape [16, 1] : tensor<16xf32> into tensor<16x1xf32>
  %lb = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%lx : tensor<16x1xf32>) outs(%e2 : tensor<16x16xf32>) {
  ^bb0(%x: f32, %out: f32):
    linalg.yield %x : f32
  } -> tensor<16x16xf32>
  %res = arith.divf %r#0, %lb : tensor<16x16xf32>
  %op = memref.reinterpret_cast %o to offset: [%qoff], sizes: [16, 16], strides: [16, 1] : memref<*xf32> to memref<16x16xf32, strided<[16, 1], offset: ?>>
  bufferization.materialize_in_destination %res in writable %op : (tensor<16x16xf32>, memref<16x16xf32, strided<[16, 1], offset: ?>>) -> ()
  return
}
