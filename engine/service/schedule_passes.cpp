// SPDX-License-Identifier: Apache-2.0
#include "service/schedule_passes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <vector>

#include "schedule/passes.h"
#include "simulate/simulation.h"
#include "syntax/spelling.h"

namespace gridloom::service {

namespace {

using schedule::Schedule;
using schedule::VerifiedSchedule;

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

base::Result<double> cyclesOf(const VerifiedSchedule& schedule, const std::string& mode,
                              base::Progress& progress) {
  simulate::Options options;
  options.mode = mode;
  auto simulation = simulate::simulate(schedule, options, progress);
  if (!simulation) return simulation.takeDiagnostics();
  return simulation->cycles;
}

/// The schedule, verified for what `old` was verified for.
base::Result<VerifiedSchedule> verifyLike(const VerifiedSchedule& old, Schedule schedule) {
  return schedule::verify(std::move(schedule), old->kernel, old->nest, old->hw);
}

/// A pass other than `depths`.
base::Result<Schedule> rewrite(const std::string& item, const schedule::PlacedSchedule& of) {
  if (item == "ping-pong") return schedule::pingPong(of.schedule, of.nest, of.hw);
  if (item == "split") return schedule::splitMovers(of.schedule);
  if (item == "broadcast") return schedule::findBroadcasts(of.schedule, of.nest, of.hw);
  const auto movers = moversOf(item, of.hw.local().dma.in);
  if (!movers) return movers.diagnostics();
  return schedule::mergeMovers(of.schedule, *movers);
}

base::Result<VerifiedSchedule> applyOne(const std::string& item, const VerifiedSchedule& schedule,
                                        const std::string& mode, base::Progress& progress) {
  if (item == "depths") return smallestDepths(schedule, mode, progress);
  auto next = rewrite(item, *schedule);
  if (!next) return next.takeDiagnostics();
  auto verified = verifyLike(schedule, *std::move(next));
  if (verified) return verified;
  base::Diagnostics findings = verified.takeDiagnostics();
  findings.front().message =
      "after pass `" + item + "` the schedule is not legal: " + findings.front().message;
  return findings;
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

base::Result<VerifiedSchedule> applyPasses(const std::string& names, VerifiedSchedule schedule,
                                           const std::string& mode, base::Progress& progress) {
  if (auto errors = checkPasses(names); !errors.empty()) return errors;
  for (const std::string& item : itemsOf(names)) {
    auto next = applyOne(item, schedule, mode, progress);
    if (!next) return next;
    schedule = *std::move(next);
  }
  return schedule;
}

base::Result<VerifiedSchedule> smallestDepths(VerifiedSchedule schedule, const std::string& mode,
                                              base::Progress& progress) {
  const auto now = cyclesOf(schedule, mode, progress);
  if (!now) return now.diagnostics();
  const auto bufferAt = [&](schedule::BufferId b) -> const schedule::Buffer& {
    return schedule->schedule.buffers[b.index()];
  };
  std::vector<schedule::BufferId> order;
  for (std::size_t b = 0; b < schedule->schedule.buffers.size(); ++b) {
    if (schedule->schedule.buffers[b].slots > 1) order.push_back(schedule::BufferId::of(b));
  }
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](schedule::BufferId b) { return bufferAt(b).bytes; });
  for (const schedule::BufferId buffer : order) {
    for (int slots = 1; slots < bufferAt(buffer).slots; ++slots) {
      auto fewer = verifyLike(schedule, schedule::withSlots(schedule->schedule, schedule->nest,
                                                            schedule->hw, buffer, slots));
      if (!fewer) continue;
      const auto cycles = cyclesOf(*fewer, mode, progress);
      if (!cycles) return cycles.diagnostics();
      if (*cycles > *now) continue;
      schedule = *std::move(fewer);
      break;
    }
  }
  return schedule;
}

}  // namespace gridloom::service
