// SPDX-License-Identifier: Apache-2.0
#include "syntax/hardware_parser.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "hardware/topology.h"
#include "syntax/hardware_printer.h"

namespace gridloom::syntax {
namespace {

hardware::HardwareSpec parsed(const std::string& text) {
  auto spec = parseHardware(base::makeSource("test.hw", text), "test");
  EXPECT_TRUE(spec.ok()) << base::render(spec.diagnostics());
  return spec.ok() ? std::move(spec).value() : hardware::HardwareSpec{};
}

// The figures of TL's Listings 6 to 9 (Li et al., 2025, Sec. 2.4) in our syntax, with known errors
// corrected.
constexpr const char* kListing7And8 = R"(
%FPU = df.mat { shape=[32, 32, 32], throughput=98 }
%SFPU = df.vec { shape=[32], throughput=3 }
%x = df.spatial_dim 8
%y = df.spatial_dim 8
%cores = df.core { scaleout = (%x, %y), scalein = (%FPU, %SFPU, [8, 1]) }
// Per-core scratchpad memories.
%l1 = df.memory { scaleout = (%x, %y), size = 1499136, bandwidth = 60 }
%core_to_l1 = df.mux %cores, %l1, { map = affine_map<(d0, d1) -> (d0, d1)> }
%noc_h = df.interconnects %l1, %l1, { map = affine_map<(d0, d1) -> ((d0 + 1) mod 8, d1)>, bandwidth = 28 }
%noc_v = df.interconnects %l1, %l1, { map = affine_map<(d0, d1) -> (d0, (d1 + 1) mod 8)>, bandwidth = 28 }
%dram_idx = df.spatial_dim 4
%drams = df.memory { scaleout = %dram_idx, size = 12884901888, bandwidth = 267 }
%to_dram = df.interconnects %l1, %drams { map = affine_map<(d0, d1) -> (d0 floordiv 4 + 2 * (d1 floordiv 4))>, bandwidth = 30 }
)";

constexpr const char* kListing9 = R"(module {
  // functional units
  %PT = df.mat {shape = [128, 128, 128], throughput=16384} : !df.mat
  %SFP = df.vec {shape = [128], throughput=128}
  %x = df.spatial_dim 32 : !df.spatial_dim
  %y = df.spatial_dim 2
  %cores = df.core "cores" {scaleout=(%x, %y), scalein=(%PT, %SFP, [1,1])}
  %L1 = df.memory {scaleout=(%x), size = 2097152 : i64, bandwidth = 128}
  %core_to_mem = df.mux %cores, %L1 : !df.core, !df.memory {map = affine_map<(d0, d1) -> (d0)>}
  %small_rings = df.interconnects %cores, %cores, {map = affine_map<(d0, d1) -> ((d0 + 1) mod 32, d1)>, bandwidth = 32}
  %big_ring = df.interconnects %L1, %L1, {map = affine_map<(d0) -> ((d0 + 1) mod 32)>, bandwidth = 258}
  %d = df.spatial_dim 2
  %dram = df.memory {scaleout=(%d), size = 34359738368, bandwidth = 512}
  %to_dram = df.interconnects %dram, %L1 {map = affine_map<(d0) -> ((d0 + 31) mod 32)>, bandwidth = 512}
}
)";

TEST(HardwareParser, SystolicArraysSayWhatStays) {
  const auto spec = parsed(
      "%a = df.mat { shape = [1, 16, 8], systolic = weight, throughput = 256 flop/cycle }\n");
  ASSERT_EQ(spec.matrixUnits.size(), 1U);
  EXPECT_EQ(spec.matrixUnits[0].systolic, hardware::Stationary::Weight);
  const auto array = hardware::systolicShape(spec.matrixUnits[0], 512);
  EXPECT_EQ(array.rows, 8);
  EXPECT_EQ(array.columns, 16);
  EXPECT_EQ(array.arrays, 2);
  const std::string printed = printHardware(spec);
  EXPECT_NE(printed.find("systolic = weight"), std::string::npos) << printed;

  const auto wrong = [](const std::string& attributes) {
    const auto result = parseHardware(
        base::makeSource("t.hw", "%a = df.mat { throughput = 2 flop/cycle, " + attributes + " }\n"),
        "t");
    return result ? "" : base::render(result.diagnostics());
  };
  EXPECT_NE(wrong("shape = [8, 8, 8], systolic = output").find("`k` of `shape` is a stream of 1"),
            std::string::npos);
  EXPECT_NE(wrong("shape = [8, 8, 1], systolic = rows").find("`output`, `weight` or `input`"),
            std::string::npos);
}

