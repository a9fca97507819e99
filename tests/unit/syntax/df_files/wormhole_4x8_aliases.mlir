#own = affine_map<(d0, d1) -> (d0, d1)>
#right = affine_map<(d0, d1) -> ((d0 + 1) mod 4, d1)>
#down = affine_map<(d0, d1) -> (d0, (d1 + 1) mod 8)>
#channel = affine_map<(d0, d1) -> (d0 floordiv 2)>
module @half_socket attributes {loom.target = "wormhole", loom.block_size_0 = -1 : index} {
  %0 = df.mat "FPU" {shape = [32, 32, 32]}
  %1 = df.vec "SFPU" {shape = [32]}
  %2 = df.spatial_dim "x", 4
  %3 = df.spatial_dim "y", 8
  %4 = df.core "core" {scaleout=(%2, %3) , scalein=(%0, %1, [8, 1]), label = "half", launch_grid = [4, 8]}
  %5 = df.memory "L1" {scaleout=(%2, %3) , size = 1499136 : i64, bandwidth = 60 : i64}
  %6 = df.mux %4 : !df.compute, %5 : !df.memory  {map = #own}
  %7 = df.interconnects "h" %5 : !df.memory, %5 : !df.memory  {bandwidth = 28 : i64, map = #right, spatial_dims = [@x]} : !df.interconnect
  %8 = df.interconnects "v" %5 : !df.memory, %5 : !df.memory  {bandwidth = 28 : i64, map = #down, spatial_dims = [@y]} : !df.interconnect
  %9 = df.spatial_dim "d", 2
  %10 = df.memory "DRAM" {scaleout=(%9) , size = 12884901888 : i64, bandwidth = 128 : i64}
  %11 = df.interconnects "to_dram" %5 : !df.memory, %10 : !df.memory  {map = #channel} : !df.interconnect
}
