// SPDX-License-Identifier: Apache-2.0
#include "schedule/op_names.h"

namespace gridloom::schedule {

std::string_view nameOf(Op op) {
  switch (op) {
  case Op::LoopBegin:
    return "for";
  case Op::LoopEnd:
    return "}";
  case Op::Acquire:
    return "acquire";
  case Op::Publish:
    return "publish";
  case Op::WaitFull:
    return "wait";
  case Op::Release:
    return "release";
  case Op::Await:
    return "await";
  case Op::Signal:
    return "signal";
  case Op::AwaitToken:
    return "await";
  case Op::Load:
    return "load";
  case Op::Take:
    return "take";
  case Op::Store:
    return "store";
  case Op::Claim:
    return "claim";
  case Op::Ready:
    return "ready";
  case Op::Send:
    return "send";
  case Op::Receive:
    return "receive";
  case Op::Compute:
    return "compute";
  case Op::Epilogue:
    return "epilogue";
  case Op::Reduce:
    return "reduce";
  }
  return "";
}

std::string_view nameOf(Buffer::Use use) {
  switch (use) {
  case Buffer::Use::Input:
    return "input";
  case Buffer::Use::Output:
    return "output";
  case Buffer::Use::Partial:
    return "partial";
  case Buffer::Use::Gather:
    return "gathered";
  case Buffer::Use::Local:
    return "local";
  case Buffer::Use::Stationary:
    return "stationary";
  case Buffer::Use::SharedInput:
    return "shared_input";
  case Buffer::Use::SharedOutput:
    return "shared_output";
  case Buffer::Use::Resident:
    return "resident";
  case Buffer::Use::Remaining:
    return "remaining";
  case Buffer::Use::Held:
    return "held";
  case Buffer::Use::Contribution:
    return "contribution";
  case Buffer::Use::Contributed:
    return "contributed";
  case Buffer::Use::Total:
    return "total";
  }
  return "";
}

std::string_view nameOf(Channel::Kind kind) {
  switch (kind) {
  case Channel::Kind::Multicast:
    return "multicast";
  case Channel::Kind::Neighbour:
    return "neighbour";
  case Channel::Kind::Share:
    return "share";
  case Channel::Kind::Feed:
    return "feed";
  case Channel::Kind::Drain:
    return "drain";
  case Channel::Kind::Pair:
    return "pair";
  case Channel::Kind::ToRoot:
    return "gather";
  case Channel::Kind::Ring:
    return "ring";
  case Channel::Kind::Rotate:
    return "rotate";
  }
  return "";
}

std::string_view nameOf(Process::Role role) {
  switch (role) {
  case Process::Role::Mover:
    return "mover";
  case Process::Role::Compute:
    return "compute";
  case Process::Role::Writer:
    return "writer";
  }
  return "";
}

bool isOfInput(Buffer::Use use) {
  switch (use) {
  case Buffer::Use::Input:
  case Buffer::Use::Stationary:
  case Buffer::Use::SharedInput:
  case Buffer::Use::Resident:
    return true;
  case Buffer::Use::Output:
  case Buffer::Use::Partial:
  case Buffer::Use::Gather:
  case Buffer::Use::Local:
  case Buffer::Use::SharedOutput:
  case Buffer::Use::Remaining:
  case Buffer::Use::Held:
  case Buffer::Use::Contribution:
  case Buffer::Use::Contributed:
  case Buffer::Use::Total:
    break;
  }
  return false;
}

const std::string& operandName(const kernel::TileNest& nest, Buffer::Use use, int operand) {
  const auto o = static_cast<std::size_t>(operand);
  if (isOfInput(use)) return nest.inputs[o].name;
  if (isOfAllReduce(use)) return nest.allReduces[o].name;
  return use == Buffer::Use::Local ? nest.locals[o].name : nest.outputs[o].name;
}

const std::string& operandName(const Schedule& schedule, const kernel::TileNest& nest,
                               const Process& process) {
  for (const Instruction& instruction : process.code) {
    if (!instruction.buffer.valid()) continue;
    const Buffer::Use use = schedule.buffers[instruction.buffer.index()].use;
    return operandName(nest, use, process.operand);
  }
  const bool reads = process.role == Process::Role::Mover;
  return operandName(nest, reads ? Buffer::Use::Input : Buffer::Use::Output, process.operand);
}

std::string_view nameOf(DmaConstraint::Kind kind) {
  return kind == DmaConstraint::Kind::Affinity ? "affinity" : "concurrency";
}

bool namesChannel(Op op) {
  return op == Op::Claim || op == Op::Ready || op == Op::Send || op == Op::Receive;
}

bool namesBuffer(Op op) {
  switch (op) {
  case Op::LoopBegin:
  case Op::LoopEnd:
  case Op::Signal:
  case Op::AwaitToken:
  case Op::Compute:
  case Op::Epilogue:
    return false;
  case Op::Acquire:
  case Op::Publish:
  case Op::WaitFull:
  case Op::Release:
  case Op::Await:
  case Op::Load:
  case Op::Take:
  case Op::Store:
  case Op::Ready:
  case Op::Claim:
  case Op::Send:
  case Op::Receive:
  case Op::Reduce:
    break;
  }
  return true;
}

}  // namespace gridloom::schedule
