// Programs as triton-shared writes them: memory without a rank, the numbers of programs and the
// program's place as six trailing arguments, pointer arithmetic, masks as sizes of views.

// The product of Triton's tutorial: programs in groups of two rows of blocks.
// CALL grouped A=unranked:64x24 B=unranked:24x32 C=unranked:64x32 M=i32=64 N=i32=32 K=i32=24 sam=i32=24 sbk=i32=32 scm=i32=32 grid=16 -> C:64x32
func.func @grouped(%A: memref<*xf16> {tt.divisibility = 16 : i32}, %B: memref<*xf16>, %C: memref<*xf16>, %M: i32, %N: i32, %K: i32, %sam: i32, %sbk: i32, %scm: i32, %g0: i32, %g1: i32, %g2: i32, %px: i32, %py: i32, %pz: i32) {
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  %c2_i32 = arith.constant 2 : i32
  %c7_i32 = arith.constant 7 : i32
  %c8_i32 = arith.constant 8 : i32
  %c15_i32 = arith.constant 15 : i32
  %c16_i32 = arith.constant 16 : i32
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<16x8xf32>) -> tensor<16x8xf32>
  %0 = arith.addi %M, %c15_i32 : i32
  %num_m = arith.divsi %0, %c16_i32 : i32
  %1 = arith.addi %N, %c7_i32 : i32
  %num_n = arith.divsi %1, %c8_i32 : i32
  %in_group = arith.muli %num_n, %c2_i32 : i32
  %group = arith.divsi %px, %in_group : i32
  %first = arith.muli %group, %c2_i32 : i32
  %left = arith.subi %num_m, %first : i32
  %size = arith.minsi %left, %c2_i32 : i32
  %in = arith.remsi %px, %in_group : i32
  %row = arith.remsi %in, %size : i32
  %pid_m = arith.addi %first, %row : i32
  %pid_n = arith.divsi %in, %size : i32
  %m0 = arith.muli %pid_m, %c16_i32 : i32
  %m0i = arith.index_cast %m0 : i32 to index
  %n0 = arith.muli %pid_n, %c8_i32 : i32
  %n0i = arith.index_cast %n0 : i32 to index
  %sa = arith.index_cast %sam : i32 to index
  %sb = arith.index_cast %sbk : i32 to index
  %sc = arith.index_cast %scm : i32 to index
  %a0 = arith.muli %m0i, %sa : index
  %stepb = arith.muli %sb, %c8 : index
  %2 = arith.addi %K, %c7_i32 : i32
  %steps = arith.divsi %2, %c8_i32 : i32
  %r:3 = scf.for %k = %c0_i32 to %steps step %c1_i32 iter_args(%acc = %init, %ao = %a0, %bo = %c0) -> (tensor<16x8xf32>, index, index) : i32 {
    %kk = arith.muli %k, %c8_i32 : i32
    %rest = arith.subi %K, %kk : i32
    %ri = arith.index_cast %rest : i32 to index
    %kn = arith.minsi %ri, %c8 : index
    %av = memref.reinterpret_cast %A to offset: [%ao], sizes: [16, 8], strides: [%sa, 1] : memref<*xf16> to memref<16x8xf16, strided<[?, 1], offset: ?>>
    %aa = memref.alloc() : memref<16x8xf16>
    %z16 = arith.constant 0.0 : f16
    %short = arith.cmpi slt, %kn, %c8 : index
    scf.if %short {
      linalg.fill ins(%z16 : f16) outs(%aa : memref<16x8xf16>)
    }
    %as = memref.subview %av[0, 0] [16, %kn] [1, 1] : memref<16x8xf16, strided<[?, 1], offset: ?>> to memref<16x?xf16, strided<[?, 1], offset: ?>>
    %ad = memref.subview %aa[0, 0] [16, %kn] [1, 1] : memref<16x8xf16> to memref<16x?xf16, strided<[8, 1]>>
    memref.copy %as, %ad : memref<16x?xf16, strided<[?, 1], offset: ?>> to memref<16x?xf16, strided<[8, 1]>>
    %at = bufferization.to_tensor %aa restrict writable : memref<16x8xf16>
    %boff = arith.addi %bo, %n0i : index
    %bv = memref.reinterpret_cast %B to offset: [%boff], sizes: [8, 8], strides: [%sb, 1] : memref<*xf16> to memref<8x8xf16, strided<[?, 1], offset: ?>>
    %ba = memref.alloc() : memref<8x8xf16>
    scf.if %short {
      linalg.fill ins(%z16 : f16) outs(%ba : memref<8x8xf16>)
    }
    %bs = memref.subview %bv[0, 0] [%kn, 8] [1, 1] : memref<8x8xf16, strided<[?, 1], offset: ?>> to memref<?x8xf16, strided<[?, 1], offset: ?>>
    %bd = memref.subview %ba[0, 0] [%kn, 8] [1, 1] : memref<8x8xf16> to memref<?x8xf16, strided<[8, 1]>>
    memref.copy %bs, %bd : memref<?x8xf16, strided<[?, 1], offset: ?>> to memref<?x8xf16, strided<[8, 1]>>
    %bt = bufferization.to_tensor %ba restrict writable : memref<8x8xf16>
    %p = linalg.matmul ins(%at, %bt : tensor<16x8xf16>, tensor<8x8xf16>) outs(%init : tensor<16x8xf32>) -> tensor<16x8xf32>
    %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%acc, %p : tensor<16x8xf32>, tensor<16x8xf32>) outs(%acc : tensor<16x8xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %q = arith.addf %x, %y : f32
      linalg.yield %q : f32
    } -> tensor<16x8xf32>
    %an = arith.addi %ao, %c8 : index
    %bn = arith.addi %bo, %stepb : index
    scf.yield %s, %an, %bn : tensor<16x8xf32>, index, index
  }
  %t = tensor.empty() : tensor<16x8xf16>
  %h = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%r#0 : tensor<16x8xf32>) outs(%t : tensor<16x8xf16>) {
  ^bb0(%x: f32, %o: f16):
    %q = arith.truncf %x : f32 to f16
    linalg.yield %q : f16
  } -> tensor<16x8xf16>
  %c0o = arith.muli %m0i, %sc : index
  %co = arith.addi %c0o, %n0i : index
  %cv = memref.reinterpret_cast %C to offset: [%co], sizes: [16, 8], strides: [%sc, 1] : memref<*xf16> to memref<16x8xf16, strided<[?, 1], offset: ?>>
  %c16x = arith.constant 16 : index
  %em = arith.addi %m0i, %c16x : index
  %Mi = arith.index_cast %M : i32 to index
  %mstop = arith.minsi %em, %Mi : index
  %mlast = arith.maxsi %mstop, %m0i : index
  %mrows = arith.subi %mlast, %m0i : index
  %part = tensor.extract_slice %h[0, 0] [%mrows, 8] [1, 1] : tensor<16x8xf16> to tensor<?x8xf16>
  %cs = memref.subview %cv[0, 0] [%mrows, 8] [1, 1] : memref<16x8xf16, strided<[?, 1], offset: ?>> to memref<?x8xf16, strided<[?, 1], offset: ?>>
  bufferization.materialize_in_destination %part in writable %cs : (tensor<?x8xf16>, memref<?x8xf16, strided<[?, 1], offset: ?>>) -> ()
  return
}

