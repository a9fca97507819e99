// Functions in forms of several front ends, written after the importer could read the others.
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>

// CALL rmsnorm x=tensor:4x16 w=tensor:16 -> 4x16
func.func @rmsnorm(%x: tensor<4x16xf32>, %w: tensor<16xf32>) -> tensor<4x16xf32> {
  %z = arith.constant 0.0 : f32
  %n = arith.constant 16.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %e1 = tensor.empty() : tensor<4xf32>
  %f1 = linalg.fill ins(%z : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %ss = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x16xf32>) outs(%f1 : tensor<4xf32>) {
    ^bb0(%a: f32, %o: f32):
      %p = arith.mulf %a, %a : f32
      %s = arith.addf %o, %p : f32
      linalg.yield %s : f32
  } -> tensor<4xf32>
  %e2 = tensor.empty() : tensor<4x16xf32>
  %r = linalg.generic {indexing_maps = [#ij, #i, #j, #ij], iterator_types = ["parallel", "parallel"]} ins(%x, %ss, %w : tensor<4x16xf32>, tensor<4xf32>, tensor<16xf32>) outs(%e2 : tensor<4x16xf32>) {
    ^bb0(%a: f32, %s: f32, %g: f32, %o: f32):
      %m = arith.divf %s, %n : f32
      %me = arith.addf %m, %eps : f32
      %q = math.rsqrt %me : f32
      %y = arith.mulf %a, %q : f32
      %yw = arith.mulf %y, %g : f32
      linalg.yield %yw : f32
  } -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// CALL vec_dot a=memref:64 b=memref:64 o=memref:1 -> o:1
func.func @vec_dot(%a: memref<64xf32>, %b: memref<64xf32>, %o: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant 0.0 : f32
  %zv = vector.broadcast %z : f32 to vector<8xf32>
  %acc = scf.for %i = %c0 to %c64 step %c8 iter_args(%v = %zv) -> (vector<8xf32>) {
    %x = vector.load %a[%i] : memref<64xf32>, vector<8xf32>
    %y = vector.load %b[%i] : memref<64xf32>, vector<8xf32>
    %n = vector.fma %x, %y, %v : vector<8xf32>
    scf.yield %n : vector<8xf32>
  }
  %s = vector.reduction <add>, %acc : vector<8xf32> into f32
  memref.store %s, %o[%c0] : memref<1xf32>
  return
}

// CALL brgemm A=memref:2x4x8 B=memref:2x8x6 C=memref:4x6 -> C:4x6
func.func @brgemm(%A: memref<2x4x8xf32>, %B: memref<2x8x6xf32>, %C: memref<4x6xf32>) {
  linalg.batch_reduce_matmul ins(%A, %B : memref<2x4x8xf32>, memref<2x8x6xf32>) outs(%C : memref<4x6xf32>)
  %z = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#ij], iterator_types = ["parallel", "parallel"]} outs(%C : memref<4x6xf32>) {
    ^bb0(%o: f32):
      %m = arith.maximumf %o, %z : f32
      linalg.yield %m : f32
  }
  return
}

// CALL tiled_forall A=tensor:16x8 B=tensor:8x16 -> 16x16
func.func @tiled_forall(%A: tensor<16x8xf32>, %B: tensor<8x16xf32>) -> tensor<16x16xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %r = scf.forall (%i, %j) = (0, 0) to (16, 16) step (8, 4) shared_outs(%o = %e) -> (tensor<16x16xf32>) {
    %a = tensor.extract_slice %A[%i, 0] [8, 8] [1, 1] : tensor<16x8xf32> to tensor<8x8xf32>
    %b = tensor.extract_slice %B[0, %j] [8, 4] [1, 1] : tensor<8x16xf32> to tensor<8x4xf32>
    %c = tensor.extract_slice %o[%i, %j] [8, 4] [1, 1] : tensor<16x16xf32> to tensor<8x4xf32>
    %f = linalg.fill ins(%z : f32) outs(%c : tensor<8x4xf32>) -> tensor<8x4xf32>
    %m = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x4xf32>) outs(%f : tensor<8x4xf32>) -> tensor<8x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %m into %o[%i, %j] [8, 4] [1, 1] : tensor<8x4xf32> into tensor<16x16xf32>
    }
  }
  return %r : tensor<16x16xf32>
}

