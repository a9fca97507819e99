// The same machine as printed in a listing: undefined names, an undefined destination, no labels.
module {
  %PT = df.mat {shape = [128, 128, 128], throughput=16384}
  %SFP = df.vec {shape = [128], throughput=128}
  %x = df.spatial_dim 32
  %y = df.spatial_dim 2
  %cores = df.core "cores" {scaleout=(%x, %y), scalein=(%PT, %SFP, [1,1])}
  %L1 = df.memory {scaleout=(%x), size = 2097152, bandwidth = 128}
  %core_to_mem = df.mux %cores, %memories, {map = affine_map<(d0, d1) -> (d0)>}
  %small_rings = df.interconnects %cores, %cores, {map = affine_map<(d0, d1) -> ((d0 + 1) mod 8, d1)>, bandwidth = 32}
  %big_ring = df.interconnects %L1, %L1, {map = affine_map<(d0) -> ((d0 + 1) mod 8)>, bandwidth = 258}
  %d = df.spatial_dim 2
  %dram = df.memory {scaleout=(%d), size = 34359738368, bandwidth = 512}
  %to_dram = df.interconnects %dram, %L1, {map = affine_map<(d0) -> (d0+31)>}
}
