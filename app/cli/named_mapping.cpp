// SPDX-License-Identifier: Apache-2.0

// The mapping that --mapping names: a file, or a rank.

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "base/interrupt.h"
#include "inputs.h"
#include "progress_bar.h"
#include "service/mapping_input.h"
#include "texts/presets.h"

namespace gridloom::cli {

namespace {

/// For every verb that searches: no mapping that fits is the answer no; a space that cannot be
/// searched is bad input.
Exit notFound(const base::Diagnostics& errors) {
  if (simulate::hasInternalError(errors)) return Exit::Internal;
  return service::isInfeasible(errors) ? Exit::No : Exit::BadInput;
}

base::Result<service::ExplorationRef> exploreFor(std::int64_t rank, const Options& options,
                                                 const Inputs& inputs, base::Progress& progress) {
  const ProgressBar bar(progress, "exploring");
  const int top = std::max(static_cast<int>(rank), options.top);
  return service::explore(
      inputs.hardware, inputs.kernel, inputs.constraints,
      {top, options.threads, options.mode, rerankingOf(options), limitsOf(options), inputs.search},
      progress);
}

/// The mapping of that rank of `explore`; `ranking` holds what was explored for another one.
std::variant<mapping::Mapping, Exit> mappingOfRank(std::int64_t rank, const Options& options,
                                                   const Inputs& inputs, base::Progress& progress,
                                                   service::ExplorationRef& ranking) {
  constexpr std::int64_t kMost = service::kMappingsInFull;
  if (rank < 1 || rank > kMost) {
    printError("a rank is between 1 and " + std::to_string(kMost) + ", got " + std::to_string(rank),
               "`gridloom explore` lists the mappings with their ranks");
    return Exit::BadInput;
  }
  if (ranking == nullptr) {
    auto found = exploreFor(rank, options, inputs, progress);
    printDiagnostics(found.diagnostics());
    if (progress.cancelled()) return base::stoppedStatus();
    if (!found) return notFound(found.diagnostics());
    ranking = *std::move(found);
    if (options.rerank < 0)
      printRemark(base::Severity::Note,
                  "ranks are those of `gridloom explore` without --rerank and --simulate, which "
                  "may order mappings otherwise");
  }
  const auto at = static_cast<std::size_t>(rank) - 1;
  if (at < ranking->listed()) return service::mappingAt(*ranking, at);
  printError("there is no mapping of rank " + std::to_string(rank) + ": the list has " +
                 std::to_string(ranking->listed()),
             "`gridloom explore --top " + std::to_string(rank) +
                 "` lists them; those that differ only in names of loops and dimensions are one");
  return Exit::No;
}

}  // namespace

std::optional<std::int64_t> rankNamed(const std::string& name) {
  std::int64_t rank = 0;
  const char* end = name.data() + name.size();
  const auto [read, error] = std::from_chars(name.data(), end, rank);
  std::error_code none;
  if (error != std::errc() || read != end || std::filesystem::exists(name, none)) return {};
  return rank;
}

std::variant<mapping::Mapping, Exit> openMapping(const Options& options, const Inputs& inputs,
                                                 base::Progress& progress,
                                                 service::ExplorationRef* ranking) {
  if (options.mapping.empty()) {
    auto best = [&] {
      const ProgressBar bar(progress, "searching");
      return service::mappingFromDirectives(inputs.hardware, inputs.kernel, inputs.constraints,
                                            options.mode, progress, rerankingOf(options),
                                            inputs.search);
    }();
    printDiagnostics(best.diagnostics());
    if (best) return *std::move(best);
    return progress.cancelled() ? base::stoppedStatus() : notFound(best.diagnostics());
  }
  service::ExplorationRef own;
  if (const auto rank = rankNamed(options.mapping))
    return mappingOfRank(*rank, options, inputs, progress, ranking == nullptr ? own : *ranking);
  auto text = texts::loadText(options.mapping);
  if (!text) {
    printDiagnostics(text.diagnostics());
    return Exit::BadInput;
  }
  auto mapping = [&] {
    const ProgressBar bar(progress, "searching");
    return service::openMapping(*std::move(text), inputs.hardware, inputs.kernel, options.mode,
                                progress, rerankingOf(options), inputs.search);
  }();
  printDiagnostics(mapping.diagnostics());
  if (mapping) return *std::move(mapping);
  if (progress.cancelled()) return base::stoppedStatus();
  return notFound(mapping.diagnostics());
}

}  // namespace gridloom::cli
