// The generic form, in which a tool prints operations: operands in brackets, attributes on lines of
// their own, types of functions.
module {
    %x = df.spatial_dim "x", 8
    %y = df.spatial_dim "y", 8
    %tiles = "df.compute"(%x, %y) {label = "tiles", map = affine_map<(d0, d1) -> (d0, d1)>} : (index, index) -> !df.compute
    %column = "df.memory"(%x) {label = "column_memory", map = affine_map<(d0) -> (d0)>} : (index) -> !df.memory
    %use = "df.mux"(%tiles, %column, %x, %y)
        {map = affine_map<(d0, d1) -> (d0)>}
        : (!df.compute, !df.memory, index, index) -> !df.mux
    %down = "df.interconnects"(%tiles, %tiles, %x, %y)
        {map = affine_map<(d0, d1) -> (d0, d1 + 1)>}
        : (!df.compute, !df.compute, index, index) -> !df.interconnect
    %across = "df.interconnects"(%column, %column, %x)
        {map = affine_map<(d0) -> (d0 + 1)>}
        : (!df.memory, !df.memory, index) -> !df.interconnect
}
