// Branches with another side, loops that test a condition, products of later releases.
#inside = affine_set<(d0, d1) : (d0 - 1 >= 0, d1 - 1 >= 0, 6 - d0 >= 0, 6 - d1 >= 0)>
#diagonal = affine_set<(d0, d1) : (d0 - d1 == 0)>

// A border that is copied: the side on which one of four conditions does not hold.
// CALL bordered x=memref:8x8 y=memref:8x8 -> y:8x8
func.func @bordered(%x: memref<8x8xf32>, %y: memref<8x8xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      affine.if #inside(%i, %j) {
        %above = affine.load %x[%i - 1, %j] : memref<8x8xf32>
        %below = affine.load %x[%i + 1, %j] : memref<8x8xf32>
        %both = arith.addf %above, %below : f32
        affine.store %both, %y[%i, %j] : memref<8x8xf32>
      } else {
        %own = affine.load %x[%i, %j] : memref<8x8xf32>
        affine.store %own, %y[%i, %j] : memref<8x8xf32>
      }
    }
  }
  return
}

// The side of an equation that does not hold, with a sum.
// CALL off_diagonal x=memref:6x6 y=memref:6 -> y:6
func.func @off_diagonal(%x: memref<6x6xf32>, %y: memref<6xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 6 {
    affine.store %zero, %y[%i] : memref<6xf32>
    affine.for %j = 0 to 6 {
      affine.if #diagonal(%i, %j) {
        %sum = affine.load %y[%i] : memref<6xf32>
        %own = affine.load %x[%i, %j] : memref<6x6xf32>
        %less = arith.subf %sum, %own : f32
        affine.store %less, %y[%i] : memref<6xf32>
      } else {
        %sum = affine.load %y[%i] : memref<6xf32>
        %own = affine.load %x[%i, %j] : memref<6x6xf32>
        %more = arith.addf %sum, %own : f32
        affine.store %more, %y[%i] : memref<6xf32>
      }
    }
  }
  return
}

// A loop that tests a condition, and carries a sum.
// CALL column_sums x=memref:8x6 y=memref:6 -> y:6
func.func @column_sums(%x: memref<8x6xf32>, %y: memref<6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  scf.for %j = %c0 to %c6 step %c1 {
    %sums:2 = scf.while (%i = %c0, %s = %zero) : (index, f32) -> (index, f32) {
      %goes = arith.cmpi slt, %i, %c8 : index
      scf.condition(%goes) %i, %s : index, f32
    } do {
    ^bb0(%i: index, %s: f32):
      %one = memref.load %x[%i, %j] : memref<8x6xf32>
      %more = arith.addf %s, %one : f32
      %next = arith.addi %i, %c1 : index
      scf.yield %next, %more : index, f32
    }
    memref.store %sums#1, %y[%j] : memref<6xf32>
  }
  return
}

// Two of them, up to an argument and by steps of two.
// CALL squares x=memref:8x6 y=memref:8x6 n=i32=7 -> y:8x6
func.func @squares(%x: memref<8x6xf32>, %y: memref<8x6xf32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c6 = arith.constant 6 : i32
  %last = scf.while (%i = %c1) : (i32) -> i32 {
    %goes = arith.cmpi slt, %i, %n : i32
    scf.condition(%goes) %i : i32
  } do {
  ^bb0(%i: i32):
    %row = arith.index_cast %i : i32 to index
    %end = scf.while (%j = %c0) : (i32) -> i32 {
      %goes = arith.cmpi slt, %j, %c6 : i32
      scf.condition(%goes) %j : i32
    } do {
    ^bb0(%j: i32):
      %column = arith.index_cast %j : i32 to index
      %v = memref.load %x[%row, %column] : memref<8x6xf32>
      %w = arith.mulf %v, %v : f32
      memref.store %w, %y[%row, %column] : memref<8x6xf32>
      %next = arith.addi %j, %c2 : i32
      scf.yield %next : i32
    }
    %next = arith.addi %i, %c1 : i32
    scf.yield %next : i32
  }
  return
}

