// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/mesh_heat.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gridloom::widgets {

namespace {

/// The shares of all states of every core, and their means over the cores with work.
void addStates(MeshScene& scene, const simulate::Simulation& simulated, double cycles) {
  scene.stateShares.resize(scene.active.size());
  for (std::size_t core = 0; core < scene.active.size(); ++core) {
    for (std::size_t s = 0; s < simulate::kStates; ++s) {
      const double share = std::clamp(simulated.coreStates[core][s] / cycles, 0.0, 1.0);
      scene.stateShares[core][s] =
          static_cast<std::uint8_t>(std::lround(share * static_cast<double>(MeshScene::kWholeRun)));
    }
  }
  for (std::size_t s = 0; s < simulate::kStates; ++s)
    scene.stateMeans[s] = static_cast<float>(simulated.states[s] / cycles);
}

void addLinkUse(MeshScene& scene, const simulate::Simulation& simulated, double cycles) {
  scene.leastLink = 1;
  for (std::size_t i = 0; i < scene.links.size() && i < simulated.links.size(); ++i) {
    LinkUse& link = scene.links[i];
    link.use = static_cast<float>(simulated.links[i].busy / cycles);
    if (link.from < 0) continue;
    scene.leastLink = std::min(scene.leastLink, link.use);
    scene.mostLink = std::max(scene.mostLink, link.use);
  }
  scene.leastLink = std::min(scene.leastLink, scene.mostLink);
}

}  // namespace

void addWorkHeat(MeshScene& scene) {
  scene.heatOfCore.assign(scene.active.size(), 0.0F);
  double most = 0;
  std::vector<double> work(scene.active.size(), 0.0);
  for (std::size_t core = 0; core < work.size(); ++core) {
    if (!scene.active[core]) continue;
    work[core] = 1;
    for (const auto& placed : scene.placed) {
      work[core] *= std::ceil(static_cast<double>(placed.tiles - placed.way[core]) /
                              static_cast<double>(placed.unroll));
    }
    most = std::max(most, work[core]);
  }
  for (std::size_t core = 0; core < work.size() && most > 0; ++core) {
    scene.heatOfCore[core] = static_cast<float>(work[core] / most);
  }
}

void addSimulation(MeshScene& scene, const hardware::Topology& topology,
                   const simulate::Simulation& simulated, Heat heat) {
  const double cycles = std::max(simulated.cycles, 1.0);
  addLinkUse(scene, simulated, cycles);
  for (MemoryBlock& block : scene.memories) {
    const auto channel = static_cast<std::size_t>(block.channel);
    if (channel >= simulated.channelReads.size()) continue;
    block.use = simulate::channelBusy(topology, simulated, channel) / cycles;
    block.reads = simulated.channelReads[channel].busy / cycles;
    block.writes = simulated.channelWrites[channel].busy / cycles;
  }
  if (heat < Heat::States || heat >= Heat::Lost ||
      simulated.coreStates.size() != scene.active.size())
    return;
  if (heat == Heat::States) addStates(scene, simulated, cycles);
  const Heat shown = heat == Heat::States ? Heat::Computing : heat;
  const auto state = static_cast<std::size_t>(shown) - static_cast<std::size_t>(Heat::Computing);
  scene.heatOfCore.resize(scene.active.size());
  for (std::size_t core = 0; core < scene.active.size(); ++core) {
    scene.heatOfCore[core] = static_cast<float>(simulated.coreStates[core][state] / cycles);
  }
}

void MeshScene::showLost(std::vector<float> shares) {
  heat = Heat::Lost;
  stateShares.clear();
  heatOfCore = std::move(shares);
  heatMost = 0;
  for (const float share : heatOfCore) heatMost = std::max(heatMost, share);
  if (heatMost <= 0) heatMost = 1;
}

}  // namespace gridloom::widgets
