// SPDX-License-Identifier: Apache-2.0
// Hardware in the df dialect as MLIR's own printers and users write it: the generic form, symbols,
// typed and dense values, components in a function, listings as they were printed.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "hardware/topology.h"
#include "syntax/hardware_parser.h"
#include "syntax/hardware_printer.h"

namespace gridloom {
namespace {

struct Machine {
  hardware::HardwareSpec spec;
  std::string remarks;
};

Machine machineOf(const std::string& text) {
  auto spec = syntax::parseHardware(base::makeSource("m.mlir", text), "m");
  Machine out{{}, base::render(spec.diagnostics())};
  EXPECT_TRUE(spec.ok()) << out.remarks;
  if (!spec) return out;
  out.spec = *std::move(spec);
  auto topology = hardware::makeTopology(out.spec);
  EXPECT_TRUE(topology.ok()) << base::render(topology.diagnostics());
  return out;
}

std::string refusal(const std::string& text) {
  auto spec = syntax::parseHardware(base::makeSource("m.mlir", text), "m");
  EXPECT_FALSE(spec.ok()) << text;
  return base::render(spec.diagnostics());
}

bool says(const Machine& machine, std::string_view what) {
  return machine.remarks.find(what) != std::string::npos;
}

// Units stand behind the dimensions, their numbers in an attribute of any name.
TEST(HardwareDialect, CoresInTheGenericFormHaveTheirUnitsAsOperands) {
  const Machine machine = machineOf(R"("builtin.module"() ({
  %0 = "df.mat"() <{label = "MXU", shape = [16, 16, 16], throughput = 64 : i64}> : () -> !df.unit
  %1 = "df.vec"() <{label = "VPU", shape = [8 : i32]}> : () -> !df.unit<"v", 8>
  %2 = "df.spatial_dim"() <{name = "x", size = 4 : i64}> : () -> index
  %3 = "df.core"(%2, %0, %1) <{counts = array<i64: 2, 3>, label = "core", operandSegmentSizes = array<i32: 1, 2>}> : (index, !df.unit, !df.unit) -> !df.compute
  %4 = "df.memory"(%2) <{bandwidth = 16 : i64, label = "L1", size = 0x10000}> : (index) -> !df.memory
  %5 = "df.mux"(%3, %4) <{map = affine_map<(d0)[] -> (d0)>}> : (!df.compute, !df.memory) -> !df.mux
  %6 = "df.interconnects"(%4, %4) <{map = affine_map<(d0) -> ((d0 + 1) mod 4)>, spatial_dims = [@x]}> : (!df.memory, !df.memory) -> !df.interconnect
  "func.func"() <{function_type = () -> (), sym_name = "k"}> ({
  ^bb0(%arg0: memref<*xf32>):
    "func.return"() : () -> ()
  }) {a = 1 : i64} : () -> ()
}) : () -> ()
)");
  ASSERT_EQ(machine.spec.cores.size(), 1u);
  ASSERT_EQ(machine.spec.cores[0].scalein.size(), 2u);
  EXPECT_EQ(machine.spec.cores[0].scalein[0].unit, "MXU");
  EXPECT_EQ(machine.spec.cores[0].scalein[0].count, 2);
  EXPECT_EQ(machine.spec.cores[0].scalein[1].count, 3);
  EXPECT_EQ(machine.spec.dims[0].name, "x");
  EXPECT_EQ(machine.spec.memories[0].size.value, 65536);
}

TEST(HardwareDialect, OfSeveralListsTheNamedOneCountsTheUnits) {
  const auto textWith = [](const std::string& lists) {
    return R"(%m = "df.mat"() {shape = [16, 16, 16], throughput = 512} : () -> i32
%v = "df.vec"() {shape = [16], throughput = 16} : () -> i32
%x = "df.spatial_dim"() {size = 8} : () -> i32
%cores = "df.core"(%x, %m, %v) <{)" +
           lists + "}> : (i32, i32, i32) -> i32\n";
  };
  for (const char* lists :
       {"position = [3, 4], counts = [8, 2]", "scalein_counts = [8, 2], position = [3, 4]",
        "numbers = [8, 2], position = [3, 4, 5]"}) {
    const Machine machine = machineOf(textWith(lists));
    ASSERT_EQ(machine.spec.cores.at(0).scalein.size(), 2u) << lists;
    EXPECT_EQ(machine.spec.cores[0].scalein[0].count, 8) << lists;
    EXPECT_EQ(machine.spec.cores[0].scalein[1].count, 2) << lists;
  }
  for (const char* lists :
       {"position = [3, 4], number = [8, 2]", "counts = [3, 4], scalein_counts = [8, 2]"}) {
    const std::string refused = refusal(textWith(lists));
    EXPECT_NE(refused.find("` may be the units' numbers"), std::string::npos) << refused;
  }
}