// Products with maps of their own, which replace the transposed ones.
// CALL turned_product a=tensor:16x8 b=tensor:6x16 -> 8x6
func.func @turned_product(%a: tensor<16x8xf32>, %b: tensor<6x16xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %none = tensor.empty() : tensor<8x6xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%none : tensor<8x6xf32>) -> tensor<8x6xf32>
  %c = linalg.matmul
      indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>,
                       affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<16x8xf32>, tensor<6x16xf32>)
      outs(%zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// CALL turned_batch a=tensor:2x4x6 b=tensor:5x6 c=tensor:2x4x5 -> 2x4x5
func.func @turned_batch(%a: tensor<2x4x6xf32>, %b: tensor<5x6xf32>, %c: tensor<2x4x5xf32>) -> tensor<2x4x5xf32> {
  %d = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%a, %b : tensor<2x4x6xf32>, tensor<5x6xf32>) outs(%c : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return %d : tensor<2x4x5xf32>
}

// Two dimensions that are joined and split again, of sizes that are arguments.
// CALL joined_rows x=tensor:2x5x8 w=tensor:8x6 x_0=set=2 x_1=set=5 none -> 2x5x6
func.func @joined_rows(%x: tensor<?x?x8xf32>, %w: tensor<8x6xf32>) -> tensor<?x?x6xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %b = tensor.dim %x, %c0 : tensor<?x?x8xf32>
  %s = tensor.dim %x, %c1 : tensor<?x?x8xf32>
  %rows = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x?x8xf32> into tensor<?x8xf32>
  %n = arith.muli %b, %s : index
  %none = tensor.empty(%n) : tensor<?x6xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%none : tensor<?x6xf32>) -> tensor<?x6xf32>
  %y = linalg.matmul ins(%rows, %w : tensor<?x8xf32>, tensor<8x6xf32>) outs(%zeros : tensor<?x6xf32>) -> tensor<?x6xf32>
  %r = tensor.expand_shape %y [[0, 1], [2]] output_shape [%b, %s, 6] : tensor<?x6xf32> into tensor<?x?x6xf32>
  return %r : tensor<?x?x6xf32>
}

// Two sums over one loop, of which the condition limits the first.
// CALL limited_sum x=memref:6x6 y=memref:6 -> y:6
func.func @limited_sum(%x: memref<6x6xf32>, %y: memref<6xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 6 {
    affine.store %zero, %y[%i] : memref<6xf32>
    affine.for %j = 0 to 6 {
      affine.if affine_set<(d0, d1) : (d0 - d1 >= 0)>(%i, %j) {
        %sum = affine.load %y[%i] : memref<6xf32>
        %own = affine.load %x[%i, %j] : memref<6x6xf32>
        %less = arith.subf %sum, %own : f32
        affine.store %less, %y[%i] : memref<6xf32>
      }
      %sum = affine.load %y[%i] : memref<6xf32>
      %own = affine.load %x[%i, 5 - %j] : memref<6x6xf32>
      %more = arith.addf %sum, %own : f32
      affine.store %more, %y[%i] : memref<6xf32>
    }
  }
  return
}

// A sum up to the diagonal, then a maximum behind it, in the two branches of one loop.
// CALL sum_then_max x=memref:6x6 y=memref:6 -> y:6
func.func @sum_then_max(%x: memref<6x6xf32>, %y: memref<6xf32>) {
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 6 {
      affine.if affine_set<(d0, d1) : (d0 - d1 >= 0)>(%i, %j) {
        %sum = affine.load %y[%i] : memref<6xf32>
        %own = affine.load %x[%i, %j] : memref<6x6xf32>
        %less = arith.subf %sum, %own : f32
        affine.store %less, %y[%i] : memref<6xf32>
      } else {
        %sum = affine.load %y[%i] : memref<6xf32>
        %own = affine.load %x[%i, %j] : memref<6x6xf32>
        %most = arith.maximumf %sum, %own : f32
        affine.store %most, %y[%i] : memref<6xf32>
      }
    }
  }
  return
}

