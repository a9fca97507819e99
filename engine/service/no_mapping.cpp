// SPDX-License-Identifier: Apache-2.0
#include "service/no_mapping.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "search/search.h"
#include "service/fitting_sizes.h"
#include "service/units.h"

namespace gridloom::service {

namespace {

/// Steps of the searches with other sizes: of one, and after which no further one begins.
constexpr std::int64_t kWorkOfTry = 1 << 16;
constexpr std::int64_t kMostWork = 1 << 18;
/// To plan a search takes time, too.
constexpr int kMostTriesOfOne = 12;
constexpr int kMostHalvingsTried = 8;

using Sizes = std::vector<std::pair<std::string, std::int64_t>>;

class SmallerSizes {
 public:
  SmallerSizes(const Exploration& exploration, base::Progress& progress)
      : m_exploration(exploration),
        m_progress(progress),
        m_sizes(writtenSizes(exploration.kernel->kernel)) {}

  // Sizes with which there is a mapping: one parameter smaller if that is found, else all of them
  // by the same factor; none where neither is.
  Sizes find() {
    const auto isLarge = [](const kernel::Parameter& size) { return size.value > 1; };
    if (std::ranges::none_of(m_sizes, isLarge)) return {};
    for (int halvings = 1; halvings <= kMostHalvingsTried; ++halvings) {
      Sizes all;
      for (const kernel::Parameter& size : m_sizes)
        all.emplace_back(size.name, std::max<std::int64_t>(1, size.value >> halvings));
      if (!hasMapping(all)) continue;
      Sizes one = oneFrom(halvings);
      return one.empty() ? all : one;
    }
    return {};
  }

 private:
  // One parameter smaller, by at least so many halvings; none where that is not found.
  Sizes oneFrom(int halvings) {
    int tries = 0;
    for (; halvings <= kMostHalvingsTried; ++halvings) {
      for (const kernel::Parameter& size : m_sizes) {
        const Sizes one{{size.name, size.value >> halvings}};
        if (one.front().second < 1) continue;
        if (++tries > kMostTriesOfOne) return {};
        if (hasMapping(one)) return one;
      }
    }
    return {};
  }

  // With sizes of the exploration where `changed` has none.
  bool hasMapping(const Sizes& changed) {
    if (m_work >= kMostWork || m_progress.cancelled()) return false;
    const Kernel& kernel = *m_exploration.kernel;
    KernelOptions tried{{}, kernel.dtype, kernel.kernel.name};
    for (const kernel::Parameter& size : m_sizes) {
      const auto to = std::ranges::find(changed, size.name, &Sizes::value_type::first);
      tried.set.emplace_back(size.name, to == changed.end() ? size.value : to->second);
    }
    const auto smaller = openKernel(kernel.source, tried);
    if (!smaller || !(*smaller)->nest) return false;
    const KernelRef form = withUnits(fitted(*smaller, *m_exploration.hardware), {});
    search::Options options;
    options.top = 1;
    options.mode = m_exploration.mode;
    options.workLimit = kWorkOfTry;
    const auto found = search::topK(form->kernel, *form->nest, m_exploration.hardware->topology, {},
                                    options, m_progress);
    if (!found) return false;
    m_work += found->space.work;
    return !found->top.empty();
  }

  const Exploration& m_exploration;
  base::Progress& m_progress;
  std::vector<kernel::Parameter> m_sizes;
  std::int64_t m_work = 0;
};

}  // namespace

NoMapping whyNoMapping(const Exploration& exploration, const mapping::Constraints& constraints,
                       base::Progress& progress) {
  NoMapping why;
  const Kernel& kernel = *exploration.kernel;
  for (const kernel::TileNest::Whole& whole : kernel.nest->whole) {
    const kernel::Loop& loop = kernel.kernel.loop(whole.loop);
    if (loop.extent > 1)
      why.reasons.push_back(fmt::format("{} is not tiled: {}", loop.name, whole.reason));
  }
  if (constraints.origins.empty() && kernel.kernel.source != nullptr)
    why.sizes = SmallerSizes(exploration, progress).find();
  return why;
}

std::vector<std::string> linesOf(const NoMapping& why) {
  std::vector<std::string> lines = why.reasons;
  if (!why.sizes.empty())
    lines.push_back("there are mappings with" + settingsText({why.sizes, "", ""}));
  return lines;
}

}  // namespace gridloom::service
