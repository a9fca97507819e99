// What torch-mlir makes of layers: linalg on tensors, broadcasts over dimensions of size 1, asserts.
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#id4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// CALL softmax x=tensor:2x4x8 -> 2x4x8
func.func @softmax(%x: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i64
  %low = arith.constant 0xFF800000 : f32
  %ei = tensor.empty() : tensor<2x4x1xi64>
  %fi = linalg.fill ins(%none : i64) outs(%ei : tensor<2x4x1xi64>) -> tensor<2x4x1xi64>
  %e1 = tensor.empty() : tensor<2x4x1xf32>
  %f1 = linalg.fill ins(%low : f32) outs(%e1 : tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
  %m:2 = linalg.generic {indexing_maps = [#id3, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<2x4x8xf32>) outs(%f1, %fi : tensor<2x4x1xf32>, tensor<2x4x1xi64>) {
  ^bb0(%in: f32, %out: f32, %at: i64):
    %i = linalg.index 2 : index
    %ii = arith.index_cast %i : index to i64
    %g = arith.maximumf %in, %out : f32
    %c = arith.cmpf ogt, %in, %out : f32
    %s = arith.select %c, %ii, %at : i64
    linalg.yield %g, %s : f32, i64
  } -> (tensor<2x4x1xf32>, tensor<2x4x1xi64>)
  %e = tensor.empty() : tensor<2x4x8xf32>
  %d = linalg.generic {indexing_maps = [#id3, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %m#0 : tensor<2x4x8xf32>, tensor<2x4x1xf32>) outs(%e : tensor<2x4x8xf32>) {
  ^bb0(%in: f32, %g: f32, %out: f32):
    %s = arith.subf %in, %g : f32
    linalg.yield %s : f32
  } -> tensor<2x4x8xf32>
  %ex = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%d : tensor<2x4x8xf32>) outs(%e : tensor<2x4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = math.exp %in : f32
    linalg.yield %s : f32
  } -> tensor<2x4x8xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
  %sum = linalg.generic {indexing_maps = [#id3, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%ex : tensor<2x4x8xf32>) outs(%z1 : tensor<2x4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<2x4x1xf32>
  %q = linalg.generic {indexing_maps = [#id3, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%ex, %sum : tensor<2x4x8xf32>, tensor<2x4x1xf32>) outs(%e : tensor<2x4x8xf32>) {
  ^bb0(%in: f32, %g: f32, %out: f32):
    %s = arith.divf %in, %g : f32
    linalg.yield %s : f32
  } -> tensor<2x4x8xf32>
  return %q : tensor<2x4x8xf32>
}

// CALL linear_gelu x=tensor:2x4x8 w=tensor:16x8 b=tensor:16 -> 2x4x16
func.func @linear_gelu(%x: tensor<2x4x8xf32>, %w: tensor<16x8xf32>, %b: tensor<16xf32>) -> tensor<2x4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 5.000000e-01 : f32
  %one = arith.constant 1.0 : f32
  %root = arith.constant 1.41421354 : f32
  %et = tensor.empty() : tensor<8x16xf32>
  %t = linalg.transpose ins(%w : tensor<16x8xf32>) outs(%et : tensor<8x16xf32>) permutation = [1, 0]
  %eb = tensor.empty() : tensor<2x8x16xf32>
  %tb = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t : tensor<8x16xf32>) outs(%eb : tensor<2x8x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x8x16xf32>
  %e = tensor.empty() : tensor<2x4x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %p = linalg.batch_matmul ins(%x, %tb : tensor<2x4x8xf32>, tensor<2x8x16xf32>) outs(%f : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %s = linalg.generic {indexing_maps = [#id3, affine_map<(d0, d1, d2) -> (d2)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p, %b : tensor<2x4x16xf32>, tensor<16xf32>) outs(%e : tensor<2x4x16xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %q = arith.addf %in, %bias : f32
    linalg.yield %q : f32
  } -> tensor<2x4x16xf32>
  %g = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<2x4x16xf32>) outs(%e : tensor<2x4x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.divf %in, %root : f32
    %c = math.erf %a : f32
    %d = arith.addf %c, %one : f32
    %h = arith.mulf %d, %half : f32
    %q = arith.mulf %in, %h : f32
    linalg.yield %q : f32
  } -> tensor<2x4x16xf32>
  return %g : tensor<2x4x16xf32>
}

// CALL conv2d x=tensor:1x3x6x6 w=tensor:4x3x3x3 b=tensor:4 -> 1x4x6x6
func.func @conv2d(%x: tensor<1x3x6x6xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<1x4x6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x3x6x6xf32> to tensor<1x3x8x8xf32>
  %e = tensor.empty() : tensor<1x4x6x6xf32>
  %bb = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<1x4x6x6xf32>) dimensions = [0, 2, 3]
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%p, %w : tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) outs(%bb : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  return %r : tensor<1x4x6x6xf32>
}

// CALL max_pool x=tensor:1x2x7x7 -> 1x2x4x4
func.func @max_pool(%x: tensor<1x2x7x7xf32>) -> tensor<1x2x4x4xf32> {
  %low = arith.constant 0xFF800000 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %low : f32
  } : tensor<1x2x7x7xf32> to tensor<1x2x9x9xf32>
  %e = tensor.empty() : tensor<1x2x4x4xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %w = tensor.empty() : tensor<3x3xf32>
  %r = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%p, %w : tensor<1x2x9x9xf32>, tensor<3x3xf32>) outs(%f : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %r : tensor<1x2x4x4xf32>
}

// CALL avg_pool x=tensor:1x2x8x8 -> 1x2x4x4
func.func @avg_pool(%x: tensor<1x2x8x8xf32>) -> tensor<1x2x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 4 : i64
  %e = tensor.empty() : tensor<1x2x4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %w = tensor.empty() : tensor<2x2xf32>
  %s = linalg.pooling_nchw_sum {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%x, %w : tensor<1x2x8x8xf32>, tensor<2x2xf32>) outs(%f : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %r = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<1x2x4x4xf32>) outs(%e : tensor<1x2x4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %d = arith.sitofp %n : i64 to f32
    %q = arith.divf %in, %d : f32
    linalg.yield %q : f32
  } -> tensor<1x2x4x4xf32>
  return %r : tensor<1x2x4x4xf32>
}

// CALL embedding w=tensor:10x8 ids=tensor:2x3:i64<10 -> 2x3x8
func.func @embedding(%w: tensor<10x8xf32>, %ids: tensor<2x3xi64>) -> tensor<2x3x8xf32> {
  %n = arith.constant 10 : i64
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<2x3x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%ids : tensor<2x3xi64>) outs(%e : tensor<2x3x8xf32>) {
  ^bb0(%in: i64, %out: f32):
    %lt = arith.cmpi slt, %in, %n : i64
    cf.assert %lt, "index must be smaller than dim size"
    %ge = arith.cmpi sge, %in, %zero : i64
    cf.assert %ge, "index must be larger or equal to 0"
    %i = arith.index_cast %in : i64 to index
    %d = linalg.index 2 : index
    %v = tensor.extract %w[%i, %d] : tensor<10x8xf32>
    linalg.yield %v : f32
  } -> tensor<2x3x8xf32>
  return %r : tensor<2x3x8xf32>
}

// CALL gather_dim x=tensor:4x8 ids=tensor:4x3:i64<8 -> 4x3
func.func @gather_dim(%x: tensor<4x8xf32>, %ids: tensor<4x3xi64>) -> tensor<4x3xf32> {
  %zero = arith.constant 0 : i64
  %n = arith.constant 8 : i64
  %e = tensor.empty() : tensor<4x3xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%ids : tensor<4x3xi64>) outs(%e : tensor<4x3xf32>) {
  ^bb0(%in: i64, %out: f32):
    %row = linalg.index 0 : index
    %neg = arith.cmpi slt, %in, %zero : i64
    %up = arith.addi %in, %n : i64
    %at = arith.select %neg, %up, %in : i64
    %i = arith.index_cast %at : i64 to index
    %v = tensor.extract %x[%row, %i] : tensor<4x8xf32>
    linalg.yield %v : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// CALL bmm4 q=tensor:2x3x4x8 k=tensor:2x3x4x8 -> 2x3x4x4
func.func @bmm4(%q: tensor<2x3x4x8xf32>, %k: tensor<2x3x4x8xf32>) -> tensor<2x3x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %et = tensor.empty() : tensor<2x3x8x4xf32>
  %t = linalg.transpose ins(%k : tensor<2x3x4x8xf32>) outs(%et : tensor<2x3x8x4xf32>) permutation = [0, 1, 3, 2]
  %qc = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<2x3x4x8xf32> into tensor<6x4x8xf32>
  %kc = tensor.collapse_shape %t [[0, 1], [2], [3]] : tensor<2x3x8x4xf32> into tensor<6x8x4xf32>
  %e = tensor.empty() : tensor<6x4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x4x4xf32>) -> tensor<6x4x4xf32>
  %r = linalg.batch_matmul ins(%qc, %kc : tensor<6x4x8xf32>, tensor<6x8x4xf32>) outs(%f : tensor<6x4x4xf32>) -> tensor<6x4x4xf32>
  %x = tensor.expand_shape %r [[0, 1], [2], [3]] output_shape [2, 3, 4, 4] : tensor<6x4x4xf32> into tensor<2x3x4x4xf32>
  return %x : tensor<2x3x4x4xf32>
}

