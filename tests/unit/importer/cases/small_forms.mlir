// Small functions, each in another form.
func.func @gemm(%A: memref<8x12xf32>, %B: memref<12x16xf32>, %C: memref<8x16xf32>) {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%C : memref<8x16xf32>)
  linalg.matmul ins(%A, %B : memref<8x12xf32>, memref<12x16xf32>) outs(%C : memref<8x16xf32>)
  return
}
func.func @acc(%A: memref<8x12xf32>, %B: memref<12x16xf32>, %C: memref<8x16xf32>) {
  linalg.matmul ins(%A, %B : memref<8x12xf32>, memref<12x16xf32>) outs(%C : memref<8x16xf32>)
  return
}
func.func @dot(%x: memref<64xf32>, %y: memref<64xf32>, %r: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<64xf32>
  %z = arith.constant 0.0 : f32
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> f32 {
    %p = memref.load %x[%i] : memref<64xf32>
    %q = memref.load %y[%i] : memref<64xf32>
    %m = arith.mulf %p, %q : f32
    %t = arith.addf %a, %m : f32
    scf.yield %t : f32
  }
  memref.store %s, %r[] : memref<f32>
  return
}
func.func @batch(%A: tensor<4x8x12xf16>, %B: tensor<4x12x16xf16>) -> tensor<4x8x16xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  %r = linalg.batch_matmul ins(%A, %B : tensor<4x8x12xf16>, tensor<4x12x16xf16>) outs(%f : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  return %r : tensor<4x8x16xf32>
}
func.func @transposed(%A: tensor<8x12xf32>) -> tensor<12x8xf32> {
  %e = tensor.empty() : tensor<12x8xf32>
  %t = linalg.transpose ins(%A : tensor<8x12xf32>) outs(%e : tensor<12x8xf32>) permutation = [1, 0]
  return %t : tensor<12x8xf32>
}
func.func @pool(%I: tensor<1x8x8x4xf32>, %w: tensor<2x2xf32>) -> tensor<1x4x4x4xf32> {
  %low = arith.constant -3.40282347E+38 : f32
  %e = tensor.empty() : tensor<1x4x4x4xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %p = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%I, %w : tensor<1x8x8x4xf32>, tensor<2x2xf32>) outs(%f : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %p : tensor<1x4x4x4xf32>
}
func.func @gelu(%X: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %half = arith.constant dense<0.5> : tensor<4x16xf32>
  %one = arith.constant dense<1.0> : tensor<4x16xf32>
  %r = arith.constant dense<0.70710677> : tensor<4x16xf32>
  %a = arith.mulf %X, %r : tensor<4x16xf32>
  %b = math.erf %a : tensor<4x16xf32>
  %c = arith.addf %b, %one : tensor<4x16xf32>
  %d = arith.mulf %X, %half : tensor<4x16xf32>
  %e = arith.mulf %d, %c : tensor<4x16xf32>
  return %e : tensor<4x16xf32>
}
func.func @jacobi(%A: memref<10x10xf32>, %B: memref<10x10xf32>) {
  %fifth = arith.constant 0.2 : f32
  affine.for %i = 1 to 9 {
    affine.for %j = 1 to 9 {
      %a = affine.load %A[%i, %j] : memref<10x10xf32>
      %b = affine.load %A[%i, %j - 1] : memref<10x10xf32>
      %c = affine.load %A[%i, %j + 1] : memref<10x10xf32>
      %d = affine.load %A[%i + 1, %j] : memref<10x10xf32>
      %e = affine.load %A[%i - 1, %j] : memref<10x10xf32>
      %s1 = arith.addf %a, %b : f32
      %s2 = arith.addf %s1, %c : f32
      %s3 = arith.addf %s2, %d : f32
      %s4 = arith.addf %s3, %e : f32
      %v = arith.mulf %fifth, %s4 : f32
      affine.store %v, %B[%i, %j] : memref<10x10xf32>
    }
  }
  return
}
