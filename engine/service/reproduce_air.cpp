// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "service/reproduce_figures.h"
#include "service/reproduce_tables.h"

namespace gridloom::service {

namespace {

constexpr const char* kNpu = "npu_phoenix_4x4";

/// The NPU with a herd of another shape; memory tiles, shims and links stay.
base::Result<std::string> herd(CaseRunner& runner, std::int64_t x, std::int64_t y) {
  auto whole = runner.hardware(kNpu);
  if (!whole) return whole.takeDiagnostics();
  Hardware out = **whole;
  for (hardware::SpatialDim& dim : out.spec.dims) {
    if (dim.name == "x") dim.size = x;
    if (dim.name == "y") dim.size = y;
  }
  auto topology = hardware::makeTopology(out.spec);
  if (!topology) return topology.takeDiagnostics();
  out.topology = *std::move(topology);
  std::string name = fmt::format("{}, {} x {} cores", kNpu, x, y);
  runner.add(name, std::make_shared<const Hardware>(std::move(out)));
  return name;
}

CaseRequest squareGemm(const std::string& hardware, const std::string& directives,
                       std::int64_t size, std::int64_t k) {
  return {hardware, "gemm", {{"M", size}, {"N", size}, {"K", k}}, directives, "", 1};
}

report::ReproducedFigure simulatedFigure(std::string subject, std::string quantity,
                                         std::optional<double> published, double simulated,
                                         const std::string& mapping) {
  return {std::move(subject), std::move(quantity), published, std::nullopt, simulated, mapping};
}

}  // namespace

ReproducedTable airHerdShapes(CaseRunner& runner) {
  struct Shape {
    const char* name;
    std::int64_t x, y;
    const char* directives;
  };
  constexpr std::array<Shape, 3> shapes{{{"1 x 4", 4, 1, "air_herd_1x4"},
                                         {"4 x 1", 1, 4, "air_herd_4x1"},
                                         {"2 x 2", 2, 2, "air_herd_2x2"}}};
  constexpr std::int64_t kSize = 1024;
  report::Reproduction out;
  out.title = "Shapes of a herd of four cores";
  out.source = "MLIR-AIR (paper 003), 7.1 and Fig. 3";
  out.remarks = {
      "GEMM of 1024 x 1024 x 1024, tiles of 64; what is not computing waits for an operand"};
  std::vector<CaseResult> results;
  for (const Shape& shape : shapes) {
    auto name = herd(runner, shape.x, shape.y);
    if (!name) return name.takeDiagnostics();
    auto result = runner.run(squareGemm(*name, shape.directives, kSize, kSize));
    if (!result) return result.takeDiagnostics();
    out.figures.push_back({shape.name, "cycles", std::nullopt, result->predicted.cycles,
                           result->simulated.cycles, result->mapping});
    out.figures.push_back({shape.name, "MiB from and to DRAM", std::nullopt,
                           result->predicted.dramBytes / (1 << 20),
                           result->simulated.dramBytes / (1 << 20), ""});
    out.figures.push_back(simulatedFigure(shape.name, "% of the time waiting", std::nullopt,
                                          100 * (1 - result->simulated.computing), ""));
    results.push_back(*std::move(result));
  }
  const auto waits = [&](std::size_t i) { return 1 - results[i].simulated.computing; };
  const auto slower = [&](std::size_t i) {
    return results[i].predicted.cycles > results[2].predicted.cycles;
  };
  out.claims.push_back({"AIR-6",
                        "1 x 4 and 4 x 1 stall because one operand is not broadcast, 2 x 2 less",
                        slower(0) && slower(1), waits(0) > waits(2) && waits(1) > waits(2),
                        fmt::format("{:.1f}%, {:.1f}%, {:.1f}% of the time waiting", 100 * waits(0),
                                    100 * waits(1), 100 * waits(2))});
  return out;
}

ReproducedTable airEfficiency(CaseRunner& runner) {
  constexpr std::array<FigureColumn, 4> columns{
      {{"x"}, {"y"}, {"directives", false}, {"efficiency_pct"}}};
  auto file = FigureFile::openReference("air_efficiency", columns);
  if (!file) return file.takeDiagnostics();
  constexpr std::array<std::int64_t, 3> depths{256, 1024, 4096};

  report::Reproduction out;
  out.title = "Share of peak of bf16 GEMM by size of the herd";
  out.source = "MLIR-AIR (paper 003), Fig. 12; the best of sizes up to 4096";
  out.remarks = {"ours: 2048 x 2048 x K, tiles of 64 x 64 x 64; published is the best over sizes, "
                 "set beside K = 4096",
                 "a core computes at its peak here: what its code loses inside a tile has no "
                 "published figure, so "
                 "that ours is what data movement alone allows"};
  bool predictedRises = true;
  bool simulatedRises = true;
  for (std::size_t row = 0; row < file->rows(); ++row) {
    auto name = herd(runner, file->integer(row, "x"), file->integer(row, "y"));
    if (!name) return name.takeDiagnostics();
    std::vector<CaseResult> results;
    for (const std::int64_t depth : depths) {
      auto result = runner.run(squareGemm(*name, file->text(row, "directives"), 2048, depth));
      if (!result) return result.takeDiagnostics();
      std::optional<double> published;
      if (depth == depths.back()) published = file->number(row, "efficiency_pct");
      out.figures.push_back({fmt::format("{} x {} cores, K = {}", file->integer(row, "x"),
                                         file->integer(row, "y"), depth),
                             "% of peak", published, 100 * result->predicted.utilization,
                             100 * result->simulated.utilization, result->mapping});
      results.push_back(*std::move(result));
    }
    for (std::size_t i = 1; i < results.size(); ++i) {
      predictedRises &= results[i].predicted.utilization >= results[i - 1].predicted.utilization;
      simulatedRises &= results[i].simulated.utilization >= results[i - 1].simulated.utilization;
    }
  }
  out.claims.push_back({"AIR-7", "throughput rises with K, which flushes the pipeline less often",
                        predictedRises, simulatedRises, "K = 256, 1024, 4096 on every herd"});
  return out;
}

ReproducedTable airFusedAttention(CaseRunner& runner) {
  constexpr std::array<FigureColumn, 2> columns{{{"part", false}, {"latency_us"}}};
  auto file = FigureFile::openReference("air_attention", columns);
  if (!file) return file.takeDiagnostics();
  auto name = herd(runner, 1, 1);
  if (!name) return name.takeDiagnostics();
  constexpr std::int64_t kLength = 256;
  constexpr std::int64_t kHead = 48;
  const auto gemm = [&](std::int64_t n, std::int64_t k) {
    return CaseRequest{*name, "gemm", {{"M", kLength}, {"N", n}, {"K", k}}, "", "", 5};
  };
  const std::array<CaseRequest, 4> requests{
      gemm(kLength, kHead),
      CaseRequest{*name, "softmax", {{"M", kLength}, {"N", kLength}}, "", "", 5},
      gemm(kHead, kLength),
      CaseRequest{*name,
                  "flash_attention",
                  {{"H", 1}, {"SQ", kLength}, {"SK", kLength}, {"D", kHead}},
                  "",
                  "",
                  5}};
  constexpr std::array<const char*, 4> parts{"scores", "softmax", "values", "fused"};

  report::Reproduction out;
  out.title = "Attention of one head on one core, fused and apart";
  out.source = "MLIR-AIR (paper 003), Table 3";
  out.remarks = {
      "published latencies include host and dispatch, for which the description has no figures",
      "head size 48, sequence length 256; projections and rotary embeddings are left out"};
  std::array<double, 2> apart{};
  std::array<double, 2> fused{};
  std::array<double, 2> moved{};
  for (std::size_t i = 0; i < requests.size(); ++i) {
    auto result = runner.run(requests[i]);
    if (!result) return result.takeDiagnostics();
    std::optional<double> published;
    for (std::size_t row = 0; row < file->rows(); ++row) {
      if (file->text(row, "part") == parts[i]) published = file->number(row, "latency_us");
    }
    const double predicted = result->predicted.cycles / 1000;  // us at the description's 1 GHz
    const double simulated = result->simulated.cycles / 1000;
    out.figures.push_back({parts[i], "us", published, predicted, simulated, result->mapping});
    const bool last = i + 1 == requests.size();
    (last ? fused : apart)[0] += predicted;
    (last ? fused : apart)[1] += simulated;
    moved[last ? 1 : 0] += result->simulated.dramBytes;
  }
  out.claims.push_back(
      {"fused",
       "one fused kernel is faster than its parts one by one (published 2.24 x with dispatch)",
       fused[0] < apart[0], fused[1] < apart[1],
       fmt::format(
           "{:.2f} x predicted, {:.2f} x simulated, without dispatch; {:.0f} KiB against {:.0f} "
           "KiB from and to DRAM",
           apart[0] / fused[0], apart[1] / fused[1], moved[1] / 1024, moved[0] / 1024)});
  return out;
}

}  // namespace gridloom::service
