// SPDX-License-Identifier: Apache-2.0
#include "service/mapping_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "exchange/mapping_json.h"
#include "exchange/summary_json.h"
#include "report/exploration_text.h"
#include "service/schedule_input.h"
#include "syntax/directive_parser.h"
#include "syntax/nest_parser.h"

namespace gridloom::service {

namespace {

constexpr std::string_view kInfeasible = "no mapping is feasible";

bool looksLikeJson(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

template <class T> base::Diagnostics findingsOf(base::Result<T> result) {
  return result.takeDiagnostics();
}

/// Of a value there are no errors, but perhaps remarks.
template <class T> base::Diagnostics errorsOf(base::Result<T> result) {
  return result ? base::Diagnostics{} : result.takeDiagnostics();
}

base::Diagnostics checkKernel(base::SourceRef text) {
  auto kernel = openKernel(std::move(text), {});
  if (!kernel) return kernel.takeDiagnostics();
  base::Diagnostics findings = (*kernel)->remarks;
  for (base::Diagnostic finding : (*kernel)->notMapped) {
    // the kernel is correct, but exceeds what can be mapped
    finding.severity = base::Severity::Note;
    findings.push_back(std::move(finding));
  }
  return findings;
}

base::Diagnostics checkHardware(base::SourceRef text) {
  auto hardware = openHardware(std::move(text));
  return hardware ? (*hardware)->remarks : hardware.takeDiagnostics();
}

/// An `.mlir` file that declares dimensions of hardware is hardware, as TL's authors write it. A
/// comment that names them declares none.
bool declaresHardware(const base::SourceText& text) {
  const std::string_view all = text.text();
  for (std::size_t at = 0; (at = all.find("df.spatial_dim", at)) != std::string_view::npos;) {
    const std::size_t line = all.rfind('\n', at) + 1;
    if (all.substr(line, at - line).find("//") == std::string_view::npos) return true;
    at = std::min(all.find('\n', at), all.size());
  }
  return false;
}

// The caller reports an interrupted search itself.
base::Diagnostics remarksOn(const search::SpaceCount& space) {
  base::Diagnostics remarks;
  const auto warn = [&](std::string message) {
    remarks.push_back(base::plainError(std::move(message)));
    remarks.back().severity = base::Severity::Warning;
  };
  if (space.stopped != search::Stop::None && space.stopped != search::Stop::Interrupted)
    warn(report::stoppedText(space));
  if (space.formChoice != search::Stop::None && space.formChoice != search::Stop::Interrupted)
    warn(report::formChoiceText(space));
  if (!space.whole.empty()) warn(report::notTiledText(space.whole));
  return remarks;
}

}  // namespace

SavedKind savedKind(const base::SourceText& text) {
  if (std::filesystem::path(text.name()).extension() == ".prog") return SavedKind::Schedule;
  return looksLikeJson(text.text()) ? SavedKind::Json : SavedKind::Directives;
}

base::Result<mapping::Mapping> mappingFromDirectives(HardwareRef hardware, KernelRef kernel,
                                                     const mapping::Constraints& constraints,
                                                     const std::string& mode,
                                                     base::Progress& progress,
                                                     const ranking::Reranking& rerank,
                                                     const SearchLimits& search) {
  ExploreOptions options;
  options.top = 1;
  options.mode = mode;
  options.rerank = rerank;
  options.search = search;
  auto found = explore(std::move(hardware), std::move(kernel), constraints, options, progress);
  if (!found) return found.takeDiagnostics();
  const Exploration& exploration = **found;
  if (!exploration.top.empty()) {
    const ranking::Ranked& best = exploration.top.front();
    if (best.notSimulated.empty()) return {best.candidate.mapping, remarksOn(exploration.space)};
    return best.notSimulated;
  }
  if (progress.cancelled()) return base::plainError("stopped before a mapping was found");
  if (exploration.space.stopped != search::Stop::None) {
    return base::plainError("no mapping was found\n" + report::spaceText(exploration.space),
                            "narrow the space with directives, or give the search more");
  }
  return base::plainError(std::string(kInfeasible) + "\n" + report::spaceText(exploration.space),
                          "loosen the directives, or use smaller tiles");
}

base::Result<mapping::Mapping> openMapping(base::SourceRef text, HardwareRef hardware,
                                           KernelRef kernel, const std::string& mode,
                                           base::Progress& progress,
                                           const ranking::Reranking& rerank,
                                           const SearchLimits& search) {
  if (!kernel->nest) return kernel->notMapped;
  kernel = fitted(std::move(kernel), *hardware);
  const SavedKind kind = savedKind(*text);
  if (kind == SavedKind::Schedule) {
    return base::errorAt(text, {0, 0}, "this is a schedule, and not a mapping",
                         "`gridloom simulate --schedule` simulates it");
  }
  if (kind == SavedKind::Json) {
    return exchange::mappingFromJson(std::move(text), kernel->kernel, *kernel->nest,
                                     hardware->topology);
  }
  auto constraints = openDirectives(std::move(text), *kernel, *hardware);
  if (!constraints) return constraints.takeDiagnostics();
  return mappingFromDirectives(std::move(hardware), std::move(kernel), *constraints, mode, progress,
                               rerank, search);
}

base::Result<std::optional<mapping::Constraints>>
openSaved(base::SourceRef text, const Kernel& kernel, const Hardware& hardware) {
  using Directives = std::optional<mapping::Constraints>;
  const SavedKind kind = savedKind(*text);
  if (kind == SavedKind::Directives) {
    auto constraints = openDirectives(std::move(text), kernel, hardware);
    if (!constraints) return constraints.takeDiagnostics();
    return Directives(*std::move(constraints));
  }
  const base::Diagnostics errors =
      kind == SavedKind::Json ? errorsOf(exchange::mappingFromJson(std::move(text), kernel.kernel,
                                                                   *kernel.nest, hardware.topology))
                              : checkNames(std::move(text), kernel, hardware);
  if (!errors.empty()) return errors;
  return Directives();
}

bool isInfeasible(const base::Diagnostics& errors) {
  return std::ranges::any_of(
      errors, [](const base::Diagnostic& error) { return error.message.starts_with(kInfeasible); });
}

base::Diagnostics checkText(base::SourceRef text) {
  const std::string extension = std::filesystem::path(text->name()).extension().string();
  if (extension == ".hw" || (extension == ".mlir" && declaresHardware(*text))) {
    return checkHardware(std::move(text));
  }
  if (extension == ".rec" || extension == ".mlir") return checkKernel(std::move(text));
  if (extension == ".sched") return findingsOf(syntax::parseDirectives(std::move(text)));
  if (extension == ".nest") return findingsOf(syntax::parseNest(std::move(text)));
  if (extension == ".prog") return checkSchedule(std::move(text));
  if (extension == ".json") {
    if (exchange::isMappingJson(*text)) return exchange::checkMappingForm(std::move(text));
    return exchange::checkResult(std::move(text));
  }
  return {base::plainError(text->name() + ": files of this kind are not known",
                           "known are .hw, .rec, .mlir, .sched, .prog, .nest, .study and .json")};
}

}  // namespace gridloom::service
