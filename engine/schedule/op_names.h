// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "schedule/schedule.h"

namespace gridloom::schedule {

/// The keywords of the text form and of every message about a schedule.
std::string_view nameOf(Op op);
std::string_view nameOf(Buffer::Use use);
std::string_view nameOf(Channel::Kind kind);
std::string_view nameOf(Process::Role role);
std::string_view nameOf(DmaConstraint::Kind kind);

inline constexpr std::array kUses{
    Buffer::Use::Input,       Buffer::Use::Output,       Buffer::Use::Partial,
    Buffer::Use::Gather,      Buffer::Use::Local,        Buffer::Use::Stationary,
    Buffer::Use::SharedInput, Buffer::Use::SharedOutput, Buffer::Use::Resident,
    Buffer::Use::Remaining,   Buffer::Use::Held,         Buffer::Use::Contribution,
    Buffer::Use::Contributed, Buffer::Use::Total};
inline constexpr std::array kKinds{
    Channel::Kind::Multicast, Channel::Kind::Neighbour, Channel::Kind::Pair,
    Channel::Kind::ToRoot,    Channel::Kind::Feed,      Channel::Kind::Drain,
    Channel::Kind::Share,     Channel::Kind::Ring,      Channel::Kind::Rotate};
inline constexpr std::array kRoles{Process::Role::Mover, Process::Role::Compute,
                                   Process::Role::Writer};
/// Instructions that are one statement in the text; loops have braces.
inline constexpr std::array kStatements{Op::Acquire, Op::Publish, Op::WaitFull, Op::Release,
                                        Op::Await,   Op::Signal,  Op::Load,     Op::Take,
                                        Op::Store,   Op::Claim,   Op::Ready,    Op::Send,
                                        Op::Receive, Op::Compute, Op::Epilogue, Op::Reduce};

/// Whether an instruction names a channel. For all of these but Send, the channel's target is the
/// buffer.
bool namesChannel(Op op);
bool namesBuffer(Op op);
inline bool namesToken(Op op) { return op == Op::Signal || op == Op::AwaitToken; }

/// Whether the operand of a buffer is one of the nest's inputs.
bool isOfInput(Buffer::Use use);
/// Name of the nest's input, output, local tensor or all-reduce that a buffer holds.
const std::string& operandName(const kernel::TileNest& nest, Buffer::Use use, int operand);
/// Name of the operand that a mover or writer moves: that of the first buffer in its code.
const std::string& operandName(const Schedule& schedule, const kernel::TileNest& nest,
                               const Process& process);

}  // namespace gridloom::schedule
