// SPDX-License-Identifier: Apache-2.0
#include "study/changed_hardware.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace gridloom::study {

namespace {

void scaleLatency(hardware::HardwareSpec& spec, double factor) {
  for (hardware::Interconnect& link : spec.interconnects) {
    if (link.latency) link.latency->value *= factor;
  }
}

void scaleLocal(hardware::HardwareSpec& spec, double factor) {
  for (hardware::Memory& memory : spec.memories) {
    if (memory.scaleout == spec.cores.front().scaleout) memory.size.value *= factor;
  }
}

bool resize(hardware::HardwareSpec& spec, const Change& change) {
  for (std::size_t d = 0; d < spec.dims.size(); ++d) {
    if (spec.dims[d].name != change.name || !(change.value >= 1)) continue;
    spec.dims[d].size = std::llround(change.value);
    const auto size = static_cast<std::size_t>(spec.dims[d].size);
    for (hardware::Memory& memory : spec.memories) {
      const bool along = std::ranges::any_of(
          memory.scaleout, [&](hardware::SpatialDimId id) { return id.index() == d; });
      if (memory.global && along) memory.at.resize(std::min(memory.at.size(), size));
    }
    return true;
  }
  return false;
}

}  // namespace

base::Result<std::vector<Change>> changesIn(std::string_view text) {
  std::vector<Change> out;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (word.empty()) continue;
    const std::size_t sign = word.find_first_of("=*");
    Change change{std::string(word.substr(0, sign)), sign < word.size() && word[sign] == '*'};
    const char* last = word.data() + word.size();
    const char* first = sign < word.size() ? word.data() + sign + 1 : last;
    const auto [end, error] = std::from_chars(first, last, change.value);
    if (error != std::errc() || end != last || std::abs(change.value) > 1e15) {
      return base::plainError(fmt::format("expected `NAME=NUMBER`, got `{}`", word),
                              "several are separated by blanks: `M=1024 N=1024`");
    }
    out.push_back(std::move(change));
  }
  return out;
}

base::Result<Sizes> sizesIn(std::string_view text) {
  auto changes = changesIn(text);
  if (!changes) return changes.takeDiagnostics();
  Sizes out;
  for (const Change& change : *changes) {
    if (change.factor || change.value != std::round(change.value)) {
      return base::plainError(
          fmt::format("`{}` has to be a whole number, not {}", change.name, change.value));
    }
    out.emplace_back(change.name, std::llround(change.value));
  }
  return out;
}

base::Result<service::HardwareRef> changedHardware(service::HardwareRef hardware,
                                                   const std::vector<Change>& changes) {
  if (changes.empty()) return hardware;
  service::Hardware out = *hardware;
  for (const Change& change : changes) {
    const double value = change.value;
    if (change.factor && change.name == "latency") {
      scaleLatency(out.spec, value);
    } else if (change.factor && change.name == "local") {
      scaleLocal(out.spec, value);
    } else if (!change.factor && change.name == "launch") {
      if (value > 0) out.spec.cores.front().launch = hardware::Figure{value, "cycle", value, {}};
    } else if (change.factor || !resize(out.spec, change)) {
      return base::plainError("nothing of the hardware can be varied as `" + change.name + "`",
                              "write DIM=N, launch=N, latency*F or local*F");
    }
  }
  auto topology = hardware::makeTopology(out.spec);
  if (!topology) return topology.takeDiagnostics();
  out.topology = *std::move(topology);
  return service::HardwareRef(std::make_shared<const service::Hardware>(std::move(out)));
}

}  // namespace gridloom::study
