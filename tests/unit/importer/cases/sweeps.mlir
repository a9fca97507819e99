// Sweeps over time: an iteration reads what the one before wrote, and its own elements in place.
func.func @jacobi_time(%A: memref<10xf32>, %B: memref<10xf32>) {
  %t = arith.constant 0.33333 : f32
  affine.for %s = 0 to 4 {
    affine.for %i = 1 to 9 {
      %a = affine.load %A[%i - 1] : memref<10xf32>
      %b = affine.load %A[%i] : memref<10xf32>
      %c = affine.load %A[%i + 1] : memref<10xf32>
      %d = arith.addf %a, %b : f32
      %e = arith.addf %d, %c : f32
      %f = arith.mulf %e, %t : f32
      affine.store %f, %B[%i] : memref<10xf32>
    }
    affine.for %i = 1 to 9 {
      %a = affine.load %B[%i - 1] : memref<10xf32>
      %b = affine.load %B[%i] : memref<10xf32>
      %c = affine.load %B[%i + 1] : memref<10xf32>
      %d = arith.addf %a, %b : f32
      %e = arith.addf %d, %c : f32
      %f = arith.mulf %e, %t : f32
      affine.store %f, %A[%i] : memref<10xf32>
    }
  }
  return
}
func.func @seidel_t(%A: memref<8x8xf32>) {
  %q = arith.constant 0.25 : f32
  affine.for %t = 0 to 3 {
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
  }
  return
}
func.func @heat_alloc(%A: memref<10xf32>, %B: memref<10xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %q = arith.constant 0.5 : f32
  scf.for %t = %c0 to %c3 step %c1 {
    scf.for %i = %c1 to %c9 step %c1 {
      %m = arith.subi %i, %c1 : index
      %p = arith.addi %i, %c1 : index
      %a = memref.load %A[%m] : memref<10xf32>
      %b = memref.load %A[%p] : memref<10xf32>
      %s = arith.addf %a, %b : f32
      %h = arith.mulf %s, %q : f32
      memref.store %h, %B[%i] : memref<10xf32>
    }
    scf.for %i = %c1 to %c9 step %c1 {
      %b = memref.load %B[%i] : memref<10xf32>
      memref.store %b, %A[%i] : memref<10xf32>
    }
  }
  return
}
func.func @waves(%e: memref<8xf32>, %h: memref<8xf32>) {
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  affine.for %t = 0 to 3 {
    affine.store %one, %e[0] : memref<8xf32>
    affine.for %i = 1 to 8 {
      %0 = affine.load %e[%i] : memref<8xf32>
      %1 = affine.load %h[%i] : memref<8xf32>
      %2 = affine.load %h[%i - 1] : memref<8xf32>
      %3 = arith.subf %1, %2 : f32
      %4 = arith.mulf %3, %half : f32
      %5 = arith.subf %0, %4 : f32
      affine.store %5, %e[%i] : memref<8xf32>
    }
    affine.for %i = 0 to 7 {
      %0 = affine.load %h[%i] : memref<8xf32>
      %1 = affine.load %e[%i + 1] : memref<8xf32>
      %2 = affine.load %e[%i] : memref<8xf32>
      %3 = arith.subf %1, %2 : f32
      %4 = arith.mulf %3, %half : f32
      %5 = arith.subf %0, %4 : f32
      affine.store %5, %h[%i] : memref<8xf32>
    }
  }
  return
}
