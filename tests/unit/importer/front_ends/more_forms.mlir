// Forms that front ends write now and then: stores in branches, in-place updates, named operations.
#id2 = affine_map<(d0, d1) -> (d0, d1)>

// CALL clip_in_place x=memref:4x8 -> x:4x8
func.func @clip_in_place(%x: memref<4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %v = affine.load %x[%i, %j] : memref<4x8xf32>
      %c = arith.cmpf olt, %v, %zero : f32
      scf.if %c {
        affine.store %zero, %x[%i, %j] : memref<4x8xf32>
      }
    }
  }
  return
}

// CALL if_else_store x=memref:4x8 y=memref:4x8 -> y:4x8
func.func @if_else_store(%x: memref<4x8xf32>, %y: memref<4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %v = memref.load %x[%i, %j] : memref<4x8xf32>
      %c = arith.cmpf olt, %v, %zero : f32
      scf.if %c {
        %n = arith.negf %v : f32
        memref.store %n, %y[%i, %j] : memref<4x8xf32>
      } else {
        %e = math.exp %v : f32
        memref.store %e, %y[%i, %j] : memref<4x8xf32>
      }
    }
  }
  return
}

// CALL count_if x=memref:6x8 y=memref:6 -> y:6
func.func @count_if(%x: memref<6x8xf32>, %y: memref<6xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  affine.for %i = 0 to 6 {
    affine.store %zero, %y[%i] : memref<6xf32>
    affine.for %j = 0 to 8 {
      %v = affine.load %x[%i, %j] : memref<6x8xf32>
      %c = arith.cmpf ogt, %v, %zero : f32
      scf.if %c {
        %o = affine.load %y[%i] : memref<6xf32>
        %n = arith.addf %o, %one : f32
        affine.store %n, %y[%i] : memref<6xf32>
      }
    }
  }
  return
}

// CALL carry_if x=memref:6x8 y=memref:6 -> y:6
func.func @carry_if(%x: memref<6x8xf32>, %y: memref<6xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 6 {
    %s = affine.for %j = 0 to 8 iter_args(%a = %zero) -> (f32) {
      %v = affine.load %x[%i, %j] : memref<6x8xf32>
      %c = arith.cmpf ogt, %v, %zero : f32
      %n = scf.if %c -> (f32) {
        %t = arith.addf %a, %v : f32
        scf.yield %t : f32
      } else {
        scf.yield %a : f32
      }
      affine.yield %n : f32
    }
    affine.store %s, %y[%i] : memref<6xf32>
  }
  return
}

// CALL dot x=tensor:16 y=tensor:16 -> scalar
func.func @dot(%x: tensor<16xf32>, %y: tensor<16xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.dot ins(%x, %y : tensor<16xf32>, tensor<16xf32>) outs(%f : tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// CALL vecmat x=tensor:8 A=tensor:8x12 B=tensor:6x12 -> 6
func.func @vecmat(%x: tensor<8xf32>, %A: tensor<8x12xf32>, %B: tensor<6x12xf32>) -> tensor<6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<12xf32>) -> tensor<12xf32>
  %r = linalg.vecmat ins(%x, %A : tensor<8xf32>, tensor<8x12xf32>) outs(%f : tensor<12xf32>) -> tensor<12xf32>
  %e2 = tensor.empty() : tensor<6xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<6xf32>) -> tensor<6xf32>
  %s = linalg.matvec ins(%B, %r : tensor<6x12xf32>, tensor<12xf32>) outs(%f2 : tensor<6xf32>) -> tensor<6xf32>
  return %s : tensor<6xf32>
}

// CALL transpose_a A=tensor:12x8 B=tensor:12x6 -> 8x6
func.func @transpose_a(%A: tensor<12x8xf32>, %B: tensor<12x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %r = linalg.matmul_transpose_a ins(%A, %B : tensor<12x8xf32>, tensor<12x6xf32>) outs(%f : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %r : tensor<8x6xf32>
}

// CALL conv1d x=memref:20 k=memref:5 y=memref:16 -> y:16
func.func @conv1d(%x: memref<20xf32>, %k: memref<5xf32>, %y: memref<16xf32>) {
  linalg.conv_1d ins(%x, %k : memref<20xf32>, memref<5xf32>) outs(%y : memref<16xf32>)
  return
}

// CALL conv3d x=tensor:1x2x5x5x5 k=tensor:3x2x3x3x3 y=tensor:1x3x3x3x3 -> 1x3x3x3x3
func.func @conv3d(%x: tensor<1x2x5x5x5xf32>, %k: tensor<3x2x3x3x3xf32>, %y: tensor<1x3x3x3x3xf32>) -> tensor<1x3x3x3x3xf32> {
  %r = linalg.conv_3d_ncdhw_fcdhw {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%x, %k : tensor<1x2x5x5x5xf32>, tensor<3x2x3x3x3xf32>) outs(%y : tensor<1x3x3x3x3xf32>) -> tensor<1x3x3x3x3xf32>
  return %r : tensor<1x3x3x3x3xf32>
}

// CALL grouped_conv x=tensor:1x2x3x6x6 k=tensor:2x4x3x3x3 y=tensor:1x2x4x4x4 -> 1x2x4x4x4
func.func @grouped_conv(%x: tensor<1x2x3x6x6xf32>, %k: tensor<2x4x3x3x3xf32>, %y: tensor<1x2x4x4x4xf32>) -> tensor<1x2x4x4x4xf32> {
  %r = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %k : tensor<1x2x3x6x6xf32>, tensor<2x4x3x3x3xf32>) outs(%y : tensor<1x2x4x4x4xf32>) -> tensor<1x2x4x4x4xf32>
  return %r : tensor<1x2x4x4x4xf32>
}

