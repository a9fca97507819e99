// A Wormhole socket: rates without units, links that name their dimension.
module {
  %fpu = df.mat "FPU" {shape = [32, 32, 32], throughput = 98}
  %sfpu = df.vec "SFPU" {shape = [32], throughput = 3}
  %scalar = df.scalar "riscv" {latency = 2}
  %x = df.spatial_dim "x", 8
  %y = df.spatial_dim "y", 8
  %tensix = df.core "tensix" {scaleout=(%x, %y) , scalein=(%fpu, %sfpu, [8, 1])}
  %l1 = df.memory "L1" {scaleout=(%x, %y) , size = 1499136, bandwidth = 60}
  %own = df.mux %tensix : !df.compute, %l1 : !df.memory  {map = affine_map<(d0, d1) -> (d0, d1)>}
  %noc0 = df.interconnects "rows" %l1 : !df.memory, %l1 : !df.memory  {bandwidth = 28 : i64, map = affine_map<(d0, d1) -> ((d0 + 1) mod 8, d1)>, spatial_dims = [@x]} : !df.interconnect
  %noc1 = df.interconnects "columns" %l1 : !df.memory, %l1 : !df.memory  {bandwidth = 28 : i64, map = affine_map<(d0, d1) -> (d0, (d1 + 1) mod 8)>, spatial_dims = [@y]} : !df.interconnect
  %d = df.spatial_dim "d", 4
  %gddr = df.memory "GDDR6" {scaleout=(%d) , size = 12884901888, bandwidth = 267}
  %up = df.interconnects "to_dram" %l1 : !df.memory, %gddr : !df.memory  {map = affine_map<(d0, d1) -> (d0 ceildiv 4 + (d1 ceildiv 4) * 2)>} : !df.interconnect
}
