// An AMD NPU: four columns of four cores, a memory tile and a port to DRAM per column.
module attributes {df.vendor = "amd", df.generation = 1 : i32} {
  %aie = df.mat "AIE" {shape = [4, 8, 4], throughput = 256, dtype = "bf16", macs_per_cycle = 128 : i64}
  %vec = df.vec "VPU" {shape = [16], throughput = 16}
  %col = df.spatial_dim "col", 4
  %row = df.spatial_dim "row", 4
  %cores = df.core "aie_tile" {scaleout=(%col, %row), scalein=(aie, vec, [1,1])}
  %l1 = df.memory "dm" {scaleout=(%col, %row), size = 65536, bandwidth = 64, banks = 4 : i64}
  %own = df.mux %cores, %l1, {map = affine_map<(d0, d1) -> (d0, d1)>}
  %l2 = df.memory "memtile" {scaleout=(%col), size = 524288, bandwidth = 32}
  %up = df.interconnects "memtile_ports" %l1, %l2, {map = affine_map<(d0, d1) -> (d0)>, bandwidth = 32}
  %east = df.interconnects "stream_h" %l1, %l1, {map = affine_map<(d0, d1) -> (d0 + 1, d1)>, bandwidth = 32, spatial_dims = [@col]}
  %north = df.interconnects "stream_v" %l1, %l1, {map = affine_map<(d0, d1) -> (d0, d1 + 1)>, bandwidth = 32, spatial_dims = [@row]}
  %one = df.spatial_dim "ddr", 1
  %ddr = df.memory "DDR" {scaleout=(%one), size = 17179869184, bandwidth = 60}
  %shim = df.interconnects "shim" %l2, %ddr, {map = affine_map<(d0) -> (0)>, bandwidth = 16}
}