// Parts of a tensor, one behind the other.
// CALL cat x=tensor:2x3x4 y=tensor:2x5x4 -> 2x8x4
func.func @cat(%x: tensor<2x3x4xf32>, %y: tensor<2x5x4xf32>) -> tensor<2x8x4xf32> {
  %e = tensor.empty() : tensor<2x8x4xf32>
  %a = tensor.insert_slice %x into %e[0, 0, 0] [2, 3, 4] [1, 1, 1] : tensor<2x3x4xf32> into tensor<2x8x4xf32>
  %b = tensor.insert_slice %y into %a[0, 3, 0] [2, 5, 4] [1, 1, 1] : tensor<2x5x4xf32> into tensor<2x8x4xf32>
  return %b : tensor<2x8x4xf32>
}

// CALL argmax x=tensor:4x8 -> 4:i64
func.func @argmax(%x: tensor<4x8xf32>) -> tensor<4xi64> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i64
  %ei = tensor.empty() : tensor<4xi64>
  %fi = linalg.fill ins(%zero : i64) outs(%ei : tensor<4xi64>) -> tensor<4xi64>
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r:2 = linalg.generic {indexing_maps = [#id2, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%f, %fi : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%in: f32, %out: f32, %at: i64):
    %i = linalg.index 1 : index
    %ii = arith.index_cast %i : index to i64
    %g = arith.maximumf %in, %out : f32
    %c = arith.cmpf ogt, %in, %out : f32
    %s = arith.select %c, %ii, %at : i64
    linalg.yield %g, %s : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  return %r#1 : tensor<4xi64>
}

// A mask of bits chooses between a tensor and a number.
// CALL where x=tensor:4x8 y=tensor:4x8 -> 4x8
func.func @where(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %eb = tensor.empty() : tensor<4x8xi1>
  %c = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%eb : tensor<4x8xi1>) {
  ^bb0(%in: f32, %out: i1):
    %q = arith.cmpf ogt, %in, %zero : f32
    linalg.yield %q : i1
  } -> tensor<4x8xi1>
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%c, %x, %y : tensor<4x8xi1>, tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: i1, %a: f32, %b: f32, %out: f32):
    %q = arith.select %in, %a, %b : f32
    linalg.yield %q : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// The nearest pixel, as torch computes it: indices through numbers.
