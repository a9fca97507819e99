// Two rings of four in a dimension of eight, and two rows.
module {
  %m = df.mat "M" {shape = [16, 16, 16], throughput = 256}
  %v = df.vec "V" {shape = [16], throughput = 16}
  %x = df.spatial_dim "x", 8
  %y = df.spatial_dim "y", 2
  %cores = df.core "cores" {scaleout=(%x, %y), scalein=(%m, %v, [1, 1])}
  %l1 = df.memory "L1" {scaleout=(%x, %y), size = 262144, bandwidth = 64}
  %own = df.mux %cores, %l1, {map = affine_map<(d0, d1) -> (d0, d1)>}
  %inner = df.interconnects "inner" %l1 : !df.memory, %l1 : !df.memory, {map = affine_map<(d0, d1) -> (d0 - d0 mod 4 + (d0 + 1) mod 4, d1)>, bandwidth = 32}
  %rows = df.interconnects "rows" %l1 : !df.memory, %l1 : !df.memory, {map = affine_map<(d0, d1) -> (d0, (d1 + 1) mod 2)>, bandwidth = 16}
  %hbm_i = df.spatial_dim "hbm", 2
  %hbm = df.memory "HBM" {scaleout=(%hbm_i), size = 17179869184, bandwidth = 400}
  %to_hbm = df.interconnects %l1, %hbm, {map = affine_map<(d0, d1) -> (d0 floordiv 4)>, bandwidth = 128}
}
