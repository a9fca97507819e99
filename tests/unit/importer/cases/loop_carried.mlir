// Loops that carry values from iteration to iteration.
func.func @prefix(%x: memref<12xf32>, %y: memref<12xf32>) {
  %zero = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to 12 iter_args(%s = %zero) -> (f32) {
    %v = affine.load %x[%i] : memref<12xf32>
    %n = arith.addf %s, %v : f32
    affine.store %n, %y[%i] : memref<12xf32>
    affine.yield %n : f32
  }
  return
}
func.func @online(%x: memref<6x10xf32>, %y: memref<6xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %c6 step %c1 {
    %r:2 = scf.for %j = %c0 to %c10 step %c1 iter_args(%m = %low, %l = %zero) -> (f32, f32) {
      %v = memref.load %x[%i, %j] : memref<6x10xf32>
      %n = arith.maximumf %m, %v : f32
      %a = arith.subf %m, %n : f32
      %b = math.exp %a : f32
      %c = arith.mulf %l, %b : f32
      %d = arith.subf %v, %n : f32
      %e = math.exp %d : f32
      %f = arith.addf %c, %e : f32
      scf.yield %n, %f : f32, f32
    }
    %g = math.log %r#1 : f32
    %h = arith.addf %g, %r#0 : f32
    memref.store %h, %y[%i] : memref<6xf32>
  }
  return
}
func.func @recurrent(%W: tensor<8x8xf32>, %X: tensor<5x8xf32>, %h0: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %r = scf.for %t = %c0 to %c5 step %c1 iter_args(%h = %h0) -> (tensor<8xf32>) {
    %x = tensor.extract_slice %X[%t, 0] [1, 8] [1, 1] : tensor<5x8xf32> to tensor<8xf32>
    %p = linalg.matvec ins(%W, %h : tensor<8x8xf32>, tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
    %n = math.tanh %p : tensor<8xf32>
    scf.yield %n : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
func.func @triangle(%A: memref<9x9xf32>, %y: memref<9xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 9 {
    %s = affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) iter_args(%a = %zero) -> (f32) {
      %v = affine.load %A[%i, %j] : memref<9x9xf32>
      %n = arith.addf %a, %v : f32
      affine.yield %n : f32
    }
    affine.store %s, %y[%i] : memref<9xf32>
  }
  return
}