// CALL avgpool x=tensor:1x8x8x3 -> 1x4x4x3
func.func @avgpool(%x: tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32> {
  %z = arith.constant 0.0 : f32
  %q = arith.constant 0.25 : f32
  %w = tensor.empty() : tensor<2x2xf32>
  %e = tensor.empty() : tensor<1x4x4x3xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
  %p = linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x8x8x3xf32>, tensor<2x2xf32>) outs(%f : tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
  %s = tensor.splat %q : tensor<1x4x4x3xf32>
  %r = arith.mulf %p, %s : tensor<1x4x4x3xf32>
  return %r : tensor<1x4x4x3xf32>
}

// CALL gelu_bias x=memref:4x8 b=memref:8 y=memref:4x8 -> y:4x8
func.func @gelu_bias(%x: memref<4x8xf32>, %b: memref<8xf32>, %y: memref<4x8xf32>) {
  %h = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %k = arith.constant 0.797884583 : f32
  %c = arith.constant 0.044715 : f32
  affine.parallel (%i, %j) = (0, 0) to (4, 8) {
    %0 = affine.load %x[%i, %j] : memref<4x8xf32>
    %1 = affine.load %b[%j] : memref<8xf32>
    %v = arith.addf %0, %1 : f32
    %v2 = arith.mulf %v, %v : f32
    %v3 = arith.mulf %v2, %v : f32
    %t = arith.mulf %v3, %c : f32
    %u = arith.addf %v, %t : f32
    %w = arith.mulf %u, %k : f32
    %th = math.tanh %w : f32
    %p = arith.addf %th, %one : f32
    %q = arith.mulf %v, %p : f32
    %r = arith.mulf %q, %h : f32
    affine.store %r, %y[%i, %j] : memref<4x8xf32>
  }
  return
}

// CALL heat a=memref:8x8 b=memref:8x8 -> a:8x8
func.func @heat(%a: memref<8x8xf32>, %b: memref<8x8xf32>) {
  %q = arith.constant 0.25 : f32
  affine.for %t = 0 to 3 {
    affine.for %i = 1 to 7 {
      affine.for %j = 1 to 7 {
        %n = affine.load %a[%i - 1, %j] : memref<8x8xf32>
        %s = affine.load %a[%i + 1, %j] : memref<8x8xf32>
        %w = affine.load %a[%i, %j - 1] : memref<8x8xf32>
        %e = affine.load %a[%i, %j + 1] : memref<8x8xf32>
        %0 = arith.addf %n, %s : f32
        %1 = arith.addf %w, %e : f32
        %2 = arith.addf %0, %1 : f32
        %3 = arith.mulf %2, %q : f32
        affine.store %3, %b[%i, %j] : memref<8x8xf32>
      }
    }
    affine.for %i = 1 to 7 {
      affine.for %j = 1 to 7 {
        %0 = affine.load %b[%i, %j] : memref<8x8xf32>
        affine.store %0, %a[%i, %j] : memref<8x8xf32>
      }
    }
  }
  return
}

// CALL trisolve L=memref:8x8 b=memref:8 x=memref:8 -> x:8
func.func @trisolve(%L: memref<8x8xf32>, %b: memref<8xf32>, %x: memref<8xf32>) {
  %two = arith.constant 2.0 : f32
  affine.for %i = 0 to 8 {
    %0 = affine.load %b[%i] : memref<8xf32>
    affine.store %0, %x[%i] : memref<8xf32>
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %l = affine.load %L[%i, %j] : memref<8x8xf32>
      %xj = affine.load %x[%j] : memref<8xf32>
      %xi = affine.load %x[%i] : memref<8xf32>
      %m = arith.mulf %l, %xj : f32
      %s = arith.subf %xi, %m : f32
      affine.store %s, %x[%i] : memref<8xf32>
    }
    %1 = affine.load %x[%i] : memref<8xf32>
    %2 = arith.divf %1, %two : f32
    affine.store %2, %x[%i] : memref<8xf32>
  }
  return
}