TEST(HardwareParser, ReadsTheMeshOfThePaper) {
  const hardware::HardwareSpec spec = parsed(kListing7And8);
  const auto topology = hardware::makeTopology(spec);
  ASSERT_TRUE(topology.ok()) << base::render(topology.diagnostics());
  EXPECT_EQ(topology->coreCount(), 64);
  EXPECT_EQ(topology->local().bytes, 1499136);
  EXPECT_EQ(topology->global().name, "drams");
  EXPECT_EQ(topology->global().channels, 4);
  EXPECT_DOUBLE_EQ(topology->compute("", 16)->matrixPeak, 8 * 98);
}

TEST(HardwareParser, ReadsTheRingsOfThePaper) {
  const auto topology = hardware::makeTopology(parsed(kListing9));
  ASSERT_TRUE(topology.ok()) << base::render(topology.diagnostics());
  EXPECT_EQ(topology->coreCount(), 64);
  EXPECT_EQ(topology->nodeCount(), 32);
  EXPECT_EQ(topology->global().bytesPerChannel, 34359738368);
}

TEST(HardwareParser, ReadsBareFiguresAsThePaperDoesAndSaysSo) {
  const auto spec = parseHardware(base::makeSource("t.hw", kListing7And8), "t");
  ASSERT_TRUE(spec.ok());
  const auto notes =
      std::count_if(spec.diagnostics().begin(), spec.diagnostics().end(),
                    [](const base::Diagnostic& d) { return d.severity == base::Severity::Note; });
  EXPECT_EQ(notes, 9) << base::render(spec.diagnostics());
  EXPECT_NE(base::render(spec.diagnostics()).find("read as B/cycle"), std::string::npos);
}

TEST(HardwareParser, ConvertsUnits) {
  const hardware::HardwareSpec spec = parsed(
      "%m = df.memory { size = 1.5 MiB, bandwidth = 64 GB/s latency = 10 ns setup = 2 cycle }\n"
      "%x = df.spatial_dim 2\n%c = df.core { scaleout = (%x), clock = 2 GHz }\n");
  EXPECT_DOUBLE_EQ(spec.memories[0].size.value, 1572864);
  EXPECT_DOUBLE_EQ(spec.memories[0].bandwidth.value, 32);
  EXPECT_DOUBLE_EQ(spec.memories[0].latency->value, 20);
  EXPECT_DOUBLE_EQ(spec.memories[0].setup->value, 2);
}

TEST(HardwareParser, KeepsTheOrderOfModes) {
  const hardware::HardwareSpec spec = parsed(
      "%m = df.mat { shape = [8, 8, 8], throughput = { slow = 1 flop/cycle, fast = 2 flop/cycle, "
      "a = 3 flop/cycle } }\n");
  ASSERT_EQ(spec.matrixUnits[0].throughput.size(), 3u);
  EXPECT_EQ(spec.matrixUnits[0].throughput[0].first, "slow");
  EXPECT_EQ(spec.matrixUnits[0].throughput[2].first, "a");
}

TEST(HardwarePrinter, KeepsCommentsUnitsAndEmptyLines) {
  const std::string text =
      "// A machine.\n"
      "\n"
      "// Its width.\n"
      "%x = df.spatial_dim 8  // columns\n"
      "\n"
      "%l1 = df.memory { scaleout = (%x), size = 1464 KiB, bandwidth = 60 B/cycle }\n"
      "// The end.\n";
  EXPECT_EQ(printHardware(parsed(text)), text);
}

TEST(HardwarePrinter, PrintsWhatParsesBackToTheSame) {
  for (const char* text : {kListing7And8, kListing9}) {
    const std::string once = printHardware(parsed(text));
    EXPECT_EQ(printHardware(parsed(once)), once);
  }
}

