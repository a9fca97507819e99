// Tiled products on tensors, what surrounds a tensor, and tensors in blocks.
func.func @tiled(%A: tensor<8x12xf32>, %B: tensor<12x16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %c16 = arith.constant 16 : index
  %e = tensor.empty() : tensor<8x16xf32>
  %r = scf.for %i = %c0 to %c8 step %c4 iter_args(%x = %e) -> (tensor<8x16xf32>) {
    %s = scf.for %j = %c0 to %c16 step %c8 iter_args(%y = %x) -> (tensor<8x16xf32>) {
      %t = tensor.extract_slice %y[%i, %j] [4, 8] [1, 1] : tensor<8x16xf32> to tensor<4x8xf32>
      %f = linalg.fill ins(%zero : f32) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
      %k = scf.for %l = %c0 to %c12 step %c4 iter_args(%z = %f) -> (tensor<4x8xf32>) {
        %a = tensor.extract_slice %A[%i, %l] [4, 4] [1, 1] : tensor<8x12xf32> to tensor<4x4xf32>
        %b = tensor.extract_slice %B[%l, %j] [4, 8] [1, 1] : tensor<12x16xf32> to tensor<4x8xf32>
        %c = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x8xf32>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
        scf.yield %c : tensor<4x8xf32>
      }
      %n = tensor.insert_slice %k into %y[%i, %j] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<8x16xf32>
      scf.yield %n : tensor<8x16xf32>
    }
    scf.yield %s : tensor<8x16xf32>
  }
  return %r : tensor<8x16xf32>
}
func.func @forall(%A: tensor<8x12xf32>, %B: tensor<12x16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %r = scf.forall (%p, %q) in (2, 2) shared_outs(%x = %e) -> (tensor<8x16xf32>) {
    %i = affine.apply affine_map<(d0) -> (d0 * 4)>(%p)
    %j = affine.apply affine_map<(d0) -> (d0 * 8)>(%q)
    %a = tensor.extract_slice %A[%i, 0] [4, 12] [1, 1] : tensor<8x12xf32> to tensor<4x12xf32>
    %b = tensor.extract_slice %B[0, %j] [12, 8] [1, 1] : tensor<12x16xf32> to tensor<12x8xf32>
    %t = tensor.extract_slice %x[%i, %j] [4, 8] [1, 1] : tensor<8x16xf32> to tensor<4x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
    %c = linalg.matmul ins(%a, %b : tensor<4x12xf32>, tensor<12x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %c into %x[%i, %j] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<8x16xf32>
    }
  }
  return %r : tensor<8x16xf32>
}
func.func @padded(%I: tensor<1x2x6x6xf32>, %F: tensor<3x2x3x3xf32>) -> tensor<1x3x6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %I low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x2x6x6xf32> to tensor<1x2x8x8xf32>
  %e = tensor.empty() : tensor<1x3x6x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x3x6x6xf32>) -> tensor<1x3x6x6xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%p, %F : tensor<1x2x8x8xf32>, tensor<3x2x3x3xf32>) outs(%f : tensor<1x3x6x6xf32>) -> tensor<1x3x6x6xf32>
  return %r : tensor<1x3x6x6xf32>
}
func.func @concat(%A: tensor<3x4xf32>, %B: tensor<5x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %a = tensor.insert_slice %A into %f[0, 0] [3, 4] [1, 1] : tensor<3x4xf32> into tensor<8x4xf32>
  %b = tensor.insert_slice %B into %a[3, 0] [5, 4] [1, 1] : tensor<5x4xf32> into tensor<8x4xf32>
  return %b : tensor<8x4xf32>
}
func.func @summed(%A: tensor<4x8xf32>, %B: tensor<8x4xf32>, %C: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %k = %c0 to %c8 step %c4 iter_args(%x = %C) -> (tensor<4x4xf32>) {
    %a = tensor.extract_slice %A[0, %k] [4, 4] [1, 1] : tensor<4x8xf32> to tensor<4x4xf32>
    %b = tensor.extract_slice %B[%k, 0] [4, 4] [1, 1] : tensor<8x4xf32> to tensor<4x4xf32>
    %t = tensor.extract_slice %x[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> to tensor<4x4xf32>
    %m = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) -> tensor<4x4xf32>
    %n = tensor.insert_slice %m into %x[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<4x4xf32>
    scf.yield %n : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}