// CALL atax A=memref:6x8 x=memref:8 y=memref:8 tmp=memref:6 -> y:8
func.func @atax(%A: memref<6x8xf32>, %x: memref<8xf32>, %y: memref<8xf32>, %tmp: memref<6xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 8 {
    affine.store %z, %y[%i] : memref<8xf32>
  }
  affine.for %i = 0 to 6 {
    affine.store %z, %tmp[%i] : memref<6xf32>
    affine.for %j = 0 to 8 {
      %0 = affine.load %tmp[%i] : memref<6xf32>
      %1 = affine.load %A[%i, %j] : memref<6x8xf32>
      %2 = affine.load %x[%j] : memref<8xf32>
      %3 = arith.mulf %1, %2 : f32
      %4 = arith.addf %0, %3 : f32
      affine.store %4, %tmp[%i] : memref<6xf32>
    }
    affine.for %j = 0 to 8 {
      %0 = affine.load %y[%j] : memref<8xf32>
      %1 = affine.load %A[%i, %j] : memref<6x8xf32>
      %2 = affine.load %tmp[%i] : memref<6xf32>
      %3 = arith.mulf %1, %2 : f32
      %4 = arith.addf %0, %3 : f32
      affine.store %4, %y[%j] : memref<8xf32>
    }
  }
  return
}

// CALL rope x=tensor:4x8 c=tensor:4x4 s=tensor:4x4 -> 4x8
func.func @rope(%x: tensor<4x8xf32>, %c: tensor<4x4xf32>, %s: tensor<4x4xf32>) -> tensor<4x8xf32> {
  %lo = tensor.extract_slice %x[0, 0] [4, 4] [1, 1] : tensor<4x8xf32> to tensor<4x4xf32>
  %hi = tensor.extract_slice %x[0, 4] [4, 4] [1, 1] : tensor<4x8xf32> to tensor<4x4xf32>
  %a = arith.mulf %lo, %c : tensor<4x4xf32>
  %b = arith.mulf %hi, %s : tensor<4x4xf32>
  %d = arith.subf %a, %b : tensor<4x4xf32>
  %e = arith.mulf %hi, %c : tensor<4x4xf32>
  %f = arith.mulf %lo, %s : tensor<4x4xf32>
  %g = arith.addf %e, %f : tensor<4x4xf32>
  %r = tensor.concat dim(1) %d, %g : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// CALL durbin_like r=memref:8 y=memref:8 -> y:8
func.func @durbin_like(%r: memref<8xf32>, %y: memref<8xf32>) {
  %h = arith.constant 0.5 : f32
  affine.for %i = 0 to 7 {
    %0 = affine.load %y[%i] : memref<8xf32>
    %1 = affine.load %r[%i + 1] : memref<8xf32>
    %2 = arith.mulf %0, %h : f32
    %3 = arith.addf %2, %1 : f32
    affine.store %3, %y[%i + 1] : memref<8xf32>
  }
  return
}

// CALL subview_tiles a=memref:16x16 b=memref:16x16 -> b:16x16
func.func @subview_tiles(%a: memref<16x16xf32>, %b: memref<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c16, %c16) step (%c4, %c4) {
    %sa = memref.subview %a[%j, %i] [4, 4] [1, 1] : memref<16x16xf32> to memref<4x4xf32, strided<[16, 1], offset: ?>>
    %sb = memref.subview %b[%i, %j] [4, 4] [1, 1] : memref<16x16xf32> to memref<4x4xf32, strided<[16, 1], offset: ?>>
    linalg.transpose ins(%sa : memref<4x4xf32, strided<[16, 1], offset: ?>>) outs(%sb : memref<4x4xf32, strided<[16, 1], offset: ?>>) permutation = [1, 0]
    scf.reduce
  }
  return
}

// CALL logsumexp x=tensor:4x8 -> 4
func.func @logsumexp(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<4x8xf32>) outs(%m0 : tensor<4xf32>) dimensions = [1]
  %b0 = tensor.empty() : tensor<4x8xf32>
  %b = linalg.broadcast ins(%m : tensor<4xf32>) outs(%b0 : tensor<4x8xf32>) dimensions = [1]
  %d = arith.subf %x, %b : tensor<4x8xf32>
  %ex = math.exp %d : tensor<4x8xf32>
  %s0 = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %s = linalg.reduce { arith.addf } ins(%ex : tensor<4x8xf32>) outs(%s0 : tensor<4xf32>) dimensions = [1]
  %l = math.log %s : tensor<4xf32>
  %r = arith.addf %l, %m : tensor<4xf32>
  return %r : tensor<4xf32>
}