TEST(HardwareParser, ChainedVectorUnits) {
  const auto with = [](const std::string& chained) {
    return parseHardware(
        base::makeSource("test.hw",
                         "%m = df.mat { shape = [4, 4, 4], throughput = 128 flop/cycle }\n"
                         "%v = df.vec { shape = [4], throughput = 4 elem/cycle" +
                             chained +
                             " }\n%x = df.spatial_dim 2\n"
                             "%c = df.core { scaleout = (%x), scalein = (%m, %v) }\n"),
        "test");
  };
  const auto chained = with(", chained = yes");
  ASSERT_TRUE(chained) << base::render(chained.diagnostics());
  EXPECT_TRUE(chained->vectorUnits[0].chained);
  EXPECT_NE(printHardware(*chained).find("chained = yes"), std::string::npos);
  EXPECT_FALSE(with("")->vectorUnits[0].chained);
  EXPECT_FALSE(with(", chained = no")->vectorUnits[0].chained);
  auto alone = *chained;
  alone.cores.front().scalein.erase(alone.cores.front().scalein.begin());
  const auto made = hardware::makeTopology(alone);
  ASSERT_FALSE(made);
  EXPECT_NE(base::render(made.diagnostics()).find("`%v` is chained, and the cores have no matrix"),
            std::string::npos)
      << base::render(made.diagnostics());
  EXPECT_NE(base::render(with(", chained = 1").diagnostics()).find("`chained` wants `yes` or `no`"),
            std::string::npos);
}

TEST(HardwareParser, EnabledCoresAreAnAffineSet) {
  const auto with = [](const std::string& enabled) {
    return parseHardware(
        base::makeSource("test.hw",
                         "param n = 4\n%x = df.spatial_dim n\n%y = df.spatial_dim n\n"
                         "%v = df.vec { shape = [4], throughput = 4 elem/cycle }\n"
                         "%c = df.core { scaleout = (%x, %y), scalein = (%v), enabled = " +
                             enabled + " }\n"),
        "test");
  };
  const auto coresOf = [&](const std::string& enabled) {
    const auto spec = with(enabled);
    if (!spec) throw std::runtime_error(base::render(spec.diagnostics()));
    // What is printed is the same set.
    EXPECT_EQ(
        printHardware(*parseHardware(base::makeSource("again.hw", printHardware(*spec)), "test")),
        printHardware(*spec));
    const affine::AffineMap& set = *spec->cores.front().enabled;
    std::vector<std::int64_t> atLeastZero(set.results.size());
    std::string cores;
    for (std::int64_t x = 0; x < 4; ++x) {
      for (std::int64_t y = 0; y < 4; ++y) {
        const std::int64_t at[] = {x, y};
        set.evaluate(at, atLeastZero);
        const bool isIn = std::ranges::all_of(atLeastZero, [](auto value) { return value >= 0; });
        if (isIn) cores += std::to_string(x) + std::to_string(y) + " ";
      }
    }
    return cores;
  };
  EXPECT_EQ(coresOf("affine_set<(d0, d1) : (d1 - d0 >= 0)>"), "00 01 02 03 11 12 13 22 23 33 ");
  EXPECT_EQ(coresOf("affine_set<(a, b) : (a < b)>"), "01 02 03 12 13 23 ");
  EXPECT_EQ(coresOf("affine_set<(a, b) : (a + b >= n - 1, a > 0)>"), "12 13 21 22 23 30 31 32 33 ");
  EXPECT_EQ(coresOf("affine_set<(a, b) : (a == 2)>"), "20 21 22 23 ");
  EXPECT_EQ(coresOf("affine_set<(a, b) : ((a + b) mod 2 <= 0, b <= 0)>"), "00 20 ");
  const auto errorOf = [&](const std::string& enabled) {
    const auto spec = with(enabled);
    if (!spec) return base::render(spec.diagnostics());
    const auto made = hardware::makeTopology(*spec);
    return made ? std::string() : base::render(made.diagnostics());
  };
  EXPECT_NE(errorOf("affine_set<(a, b) : (a)>").find("expected `>=`, `<=`, `>`, `<` or `==`"),
            std::string::npos);
  EXPECT_NE(errorOf("affine_set<(a, b) : (c >= 0)>").find("no dimension `c`"), std::string::npos);
  EXPECT_NE(errorOf("[(1, 2)]").find("`enabled` wants an affine set"), std::string::npos);
  EXPECT_NE(errorOf("affine_set<(a) : (a >= 0)>").find("has 1 dimensions, the array has 2"),
            std::string::npos);
  EXPECT_NE(errorOf("affine_set<(a, b) : (a > 9)>").find("every core is disabled"),
            std::string::npos);
}

