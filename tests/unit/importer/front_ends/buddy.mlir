// Kernels in the style of buddy-mlir: affine loops around operations on vectors of memory.

// CALL conv2d_bcast x=memref:10x18 k=memref:3x3 y=memref:8x16 -> y:8x16
func.func @conv2d_bcast(%x: memref<10x18xf32>, %k: memref<3x3xf32>, %y: memref<8x16xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %r = 0 to 3 {
      affine.for %s = 0 to 3 {
        affine.for %j = 0 to 16 step 8 {
          %kv = memref.load %k[%r, %s] : memref<3x3xf32>
          %kb = vector.broadcast %kv : f32 to vector<8xf32>
          %xv = affine.vector_load %x[%i + %r, %j + %s] : memref<10x18xf32>, vector<8xf32>
          %yv = affine.vector_load %y[%i, %j] : memref<8x16xf32>, vector<8xf32>
          %f = vector.fma %xv, %kb, %yv : vector<8xf32>
          affine.vector_store %f, %y[%i, %j] : memref<8x16xf32>, vector<8xf32>
        }
      }
    }
  }
  return
}

// CALL matmul_bcast A=memref:8x12 B=memref:12x16 C=memref:8x16 -> C:8x16
func.func @matmul_bcast(%A: memref<8x12xf32>, %B: memref<12x16xf32>, %C: memref<8x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %m = memref.dim %A, %c0 : memref<8x12xf32>
  %k = memref.dim %A, %c1 : memref<8x12xf32>
  %n = memref.dim %B, %c1 : memref<12x16xf32>
  affine.for %j = 0 to %n step 8 {
    affine.prefetch %B[0, %j], read, locality<3>, data : memref<12x16xf32>
    affine.for %i = 0 to %m {
      %c = vector.load %C[%i, %j] : memref<8x16xf32>, vector<8xf32>
      %s = affine.for %l = 0 to %k iter_args(%acc = %c) -> (vector<8xf32>) {
        %a = memref.load %A[%i, %l] : memref<8x12xf32>
        %av = vector.broadcast %a : f32 to vector<8xf32>
        %bv = vector.load %B[%l, %j] : memref<12x16xf32>, vector<8xf32>
        %f = vector.fma %av, %bv, %acc : vector<8xf32>
        affine.yield %f : vector<8xf32>
      }
      vector.store %s, %C[%i, %j] : memref<8x16xf32>, vector<8xf32>
    }
  }
  return
}

// CALL batch_matmul_parallel A=memref:3x4x8 B=memref:3x8x16 C=memref:3x4x16 -> C:3x4x16
func.func @batch_matmul_parallel(%A: memref<3x4x8xf32>, %B: memref<3x8x16xf32>, %C: memref<3x4x16xf32>) {
  affine.parallel (%b) = (0) to (3) {
    affine.for %i = 0 to 4 {
      affine.for %j = 0 to 2 {
        %zero = arith.constant 0.0 : f32
        %z = vector.splat %zero : vector<8xf32>
        %s = affine.for %k = 0 to 8 iter_args(%acc = %z) -> (vector<8xf32>) {
          %a = affine.load %A[%b, %i, %k] : memref<3x4x8xf32>
          %av = vector.splat %a : vector<8xf32>
          %bv = affine.vector_load %B[%b, %k, %j * 8] : memref<3x8x16xf32>, vector<8xf32>
          %p = arith.mulf %av, %bv : vector<8xf32>
          %q = arith.addf %p, %acc : vector<8xf32>
          affine.yield %q : vector<8xf32>
        }
        %c = affine.vector_load %C[%b, %i, %j * 8] : memref<3x4x16xf32>, vector<8xf32>
        %o = arith.addf %c, %s : vector<8xf32>
        affine.vector_store %o, %C[%b, %i, %j * 8] : memref<3x4x16xf32>, vector<8xf32>
      }
    }
  }
  return
}