// CALL gramschmidt_like a=memref:6x4 n=memref:4 q=memref:6x4 -> q:6x4
func.func @gramschmidt_like(%a: memref<6x4xf32>, %n: memref<4xf32>, %q: memref<6x4xf32>) {
  %z = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  affine.for %k = 0 to 4 {
    %s = affine.for %i = 0 to 6 iter_args(%acc = %one) -> (f32) {
      %v = affine.load %a[%i, %k] : memref<6x4xf32>
      %p = arith.mulf %v, %v : f32
      %t = arith.addf %acc, %p : f32
      affine.yield %t : f32
    }
    %r = math.sqrt %s : f32
    affine.store %r, %n[%k] : memref<4xf32>
    affine.for %i = 0 to 6 {
      %v = affine.load %a[%i, %k] : memref<6x4xf32>
      %w = affine.load %n[%k] : memref<4xf32>
      %d = arith.divf %v, %w : f32
      affine.store %d, %q[%i, %k] : memref<6x4xf32>
    }
  }
  return
}

// CALL product_of_rows y=memref:1x4x4x4 a=memref:16x18 k=memref:18x4 -> y:1x4x4x4
func.func @product_of_rows(%y: memref<1x4x4x4xf32>, %a: memref<16x18xf32>, %k: memref<18x4xf32>) {
  %z = arith.constant 0.0 : f32
  %yf = memref.collapse_shape %y [[0, 1, 2], [3]] : memref<1x4x4x4xf32> into memref<16x4xf32>
  linalg.fill ins(%z : f32) outs(%yf : memref<16x4xf32>)
  linalg.matmul ins(%a, %k : memref<16x18xf32>, memref<18x4xf32>) outs(%yf : memref<16x4xf32>)
  return
}

// Tiles of 4 of 10 rows: the last one has 2.
// CALL edge_tiles a=tensor:10x3 -> 10x3
func.func @edge_tiles(%a: tensor<10x3xf32>) -> tensor<10x3xf32> {
  %0 = tensor.empty() : tensor<10x3xf32>
  %r = scf.forall (%i) = (0) to (10) step (4) shared_outs(%o = %0) -> (tensor<10x3xf32>) {
    %n = affine.min affine_map<(d0) -> (-d0 + 10, 4)>(%i)
    %in = tensor.extract_slice %a[%i, 0] [%n, 3] [1, 1] : tensor<10x3xf32> to tensor<?x3xf32>
    %to = tensor.extract_slice %o[%i, 0] [%n, 3] [1, 1] : tensor<10x3xf32> to tensor<?x3xf32>
    %e = linalg.exp ins(%in : tensor<?x3xf32>) outs(%to : tensor<?x3xf32>) -> tensor<?x3xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%i, 0] [%n, 3] [1, 1] : tensor<?x3xf32> into tensor<10x3xf32>
    }
  }
  return %r : tensor<10x3xf32>
}

// A transposed convolution: its input stands between zeros.
// CALL between_zeros x=tensor:2x4 w=tensor:3 -> 2x9
func.func @between_zeros(%x: tensor<2x4xf32>, %w: tensor<3xf32>) -> tensor<2x9xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x11xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x11xf32>) -> tensor<2x11xf32>
  %s = tensor.insert_slice %x into %z[0, 2] [2, 4] [1, 2] : tensor<2x4xf32> into tensor<2x11xf32>
  %e2 = tensor.empty() : tensor<2x9xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x9xf32>) -> tensor<2x9xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, i, k) -> (b, i + k)>, affine_map<(b, i, k) -> (k)>, affine_map<(b, i, k) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%s, %w : tensor<2x11xf32>, tensor<3xf32>) outs(%z2 : tensor<2x9xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %m = arith.mulf %a, %b : f32
    %n = arith.addf %out, %m : f32
    linalg.yield %n : f32
  } -> tensor<2x9xf32>
  return %r : tensor<2x9xf32>
}
