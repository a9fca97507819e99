// Sums in branches.

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
