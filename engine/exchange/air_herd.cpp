// SPDX-License-Identifier: Apache-2.0
#include "exchange/air_herd.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <set>
#include <utility>

#include "exchange/air_awaits.h"
#include "exchange/air_copies.h"
#include "exchange/air_moves.h"

namespace gridloom::exchange {

namespace {

using schedule::Buffer;
using schedule::Code;
using schedule::Op;

/// Code of a process as a tree.
struct Item {
  Code at;
  std::vector<Item> body;  ///< of a loop
  bool isLoop() const { return at.op == Op::LoopBegin; }
};

std::vector<Item> treeOf(const schedule::ResolvedCode& code, std::int32_t& next) {
  std::vector<Item> items;
  while (!code.at(next).end && code.at(next).op != Op::LoopEnd) {
    Item item{code.at(next++), {}};
    if (item.isLoop()) {
      item.body = treeOf(code, next);
      ++next;
    }
    items.push_back(std::move(item));
  }
  return items;
}

/// A process somewhere in its code.
struct Frame {
  std::size_t process = 0;
  const std::vector<Item>* items = nullptr;
  std::size_t next = 0;
  bool done() const { return next == items->size(); }
  const Item& item() const { return (*items)[next]; }
};

class HerdWriter {
 public:
  HerdWriter(AirContext& air, schedule::ProgramId program, const schedule::CoreBox& box,
             AirPart part, std::size_t indent)
      : m_air(air),
        m_id(program),
        m_program(air.schedule.programs[program.index()]),
        m_code(indent),
        m_place(m_code, air, box),
        m_rings(m_code, air, m_program, part),
        m_conditions(m_code, air, m_place),
        m_copies(m_code, air, m_place, m_rings, m_conditions,
                 part == AirPart::Cores ? "" : "_segment"),
        m_moves(m_code, air, m_place, m_rings, m_conditions),
        m_awaits(m_code, air, m_place, m_rings),
        m_part(part) {}

  base::Result<std::string> run() {
    m_bodies.resize(m_program.processes.size());
    std::vector<Frame> frames;
    for (std::size_t p = 0; p < m_bodies.size(); ++p) {
      if (partOf(m_air, m_program.processes[p]) != m_part) continue;
      std::int32_t next = m_air.placed.code.entries(m_id)[p];
      m_bodies[p] = treeOf(m_air.placed.code, next);
      frames.push_back({p, &m_bodies[p], 0});
    }
    if (frames.empty()) return std::string();
    if (!emit(frames)) return base::plainError(m_error);
    std::vector<std::string> last;
    for (const Frame& frame : frames) last.push_back(m_rings.tokenOf(frame.process));
    m_code.line("\"air.wait_all\"({}) : ({}) -> ()", fmt::join(last, ", "), airTokens(last.size()));
    return m_code.text();
  }

 private:
  bool fail(std::string message) {
    if (m_error.empty()) m_error = std::move(message);
    return false;
  }

  // --- the merged nest ------------------------------------------------------------------------

  bool emit(std::vector<Frame>& frames) {
    for (;;) {
      bool moved = false;
      for (Frame& frame : frames) {
        while (!frame.done() && !frame.item().isLoop() &&
               m_rings.canRun(frame.process, frame.item().at)) {
          if (!perform(frame.process, frame.item().at)) return false;
          ++frame.next;
          moved = true;
        }
      }
      if (std::all_of(frames.begin(), frames.end(), [](const Frame& f) { return f.done(); })) {
        return true;
      }
      if (moved) continue;
      std::vector<Frame*> looping;
      for (Frame& frame : frames) {
        if (!frame.done() && frame.item().isLoop()) looping.push_back(&frame);
      }
      if (looping.empty()) {
        return fail("the processes of `" + m_program.name + "` are not in step");
      }
      if (!emitLoop(looping)) return false;
    }
  }

  struct Used {
    std::set<std::size_t> buffers, tokens;  ///< of the schedule, in some code
  };
  void use(const std::vector<Item>& items, Used& out) const {
    for (const Item& item : items) {
      if (item.isLoop()) use(item.body, out);
      const Op op = item.at.op;
      if (op == Op::Acquire || op == Op::Publish || op == Op::WaitFull || op == Op::Release) {
        out.buffers.insert(static_cast<std::size_t>(item.at.buffer));
      }
      if (op == Op::Signal || op == Op::AwaitToken) {
        out.tokens.insert(static_cast<std::size_t>(item.at.arg));
      }
    }
  }

  /// The values that a loop carries: the token of every process, the rings' slots in order, and
  /// signals that are not awaited yet.
  struct Carried {
    std::vector<std::string*> places;
    std::vector<std::string> types;
  };
  Carried carriedBy(const std::vector<Frame*>& looping, const Used& used) {
    Carried carried;
    for (const Frame* frame : looping) {
      carried.places.push_back(&m_rings.tokenOf(frame->process));
      carried.types.emplace_back(kAirToken);
    }
    for (const std::size_t token : used.tokens) {
      for (std::string& signal : m_rings.signals(token)) {
        carried.places.push_back(&signal);
        carried.types.emplace_back(kAirToken);
      }
    }
    for (const std::size_t b : used.buffers) {
      for (AirSlot& slot : m_rings.free(b)) {
        carried.places.push_back(&slot.memref);
        carried.types.push_back(slotType(m_air, m_air.schedule.buffers[b]));
        carried.places.push_back(&slot.token);
        carried.types.emplace_back(kAirToken);
      }
    }
    return carried;
  }

