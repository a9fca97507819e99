// Programs in the style of mlir-air: loops over tiles of memory, copies to memory spaces 1 (shared)
// and 2 (of a core), linalg on the tiles.
#map4 = affine_map<()[s0] -> (s0 * 4)>

// CALL tiled_matmul A=memref:16x24 B=memref:24x16 C=memref:16x16 -> C:16x16
func.func @tiled_matmul(%A: memref<16x24xf32>, %B: memref<24x16xf32>, %C: memref<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c24 = arith.constant 24 : index
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%C : memref<16x16xf32>)
  scf.parallel (%i, %j) = (%c0, %c0) to (%c16, %c16) step (%c8, %c8) {
    scf.for %k = %c0 to %c24 step %c8 {
      %a = memref.subview %A[%i, %k] [8, 8] [1, 1] : memref<16x24xf32> to memref<8x8xf32, strided<[24, 1], offset: ?>>
      %b = memref.subview %B[%k, %j] [8, 8] [1, 1] : memref<24x16xf32> to memref<8x8xf32, strided<[16, 1], offset: ?>>
      %c = memref.subview %C[%i, %j] [8, 8] [1, 1] : memref<16x16xf32> to memref<8x8xf32, strided<[16, 1], offset: ?>>
      %a2 = memref.alloc() : memref<8x8xf32, 2>
      %b2 = memref.alloc() : memref<8x8xf32, 2>
      %c2 = memref.alloc() : memref<8x8xf32, 2>
      memref.copy %a, %a2 : memref<8x8xf32, strided<[24, 1], offset: ?>> to memref<8x8xf32, 2>
      memref.copy %b, %b2 : memref<8x8xf32, strided<[16, 1], offset: ?>> to memref<8x8xf32, 2>
      memref.copy %c, %c2 : memref<8x8xf32, strided<[16, 1], offset: ?>> to memref<8x8xf32, 2>
      linalg.matmul ins(%a2, %b2 : memref<8x8xf32, 2>, memref<8x8xf32, 2>) outs(%c2 : memref<8x8xf32, 2>)
      memref.copy %c2, %c : memref<8x8xf32, 2> to memref<8x8xf32, strided<[16, 1], offset: ?>>
      memref.dealloc %a2 : memref<8x8xf32, 2>
      memref.dealloc %b2 : memref<8x8xf32, 2>
      memref.dealloc %c2 : memref<8x8xf32, 2>
    }
    scf.reduce
  }
  return
}

// Two levels: a shared tile, and cores that take parts of it.
// CALL two_levels A=memref:16x16 B=memref:16x16 C=memref:16x16 -> C:16x16
func.func @two_levels(%A: memref<16x16xf32>, %B: memref<16x16xf32>, %C: memref<16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.parallel (%i, %j) = (0, 0) to (16, 16) step (8, 8) {
    %c1 = memref.alloc() : memref<8x8xf32, 1>
    linalg.fill ins(%zero : f32) outs(%c1 : memref<8x8xf32, 1>)
    affine.for %k = 0 to 16 step 8 {
      %a1 = memref.alloc() : memref<8x8xf32, 1>
      %b1 = memref.alloc() : memref<8x8xf32, 1>
      %a = memref.subview %A[%i, %k] [8, 8] [1, 1] : memref<16x16xf32> to memref<8x8xf32, strided<[16, 1], offset: ?>>
      %b = memref.subview %B[%k, %j] [8, 8] [1, 1] : memref<16x16xf32> to memref<8x8xf32, strided<[16, 1], offset: ?>>
      memref.copy %a, %a1 : memref<8x8xf32, strided<[16, 1], offset: ?>> to memref<8x8xf32, 1>
      memref.copy %b, %b1 : memref<8x8xf32, strided<[16, 1], offset: ?>> to memref<8x8xf32, 1>
      affine.parallel (%x, %y) = (0, 0) to (2, 2) {
        %xo = affine.apply #map4()[%x]
        %yo = affine.apply #map4()[%y]
        %ax = memref.subview %a1[%xo, 0] [4, 8] [1, 1] : memref<8x8xf32, 1> to memref<4x8xf32, strided<[8, 1], offset: ?>, 1>
        %by = memref.subview %b1[0, %yo] [8, 4] [1, 1] : memref<8x8xf32, 1> to memref<8x4xf32, strided<[8, 1], offset: ?>, 1>
        %cxy = memref.subview %c1[%xo, %yo] [4, 4] [1, 1] : memref<8x8xf32, 1> to memref<4x4xf32, strided<[8, 1], offset: ?>, 1>
        %a2 = memref.alloc() : memref<4x8xf32, 2>
        %b2 = memref.alloc() : memref<8x4xf32, 2>
        %c2 = memref.alloc() : memref<4x4xf32, 2>
        memref.copy %ax, %a2 : memref<4x8xf32, strided<[8, 1], offset: ?>, 1> to memref<4x8xf32, 2>
        memref.copy %by, %b2 : memref<8x4xf32, strided<[8, 1], offset: ?>, 1> to memref<8x4xf32, 2>
        memref.copy %cxy, %c2 : memref<4x4xf32, strided<[8, 1], offset: ?>, 1> to memref<4x4xf32, 2>
        linalg.matmul ins(%a2, %b2 : memref<4x8xf32, 2>, memref<8x4xf32, 2>) outs(%c2 : memref<4x4xf32, 2>)
        memref.copy %c2, %cxy : memref<4x4xf32, 2> to memref<4x4xf32, strided<[8, 1], offset: ?>, 1>
      }
    }
    %c = memref.subview %C[%i, %j] [8, 8] [1, 1] : memref<16x16xf32> to memref<8x8xf32, strided<[16, 1], offset: ?>>
    memref.copy %c1, %c : memref<8x8xf32, 1> to memref<8x8xf32, strided<[16, 1], offset: ?>>
  }
  return
}