// CALL dilated x=tensor:1x9x9x2 k=tensor:3x3x2x2 y=tensor:1x5x5x2x2 -> 1x5x5x2x2
func.func @dilated(%x: tensor<1x9x9x2xf32>, %k: tensor<3x3x2x2xf32>, %y: tensor<1x5x5x2x2xf32>) -> tensor<1x5x5x2x2xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %k : tensor<1x9x9x2xf32>, tensor<3x3x2x2xf32>) outs(%y : tensor<1x5x5x2x2xf32>) -> tensor<1x5x5x2x2xf32>
  return %r : tensor<1x5x5x2x2xf32>
}

// CALL min_pool x=tensor:1x8x8x3 -> 1x4x4x3
func.func @min_pool(%x: tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32> {
  %high = arith.constant 0x7F800000 : f32
  %e = tensor.empty() : tensor<1x4x4x3xf32>
  %f = linalg.fill ins(%high : f32) outs(%e : tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
  %w = tensor.empty() : tensor<2x2xf32>
  %r = linalg.pooling_nhwc_min {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x8x8x3xf32>, tensor<2x2xf32>) outs(%f : tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
  return %r : tensor<1x4x4x3xf32>
}

// CALL tensor_gather x=tensor:8x6 ids=tensor:5x1:i64<8 -> 5x6
func.func @tensor_gather(%x: tensor<8x6xf32>, %ids: tensor<5x1xi64>) -> tensor<5x6xf32> {
  %e = tensor.empty() : tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<5x6xf32>) {
  ^bb0(%o: f32):
    %c0 = arith.constant 0 : index
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %at = tensor.extract %ids[%i, %c0] : tensor<5x1xi64>
    %n = arith.index_cast %at : i64 to index
    %v = tensor.extract %x[%n, %j] : tensor<8x6xf32>
    linalg.yield %v : f32
  } -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// CALL row_swap x=memref:4x6 y=memref:4x6 -> y:4x6
func.func @row_swap(%x: memref<4x6xf32>, %y: memref<4x6xf32>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %x[-%i + 3, -%j + 5] : memref<4x6xf32>
      affine.store %v, %y[%i, %j] : memref<4x6xf32>
    }
  }
  return
}

// CALL scale_then_add x=memref:6x4 y=memref:6x4 -> x:6x4
func.func @scale_then_add(%x: memref<6x4xf32>, %y: memref<6x4xf32>) {
  %two = arith.constant 2.0 : f32
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 4 {
      %v = affine.load %x[%i, %j] : memref<6x4xf32>
      %s = arith.mulf %v, %two : f32
      affine.store %s, %x[%i, %j] : memref<6x4xf32>
    }
  }
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 4 {
      %v = affine.load %x[%i, %j] : memref<6x4xf32>
      %w = affine.load %y[%i, %j] : memref<6x4xf32>
      %s = arith.addf %v, %w : f32
      affine.store %s, %y[%i, %j] : memref<6x4xf32>
    }
  }
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 4 {
      %v = affine.load %x[%i, %j] : memref<6x4xf32>
      %w = affine.load %y[%i, %j] : memref<6x4xf32>
      %s = arith.mulf %v, %w : f32
      affine.store %s, %x[%i, %j] : memref<6x4xf32>
    }
  }
  return
}

// CALL swap_halves x=memref:8 -> x:8
func.func @swap_halves(%x: memref<8xf32>) {
  affine.for %i = 0 to 4 {
    %a = affine.load %x[%i] : memref<8xf32>
    %b = affine.load %x[%i + 4] : memref<8xf32>
    affine.store %b, %x[%i] : memref<8xf32>
    affine.store %a, %x[%i + 4] : memref<8xf32>
  }
  return
}