// The older order of the same tutorial: pid % group size, rows first.
// CALL grouped_old A=unranked:32x16 B=unranked:16x32 C=unranked:32x32 M=i32=32 N=i32=32 K=i32=16 grid=16 -> C:32x32
func.func @grouped_old(%A: memref<*xf32>, %B: memref<*xf32>, %C: memref<*xf32>, %M: i32, %N: i32, %K: i32, %g0: i32, %g1: i32, %g2: i32, %px: i32, %py: i32, %pz: i32) {
  %c4 = arith.constant 4 : i32
  %c8 = arith.constant 8 : i32
  %c8i = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %num_m = arith.ceildivsi %M, %c8 : i32
  %num_n = arith.ceildivsi %N, %c8 : i32
  %in_group = arith.muli %num_n, %c4 : i32
  %group = arith.divsi %px, %in_group : i32
  %first = arith.muli %group, %c4 : i32
  %left = arith.subi %num_m, %first : i32
  %size = arith.minsi %left, %c4 : i32
  %row = arith.remsi %px, %size : i32
  %pid_m = arith.addi %first, %row : i32
  %in = arith.remsi %px, %in_group : i32
  %pid_n = arith.divsi %in, %size : i32
  %m = arith.muli %pid_m, %c8 : i32
  %n = arith.muli %pid_n, %c8 : i32
  %mi = arith.index_cast %m : i32 to index
  %ni = arith.index_cast %n : i32 to index
  %Ki = arith.index_cast %K : i32 to index
  %Ni = arith.index_cast %N : i32 to index
  %ao = arith.muli %mi, %Ki : index
  %av = memref.reinterpret_cast %A to offset: [%ao], sizes: [8, 16], strides: [%Ki, 1] : memref<*xf32> to memref<8x16xf32, strided<[?, 1], offset: ?>>
  %aa = memref.alloc() : memref<8x16xf32>
  memref.copy %av, %aa : memref<8x16xf32, strided<[?, 1], offset: ?>> to memref<8x16xf32>
  %at = bufferization.to_tensor %aa restrict writable : memref<8x16xf32>
  %bv = memref.reinterpret_cast %B to offset: [%ni], sizes: [16, 8], strides: [%Ni, 1] : memref<*xf32> to memref<16x8xf32, strided<[?, 1], offset: ?>>
  %ba = memref.alloc() : memref<16x8xf32>
  memref.copy %bv, %ba : memref<16x8xf32, strided<[?, 1], offset: ?>> to memref<16x8xf32>
  %bt = bufferization.to_tensor %ba restrict writable : memref<16x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%at, %bt : tensor<8x16xf32>, tensor<16x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c0 = arith.muli %mi, %Ni : index
  %co = arith.addi %c0, %ni : index
  %cv = memref.reinterpret_cast %C to offset: [%co], sizes: [8, 8], strides: [%Ni, 1] : memref<*xf32> to memref<8x8xf32, strided<[?, 1], offset: ?>>
  bufferization.materialize_in_destination %p in writable %cv : (tensor<8x8xf32>, memref<8x8xf32, strided<[?, 1], offset: ?>>) -> ()
  return
}

