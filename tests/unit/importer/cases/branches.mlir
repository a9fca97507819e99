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
#first = affine_set<(d0) : (d0 - 3 >= 0)>
#below = affine_set<(d0, d1) : (d0 - d1 >= 0)>
func.func @kept_local(%x: memref<6x6xf32>, %y: memref<6x6xf32>) {
  %z = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<6x6xf32>
  linalg.fill ins(%z : f32) outs(%t : memref<6x6xf32>)
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 6 {
      affine.if #below(%i, %j) {
        %a = affine.load %x[%i, %j] : memref<6x6xf32>
        affine.store %a, %t[%i, %j] : memref<6x6xf32>
      }
    }
  }
  memref.copy %t, %y : memref<6x6xf32> to memref<6x6xf32>
  return
}
func.func @kept_written(%x: memref<6xf32>, %y: memref<6xf32>) {
  %two = arith.constant 2.0 : f32
  affine.for %i = 0 to 6 {
    affine.store %two, %y[%i] : memref<6xf32>
  }
  affine.for %i = 0 to 6 {
    affine.if #first(%i) {
      %a = affine.load %x[%i] : memref<6xf32>
      affine.store %a, %y[%i] : memref<6xf32>
    }
  }
  return
}
func.func @filled_if(%x: memref<6x4xf32>, %y: memref<6x4xf32>) {
  %two = arith.constant 2.0 : f32
  affine.for %i = 0 to 6 {
    %t = memref.alloc() : memref<4xf32>
    affine.for %j = 0 to 4 {
      %a = affine.load %x[%i, %j] : memref<6x4xf32>
      affine.store %a, %t[%j] : memref<4xf32>
    }
    affine.if #first(%i) {
      linalg.fill ins(%two : f32) outs(%t : memref<4xf32>)
    }
    affine.for %j = 0 to 4 {
      %a = affine.load %t[%j] : memref<4xf32>
      affine.store %a, %y[%i, %j] : memref<6x4xf32>
    }
  }
  return
}
func.func @copied_if(%x: memref<6x4xf32>, %y: memref<6x4xf32>) {
  %two = arith.constant 2.0 : f32
  affine.for %i = 0 to 6 {
    %t = memref.alloc() : memref<4xf32>
    %s = memref.alloc() : memref<4xf32>
    linalg.fill ins(%two : f32) outs(%t : memref<4xf32>)
    affine.for %j = 0 to 4 {
      %a = affine.load %x[%i, %j] : memref<6x4xf32>
      affine.store %a, %s[%j] : memref<4xf32>
    }
    affine.if #first(%i) {
      memref.copy %s, %t : memref<4xf32> to memref<4xf32>
    }
    affine.for %j = 0 to 4 {
      %a = affine.load %t[%j] : memref<4xf32>
      affine.store %a, %y[%i, %j] : memref<6x4xf32>
    }
  }
  return
}
func.func @either(%x: memref<6x6xf32>, %y: memref<6x6xf32>) {
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 6 {
      %a = affine.load %x[%i, %j] : memref<6x6xf32>
      affine.if #below(%i, %j) {
        affine.store %a, %y[%i, %j] : memref<6x6xf32>
      } else {
        %n = arith.negf %a : f32
        affine.store %n, %y[%i, %j] : memref<6x6xf32>
      }
    }
  }
  return
}
func.func @kept_triangle(%x: memref<6x6xf32>, %y: memref<6x6xf32>) {
  %two = arith.constant 2.0 : f32
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 6 {
      affine.store %two, %y[%i, %j] : memref<6x6xf32>
    }
  }
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %a = affine.load %x[%i, %j] : memref<6x6xf32>
      affine.store %a, %y[%i, %j] : memref<6x6xf32>
    }
  }
  return
}
