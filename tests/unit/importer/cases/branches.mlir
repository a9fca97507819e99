// Branches that choose values, conditions on loops, and calls.
func.func private @scaled(%x: tensor<6x8xf32>, %a: f32) -> tensor<6x8xf32> {
  %e = tensor.empty() : tensor<6x8xf32>
  %s = linalg.fill ins(%a : f32) outs(%e : tensor<6x8xf32>) -> tensor<6x8xf32>
  %r = arith.mulf %x, %s : tensor<6x8xf32>
  return %r : tensor<6x8xf32>
}
func.func @twice(%x: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %a = func.call @scaled(%x, %two) : (tensor<6x8xf32>, f32) -> tensor<6x8xf32>
  %b = func.call @scaled(%a, %three) : (tensor<6x8xf32>, f32) -> tensor<6x8xf32>
  %c = arith.addf %a, %b : tensor<6x8xf32>
  return %c : tensor<6x8xf32>
}
func.func @border(%x: memref<8x8xf32>, %y: memref<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %v = affine.if affine_set<(d0, d1) : (d0 - 1 >= 0, d1 - 1 >= 0)>(%i, %j) -> f32 {
        %a = affine.load %x[%i - 1, %j - 1] : memref<8x8xf32>
        affine.yield %a : f32
      } else {
        affine.yield %zero : f32
      }
      affine.store %v, %y[%i, %j] : memref<8x8xf32>
    }
  }
  return
}
func.func @clamped(%x: memref<10xf32>, %y: memref<10xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %c10 step %c1 {
    %v = memref.load %x[%i] : memref<10xf32>
    %p = arith.cmpf ogt, %v, %zero : f32
    %q = arith.cmpf olt, %v, %one : f32
    %b = arith.andi %p, %q : i1
    %w = scf.if %b -> (f32) {
      %t = math.fma %v, %v, %one : f32
      scf.yield %t : f32
    } else {
      %t = arith.negf %v : f32
      scf.yield %t : f32
    }
    memref.store %w, %y[%i] : memref<10xf32>
  }
  return
}
func.func @lower(%x: memref<6x6xf32>, %y: memref<6x6xf32>) {
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 6 {
      affine.if affine_set<(d0, d1) : (d0 - d1 >= 0)>(%i, %j) {
        %a = affine.load %x[%i, %j] : memref<6x6xf32>
        affine.store %a, %y[%i, %j] : memref<6x6xf32>
      }
    }
  }
  return
}