// Rows of a table: the address is computed from an index that is read.
// CALL embedding_rows ids=unranked:6:i32<10 table=unranked:10x16 table_0=set=10 out=unranked:6x16 d=i32=16 grid=6 -> out:6x16
func.func @embedding_rows(%ids: memref<*xi32>, %table: memref<*xf32>, %out: memref<*xf32>, %d: i32, %g0: i32, %g1: i32, %g2: i32, %px: i32, %py: i32, %pz: i32) {
  %pi = arith.index_cast %px : i32 to index
  %iv = memref.reinterpret_cast %ids to offset: [%pi], sizes: [1], strides: [1] : memref<*xi32> to memref<1xi32, strided<[1], offset: ?>>
  %0 = affine.load %iv[0] : memref<1xi32, strided<[1], offset: ?>>
  %1 = arith.muli %0, %d : i32
  %2 = arith.index_cast %1 : i32 to index
  %tv = memref.reinterpret_cast %table to offset: [%2], sizes: [16], strides: [1] : memref<*xf32> to memref<16xf32, strided<[1], offset: ?>>
  %ta = memref.alloc() : memref<16xf32>
  memref.copy %tv, %ta : memref<16xf32, strided<[1], offset: ?>> to memref<16xf32>
  %t = bufferization.to_tensor %ta restrict writable : memref<16xf32>
  %3 = arith.muli %px, %d : i32
  %4 = arith.index_cast %3 : i32 to index
  %ov = memref.reinterpret_cast %out to offset: [%4], sizes: [16], strides: [1] : memref<*xf32> to memref<16xf32, strided<[1], offset: ?>>
  bufferization.materialize_in_destination %t in writable %ov : (tensor<16xf32>, memref<16xf32, strided<[1], offset: ?>>) -> ()
  return
}

// A row in blocks, summed at the end; the last block is masked.
// CALL row_sum x=unranked:4x40 y=unranked:4 n=i32=40 grid=4 -> y:4
func.func @row_sum(%x: memref<*xf32>, %y: memref<*xf32>, %n: i32, %g0: i32, %g1: i32, %g2: i32, %px: i32, %py: i32, %pz: i32) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c16i = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %0 = arith.muli %px, %n : i32
  %base = arith.index_cast %0 : i32 to index
  %ni = arith.index_cast %n : i32 to index
  %sum = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %init) -> (tensor<16xf32>) : i32 {
    %ki = arith.index_cast %k : i32 to index
    %at = arith.addi %base, %ki : index
    %v = memref.reinterpret_cast %x to offset: [%at], sizes: [16], strides: [1] : memref<*xf32> to memref<16xf32, strided<[1], offset: ?>>
    %a = memref.alloc() : memref<16xf32>
    %end = arith.addi %ki, %c16i : index
    %stop = arith.minsi %end, %ni : index
    %last = arith.maxsi %stop, %ki : index
    %valid = arith.subi %last, %ki : index
    %short = arith.cmpi slt, %valid, %c16i : index
    scf.if %short {
      linalg.fill ins(%zero : f32) outs(%a : memref<16xf32>)
    }
    %vs = memref.subview %v[0] [%valid] [1] : memref<16xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
    %as = memref.subview %a[0] [%valid] [1] : memref<16xf32> to memref<?xf32, strided<[1]>>
    memref.copy %vs, %as : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1]>>
    %t = bufferization.to_tensor %a restrict writable : memref<16xf32>
    %q = arith.addf %acc, %t : tensor<16xf32>
    scf.yield %q : tensor<16xf32>
  }
  %i = bufferization.alloc_tensor() : tensor<f32>
  %ii = tensor.insert %zero into %i[] : tensor<f32>
  %r = linalg.reduce ins(%sum : tensor<16xf32>) outs(%ii : tensor<f32>) dimensions = [0]
    (%in: f32, %o: f32) {
      %q = arith.addf %in, %o : f32
      linalg.yield %q : f32
    }
  %s = tensor.extract %r[] : tensor<f32>
  %pi = arith.index_cast %px : i32 to index
  %yv = memref.reinterpret_cast %y to offset: [%pi], sizes: [1], strides: [1] : memref<*xf32> to memref<1xf32, strided<[1], offset: ?>>
  affine.store %s, %yv[0] : memref<1xf32, strided<[1], offset: ?>>
  return
}

