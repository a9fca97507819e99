// SPDX-License-Identifier: Apache-2.0
// The forms in which TL's authors write hardware, and what is assumed where they leave figures out.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "hardware/topology.h"
#include "syntax/hardware_parser.h"
#include "syntax/hardware_printer.h"

namespace gridloom {
namespace {

struct Read {
  hardware::HardwareSpec spec;
  base::Diagnostics remarks;
  bool resolves = false;

  std::vector<std::string> warnings() const {
    std::vector<std::string> texts;
    for (const base::Diagnostic& d : remarks) {
      if (d.severity == base::Severity::Warning) texts.push_back(d.message);
    }
    return texts;
  }
};

Read read(const std::string& text) {
  auto spec = syntax::parseHardware(base::makeSource("tl.hw", text), "tl");
  Read out;
  out.remarks = spec.takeDiagnostics();
  EXPECT_TRUE(spec.ok()) << base::render(out.remarks);
  if (!spec) return out;
  out.spec = *std::move(spec);
  auto topology = hardware::makeTopology(out.spec);
  out.resolves = topology.ok();
  EXPECT_TRUE(topology.ok()) << base::render(topology.takeDiagnostics());
  return out;
}

using Texts = std::vector<std::string>;

// A mesh in the form of the files of TL's authors: labels before sizes, types, `spatial_dims`, units
// and ports without a rate, a port map that leaves the channels.
constexpr const char* kMesh = R"(module {
  %fpu = df.mat "FPU" {shape = [16, 16, 16], throughput = 64}
  %vpu = df.vec "SFPU" {shape = [16]}
  %x = df.spatial_dim "x", 4
  %y = df.spatial_dim "y", 4
  %tiles = df.core "tile" {scaleout=(%x, %y) , scalein=(%fpu, %vpu, [2,1])}
  %L1 = df.memory "L1" {scaleout=(%x, %y) , size = 65536, bandwidth = 16}
  %own = df.mux %tiles, %L1, {map = affine_map<(d0, d1) -> (d0, d1)>}
  %h = df.interconnects "rows" %L1 : !df.memory, %L1 : !df.memory, {map = affine_map<(d0, d1) -> ((d0 + 1) mod 4, d1)>, bandwidth = 64 : i64, spatial_dims = [@x]} : !df.interconnect
  %v = df.interconnects "columns" %L1 : !df.memory, %L1 : !df.memory, {map = affine_map<(d0, d1) -> (d0, (d1 + 1) mod 4)>, bandwidth = 64 : i64, spatial_dims = [@y]} : !df.interconnect
  %c = df.spatial_dim "c", 2
  %ddr = df.memory "DDR" {scaleout=(%c) , size = 1073741824, bandwidth = 48}
  %up = df.interconnects "up" %L1: !df.memory, %ddr : !df.memory, {map = affine_map<(d0, d1) -> (d0 ceildiv 2)>}
}
)";

TEST(HardwareForms, AMeshWithLabelsTypesAndMissingRates) {
  const Read mesh = read(kMesh);
  EXPECT_EQ(mesh.warnings(),
            (Texts{"`%vpu` has no `throughput`; assumed 16 elem/cycle, one element per lane",
                   "`%up` has no `bandwidth`; assumed 48 B/cycle, what an instance of the memory "
                   "gives",
                   "the map of `%up` sends (3, 0) to (2), but the destination is (2); assumed that "
                   "it wraps"}));
  EXPECT_EQ(mesh.spec.dims[0].size, 4);
  EXPECT_EQ(mesh.spec.interconnects[2].bandwidth.value, 48);
}

// Cores and memories say their dimensions as links do; rates by the bits of a float.
constexpr const char* kBits = R"(module {
  %x = df.spatial_dim "x", 4
  %y = df.spatial_dim "y", 4
  %cores = df.core {spatial_dims = [@x, @y]}
  %l1 = df.memory {spatial_dims = [@x, @y], size = 1048576, bandwidth = 0x42000000 : f32}
  %right = df.interconnects %l1, %l1 {map = affine_map<(d0, d1) -> (d0, (d1 + 1) mod 4)>, bandwidth = 0x5000 : f16}
}
)";

