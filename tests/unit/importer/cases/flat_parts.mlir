// Memory that is addressed by numbers, of which stores leave a part as it was.
func.func @flat_triangle(%x: memref<*xf32>, %y: memref<*xf32>) {
  %xs = memref.reinterpret_cast %x to offset: [0], sizes: [8, 8], strides: [8, 1]
      : memref<*xf32> to memref<8x8xf32, strided<[8, 1]>>
  %ys = memref.reinterpret_cast %y to offset: [0], sizes: [8, 8], strides: [8, 1]
      : memref<*xf32> to memref<8x8xf32, strided<[8, 1]>>
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %a = affine.load %xs[%i, %j] : memref<8x8xf32, strided<[8, 1]>>
      %s = arith.addf %a, %a : f32
      affine.store %s, %ys[%i, %j] : memref<8x8xf32, strided<[8, 1]>>
    }
  }
  return
}

// Every second element, each read before it is written.
func.func @flat_stride(%x: memref<*xf32>, %y: memref<*xf32>) {
  %xs = memref.reinterpret_cast %x to offset: [0], sizes: [8], strides: [1]
      : memref<*xf32> to memref<8xf32, strided<[1]>>
  %ys = memref.reinterpret_cast %y to offset: [0], sizes: [8], strides: [2]
      : memref<*xf32> to memref<8xf32, strided<[2]>>
  affine.for %i = 0 to 8 {
    %a = affine.load %xs[%i] : memref<8xf32, strided<[1]>>
    %b = affine.load %ys[%i] : memref<8xf32, strided<[2]>>
    %s = arith.addf %a, %b : f32
    affine.store %s, %ys[%i] : memref<8xf32, strided<[2]>>
  }
  return
}

// Rows of 12 of which 9 are written, from the second one on.
func.func @flat_rows(%x: memref<*xf32>, %y: memref<*xf32>) {
  %xs = memref.reinterpret_cast %x to offset: [0], sizes: [4, 12], strides: [12, 1]
      : memref<*xf32> to memref<4x12xf32, strided<[12, 1]>>
  %ys = memref.reinterpret_cast %y to offset: [0], sizes: [5, 12], strides: [12, 1]
      : memref<*xf32> to memref<5x12xf32, strided<[12, 1]>>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 9 {
      %a = affine.load %xs[%i, %j] : memref<4x12xf32, strided<[12, 1]>>
      affine.store %a, %ys[%i + 1, %j] : memref<5x12xf32, strided<[12, 1]>>
    }
  }
  return
}
