// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/source_text.h"
#include "schedule/schedule.h"

namespace gridloom::syntax {

/// A schedule as written: names are not resolved yet, and everything has its source location
/// (resources/docs/schedule.md).
struct ScheduleText {
  /// Empty where the text has no name.
  struct Name {
    std::string text;
    base::Span span;
  };
  struct Number {
    std::int64_t value = 0;
    base::Span span;
  };
  struct Sized {
    Name name;
    Number value;
  };
  /// `tile i >= tile j + 1`, normalised to a - b >= least. A name without text is 0.
  struct Difference {
    Name a, b;
    std::int64_t least = 0;
    bool ofTiles = false;
  };
  /// `where ... and ... or ...`: alternatives, each a conjunction of differences.
  struct Domain {
    std::vector<std::vector<Difference>> parts;
    base::Span span;
  };
  /// `2 * i + j - 1`
  struct Linear {
    std::vector<std::pair<std::int64_t, Name>> terms;
    std::int64_t constant = 0;
  };
  /// `i - 1 to i + 1`, or `i - 1 until i`, which excludes its end.
  struct Range {
    Linear first, last;
    bool until = false;
  };
  /// `awaits X[j, r]`, or `takes X[j, r]`
  struct Awaited {
    bool passed = false;  ///< takes: forwarded by the cores that compute it
    Name tensor;
    std::vector<Range> ranges;
    base::Span span;
  };
  struct Loop {
    Name name;
    Number extent, tileSize;
    std::vector<Name> dims;  ///< mesh dimensions over which its tiles are unrolled
  };
  struct Buffer {
    Name name;
    schedule::Buffer::Use use = schedule::Buffer::Use::Input;
    Name operand;
    Name memory;     ///< a shared buffer; empty: the innermost one, or local memory
    Name per;        ///< the loop with a tile per iteration; empty: one tile in total
    Awaited awaits;  ///< tiles that the kernel computes: what must be stored before they are loaded
    Domain where;    ///< where tiles are needed; empty: everywhere
    /// layout of the tensor; inputs and outputs
    mapping::TensorLayout layout = mapping::TensorLayout::PageInterleaved;
    Number slots, bytes;
    base::Span span;
  };
  struct Channel {
    Name name;
    schedule::Channel::Kind kind = schedule::Channel::Kind::Multicast;
    Name target;
    std::vector<Name> along;
    Name first;
    Number step, depth;
    base::Span span;
  };
  struct Token {
    Name name;
    Number atStart;
    base::Span span;
  };
  struct DmaConstraint {
    struct Member {
      schedule::Process::Role role = schedule::Process::Role::Mover;
      Name operand;
    };
    schedule::DmaConstraint::Kind kind = schedule::DmaConstraint::Kind::Affinity;
    std::vector<Member> members;
    base::Span span;
  };
  struct Instruction {
    schedule::Op op = schedule::Op::Compute;
    /// for `await`, `buffer` holds the name of the buffer or token
    Name loop, buffer, channel, token;
    Name until;    ///< for `compute`: the local tensor whose all-reduce follows it
    Number of;     ///< coordinate of the core whose tile is gathered
    Number share;  ///< on a buffer with a ring: the share of its tile
    base::Span span;
  };
  struct Process {
    schedule::Process::Role role = schedule::Process::Role::Compute;
    Name operand;
    std::vector<Instruction> code;
    base::Span span;
  };
  /// A box of cores: first and last coordinate per mesh dimension.
  struct Region {
    std::vector<std::pair<Number, Number>> ranges;
    base::Span span;
  };
  struct Herd {
    Name name;
    std::vector<Region> at;
    std::vector<Process> processes;
    base::Span span;
  };

  base::SourceRef source;
  Name kernel;
  std::vector<Sized> parameters;
  Name hardware;
  Name dtype;  ///< of all inputs and outputs
  /// The units that products run on.
  struct Unit {
    Name tensor, unit;
    base::Span span;
  };
  std::vector<Unit> units;
  std::vector<Loop> loops;
  std::vector<Name> order;
  Domain where;  ///< iterations with work
  std::vector<Sized> mesh;
  std::vector<Buffer> buffers;
  std::vector<Channel> channels;
  std::vector<Token> tokens;
  std::vector<DmaConstraint> dmaConstraints;
  std::vector<Herd> herds;
  base::Span span;  ///< the header of the launch
};

}  // namespace gridloom::syntax
