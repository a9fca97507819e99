// SPDX-License-Identifier: Apache-2.0
#include "report/state_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/numbers.h"
#include "report/table.h"
#include "schedule/op_names.h"

namespace gridloom::report {

namespace {

constexpr std::size_t kMostRows = 32;

std::string countedOf(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", grouped(static_cast<std::int64_t>(count)), what,
                     count == 1 ? "" : "s");
}

Cell timeCell(double cycle, bool known) {
  return textCell(known ? cyclesText(cycle) : std::string("-"));
}

std::string placeText(const StateView& view, hardware::CoreId core) {
  return fmt::format("({})", fmt::join(view.coordinatesOf(core), ","));
}

// What the movers and writers of a core do.
std::string moversText(const StateView& view, const ActiveCore& core) {
  std::string text;
  for (std::size_t p = core.first; p < core.first + core.processes; ++p) {
    const Activity activity = view.state.processes[p].activity;
    if (p == core.compute || activity == Activity::Idle) continue;
    if (!text.empty()) text += ", ";
    const TileInFlight tile{core.core, static_cast<std::int16_t>(p - core.first), activity};
    text += fmt::format("{} {}", nameOf(activity), operandOf(tile, view.schedule, view.nest));
  }
  return text.empty() ? "-" : text;
}

// The buffers of a core with a slot in use: "A 2/2, B 1/2".
std::string buffersText(const StateView& view, const ActiveCore& core) {
  std::string text;
  for (const BufferFill& fill : view.state.buffersOf(core.core)) {
    const schedule::Buffer& buffer = view.schedule.buffers[fill.buffer.index()];
    text +=
        fmt::format("{}{} {}/{}", text.empty() ? "" : ", ", buffer.name, fill.slots, buffer.slots);
  }
  return text.empty() ? "-" : text;
}

std::string restText(std::size_t count, std::string_view what) {
  if (count <= kMostRows) return {};
  return fmt::format("and {} more; --json lists all\n", countedOf(count - kMostRows, what));
}

std::string coresText(const StateView& view) {
  Table table;
  table.columns = {
      {"core", "core", Align::Left},     {"state", "state", Align::Left},
      {"begin", "begin_cycles"},         {"end", "end_cycles"},
      {"movers", "movers", Align::Left}, {"slots in use", "slots_in_use", Align::Left}};
  for (const ActiveCore& core : view.states.cores()) {
    if (table.rows.size() == kMostRows) break;
    const ProcessState process = core.compute < core.first + core.processes
                                     ? view.state.processes[core.compute]
                                     : ProcessState{};
    const bool known = process.activity != Activity::Idle;
    table.rows.push_back({textCell(placeText(view, core.core)),
                          textCell(std::string(simulate::nameOf(process.state))),
                          timeCell(process.begin, known), timeCell(process.end, known),
                          textCell(moversText(view, core)), textCell(buffersText(view, core))});
  }
  return tableText(table) + restText(view.states.cores().size(), "core");
}

std::string tilesText(const StateView& view) {
  const auto& tiles = view.state.tiles;
  if (tiles.empty()) return "no tile in flight\n";
  Table table;
  table.columns = {{"tile of", "operand", Align::Left},
                   {"core", "core", Align::Left},
                   {"in flight", "activity", Align::Left},
                   {"begin", "begin_cycles"},
                   {"end", "end_cycles"},
                   {"done", "done"}};
  for (const TileInFlight& tile : tiles) {
    if (table.rows.size() == kMostRows) break;
    table.rows.push_back({textCell(operandOf(tile, view.schedule, view.nest)),
                          textCell(placeText(view, tile.core)),
                          textCell(std::string(nameOf(tile.activity))), timeCell(tile.begin, true),
                          timeCell(tile.end, true), textCell(percentText(tile.done))});
  }
  return tableText(table) + restText(tiles.size(), "tile");
}

}  // namespace

std::vector<std::int64_t> StateView::coordinatesOf(hardware::CoreId core) const {
  std::vector<std::int64_t> at(hw.dims().size());
  hw.coordinatesOf(core, at);
  return at;
}

std::string StateView::titleOf(const ActiveCore& core, std::size_t process) const {
  const auto program = schedule.programOfCore[core.core.index()].index();
  const schedule::Process& which = schedule.programs[program].processes[process];
  if (which.role == schedule::Process::Role::Compute) return "compute";
  return fmt::format("{} {}", schedule::nameOf(which.role),
                     schedule::operandName(schedule, nest, which));
}

std::string stateText(const StateView& view) {
  const double cycles = view.simulation.cycles;
  std::string text = fmt::format(
      "cycle {} of {} ({}): {}, {} in flight\n", trimmed(view.state.cycle, 3), cyclesText(cycles),
      percentText(cycles > 0 ? view.state.cycle / cycles : 0),
      countedOf(view.states.cores().size(), "core"), countedOf(view.state.tiles.size(), "tile"));
  std::vector<Fact> facts;
  for (std::size_t s = 0; s < simulate::kStates; ++s) {
    if (view.state.totals[s] == 0) continue;
    facts.push_back({std::string(simulate::nameOf(static_cast<simulate::State>(s))),
                     countedOf(static_cast<std::size_t>(view.state.totals[s]), "core")});
  }
  return text + factsText(facts) + "\n" + coresText(view) + "\n" + tilesText(view);
}

}  // namespace gridloom::report