TEST(HardwareForms, DimensionsBesideTheSizesOfCoresAndMemories) {
  const Read mesh = read(kBits);
  EXPECT_EQ(mesh.spec.cores.front().scaleout.size(), 2U);
  EXPECT_EQ(mesh.spec.memories.front().scaleout.size(), 2U);
}

TEST(HardwareForms, RatesByTheBitsOfAFloat) {
  const Read mesh = read(kBits);
  EXPECT_EQ(mesh.spec.memories.front().bandwidth.value, 32);      // f32
  EXPECT_EQ(mesh.spec.interconnects.front().bandwidth.value, 32);  // f16
}

// One memory for each core, without a mux: its links, not the cores, get the missing network.
TEST(HardwareForms, AssumedLinksJoinWhatTheOthersJoin) {
  const Read mesh = read(kBits);
  for (const hardware::Interconnect& link : mesh.spec.interconnects) EXPECT_EQ(link.source, "l1");
}

TEST(HardwareForms, WhatIsAssumedPrintsAndReadsBackWithoutWarnings) {
  const Read mesh = read(kMesh);
  const Read again = read(syntax::printHardware(mesh.spec));
  EXPECT_EQ(again.warnings(), Texts{});
  EXPECT_EQ(syntax::printHardware(again.spec), syntax::printHardware(mesh.spec));
}

