// SPDX-License-Identifier: Apache-2.0
#include "service/faster_form.h"

#include <limits>
#include <utility>

#include "search/search.h"
#include "timing/op_cycles.h"

namespace gridloom::service {

namespace {

/// Steps of a search, as in SearchLimits: about a tenth of a second. A wavefront of 64 to 2048
/// elements had its best mapping after half as many; what follows only proves that it is the best.
constexpr std::int64_t kShortSearch = 200'000;

double cyclesOf(const Kernel& kernel, const Hardware& hardware) {
  constexpr double kNoMapping = std::numeric_limits<double>::infinity();
  const auto compute = hardware.topology.compute({}, timing::operandBits(*kernel.nest));
  if (!compute) return kNoMapping;
  search::Options options;
  options.top = 1;
  options.mode = compute->mode;
  options.workLimit = kShortSearch;
  base::Progress progress;
  const auto search = search::PreparedSearch::over(kernel.kernel, *kernel.nest, hardware.topology,
                                                   {}, options, progress);
  if (!search) return kNoMapping;
  const search::Outcome found = (*search)->topK(options, progress);
  return found.top.empty() ? kNoMapping : found.top.front().estimate.cycles;
}

}  // namespace

KernelRef fasterForm(KernelRef kernel, const Hardware& hardware) {
  if (!kernel->kernel.alternative) return kernel;
  Kernel first = *kernel, second = *kernel;
  first.kernel.alternative = nullptr;
  second.kernel = *kernel->kernel.alternative;
  auto nest = kernel::tileNest(second.kernel);
  if (nest) second.nest = *std::move(nest);
  const bool isSecond = nest && cyclesOf(second, hardware) < cyclesOf(first, hardware);
  return std::make_shared<const Kernel>(std::move(isSecond ? second : first));
}

}  // namespace gridloom::service
