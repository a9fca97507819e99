// SPDX-License-Identifier: Apache-2.0
#include "exchange/state_json.h"

#include "exchange/record_json.h"

namespace gridloom::exchange {

namespace {

using Json = nlohmann::ordered_json;

Json processJson(const report::StateView& view, const report::ActiveCore& core, std::size_t p) {
  const report::ProcessState& process = view.state.processes[core.first + p];
  Json out = {{"name", view.titleOf(core, p)}, {"activity", report::nameOf(process.activity)}};
  if (process.activity == report::Activity::Idle) return out;
  if (core.first + p == core.compute) out["state"] = simulate::nameOf(process.state);
  out["begin"] = process.begin;
  out["end"] = process.end;
  return out;
}

Json buffersJson(const report::StateView& view, hardware::CoreId core) {
  Json out = Json::array();
  for (const report::BufferFill& fill : view.state.buffersOf(core)) {
    const schedule::Buffer& buffer = view.schedule.buffers[fill.buffer.index()];
    out.push_back({{"name", buffer.name},
                   {"used", fill.slots},
                   {"slots", buffer.slots},
                   {"bytes", fill.slots * buffer.bytes}});
  }
  return out;
}

Json coreJson(const report::StateView& view, const report::ActiveCore& core) {
  Json processes = Json::array();
  for (std::size_t p = 0; p < core.processes; ++p) processes.push_back(processJson(view, core, p));
  const bool computes = core.compute < core.first + core.processes;
  const auto state = computes ? view.state.processes[core.compute].state : simulate::State::Idle;
  return {{"at", view.coordinatesOf(core.core)},
          {"state", simulate::nameOf(state)},
          {"processes", std::move(processes)},
          {"buffers", buffersJson(view, core.core)}};
}

Json tileJson(const report::StateView& view, const report::TileInFlight& tile) {
  return {{"operand", report::operandOf(tile, view.schedule, view.nest)},
          {"at", view.coordinatesOf(tile.core)},
          {"process", tile.process},
          {"activity", report::nameOf(tile.activity)},
          {"begin", tile.begin},
          {"end", tile.end},
          {"done", tile.done}};
}

}  // namespace

std::string stateJson(const report::SimulationRecord& run, const report::StateView& view) {
  Json totals = Json::object(), cores = Json::array(), tiles = Json::array();
  for (std::size_t s = 0; s < simulate::kStates; ++s) {
    const auto state = static_cast<simulate::State>(s);
    totals[std::string(simulate::nameOf(state))] = view.state.totals[s];
  }
  for (const report::ActiveCore& core : view.states.cores()) cores.push_back(coreJson(view, core));
  for (const report::TileInFlight& tile : view.state.tiles) tiles.push_back(tileJson(view, tile));
  const Json out = {
      {"schema", "gridloom.state/1"},       {"hardware", toJson(run.hardware)},
      {"kernel", toJson(run.kernel)},       {"mode", run.mode},
      {"mapping", toJson(run.mapping)},     {"cycle", view.state.cycle},
      {"cycles", view.simulation.cycles},   {"truncated", view.simulation.trace.isTruncated()},
      {"states", std::move(totals)},        {"cores", std::move(cores)},
      {"tiles_in_flight", std::move(tiles)}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gridloom::exchange
