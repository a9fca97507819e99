// Dispatches in the style of iree-amd-aie: named operations on tensors of small types, what
// follows them as linalg.generic, tiles by scf.forall with mappings.
#id = affine_map<(d0, d1) -> (d0, d1)>

// CALL matmul_i8 A=tensor:8x16:i8<7 B=tensor:16x8:i8<5 -> 8x8:i32
func.func @matmul_i8(%A: tensor<8x16xi8>, %B: tensor<16x8xi8>) -> tensor<8x8xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<8x8xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<8x8xi32>) -> tensor<8x8xi32>
  %r = linalg.matmul ins(%A, %B : tensor<8x16xi8>, tensor<16x8xi8>) outs(%f : tensor<8x8xi32>) -> tensor<8x8xi32>
  return %r : tensor<8x8xi32>
}

// CALL matmul_small A=tensor:8x16 B=tensor:16x8 -> 8x8
func.func @matmul_small(%A: tensor<8x16xbf16>, %B: tensor<16x8xbf16>) -> tensor<8x8xbf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = linalg.matmul ins(%A, %B : tensor<8x16xbf16>, tensor<16x8xbf16>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = tensor.empty() : tensor<8x8xbf16>
  %o = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<8x8xf32>) outs(%t : tensor<8x8xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %q = arith.truncf %in : f32 to bf16
    linalg.yield %q : bf16
  } -> tensor<8x8xbf16>
  return %o : tensor<8x8xbf16>
}

// CALL matmul_bias_relu A=tensor:8x16 B=tensor:8x16 bias=tensor:8 -> 8x8
func.func @matmul_bias_relu(%A: tensor<8x16xf32>, %B: tensor<8x16xf32>, %bias: tensor<8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = linalg.matmul_transpose_b ins(%A, %B : tensor<8x16xf32>, tensor<8x16xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d1)>, #id], iterator_types = ["parallel", "parallel"]} ins(%r, %bias : tensor<8x8xf32>, tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%in: f32, %b: f32, %out: f32):
    %s = arith.addf %in, %b : f32
    %c = arith.cmpf ugt, %s, %zero : f32
    %q = arith.select %c, %s, %zero : f32
    linalg.yield %q : f32
  } -> tensor<8x8xf32>
  return %o : tensor<8x8xf32>
}

// CALL conv_nhwc x=tensor:2x9x9x3 k=tensor:3x3x3x8 -> 2x4x4x8
func.func @conv_nhwc(%x: tensor<2x9x9x3xf32>, %k: tensor<3x3x3x8xf32>) -> tensor<2x4x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %k : tensor<2x9x9x3xf32>, tensor<3x3x3x8xf32>) outs(%f : tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32>
  return %r : tensor<2x4x4x8xf32>
}

// Quantised: the zero points are numbers.
// CALL conv_quant x=tensor:1x6x6x4:i8<9 k=tensor:3x3x4x4:i8<5 -> 1x4x4x4:i32
func.func @conv_quant(%x: tensor<1x6x6x4xi8>, %k: tensor<3x3x4x4xi8>) -> tensor<1x4x4x4xi32> {
  %zero = arith.constant 0 : i32
  %zx = arith.constant 3 : i32
  %zk = arith.constant 1 : i32
  %e = tensor.empty() : tensor<1x4x4x4xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x4x4x4xi32>) -> tensor<1x4x4x4xi32>
  %r = linalg.conv_2d_nhwc_hwcf_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %k, %zx, %zk : tensor<1x6x6x4xi8>, tensor<3x3x4x4xi8>, i32, i32) outs(%f : tensor<1x4x4x4xi32>) -> tensor<1x4x4x4xi32>
  return %r : tensor<1x4x4x4xi32>
}

// CALL quantized A=tensor:4x8:i8<9 B=tensor:8x6:i8<7 -> 4x6:i32
func.func @quantized(%A: tensor<4x8xi8>, %B: tensor<8x6xi8>) -> tensor<4x6xi32> {
  %zero = arith.constant 0 : i32
  %za = arith.constant 2 : i32
  %zb = arith.constant -1 : i32
  %e = tensor.empty() : tensor<4x6xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<4x6xi32>) -> tensor<4x6xi32>
  %r = linalg.quantized_matmul ins(%A, %B, %za, %zb : tensor<4x8xi8>, tensor<8x6xi8>, i32, i32) outs(%f : tensor<4x6xi32>) -> tensor<4x6xi32>
  return %r : tensor<4x6xi32>
}