TEST(HardwareDialect, SymbolsStandForNames) {
  const Machine machine = machineOf(R"(module {
  df.spatial_dim @x = 4
  df.spatial_dim @"y", 2 : index
  df.mat "MXU" {shape = dense<16> : tensor<3xi64>, chained_to = @hw::@none, exact}
  df.core @tiles {scaleout = (@x, @y), scalein = (@MXU, dense<2> : tensor<1xi64>)}
  df.memory "L1" {scaleout = (@x, @y), "size" = 4096 : i64, df.note = "n", type = !df.memory}
  %m = df.mux @tiles, @L1 {map = affine_map<(d0, d1) -> (d0, d1)>}
  df.interconnects "rows" @L1, @L1 {map = affine_map<(d0, d1) -> ((d0 + 1) mod 4, d1)>}
})");
  ASSERT_EQ(machine.spec.dims.size(), 3u);  // with that of the assumed global memory
  EXPECT_EQ(machine.spec.dims[1].size, 2);
  EXPECT_EQ(machine.spec.matrixUnits[0].shape[2], 16);
  EXPECT_EQ(machine.spec.cores[0].scalein.at(0).count, 2);
  EXPECT_EQ(machine.spec.memories[0].size.value, 4096);
  EXPECT_EQ(machine.spec.muxes[0].source, "L1");
  EXPECT_EQ(machine.spec.interconnects[0].name, "rows");
  EXPECT_TRUE(says(machine, "no network leads along d1 of `%L1`; assumed links"));
  EXPECT_NE(refusal("df.memory {size = 8}").find("this component has no name"), std::string::npos);
}

TEST(HardwareDialect, SymbolsAreLabelsBeforeTheyAreNames) {
  const Machine machine = machineOf(R"(%x = df.spatial_dim @y = 8
%y = df.spatial_dim @x = 4
%cores = df.core {scaleout = (@x, @y)}
)");
  ASSERT_EQ(machine.spec.cores.at(0).scaleout.size(), 2u);
  EXPECT_EQ(machine.spec.dims.at(machine.spec.cores[0].scaleout[0].value()).size, 4);
  EXPECT_EQ(machine.spec.dims.at(machine.spec.cores[0].scaleout[1].value()).size, 8);
  const std::string twice = refusal("%a = df.spatial_dim \"x\" 8\n%b = df.spatial_dim \"x\" 4\n"
                                    "%cores = df.core {scaleout = (@x)}\n");
  EXPECT_NE(twice.find("m.mlir:3:31: error: two components have the label `x`"), std::string::npos)
      << twice;
  EXPECT_NE(twice.find("give one of `%a` and `%b` another label"), std::string::npos) << twice;
}

TEST(HardwareDialect, AttributesMayStandInBrackets) {
  const Machine machine = machineOf(R"(%x = df.spatial_dim 4
%cores = df.core(scaleout = (%x))
%ring = df.interconnects %cores, %cores {
  map = affine_map<(d0) -> ((d0+1) mod 4)>,
  bandwidth = 28
})");
  EXPECT_EQ(machine.spec.interconnects[0].bandwidth.value, 28);
  EXPECT_EQ(machine.spec.cores[0].scaleout.size(), 1u);
}

// The first files of TL's authors have dimensions and links alone, also inside of a function.
TEST(HardwareDialect, CoresAreAssumedBetweenLinksOfDimensions) {
  const Machine machine = machineOf(R"(module {
  func.func @mm(%A: memref<?x?xf32> {a = 1}, // M x K
                %M: index) attributes {b = {c = 2}} {
    // 4 x 2
    %x = df.spatial_dim 4
    %y = df.spatial_dim 2
    %rows = "df.interconnects"(%x, %y) {map = affine_map<(d0, d1) -> (d0 + 1, d1)>} : (index, index) -> !df.interconnect
    %columns = "df.interconnects"(%x, %y) {map = affine_map<(d0, d1) -> (d0, d1 + 1)>} : (index, index) -> !df.interconnect
    affine.parallel (%m) = (0) to (%M) {
      %a = df.chained_load %A[%m, %m] : memref<?x?xf32>, over %rows
      affine.store %a, %A[%m, %m] : memref<?x?xf32>
    }
    return
  }
  func.func @other() { return }
})");
  EXPECT_TRUE(says(machine, "no `df.core` declares the cores; assumed one for each point"));
  EXPECT_TRUE(says(machine, "write `%cores = df.core { scaleout = (%x, %y) }`"));
  ASSERT_EQ(machine.spec.cores.size(), 1u);
  EXPECT_EQ(machine.spec.cores[0].scaleout.size(), 2u);
  EXPECT_EQ(machine.spec.interconnects[1].source, "cores");
}