// The place of a maximum, as a reduction of pairs: the first of equals.
// CALL argmax x=unranked:4x32 y=unranked:4:i32 grid=4 -> y:4
func.func @argmax(%x: memref<*xf32>, %y: memref<*xi32>, %g0: i32, %g1: i32, %g2: i32, %px: i32, %py: i32, %pz: i32) {
  %c32 = arith.constant 32 : i32
  %none = arith.constant -1 : i32
  %low = arith.constant 0xFF800000 : f32
  %ei = tensor.empty() : tensor<32xi32>
  %places = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%ei : tensor<32xi32>) {
  ^bb0(%o: i32):
    %q = linalg.index 0 : index
    %r = arith.index_cast %q : index to i32
    linalg.yield %r : i32
  } -> tensor<32xi32>
  %0 = arith.muli %px, %c32 : i32
  %1 = arith.index_cast %0 : i32 to index
  %v = memref.reinterpret_cast %x to offset: [%1], sizes: [32], strides: [1] : memref<*xf32> to memref<32xf32, strided<[1], offset: ?>>
  %a = memref.alloc() : memref<32xf32>
  memref.copy %v, %a : memref<32xf32, strided<[1], offset: ?>> to memref<32xf32>
  %t = bufferization.to_tensor %a restrict writable : memref<32xf32>
  %e1 = tensor.empty() : tensor<f32>
  %f1 = linalg.fill ins(%low : f32) outs(%e1 : tensor<f32>) -> tensor<f32>
  %e2 = tensor.empty() : tensor<i32>
  %f2 = linalg.fill ins(%none : i32) outs(%e2 : tensor<i32>) -> tensor<i32>
  %red:2 = linalg.reduce ins(%t, %places : tensor<32xf32>, tensor<32xi32>) outs(%f1, %f2 : tensor<f32>, tensor<i32>) dimensions = [0]
    (%in: f32, %at: i32, %best: f32, %bestat: i32) {
      %eq = arith.cmpf oeq, %in, %best : f32
      %lt = arith.cmpi slt, %at, %bestat : i32
      %tie = arith.andi %eq, %lt : i1
      %gt = arith.cmpf ogt, %in, %best : f32
      %take = arith.ori %gt, %tie : i1
      %nv = arith.select %take, %in, %best : f32
      %ni = arith.select %take, %at, %bestat : i32
      linalg.yield %nv, %ni : f32, i32
    }
  %s = tensor.extract %red#1[] : tensor<i32>
  %pi = arith.index_cast %px : i32 to index
  %yv = memref.reinterpret_cast %y to offset: [%pi], sizes: [1], strides: [1] : memref<*xi32> to memref<1xi32, strided<[1], offset: ?>>
  affine.store %s, %yv[0] : memref<1xi32, strided<[1], offset: ?>>
  return
}