// Two levels of tiles by forall, a loop over k that carries the block of sums.
// CALL forall_levels A=tensor:16x24 B=tensor:24x16 -> 16x16
func.func @forall_levels(%A: tensor<16x24xf32>, %B: tensor<24x16xf32>) -> tensor<16x16xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c24 = arith.constant 24 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %r = scf.forall (%i, %j) = (0, 0) to (16, 16) step (8, 8) shared_outs(%o = %e) -> (tensor<16x16xf32>) {
    %a = tensor.extract_slice %A[%i, 0] [8, 24] [1, 1] : tensor<16x24xf32> to tensor<8x24xf32>
    %b = tensor.extract_slice %B[0, %j] [24, 8] [1, 1] : tensor<24x16xf32> to tensor<24x8xf32>
    %os = tensor.extract_slice %o[%i, %j] [8, 8] [1, 1] : tensor<16x16xf32> to tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%os : tensor<8x8xf32>) -> tensor<8x8xf32>
    %k = scf.for %kk = %c0 to %c24 step %c8 iter_args(%acc = %f) -> (tensor<8x8xf32>) {
      %ak = tensor.extract_slice %a[0, %kk] [8, 8] [1, 1] : tensor<8x24xf32> to tensor<8x8xf32>
      %bk = tensor.extract_slice %b[%kk, 0] [8, 8] [1, 1] : tensor<24x8xf32> to tensor<8x8xf32>
      %in = scf.forall (%x, %y) in (2, 2) shared_outs(%t = %acc) -> (tensor<8x8xf32>) {
        %x4 = affine.apply affine_map<(d0) -> (d0 * 4)>(%x)
        %y4 = affine.apply affine_map<(d0) -> (d0 * 4)>(%y)
        %ax = tensor.extract_slice %ak[%x4, 0] [4, 8] [1, 1] : tensor<8x8xf32> to tensor<4x8xf32>
        %by = tensor.extract_slice %bk[0, %y4] [8, 4] [1, 1] : tensor<8x8xf32> to tensor<8x4xf32>
        %ts = tensor.extract_slice %t[%x4, %y4] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
        %p = linalg.matmul ins(%ax, %by : tensor<4x8xf32>, tensor<8x4xf32>) outs(%ts : tensor<4x4xf32>) -> tensor<4x4xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %p into %t[%x4, %y4] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x8xf32>
        }
      } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
      scf.yield %in : tensor<8x8xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %k into %o[%i, %j] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<16x16xf32>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return %r : tensor<16x16xf32>
}

// CALL batch_i32 A=tensor:2x4x8:i32<9 B=tensor:2x8x4:i32<9 -> 2x4x4:i32
func.func @batch_i32(%A: tensor<2x4x8xi32>, %B: tensor<2x8x4xi32>) -> tensor<2x4x4xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<2x4x4xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<2x4x4xi32>) -> tensor<2x4x4xi32>
  %r = linalg.batch_matmul ins(%A, %B : tensor<2x4x8xi32>, tensor<2x8x4xi32>) outs(%f : tensor<2x4x4xi32>) -> tensor<2x4x4xi32>
  return %r : tensor<2x4x4xi32>
}

// A product whose sums are scaled, rounded and saturated to i8.
// CALL requantize A=tensor:4x8:i8<9 B=tensor:8x4:i8<9 bias=tensor:4:i32<50 -> 4x4:i32
func.func @requantize(%A: tensor<4x8xi8>, %B: tensor<8x4xi8>, %bias: tensor<4xi32>) -> tensor<4x4xi32> {
  %zero = arith.constant 0 : i32
  %low = arith.constant -128 : i32
  %high = arith.constant 127 : i32
  %two = arith.constant 2 : i32
  %e = tensor.empty() : tensor<4x4xi32>
  %b = linalg.broadcast ins(%bias : tensor<4xi32>) outs(%e : tensor<4x4xi32>) dimensions = [0]
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%A, %B : tensor<4x8xi8>, tensor<8x4xi8>) outs(%b : tensor<4x4xi32>) {
  ^bb0(%x: i8, %y: i8, %o: i32):
    %xe = arith.extsi %x : i8 to i32
    %ye = arith.extsi %y : i8 to i32
    %p = arith.muli %xe, %ye : i32
    %s = arith.addi %o, %p : i32
    linalg.yield %s : i32
  } -> tensor<4x4xi32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<4x4xi32>) outs(%e : tensor<4x4xi32>) {
  ^bb0(%x: i32, %o: i32):
    %h = arith.shrsi %x, %two : i32
    %c = arith.maxsi %h, %low : i32
    %d = arith.minsi %c, %high : i32
    linalg.yield %d : i32
  } -> tensor<4x4xi32>
  return %q : tensor<4x4xi32>
}
