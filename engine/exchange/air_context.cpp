// SPDX-License-Identifier: Apache-2.0
#include "exchange/air_context.h"

#include <algorithm>
#include <vector>

#include "schedule/op_names.h"

namespace gridloom::exchange {

using schedule::Buffer;
using schedule::Instruction;

bool isBroadcast(const schedule::Channel& channel) {
  return channel.kind == schedule::Channel::Kind::Multicast ||
         channel.kind == schedule::Channel::Kind::Feed ||
         channel.kind == schedule::Channel::Kind::Share;
}

const kernel::Operand& operandOf(const AirContext& air, const Buffer& buffer) {
  const auto operand = static_cast<std::size_t>(buffer.operand);
  return schedule::isOfInput(buffer.use) ? air.nest.inputs[operand] : air.nest.outputs[operand];
}

int levelOf(const AirContext& air, const Buffer& buffer) {
  const auto operand = static_cast<std::size_t>(buffer.operand);
  if (buffer.use == Buffer::Use::Input) return air.schedule.inputs[operand].hoistLevel;
  if (buffer.use == Buffer::Use::SharedInput) {
    return air.schedule.inputs[operand].sharedLevels[buffer.sharedLevel];
  }
  return air.schedule.outputLevel;
}

Copy copyOf(const AirContext& air, const Buffer& buffer) {
  return copyOf(air.kernel, operandOf(air, buffer), air.schedule, levelOf(air, buffer));
}

std::string slotType(const AirContext& air, const Buffer& buffer) {
  const auto operand = static_cast<std::size_t>(buffer.operand);
  std::vector<std::int64_t> shape;
  // Without dimensions of a tensor: a local tensor, or results of an all-reduce.
  if (buffer.use == Buffer::Use::Local || schedule::isOfAllReduce(buffer.use)) {
    const kernel::DType dtype = buffer.use == Buffer::Use::Local
                                    ? air.nest.locals[operand].dtype
                                    : air.nest.allReduces[operand].dtype;
    const auto bytes = std::max<std::int64_t>(1, kernel::bytesOf(dtype, 8) / 8);
    return memrefType({std::max<std::int64_t>(1, buffer.bytes / bytes)}, dtype, 2);
  }
  for (const CopyDim& dim : copyOf(air, buffer).dims) shape.push_back(dim.size);
  return memrefType(shape, operandOf(air, buffer).dtype,
                    schedule::isInSharedBuffer(buffer.use) ? 1 : 2);
}

AirPart partOf(const AirContext& air, const schedule::Process& process) {
  const bool shared =
      std::any_of(process.code.begin(), process.code.end(), [&](const Instruction& at) {
        return at.buffer.valid() &&
               schedule::isInSharedBuffer(air.schedule.buffers[at.buffer.index()].use);
      });
  return shared ? AirPart::SharedBuffers : AirPart::Cores;
}

}  // namespace gridloom::exchange
