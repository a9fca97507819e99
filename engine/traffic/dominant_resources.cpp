// SPDX-License-Identifier: Apache-2.0
#include "traffic/dominant_resources.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <unordered_set>
#include <utility>

namespace gridloom::traffic {

namespace {

class Rows {
 public:
  explicit Rows(std::span<const Load* const> loads) : m_loads(loads) {}

  std::size_t hash(std::size_t row) const {
    std::size_t mixed = 0;
    for (const auto* load : m_loads) {
      mixed = (mixed ^ std::hash<double>{}((*load)[row])) * 0x9e3779b97f4a7c15U;
      mixed ^= mixed >> 32;
    }
    return mixed;
  }

  template <class Compare>
  bool everywhere(std::size_t a, std::size_t b, const Compare& compare) const {
    return std::ranges::all_of(m_loads,
                               [&](const auto* load) { return compare((*load)[a], (*load)[b]); });
  }

  /// Calls visit(row, weight) for the rows with a weight that differ from the row before them; most
  /// links are loaded as their neighbours.
  template <class Visit> void forDifferent(const Visit& visit) const {
    std::vector<const double*> parts;
    std::optional<std::size_t> last;  // visited
    for (std::size_t p = 0; p < m_loads.front()->parts(); ++p) {
      parts.clear();
      for (const auto* load : m_loads) {
        if (const double* part = load->part(p)) parts.push_back(part);
      }
      const std::size_t first = p * Load::kPart;
      const std::size_t size = parts.empty() ? 0 : m_loads.front()->partSize(p);
      for (std::size_t i = 0; i < size; ++i) {
        if (last && *last >= first) {
          const std::size_t before = *last - first;
          const auto same = [&](const double* part) { return part[i] == part[before]; };
          if (std::ranges::all_of(parts, same)) continue;
        } else if (last && everywhere(*last, first + i, std::equal_to<>())) {
          continue;
        }
        double weight = 0;
        for (const double* part : parts) weight += part[i];
        if (!(weight > 0)) continue;
        last = first + i;
        visit(*last, weight);
      }
    }
  }

 private:
  std::span<const Load* const> m_loads;
};

}  // namespace

std::vector<std::size_t> dominantResources(std::span<const Load* const> loads,
                                           const base::Progress* progress) {
  if (loads.empty()) return {};
  const auto isCancelled = [&] { return progress != nullptr && progress->cancelled(); };
  const Rows rows(loads);
  const auto hash = [&](std::size_t row) { return rows.hash(row); };
  const auto alike = [&](std::size_t a, std::size_t b) {
    return rows.everywhere(a, b, std::equal_to<>());
  };
  std::unordered_set<std::size_t, decltype(hash), decltype(alike)> known(64, hash, alike);
  std::vector<std::pair<double, std::size_t>> byWeight;
  rows.forDifferent([&](std::size_t row, double weight) {
    if (!isCancelled() && known.insert(row).second) byWeight.emplace_back(-weight, row);
  });
  // Heavier resources come first, so no later one dominates an earlier one.
  std::sort(byWeight.begin(), byWeight.end());
  std::vector<std::size_t> kept;
  for (const auto& [weight, row] : byWeight) {
    if (isCancelled()) break;
    const bool covered = std::ranges::any_of(kept, [&, candidate = row](std::size_t other) {
      return rows.everywhere(other, candidate, std::greater_equal<>());
    });
    if (!covered) kept.push_back(row);
  }
  // Where all tensors are in local layout and nothing moves, one resource represents all of them.
  if (kept.empty() && loads.front()->size() > 0 && !isCancelled()) kept.push_back(0);
  return kept;
}

std::size_t channelResources(const hardware::Topology& hw) {
  const auto channels = static_cast<std::size_t>(hw.global().channels);
  return hw.global().duplex ? 2 * channels : channels;
}

std::size_t firstChannelResource(const hardware::Topology& hw, bool write) {
  return write && hw.global().duplex ? static_cast<std::size_t>(hw.global().channels) : 0;
}

std::string resourceName(const hardware::Topology& hw, std::size_t resource) {
  using hardware::Link;
  const std::size_t channels = channelResources(hw);
  const std::size_t links = hw.links().size();
  if (resource < channels) return "dram";
  const std::size_t instances = channels + links + static_cast<std::size_t>(hw.coreCount());
  if (resource >= instances) {
    return hw.sharedBufferOf(static_cast<std::int64_t>(resource - instances)).name;
  }
  if (resource >= channels + links) return "local memory";
  const Link link = hw.links()[resource - channels];
  if (link.kind == Link::Kind::ReadPort) return "read port";
  if (link.kind == Link::Kind::WritePort) return "write port";
  return hw.networks()[link.network.index()].name;
}

}  // namespace gridloom::traffic
