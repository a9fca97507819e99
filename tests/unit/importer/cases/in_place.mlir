// Tensors that loops read and write: a sweep in place, a triangular solve, and sums of parallel
// loops.
func.func @seidel(%A: memref<8x8xf32>) {
  %q = arith.constant 0.25 : f32
  affine.for %i = 1 to 7 {
    affine.for %j = 1 to 7 {
      %a = affine.load %A[%i - 1, %j] : memref<8x8xf32>
      %b = affine.load %A[%i, %j - 1] : memref<8x8xf32>
      %c = affine.load %A[%i, %j + 1] : memref<8x8xf32>
      %d = affine.load %A[%i + 1, %j] : memref<8x8xf32>
      %e = arith.addf %a, %b : f32
      %f = arith.addf %c, %d : f32
      %g = arith.addf %e, %f : f32
      %h = arith.mulf %g, %q : f32
      affine.store %h, %A[%i, %j] : memref<8x8xf32>
    }
  }
  return
}
func.func @trisolv(%L: memref<8x8xf32>, %x: memref<8xf32>, %b: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %0 = affine.load %b[%i] : memref<8xf32>
    affine.store %0, %x[%i] : memref<8xf32>
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %1 = affine.load %L[%i, %j] : memref<8x8xf32>
      %2 = affine.load %x[%j] : memref<8xf32>
      %3 = arith.mulf %1, %2 : f32
      %4 = affine.load %x[%i] : memref<8xf32>
      %5 = arith.subf %4, %3 : f32
      affine.store %5, %x[%i] : memref<8xf32>
    }
    %6 = affine.load %x[%i] : memref<8xf32>
    %7 = affine.load %L[%i, %i] : memref<8x8xf32>
    %8 = arith.divf %6, %7 : f32
    affine.store %8, %x[%i] : memref<8xf32>
  }
  return
}
func.func @par_reduce(%x: memref<8x4xf32>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0.0 : f32
  scf.parallel (%j) = (%c0) to (%c4) step (%c1) {
    %s = scf.parallel (%i) = (%c0) to (%c8) step (%c1) init (%z) -> f32 {
      %v = memref.load %x[%i, %j] : memref<8x4xf32>
      scf.reduce(%v : f32) {
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        scf.reduce.return %c : f32
      }
    }
    memref.store %s, %y[%j] : memref<4xf32>
    scf.reduce
  }
  return
}
func.func @affine_par_reduce(%x: memref<8x4xf32>, %y: memref<4xf32>) {
  affine.parallel (%j) = (0) to (4) {
    %s = affine.parallel (%i) = (0) to (8) reduce ("addf") -> f32 {
      %v = affine.load %x[%i, %j] : memref<8x4xf32>
      affine.yield %v : f32
    }
    affine.store %s, %y[%j] : memref<4xf32>
  }
  return
}
func.func @temp_buffer(%x: memref<8x8xf32>, %y: memref<8xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 8 {
    %t = memref.alloca() : memref<8xf32>
    affine.for %j = 0 to 8 {
      %v = affine.load %x[%i, %j] : memref<8x8xf32>
      %w = math.exp %v : f32
      affine.store %w, %t[%j] : memref<8xf32>
    }
    affine.store %z, %y[%i] : memref<8xf32>
    affine.for %j = 0 to 8 {
      %v = affine.load %t[%j] : memref<8xf32>
      %o = affine.load %y[%i] : memref<8xf32>
      %a = arith.addf %o, %v : f32
      affine.store %a, %y[%i] : memref<8xf32>
    }
  }
  return
}
func.func @shifted(%a: memref<8xf32>, %b: memref<8xf32>) {
  affine.for %i = 0 to 7 {
    %x = affine.load %a[%i + 1] : memref<8xf32>
    affine.store %x, %a[%i] : memref<8xf32>
    %y = affine.load %a[%i + 1] : memref<8xf32>
    affine.store %y, %b[%i] : memref<8xf32>
  }
  return
}
func.func @two_sums(%a: memref<8x4xf32>, %b: memref<8xf32>, %s: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 4 {
      %x = affine.load %a[%i, %j] : memref<8x4xf32>
      %0 = affine.load %s[%i] : memref<8xf32>
      %1 = arith.addf %0, %x : f32
      affine.store %1, %s[%i] : memref<8xf32>
      %2 = affine.load %s[%i] : memref<8xf32>
      %y = affine.load %b[%i] : memref<8xf32>
      %3 = arith.addf %2, %y : f32
      affine.store %3, %s[%i] : memref<8xf32>
    }
  }
  return
}

func.func @masked_tail(%a: memref<5x6xf32>, %b: memref<6x11xf32>, %c: memref<5x11xf32>) {
  %c11 = arith.constant 11 : index
  %zero = arith.constant 0.0 : f32
    affine.for %j = 0 to 11 step 8 {
      %left = arith.subi %c11, %j : index
      %mask = vector.create_mask %left : vector<8xi1>
      affine.for %i = 0 to 5 {
        affine.for %k = 0 to 6 {
          %e = memref.load %a[%i, %k] : memref<5x6xf32>
          %xv = vector.broadcast %e : f32 to vector<8xf32>
          %bv = vector.transfer_read %b[%k, %j], %zero, %mask : memref<6x11xf32>, vector<8xf32>
          %cv = vector.transfer_read %c[%i, %j], %zero, %mask : memref<5x11xf32>, vector<8xf32>
          %f = vector.fma %xv, %bv, %cv : vector<8xf32>
          vector.transfer_write %f, %c[%i, %j], %mask : vector<8xf32>, memref<5x11xf32>
        }
      }
    }
  return
}