// Channels as vectors, summed at the end, the filter last.
// CALL conv_nhwc_fhwc x=memref:1x6x6x8 k=memref:4x3x3x8 y=memref:1x4x4x4 -> y:1x4x4x4
func.func @conv_nhwc_fhwc(%x: memref<1x6x6x8xf32>, %k: memref<4x3x3x8xf32>, %y: memref<1x4x4x4xf32>) {
  affine.for %n = 0 to 1 {
    affine.for %h = 0 to 4 {
      affine.for %w = 0 to 4 {
        affine.for %f = 0 to 4 {
          %c0 = arith.constant 0 : index
          %y0 = memref.load %y[%n, %h, %w, %f] : memref<1x4x4x4xf32>
          %s = affine.for %r = 0 to 3 iter_args(%a1 = %y0) -> (f32) {
            %s2 = affine.for %c = 0 to 3 iter_args(%a2 = %a1) -> (f32) {
              %hr = arith.addi %h, %r : index
              %wc = arith.addi %w, %c : index
              %xv = vector.load %x[%n, %hr, %wc, %c0] : memref<1x6x6x8xf32>, vector<8xf32>
              %kv = vector.load %k[%f, %r, %c, %c0] : memref<4x3x3x8xf32>, vector<8xf32>
              %p = arith.mulf %xv, %kv : vector<8xf32>
              %q = vector.reduction <add>, %p, %a2 : vector<8xf32> into f32
              affine.yield %q : f32
            }
            affine.yield %s2 : f32
          }
          memref.store %s, %y[%n, %h, %w, %f] : memref<1x4x4x4xf32>
        }
      }
    }
  }
  return
}

// A tail that a mask cuts: 20 columns in vectors of 8.
// CALL add_masked x=memref:4x20 y=memref:4x20 z=memref:4x20 -> z:4x20
func.func @add_masked(%x: memref<4x20xf32>, %y: memref<4x20xf32>, %z: memref<4x20xf32>) {
  %c20 = arith.constant 20 : index
  %zero = arith.constant dense<0.0> : vector<8xf32>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 20 step 8 {
      %left = arith.subi %c20, %j : index
      %m = vector.create_mask %left : vector<8xi1>
      %a = vector.maskedload %x[%i, %j], %m, %zero : memref<4x20xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
      %b = vector.maskedload %y[%i, %j], %m, %zero : memref<4x20xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
      %s = arith.addf %a, %b : vector<8xf32>
      vector.maskedstore %z[%i, %j], %m, %s : memref<4x20xf32>, vector<8xi1>, vector<8xf32>
    }
  }
  return
}

// CALL pool_max x=memref:1x8x8x8 y=memref:1x4x4x8 -> y:1x4x4x8
func.func @pool_max(%x: memref<1x8x8x8xf32>, %y: memref<1x4x4x8xf32>) {
  %low = arith.constant dense<0xFF800000> : vector<8xf32>
  %c0 = arith.constant 0 : index
  affine.for %h = 0 to 4 {
    affine.for %w = 0 to 4 {
      %m = affine.for %r = 0 to 2 iter_args(%a = %low) -> (vector<8xf32>) {
        %n = affine.for %s = 0 to 2 iter_args(%b = %a) -> (vector<8xf32>) {
          %v = affine.vector_load %x[0, %h * 2 + %r, %w * 2 + %s, 0] : memref<1x8x8x8xf32>, vector<8xf32>
          %g = arith.maximumf %v, %b : vector<8xf32>
          affine.yield %g : vector<8xf32>
        }
        affine.yield %n : vector<8xf32>
      }
      affine.vector_store %m, %y[0, %h, %w, 0] : memref<1x4x4x8xf32>, vector<8xf32>
    }
  }
  return
}

// Rows as vectors: the greatest, the sum of exponentials, the quotient.
// CALL softmax_rows x=memref:6x16 y=memref:6x16 -> y:6x16
func.func @softmax_rows(%x: memref<6x16xf32>, %y: memref<6x16xf32>) {
  affine.for %i = 0 to 6 {
    %v = affine.vector_load %x[%i, 0] : memref<6x16xf32>, vector<16xf32>
    %m = vector.reduction <maximumf>, %v : vector<16xf32> into f32
    %mb = vector.broadcast %m : f32 to vector<16xf32>
    %d = arith.subf %v, %mb : vector<16xf32>
    %e = math.exp %d : vector<16xf32>
    %s = vector.reduction <add>, %e : vector<16xf32> into f32
    %sb = vector.broadcast %s : f32 to vector<16xf32>
    %q = arith.divf %e, %sb : vector<16xf32>
    affine.vector_store %q, %y[%i, 0] : memref<6x16xf32>, vector<16xf32>
  }
  return
}