// CALL eltwise x=memref:64 y=memref:64 z=memref:64 -> z:64
func.func @eltwise(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>) {
  scf.forall (%i) in (4) {
    %o = affine.apply affine_map<(d0) -> (d0 * 16)>(%i)
    %xv = memref.subview %x[%o] [16] [1] : memref<64xf32> to memref<16xf32, strided<[1], offset: ?>>
    %yv = memref.subview %y[%o] [16] [1] : memref<64xf32> to memref<16xf32, strided<[1], offset: ?>>
    %zv = memref.subview %z[%o] [16] [1] : memref<64xf32> to memref<16xf32, strided<[1], offset: ?>>
    %x2 = memref.alloc() : memref<16xf32, 2>
    %y2 = memref.alloc() : memref<16xf32, 2>
    %z2 = memref.alloc() : memref<16xf32, 2>
    memref.copy %xv, %x2 : memref<16xf32, strided<[1], offset: ?>> to memref<16xf32, 2>
    memref.copy %yv, %y2 : memref<16xf32, strided<[1], offset: ?>> to memref<16xf32, 2>
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x2, %y2 : memref<16xf32, 2>, memref<16xf32, 2>) outs(%z2 : memref<16xf32, 2>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %p, %a : f32
      linalg.yield %s : f32
    }
    memref.copy %z2, %zv : memref<16xf32, 2> to memref<16xf32, strided<[1], offset: ?>>
  } {mapping = [#gpu.block<x>]}
  return
}

// A herd in the generic form: cores in parallel, with its operands as arguments.
// CALL herd A=memref:8x16 B=memref:16x8 C=memref:8x8 none -> C:8x8
func.func @herd(%A: memref<8x16xf32>, %B: memref<16x8xf32>, %C: memref<8x8xf32>) {
  %c2 = arith.constant 2 : index
  "air.herd"(%c2, %c2, %A, %B, %C) <{operandSegmentSizes = array<i32: 0, 2, 3>}> ({
  ^bb0(%x: index, %y: index, %sx: index, %sy: index, %a: memref<8x16xf32>, %b: memref<16x8xf32>, %c: memref<8x8xf32>):
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %xo = arith.muli %x, %c4 : index
    %yo = arith.muli %y, %c4 : index
    %a2 = memref.alloc() : memref<4x16xf32, 2>
    %b2 = memref.alloc() : memref<16x4xf32, 2>
    %c2_0 = memref.alloc() : memref<4x4xf32, 2>
    "air.dma_memcpy_nd"(%a2, %a, %xo, %c0, %c4, %c16, %c16, %c1) <{operandSegmentSizes = array<i32: 0, 1, 0, 0, 0, 1, 2, 2, 2>}> {id = 1 : i32} : (memref<4x16xf32, 2>, memref<8x16xf32>, index, index, index, index, index, index) -> ()
    "air.dma_memcpy_nd"(%b2, %b, %c0, %yo, %c16, %c4, %c8, %c1) <{operandSegmentSizes = array<i32: 0, 1, 0, 0, 0, 1, 2, 2, 2>}> {id = 2 : i32} : (memref<16x4xf32, 2>, memref<16x8xf32>, index, index, index, index, index, index) -> ()
    linalg.fill ins(%zero : f32) outs(%c2_0 : memref<4x4xf32, 2>)
    linalg.matmul ins(%a2, %b2 : memref<4x16xf32, 2>, memref<16x4xf32, 2>) outs(%c2_0 : memref<4x4xf32, 2>)
    "air.dma_memcpy_nd"(%c, %xo, %yo, %c4, %c4, %c8, %c1, %c2_0) <{operandSegmentSizes = array<i32: 0, 1, 2, 2, 2, 1, 0, 0, 0>}> {id = 3 : i32} : (memref<8x8xf32>, index, index, index, index, index, index, memref<4x4xf32, 2>) -> ()
    "air.herd_terminator"() : () -> ()
  }) {sym_name = "herd_0"} : (index, index, memref<8x16xf32>, memref<16x8xf32>, memref<8x8xf32>) -> ()
  return
}

// CALL vecadd_i32 x=memref:32:i32<40 y=memref:32:i32<9 z=memref:32:i32 -> z:32
func.func @vecadd_i32(%x: memref<32xi32>, %y: memref<32xi32>, %z: memref<32xi32>) {
  affine.for %i = 0 to 32 step 4 {
    %x2 = memref.alloca() : memref<4xi32, 2>
    affine.for %j = 0 to 4 {
      %a = affine.load %x[%i + %j] : memref<32xi32>
      affine.store %a, %x2[%j] : memref<4xi32, 2>
    }
    affine.for %j = 0 to 4 {
      %a = affine.load %x2[%j] : memref<4xi32, 2>
      %b = affine.load %y[%i + %j] : memref<32xi32>
      %s = arith.addi %a, %b : i32
      affine.store %s, %z[%i + %j] : memref<32xi32>
    }
  }
  return
}

// A convolution of a tile with its border, and a sum of two paths.
// CALL residual x=memref:1x6x6x4 k=memref:3x3x4x4 y=memref:1x4x4x4 -> y:1x4x4x4
func.func @residual(%x: memref<1x6x6x4xf32>, %k: memref<3x3x4x4xf32>, %y: memref<1x4x4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<1x4x4x4xf32>
  linalg.fill ins(%zero : f32) outs(%t : memref<1x4x4x4xf32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %k : memref<1x6x6x4xf32>, memref<3x3x4x4xf32>) outs(%t : memref<1x4x4x4xf32>)
  %in = memref.subview %x[0, 1, 1, 0] [1, 4, 4, 4] [1, 1, 1, 1] : memref<1x6x6x4xf32> to memref<1x4x4x4xf32, strided<[144, 24, 4, 1], offset: 28>>
  linalg.add ins(%t, %in : memref<1x4x4x4xf32>, memref<1x4x4x4xf32, strided<[144, 24, 4, 1], offset: 28>>) outs(%y : memref<1x4x4x4xf32>)
  return
}

// Column sums of tiles, and a view with fewer dimensions.
// CALL sums x=memref:4x4x8 y=memref:8 -> y:8
func.func @sums(%x: memref<4x4x8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %flat = memref.collapse_shape %x [[0, 1], [2]] : memref<4x4x8xf32> into memref<16x8xf32>
  scf.for %j = %c0 to %c8 step %c1 {
    %s = scf.parallel (%i) = (%c0) to (%c16) step (%c1) init (%zero) -> f32 {
      %v = memref.load %flat[%i, %j] : memref<16x8xf32>
      scf.reduce(%v : f32) {
      ^bb0(%a: f32, %b: f32):
        %q = arith.addf %a, %b : f32
        scf.reduce.return %q : f32
      }
    }
    memref.store %s, %y[%j] : memref<8xf32>
  }
  return
}