// CALL halo x=memref:10x10 y=memref:8x8 -> y:8x8
func.func @halo(%x: memref<10x10xf32>, %y: memref<8x8xf32>) {
  %five = arith.constant 0.2 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c8) step (%c1, %c1) {
    %i1 = arith.addi %i, %c1 : index
    %i2 = arith.addi %i, %c2 : index
    %j1 = arith.addi %j, %c1 : index
    %j2 = arith.addi %j, %c2 : index
    %a = memref.load %x[%i, %j1] : memref<10x10xf32>
    %b = memref.load %x[%i2, %j1] : memref<10x10xf32>
    %c = memref.load %x[%i1, %j] : memref<10x10xf32>
    %d = memref.load %x[%i1, %j2] : memref<10x10xf32>
    %e = memref.load %x[%i1, %j1] : memref<10x10xf32>
    %s = arith.addf %a, %b : f32
    %t = arith.addf %s, %c : f32
    %u = arith.addf %t, %d : f32
    %v = arith.addf %u, %e : f32
    %w = arith.mulf %v, %five : f32
    memref.store %w, %y[%i, %j] : memref<8x8xf32>
    scf.reduce
  }
  return
}

// CALL pad_pack A=tensor:6x7 -> 2x2x4x4
func.func @pad_pack(%A: tensor<6x7xf32>) -> tensor<2x2x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2x4x4xf32>
  %p = tensor.pack %A padding_value(%zero : f32) inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %e : tensor<6x7xf32> -> tensor<2x2x4x4xf32>
  return %p : tensor<2x2x4x4xf32>
}

// CALL reduce_parallel x=memref:6x8 y=memref:6 -> y:6
func.func @reduce_parallel(%x: memref<6x8xf32>, %y: memref<6xf32>) {
  affine.parallel (%i) = (0) to (6) {
    %m = affine.parallel (%j) = (0) to (8) reduce ("maximumf") -> (f32) {
      %v = affine.load %x[%i, %j] : memref<6x8xf32>
      affine.yield %v : f32
    }
    affine.store %m, %y[%i] : memref<6xf32>
  }
  return
}

// CALL max_tiles x=memref:12x12 y=memref:12x12 -> y:12x12
func.func @max_tiles(%x: memref<12x12xf32>, %y: memref<12x12xf32>) {
  affine.for %i = 0 to 12 step 5 {
    affine.for %j = 0 to 12 {
      affine.for %k = max affine_map<(d0) -> (d0, 2)>(%i) to min affine_map<(d0) -> (d0 + 5, 12)>(%i) {
        %v = affine.load %x[%k, %j] : memref<12x12xf32>
        affine.store %v, %y[%k, %j] : memref<12x12xf32>
      }
    }
  }
  return
}

// CALL expand_view x=memref:24 y=memref:2x3x4 -> y:2x3x4
func.func @expand_view(%x: memref<24xf32>, %y: memref<2x3x4xf32>) {
  %v = memref.expand_shape %x [[0, 1, 2]] output_shape [2, 3, 4] : memref<24xf32> into memref<2x3x4xf32>
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v : memref<2x3x4xf32>) outs(%y : memref<2x3x4xf32>) {
  ^bb0(%in: f32, %o: f32):
    %t = math.tanh %in : f32
    linalg.yield %t : f32
  }
  return
}

// CALL integer_ops x=tensor:4x8:i32<100 y=tensor:4x8:i32<9 -> 4x8:i32
func.func @integer_ops(%x: tensor<4x8xi32>, %y: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %c7 = arith.constant 7 : i32
  %c3 = arith.constant 3 : i32
  %c50 = arith.constant 50 : i32
  %e = tensor.empty() : tensor<4x8xi32>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<4x8xi32>, tensor<4x8xi32>) outs(%e : tensor<4x8xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %s = arith.subi %a, %c50 : i32
    %d = arith.divsi %s, %c7 : i32
    %m = arith.remsi %s, %c7 : i32
    %l = arith.andi %a, %c7 : i32
    %h = arith.shrsi %s, %c3 : i32
    %u = arith.shli %b, %c3 : i32
    %1 = arith.addi %d, %m : i32
    %2 = arith.addi %1, %l : i32
    %3 = arith.addi %2, %h : i32
    %4 = arith.addi %3, %u : i32
    linalg.yield %4 : i32
  } -> tensor<4x8xi32>
  return %r : tensor<4x8xi32>
}

// CALL reduced_vectors x=memref:8x16 y=memref:8 -> y:8
func.func @reduced_vectors(%x: memref<8x16xf32>, %y: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %acc = arith.constant dense<0.0> : vector<8xf32>
  %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<8x16xf32>, vector<8x16xf32>
  %e = math.exp %v : vector<8x16xf32>
  %r = vector.multi_reduction <add>, %e, %acc [1] : vector<8x16xf32> to vector<8xf32>
  vector.transfer_write %r, %y[%c0] {in_bounds = [true]} : vector<8xf32>, memref<8xf32>
  return
}