// A loop in tiles writes what another one reads element by element, and the last tile is smaller.
// CALL tiled_then_whole x=memref:10x6 t=memref:10 y=memref:10 -> y:10
func.func @tiled_then_whole(%x: memref<10x6xf32>, %t: memref<10xf32>, %y: memref<10xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %b = 0 to 10 step 4 {
    affine.for %i = affine_map<(d0) -> (d0)>(%b) to min affine_map<(d0) -> (d0 + 4, 10)>(%b) {
      affine.store %zero, %t[%i] : memref<10xf32>
      affine.for %j = 0 to 6 {
        %sum = affine.load %t[%i] : memref<10xf32>
        %own = affine.load %x[%i, %j] : memref<10x6xf32>
        %more = arith.addf %sum, %own : f32
        affine.store %more, %t[%i] : memref<10xf32>
      }
    }
  }
  affine.for %i = 1 to 10 {
    %before = affine.load %t[%i - 1] : memref<10xf32>
    %own = affine.load %t[%i] : memref<10xf32>
    %both = arith.addf %before, %own : f32
    affine.store %both, %y[%i] : memref<10xf32>
    affine.store %before, %t[%i - 1] : memref<10xf32>
  }
  return
}

// A sweep by vectors, between elements that stay.
// CALL sweep_by_vectors a=memref:10 b=memref:10 -> a:10
func.func @sweep_by_vectors(%a: memref<10xf32>, %b: memref<10xf32>) {
  affine.for %t = 0 to 3 {
    affine.for %i = 1 to 9 step 4 {
      %left = vector.load %a[%i] : memref<10xf32>, vector<4xf32>
      %sum = arith.addf %left, %left : vector<4xf32>
      vector.store %sum, %b[%i] : memref<10xf32>, vector<4xf32>
    }
    affine.for %i = 1 to 9 {
      %l = affine.load %b[%i - 1] : memref<10xf32>
      %r = affine.load %b[%i + 1] : memref<10xf32>
      %s = arith.addf %l, %r : f32
      affine.store %s, %a[%i] : memref<10xf32>
    }
  }
  return
}

// A product of which two rows are computed at once, and added to what a transposed one needs.
// CALL two_rows a=memref:6x5 x=memref:5 t=memref:6 y=memref:5 -> y:5
func.func @two_rows(%a: memref<6x5xf32>, %x: memref<5xf32>, %t: memref<6xf32>, %y: memref<5xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 6 step 2 {
    affine.store %zero, %t[%i] : memref<6xf32>
    affine.store %zero, %t[%i + 1] : memref<6xf32>
    affine.for %j = 0 to 5 {
      %v = affine.load %x[%j] : memref<5xf32>
      %a0 = affine.load %a[%i, %j] : memref<6x5xf32>
      %p0 = arith.mulf %a0, %v : f32
      %t0 = affine.load %t[%i] : memref<6xf32>
      %s0 = arith.addf %t0, %p0 : f32
      affine.store %s0, %t[%i] : memref<6xf32>
      %a1 = affine.load %a[%i + 1, %j] : memref<6x5xf32>
      %p1 = arith.mulf %a1, %v : f32
      %t1 = affine.load %t[%i + 1] : memref<6xf32>
      %s1 = arith.addf %t1, %p1 : f32
      affine.store %s1, %t[%i + 1] : memref<6xf32>
    }
  }
  affine.for %j = 0 to 5 {
    affine.for %i = 0 to 6 {
      %own = affine.load %a[%i, %j] : memref<6x5xf32>
      %of = affine.load %t[%i] : memref<6xf32>
      %p = arith.mulf %own, %of : f32
      %sum = affine.load %y[%j] : memref<5xf32>
      %more = arith.addf %sum, %p : f32
      affine.store %more, %y[%j] : memref<5xf32>
    }
  }
  return
}

