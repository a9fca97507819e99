// Memories that take turns, smaller last tiles, operations of later releases, and other loops as
// front ends leave them.
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row = affine_map<(d0, d1) -> (d0)>
#min4 = affine_map<(d0) -> (4, -d0 + 10)>
#ca = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1)>
#cb = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
#cc = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#v0 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#v1 = affine_map<(d0, d1, d2, d3) -> (d2, d1, d3)>
#v2 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
// CALL swap_odd a=memref:12 b=memref:12 -> a:12
func.func @swap_odd(%a: memref<12xf32>, %b: memref<12xf32>) {
  %h = arith.constant 0.25 : f32
  %r:2 = affine.for %t = 0 to 7 iter_args(%s = %a, %d = %b) -> (memref<12xf32>, memref<12xf32>) {
    affine.for %i = 1 to 11 {
      %x = affine.load %s[%i - 1] : memref<12xf32>
      %y = affine.load %s[%i + 1] : memref<12xf32>
      %z = arith.addf %x, %y : f32
      %w = arith.mulf %h, %z : f32
      affine.store %w, %d[%i] : memref<12xf32>
    }
    affine.yield %d, %s : memref<12xf32>, memref<12xf32>
  }
  return
}
// CALL heat_swap x=memref:8x8 y=memref:8x8 -> y:8x8
func.func @heat_swap(%x: memref<8x8xf32>, %y: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %q = arith.constant 0.2 : f32
  %tmp = memref.alloc() : memref<8x8xf32>
  memref.copy %x, %tmp : memref<8x8xf32> to memref<8x8xf32>
  memref.copy %x, %y : memref<8x8xf32> to memref<8x8xf32>
  %r:2 = scf.for %t = %c0 to %c3 step %c1 iter_args(%from = %tmp, %to = %y) -> (memref<8x8xf32>, memref<8x8xf32>) {
    affine.for %i = 1 to 7 {
      affine.for %j = 1 to 7 {
        %a = affine.load %from[%i, %j] : memref<8x8xf32>
        %b = affine.load %from[%i - 1, %j] : memref<8x8xf32>
        %c = affine.load %from[%i + 1, %j] : memref<8x8xf32>
        %d = affine.load %from[%i, %j - 1] : memref<8x8xf32>
        %e = affine.load %from[%i, %j + 1] : memref<8x8xf32>
        %s0 = arith.addf %a, %b : f32
        %s1 = arith.addf %c, %d : f32
        %s2 = arith.addf %s0, %s1 : f32
        %s3 = arith.addf %s2, %e : f32
        %v = arith.mulf %q, %s3 : f32
        affine.store %v, %to[%i, %j] : memref<8x8xf32>
      }
    }
    scf.yield %to, %from : memref<8x8xf32>, memref<8x8xf32>
  }
  memref.dealloc %tmp : memref<8x8xf32>
  return
}
// CALL leap a=memref:6 b=memref:6 c=memref:6 -> c:6
func.func @leap(%a: memref<6xf32>, %b: memref<6xf32>, %c: memref<6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %two = arith.constant 2.0 : f32
  %r:3 = scf.for %t = %c0 to %c7 step %c1 iter_args(%p = %a, %q = %b, %n = %c) -> (memref<6xf32>, memref<6xf32>, memref<6xf32>) {
    affine.for %i = 0 to 6 {
      %x = affine.load %p[%i] : memref<6xf32>
      %y = affine.load %q[%i] : memref<6xf32>
      %m = arith.mulf %two, %y : f32
      %d = arith.subf %m, %x : f32
      affine.store %d, %n[%i] : memref<6xf32>
    }
    scf.yield %q, %n, %p : memref<6xf32>, memref<6xf32>, memref<6xf32>
  }
  return
}
// CALL swap_sum a=memref:8 b=memref:8 o=memref:1 -> o:1
func.func @swap_sum(%a: memref<8xf32>, %b: memref<8xf32>, %o: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.0 : f32
  %r:3 = scf.for %t = %c0 to %c4 step %c1 iter_args(%p = %a, %acc = %z, %q = %b) -> (memref<8xf32>, f32, memref<8xf32>) {
    affine.for %i = 0 to 8 {
      %x = affine.load %p[%i] : memref<8xf32>
      %h = arith.addf %x, %x : f32
      affine.store %h, %q[%i] : memref<8xf32>
    }
    %e = affine.load %q[3] : memref<8xf32>
    %n = arith.addf %acc, %e : f32
    scf.yield %q, %n, %p : memref<8xf32>, f32, memref<8xf32>
  }
  memref.store %r#1, %o[%c0] : memref<1xf32>
  return
}
// CALL tile_k A=tensor:6x10 B=tensor:10x5 -> 6x5
func.func @tile_k(%A: tensor<6x10xf32>, %B: tensor<10x5xf32>) -> tensor<6x5xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x5xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %r = scf.for %k = %c0 to %c10 step %c4 iter_args(%acc = %f) -> (tensor<6x5xf32>) {
    %m = affine.min #min4(%k)
    %a = tensor.extract_slice %A[0, %k] [6, %m] [1, 1] : tensor<6x10xf32> to tensor<6x?xf32>
    %b = tensor.extract_slice %B[%k, 0] [%m, 5] [1, 1] : tensor<10x5xf32> to tensor<?x5xf32>
    %p = linalg.matmul ins(%a, %b : tensor<6x?xf32>, tensor<?x5xf32>) outs(%acc : tensor<6x5xf32>) -> tensor<6x5xf32>
    scf.yield %p : tensor<6x5xf32>
  }
  return %r : tensor<6x5xf32>
}
// CALL tile_reduce X=tensor:10x6 -> 10
func.func @tile_reduce(%X: tensor<10x6xf32>) -> tensor<10xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<10xf32>
  %r = scf.for %i = %c0 to %c10 step %c4 iter_args(%acc = %e) -> (tensor<10xf32>) {
    %m = affine.min #min4(%i)
    %a = tensor.extract_slice %X[%i, 0] [%m, 6] [1, 1] : tensor<10x6xf32> to tensor<?x6xf32>
    %o = tensor.extract_slice %acc[%i] [%m] [1] : tensor<10xf32> to tensor<?xf32>
    %f = linalg.fill ins(%z : f32) outs(%o : tensor<?xf32>) -> tensor<?xf32>
    %s = linalg.generic {indexing_maps = [#id2, #row], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<?x6xf32>) outs(%f : tensor<?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %q = arith.mulf %in, %in : f32
      %t = arith.addf %q, %out : f32
      linalg.yield %t : f32
    } -> tensor<?xf32>
    %n = tensor.insert_slice %s into %acc[%i] [%m] [1] : tensor<?xf32> into tensor<10xf32>
    scf.yield %n : tensor<10xf32>
  }
  return %r : tensor<10xf32>
}
// CALL forall_min A=tensor:10x6 B=tensor:10x6 -> 10x6
func.func @forall_min(%A: tensor<10x6xf32>, %B: tensor<10x6xf32>) -> tensor<10x6xf32> {
  %e = tensor.empty() : tensor<10x6xf32>
  %r = scf.forall (%i) = (0) to (10) step (4) shared_outs(%o = %e) -> (tensor<10x6xf32>) {
    %m = affine.min #min4(%i)
    %a = tensor.extract_slice %A[%i, 0] [%m, 6] [1, 1] : tensor<10x6xf32> to tensor<?x6xf32>
    %b = tensor.extract_slice %B[%i, 0] [%m, 6] [1, 1] : tensor<10x6xf32> to tensor<?x6xf32>
    %c = tensor.extract_slice %o[%i, 0] [%m, 6] [1, 1] : tensor<10x6xf32> to tensor<?x6xf32>
    %s = linalg.sub ins(%a, %b : tensor<?x6xf32>, tensor<?x6xf32>) outs(%c : tensor<?x6xf32>) -> tensor<?x6xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, 0] [%m, 6] [1, 1] : tensor<?x6xf32> into tensor<10x6xf32>
    }
  }
  return %r : tensor<10x6xf32>
}
// CALL two_slices A=tensor:8x6 -> 8x6
func.func @two_slices(%A: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<8x6xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%o = %e) -> (tensor<8x6xf32>) {
    %j = arith.addi %i, %c4 : index
    %a = tensor.extract_slice %A[%i, 0] [1, 6] [1, 1] : tensor<8x6xf32> to tensor<1x6xf32>
    %b = tensor.extract_slice %A[%j, 0] [1, 6] [1, 1] : tensor<8x6xf32> to tensor<1x6xf32>
    %x = linalg.add ins(%a, %b : tensor<1x6xf32>, tensor<1x6xf32>) outs(%a : tensor<1x6xf32>) -> tensor<1x6xf32>
    %y = linalg.sub ins(%a, %b : tensor<1x6xf32>, tensor<1x6xf32>) outs(%a : tensor<1x6xf32>) -> tensor<1x6xf32>
    %o1 = tensor.insert_slice %x into %o[%i, 0] [1, 6] [1, 1] : tensor<1x6xf32> into tensor<8x6xf32>
    %o2 = tensor.insert_slice %y into %o1[%j, 0] [1, 6] [1, 1] : tensor<1x6xf32> into tensor<8x6xf32>
    scf.yield %o2 : tensor<8x6xf32>
  }
  return %r : tensor<8x6xf32>
}
// CALL branch_tail x=memref:10 y=memref:10 -> y:10
func.func @branch_tail(%x: memref<10xf32>, %y: memref<10xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %c10 step %c4 {
    %e = arith.addi %i, %c4 : index
    %full = arith.cmpi sle, %e, %c10 : index
    scf.if %full {
      %v = vector.load %x[%i] : memref<10xf32>, vector<4xf32>
      %w = arith.mulf %v, %v : vector<4xf32>
      vector.store %w, %y[%i] : memref<10xf32>, vector<4xf32>
    } else {
      scf.for %k = %i to %c10 step %c1 {
        %v = memref.load %x[%k] : memref<10xf32>
        %w = arith.mulf %v, %v : f32
        memref.store %w, %y[%k] : memref<10xf32>
      }
    }
  }
  return
}
// CALL masked_tail x=memref:10 y=memref:10 -> y:10
func.func @masked_tail(%x: memref<10xf32>, %y: memref<10xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  %pass = arith.constant dense<0.0> : vector<4xf32>
  scf.for %i = %c0 to %c10 step %c4 {
    %left = affine.min affine_map<(d0) -> (4, 10 - d0)>(%i)
    %m = vector.create_mask %left : vector<4xi1>
    %v = vector.maskedload %x[%i], %m, %pass : memref<10xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    %w = arith.addf %v, %v : vector<4xf32>
    vector.maskedstore %y[%i], %m, %w : memref<10xf32>, vector<4xi1>, vector<4xf32>
  }
  return
}
// CALL vnni A=tensor:4x6x2 B=tensor:6x8x2 -> 4x8
func.func @vnni(%A: tensor<4x6x2xf32>, %B: tensor<6x8x2xf32>) -> tensor<4x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [#v0, #v1, #v2], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%A, %B : tensor<4x6x2xf32>, tensor<6x8x2xf32>) outs(%f : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
// CALL contract_t A=tensor:2x8x4 B=tensor:2x8x5 C=tensor:2x4x5 -> 2x4x5
func.func @contract_t(%A: tensor<2x8x4xf32>, %B: tensor<2x8x5xf32>, %C: tensor<2x4x5xf32>) -> tensor<2x4x5xf32> {
  %r = linalg.contract
      indexing_maps = [#ca, #cb, #cc]
      ins(%A, %B : tensor<2x8x4xf32>, tensor<2x8x5xf32>)
      outs(%C : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<tanh> ins(%r : tensor<2x4x5xf32>) outs(%C : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return %s : tensor<2x4x5xf32>
}
// CALL ew_broadcast A=tensor:4 B=tensor:4x8 C=tensor:4x8 -> 4x8
func.func @ew_broadcast(%A: tensor<4xf32>, %B: tensor<4x8xf32>, %C: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = linalg.elementwise kind=#linalg.elementwise_kind<max_signed> indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] ins(%A, %B : tensor<4xf32>, tensor<4x8xf32>) outs(%C : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
// CALL contract_mem A=memref:4x8 B=memref:8x6 C=memref:4x6 -> C:4x6
func.func @contract_mem(%A: memref<4x8xf32>, %B: memref<8x6xf32>, %C: memref<4x6xf32>) {
  linalg.contract indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>] ins(%A, %B : memref<4x8xf32>, memref<8x6xf32>) outs(%C : memref<4x6xf32>)
  return
}
// CALL fdtd2 ex=memref:6x7 ey=memref:6x7 hz=memref:6x7 -> hz:6x7
func.func @fdtd2(%ex: memref<6x7xf32>, %ey: memref<6x7xf32>, %hz: memref<6x7xf32>) {
  %c = arith.constant 0.5 : f32
  affine.for %t = 0 to 4 {
    affine.for %i = 1 to 6 {
      affine.for %j = 0 to 7 {
        %a = affine.load %ey[%i, %j] : memref<6x7xf32>
        %b = affine.load %hz[%i, %j] : memref<6x7xf32>
        %d = affine.load %hz[%i - 1, %j] : memref<6x7xf32>
        %e = arith.subf %b, %d : f32
        %f = arith.mulf %c, %e : f32
        %g = arith.subf %a, %f : f32
        affine.store %g, %ey[%i, %j] : memref<6x7xf32>
      }
    }
    affine.for %i = 0 to 6 {
      affine.for %j = 1 to 7 {
        %a = affine.load %ex[%i, %j] : memref<6x7xf32>
        %b = affine.load %hz[%i, %j] : memref<6x7xf32>
        %d = affine.load %hz[%i, %j - 1] : memref<6x7xf32>
        %e = arith.subf %b, %d : f32
        %f = arith.mulf %c, %e : f32
        %g = arith.subf %a, %f : f32
        affine.store %g, %ex[%i, %j] : memref<6x7xf32>
      }
    }
    affine.for %i = 0 to 5 {
      affine.for %j = 0 to 6 {
        %a = affine.load %hz[%i, %j] : memref<6x7xf32>
        %b = affine.load %ex[%i, %j + 1] : memref<6x7xf32>
        %d = affine.load %ex[%i, %j] : memref<6x7xf32>
        %e = affine.load %ey[%i + 1, %j] : memref<6x7xf32>
        %f = affine.load %ey[%i, %j] : memref<6x7xf32>
        %g = arith.subf %b, %d : f32
        %h = arith.subf %e, %f : f32
        %k = arith.addf %g, %h : f32
        %l = arith.mulf %c, %k : f32
        %m = arith.subf %a, %l : f32
        affine.store %m, %hz[%i, %j] : memref<6x7xf32>
      }
    }
  }
  return
}
// CALL mmt4d A=tensor:2x3x4x2 B=tensor:5x3x8x2 C=tensor:2x5x4x8 -> 2x5x4x8
func.func @mmt4d(%A: tensor<2x3x4x2xf32>, %B: tensor<5x3x8x2xf32>, %C: tensor<2x5x4x8xf32>) -> tensor<2x5x4x8xf32> {
  %r = linalg.mmt4d ins(%A, %B : tensor<2x3x4x2xf32>, tensor<5x3x8x2xf32>) outs(%C : tensor<2x5x4x8xf32>) -> tensor<2x5x4x8xf32>
  return %r : tensor<2x5x4x8xf32>
}
// CALL grouped x=tensor:1x2x3x6x6 w=tensor:2x4x3x3x3 o=tensor:1x2x4x4x4 -> 1x2x4x4x4
func.func @grouped(%x: tensor<1x2x3x6x6xf32>, %w: tensor<2x4x3x3x3xf32>, %o: tensor<1x2x4x4x4xf32>) -> tensor<1x2x4x4x4xf32> {
  %r = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x2x3x6x6xf32>, tensor<2x4x3x3x3xf32>) outs(%o : tensor<1x2x4x4x4xf32>) -> tensor<1x2x4x4x4xf32>
  return %r : tensor<1x2x4x4x4xf32>
}
// CALL pool_min x=tensor:1x6x6x3 o=tensor:1x3x3x3 -> 1x3x3x3
func.func @pool_min(%x: tensor<1x6x6x3xf32>, %o: tensor<1x3x3x3xf32>) -> tensor<1x3x3x3xf32> {
  %w = tensor.empty() : tensor<2x2xf32>
  %r = linalg.pooling_nhwc_min {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x6x6x3xf32>, tensor<2x2xf32>) outs(%o : tensor<1x3x3x3xf32>) -> tensor<1x3x3x3xf32>
  return %r : tensor<1x3x3x3xf32>
}
// CALL nested_tiles A=tensor:8x8 B=tensor:8x8 C=tensor:8x8 -> 8x8
func.func @nested_tiles(%A: tensor<8x8xf32>, %B: tensor<8x8xf32>, %C: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %r = scf.forall (%i, %j) in (2, 2) shared_outs(%o = %C) -> (tensor<8x8xf32>) {
    %ii = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %jj = affine.apply affine_map<(d0) -> (d0 * 4)>(%j)
    %t = tensor.extract_slice %o[%ii, %jj] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
    %s = scf.for %k = %c0 to %c8 step %c2 iter_args(%acc = %t) -> (tensor<4x4xf32>) {
      %a = tensor.extract_slice %A[%ii, %k] [4, 2] [1, 1] : tensor<8x8xf32> to tensor<4x2xf32>
      %b = tensor.extract_slice %B[%k, %jj] [2, 4] [1, 1] : tensor<8x8xf32> to tensor<2x4xf32>
      %p = linalg.matmul ins(%a, %b : tensor<4x2xf32>, tensor<2x4xf32>) outs(%acc : tensor<4x4xf32>) -> tensor<4x4xf32>
      scf.yield %p : tensor<4x4xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%ii, %jj] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x8xf32>
    }
  }
  return %r : tensor<8x8xf32>
}
// CALL ctrl x=memref:16 y=memref:16 -> y:16
func.func @ctrl(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  %c4_i32 = arith.constant 4 : i32
  %c4 = arith.constant 4 : index
  %r = scf.for %t = %c0_i32 to %c4_i32 step %c1_i32 iter_args(%off = %c0_i32) -> (i32) : i32 {
    %o = arith.index_cast %off : i32 to index
    %a = memref.reinterpret_cast %x to offset: [%o], sizes: [4], strides: [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
    %b = memref.reinterpret_cast %y to offset: [%o], sizes: [4], strides: [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
    %buf = memref.alloc() : memref<4xf32>
    memref.copy %a, %buf : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32>
    linalg.exp ins(%buf : memref<4xf32>) outs(%buf : memref<4xf32>)
    memref.copy %buf, %b : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
    %n = arith.addi %off, %c4_i32 : i32
    scf.yield %n : i32
  }
  return
}
// CALL rowmax_shift X=tensor:5x7 -> 5x7
func.func @rowmax_shift(%X: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %e1 = tensor.empty() : tensor<5xf32>
  %f = linalg.fill ins(%ninf : f32) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%X : tensor<5x7xf32>) outs(%f : tensor<5xf32>) dimensions = [1]
  %e2 = tensor.empty() : tensor<5x7xf32>
  %b = linalg.broadcast ins(%m : tensor<5xf32>) outs(%e2 : tensor<5x7xf32>) dimensions = [1]
  %s = linalg.sub ins(%X, %b : tensor<5x7xf32>, tensor<5x7xf32>) outs(%e2 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %x = linalg.exp ins(%s : tensor<5x7xf32>) outs(%e2 : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %x : tensor<5x7xf32>
}
// CALL cumsum_rows X=tensor:4x6 -> 4x6
func.func @cumsum_rows(%X: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %z = arith.constant dense<0.0> : tensor<4xf32>
  %e = tensor.empty() : tensor<4x6xf32>
  %r:2 = scf.for %j = %c0 to %c6 step %c1 iter_args(%acc = %z, %o = %e) -> (tensor<4xf32>, tensor<4x6xf32>) {
    %col = tensor.extract_slice %X[0, %j] [4, 1] [1, 1] : tensor<4x6xf32> to tensor<4xf32>
    %n = linalg.add ins(%acc, %col : tensor<4xf32>, tensor<4xf32>) outs(%acc : tensor<4xf32>) -> tensor<4xf32>
    %p = tensor.insert_slice %n into %o[0, %j] [4, 1] [1, 1] : tensor<4xf32> into tensor<4x6xf32>
    scf.yield %n, %p : tensor<4xf32>, tensor<4x6xf32>
  }
  return %r#1 : tensor<4x6xf32>
}
// CALL lu_rows A=memref:6x6 -> A:6x6
func.func @lu_rows(%A: memref<6x6xf32>) {
  affine.for %k = 0 to 6 {
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 6 {
      %p = affine.load %A[%k, %k] : memref<6x6xf32>
      %a = affine.load %A[%i, %k] : memref<6x6xf32>
      %c8 = arith.constant 8.0 : f32
      %q = arith.addf %p, %c8 : f32
      %l = arith.divf %a, %q : f32
      affine.store %l, %A[%i, %k] : memref<6x6xf32>
      affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to 6 {
        %x = affine.load %A[%i, %j] : memref<6x6xf32>
        %u = affine.load %A[%k, %j] : memref<6x6xf32>
        %v = affine.load %A[%i, %k] : memref<6x6xf32>
        %m = arith.mulf %v, %u : f32
        %s = arith.subf %x, %m : f32
        affine.store %s, %A[%i, %j] : memref<6x6xf32>
      }
    }
  }
  return
}
// CALL pad_edges X=tensor:5x5 -> 7x8
func.func @pad_edges(%X: tensor<5x5xf32>) -> tensor<7x8xf32> {
  %z = arith.constant 1.5 : f32
  %p = tensor.pad %X low[1, 2] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<5x5xf32> to tensor<7x8xf32>
  return %p : tensor<7x8xf32>
}
// CALL qmm A=tensor:4x6:i8<9 B=tensor:6x5:i8<9 C=tensor:4x5:i32<9 -> 4x5:i32
func.func @qmm(%A: tensor<4x6xi8>, %B: tensor<6x5xi8>, %C: tensor<4x5xi32>) -> tensor<4x5xi32> {
  %za = arith.constant 3 : i32
  %zb = arith.constant 1 : i32
  %r = linalg.quantized_matmul ins(%A, %B, %za, %zb : tensor<4x6xi8>, tensor<6x5xi8>, i32, i32) outs(%C : tensor<4x5xi32>) -> tensor<4x5xi32>
  return %r : tensor<4x5xi32>
}
// CALL outer_sub x=memref:5 y=memref:6 z=memref:5x6 -> z:5x6
func.func @outer_sub(%x: memref<5xf32>, %y: memref<6xf32>, %z: memref<5x6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c5, %c6) step (%c1, %c1) {
    %a = memref.load %x[%i] : memref<5xf32>
    %b = memref.load %y[%j] : memref<6xf32>
    %c = arith.cmpf ogt, %a, %b : f32
    %d = arith.subf %a, %b : f32
    %e = arith.subf %b, %a : f32
    %s = arith.select %c, %d, %e : f32
    memref.store %s, %z[%i, %j] : memref<5x6xf32>
    scf.reduce
  }
  return
}
// CALL unroll_acc x=memref:16 y=memref:16 o=memref:1 -> o:1
func.func @unroll_acc(%x: memref<16xf32>, %y: memref<16xf32>, %o: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  %r:2 = scf.for %i = %c0 to %c16 step %c2 iter_args(%a = %z, %b = %z) -> (f32, f32) {
    %j = arith.addi %i, %c1 : index
    %x0 = memref.load %x[%i] : memref<16xf32>
    %y0 = memref.load %y[%i] : memref<16xf32>
    %x1 = memref.load %x[%j] : memref<16xf32>
    %y1 = memref.load %y[%j] : memref<16xf32>
    %p0 = arith.mulf %x0, %y0 : f32
    %p1 = arith.mulf %x1, %y1 : f32
    %n0 = arith.addf %a, %p0 : f32
    %n1 = arith.addf %b, %p1 : f32
    scf.yield %n0, %n1 : f32, f32
  }
  %s = arith.addf %r#0, %r#1 : f32
  memref.store %s, %o[%c0] : memref<1xf32>
  return
}
// CALL double_buffer A=memref:4x8 B=memref:4x8 -> B:4x8
func.func @double_buffer(%A: memref<4x8xf32>, %B: memref<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %ping = memref.alloc() : memref<8xf32>
  %pong = memref.alloc() : memref<8xf32>
  %first = memref.subview %A[0, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<8xf32, strided<[1]>>
  memref.copy %first, %ping : memref<8xf32, strided<[1]>> to memref<8xf32>
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%cur = %ping, %nxt = %pong) -> (memref<8xf32>, memref<8xf32>) {
    %more = arith.cmpi slt, %i, %c3 : index
    scf.if %more {
      %k = arith.addi %i, %c1 : index
      %row = memref.subview %A[%k, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<8xf32, strided<[1], offset: ?>>
      memref.copy %row, %nxt : memref<8xf32, strided<[1], offset: ?>> to memref<8xf32>
    }
    affine.for %j = 0 to 8 {
      %v = affine.load %cur[%j] : memref<8xf32>
      %w = arith.mulf %v, %v : f32
      memref.store %w, %B[%i, %j] : memref<4x8xf32>
    }
    scf.yield %nxt, %cur : memref<8xf32>, memref<8xf32>
  }
  return
}
// CALL swapped a=memref:16 b=memref:16 -> a:16
func.func @swapped(%a: memref<16xf32>, %b: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c15 = arith.constant 15 : index
  %third = arith.constant 0.3333 : f32
  %r:2 = scf.for %t = %c0 to %c6 step %c1 iter_args(%src = %a, %dst = %b) -> (memref<16xf32>, memref<16xf32>) {
    scf.for %i = %c1 to %c15 step %c1 {
      %im = arith.subi %i, %c1 : index
      %ip = arith.addi %i, %c1 : index
      %x = memref.load %src[%im] : memref<16xf32>
      %y = memref.load %src[%i] : memref<16xf32>
      %z = memref.load %src[%ip] : memref<16xf32>
      %s = arith.addf %x, %y : f32
      %u = arith.addf %s, %z : f32
      %v = arith.mulf %u, %third : f32
      memref.store %v, %dst[%i] : memref<16xf32>
    }
    scf.yield %dst, %src : memref<16xf32>, memref<16xf32>
  }
  return
}
// CALL tswap a=tensor:16 b=tensor:16 -> 16
func.func @tswap(%a: tensor<16xf32>, %b: tensor<16xf32>) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %r:2 = scf.for %t = %c0 to %c6 step %c1 iter_args(%s = %a, %d = %b) -> (tensor<16xf32>, tensor<16xf32>) {
    %n = linalg.add ins(%s, %d : tensor<16xf32>, tensor<16xf32>) outs(%d : tensor<16xf32>) -> tensor<16xf32>
    scf.yield %n, %s : tensor<16xf32>, tensor<16xf32>
  }
  return %r#0 : tensor<16xf32>
}
// CALL peeled x=memref:19 y=memref:19 -> y:19
func.func @peeled(%x: memref<19xf32>, %y: memref<19xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c19 = arith.constant 19 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c16 step %c8 {
    scf.for %j = %c0 to %c8 step %c1 {
      %k = arith.addi %i, %j : index
      %v = memref.load %x[%k] : memref<19xf32>
      %w = arith.mulf %v, %v : f32
      memref.store %w, %y[%k] : memref<19xf32>
    }
  }
  scf.for %k = %c16 to %c19 step %c1 {
    %v = memref.load %x[%k] : memref<19xf32>
    %w = arith.mulf %v, %v : f32
    memref.store %w, %y[%k] : memref<19xf32>
  }
  return
}
// CALL peeled_sum x=memref:19 y=memref:1 -> y:1
func.func @peeled_sum(%x: memref<19xf32>, %y: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c19 = arith.constant 19 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %a = scf.for %i = %c0 to %c16 step %c8 iter_args(%acc = %z) -> (f32) {
    %v = vector.load %x[%i] : memref<19xf32>, vector<8xf32>
    %r = vector.reduction <add>, %v : vector<8xf32> into f32
    %n = arith.addf %acc, %r : f32
    scf.yield %n : f32
  }
  %b = scf.for %k = %c16 to %c19 step %c1 iter_args(%acc = %a) -> (f32) {
    %v = memref.load %x[%k] : memref<19xf32>
    %n = arith.addf %acc, %v : f32
    scf.yield %n : f32
  }
  memref.store %b, %y[%c0] : memref<1xf32>
  return
}
// CALL iftail x=memref:19 y=memref:19 -> y:19
func.func @iftail(%x: memref<19xf32>, %y: memref<19xf32>) {
  affine.for %i = 0 to 5 {
    affine.for %j = 0 to 4 {
      %k = affine.apply affine_map<(d0, d1) -> (4 * d0 + d1)>(%i, %j)
      %c19 = arith.constant 19 : index
      %in = arith.cmpi slt, %k, %c19 : index
      scf.if %in {
        %v = memref.load %x[%k] : memref<19xf32>
        %w = math.exp %v : f32
        memref.store %w, %y[%k] : memref<19xf32>
      }
    }
  }
  return
}
// CALL mintail A=memref:10x7 B=memref:7x9 C=memref:10x9 -> C:10x9
func.func @mintail(%A: memref<10x7xf32>, %B: memref<7x9xf32>, %C: memref<10x9xf32>) {
  affine.for %i = 0 to 10 step 4 {
    affine.for %j = 0 to 9 step 4 {
      affine.for %k = 0 to 7 step 4 {
        affine.for %ii = affine_map<(d0) -> (d0)>(%i) to min affine_map<(d0) -> (d0 + 4, 10)>(%i) {
          affine.for %jj = affine_map<(d0) -> (d0)>(%j) to min affine_map<(d0) -> (d0 + 4, 9)>(%j) {
            affine.for %kk = affine_map<(d0) -> (d0)>(%k) to min affine_map<(d0) -> (d0 + 4, 7)>(%k) {
              %a = affine.load %A[%ii, %kk] : memref<10x7xf32>
              %b = affine.load %B[%kk, %jj] : memref<7x9xf32>
              %c = affine.load %C[%ii, %jj] : memref<10x9xf32>
              %p = arith.mulf %a, %b : f32
              %s = arith.addf %c, %p : f32
              affine.store %s, %C[%ii, %jj] : memref<10x9xf32>
            }
          }
        }
      }
    }
  }
  return
}
// CALL mintensor A=tensor:10x7 B=tensor:7x9 C=tensor:10x9 -> 10x9
func.func @mintensor(%A: tensor<10x7xf32>, %B: tensor<7x9xf32>, %C: tensor<10x9xf32>) -> tensor<10x9xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %r = scf.for %i = %c0 to %c10 step %c4 iter_args(%ci = %C) -> (tensor<10x9xf32>) {
    %m = affine.min affine_map<(d0) -> (4, -d0 + 10)>(%i)
    %r1 = scf.for %j = %c0 to %c9 step %c4 iter_args(%cj = %ci) -> (tensor<10x9xf32>) {
      %n = affine.min affine_map<(d0) -> (4, -d0 + 9)>(%j)
      %a = tensor.extract_slice %A[%i, 0] [%m, 7] [1, 1] : tensor<10x7xf32> to tensor<?x7xf32>
      %b = tensor.extract_slice %B[0, %j] [7, %n] [1, 1] : tensor<7x9xf32> to tensor<7x?xf32>
      %c = tensor.extract_slice %cj[%i, %j] [%m, %n] [1, 1] : tensor<10x9xf32> to tensor<?x?xf32>
      %p = linalg.matmul ins(%a, %b : tensor<?x7xf32>, tensor<7x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
      %q = tensor.insert_slice %p into %cj[%i, %j] [%m, %n] [1, 1] : tensor<?x?xf32> into tensor<10x9xf32>
      scf.yield %q : tensor<10x9xf32>
    }
    scf.yield %r1 : tensor<10x9xf32>
  }
  return %r : tensor<10x9xf32>
}
// CALL reduce_views a=memref:12 o=memref:1 -> o:1
func.func @reduce_views(%a: memref<12xf32>, %o: memref<1xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  %p = memref.alloc() : memref<f32>
  linalg.fill ins(%zero : f32) outs(%p : memref<f32>)
  scf.for %i = %c0 to %c10 step %c4 {
    %n = affine.min #min4(%i)
    %x = memref.subview %a[%i] [%n] [1] : memref<12xf32> to memref<?xf32, strided<[1], offset: ?>>
    linalg.reduce { arith.addf } ins(%x : memref<?xf32, strided<[1], offset: ?>>) outs(%p : memref<f32>) dimensions = [0]
  }
  %v = memref.load %p[] : memref<f32>
  memref.store %v, %o[%c0] : memref<1xf32>
  return
}
// CALL dot_views a=memref:12 b=memref:12 o=memref:1 -> o:1
func.func @dot_views(%a: memref<12xf32>, %b: memref<12xf32>, %o: memref<1xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  %p = memref.alloc() : memref<f32>
  linalg.fill ins(%zero : f32) outs(%p : memref<f32>)
  scf.for %i = %c0 to %c10 step %c4 {
    %n = affine.min #min4(%i)
    %x = memref.subview %a[%i] [%n] [1] : memref<12xf32> to memref<?xf32, strided<[1], offset: ?>>
    %y = memref.subview %b[%i] [%n] [1] : memref<12xf32> to memref<?xf32, strided<[1], offset: ?>>
    linalg.dot ins(%x, %y : memref<?xf32, strided<[1], offset: ?>>, memref<?xf32, strided<[1], offset: ?>>) outs(%p : memref<f32>)
  }
  %v = memref.load %p[] : memref<f32>
  memref.store %v, %o[%c0] : memref<1xf32>
  return
}
// CALL every_fourth a=tensor:8 w=tensor:4 -> 4
func.func @every_fourth(%a: tensor<8xf32>, %w: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %r = scf.for %i = %c0 to %c6 step %c4 iter_args(%o = %w) -> (tensor<4xf32>) {
    %n = affine.min affine_map<(d0) -> (-d0 + 6, 4)>(%i)
    %s = tensor.extract_slice %a[%i] [%n] [1] : tensor<8xf32> to tensor<?xf32>
    %to = tensor.extract_slice %o[0] [%n] [1] : tensor<4xf32> to tensor<?xf32>
    %x = linalg.add ins(%s, %to : tensor<?xf32>, tensor<?xf32>) outs(%to : tensor<?xf32>) -> tensor<?xf32>
    %q = tensor.insert_slice %x into %o[0] [%n] [1] : tensor<?xf32> into tensor<4xf32>
    scf.yield %q : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
