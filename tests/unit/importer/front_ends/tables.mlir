// Tables of constants, in tensors, vectors and memory of the module.
#row = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

// CALL offsets x=tensor:4x3 -> 4x3
func.func @offsets(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %b = arith.constant dense<[0.5, 1.5, -2.0]> : tensor<3xf32>
  %e = tensor.empty() : tensor<4x3xf32>
  %r = linalg.generic {indexing_maps = [#row, #column, #row], iterator_types = ["parallel", "parallel"]} ins(%x, %b : tensor<4x3xf32>, tensor<3xf32>) outs(%e : tensor<4x3xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %s = arith.addf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// CALL edges x=tensor:1x6x6x1 -> 1x4x4x1
func.func @edges(%x: tensor<1x6x6x1xf32>) -> tensor<1x4x4x1xf32> {
  %k = arith.constant dense<[[[[-1.0]], [[0.0]], [[1.0]]], [[[-2.0]], [[0.0]], [[2.0]]], [[[-1.0]], [[0.0]], [[1.0]]]]> : tensor<3x3x1x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x4x4x1xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %k : tensor<1x6x6x1xf32>, tensor<3x3x1x1xf32>) outs(%z : tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xf32>
  return %r : tensor<1x4x4x1xf32>
}

// CALL weighted x=memref:4x4 y=memref:4x4 -> y:4x4
func.func @weighted(%x: memref<4x4xf32>, %y: memref<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %w = arith.constant dense<[1.0, 0.5, 0.25, 0.125]> : vector<4xf32>
  affine.for %i = 0 to 4 {
    %v = vector.load %x[%i, %c0] : memref<4x4xf32>, vector<4xf32>
    %p = arith.mulf %v, %w : vector<4xf32>
    vector.store %p, %y[%i, %c0] : memref<4x4xf32>, vector<4xf32>
  }
  return
}

// CALL filled_rows o=memref:6x8 -> o:6x8
func.func @filled_rows(%o: memref<6x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %s = arith.constant dense<[0.5, 0.5, 1.0, 1.0, 2.0, 2.0, 4.0, 4.0]> : tensor<8xf32>
  %t = arith.constant dense<[0.5, 0.5, 1.0, 1.0, 2.0, 2.0, 4.0, 4.0]> : tensor<8xf32>
  affine.for %i = 0 to 8 {
    %x = tensor.extract %s[%i] : tensor<8xf32>
    memref.store %x, %o[%c0, %i] : memref<6x8xf32>
    %y = tensor.extract %t[%i] : tensor<8xf32>
    %z = arith.addf %x, %y : f32
    memref.store %z, %o[%c1, %i] : memref<6x8xf32>
    memref.store %y, %o[%c2, %i] : memref<6x8xf32>
    memref.store %z, %o[%c4, %i] : memref<6x8xf32>
  }
  return
}