  bool emitLoop(const std::vector<Frame*>& looping) {
    const std::int32_t position = looping.front()->item().at.arg;
    Used used;
    for (const Frame* frame : looping) {
      if (frame->item().at.arg != position) {
        return fail("the loops of `" + m_program.name + "` are not in step");
      }
      use(frame->item().body, used);
    }
    const auto at = static_cast<std::size_t>(position);
    const std::size_t loop = m_air.schedule.order[at].index();
    const std::string trips = m_place.tripsOf(loop);
    const Carried outside = carriedBy(looping, used);
    const std::string result = m_code.fresh("done");
    const std::string wave = m_code.fresh(m_air.kernel.loops[loop].name);
    std::vector<std::string> arguments;
    for (std::string* place : outside.places) {
      const std::string name = m_code.fresh("in");
      arguments.push_back(name + " = " + *place);
      *place = name;
    }
    const std::size_t count = outside.places.size();
    m_code.line("{}{} = scf.for {} = {} to {} step {} iter_args({}) -> ({}) {{", result,
                count > 1 ? fmt::format(":{}", count) : "", wave, m_code.constant(0), trips,
                m_code.constant(1), fmt::join(arguments, ", "), fmt::join(outside.types, ", "));
    if (!emitInside(looping, at, wave, used, count)) return false;
    const Carried after = carriedBy(looping, used);
    for (std::size_t i = 0; i < count; ++i) {
      *after.places[i] = count > 1 ? fmt::format("{}#{}", result, i) : result;
    }
    for (Frame* frame : looping) ++frame->next;
    return true;
  }

  bool emitInside(const std::vector<Frame*>& looping, std::size_t position,
                  const std::string& iteration, const Used& used, std::size_t count) {
    m_code.open();
    m_place.enter(position, iteration);
    std::vector<Frame> inner;
    for (const Frame* frame : looping) inner.push_back({frame->process, &frame->item().body, 0});
    if (!emit(inner)) return false;
    const Carried inside = carriedBy(looping, used);
    if (inside.places.size() != count) {
      return fail("a slot or token of `" + m_program.name +
                  "` is held from one iteration to the next");
    }
    std::vector<std::string> values;
    for (const std::string* place : inside.places) values.push_back(*place);
    m_code.line("scf.yield {} : {}", fmt::join(values, ", "), fmt::join(inside.types, ", "));
    m_code.close();
    m_code.line("}}");
    m_place.leave(position);
    return true;
  }

  // --- instructions ---------------------------------------------------------------------------

  // Slots pass through the rings in every iteration, also where their tiles are not needed, so the
  // order of slots is known here; only what happens to them depends on conditions.
  bool perform(std::size_t p, const Code& at) {
    switch (at.op) {
    case Op::Acquire:
    case Op::WaitFull:
    case Op::AwaitToken:
      m_rings.take(p, at);
      return true;
    case Op::Publish:
      m_awaits.put(p, at);
      m_rings.publish(p, at);
      return true;
    case Op::Release:
      m_rings.release(p, at);
      return true;
    case Op::Ready:
    case Op::Claim:
      return true;  // channels give credits themselves
    case Op::Await:
    case Op::Take:
      m_awaits.get(p, at);
      return true;
    case Op::Load:
    case Op::Store:
    case Op::Send:
    case Op::Receive:
    case Op::Compute:
    case Op::Epilogue:
    case Op::Reduce:
      m_rings.inBranch(p, m_conditions.of(at), [&] { act(p, at); });
      return true;
    case Op::Signal:
      m_rings.signal(p, static_cast<std::size_t>(at.arg));
      return true;
    case Op::LoopBegin:
    case Op::LoopEnd:
      break;
    }
    return fail("`" + m_program.name + "` has an instruction that AIR has no form for");
  }

  void act(std::size_t p, const Code& at) {
    if (at.op == Op::Load || at.op == Op::Store) m_copies.copy(p, at);
    if (at.op == Op::Store) m_awaits.put(p, at);
    if (at.op == Op::Send) m_moves.put(p, at);
    if (at.op == Op::Receive) m_moves.get(p, at);
    if (at.op == Op::Epilogue) m_moves.call(p, "epilogue");
    if (at.op == Op::Reduce) m_moves.reduce(p, at);
    if (at.op != Op::Compute) return;
    // All-reduces divide the operations of a tile into parts.
    m_moves.call(p, at.arg == 0 ? "tile" : fmt::format("tile_part{}", at.arg + 1));
  }

  AirContext& m_air;
  schedule::ProgramId m_id;
  const schedule::Program& m_program;
  AirCode m_code;
  CorePlace m_place;
  SlotRings m_rings;
  AirConditions m_conditions;
  AirCopies m_copies;
  AirMoves m_moves;
  AirAwaits m_awaits;
  AirPart m_part;
  std::string m_error;
  std::vector<std::vector<Item>> m_bodies;
};

}  // namespace

base::Result<std::string> herdBody(AirContext& air, schedule::ProgramId program,
                                   const schedule::CoreBox& box, AirPart part, std::size_t indent) {
  return HerdWriter(air, program, box, part, indent).run();
}

}  // namespace gridloom::exchange
