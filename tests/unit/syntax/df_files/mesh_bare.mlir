// The least a description says: cores in a mesh, their links, no memory and no units.
module {
    %x = df.spatial_dim "x", 8
    %y = df.spatial_dim "y", 8
    %tiles = df.compute "tiles", %x, %y {map = affine_map<(d0, d1) -> (d0, d1)>}
    %east = df.interconnects %tiles : !df.compute, %tiles: !df.compute, %x, %y {map = affine_map<(d0, d1) -> (d0 + 1, d1)>} : !df.interconnect
    %south = df.interconnects %tiles : !df.compute, %tiles: !df.compute, %x, %y {map = affine_map<(d0, d1) -> (d0, d1 + 1)>} : !df.interconnect
}
