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

/// The rank that a name such as `3` is; nothing for the name of a file.
std::optional<std::int64_t> rankNamed(const std::string& name) {
  std::int64_t rank = 0;
  const char* end = name.data() + name.size();
  const auto [read, error] = std::from_chars(name.data(), end, rank);
  std::error_code none;
  if (error != std::errc() || read != end || std::filesystem::exists(name, none)) return {};
  return rank;
}

/// The mapping of that rank of `explore`.
std::variant<mapping::Mapping, Exit> mappingOfRank(std::int64_t rank, const Options& options,
                                                   const Inputs& inputs, base::Progress& progress) {
  constexpr std::int64_t kMost = service::kMappingsInFull;
  if (rank < 1 || rank > kMost) {
    printError("a rank is between 1 and " + std::to_string(kMost) + ", got " + std::to_string(rank),
               "`gridloom explore` lists the mappings with their ranks");
    return Exit::BadInput;
  }
  auto found = [&] {
    const ProgressBar bar(progress, "exploring");
    const int top = std::max(static_cast<int>(rank), options.top);
    return service::explore(inputs.hardware, inputs.kernel, inputs.constraints,
                            {top, options.threads, options.mode, rerankingOf(options),
                             limitsOf(options), inputs.search},
                            progress);
  }();
  printDiagnostics(found.diagnostics());
  if (progress.cancelled()) return base::stoppedStatus();
  if (!found) return notFound(found.diagnostics());
  const auto at = static_cast<std::size_t>(rank) - 1;
  if (at < (*found)->listed()) return service::mappingAt(**found, at);
  printError("there is no mapping of rank " + std::to_string(rank) + ": " +
                 std::to_string((*found)->listed()) + " fit",
             "`gridloom explore` lists the mappings with their ranks");
  return Exit::No;
}

}  // namespace

std::variant<mapping::Mapping, Exit> openMapping(const Options& options, const Inputs& inputs,
                                                 base::Progress& progress) {
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
  if (const auto rank = rankNamed(options.mapping))
    return mappingOfRank(*rank, options, inputs, progress);
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