// Tiles with ends that are the least of two.
// CALL matmul_tiles A=memref:10x12 B=memref:12x14 C=memref:10x14 -> C:10x14
func.func @matmul_tiles(%A: memref<10x12xf32>, %B: memref<12x14xf32>, %C: memref<10x14xf32>) {
  affine.for %it = 0 to 10 step 4 {
    affine.for %jt = 0 to 14 step 8 {
      affine.for %kt = 0 to 12 step 4 {
        affine.for %i = affine_map<(d0) -> (d0)>(%it) to min affine_map<(d0) -> (d0 + 4, 10)>(%it) {
          affine.for %j = affine_map<(d0) -> (d0)>(%jt) to min affine_map<(d0) -> (d0 + 8, 14)>(%jt) {
            affine.for %k = affine_map<(d0) -> (d0)>(%kt) to affine_map<(d0) -> (d0 + 4)>(%kt) {
              %a = affine.load %A[%i, %k] : memref<10x12xf32>
              %b = affine.load %B[%k, %j] : memref<12x14xf32>
              %c = affine.load %C[%i, %j] : memref<10x14xf32>
              %p = arith.mulf %a, %b : f32
              %s = arith.addf %c, %p : f32
              affine.store %s, %C[%i, %j] : memref<10x14xf32>
            }
          }
        }
      }
    }
  }
  return
}

// CALL transfers A=memref:8x8 B=memref:8x8 C=memref:8x8 -> C:8x8
func.func @transfers(%A: memref<8x8xf32>, %B: memref<8x8xf32>, %C: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 8 step 4 {
    affine.for %j = 0 to 8 step 4 {
      %c = vector.transfer_read %C[%i, %j], %zero {in_bounds = [true, true]} : memref<8x8xf32>, vector<4x4xf32>
      %a = vector.transfer_read %A[%i, %c0], %zero {in_bounds = [true, true]} : memref<8x8xf32>, vector<4x8xf32>
      %b = vector.transfer_read %B[%c0, %j], %zero {in_bounds = [true, true]} : memref<8x8xf32>, vector<8x4xf32>
      %bt = vector.transpose %b, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
      %r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %bt, %c : vector<4x8xf32>, vector<4x8xf32> into vector<4x4xf32>
      vector.transfer_write %r, %C[%i, %j] {in_bounds = [true, true]} : vector<4x4xf32>, memref<8x8xf32>
    }
  }
  return
}

// CALL batch_tail a=memref:2x5x6 b=memref:2x6x11 c=memref:2x5x11 -> c:2x5x11
func.func @batch_tail(%a: memref<2x5x6xf32>, %b: memref<2x6x11xf32>, %c: memref<2x5x11xf32>) {
  %c0 = arith.constant 0 : index
  %c11 = arith.constant 11 : index
  %zero = arith.constant 0.0 : f32
  affine.parallel (%n) = (0) to (2) {
    affine.for %j = 0 to 11 step 8 {
      %left = arith.subi %c11, %j : index
      %mask = vector.create_mask %left : vector<8xi1>
      affine.for %i = 0 to 5 {
        affine.for %k = 0 to 6 {
          %x = memref.load %a[%n, %i, %k] : memref<2x5x6xf32>
          %xv = vector.broadcast %x : f32 to vector<8xf32>
          %bv = vector.transfer_read %b[%n, %k, %j], %zero, %mask : memref<2x6x11xf32>, vector<8xf32>
          %cv = vector.transfer_read %c[%n, %i, %j], %zero, %mask : memref<2x5x11xf32>, vector<8xf32>
          %f = vector.fma %xv, %bv, %cv : vector<8xf32>
          vector.transfer_write %f, %c[%n, %i, %j], %mask : vector<8xf32>, memref<2x5x11xf32>
        }
      }
    }
  }
  return
}
