// SPDX-License-Identifier: Apache-2.0
#include "exchange/air_context.h"

#include <algorithm>
#include <vector>

#include "schedule/op_names.h"

namespace gridloom::exchange {

using schedule::Buffer;
using schedule::Instruction;

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

SlotShape slotShapeOf(const AirContext& air, const Buffer& buffer) {
  return slotShapeOf(air.kernel, operandOf(air, buffer), air.schedule, levelOf(air, buffer));
}

bool isMessage(const AirContext& air, const Buffer& buffer) {
  if (buffer.use != Buffer::Use::Partial) return false;
  std::int64_t elements = 1;
  for (const std::int64_t size : slotShapeOf(air, buffer).sizes()) elements *= size;
  return buffer.bytes > kernel::bytesOf(operandOf(air, buffer).dtype, elements);
}

std::string slotType(const AirContext& air, const Buffer& buffer) {
  const auto operand = static_cast<std::size_t>(buffer.operand);
  // Without dimensions of a tensor: a local tensor, tiles that stay, or results of an all-reduce.
  const bool isLocal = buffer.use == Buffer::Use::Local;
  const bool stays = buffer.use == Buffer::Use::Stationary;
  if (isLocal || stays || schedule::isOfAllReduce(buffer.use)) {
    const kernel::DType dtype = isLocal ? air.nest.locals[operand].dtype
                                : stays ? air.nest.inputs[operand].dtype
                                        : air.nest.allReduces[operand].dtype;
    const auto bytes = std::max<std::int64_t>(1, kernel::bytesOf(dtype, 8) / 8);
    return memrefType({std::max<std::int64_t>(1, buffer.bytes / bytes)}, dtype, 2);
  }
  if (isMessage(air, buffer)) return memrefType({buffer.bytes}, kernel::DType::I8, 2);
  return memrefType(slotShapeOf(air, buffer).sizes(), operandOf(air, buffer).dtype,
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
