// Eight columns; memories of a column that rows share; figures are left out.
%mm = df.mat "MM" { shape = [8, 8, 8] }
%vv = df.vec "VV" { shape = [32], throughput = 32 }
%c = df.spatial_dim "c", 8
%r = df.spatial_dim "r", 4
%t = df.core "tile" { scaleout = (%c, %r), scalein = (%mm, %vv, [1, 1]) }
%m = df.memory "local" { scaleout = (%c, %r), size = 65536 }
%own = df.mux %t, %m { map = affine_map<(d0, d1) -> (d0, d1)> }
%h = df.interconnects %m, %m { map = affine_map<(d0, d1) -> ((d0 + 1) mod 8, d1)> }
%v = df.interconnects %m, %m { map = affine_map<(d0, d1) -> (d0, d1 + 1)> }
%g = df.spatial_dim "g", 4
%dram = df.memory "dram" { scaleout = (%g), bandwidth = 32 }
%port = df.interconnects %m, %dram { map = affine_map<(d0, d1) -> (d0 floordiv 2)> }