// A block of rows times a vector, column block by column block.
// CALL matvec A=unranked:32x48 x=unranked:48 y=unranked:32 n=i32=48 grid=4 -> y:32
func.func @matvec(%A: memref<*xf32>, %x: memref<*xf32>, %y: memref<*xf32>, %n: i32, %g0: i32, %g1: i32, %g2: i32, %px: i32, %py: i32, %pz: i32) {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %m = arith.muli %px, %c8 : i32
  %mi = arith.index_cast %m : i32 to index
  %ni = arith.index_cast %n : i32 to index
  %row = arith.muli %mi, %ni : index
  %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %init) -> (tensor<8xf32>) : i32 {
    %ki = arith.index_cast %k : i32 to index
    %ao = arith.addi %row, %ki : index
    %av = memref.reinterpret_cast %A to offset: [%ao], sizes: [8, 16], strides: [%ni, 1] : memref<*xf32> to memref<8x16xf32, strided<[?, 1], offset: ?>>
    %aa = memref.alloc() : memref<8x16xf32>
    memref.copy %av, %aa : memref<8x16xf32, strided<[?, 1], offset: ?>> to memref<8x16xf32>
    %at = bufferization.to_tensor %aa restrict writable : memref<8x16xf32>
    %xv = memref.reinterpret_cast %x to offset: [%ki], sizes: [16], strides: [1] : memref<*xf32> to memref<16xf32, strided<[1], offset: ?>>
    %xa = memref.alloc() : memref<16xf32>
    memref.copy %xv, %xa : memref<16xf32, strided<[1], offset: ?>> to memref<16xf32>
    %xt = bufferization.to_tensor %xa restrict writable : memref<16xf32>
    %x2 = tensor.expand_shape %xt [[0, 1]] output_shape [1, 16] : tensor<16xf32> into tensor<1x16xf32>
    %eb = tensor.empty() : tensor<8x16xf32>
    %xb = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x2 : tensor<1x16xf32>) outs(%eb : tensor<8x16xf32>) attrs = {broadcastDims = array<i64: 0>} {
    ^bb0(%in: f32, %o: f32):
      linalg.yield %in : f32
    } -> tensor<8x16xf32>
    %p = arith.mulf %at, %xb : tensor<8x16xf32>
    %s = linalg.reduce ins(%p : tensor<8x16xf32>) outs(%init : tensor<8xf32>) dimensions = [1]
      (%in: f32, %o: f32) {
        %q = arith.addf %in, %o : f32
        linalg.yield %q : f32
      }
    %w = arith.addf %acc, %s : tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  %yv = memref.reinterpret_cast %y to offset: [%mi], sizes: [8], strides: [1] : memref<*xf32> to memref<8xf32, strided<[1], offset: ?>>
  bufferization.materialize_in_destination %r in writable %yv : (tensor<8xf32>, memref<8xf32, strided<[1], offset: ?>>) -> ()
  return
}

// Root mean square of a row that is shorter than its block.
// CALL rms_norm x=unranked:6x24 w=unranked:24 y=unranked:6x24 n=i32=24 eps=f32=1 grid=6 -> y:6x24
func.func @rms_norm(%x: memref<*xf32>, %w: memref<*xf32>, %y: memref<*xf32>, %n: i32, %eps: f32, %g0: i32, %g1: i32, %g2: i32, %px: i32, %py: i32, %pz: i32) {
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %ni = arith.index_cast %n : i32 to index
  %0 = arith.muli %px, %n : i32
  %base = arith.index_cast %0 : i32 to index
  %v = memref.reinterpret_cast %x to offset: [%base], sizes: [32], strides: [1] : memref<*xf32> to memref<32xf32, strided<[1], offset: ?>>
  %a = memref.alloc() : memref<32xf32>
  %valid = arith.minsi %ni, %c32 : index
  %short = arith.cmpi slt, %valid, %c32 : index
  scf.if %short {
    linalg.fill ins(%zero : f32) outs(%a : memref<32xf32>)
  }
  %vs = memref.subview %v[0] [%valid] [1] : memref<32xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  %as = memref.subview %a[0] [%valid] [1] : memref<32xf32> to memref<?xf32, strided<[1]>>
  memref.copy %vs, %as : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1]>>
  %t = bufferization.to_tensor %a restrict writable : memref<32xf32>
  %sq = arith.mulf %t, %t : tensor<32xf32>
  %i = tensor.empty() : tensor<f32>
  %ii = linalg.fill ins(%zero : f32) outs(%i : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce { arith.addf } ins(%sq : tensor<32xf32>) outs(%ii : tensor<f32>) dimensions = [0]
  %s = tensor.extract %r[] : tensor<f32>
  %nf = arith.sitofp %n : i32 to f32
  %mean = arith.divf %s, %nf : f32
  %me = arith.addf %mean, %eps : f32
  %rs = math.rsqrt %me : f32
  %rt = tensor.splat %rs : tensor<32xf32>
  %nrm = arith.mulf %t, %rt : tensor<32xf32>
  %wv = memref.reinterpret_cast %w to offset: [0], sizes: [32], strides: [1] : memref<*xf32> to memref<32xf32, strided<[1]>>
  %wa = memref.alloc() : memref<32xf32>
  scf.if %short {
    linalg.fill ins(%zero : f32) outs(%wa : memref<32xf32>)
  }
  %wvs = memref.subview %wv[0] [%valid] [1] : memref<32xf32, strided<[1]>> to memref<?xf32, strided<[1]>>
  %was = memref.subview %wa[0] [%valid] [1] : memref<32xf32> to memref<?xf32, strided<[1]>>
  memref.copy %wvs, %was : memref<?xf32, strided<[1]>> to memref<?xf32, strided<[1]>>
  %wt = bufferization.to_tensor %wa restrict writable : memref<32xf32>
  %o = arith.mulf %nrm, %wt : tensor<32xf32>
  %yv = memref.reinterpret_cast %y to offset: [%base], sizes: [32], strides: [1] : memref<*xf32> to memref<32xf32, strided<[1], offset: ?>>
  %part = tensor.extract_slice %o[0] [%valid] [1] : tensor<32xf32> to tensor<?xf32>
  %ys = memref.subview %yv[0] [%valid] [1] : memref<32xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  bufferization.materialize_in_destination %part in writable %ys : (tensor<?xf32>, memref<?xf32, strided<[1], offset: ?>>) -> ()
  return
}

