// A Triton matrix product after triton-shared: program numbers as trailing arguments, offsets
// carried through the loop, f32 sums rounded to f16 at the end. M, N and K are arguments.
module {
  func.func @matmul_kernel(%arg0: memref<*xf16> {tt.divisibility = 16 : i32}, %arg1: memref<*xf16>,
      %arg2: memref<*xf16>, %M: i32, %N: i32, %K: i32, %arg6: i32, %arg7: i32, %arg8: i32,
      %arg9: i32, %arg10: i32, %arg11: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c8_i32 = arith.constant 8 : i32
    %c7_i32 = arith.constant 7 : i32
    %c16_i32 = arith.constant 16 : i32
    %c0_idx = arith.constant 0 : index
    %c8_idx = arith.constant 8 : index
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<16x8xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<16x8xf32>) -> tensor<16x8xf32>
    %2 = arith.addi %N, %c7_i32 : i32
    %3 = arith.divsi %2, %c8_i32 : i32
    %4 = arith.divsi %arg9, %3 : i32
    %5 = arith.remsi %arg9, %3 : i32
    %6 = arith.muli %4, %c16_i32 : i32
    %7 = arith.index_cast %6 : i32 to index
    %8 = arith.muli %5, %c8_i32 : i32
    %9 = arith.index_cast %8 : i32 to index
    %10 = arith.index_cast %K : i32 to index
    %11 = arith.index_cast %N : i32 to index
    %12 = arith.muli %7, %10 : index
    %13 = arith.muli %11, %c8_idx : index
    %14 = arith.divsi %K, %c8_i32 : i32
    %15:3 = scf.for %it = %c0_i32 to %14 step %c1_i32
        iter_args(%acc = %1, %aoff = %12, %boff = %c0_idx) -> (tensor<16x8xf32>, index, index) : i32 {
      %20 = memref.reinterpret_cast %arg0 to offset: [%aoff], sizes: [16, 8], strides: [%10, 1]
          : memref<*xf16> to memref<16x8xf16, strided<[?, 1], offset: ?>>
      %21 = memref.alloc() : memref<16x8xf16>
      memref.copy %20, %21 : memref<16x8xf16, strided<[?, 1], offset: ?>> to memref<16x8xf16>
      %22 = bufferization.to_tensor %21 restrict writable : memref<16x8xf16>
      %23 = arith.addi %boff, %9 : index
      %24 = memref.reinterpret_cast %arg1 to offset: [%23], sizes: [8, 8], strides: [%11, 1]
          : memref<*xf16> to memref<8x8xf16, strided<[?, 1], offset: ?>>
      %25 = memref.alloc() : memref<8x8xf16>
      memref.copy %24, %25 : memref<8x8xf16, strided<[?, 1], offset: ?>> to memref<8x8xf16>
      %26 = bufferization.to_tensor %25 restrict writable : memref<8x8xf16>
      %27 = linalg.matmul ins(%22, %26 : tensor<16x8xf16>, tensor<8x8xf16>)
                          outs(%acc : tensor<16x8xf32>) -> tensor<16x8xf32>
      %28 = arith.addi %aoff, %c8_idx : index
      %29 = arith.addi %boff, %13 : index
      scf.yield %27, %28, %29 : tensor<16x8xf32>, index, index
    }
    %16 = arith.truncf %15#0 : tensor<16x8xf32> to tensor<16x8xf16>
    %17 = arith.muli %7, %11 : index
    %18 = arith.addi %17, %9 : index
    %19 = memref.reinterpret_cast %arg2 to offset: [%18], sizes: [16, 8], strides: [%11, 1]
        : memref<*xf16> to memref<16x8xf16, strided<[?, 1], offset: ?>>
    bufferization.materialize_in_destination %16 in writable %19
        : (tensor<16x8xf16>, memref<16x8xf16, strided<[?, 1], offset: ?>>) -> ()
    return
  }
}
