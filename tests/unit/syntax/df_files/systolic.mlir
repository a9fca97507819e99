// One array behind buffers: a single core that is a systolic array.
module {
  %pe_array = df.mat "array" {shape = [16, 16, 16], throughput = 512, dataflow = "output_stationary"}
  %alu = df.vec "alu" {shape = [16]}
  %n = df.spatial_dim "n", 1
  %core = df.core "array" {scaleout=(%n), scalein=(%pe_array, %alu, [1, 1])}
  %buffer = df.memory "global_buffer" {scaleout=(%n), size = 524288, bandwidth = 64}
  %use = df.mux %core, %buffer, {map = affine_map<(d0) -> (d0)>}
  %hbm = df.memory "HBM" {scaleout=(%n), size = 8589934592, bandwidth = 32}
  %bus = df.interconnects "bus" %buffer, %hbm, {map = affine_map<(d0) -> (d0)>}
}
