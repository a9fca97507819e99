// SPDX-License-Identifier: Apache-2.0
#include "exchange/cpp_support.h"

#include <fmt/format.h>

#include <algorithm>

#include "exchange/cpp_text.h"
#include "kernel/interpreter.h"
#include "schedule/op_names.h"

namespace gridloom::exchange {

namespace {

using schedule::Buffer;
using schedule::Channel;
using schedule::PlacedSchedule;

std::string kernelObjection(const PlacedSchedule& placed) {
  const kernel::TileNest& nest = placed.nest;
  if (!placed.schedule.work.always()) return "the kernel has a domain (`where`)";
  if (nest.hasProduced()) return "the kernel reads tiles that it produces itself";
  if (!nest.sequential.empty()) return "the kernel carries state along a loop";
  if (kernel::hasEpilogue(nest)) return "the kernel has an epilogue behind its reduction";
  for (const kernel::Operand& input : nest.inputs) {
    if (input.gather) return "`" + input.name + "` is read through indices";
  }
  for (const kernel::Tensor& tensor : placed.kernel.tensors) {
    if (tensor.initial) return "`" + tensor.name + "` carries state along a loop";
  }
  for (const kernel::Statement& statement : placed.kernel.statements) {
    if (!statement.constraints.empty()) return "the kernel has a domain (`where`)";
    const bool alone =
        placed.kernel.statements.size() == 1 &&
        (statement.reductions.empty() || kernel::isReduction(kernel::rootReduction(statement)));
    for (const kernel::LoopId loop : statement.reductions) {
      if (!alone && placed.schedule.tiling.loops[loop.index()].tiles > 1) {
        return "one of several statements reduces over `" + placed.kernel.loop(loop).name +
               "` tile by tile";
      }
    }
  }
  return {};
}

// Whether an output's slot holds several tiles: loops inside its scope move over them.
bool holdsSeveral(const PlacedSchedule& placed, const Buffer& buffer) {
  const schedule::Schedule& s = placed.schedule;
  const kernel::Operand& output = placed.nest.outputs[static_cast<std::size_t>(buffer.operand)];
  for (auto p = static_cast<std::size_t>(s.outputLevel); p < s.order.size(); ++p) {
    const mapping::LoopTiling& loop = s.tiling.loops[s.order[p].index()];
    if (output.dependsOn(s.order[p]) && loop.tiles > loop.unroll) return true;
  }
  return false;
}

std::string bufferObjection(const PlacedSchedule& placed, const Buffer& buffer) {
  const std::string name = "`" + buffer.name + "`";
  if (!buffer.need.guard.always()) return name + " is needed at some tiles only";
  switch (buffer.use) {
  case Buffer::Use::Input:
  case Buffer::Use::Local:
    return {};
  case Buffer::Use::Output:
  case Buffer::Use::Partial:
    return holdsSeveral(placed, buffer) ? name + " holds several tiles" : std::string();
  default:
    return fmt::format("{} is a {} buffer", name, schedule::nameOf(buffer.use));
  }
}

}  // namespace

std::string cppUnsupported(const PlacedSchedule& placed) {
  if (std::string why = kernelObjection(placed); !why.empty()) return why;
  for (const Buffer& buffer : placed.schedule.buffers) {
    if (std::string why = bufferObjection(placed, buffer); !why.empty()) return why;
  }
  for (const Channel& channel : placed.schedule.channels) {
    const bool known = channel.kind == Channel::Kind::Multicast ||
                       channel.kind == Channel::Kind::Neighbour ||
                       channel.kind == Channel::Kind::Pair;
    if (!known) {
      return fmt::format("`{}` is a {} channel", channel.name, schedule::nameOf(channel.kind));
    }
  }
  if (!placed.schedule.tokens.empty()) return "the schedule has tokens";
  if (const int threads = placed.wiring.processCount(); threads > kMostCppThreads) {
    return fmt::format("it needs {} threads, more than {}", threads, kMostCppThreads);
  }
  return {};
}

}  // namespace gridloom::exchange