// MLIR prints values with numbers, maps as aliases, and kernels in the same module.
TEST(HardwareForms, PrintedByMlirBesideAKernel) {
  const Read mesh = read(R"(#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0 + 1, d1)>
#map2 = affine_map<(d0, d1) -> (d0, d1 + 1)>
module attributes {loom.block_size_0 = -1 : index, loom.name = "{"} {
  %0 = df.spatial_dim "x", 8
  %1 = df.spatial_dim "y", 8
  %2 = df.compute "cores", %0, %1 {map = #map}
  %3 = df.memory "L1", %0, %1 {bandwidth = 64 : i64, map = #map, size = 65536 : i64}
  %4 = df.mux %2 : !df.compute, %3 : !df.memory, %0, %1 {map = #map}
  %5 = df.interconnects "rows" %3 : !df.memory, %3 : !df.memory, %0, %1 {map = #map1} : !df.interconnect
  %6 = df.interconnects "columns" %3 : !df.memory, %3 : !df.memory, %0, %1 {map = #map2} : !df.interconnect
  func.func @k(%arg0: memref<*xf32> {tt.divisibility = 16 : i32}) attributes {a = 1} {
    %cst = arith.constant 0xFF800000 : f32 'quote
    return
  }
  module attributes {loom.pass = "p"} {
    %7 = loom.symbolic_var "BM" : index
  }
}
)");
  EXPECT_EQ(mesh.spec.cores[0].name, "cores");
  EXPECT_EQ(mesh.spec.dims[1].name, "y");
  EXPECT_EQ(mesh.spec.memories[0].name, "L1");
  EXPECT_EQ(mesh.spec.muxes[0].source, "L1");
  EXPECT_EQ(mesh.warnings(),
            (Texts{"no memory holds tensors; assumed 16 GiB with 64 B/cycle behind `%L1`",
                   "the cores `%cores` have no compute unit; assumed a matrix unit of 512 "
                   "flop/cycle and a vector unit of 16 lanes",
                   "`%rows` has no `bandwidth`; assumed 32 B/cycle, a link of 256 bits",
                   "the links of `%rows` lead one way and end at the edge; assumed that they lead "
                   "both ways",
                   "`%columns` has no `bandwidth`; assumed 32 B/cycle, a link of 256 bits",
                   "the links of `%columns` lead one way and end at the edge; assumed that they "
                   "lead both ways"}));
  ASSERT_EQ(mesh.spec.interconnects.size(), 5u);
  EXPECT_EQ(affine::toString(mesh.spec.interconnects[4].map),
            "affine_map<(d0, d1) -> (d0, d1 - 1)>");
}

// Listing 6 of Li et al. (2025) has cores and links only; Listing 8 refines the cores of Listing 7;
// Listing 9 names a memory that is not defined, closes rings of 32 after 8, and leaves the ring.
TEST(HardwareForms, Listing6HasNoMemory) {
  const Read abstract = read(R"(%x = df.spatial_dim 8
%cores = df.core { scaleout = (%x) }
%ring = df.interconnects %cores, %cores { map = affine_map<(d0) -> ((1 + d0) mod 8)>, bandwidth = 28 }
)");
  EXPECT_EQ(abstract.warnings(),
            (Texts{"no memory belongs to the cores `%cores`; assumed 1 MiB for each"}));
  ASSERT_EQ(abstract.spec.memories.size(), 1u);
  EXPECT_NE(syntax::printHardware(abstract.spec)
                .find("%l1 = df.memory { scaleout = (%x), size = 1 MiB, bandwidth = 64 B/cycle }  "
                      "// assumed"),
            std::string::npos)
      << syntax::printHardware(abstract.spec);
}

TEST(HardwareForms, Listing8RefinesTheCores) {
  const Read refined = read(R"(%x = df.spatial_dim 8
%cores = df.core { scaleout = (%x) }
%l1 = df.memory { scaleout = (%x), size = 1499136, bandwidth = 60 }
%ring = df.interconnects %cores, %cores { map = affine_map<(d0) -> ((d0 + 1) mod 8)>, bandwidth = 28 }
%FPU = df.mat { shape=[32, 32, 32], throughput=98 }
%cores = df.core { scaleout = (%x), scalein = (%FPU, [8]) }
)");
  ASSERT_EQ(refined.spec.cores.size(), 1u);
  EXPECT_EQ(refined.spec.cores[0].scalein.size(), 1u);
  EXPECT_EQ(refined.warnings(), Texts{});
}

TEST(HardwareForms, Listing9ClosesItsRings) {
  const Read ring = read(R"(%x = df.spatial_dim 16
%y = df.spatial_dim 2
%cores = df.core "cores" {scaleout=(%x, %y)}
%L1 = df.memory {scaleout=(%x), size = 2097152, bandwidth = 128}
%core_to_mem = df.mux %cores, %memories, {map = affine_map<(d0, d1) -> (d0)>}
%big_ring = df.interconnects %L1, %L1, {map = affine_map<(d0) -> ((d0 + 1) mod 4)>, bandwidth = 258}
%d = df.spatial_dim 2
%dram = df.memory {scaleout=(%d), size = 34359738368, bandwidth = 512}
%to_dram = df.interconnects %dram, %L1, {map = affine_map<(d0) -> (d0+15)>, bandwidth = 512}
)");
  EXPECT_EQ(ring.warnings(),
            (Texts{"nothing is named `%memories`; assumed `%L1`, the only memory above",
                   "`mod 4` of `%big_ring` leaves 12 of 16 members without a link to them; assumed "
                   "a ring of all",
                   "the map of `%to_dram` sends (1) to (16), but the destination is (16); assumed "
                   "that it wraps"}));
}

TEST(HardwareForms, APlaceThatWrapsIsPrintedAsReadAgain) {
  std::string text = kMesh;
  const std::string map = "(d0 ceildiv 2)";
  text.replace(text.find(map), map.size(), "(5)");
  text.replace(text.find("\"c\", 2"), 6, "\"c\", 1");
  const std::string printed = syntax::printHardware(read(text).spec);
  EXPECT_NE(printed.find("(d0, d1) -> (0)"), std::string::npos) << printed;
  EXPECT_EQ(syntax::printHardware(read(printed).spec), printed);
}

TEST(HardwareForms, ParametersStandInDimensionsMapsSizesAndRates) {
  const Read mesh = read(R"(param cols = 8
param half = cols floordiv 2
param l1_size = 64 KiB
param rate = 28 B/cycle
param lanes = 16
%x = df.spatial_dim cols
%y = df.spatial_dim half
%vpu = df.vec { shape = [lanes], throughput = 2.5 elem/cycle }
%c = df.core { scaleout = (%x, %y), scalein = (%vpu), disabled = [(half, *)] }
%l1 = df.memory { scaleout = (%x, %y), size = l1_size, bandwidth = rate }
%h = df.interconnects %l1, %l1 { map = affine_map<(d0, d1) -> ((d0 + 1) mod cols, d1)>, bandwidth = rate }
%v = df.interconnects %l1, %l1 { map = affine_map<(d0, d1) -> (d0, (d1 + half - 1) mod half)>, bandwidth = rate }
)");
  EXPECT_EQ(mesh.warnings(), Texts{});
  EXPECT_EQ(mesh.spec.dims[0].size, 8);
  EXPECT_EQ(mesh.spec.dims[1].size, 4);
  EXPECT_EQ(mesh.spec.memories[0].size.value, 65536);
  EXPECT_EQ(mesh.spec.memories[0].bandwidth.unit, "B/cycle");
  EXPECT_EQ(mesh.spec.vectorUnits[0].shape[0], 16);
  EXPECT_EQ(affine::toString(mesh.spec.interconnects[1].map),
            "affine_map<(d0, d1) -> (d0, (d1 + 4 - 1) mod 4)>");
}

TEST(HardwareForms, MistakesInThemAreNamed) {
  const auto errorOf = [](const std::string& text) {
    auto spec = syntax::parseHardware(base::makeSource("bad.mlir", text), "bad");
    return spec ? std::string("none") : spec.diagnostics().front().message;
  };
  EXPECT_EQ(errorOf("%x = df.spatial_dim \"x\"\n"), "`%x` has no size");
  EXPECT_EQ(errorOf("%x = df.spatial_dim \"x\", 4\n"
                    "%c = df.compute \"c\", %x {map = affine_map<(d0) -> (d0 + 1)>}\n"),
            "`map` of a `df.core` must be the identity");
  EXPECT_EQ(errorOf("%c = df.compute \"c\", %x {map = #other}\n"),
            "expected the name of a map, got `other`");
  EXPECT_EQ(errorOf("param n = 4\nparam n = 5\n"), "the parameter `n` is given twice");
  EXPECT_EQ(errorOf("param n = m floordiv 2\n"), "there is no parameter `m`");
  EXPECT_EQ(errorOf("param n = 4 floordiv 0\n"),
            "the right side of mod, floordiv and ceildiv must be a positive number");
  EXPECT_EQ(errorOf("param n = 4\n%x = df.spatial_dim m\n"), "`%x` has no size");
  EXPECT_EQ(errorOf("#m = 5\n%c = df.compute \"c\", %x {map = #m}\n"),
            "expected the name of a map, got `m`");
}

// Machines in the forms of TL's authors: with and without a module, labels, types, aliases, rates;
// what is left out is assumed by name, and the result says all of it.
TEST(HardwareForms, FilesAsToolsWriteThemResolveAndPrintInFull) {
  std::set<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(GRIDLOOM_TEST_DATA_DIR "/unit/syntax/df_files")) {
    SCOPED_TRACE(entry.path().filename().string());
    names.insert(entry.path().stem().string());
    std::ifstream in(entry.path());
    const Read machine = read(std::string((std::istreambuf_iterator<char>(in)), {}));
    EXPECT_TRUE(machine.resolves);
    for (const std::string& warning : machine.warnings())
      EXPECT_NE(warning.find("assumed"), std::string::npos) << warning;
    const Read again = read(syntax::printHardware(machine.spec));
    EXPECT_EQ(again.warnings(), Texts{});
    EXPECT_FALSE(again.spec.cores.front().scalein.empty() && names.contains("mesh_bare"));
  }
  EXPECT_EQ(names.size(), 14U);
}

TEST(HardwareForms, AMachineOfCoresAloneGetsUnitsAndAMemory) {
  const Read bare = read("module {\n  %x = df.spatial_dim \"x\", 4\n"
                         "  %c = df.compute \"cores\", %x {map = affine_map<(d0) -> (d0)>}\n"
                         "  %r = df.interconnects %c : !df.compute, %c : !df.compute, %x {map = "
                         "affine_map<(d0) -> ((d0 + 1) mod 4)>, bandwidth = 32}\n}\n");
  EXPECT_EQ(bare.warnings(),
            (Texts{"no memory belongs to the cores `%c`; assumed 1 MiB for each",
                   "no memory holds tensors; assumed 16 GiB with 64 B/cycle behind `%l1`",
                   "the cores `%c` have no compute unit; assumed a matrix unit of 512 flop/cycle "
                   "and a vector unit of 16 lanes"}));
}

TEST(HardwareForms, WhatHasNoMeaningInAModuleIsLeftOutButSlipsAreErrors) {
  const Read noted = read("module {\n  %m = df.mat \"M\" {shape = [8, 8, 8], throughput = 128, "
                          "vendor = \"x\", tags = [\"a\", \"b\"]}\n"
                          "  %x = df.spatial_dim \"x\", 1\n"
                          "  %c = df.core \"c\" {scaleout=(%x), scalein=(m, [1])}\n"
                          "  %l = df.memory \"L1\" {scaleout=(%x), size = 65536, bandwidth = 64}\n"
                          "  %o = df.mux %c, %l {map = affine_map<(d0) -> (d0)>}\n}\n");
  EXPECT_EQ(noted.spec.matrixUnits.size(), 1U);
  const auto slip = syntax::parseHardware(
      base::makeSource("t.mlir", "module {\n  %m = df.mat {shape = [8, 8, 8], thruput = 128, "
                                 "througput = 4}\n}\n"),
      "t");
  ASSERT_FALSE(slip);
  EXPECT_NE(base::render(slip.diagnostics()).find("unknown attribute `througput`"),
            std::string::npos);
}

// As `mlir-opt --mlir-print-op-generic` prints: properties, the module as an operation.
TEST(HardwareForms, TheGenericFormHasPropertiesAndAModuleOperation) {
  const Read machine = read(R"("builtin.module"() <{sym_name = "m"}> ({
  %0 = "df.mat"() <{label = "FPU", shape = array<i64: 16, 16, 16>}> : () -> !df.compute
  %1 = "df.spatial_dim"() <{size = 1 : i64, sym_name = "x"}> : () -> index
  %2 = "df.core"(%1) <{label = "core"}> : (index) -> !df.compute
  %3 = "df.memory"(%1) <{label = "L1", size = 65536 : i64}> {bandwidth = 64} : (index) -> !df.memory
  %4 = "df.mux"(%2, %3) <{map = affine_map<(d0) -> (d0)>}> : (!df.compute, !df.memory) -> !df.mux
}) {loom.target = "t"} : () -> ()
)");
  EXPECT_TRUE(machine.resolves);
  EXPECT_EQ(machine.spec.dims[0].size, 1);
  EXPECT_EQ(machine.spec.matrixUnits[0].shape[2], 16);
  EXPECT_EQ(machine.spec.memories[0].bandwidth.value, 64);
}

TEST(HardwareForms, PlacesAreSkippedAndInnerModulesHoldComponents) {
  const Read machine = read(R"(#loc = loc("t.py":1:1)
module attributes {a = {b = 1}} {
  module @hw attributes {c = 2} {
    %x = df.spatial_dim "x", 1 loc(#loc)
    %c = df.core "core" {scaleout=(%x)} loc("t.py":4:(1))
    %l = df.memory "L1" {scaleout=(%x), size = 65536 : i64} : !df.memory loc(unknown)
    %o = df.mux %c, %l {map = affine_map<(d0) -> (d0)>} loc(fused[#loc, "a"("b")])
  } loc(#loc)
  func.func @k(%arg0: memref<4xf32>) {
    return
  }
} loc(#loc)
#loc1 = loc("t.py":2:1)
)");
  EXPECT_TRUE(machine.resolves);
  EXPECT_EQ(machine.spec.memories[0].size.value, 65536);
  for (const std::string text :
       {"\"builtin.module\"() ({\n%x = df.spatial_dim 4\n}", "%x = df.spatial_dim 4 loc((",
        "module { module {\n%x = df.spatial_dim 4\n}", "%m = df.mat {shape = array<i64: 4",
        "%m = df.mat <{shape = [4, 4, 4]}"})
    EXPECT_FALSE(syntax::parseHardware(base::makeSource("t.mlir", text), "t").ok()) << text;
}

// Types of other tools are skipped; their nesting has the limit that values have.
TEST(HardwareForms, TypesAreNestedEightLevelsDeepAtMost) {
  const std::string deep(100'000, '(');
  auto spec = syntax::parseHardware(
      base::makeSource("tl.mlir", "module {\n  %fpu = df.mat \"FPU\" {shape = [16, 16, 16]} : " +
                                      deep + "\n}\n"),
      "tl");
  EXPECT_FALSE(spec.ok());
  EXPECT_NE(base::render(spec.takeDiagnostics()).find("nested more than 8 levels deep"),
            std::string::npos);
}

}  // namespace
}  // namespace gridloom