// A buffer of two rows that take turns, filled from a copy.
// CALL two_row_buffer x=memref:8x6 y=memref:8x6 -> y:8x6
func.func @two_row_buffer(%x: memref<8x6xf32>, %y: memref<8x6xf32>) {
  %rows = memref.alloc() : memref<2x6xf32>
  %copy = memref.alloc() : memref<8x6xf32>
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 6 {
      %v = affine.load %x[%i, %j] : memref<8x6xf32>
      affine.store %v, %rows[%i mod 2, %j] : memref<2x6xf32>
    }
    affine.for %j = 0 to 6 {
      %v = affine.load %rows[%i mod 2, %j] : memref<2x6xf32>
      affine.store %v, %copy[%i, %j] : memref<8x6xf32>
    }
  }
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 6 {
      %v = affine.load %copy[%i, %j] : memref<8x6xf32>
      %w = arith.negf %v : f32
      affine.store %w, %y[%i, %j] : memref<8x6xf32>
    }
  }
  return
}

// A slice between elements that stay.
// CALL strided_insert a=tensor:4x6 b=tensor:2x3 -> 4x6
func.func @strided_insert(%a: tensor<4x6xf32>, %b: tensor<2x3xf32>) -> tensor<4x6xf32> {
  %s = tensor.extract_slice %a[1, 0] [2, 3] [1, 2] : tensor<4x6xf32> to tensor<2x3xf32>
  %e = tensor.empty() : tensor<2x3xf32>
  %m = linalg.mul ins(%s, %b : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  %r = tensor.insert_slice %m into %a[1, 0] [2, 3] [1, 2] : tensor<2x3xf32> into tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// A difference under a condition, then a factor, in every iteration.
// CALL subtract_then_scale x=memref:6x6 y=memref:6 -> y:6
func.func @subtract_then_scale(%x: memref<6x6xf32>, %y: memref<6xf32>) {
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 6 {
      affine.if affine_set<(r, c) : (r - c >= 0)>(%i, %j) {
        %old = affine.load %y[%i] : memref<6xf32>
        %v = affine.load %x[%i, %j] : memref<6x6xf32>
        %new = arith.subf %old, %v : f32
        affine.store %new, %y[%i] : memref<6xf32>
      }
      %was = affine.load %y[%i] : memref<6xf32>
      %w = affine.load %x[%i, 5 - %j] : memref<6x6xf32>
      %scaled = arith.mulf %was, %w : f32
      affine.store %scaled, %y[%i] : memref<6xf32>
    }
  }
  return
}

// Each part of a loop does something else with what the one before left.
// CALL by_turns x=memref:4x4 a=memref:4 -> a:4
func.func @by_turns(%x: memref<4x4xf32>, %a: memref<4xf32>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      affine.if affine_set<(c) : (1 - c >= 0)>(%j) {
        %v = affine.load %x[%i, %j] : memref<4x4xf32>
        affine.store %v, %a[%i] : memref<4xf32>
      }
      affine.if affine_set<(c) : (c - 2 == 0)>(%j) {
        %old = affine.load %a[%i] : memref<4xf32>
        %v = affine.load %x[%i, %j] : memref<4x4xf32>
        %new = arith.subf %old, %v : f32
        affine.store %new, %a[%i] : memref<4xf32>
      }
      affine.if affine_set<(c) : (c - 3 == 0)>(%j) {
        %old = affine.load %a[%i] : memref<4xf32>
        %v = affine.load %x[%i, %j] : memref<4x4xf32>
        %new = arith.mulf %old, %v : f32
        affine.store %new, %a[%i] : memref<4xf32>
      }
    }
  }
  return
}
