// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <vector>

#include "hardware/topology.h"
#include "support/rounds.h"
#include "syntax/hardware_parser.h"
#include "syntax/hardware_printer.h"
#include "syntax/lexer.h"

namespace gridloom::syntax {
namespace {

using hardware::Figure;
using hardware::HardwareSpec;
using hardware::SpatialDimId;

class SpecMaker {
 public:
  explicit SpecMaker(unsigned seed) : m_random(seed) {}

  HardwareSpec make() {
    HardwareSpec spec;
    const std::size_t rank = 1 + pick(3);
    std::vector<SpatialDimId> dims;
    for (std::size_t d = 0; d < rank; ++d) {
      spec.dims.push_back({"d" + std::to_string(d), 1 + static_cast<std::int64_t>(pick(6)), {}});
      dims.push_back(SpatialDimId::of(d));
    }
    hardware::MatrixUnit matrix;
    matrix.name = "mm";
    matrix.throughput = {{"a", figure("flop/cycle")}, {"b", figure("")}};
    matrix.issue = maybe("cycle");
    spec.matrixUnits.push_back(matrix);
    hardware::CoreArray cores;
    cores.name = "cores";
    cores.label = pick(2) == 0 ? "" : "a \"label\"";
    cores.scaleout = dims;
    cores.scalein = {{"mm", 1 + static_cast<std::int64_t>(pick(8))}};
    if (rank == 2) cores.disabled.push_back({{std::nullopt, std::int64_t{0}}});
    cores.clock = Figure{2e9, "GHz", 2, {}};
    spec.cores.push_back(cores);
    hardware::Memory memory;
    memory.name = "l1";
    memory.scaleout = dims;
    memory.size = Figure{1024, "KiB", 1, {}};
    memory.bandwidth = figure("B/cycle");
    memory.latency = maybe("cycle");
    spec.memories.push_back(memory);
    for (std::size_t d = 0; d < rank; ++d) spec.interconnects.push_back(ring(spec, rank, d));
    return spec;
  }

 private:
  std::size_t pick(std::size_t count) { return m_random() % count; }
  Figure figure(const std::string& unit) {
    const double value = static_cast<double>(1 + pick(100000)) / 7;
    return {value, unit, value, {}};
  }
  std::optional<Figure> maybe(const std::string& unit) {
    return pick(2) == 0 ? std::nullopt : std::optional(figure(unit));
  }
  hardware::Interconnect ring(const HardwareSpec& spec, std::size_t rank, std::size_t along) {
    using affine::AffineExpr;
    using affine::AffineOp;
    hardware::Interconnect link;
    link.name = "ring" + std::to_string(along);
    link.source = link.destination = "cores";
    link.map.numDims = static_cast<std::int64_t>(rank);
    for (std::size_t d = 0; d < rank; ++d) {
      AffineExpr result = AffineExpr::dim(static_cast<std::int64_t>(d));
      if (d == along) {
        const std::int64_t step = pick(2) == 0 ? 1 : -1;
        result = AffineExpr::binary(AffineOp::Add, result, AffineExpr::constant(step));
        result = AffineExpr::binary(AffineOp::Mod, result, AffineExpr::constant(spec.dims[d].size));
      }
      link.map.results.push_back(result);
    }
    link.bandwidth = figure("B/cycle");
    link.packet = pick(2) == 0 ? std::nullopt : std::optional(Figure{64, "B", 64, {}});
    link.multicast = pick(3) != 0;
    return link;
  }

  std::mt19937 m_random;
};

TEST(HardwareProperty, RandomSpecsRoundTripAndResolve) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const HardwareSpec spec = SpecMaker(seed).make();
    const std::string text = printHardware(spec);
    const auto again = parseHardware(base::makeSource("random.hw", text), "random");
    ASSERT_TRUE(again.ok()) << text << base::render(again.diagnostics());
    ASSERT_EQ(printHardware(*again), text);
    ASSERT_EQ(again->memories[0].bandwidth, spec.memories[0].bandwidth);
    ASSERT_EQ(again->interconnects[0].map, spec.interconnects[0].map);
    const auto direct = hardware::makeTopology(spec);
    const auto parsedBack = hardware::makeTopology(*again);
    ASSERT_EQ(direct.ok(), parsedBack.ok()) << text;
    if (!direct.ok()) continue;
    ASSERT_EQ(direct->links().size(), parsedBack->links().size());
    ASSERT_EQ(direct->enabledCores(), parsedBack->enabledCores());
  }
}

