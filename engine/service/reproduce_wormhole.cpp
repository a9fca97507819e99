// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "service/reproduce_tables.h"
#include "service/reproduce_text.h"

namespace gridloom::service {

namespace {

constexpr const char* kHardware = "wormhole_n150";
/// tt-metal's attention runs with two fidelity phases.
constexpr const char* kAttentionMode = "hifi2";
/// Keys of a block in bench/cases/tt_attention.
constexpr double kKeys = 512;

}  // namespace

ReproducedTable wormholeGemm(CaseRunner& runner) {
  constexpr std::array<FigureColumn, 6> columns{
      {{"M"}, {"N"}, {"K"}, {"mode", false}, {"operands", false}, {"device_util_pct"}}};
  auto file = FigureFile::openReference("wormhole_gemm", columns);
  if (!file) return file.takeDiagnostics();

  report::Reproduction out;
  out.title = "GEMM on Wormhole n150";
  out.source = "tt-metal, GEMM_FLOPS report (2026); 8x8 cores, BF16, device time";
  out.remarks = {
      "utilization: of the peak of the numeric mode, host time excluded",
      "operands are where the published run had them: interleaved over DRAM, or in local memory"};
  for (std::size_t row = 0; row < file->rows(); ++row) {
    const std::string& operands = file->text(row, "operands");
    const bool inDram = operands.find("L1") == std::string::npos;
    CaseRequest request =
        gemmCase(kHardware, *file, row, inDram ? "tt_gemm_dram" : "tt_gemm_l1", kProfiled);
    request.mode = file->text(row, "mode");
    auto result = runner.run(request);
    if (!result) return result.takeDiagnostics();
    out.figures.push_back({fmt::format("{} ({})", sizesText(request), operands),
                           fmt::format("{} utilization in %, {}", request.mode,
                                       inDram ? "all in DRAM" : "some in L1"),
                           file->number(row, "device_util_pct"),
                           100 * result->predicted.utilization, 100 * result->simulated.utilization,
                           result->mapping});
  }
  return out;
}

ReproducedTable wormholeAttention(CaseRunner& runner) {
  constexpr std::array<FigureColumn, 4> columns{{{"H"}, {"S"}, {"D"}, {"tflops"}}};
  auto file = FigureFile::openReference("wormhole_flash_attention", columns);
  if (!file) return file.takeDiagnostics();

  report::Reproduction out;
  out.title = "FlashAttention on Wormhole";
  out.source = "tt-metal, FlashAttention report; causal BF16, read off a chart";
  out.remarks = {
      "published: causal, of which half the work is counted, though whole blocks on the diagonal "
      "are computed",
      "ours: all of it is computed and counted, less the part of a causal run on the diagonal that "
      "the count leaves out: 512 of S + 512 keys",
      fmt::format("numeric mode {}; heads x queries x keys x head dimension", kAttentionMode)};
  for (std::size_t row = 0; row < file->rows(); ++row) {
    const std::int64_t length = file->integer(row, "S");
    const CaseRequest request{kHardware,
                              "flash_attention",
                              {{"H", file->integer(row, "H")},
                               {"SQ", length},
                               {"SK", length},
                               {"D", file->integer(row, "D")}},
                              "tt_attention",
                              kAttentionMode,
                              1};
    auto result = runner.run(request);
    if (!result) return result.takeDiagnostics();
    // S / 512 blocks of keys: a causal run computes (n + 1) / 2n of all blocks, the count says 1/2.
    const double counted = static_cast<double>(length) / (static_cast<double>(length) + kKeys);
    out.figures.push_back({sizesText(request),
                           fmt::format("TFLOP/s, head dimension {}", file->integer(row, "D")),
                           file->number(row, "tflops"), counted * result->predicted.tflops,
                           counted * result->simulated.tflops, result->mapping});
  }
  return out;
}

}  // namespace gridloom::service