// A gated unit: x * sigmoid(x) * y, over both halves of one row.
// CALL swiglu ab=unranked:4x64 c=unranked:4x32 grid=4,2 -> c:4x32
func.func @swiglu(%ab: memref<*xf32>, %c: memref<*xf32>, %g0: i32, %g1: i32, %g2: i32, %px: i32, %py: i32, %pz: i32) {
  %c64 = arith.constant 64 : i32
  %c32 = arith.constant 32 : i32
  %c16 = arith.constant 16 : i32
  %c32i = arith.constant 32 : index
  %one = arith.constant dense<1.0> : tensor<16xf32>
  %0 = arith.muli %px, %c64 : i32
  %1 = arith.muli %py, %c16 : i32
  %2 = arith.addi %0, %1 : i32
  %ao = arith.index_cast %2 : i32 to index
  %bo = arith.addi %ao, %c32i : index
  %av = memref.reinterpret_cast %ab to offset: [%ao], sizes: [16], strides: [1] : memref<*xf32> to memref<16xf32, strided<[1], offset: ?>>
  %aa = memref.alloc() : memref<16xf32>
  memref.copy %av, %aa : memref<16xf32, strided<[1], offset: ?>> to memref<16xf32>
  %a = bufferization.to_tensor %aa restrict writable : memref<16xf32>
  %bv = memref.reinterpret_cast %ab to offset: [%bo], sizes: [16], strides: [1] : memref<*xf32> to memref<16xf32, strided<[1], offset: ?>>
  %ba = memref.alloc() : memref<16xf32>
  memref.copy %bv, %ba : memref<16xf32, strided<[1], offset: ?>> to memref<16xf32>
  %b = bufferization.to_tensor %ba restrict writable : memref<16xf32>
  %neg = arith.negf %a : tensor<16xf32>
  %ex = math.exp %neg : tensor<16xf32>
  %den = arith.addf %ex, %one : tensor<16xf32>
  %sig = arith.divf %one, %den : tensor<16xf32>
  %silu = arith.mulf %a, %sig : tensor<16xf32>
  %r = arith.mulf %silu, %b : tensor<16xf32>
  %3 = arith.muli %px, %c32 : i32
  %4 = arith.addi %3, %1 : i32
  %co = arith.index_cast %4 : i32 to index
  %cv = memref.reinterpret_cast %c to offset: [%co], sizes: [16], strides: [1] : memref<*xf32> to memref<16xf32, strided<[1], offset: ?>>
  bufferization.materialize_in_destination %r in writable %cv : (tensor<16xf32>, memref<16xf32, strided<[1], offset: ?>>) -> ()
  return
}