std::vector<std::string> presetTexts() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(GRIDLOOM_SOURCE_DIR) + "/hwpresets")) {
    if (entry.path().extension() == ".hw") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const auto& path : paths) {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    texts.push_back(text.str());
  }
  return texts;
}

TEST(HardwareProperty, PresetsRoundTripWithTheirComments) {
  const auto texts = presetTexts();
  ASSERT_GE(texts.size(), 7u);
  for (const std::string& text : texts) {
    const auto spec = parseHardware(base::makeSource("preset.hw", text), "preset");
    ASSERT_TRUE(spec.ok()) << base::render(spec.diagnostics());
    EXPECT_TRUE(spec.diagnostics().empty()) << "a preset gives every unit";
    const std::string once = printHardware(*spec);
    const auto again = parseHardware(base::makeSource("again.hw", once), "preset");
    ASSERT_TRUE(again.ok()) << base::render(again.diagnostics());
    EXPECT_EQ(printHardware(*again), once);
    EXPECT_EQ(lex(base::makeSource("a", text)).comments.size(),
              lex(base::makeSource("b", once)).comments.size());
  }
}

/// One random change: a token deleted, duplicated, swapped with another, or replaced by a hostile
/// one.
std::string mutated(const TokenText& text, std::mt19937& random) {
  constexpr const char* kHostile[] = {"-1",    "0",   "9223372036854775807",
                                      "1e308", "nan", "{",
                                      "}",     "%x",  "affine_map",
                                      "*",     "(",   "\"",
                                      "[[[",   "-",   "mod",
                                      "GB/s",  ",",   "\xFF",
                                      "(((",   "df.", "%a = df.core",
                                      "="};
  std::vector<std::string> tokens;
  for (const Token& token : text.tokens) {
    const bool newLine = text.source->text().substr(0, token.span.begin).ends_with('\n');
    tokens.push_back((newLine ? "\n" : " ") + std::string(text.textOf(token)));
  }
  const int changes = 1 + static_cast<int>(random() % 3);
  for (int i = 0; i < changes; ++i) {
    const std::size_t at = random() % tokens.size();
    switch (random() % 4) {
    case 0:
      tokens[at].clear();
      break;
    case 1:
      tokens[at] += tokens[at];
      break;
    case 2:
      std::swap(tokens[at], tokens[random() % tokens.size()]);
      break;
    default:
      tokens[at] = std::string(" ") + kHostile[random() % std::size(kHostile)];
    }
  }
  std::string out;
  for (const std::string& token : tokens) out += token;
  return out;
}

TEST(HardwareProperty, MutatedPresetsAreReadOrRefusedWithAPlace) {
  std::mt19937 random(20240607);
  int refused = 0;
  for (const std::string& preset : presetTexts()) {
    if (preset.find("df.spatial_dim 996") != std::string::npos) continue;  // a wafer takes too long
    const TokenText tokens = lex(base::makeSource("preset.hw", preset));
    for (int round = 0; round < test::rounds(400); ++round) {
      const std::string text = mutated(tokens, random);
      const auto spec = parseHardware(base::makeSource("mutated.hw", text), "mutated");
      if (!spec.ok()) {
        ++refused;
        for (const base::Diagnostic& d : spec.diagnostics()) ASSERT_TRUE(d.source) << d.message;
        continue;
      }
      const auto topology = hardware::makeTopology(*spec);
      if (topology.ok()) continue;
      ++refused;
      ASSERT_TRUE(base::hasError(topology.diagnostics()));
    }
  }
  EXPECT_GT(refused, test::rounds(1000));
}

}  // namespace
}  // namespace gridloom::syntax