TEST(HardwareDialect, LinksOverDimensionsJoinTheCoresOfTheseDimensions) {
  const std::string dims = "%x = df.spatial_dim 4\n%y = df.spatial_dim 4\n";
  const std::string cores = dims + "%cores = df.core {scaleout = (%x, %y)}\n";
  const std::string rows = "{map = affine_map<(d0, d1) -> ((d0 + 1) mod 4, d1)>, bandwidth = 8}\n";
  const std::string ring = "{map = affine_map<(d0) -> ((d0 + 1) mod 4)>, bandwidth = 8}\n";
  const Machine machine = machineOf(cores + "%n = \"df.interconnects\"(%x, %y) " + rows);
  EXPECT_EQ(machine.spec.interconnects.at(0).source, "cores");
  const std::string swapped = refusal(cores + "%n = \"df.interconnects\"(%y, %x) " + rows);
  EXPECT_NE(swapped.find("m.mlir:4:25: error: expected (%x, %y), the dimensions of `%cores`, got "
                         "(%y, %x)"),
            std::string::npos)
      << swapped;
  // %y is a dimension of the memory, of the same size as the cores'.
  const std::string ofMemory =
      refusal(dims + "%cores = df.core {scaleout = %x}\n%l2 = df.memory %y {size = 4096}\n" +
              "%n = \"df.interconnects\"(%y) " + ring);
  EXPECT_NE(ofMemory.find("expected (%x), the dimensions of `%cores`, got (%y)"), std::string::npos)
      << ofMemory;
  // Assumed cores have the dimensions of the first network, so the others have these, too.
  const std::string assumed = refusal(dims + "%n = \"df.interconnects\"(%x) " + ring +
                                      "%o = \"df.interconnects\"(%y) " + ring);
  EXPECT_NE(assumed.find("m.mlir:4:25: error: expected (%x), the dimensions of `%cores`"),
            std::string::npos)
      << assumed;
}

// Every body looks ahead for components, so there is a limit of bodies inside one another.
TEST(HardwareDialect, ComponentsStandInFewBodies) {
  const auto nested = [](int depth) {
    std::string text;
    for (int d = 0; d < depth; ++d) text += "func.func @f() {\n";
    text += "%x = df.spatial_dim 4\n%cores = df.core {scaleout = (%x)}\n";
    return text + std::string(static_cast<std::size_t>(depth), '}');
  };
  EXPECT_EQ(machineOf(nested(16)).spec.cores.size(), 1u);
  EXPECT_NE(refusal(nested(17)).find("this `df.spatial_dim` would be left out"), std::string::npos);
}

