// One row of a socket, without a module around it.
%FPU = df.mat { shape=[32, 32, 32], throughput=98 }
%SFPU = df.vec { shape=[32], throughput=3 }
%x = df.spatial_dim 8
%cores = df.core { scaleout = (%x), scalein = (%FPU, %SFPU, [8, 1]) }
// Per-core scratchpad memories.
%l1 = df.memory { scaleout = %x, size = 1499136, bandwidth = 60 }
%core_to_l1 = df.mux %cores, %l1, { map = affine_map<(d0) -> (d0)> }
%ring = df.interconnects %l1, %l1, { map = affine_map<(d0) -> ((d0 + 1)
  mod 8)>, bandwidth = 28 }
%dram_idx = df.spatial_dim 2
%drams = df.memory { scaleout = %dram_idx, size = 12884901888, bandwidth = 72 }
%to_dram = df.interconnects %l1, %drams { map = affine_map<(d0) -> (d0 floordiv 4)>, bandwidth = 30 }