// CALL tail_transfer x=memref:10 y=memref:10 -> y:10
func.func @tail_transfer(%x: memref<10xf32>, %y: memref<10xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 10 step 4 {
    %v = vector.transfer_read %x[%i], %zero : memref<10xf32>, vector<4xf32>
    %w = arith.addf %v, %v : vector<4xf32>
    vector.transfer_write %w, %y[%i] : vector<4xf32>, memref<10xf32>
  }
  return
}

// The first element, then the others.
// CALL prefix_in_place x=memref:9 y=memref:9 -> y:9
func.func @prefix_in_place(%x: memref<9xf32>, %y: memref<9xf32>) {
  %a = affine.load %x[0] : memref<9xf32>
  affine.store %a, %y[0] : memref<9xf32>
  affine.for %i = 1 to 9 {
    %p = affine.load %y[%i - 1] : memref<9xf32>
    %v = affine.load %x[%i] : memref<9xf32>
    %s = arith.addf %p, %v : f32
    affine.store %s, %y[%i] : memref<9xf32>
  }
  return
}

// Pairs that are turned, as of rotary embeddings.
// CALL rotary x=memref:4x8 y=memref:4x8 -> y:4x8
func.func @rotary(%x: memref<4x8xf32>, %y: memref<4x8xf32>) {
  %c = arith.constant 0.5 : f32
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      %a = affine.load %x[%i, %j * 2] : memref<4x8xf32>
      %b = affine.load %x[%i, %j * 2 + 1] : memref<4x8xf32>
      %ac = arith.mulf %a, %c : f32
      %bc = arith.mulf %b, %c : f32
      %s = arith.subf %ac, %b : f32
      %t = arith.addf %bc, %a : f32
      affine.store %s, %y[%i, %j * 2] : memref<4x8xf32>
      affine.store %t, %y[%i, %j * 2 + 1] : memref<4x8xf32>
    }
  }
  return
}

// CALL borders x=memref:8x8 y=memref:8x8 -> y:8x8
func.func @borders(%x: memref<8x8xf32>, %y: memref<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %j = 0 to 8 {
    affine.store %zero, %y[0, %j] : memref<8x8xf32>
    affine.store %zero, %y[7, %j] : memref<8x8xf32>
  }
  affine.for %i = 1 to 6 {
    affine.for %j = 2 to 7 {
      %a = affine.load %x[%i, %j - 1] : memref<8x8xf32>
      %b = affine.load %x[%i, %j + 1] : memref<8x8xf32>
      %s = arith.addf %a, %b : f32
      affine.store %s, %y[%i, %j] : memref<8x8xf32>
    }
  }
  return
}

// CALL floyd_warshall p=memref:8x8 -> p:8x8
func.func @floyd_warshall(%p: memref<8x8xf32>) {
  affine.for %k = 0 to 8 {
    affine.for %i = 0 to 8 {
      affine.for %j = 0 to 8 {
        %0 = affine.load %p[%i, %j] : memref<8x8xf32>
        %1 = affine.load %p[%i, %k] : memref<8x8xf32>
        %2 = affine.load %p[%k, %j] : memref<8x8xf32>
        %3 = arith.addf %1, %2 : f32
        %4 = arith.minimumf %0, %3 : f32
        affine.store %4, %p[%i, %j] : memref<8x8xf32>
      }
    }
  }
  return
}

// CALL two_nests a=memref:4x8 b=memref:4x8 -> a:4x8
func.func @two_nests(%a: memref<4x8xf32>, %b: memref<4x8xf32>) {
  %two = arith.constant 2.0 : f32
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %x = affine.load %a[%i, 7 - %j] : memref<4x8xf32>
      affine.store %x, %b[%i, %j] : memref<4x8xf32>
    }
    affine.for %j = 0 to 8 {
      %y = affine.load %b[%i, %j] : memref<4x8xf32>
      %z = arith.mulf %y, %two : f32
      affine.store %z, %a[%i, %j] : memref<4x8xf32>
    }
  }
  return
}

// CALL condition_before_stores c=memref:8 a=memref:8 -> c:8
func.func @condition_before_stores(%c: memref<8xf32>, %a: memref<8xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 8 {
    %x = affine.load %c[%i] : memref<8xf32>
    %is = arith.cmpf ogt, %x, %z : f32
    scf.if %is {
      %n = arith.negf %x : f32
      affine.store %n, %c[%i] : memref<8xf32>
      %y = affine.load %a[%i] : memref<8xf32>
      %s = arith.addf %x, %y : f32
      affine.store %s, %c[%i] : memref<8xf32>
    }
  }
  return
}
