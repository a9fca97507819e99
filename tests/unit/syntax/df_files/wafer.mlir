// A part of a wafer: a large mesh of small cores, whose edges lead to memory outside.
module {
  %fmac = df.vec "FMAC" {shape = [4], throughput = 4 : i64}
  %dot = df.mat "DOT" {shape = [1, 4, 1], throughput = 8 : i64}
  %x = df.spatial_dim "x", 32
  %y = df.spatial_dim "y", 24
  %pe = df.core "pe" {scaleout=(%x, %y), scalein=(%dot, %fmac, [1, 1])}
  %sram = df.memory "SRAM" {scaleout=(%x, %y), size = 49152 : i64, bandwidth = 16 : i64}
  %own = df.mux %pe : !df.compute, %sram : !df.memory {map = affine_map<(d0, d1) -> (d0, d1)>} : !df.mux
  %e = df.interconnects "east" %sram : !df.memory, %sram : !df.memory {map = affine_map<(d0, d1) -> (d0 + 1, d1)>, bandwidth = 4 : i64} : !df.interconnect
  %s = df.interconnects "south" %sram : !df.memory, %sram : !df.memory {map = affine_map<(d0, d1) -> (d0, d1 + 1)>, bandwidth = 4 : i64} : !df.interconnect
  %io = df.spatial_dim "io", 24
  %host = df.memory "MemoryX" {scaleout=(%io), size = 1099511627776 : i64, bandwidth = 8 : i64}
  %edge = df.interconnects "edge" %sram : !df.memory, %host : !df.memory {map = affine_map<(d0, d1) -> (d1)>, bandwidth = 4 : i64} : !df.interconnect
}