// Listing 7 of Li et al. (2025) lacks a bracket, and has a sign where its line was broken.
TEST(HardwareDialect, SlipsOfAPrintedMapAreReadWithAWarning) {
  const Machine machine = machineOf(R"(%x = df.spatial_dim 8
%y = df.spatial_dim 8
%cores = df.core { scaleout = (%x, %y) }
%d = df.spatial_dim 4
%drams = df.memory { scaleout = %d, size = 12884901888, bandwidth = 267 }
%to_dram = df.interconnects %cores, %drams { map = affine_map<(d0, d1) -> (d0 +
  ceildiv 4 + 2 * (d1 ceildiv 4)>, bandwidth = 30 })");
  EXPECT_TRUE(says(machine, "the map lacks a `)` before its `>`; read as `affine_map<(d0, d1) -> "
                            "(d0 ceildiv 4 + d1 ceildiv 4 * 2)>`"));
  for (const auto& [map, message] :
       {std::pair{"(d0) -> (d0 + d0 + mod 4)", "m.mlir:3:68: error: the map has no dimension `mod`"},
        std::pair{"(d0) -> (d0 - mod 4)", "m.mlir:3:63: error: the map has no dimension `mod`"},
        std::pair{"(d0)[s0] -> (d0)", "m.mlir:3:54: error: expected `]`, got `s0`"},
        std::pair{"(d0) -> (d0 + 1", "m.mlir:3:66: error: the map has no dimension `bandwidth`"}}) {
    const std::string refused =
        refusal(std::string("%x = df.spatial_dim 4\n%c = df.core { scaleout = (%x) }\n"
                            "%r = df.interconnects %c, %c { map = affine_map<") +
                map + ", bandwidth = 8 }");
    EXPECT_NE(refused.find(message), std::string::npos) << refused;
  }
}

struct PartRings : testing::Test {
  const std::string head = "%x = df.spatial_dim 16 // across\n%y = df.spatial_dim 2\n"
                           "%c = df.core { scaleout = (%x, %y), disabled = [(15, *)] }\n"
                           "%l = df.memory { scaleout = (%x, %y), size = 1 MiB, bandwidth = 64 }\n"
                           "%v = df.interconnects %l, %l { bandwidth = 8, map = "
                           "affine_map<(d0, d1) -> (d0, (d1 + 1) mod 2)> }\n"
                           "%r = df.interconnects %l, %l { bandwidth = 8, map = ";
  std::string withRings(const std::string& result, const std::string& more = "") const {
    return head + "affine_map<(d0, d1) -> (" + result + ", d1)> }\n" + more;
  }
  static std::string mapOf(const Machine& machine, std::size_t link) {
    return affine::toString(machine.spec.interconnects[link].map);
  }
};

TEST_F(PartRings, AreSeveralRings) {
  for (const auto& [map, size, read] :
       {std::tuple{"d0 - d0 mod 8 + (d0 + 1) mod 8", 8, "(d0, (d1 + 1) mod 8, d2)"},
        std::tuple{"d0 floordiv 4 * 4 + (d0 - 1) mod 4", 4, "(d0, (d1 - 1) mod 4, d2)"},
        std::tuple{"d0 - d0 mod 2 + (d0 + 1) mod 2", 2, "(d0, (d1 + 1) mod 2, d2)"}}) {
    const Machine machine = machineOf(withRings(map));
    ASSERT_EQ(machine.spec.dims.size(), 3u + 1u) << machine.remarks;  // and the channels
    EXPECT_TRUE(says(machine, "`%x` of 16 is read as " + std::to_string(16 / size) +
                                  " rings (`%x_ring`) of " + std::to_string(size) +
                                  " members (`%x`)"))
        << machine.remarks;
    EXPECT_TRUE(says(machine, "no link leads from one ring of `%r` to the next; assumed links "
                              "between neighbouring rings, both ways, of 8 B/cycle"));
    EXPECT_NE(mapOf(machine, 1).find(read), std::string::npos) << mapOf(machine, 1);
    const std::string text = syntax::printHardware(machine.spec);
    EXPECT_NE(text.find("%x_ring = df.spatial_dim"), std::string::npos) << text;
    EXPECT_NE(text.find("// across"), text.npos) << text;
    const Machine again = machineOf(text);
    EXPECT_EQ(again.remarks, "") << text;
    EXPECT_EQ(syntax::printHardware(again.spec), text);
  }
}

// A route stays in its ring, and closes it.
TEST_F(PartRings, Route) {
  const Machine machine = machineOf(withRings(
      "d0 - d0 mod 4 + (d0 + 1) mod 4",
      "%over = df.interconnects %l, %l { bandwidth = 8, map = affine_map<(d0, d1) -> ((d0 + 4) mod "
      "16, d1)> }\n"));
  EXPECT_FALSE(says(machine, "assumed links between neighbouring rings")) << machine.remarks;
  EXPECT_NE(mapOf(machine, 2).find("((d0 + 1) mod 4, d1, d2)"), std::string::npos)
      << mapOf(machine, 2);
  const auto hw = hardware::makeTopology(machine.spec);
  ASSERT_TRUE(hw.ok());
  const auto hops = [&](std::int64_t from, std::int64_t to) {
    hardware::Route route;
    hw->route(0, hardware::NodeId::of(2 * from), hardware::NodeId::of(2 * to), route);
    return route.size();
  };
  EXPECT_EQ(hops(4, 7), 3u);
  EXPECT_EQ(hops(7, 4), 1u);
  EXPECT_EQ(hops(7, 11), 1u);
  EXPECT_EQ(hops(7, 8), 2u);
  EXPECT_EQ(hops(12, 0), 1u);
}

TEST_F(PartRings, ThatCannotBeRoutedAreErrors) {
  const std::string rings = "d0 - d0 mod 4 + (d0 + 1) mod 4";
  const std::string link = "%o = df.interconnects %l, %l { bandwidth = 8, plane = 1, map = "
                           "affine_map<(d0, d1) -> (";
  const std::string line = refusal(withRings(rings, link + "d0 + 1, d1)> }\n"));
  EXPECT_NE(line.find("m.mlir:7:1: error: `%o` leads from (3, 0) to (4, 0), into another ring of "
                      "`%r` and to another place in it: not supported by routing"),
            std::string::npos)
      << line;
  EXPECT_NE(line.find("help: join rings at the same place, `d + 4` or `(d + 4) mod 16`"),
            std::string::npos)
      << line;
  const std::string others =
      refusal(withRings(rings, link + "d0 - d0 mod 8 + (d0 + 1) mod 8, d1)> }\n"));
  EXPECT_NE(others.find("m.mlir:7:1: error: `%o` closes rings of 8 members along `%x`, and `%r` "
                        "rings of 4"),
            std::string::npos)
      << others;
}

// Components beside a kernel's operations are not lost without a word.
TEST(HardwareDialect, ComponentsInWhatIsSkippedAreErrors) {
  const std::string head = "module {\nfunc.func @f(%p: index) {\n%x = df.spatial_dim 4\n"
                           "%c = df.core {scaleout = (%x)}\n";
  const std::string kernel = "scf.if %p {\n%k = df.chained_load %p : !df.memory\n"
                             "%m = df.max %k {df.core = 1, df.mux} : !df.core\n}\n";
  machineOf(head + kernel + "return\n}\n}\n");
  const std::string left = "this `df.memory` would be left out";
  for (const auto& [text, message] :
       {std::pair{"%l = df.memorry %x {size = 4096}\nreturn\n}\n}\n",
                  std::string("m.mlir:5:6: error: unknown operation `df.memorry`")},
        std::pair{"\"df.memorry\"(%x) {size = 4096} : (index) -> index\nreturn\n}\n}\n",
                  std::string("did you mean `df.memory`?")},
        std::pair{"scf.if %p {\n%l = df.memory %x {size = 4096}\n}\nreturn\n}\n}\n",
                  "m.mlir:6:6: error: " + left},
        std::pair{"return\n}\nfunc.func @g() {\n%l = \"df.memory\"(%x) {size = 4096}\n}\n}\n",
                  "m.mlir:8:6: error: " + left}}) {
    const std::string refused = refusal(head + text);
    EXPECT_NE(refused.find(message), std::string::npos) << refused;
  }
}

TEST(HardwareDialect, ABracketThatIsNotClosedIsReported) {
  const std::string head = "%x = df.spatial_dim 4\n%c = df.core {scaleout = (%x)}\n";
  for (const auto& [text, message] :
       {std::pair{"func.func @k() {\n", "m.mlir:3:16: error: this `{` is not closed"},
        std::pair{"\"x.y\"(%x\n%y = df.spatial_dim 4\n",
                  "m.mlir:3:6: error: this `(` is not closed"}}) {
    const std::string refused = refusal(head + text);
    EXPECT_NE(refused.find(message), std::string::npos) << refused;
    EXPECT_EQ(refused.find("this `df."), std::string::npos) << refused;
  }
}

TEST(HardwareDialect, MistakesHaveAPlace) {
  EXPECT_NE(
      refusal("%m = df.mat {shape = dense<1> : tensor<100xi64>}").find("more than 64 elements"),
      std::string::npos);
  EXPECT_NE(refusal("%m = df.mat {shape = dense<1> : memref<1xi64>}").find("the type of `dense`"),
            std::string::npos);
  EXPECT_NE(refusal("%m = df.mat {type = !df.unit<1").find("is not closed"), std::string::npos);
  EXPECT_NE(refusal("%x = df.spatial_dim 0xFFFFFFFFFFFFFFFFF").find("does not fit into 64 bits"),
            std::string::npos);
  for (const char* text :
       {"df.", "df.spatial_dim @", "df.spatial_dim @x =", "\"df.core\"(", "df.core(",
        "func.func @f(", "func.func @f() { %x = df.spatial_dim 4",
        "\"func.func\"() ({ %x = df.spatial_dim 4 }", "%x = df.core(scaleout = "})
    refusal(text);
}

}  // namespace
}  // namespace gridloom