// CALL upsample x=tensor:1x2x4x4 -> 1x2x8x8
func.func @upsample(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x8x8xf32> {
  %c2 = arith.constant 2 : index
  %e = tensor.empty() : tensor<1x2x8x8xf32>
  %r = linalg.generic {indexing_maps = [#id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<1x2x8x8xf32>) {
  ^bb0(%out: f32):
    %n = linalg.index 0 : index
    %c = linalg.index 1 : index
    %h = linalg.index 2 : index
    %w = linalg.index 3 : index
    %hh = arith.floordivsi %h, %c2 : index
    %ww = arith.floordivsi %w, %c2 : index
    %v = tensor.extract %x[%n, %c, %hh, %ww] : tensor<1x2x4x4xf32>
    linalg.yield %v : f32
  } -> tensor<1x2x8x8xf32>
  return %r : tensor<1x2x8x8xf32>
}

// The same through floating point, with the scale as a number.
// CALL upsample_float x=tensor:1x2x4x4 -> 1x2x8x8
func.func @upsample_float(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x8x8xf32> {
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<1x2x8x8xf32>
  %r = linalg.generic {indexing_maps = [#id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<1x2x8x8xf32>) {
  ^bb0(%out: f32):
    %n = linalg.index 0 : index
    %c = linalg.index 1 : index
    %h = linalg.index 2 : index
    %w = linalg.index 3 : index
    %hi = arith.index_cast %h : index to i64
    %hf = arith.sitofp %hi : i64 to f32
    %hd = arith.divf %hf, %two : f32
    %hfl = math.floor %hd : f32
    %hn = arith.fptosi %hfl : f32 to i64
    %hh = arith.index_cast %hn : i64 to index
    %wi = arith.index_cast %w : index to i64
    %wf = arith.sitofp %wi : i64 to f32
    %wd = arith.divf %wf, %two : f32
    %wfl = math.floor %wd : f32
    %wn = arith.fptosi %wfl : f32 to i64
    %ww = arith.index_cast %wn : i64 to index
    %v = tensor.extract %x[%n, %c, %hh, %ww] : tensor<1x2x4x4xf32>
    linalg.yield %v : f32
  } -> tensor<1x2x8x8xf32>
  return %r : tensor<1x2x8x8xf32>
}

// A running sum along a dimension: a loop over a tensor that it writes element by element.
// CALL cumsum x=tensor:4x8 -> 4x8
func.func @cumsum(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %out = memref.alloc() : memref<4x8xf32>
  %acc = memref.alloc() : memref<4xf32>
  linalg.fill ins(%zero : f32) outs(%acc : memref<4xf32>)
  scf.for %j = %c0 to %c8 step %c1 {
    scf.for %i = %c0 to %c4 step %c1 {
      %v = tensor.extract %x[%i, %j] : tensor<4x8xf32>
      %a = memref.load %acc[%i] : memref<4xf32>
      %s = arith.addf %v, %a : f32
      memref.store %s, %acc[%i] : memref<4xf32>
      memref.store %s, %out[%i, %j] : memref<4x8xf32>
    }
  }
  %t = bufferization.to_tensor %out restrict writable : memref<4x8xf32>
  return %t : tensor<4x8xf32>
}

// CALL group_norm x=tensor:2x8x6 g=tensor:8 b=tensor:8 -> 2x8x6
func.func @group_norm(%x: tensor<2x8x6xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<2x8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 12.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %xs = tensor.expand_shape %x [[0], [1, 2], [3]] output_shape [2, 4, 2, 6] : tensor<2x8x6xf32> into tensor<2x4x2x6xf32>
  %e1 = tensor.empty() : tensor<2x4x1x1xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x4x1x1xf32>) -> tensor<2x4x1x1xf32>
  %s = linalg.generic {indexing_maps = [#id4, affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, 0)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%xs : tensor<2x4x2x6xf32>) outs(%f1 : tensor<2x4x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.addf %in, %out : f32
    linalg.yield %q : f32
  } -> tensor<2x4x1x1xf32>
  %e = tensor.empty() : tensor<2x4x2x6xf32>
  %d = linalg.generic {indexing_maps = [#id4, affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, 0)>, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%xs, %s : tensor<2x4x2x6xf32>, tensor<2x4x1x1xf32>) outs(%e : tensor<2x4x2x6xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %m = arith.divf %sum, %n : f32
    %q = arith.subf %in, %m : f32
    linalg.yield %q : f32
  } -> tensor<2x4x2x6xf32>
  %v = linalg.generic {indexing_maps = [#id4, affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, 0)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%d : tensor<2x4x2x6xf32>) outs(%f1 : tensor<2x4x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %p = arith.mulf %in, %in : f32
    %q = arith.addf %p, %out : f32
    linalg.yield %q : f32
  } -> tensor<2x4x1x1xf32>
  %r = linalg.generic {indexing_maps = [#id4, affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, 0)>, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%d, %v : tensor<2x4x2x6xf32>, tensor<2x4x1x1xf32>) outs(%e : tensor<2x4x2x6xf32>) {
  ^bb0(%in: f32, %var: f32, %out: f32):
    %m = arith.divf %var, %n : f32
    %me = arith.addf %m, %eps : f32
    %rs = math.rsqrt %me : f32
    %q = arith.mulf %in, %rs : f32
    linalg.yield %q : f32
  } -> tensor<2x4x2x6xf32>
  %c = tensor.collapse_shape %r [[0], [1, 2], [3]] : tensor<2x4x2x6xf32> into tensor<2x8x6xf32>
  %eo = tensor.empty() : tensor<2x8x6xf32>
  %o = linalg.generic {indexing_maps = [#id3, affine_map<(d0, d1, d2) -> (d1)>, affine_map<(d0, d1, d2) -> (d1)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%c, %g, %b : tensor<2x8x6xf32>, tensor<8xf32>, tensor<8xf32>) outs(%eo : tensor<2x8x6xf32>) {
  ^bb0(%in: f32, %gg: f32, %bb: f32, %out: f32):
    %p = arith.mulf %in, %gg : f32
    %q = arith.addf %p, %bb : f32
    linalg.yield %q : f32
  } -> tensor<2x8x6xf32>
  return %o : tensor<2x8x6xf32>
}

// Loss of labels: minus the logarithm at an index, and the mean.
// CALL nll x=tensor:4x8 t=tensor:4:i64<8 -> scalar
func.func @nll(%x: tensor<4x8xf32>, %t: tensor<4xi64>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 4.0 : f32
  %ignore = arith.constant -100 : i64
  %e = tensor.empty() : tensor<4xf32>
  %l = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%t : tensor<4xi64>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: i64, %out: f32):
    %r = linalg.index 0 : index
    %i = arith.index_cast %in : i64 to index
    %c = arith.cmpi eq, %in, %ignore : i64
    %v = tensor.extract %x[%r, %i] : tensor<4x8xf32>
    %neg = arith.negf %v : f32
    %q = arith.select %c, %zero, %neg : f32
    linalg.yield %q : f32
  } -> tensor<4xf32>
  %e0 = tensor.empty() : tensor<f32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%l : tensor<4xf32>) outs(%f0 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.addf %in, %out : f32
    linalg.yield %q : f32
  } -> tensor<f32>
  %m = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%s : tensor<f32>) outs(%e0 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.divf %in, %n : f32
    linalg.yield %q : f32
  } -> tensor<f32>
  return %m : tensor<f32>
}

// Attention with a mask that is computed from indices.
// CALL causal q=tensor:2x8x4 k=tensor:2x8x4 v=tensor:2x8x4 -> 2x8x4
func.func @causal(%q: tensor<2x8x4xf32>, %k: tensor<2x8x4xf32>, %v: tensor<2x8x4xf32>) -> tensor<2x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0e9 : f32
  %none = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.5 : f32
  %es = tensor.empty() : tensor<2x8x8xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %s = linalg.batch_matmul_transpose_b ins(%q, %k : tensor<2x8x4xf32>, tensor<2x8x4xf32>) outs(%fs : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %m = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<2x8x8xf32>) outs(%es : tensor<2x8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c = arith.cmpi sgt, %j, %i : index
    %x = arith.mulf %in, %scale : f32
    %y = arith.select %c, %low, %x : f32
    linalg.yield %y : f32
  } -> tensor<2x8x8xf32>
  %p = linalg.softmax dimension(2) ins(%m : tensor<2x8x8xf32>) outs(%es : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %e = tensor.empty() : tensor<2x8x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<2x8x8xf32>, tensor<2x8x4xf32>) outs(%f : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  return %r : tensor<2x8x4xf32>
}