TEST(HardwareParser, DuplexMemoriesAndReloads) {
  const auto with = [](const std::string& duplex) {
    std::string text = kListing7And8;
    const std::string in = "size = 1499136";
    return text.replace(text.find(in), in.size(), "duplex = " + duplex + ", " + in);
  };
  const auto yes = parsed(with("yes"));
  EXPECT_TRUE(yes.memories[0].duplex);
  EXPECT_NE(printHardware(yes).find("duplex = yes"), std::string::npos);
  EXPECT_FALSE(parsed(with("no")).memories[0].duplex);
  const auto slip = parseHardware(base::makeSource("test.hw", with("maybe")), "test");
  ASSERT_FALSE(slip);
  EXPECT_NE(base::render(slip.diagnostics()).find("`duplex` wants `yes` or `no`"),
            std::string::npos);

  std::string text = kListing7And8;
  const std::string cores = "scalein = (%FPU";
  text.replace(text.find(cores), cores.size(), "launch = 5 cycle, reload = 7 cycle, " + cores);
  EXPECT_NE(printHardware(parsed(text)).find("reload = 7 cycle"), std::string::npos);
  const auto topology = hardware::makeTopology(parsed(text));
  ASSERT_TRUE(topology);
  EXPECT_EQ(topology->launch(), 5);
  EXPECT_EQ(topology->reload(), 7);
}

TEST(HardwareParser, RequestsAtAnyAddress) {
  const auto without = hardware::makeTopology(parsed(kListing7And8));
  ASSERT_TRUE(without);
  EXPECT_TRUE(without->global().randomAccessIsAssumed);
  std::string text = kListing7And8;
  const std::string global = "%drams = df.memory { ";
  ASSERT_NE(text.find(global), std::string::npos);
  text.insert(text.find(global) + global.size(), "random_access = 128 B, ");
  const auto with = parsed(text);
  EXPECT_NE(printHardware(with).find("random_access = 128 B"), std::string::npos);
  const auto topology = hardware::makeTopology(with);
  ASSERT_TRUE(topology);
  EXPECT_EQ(topology->global().randomAccess, 128);
  EXPECT_FALSE(topology->global().randomAccessIsAssumed);
}

TEST(HardwareParser, StripesOfMemories) {
  const std::string global = "%drams = df.memory { ";
  const auto with = [&](const std::string& stripes) {
    std::string text = kListing7And8;
    return text.insert(text.find(global) + global.size(), "stripes = " + stripes + ", ");
  };
  const auto spec = parsed(with("{ parts = 2, size = 256 B }"));
  EXPECT_NE(printHardware(spec).find("stripes = { parts = 2, size = 256 B }"), std::string::npos);
  const auto topology = hardware::makeTopology(spec);
  ASSERT_TRUE(topology);
  EXPECT_EQ(topology->global().stripes, (hardware::MemoryStripes{2, 256}));
  const std::string hint = "such as `stripes = { parts = 2, size = 256 B }`";
  for (const char* wrong :
       {"2", "{ parts = 2 }", "{ size = 256 B }", "{ parts = 0, size = 1 B }",
        "{ parts = 2, size = 0 B }", "{ parts = 2, parts = 2, size = 1 B }",
        "{ parts = 2, size = 256 B, rate = 1 }", "{ parts = 2, size = 2.5 B }"}) {
    const auto refused = parseHardware(base::makeSource("h.hw", with(wrong)), "h");
    EXPECT_FALSE(refused) << wrong;
  }
  const auto refused = parseHardware(base::makeSource("h.hw", with("{ parts = 2 }")), "h");
  ASSERT_FALSE(refused);
  EXPECT_NE(base::render(refused.diagnostics()).find(hint), std::string::npos);
}

