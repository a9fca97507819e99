// SPDX-License-Identifier: Apache-2.0
#include "service/schedule_passes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <vector>

#include "schedule/passes.h"
#include "syntax/spelling.h"

namespace gridloom::service {

namespace {

using schedule::Schedule;

constexpr std::array<std::string_view, 5> kPasses{"ping-pong", "merge", "split", "broadcast",
                                                  "depths"};

std::vector<std::string> itemsOf(const std::string& list) {
  std::vector<std::string> items;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    items.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return items;
}

/// `merge` without a number means one mover per inbound DMA channel of local memory, or one mover.
base::Result<int> moversOf(const std::string& item, std::int64_t channels) {
  constexpr std::string_view kWord = "merge";
  if (item == kWord) return static_cast<int>(std::max<std::int64_t>(1, channels));
  const std::string_view digits = std::string_view(item).substr(kWord.size() + 1);
  int movers = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), movers);
  if (error == std::errc() && end == digits.data() + digits.size() && movers > 0) return movers;
  return base::plainError("pass `" + item + "`: expected how many movers a core may have",
                          "write `merge=2`");
}

base::Result<double> cyclesOf(const Schedule& schedule, const Kernel& kernel,
                              const Hardware& hardware, const std::string& mode,
                              base::Progress& progress) {
  simulate::Options options;
  options.mode = mode;
  auto simulation = simulate::simulate(schedule, kernel.kernel, *kernel.nest, hardware.topology,
                                       options, progress);
  if (!simulation) return simulation.takeDiagnostics();
  return simulation->cycles;
}

base::Result<Schedule> applyOne(const std::string& item, Schedule schedule, const Kernel& kernel,
                                const Hardware& hardware, const std::string& mode,
                                base::Progress& progress) {
  const kernel::TileNest& nest = *kernel.nest;
  if (item == "ping-pong") return schedule::pingPong(schedule, nest, hardware.topology);
  if (item == "split") return schedule::splitMovers(schedule);
  if (item == "broadcast") return schedule::findBroadcasts(schedule, nest, hardware.topology);
  if (item == "depths") {
    return smallestDepths(std::move(schedule), kernel, hardware, mode, progress);
  }
  const auto movers = moversOf(item, hardware.topology.local().dma.in);
  if (!movers) return movers.diagnostics();
  return schedule::mergeMovers(schedule, *movers);
}

/// Errors in the name of a pass; empty when it is valid.
base::Diagnostics checkItem(const std::string& item) {
  const std::string word = item.substr(0, item.find('='));
  if (std::ranges::find(kPasses, word) == kPasses.end()) {
    return {
        base::plainError("there is no pass `" + item + "`", syntax::spellingHint(word, kPasses))};
  }
  if (word == "merge") return moversOf(item, 1).diagnostics();
  if (word == item) return {};
  return {base::plainError("pass `" + word + "` takes no number", "write `" + word + "`")};
}

}  // namespace

base::Diagnostics checkPasses(const std::string& names) {
  base::Diagnostics errors;
  for (const std::string& item : itemsOf(names)) {
    for (base::Diagnostic& error : checkItem(item)) errors.push_back(std::move(error));
  }
  return errors;
}

base::Result<Schedule> applyPasses(const std::string& names, Schedule schedule,
                                   const Kernel& kernel, const Hardware& hardware,
                                   const std::string& mode, base::Progress& progress) {
  if (auto errors = checkPasses(names); !errors.empty()) return errors;
  for (const std::string& item : itemsOf(names)) {
    auto next = applyOne(item, std::move(schedule), kernel, hardware, mode, progress);
    if (!next) return next;
    base::Diagnostics findings =
        schedule::verify(*next, kernel.kernel, *kernel.nest, hardware.topology);
    if (base::hasError(findings)) {
      findings.front().message =
          "after pass `" + item + "` the schedule is not legal: " + findings.front().message;
      return findings;
    }
    schedule = *std::move(next);
  }
  return schedule;
}

base::Result<Schedule> smallestDepths(Schedule schedule, const Kernel& kernel,
                                      const Hardware& hardware, const std::string& mode,
                                      base::Progress& progress) {
  const auto now = cyclesOf(schedule, kernel, hardware, mode, progress);
  if (!now) return now.diagnostics();
  std::vector<schedule::BufferId> order;
  for (std::size_t b = 0; b < schedule.buffers.size(); ++b) {
    if (schedule.buffers[b].slots > 1) order.push_back(schedule::BufferId::of(b));
  }
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](schedule::BufferId b) { return schedule.buffers[b.index()].bytes; });
  for (const schedule::BufferId buffer : order) {
    for (int slots = 1; slots < schedule.buffers[buffer.index()].slots; ++slots) {
      Schedule fewer =
          schedule::withSlots(schedule, *kernel.nest, hardware.topology, buffer, slots);
      if (base::hasError(schedule::verify(fewer, kernel.kernel, *kernel.nest, hardware.topology)))
        continue;
      const auto cycles = cyclesOf(fewer, kernel, hardware, mode, progress);
      if (!cycles) return cycles.diagnostics();
      if (*cycles > *now) continue;
      schedule = std::move(fewer);
      break;
    }
  }
  return schedule;
}

}  // namespace gridloom::service