// The logarithm of a sum of exponentials minus the logit of a label, which is an address.
// CALL cross_entropy logits=unranked:5x32 labels=unranked:5:i32<32 loss=unranked:5 grid=5 -> loss:5
func.func @cross_entropy(%logits: memref<*xf32>, %labels: memref<*xi32>, %loss: memref<*xf32>, %g0: i32, %g1: i32, %g2: i32, %px: i32, %py: i32, %pz: i32) {
  %c32 = arith.constant 32 : i32
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %pi = arith.index_cast %px : i32 to index
  %0 = arith.muli %px, %c32 : i32
  %base = arith.index_cast %0 : i32 to index
  %lv = memref.reinterpret_cast %labels to offset: [%pi], sizes: [1], strides: [1] : memref<*xi32> to memref<1xi32, strided<[1], offset: ?>>
  %label = affine.load %lv[0] : memref<1xi32, strided<[1], offset: ?>>
  %v = memref.reinterpret_cast %logits to offset: [%base], sizes: [32], strides: [1] : memref<*xf32> to memref<32xf32, strided<[1], offset: ?>>
  %a = memref.alloc() : memref<32xf32>
  memref.copy %v, %a : memref<32xf32, strided<[1], offset: ?>> to memref<32xf32>
  %t = bufferization.to_tensor %a restrict writable : memref<32xf32>
  %i = tensor.empty() : tensor<f32>
  %m0 = linalg.fill ins(%low : f32) outs(%i : tensor<f32>) -> tensor<f32>
  %mr = linalg.reduce { arith.maximumf } ins(%t : tensor<32xf32>) outs(%m0 : tensor<f32>) dimensions = [0]
  %m = tensor.extract %mr[] : tensor<f32>
  %mt = tensor.splat %m : tensor<32xf32>
  %d = arith.subf %t, %mt : tensor<32xf32>
  %ex = math.exp %d : tensor<32xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%i : tensor<f32>) -> tensor<f32>
  %sr = linalg.reduce { arith.addf } ins(%ex : tensor<32xf32>) outs(%s0 : tensor<f32>) dimensions = [0]
  %s = tensor.extract %sr[] : tensor<f32>
  %lg = math.log %s : f32
  %lse = arith.addf %lg, %m : f32
  %1 = arith.addi %0, %label : i32
  %2 = arith.index_cast %1 : i32 to index
  %xv = memref.reinterpret_cast %logits to offset: [%2], sizes: [1], strides: [1] : memref<*xf32> to memref<1xf32, strided<[1], offset: ?>>
  %x = affine.load %xv[0] : memref<1xf32, strided<[1], offset: ?>>
  %l = arith.subf %lse, %x : f32
  %ov = memref.reinterpret_cast %loss to offset: [%pi], sizes: [1], strides: [1] : memref<*xf32> to memref<1xf32, strided<[1], offset: ?>>
  affine.store %l, %ov[0] : memref<1xf32, strided<[1], offset: ?>>
  return
}

// Offsets of rows modulo M: the block is read in two parts, of which the second one may be empty.
// CALL wrapped_rows arg0=unranked:48x32 arg2=unranked:48 M=i32=48 K=i32=32 grid=3 -> arg2:48
func.func @wrapped_rows(%arg0: memref<*xf32>, %arg2: memref<*xf32>, %M: i32, %K: i32, %g0: i32, %g1: i32, %g2: i32, %p0: i32, %p1: i32, %p2: i32) {
  %c16_i32 = arith.constant 16 : i32
  %c16 = arith.constant 16 : index
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %m = arith.index_cast %M : i32 to index
  %k = arith.index_cast %K : i32 to index
  %o = arith.muli %p0, %c16_i32 : i32
  %oi = arith.index_cast %o : i32 to index
  %start = arith.muli %oi, %k : index
  %total = arith.muli %m, %k : index
  %col = arith.remsi %start, %k : index
  %wrapped = arith.addi %total, %col : index
  %left = arith.subi %wrapped, %start : index
  %d1 = arith.divsi %left, %k : index
  %r1 = arith.minsi %d1, %c16 : index
  %r2 = arith.subi %c16, %r1 : index
  %a1 = memref.reinterpret_cast %arg0 to offset: [%start], sizes: [%r1, 32], strides: [%k, 1] : memref<*xf32> to memref<?x32xf32, strided<[?, 1], offset: ?>>
  %a2 = memref.reinterpret_cast %arg0 to offset: [%col], sizes: [%r2, 32], strides: [%k, 1] : memref<*xf32> to memref<?x32xf32, strided<[?, 1], offset: ?>>
  %buf = memref.alloc() : memref<16x32xf32>
  %b1 = memref.subview %buf[0, 0] [%r1, 32] [1, 1] : memref<16x32xf32> to memref<?x32xf32, strided<[32, 1]>>
  %b2 = memref.subview %buf[%r1, 0] [%r2, 32] [1, 1] : memref<16x32xf32> to memref<?x32xf32, strided<[32, 1], offset: ?>>
  memref.copy %a1, %b1 : memref<?x32xf32, strided<[?, 1], offset: ?>> to memref<?x32xf32, strided<[32, 1]>>
  memref.copy %a2, %b2 : memref<?x32xf32, strided<[?, 1], offset: ?>> to memref<?x32xf32, strided<[32, 1], offset: ?>>
  %t = bufferization.to_tensor %buf restrict writable : memref<16x32xf32>
  %e = tensor.empty() : tensor<16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %r = linalg.reduce { arith.addf } ins(%t : tensor<16x32xf32>) outs(%f : tensor<16xf32>) dimensions = [1]
  %out = memref.reinterpret_cast %arg2 to offset: [%oi], sizes: [16], strides: [1] : memref<*xf32> to memref<16xf32, strided<[1], offset: ?>>
  %end = arith.addi %oi, %c16 : index
  %lim = arith.minsi %end, %m : index
  %len = arith.subi %lim, %oi : index
  %sl = tensor.extract_slice %r[0] [%len] [1] : tensor<16xf32> to tensor<?xf32>
  %sv = memref.subview %out[0] [%len] [1] : memref<16xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  bufferization.materialize_in_destination %sl in writable %sv : (tensor<?xf32>, memref<?xf32, strided<[1], offset: ?>>) -> ()
  return
}

