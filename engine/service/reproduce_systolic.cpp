// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "service/reproduce_tables.h"
#include "service/reproduce_text.h"

namespace gridloom::service {

namespace {

constexpr const char* kArray = "systolic_32x32";
constexpr const char* kFedAtTheEdge = "systolic_32x32, fed at the edge";

/// SCALE-Sim takes every operand to stand at the edge where its row or column begins. Here tensors are
/// interleaved over the banks, and words cross the array to their row. With links that carry a word for every
/// bank at once, the detour costs its hops but never waits: what remains is the array itself.
base::Result<HardwareRef> fedAtTheEdge(const Hardware& array) {
  Hardware out = array;
  const auto banks = static_cast<double>(array.topology.global().channels);
  for (hardware::Interconnect& link : out.spec.interconnects) {
    if (link.source == link.destination) link.bandwidth.value *= banks;
  }
  auto topology = hardware::makeTopology(out.spec);
  if (!topology) return topology.takeDiagnostics();
  out.topology = *std::move(topology);
  return std::make_shared<const Hardware>(std::move(out));
}

}  // namespace

ReproducedTable systolicCycles(CaseRunner& runner) {
  constexpr std::array<FigureColumn, 6> columns{
      {{"dataflow", false}, {"M"}, {"N"}, {"K"}, {"cycles"}, {"kind", false}}};
  auto file = FigureFile::openReference("systolic_cycles", columns);
  if (!file) return file.takeDiagnostics();

  auto array = runner.hardware(kArray);
  if (!array) return array.takeDiagnostics();
  auto fed = fedAtTheEdge(**array);
  if (!fed) return fed.takeDiagnostics();
  runner.add(kFedAtTheEdge, *std::move(fed));

  report::Reproduction out;
  out.title = "Cycles of a 32 x 32 systolic array";
  out.source = "SCALE-Sim, golden traces and formulas; without stalls";
  out.remarks = {
      "published cycles assume that operands stand at the edge whenever they are needed; ours "
      "fetch "
      "every word from the buffer's banks, over which tensors are interleaved, and write back",
      "fed at the edge: the same array with links on which no word waits for another, which is the "
      "nearest to what SCALE-Sim counts; the difference is the price of the interleaving",
      "an element of the array is a core here, with its own transfers (systolic_os, systolic_ws)"};
  for (std::size_t row = 0; row < file->rows(); ++row) {
    const std::string& dataflow = file->text(row, "dataflow");
    if (dataflow != "os" && dataflow != "ws") {
      return file->errorIn(row, "expected dataflow os or ws, got `" + dataflow + "`");
    }
    for (const std::string hardware : {kArray, kFedAtTheEdge}) {
      const CaseRequest request = gemmCase(hardware, *file, row, "systolic_" + dataflow, kProfiled);
      auto result = runner.run(request);
      if (!result) return result.takeDiagnostics();
      out.figures.push_back(
          {fmt::format("{} {} ({})", dataflow, sizesText(request), file->text(row, "kind")),
           hardware == kArray ? "cycles" : "cycles, fed at the edge", file->number(row, "cycles"),
           result->predicted.cycles, result->simulated.cycles, result->mapping});
    }
  }
  return out;
}

}  // namespace gridloom::service