TEST(HardwareParser, DmaChannelsOfMemories) {
  const auto withDma = [](const std::string& dma) {
    std::string text = kListing7And8;
    const std::string in = "size = 1499136";
    return text.replace(text.find(in), in.size(), "dma = " + dma + ", " + in);
  };
  const auto both = parsed(withDma("2"));
  EXPECT_EQ(both.memories[0].dma, (hardware::DmaChannels{2, 2}));
  EXPECT_NE(printHardware(both).find("dma = 2 }"), std::string::npos);
  const auto in = parsed(withDma("{ in = 3 }"));
  EXPECT_EQ(in.memories[0].dma, (hardware::DmaChannels{3, 0}));
  EXPECT_NE(printHardware(in).find("dma = { in = 3 } }"), std::string::npos);
  const auto topology = hardware::makeTopology(parsed(withDma("{ out = 1, in = 2 }")));
  ASSERT_TRUE(topology);
  EXPECT_EQ(topology->local().dma, (hardware::DmaChannels{2, 1}));
  const auto rate = parsed(withDma("{ in = 2, out = 2, rate = 4 B/cycle }"));
  EXPECT_EQ(rate.memories[0].dma, (hardware::DmaChannels{2, 2}));
  EXPECT_NE(printHardware(rate).find("dma = { in = 2, out = 2, rate = 4 B/cycle }"),
            std::string::npos);
  EXPECT_EQ(hardware::makeTopology(rate)->local().dmaRate, 4);
  const auto alone = parsed(withDma("{ rate = 4 B/cycle }"));
  EXPECT_FALSE(alone.memories[0].dma.limited());
  EXPECT_NE(printHardware(alone).find("dma = { rate = 4 B/cycle }"), std::string::npos);
  const std::pair<const char*, const char*> slips[] = {
      {"{ rate = 0 B/cycle }", "`rate`"},
      {"{ rate = 4 KiB }", "`rate`"},
      {"{ rate = 4, rate = 4 }", "`dma` names `rate` twice"},
      {"0", "`dma` wants an integer from 1"},
      {"2.5", "`dma` wants an integer from 1"},
      {"{ up = 1 }", "`dma` has no `up`"},
      {"{ in = 1, in = 2 }", "`dma` names `in` twice"},
      {"{ in = x }", "`dma` wants an integer"},
      {"{ }", "`dma` names neither a direction nor a rate"}};
  for (const auto& [dma, words] : slips) {
    const auto spec = parseHardware(base::makeSource("test.hw", withDma(dma)), "test");
    ASSERT_FALSE(spec) << dma;
    EXPECT_NE(base::render(spec.diagnostics()).find(words), std::string::npos)
        << base::render(spec.diagnostics());
  }
}

TEST(HardwareParser, OnlyTheGlobalMemoryIsDuplex) {
  std::string text = kListing7And8;
  const std::string in = "size = 1499136";
  text.replace(text.find(in), in.size(), "duplex = yes, " + in);
  const auto topology = hardware::makeTopology(parsed(text));
  ASSERT_TRUE(topology);
  const std::string notes = base::render(topology.diagnostics());
  EXPECT_NE(notes.find("`duplex` of `%"), std::string::npos) << notes;
  EXPECT_NE(notes.find("changes nothing"), std::string::npos) << notes;
}

TEST(HardwareParser, GlobalMemoryHasNoDmaChannels) {
  std::string text = kListing7And8;
  const std::string in = "size = 12884901888";
  text.replace(text.find(in), in.size(), "dma = 2, " + in);
  const auto topology = hardware::makeTopology(parsed(text));
  ASSERT_FALSE(topology);
  EXPECT_NE(base::render(topology.diagnostics()).find("`dma` of the global memory `%drams`"),
            std::string::npos);
}

}  // namespace
}  // namespace gridloom::syntax
