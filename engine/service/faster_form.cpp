// SPDX-License-Identifier: Apache-2.0
#include "service/faster_form.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "search/search.h"
#include "service/search_budget.h"

namespace gridloom::service {

namespace {

/// Steps of a search, as in SearchLimits: half a second at most. Wavefronts of 64 to 2048 elements
/// had their best mapping after 100,000 steps, with borders that read other inputs after 400,000;
/// what follows only proves that it is the best.
constexpr std::int64_t kShortSearch = 1'000'000;

constexpr double kNoMapping = std::numeric_limits<double>::infinity();

struct Fastest {
  double cycles = kNoMapping;
  search::Stop stopped = search::Stop::None;  ///< what ended the search, if it is not the fastest
  double margin = 0;  ///< the share of its cycles by which another one may be faster
};

/// Searches both forms within one limit.
class ShortSearches {
 public:
  ShortSearches(const Hardware& hardware, const FormSearch& search, const SearchLimits& limits,
                base::Progress& progress)
      : m_hardware(hardware),
        m_limits(limits),
        m_time(limits.seconds),
        m_work(limits.work),
        m_progress(progress) {
    m_options.top = 1;
    m_options.mode = search.mode;
    m_options.threads = search.threads;
    m_options.timeLimit = limits.seconds / 4;
    m_options.workLimit = limits.work > 0 ? std::min(kShortSearch, m_work.share(4)) : 0;
    m_options.margin = limits.margin;
  }

  /// The fastest mapping that takes at most so many cycles.
  Fastest fastestOf(const Form& form, double below = kNoMapping) {
    if (m_progress.cancelled()) return {kNoMapping, search::Stop::Interrupted};
    const Kernel& kernel = *form.kernel;
    const auto search = search::PreparedSearch::over(
        kernel.kernel, *kernel.nest, m_hardware.topology, form.constraints, m_options, m_progress);
    if (!search) return {};
    m_work.take((*search)->points());
    m_options.below = below;
    const search::Outcome found = (*search)->topK(m_options, m_progress);
    m_work.take(found.space.work);
    const double cycles = found.top.empty() ? kNoMapping : found.top.front().estimate.cycles;
    return {cycles, found.space.stopped, found.space.margin};
  }

  SearchLimits left() const {
    SearchLimits left = m_limits;
    left.seconds = m_time.seconds();
    left.work = m_work.share(1);
    return left;
  }

 private:
  const Hardware& m_hardware;
  const SearchLimits& m_limits;
  TimeLeft m_time;
  WorkLeft m_work;
  base::Progress& m_progress;
  search::Options m_options;
};

}  // namespace

KernelRef firstForm(const KernelRef& kernel) {
  if (!kernel->kernel.alternative) return kernel;
  Kernel first = *kernel;
  first.kernel.alternative = nullptr;
  return std::make_shared<const Kernel>(std::move(first));
}

std::optional<KernelRef> otherForm(const KernelRef& kernel, const Hardware& hardware) {
  if (!kernel->kernel.alternative) return std::nullopt;
  Kernel other = *kernel;
  other.kernel = *kernel->kernel.alternative;
  auto nest = kernel::tileNest(other.kernel);
  if (!nest) return std::nullopt;
  other.nest = *std::move(nest);
  Kernel out = *fitted(std::make_shared<const Kernel>(std::move(other)), hardware);
  out.remarks = kernel->remarks;  // what `fitted` remarks on, it has remarked on in the first form
  return std::make_shared<const Kernel>(std::move(out));
}

FormChoice fasterForm(const Form& first, const Form& second, const Hardware& hardware,
                      const FormSearch& search, SearchLimits& left, base::Progress& progress) {
  ShortSearches searches(hardware, search, left, progress);
  const Fastest one = searches.fastestOf(first);
  const Fastest other = searches.fastestOf(second, one.cycles);
  left = searches.left();
  if (progress.cancelled()) return {false, search::Stop::Interrupted};
  const bool isSecond = other.cycles < one.cycles;
  const double cycles = std::min(one.cycles, other.cycles);
  return {isSecond, isSecond ? one.stopped : other.stopped, std::max(one.margin, other.margin),
          cycles < kNoMapping ? std::optional(cycles) : std::nullopt};
}

}  // namespace gridloom::service