// Sums of columns, masked in both dimensions: the masks' sizes are joined by `or`.
// CALL columns x=unranked:20x24 y=unranked:24 M=i32=20 N=i32=24 grid=3 -> y:24
func.func @columns(%x: memref<*xf32>, %y: memref<*xf32>, %M: i32, %N: i32, %g0: i32, %g1: i32, %g2: i32, %px: i32, %py: i32, %pz: i32) {
  %c8 = arith.constant 8 : index
  %c8_i32 = arith.constant 8 : i32
  %c0_i32 = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = arith.muli %px, %c8_i32 : i32
  %pi = arith.index_cast %p : i32 to index
  %ni = arith.index_cast %N : i32 to index
  %mi = arith.index_cast %M : i32 to index
  %all = scf.for %i = %c0_i32 to %M step %c8_i32 iter_args(%acc = %init) -> (tensor<8x8xf32>) : i32 {
    %ii = arith.index_cast %i : i32 to index
    %row = arith.muli %ii, %ni : index
    %at = arith.addi %row, %pi : index
    %v = memref.reinterpret_cast %x to offset: [%at], sizes: [8, 8], strides: [%ni, 1] : memref<*xf32> to memref<8x8xf32, strided<[?, 1], offset: ?>>
    %im = arith.addi %ii, %c8 : index
    %il = arith.minsi %im, %mi : index
    %id = arith.subi %il, %ii : index
    %rows = arith.minsi %id, %c8 : index
    %jm = arith.addi %pi, %c8 : index
    %jl = arith.minsi %jm, %ni : index
    %jd = arith.subi %jl, %pi : index
    %columns = arith.minsi %jd, %c8 : index
    %t = memref.alloc() : memref<8x8xf32>
    %fewRows = arith.cmpi slt, %rows, %c8 : index
    %fewColumns = arith.cmpi slt, %columns, %c8 : index
    %few = arith.ori %fewRows, %fewColumns : i1
    scf.if %few {
      linalg.fill ins(%zero : f32) outs(%t : memref<8x8xf32>)
    }
    %s = memref.subview %v[0, 0] [%rows, %columns] [1, 1] : memref<8x8xf32, strided<[?, 1], offset: ?>> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    %d = memref.subview %t[0, 0] [%rows, %columns] [1, 1] : memref<8x8xf32> to memref<?x?xf32, strided<[8, 1]>>
    memref.copy %s, %d : memref<?x?xf32, strided<[?, 1], offset: ?>> to memref<?x?xf32, strided<[8, 1]>>
    %tt = bufferization.to_tensor %t restrict writable : memref<8x8xf32>
    %next = linalg.add ins(%acc, %tt : tensor<8x8xf32>, tensor<8x8xf32>) outs(%acc : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %next : tensor<8x8xf32>
  }
  %e1 = tensor.empty() : tensor<8xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
  %sum = linalg.reduce { arith.addf } ins(%all : tensor<8x8xf32>) outs(%z1 : tensor<8xf32>) dimensions = [0]
  %to = memref.reinterpret_cast %y to offset: [%pi], sizes: [8], strides: [1] : memref<*xf32> to memref<8xf32, strided<[1], offset: ?>>
  bufferization.materialize_in_destination %sum in writable %to : (tensor<8xf32>, memref<8xf32, strided<[1], offset: ?>>) -> ()
  return
}
