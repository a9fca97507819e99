// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "inputs.h"
#include "output.h"
#include "report/numbers.h"
#include "report/recording.h"
#include "report/table.h"
#include "texts/presets.h"
#include "verbs.h"

namespace gridloom::cli {

namespace {

using report::Align;
using report::textCell;

std::string meshText(const report::HardwareRecord& hw) {
  std::string out;
  for (const report::NamedSize& dim : hw.dims) {
    out += (out.empty() ? "" : "x") + std::to_string(dim.size);
  }
  return out;
}

std::string peakText(const report::HardwareRecord& hw) {
  if (hw.clock > 0) return report::flopRateText(hw.peakFlops * hw.clock);
  return report::cyclesText(hw.peakFlops) + " flop/cycle";
}

/// First part of a preset's summary, which may be a long sentence; `gridloom show` prints all of
/// it.
std::string shortened(const std::string& summary) {
  constexpr std::size_t kLongest = 78;
  if (summary.size() <= kLongest) return summary;
  return summary.substr(0, summary.rfind(' ', kLongest - 3)) + "...";
}

/// Presets mark figures without a source as assumed.
bool hasAssumptions(const base::SourceText& text) {
  return text.text().find("assumed") != std::string_view::npos;
}

std::vector<report::Cell> hardwareRow(const texts::Preset& preset,
                                      const service::Hardware& hardware) {
  // The most exact mode serves 16-bit operands.
  const auto compute = hardware.topology.compute("", 16);
  const report::HardwareRecord hw = report::recordOf(hardware.topology, hardware.spec,
                                                     compute ? *compute : hardware::ComputeModel{});
  return {textCell(preset.name),
          textCell(meshText(hw)),
          textCell(peakText(hw)),
          textCell(report::bytesText(static_cast<double>(hw.localBytes))),
          textCell(report::trimmed(hw.readBandwidth, 1) + " B/cycle"),
          textCell(hasAssumptions(*hardware.source) ? "some" : "none"),
          textCell(shortened(preset.summary))};
}

Exit listHardware() {
  report::Table table;
  table.columns = {{"name", "name", Align::Left},
                   {"cores", "cores"},
                   {"peak", "peak"},
                   {"per core", "local_memory"},
                   {"memory", "memory"},
                   {"assumed", "assumed", Align::Left},
                   {"what it is", "summary", Align::Left}};
  Exit exit = Exit::Done;
  for (const texts::Preset& preset : texts::listHardware()) {
    auto text = texts::loadText(preset.path);
    auto hardware = text ? service::openHardware(*text)
                         : base::Result<service::HardwareRef>(text.diagnostics());
    if (hardware) {
      table.rows.push_back(hardwareRow(preset, **hardware));
    } else {
      printDiagnostics(hardware.diagnostics());
      exit = Exit::BadInput;
    }
  }
  return worse(exit, printAnswer(report::tableText(table)));
}

std::string parametersText(const report::KernelRecord& kernel) {
  std::string out;
  for (const report::NamedSize& p : kernel.parameters) {
    out += (out.empty() ? "" : " ") + p.name + "=" + std::to_string(p.size);
  }
  return out;
}

Exit listKernels() {
  report::Table table;
  table.columns = {{"name", "name", Align::Left},
                   {"folder", "folder", Align::Left},
                   {"parameters", "parameters", Align::Left},
                   {"work", "flops"},
                   {"mapped", "mapped", Align::Left},
                   {"what it is", "summary", Align::Left}};
  Exit exit = Exit::Done;
  for (const texts::Preset& preset : texts::listKernels()) {
    auto kernel = openKernel(preset.path, {});
    if (!kernel) {
      printDiagnostics(kernel.diagnostics());
      exit = Exit::BadInput;
      continue;
    }
    const report::KernelRecord record = report::recordOf((*kernel)->kernel);
    table.rows.push_back(
        {textCell(preset.name), textCell(preset.group), textCell(parametersText(record)),
         textCell(report::countText(record.flops) + "FLOP"),
         textCell((*kernel)->nest ? "yes" : "not yet"), textCell(shortened(preset.summary))});
  }
  return worse(exit, printAnswer(report::tableText(table)));
}

Exit listDirectives() {
  report::Table table;
  table.columns = {{"name", "name", Align::Left}, {"what they ask for", "summary", Align::Left}};
  for (const texts::Preset& preset : texts::listDirectives()) {
    table.rows.push_back({textCell(preset.name), textCell(shortened(preset.summary))});
  }
  return printAnswer(report::tableText(table));
}

}  // namespace

Exit list(const Options& options) {
  const std::string& what = options.names.front();
  if (what == "hardware") return listHardware();
  if (what == "kernels" || what == "kernel") return listKernels();
  if (what == "directives") return listDirectives();
  printError("there is no list of `" + what + "`",
             "there are `gridloom list hardware`, `list kernels` and `list directives`");
  return Exit::BadInput;
}

}  // namespace gridloom::cli
