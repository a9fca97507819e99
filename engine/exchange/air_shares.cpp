// SPDX-License-Identifier: Apache-2.0
#include "exchange/air_shares.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace gridloom::exchange {

namespace {

// What a region spans over the whole domain, and whether some tile of it is an edge tile.
struct Span {
  std::int64_t lowest = 0, highest = 0;
  bool edges = false;
};

Span reachOf(const kernel::RegionDim& dim, const mapping::Tiling& tiling) {
  Span reach{dim.index.constant + dim.minOffset, dim.index.constant + dim.maxOffset, false};
  for (std::size_t l = 0; l < tiling.loops.size(); ++l) {
    const std::int64_t c = dim.index.coefficient(l);
    if (c == 0) continue;
    (c > 0 ? reach.highest : reach.lowest) += c * (tiling.loops[l].extent - 1);
    reach.edges |= tiling.loops[l].extent % tiling.loops[l].tileSize != 0;
  }
  return reach;
}

}  // namespace

bool isCut(const kernel::RegionDim& dim, std::int64_t size, const mapping::Tiling& tiling) {
  const Span reach = reachOf(dim, tiling);
  return reach.edges || dim.behind || reach.lowest < 0 || reach.highest >= size;
}

bool isEqualInside(const AirContext& air, const kernel::Operand& operand, const SlotShape& slot) {
  const auto& shape = air.kernel.tensor(operand.tensor).shape;
  for (const InnerLoop& inner : slot.inner) {
    const std::size_t loop = air.schedule.order[inner.position].index();
    for (std::size_t d = 0; d < operand.dims.size(); ++d) {
      const bool moves = operand.dims[d].index.dependsOn(loop);
      if (moves && isCut(operand.dims[d], shape[d], air.schedule.tiling)) return false;
    }
  }
  return true;
}

AirRegion AirShares::regionOf(const kernel::Operand& operand) {
  AirRegion region;
  const std::vector<std::int64_t>& shape = m_air.kernel.tensor(operand.tensor).shape;
  for (std::size_t d = 0; d < operand.dims.size(); ++d) addDim(region, operand.dims[d], shape[d]);
  return region;
}

void AirShares::addDim(AirRegion& region, const kernel::RegionDim& dim, std::int64_t size) {
  const mapping::Tiling& tiling = m_air.schedule.tiling;
  const std::int64_t extent = regionExtent(dim, tiling.tileSizes);
  const Span reach = reachOf(dim, tiling);
  // The smallest index is at the last element of loops that count backwards.
  std::vector<std::string> low = m_place.origins(), high = m_place.origins();
  for (std::size_t l = 0; l < low.size(); ++l) {
    const std::int64_t c = dim.index.coefficient(l);
    const bool cut = isCut(dim, size, tiling);
    if (c > 0 && cut) high[l] = m_place.lastOf(l);
    if (c < 0) low[l] = m_place.lastOf(l);
  }
  const std::string start = m_place.valueOf(dim.index, low);
  const std::string raw = m_place.plus(start, dim.minOffset);
  region.from.push_back(reach.lowest < 0 ? m_code.most("from", {"d0", "0"}, {raw}) : raw);
  const bool skips = reach.lowest < 0 && extent <= size;
  region.skipped.push_back(skips ? m_code.affine("skip", "d0 - d1", {region.from.back(), raw})
                                 : m_code.constant(0));
  if (!isCut(dim, size, tiling)) {
    region.count.push_back(m_code.constant(std::min(extent, size)));
    return;
  }
  region.whole = false;
  const std::string last = dim.behind
                               ? m_place.plus(start, -1)
                               : m_place.plus(m_place.valueOf(dim.index, high), dim.maxOffset);
  const std::string end = m_code.least("last", {"d0", fmt::to_string(size - 1)}, {last});
  region.count.push_back(m_code.most("count", {"d0 - d1 + 1", "0"}, {end, region.from.back()}));
}

std::vector<std::string> AirShares::countsOf(const SlotShape& slot) {
  std::vector<std::string> counts;
  for (const InnerLoop& inner : slot.inner) {
    counts.push_back(m_place.tripsOf(m_air.schedule.order[inner.position].index()));
  }
  return counts;
}

std::vector<std::string> AirShares::sharedSizes(const kernel::Operand& operand,
                                                const SlotShape& slot) {
  if (!isEqualInside(m_air, operand, slot)) {
    const std::vector<std::int64_t> all = slot.sizes();
    return m_code.constants(all, all.size());
  }
  std::vector<std::string> sizes = countsOf(slot);
  const AirRegion region = regionOf(operand);
  sizes.insert(sizes.end(), region.count.begin(), region.count.end());
  return sizes;
}

std::string AirShares::product(const std::vector<std::string>& factors) {
  std::string all;
  for (const std::string& factor : factors) {
    if (all.empty() || factor == m_code.constant(1)) {
      all = all.empty() ? factor : all;
      continue;
    }
    const std::string name = m_code.fresh("elements");
    m_code.line("{} = arith.muli {}, {} : index", name, all, factor);
    all = name;
  }
  return all.empty() ? m_code.constant(1) : all;
}

AirShares::Share AirShares::shareOf(const schedule::Code& at, const std::string& elements) {
  const auto dim = static_cast<std::size_t>(at.ring);
  const std::string cores = m_place.activeAlong(dim);
  const std::string back =
      m_code.affine("back", fmt::format("d0 - {} + d1 * {}", at.arg, at.arg + 1),
                    {m_place.coordinates()[dim], cores});
  const std::string number = m_code.fresh("share"), each = m_code.fresh("each");
  m_code.line("{} = arith.remsi {}, {} : index", number, back, cores);
  m_code.line("{} = arith.ceildivsi {}, {} : index", each, elements, cores);
  const std::string before = m_code.fresh("before"), first = m_code.fresh("first");
  m_code.line("{} = arith.muli {}, {} : index", before, each, number);
  m_code.line("{} = arith.minsi {}, {} : index", first, before, elements);
  return {first, m_code.least("count", {"d0", "d1 - d2"}, {each, elements, first})};
}

}  // namespace gridloom::exchange
