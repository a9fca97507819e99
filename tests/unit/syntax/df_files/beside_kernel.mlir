// A description and a kernel that a compiler mapped onto it, in one module.
#map = affine_map<()[s0, s1] -> ((s0 ceildiv 4) ceildiv s1)>
module attributes {loom.block_size_0 = -1 : index, loom.block_size_1 = -1 : index} {
  %0 = df.mat "FPU" {shape = [32, 32, 32], throughput = 128}
  %1 = df.vec "SFPU" {shape = [32]}
  %2 = df.spatial_dim "x", 4
  %3 = df.spatial_dim "y", 4
  %4 = df.core "core" {scaleout=(%2, %3) , scalein=(%0, %1, [4, 1])}
  %5 = df.memory "L1" {scaleout=(%2, %3) , size = 1048576, bandwidth = 32}
  %6 = df.mux %4 : !df.compute, %5 : !df.memory  {map = affine_map<(d0, d1) -> (d0, d1)>}
  %7 = df.interconnects "horizontal" %5 : !df.memory, %5 : !df.memory  {bandwidth = 64 : i64, map = affine_map<(d0, d1) -> ((d0 + 1) mod 4, d1)>, spatial_dims = [@y]} : !df.interconnect
  %8 = df.interconnects "vertical" %5 : !df.memory, %5 : !df.memory  {bandwidth = 64 : i64, map = affine_map<(d0, d1) -> (d0, (d1 + 1) mod 4)>, spatial_dims = [@x]} : !df.interconnect
  %9 = df.spatial_dim "d", 4
  %10 = df.memory "DRAM" {scaleout=(%9) , size = 34359738368, bandwidth = 128}
  %11 = df.interconnects "to_dram" %5 : !df.memory, %10 : !df.memory  {map = affine_map<(d0, d1) -> (d0)>} : !df.interconnect
  func.func @matmul_kernel__d0i0_d1i0(%arg0: memref<*xf32> {tt.divisibility = 16 : i32}, %arg1: memref<*xf32>, %arg2: index, %arg3: index) {
    affine.parallel (%arg4) = (0) to (4) {
      affine.for %arg5 = 0 to #map()[%arg2, %arg3] {
        %12 = df.chained_load %arg0[%arg4 + 3] : memref<*xf32>, over %7
        "loom.tile"(%12) {sizes = [32, 32], text = "} // not an end"} : (f32) -> ()
      } {loom.wave = 0 : i64}
    }
    return
  }
}
