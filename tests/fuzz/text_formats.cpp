// SPDX-License-Identifier: Apache-2.0
#include "text_formats.h"

#include <array>
#include <tuple>

#include "base/message_limit.h"
#include "exchange/mapping_json.h"
#include "exchange/noc_trace.h"
#include "exchange/summary_json.h"
#include "report/comparison.h"
#include "service/count.h"
#include "service/mapping_input.h"
#include "service/replay.h"
#include "service/result_records.h"
#include "service/schedule_input.h"
#include "study/study_file.h"
#include "syntax/hardware_parser.h"
#include "syntax/hardware_printer.h"
#include "syntax/kernel_parser.h"
#include "syntax/kernel_printer.h"
#include "texts/presets.h"

namespace gridloom::fuzz {

namespace {

/// Findings are for people: something is said, at a place that is there, and not that we are wrong.
std::string faultOf(const base::Diagnostics& findings) {
  for (const base::Diagnostic& finding : findings) {
    if (finding.message.empty()) return "a finding without a message";
    if (finding.message.find("internal error") != std::string::npos) return finding.message;
    const auto size = finding.source ? finding.source->text().size() : 0;
    if (finding.source && (finding.span.begin > size || finding.span.begin > finding.span.end)) {
      return "a place outside the text: " + finding.message;
    }
  }
  if (findings.size() > 2 * base::kMostMessages) return "too many findings";
  return base::render(findings).size() > 1'000'000 ? "a flood of words" : "";
}

base::SourceRef sourceOf(const std::string& text, const char* name) {
  return base::makeSource(name, text);
}

std::string checkHardware(const std::string& text) {
  const auto spec = syntax::parseHardware(sourceOf(text, "fuzz.hw"), "fuzz");
  if (spec) {
    const std::string printed = syntax::printHardware(*spec);
    const auto again = syntax::parseHardware(sourceOf(printed, "printed.hw"), "fuzz");
    if (!again) return "what is printed is refused: " + base::render(again.diagnostics());
    if (syntax::printHardware(*again) != printed) return "what is printed prints otherwise";
  }
  const auto hardware = service::openHardware(sourceOf(text, "fuzz.hw"));
  return faultOf(hardware ? (*hardware)->remarks : hardware.diagnostics());
}

std::string checkKernels(const std::string& text) {
  const auto graph = syntax::parseKernels(sourceOf(text, "fuzz.rec"), {});
  if (!graph) return faultOf(graph.diagnostics());
  const std::string printed = syntax::printKernels(*graph);
  const auto again = syntax::parseKernels(sourceOf(printed, "printed.rec"), {});
  if (!again) return "what is printed is refused: " + base::render(again.diagnostics());
  if (syntax::printKernels(*again) != printed) return "what is printed prints otherwise";
  const auto kernel = service::openKernel(sourceOf(text, "fuzz.rec"), {});
  if (!kernel) return "a graph that is read gives no kernel";
  const std::string fault = faultOf((*kernel)->remarks);
  return fault.empty() ? faultOf((*kernel)->notMapped) : fault;
}

/// A kernel on a hardware.
struct Problem {
  service::HardwareRef hardware;
  service::KernelRef kernel;
};

Problem makeProblem(const std::string& hardware, const std::string& kernel, std::int64_t size) {
  service::KernelOptions options;
  for (const char* name : {"M", "N", "K"}) {
    if (size > 0) options.set.emplace_back(name, size);
  }
  return {*service::openHardware(*texts::loadHardwareText(hardware)),
          *service::openKernel(*texts::loadKernelText(kernel), options)};
}

const Problem& smallGemm() {
  static const Problem problem = makeProblem("wormhole_1x8", "gemm", 64);
  return problem;
}

std::string checkDirectives(const std::string& text) {
  const auto& [hardware, kernel] = smallGemm();
  const auto constraints =
      service::openDirectives(sourceOf(text, "fuzz.sched"), *kernel, *hardware);
  return faultOf(constraints.diagnostics());
}

std::string checkNest(const std::string& text) {
  static const Problem problem = makeProblem("timeloop_2level", "timeloop_conv1d_oc", 0);
  const auto counted =
      service::countNest(problem.hardware, problem.kernel, sourceOf(text, "fuzz.nest"));
  if (!counted) return faultOf(counted.diagnostics());
  return service::textOf(*counted).empty() || service::jsonOf(*counted).empty() ? "no text" : "";
}

std::string checkSchedule(const std::string& text) {
  const auto& [hardware, kernel] = smallGemm();
  const auto schedule = service::openSchedule(sourceOf(text, "fuzz.prog"), *kernel, *hardware);
  if (!schedule) return faultOf(schedule.diagnostics());
  const std::string printed = service::textOf((*schedule)->schedule, *kernel, *hardware);
  const auto again = service::openSchedule(sourceOf(printed, "printed.prog"), *kernel, *hardware);
  if (!again) return "what is printed is refused: " + base::render(again.diagnostics());
  return service::textOf((*again)->schedule, *kernel, *hardware) == printed
             ? ""
             : "what is printed prints otherwise";
}

std::string checkMapping(const std::string& text) {
  if (text.find('{') == std::string::npos) return "";  // directives, which are searched
  const auto& [hardware, kernel] = smallGemm();
  base::Progress progress;
  const auto mapping = exchange::mappingFromJson(sourceOf(text, "fuzz.json"), kernel->kernel,
                                                 *kernel->nest, hardware->topology);
  const std::string fault = faultOf(service::checkText(sourceOf(text, "fuzz.json")));
  if (!mapping || !fault.empty()) return fault + faultOf(mapping.diagnostics());
  const std::string printed = service::mappingJsonOf(*hardware, *kernel, *mapping, "");
  const auto again = exchange::mappingFromJson(sourceOf(printed, "printed.json"), kernel->kernel,
                                               *kernel->nest, hardware->topology);
  if (!again) return "what is printed is refused: " + base::render(again.diagnostics());
  return *again == *mapping ? "" : "what is printed is another mapping";
}

std::string checkResult(const std::string& text) {
  const std::string fault = faultOf(service::checkText(sourceOf(text, "fuzz.json")));
  if (!fault.empty()) return fault;
  const auto summary = exchange::readSummary(sourceOf(text, "fuzz.json"));
  if (!summary) return faultOf(summary.diagnostics());
  if (base::hasError(report::checkComparable(*summary, *summary))) return "";
  return report::comparisonText(report::compare(*summary, *summary)).empty() ? "no text" : "";
}

// Recurrences may be refused: a loop may leave its tensor, as in the file itself.
std::string checkMlir(const std::string& text) {
  std::vector<std::pair<std::string, std::int64_t>> set;
  for (int tries = 0;; ++tries) {
    const auto imported = service::importMlir(sourceOf(text, "fuzz.mlir"), set);
    if (imported) {
      const auto graph = syntax::parseKernels(*imported, {});
      return graph ? "" : faultOf(graph.diagnostics());
    }
    // Arguments get the value that is asked for.
    const std::string& message = imported.diagnostics().front().message;
    const std::size_t end = message.find("` has no value");
    if (tries == 8 || end == std::string::npos || message[0] != '`')
      return faultOf(imported.diagnostics());
    set.emplace_back(message.substr(1, end - 1), 16);
  }
}

std::string checkTrace(const std::string& text) {
  static const service::HardwareRef hardware =
      *service::openHardware(*texts::loadHardwareText("wormhole_n150"));
  const auto trace = exchange::readNocTrace(sourceOf(text, "fuzz.json"));
  if (!trace) return faultOf(trace.diagnostics());
  base::Progress progress;
  const auto replayed = service::replay(*trace, *hardware, "wormhole_n150", "paced", progress);
  const std::string fault = faultOf(trace->remarks);
  return fault.empty() ? faultOf(replayed.diagnostics()) : fault;
}

std::string checkStudy(const std::string& text) {
  const auto study = study::readStudy(sourceOf(text, "fuzz.csv"));
  if (study) std::ignore = study->columns();  // the cells as numbers
  return faultOf(study.diagnostics());
}

}  // namespace

std::span<const TextFormat> textFormats() {
  static const std::array<TextFormat, 11> formats{{{"hardware", ".hw", checkHardware},
                                                   {"kernel", ".rec", checkKernels},
                                                   {"directives", ".sched", checkDirectives},
                                                   {"nest", ".nest", checkNest},
                                                   {"schedule", ".prog", checkSchedule},
                                                   {"mapping", ".json", checkMapping},
                                                   {"result", ".json", checkResult},
                                                   {"trace", ".json", checkTrace},
                                                   {"mlir", ".mlir", checkMlir},
                                                   {"study", ".study", checkStudy},
                                                   {"measurements", ".csv", checkStudy}}};
  return formats;
}

}  // namespace gridloom::fuzz
