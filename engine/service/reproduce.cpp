// SPDX-License-Identifier: Apache-2.0
#include "service/reproduce.h"

#include <algorithm>
#include <array>

#include "service/reproduce_tables.h"
#include "syntax/spelling.h"

namespace gridloom::service {

namespace {

constexpr auto kStudies = std::to_array<Study>({
    {"tl", "TL (paper 000): Table 1, templates, mesh shapes, irregular shapes, reuse, attention"},
    {"wormhole", "tt-metal's GEMM and FlashAttention on a Wormhole n150"},
    {"timeloop", "Timeloop's accesses per memory and tensor under fixed mappings"},
    {"systolic", "SCALE-Sim's cycles of a 32 x 32 systolic array"},
    {"noc", "Wormhole's NoC and DRAM transfer by transfer, and a mesh under load (BookSim2)"},
    {"air", "MLIR-AIR (paper 003): shapes of a herd, efficiency, fused attention on an AMD NPU"},
    {"npu", "mlir-air's GEMM of bf16 on the Strix NPU, measured, with the blocks of every run"},
    {"cyclotron",
     "Cyclotron (paper 004): dataflows of GEMM; attention, triangular solve and Cholesky: use of "
     "the cores, link latency, registers"},
    {"agreement", "Predicted against simulated, over random mappings and over the best"},
    {"ranking", "The first of the ranking against the fastest of all ranked, for TL's GEMM shapes"},
});

struct TableEntry {
  std::string_view study;
  ReproducedTable (*run)(CaseRunner& runner);
};
constexpr auto kTables = std::to_array<TableEntry>({
    {"tl", tlSpatialReuse},
    {"tl", tlTemplates},
    {"tl", tlPreference},
    {"tl", tlIrregularShapes},
    {"tl", tlTemporalReuse},
    {"tl", tlAttention},
    {"wormhole", wormholeGemm},
    {"wormhole", wormholeAttention},
    {"timeloop", timeloopCounts},
    {"systolic", systolicCycles},
    {"systolic", systolicWords},
    {"noc", nocLatency},
    {"noc", nocDramBandwidth},
    {"noc", nocLoadLatency},
    {"air", airHerdShapes},
    {"air", airEfficiency},
    {"air", airFusedAttention},
    {"npu", npuGemmExternal},
    {"npu", npuGemmFused},
    {"npu", npuGemmDrain},
    {"npu", npuGemmDirectF32},
    {"npu", npuGemmDirectBf16},
    {"cyclotron", cyclotronDataflows},
    {"cyclotron", cyclotronAttention},
    {"cyclotron", cyclotronUtilization},
    {"cyclotron", cyclotronSolverKnobs},
    {"agreement", modelAgreement},
    {"ranking", rankingRegret},
});

}  // namespace

std::span<const Study> studies() { return kStudies; }

base::Diagnostics reproduce(const std::string& study, const ReproduceOptions& options,
                            const ReproductionSink& sink, base::Progress& progress) {
  if (std::ranges::none_of(kStudies, [&](const Study& s) { return s.name == study; })) {
    std::vector<std::string_view> names;
    for (const Study& s : kStudies) names.emplace_back(s.name);
    return {
        base::plainError("there is no study `" + study + "`", syntax::spellingHint(study, names))};
  }
  CaseRunner runner(options, progress);
  for (const TableEntry& table : kTables) {
    if (table.study != study) continue;
    auto reproduction = table.run(runner);
    if (progress.cancelled()) return {};
    if (!reproduction) return reproduction.takeDiagnostics();
    reproduction->study = study;
    sink(*std::move(reproduction));
  }
  return {};
}

}  // namespace gridloom::service
