// Clusters of cores with rings inside and one ring of clusters, both dimensions in one operation.
module {
  %m = df.mat "M" {shape = [16, 16, 16], throughput = 256}
  %v = df.vec "V" {shape = [16], throughput = 16}
  %cluster = df.spatial_dim "cluster", 4
  %lane = df.spatial_dim "lane", 8
  %cores = df.core "lane_core" {scaleout=(%cluster, %lane), scalein=(%m, %v, [2, 1])}
  %tcm = df.memory "TCM" {scaleout=(%cluster, %lane), size = 262144, bandwidth = 64, scope = "lane"}
  %own = df.mux %cores, %tcm, {map = affine_map<(d0, d1) -> (d0, d1)>}
  %inner = df.interconnects "inner" %tcm : !df.memory, %tcm : !df.memory, {map = affine_map<(d0, d1) -> (d0, (d1 + 1) mod 4)>, bandwidth = 32, spatial_dims = [@cluster, @lane]} : !df.interconnect
  %outer = df.interconnects "outer" %tcm : !df.memory, %tcm : !df.memory, {map = affine_map<(d0, d1) -> ((d0 + 1) mod 4, d1)>, bandwidth = 16, spatial_dims = [@cluster]} : !df.interconnect
  %shared = df.memory "SLM" {scaleout=(%cluster), size = 4194304, bandwidth = 128, scope = "cluster"}
  %fill = df.interconnects %tcm, %shared, {map = affine_map<(d0, d1) -> (d0)>, bandwidth = 64}
  %hbm_i = df.spatial_dim "hbm", 2
  %hbm = df.memory "HBM" {scaleout=(%hbm_i), size = 17179869184, bandwidth = 400, scope = "global"}
  %to_hbm = df.interconnects %shared, %hbm, {map = affine_map<(d0) -> (d0 floordiv 2)>, bandwidth = 128}
}
