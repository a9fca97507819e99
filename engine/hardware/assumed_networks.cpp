// SPDX-License-Identifier: Apache-2.0
#include "hardware/assumed_networks.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/message_limit.h"
#include "hardware/assumed_maps.h"

namespace gridloom::hardware {

namespace {

using affine::AffineExpr;

/// What the networks of a machine join: its cores, or the memories of its cores.
struct Routers {
  std::string name;
  std::vector<SpatialDimId> dims;
  base::Span span;
};

bool joins(const Interconnect& link, const std::string& name) {
  return link.source == name && link.destination == name;
}

bool joinsItself(const HardwareSpec& spec, const std::string& name) {
  return std::ranges::any_of(spec.interconnects,
                             [&](const Interconnect& link) { return joins(link, name); });
}

Routers routersOf(const HardwareSpec& spec) {
  for (const Memory& memory : spec.memories) {
    if (isOfTheCores(spec, memory) && joinsItself(spec, memory.name)) {
      return {memory.name, memory.scaleout, memory.span};
    }
  }
  const CoreArray& cores = spec.cores.front();
  return {cores.name, cores.scaleout, cores.span};
}

bool leadsAlong(const HardwareSpec& spec, const Routers& routers, std::size_t dim) {
  return std::ranges::any_of(spec.interconnects, [&](const Interconnect& link) {
    return joins(link, routers.name) && dim < link.map.results.size() &&
           link.map.results[dim] != AffineExpr::dim(static_cast<std::int64_t>(dim));
  });
}

Interconnect networkAlong(const HardwareSpec& spec, const Routers& routers, std::size_t dim,
                          std::int64_t step) {
  Interconnect link;
  const auto like = std::ranges::find_if(
      spec.interconnects, [&](const Interconnect& other) { return joins(other, routers.name); });
  if (like != spec.interconnects.end()) {
    link = *like;
  } else {
    link.bandwidth = Figure{kAssumedLinkBandwidth, {}, kAssumedLinkBandwidth, routers.span};
  }
  const std::string& along = spec.dims[routers.dims[dim].index()].name;
  link.name = freeName(spec, "along_" + along + (step < 0 ? "_back" : ""));
  link.source = link.destination = routers.name;
  link.span = routers.span;
  link.map = {};
  link.map.numDims = static_cast<std::int64_t>(routers.dims.size());
  for (std::int64_t d = 0; d < link.map.numDims; ++d) {
    link.map.results.push_back(AffineExpr::dim(d));
  }
  link.map.results[dim] =
      AffineExpr::binary(affine::AffineOp::Add, link.map.results[dim], AffineExpr::constant(step));
  return link;
}

void joinNeighbours(HardwareSpec& spec, const Routers& routers, std::size_t dim,
                    base::Diagnostics& out) {
  for (const std::int64_t step : {1, -1}) {
    Interconnect link = networkAlong(spec, routers, dim, step);
    if (step > 0) {
      const std::string text = fmt::format("%{} = df.interconnects %{}, %{} {{ map = {}, "
                                           "bandwidth = {} B/cycle }}",
                                           link.name, link.source, link.source,
                                           affine::toString(link.map), link.bandwidth.value);
      base::report(out, base::warningAt(spec.source, routers.span,
                                        fmt::format("no network leads along d{} of `%{}`; assumed "
                                                    "links between neighbours, both ways, of {} "
                                                    "B/cycle",
                                                    dim, routers.name, link.bandwidth.value),
                                        fmt::format("write `{}`, and one back", text)));
    }
    addOp(spec, HardwareSpec::OpRef::Kind::Interconnect, spec.interconnects.size());
    spec.interconnects.push_back(std::move(link));
  }
}

}  // namespace

void completeNetworks(HardwareSpec& spec, base::Diagnostics& out) {
  if (spec.cores.size() != 1 || !spec.cores.front().grid.empty()) return;
  const Routers routers = routersOf(spec);
  for (std::size_t d = 0; d < routers.dims.size(); ++d) {
    if (spec.dims[routers.dims[d].index()].size < 2 || leadsAlong(spec, routers, d)) continue;
    joinNeighbours(spec, routers, d, out);
  }
}

}  // namespace gridloom::hardware
