// SPDX-License-Identifier: Apache-2.0
//
// Control flow and arithmetic of AIR: what every core does, in order.
#include <algorithm>
#include <stdexcept>

#include "unit/exchange/air_machine.h"

namespace gridloom::test {

std::size_t AirMachine::add(const std::string& type, bool global) {
  Store store{{}, shapeOf(type), bitsOf(type), global};
  long elements = 1;
  for (const long size : store.shape) elements *= size;
  store.content.resize(static_cast<std::size_t>(elements));
  m_stores_of.push_back(std::move(store));
  return m_stores_of.size() - 1;
}

void AirMachine::walk(const MlirOp::Region& region, Scope& scope, Actor* actor) {
  for (const auto& op : region.ops) perform(*op, scope, actor);
}

std::vector<long> AirMachine::yielded(const MlirOp::Region& region, const Scope& scope) const {
  std::vector<long> values;
  for (const std::string& name : region.ops.back()->operands) values.push_back(scope.at(name));
  return values;
}

void AirMachine::perform(const MlirOp& op, Scope& scope, Actor* actor) {
  if (op.name == "air.channel") {
    m_channels[wordOf(op, "sym_name")] = {numbersOf(op, "size"), numbersOf(op, "broadcast_shape"),
                                          numbersOf(op, "buffer_resources").at(0)};
  } else if (op.name == "func.func") {
    if (op.regions.front()->ops.empty()) return;
    const std::string type = op.attributes;
    std::size_t from = 0;
    for (std::size_t a = 0; a < op.regions.front()->arguments.size(); ++a) {
      from = type.find("memref<", from);
      const std::size_t memory = add(type.substr(from, type.find('>', from) - from + 1), true);
      for (std::size_t e = 0; e < m_stores_of[memory].content.size(); ++e) {
        m_stores_of[memory].content[e] = {static_cast<int>(a), static_cast<long>(e)};
      }
      scope[op.regions.front()->arguments[a]] = static_cast<long>(memory);
      ++from;
    }
    walk(*op.regions.front(), scope, actor);
  } else if (op.name == "func.constant") {
    m_names.push_back(wordOf(op, "value"));
    scope[op.results[0]] = static_cast<long>(m_names.size()) - 1;
  } else if (op.name == "air.launch" || op.name == "air.segment") {
    const std::vector<long> parts = numbersOf(op, "operandSegmentSizes");
    const auto sizes = static_cast<std::size_t>(parts[1]);
    const auto& region = *op.regions.front();
    for (std::size_t i = 2 * sizes; i < region.arguments.size(); ++i) {
      scope[region.arguments[i]] = scope.at(op.operands[i - sizes]);
    }
    walk(region, scope, actor);
  } else if (op.name == "air.herd") {
    cores(op, scope, scope.at(op.operands[0]), scope.at(op.operands[1]), 2);
  } else if (op.name == "scf.parallel") {
    cores(op, scope, scope.at(op.operands[2]), scope.at(op.operands[3]), 0);
  } else if (op.name == "scf.for") {
    loop(op, scope, actor);
  } else if (op.name == "scf.if") {
    const auto& side = *op.regions[scope.at(op.operands[0]) != 0 ? 0 : 1];
    walk(side, scope, actor);
    const std::vector<long> values = yielded(side, scope);
    for (std::size_t i = 0; i < op.results.size(); ++i) scope[op.results[i]] = values[i];
  } else if (op.name == "memref.alloc") {
    scope[op.results[0]] = static_cast<long>(add(op.results_types[0], false));
  } else if (op.name == "air.execute") {
    m_executeAfter.clear();
    for (const std::string& token : op.operands) m_executeAfter.push_back(scope.at(token));
    walk(*op.regions.front(), scope, actor);
    scope[op.results[0]] = static_cast<long>(actor->events.size());
  } else if (op.name.rfind("arith.", 0) == 0 || op.name == "memref.load") {
    scope[op.results[0]] = number(op, scope);
  } else {
    const long token = actor != nullptr ? note(op, scope, *actor) : 0;
    for (const std::string& result : op.results) scope[result] = token;
  }
}

void AirMachine::loop(const MlirOp& op, Scope& scope, Actor* actor) {
  const auto& body = *op.regions.front();
  std::vector<long> carried;
  for (std::size_t i = 3; i < op.operands.size(); ++i) carried.push_back(scope.at(op.operands[i]));
  const long end = scope.at(op.operands[1]), by = scope.at(op.operands[2]);
  for (long at = scope.at(op.operands[0]); at < end; at += by) {
    scope[body.arguments[0]] = at;
    for (std::size_t i = 0; i < carried.size(); ++i) scope[body.arguments[i + 1]] = carried[i];
    walk(body, scope, actor);
    carried = yielded(body, scope);
  }
  for (std::size_t i = 0; i < carried.size(); ++i) scope[op.results[i]] = carried[i];
}

// A herd's cores, or the iterations that stand for them.
void AirMachine::cores(const MlirOp& op, const Scope& scope, long columns, long rows,
                       std::size_t skip) {
  const auto& region = *op.regions.front();
  const std::vector<long> at =
      skip > 0 ? std::vector{numbersOf(op, "x_loc")[0], numbersOf(op, "y_loc")[0]}
               : std::vector<long>{0, 0};
  for (long x = 0; x < columns; ++x) {
    for (long y = 0; y < rows; ++y) {
      Scope own = scope;
      own[region.arguments[0]] = x;
      own[region.arguments[1]] = y;
      for (std::size_t i = 2 + skip; skip > 0 && i < region.arguments.size(); ++i) {
        own[region.arguments[i]] = scope.at(op.operands[i - skip]);
      }
      Actor actor;
      actor.at = {at[0] + x, at[1] + y};
      walk(region, own, &actor);
      m_actors.push_back(std::move(actor));
    }
  }
}

long AirMachine::number(const MlirOp& op, const Scope& scope) const {
  if (op.name == "arith.constant") {
    if (op.attributes.find("value = true") != std::string::npos) return 1;
    if (op.attributes.find("value = false") != std::string::npos) return 0;
    return numbersOf(op, "value").at(0);
  }
  const long a = scope.at(op.operands[0]);
  if (op.name == "memref.load") {
    const Store& store = m_stores_of[static_cast<std::size_t>(a)];
    Part part;
    for (std::size_t i = 1; i < op.operands.size(); ++i) {
      part.offsets.push_back(scope.at(op.operands[i]));
    }
    part.sizes.assign(part.offsets.size(), 1);
    part.strides.assign(part.offsets.size(), 1);
    for (std::size_t d = part.strides.size(); d-- > 1;) {
      part.strides[d - 1] = part.strides[d] * store.shape[d];
    }
    return m_indexAt(read(static_cast<std::size_t>(a), part).at(0));
  }
  if (op.name == "arith.index_cast") return a;
  const long b = scope.at(op.operands[1]);
  if (op.name == "arith.addi") return a + b;
  if (op.name == "arith.subi") return a - b;
  if (op.name == "arith.muli") return a * b;
  if (op.name == "arith.divsi") return a / b;
  if (op.name == "arith.ceildivsi") return a / b + (a % b != 0 && (a < 0) == (b < 0) ? 1 : 0);
  if (op.name == "arith.remsi") return a % b;
  if (op.name == "arith.minsi") return std::min(a, b);
  if (op.name == "arith.maxsi") return std::max(a, b);
  if (op.name == "arith.andi") return a & b;
  if (op.name == "arith.ori") return a | b;
  if (op.name == "arith.select") return scope.at(op.operands[a != 0 ? 1 : 2]);
  if (op.name != "arith.cmpi") throw std::runtime_error("no rule for " + op.name);
  switch (numbersOf(op, "predicate").at(0)) {
  case 0:
    return a == b ? 1 : 0;
  case 1:
    return a != b ? 1 : 0;
  case 2:
    return a < b ? 1 : 0;
  case 3:
    return a <= b ? 1 : 0;
  case 4:
    return a > b ? 1 : 0;
  case 5:
    return a >= b ? 1 : 0;
  case 6:
    return static_cast<unsigned long>(a) < static_cast<unsigned long>(b) ? 1 : 0;
  default:
    throw std::runtime_error("no rule for this comparison");
  }
}

long AirMachine::note(const MlirOp& op, const Scope& scope, Actor& actor) {
  std::size_t next = 0;
  const auto take = [&](long count) {
    std::vector<long> values;
    for (long i = 0; i < count; ++i) values.push_back(scope.at(op.operands.at(next++)));
    return values;
  };
  const std::vector<long> parts = numbersOf(op, "operandSegmentSizes");
  Event event;
  if (!parts.empty()) event.after = take(parts[0]);
  const auto part = [&](std::size_t first) {
    Part out;
    out.offsets = take(parts[first]);
    out.sizes = take(parts[first + 1]);
    out.strides = take(parts[first + 2]);
    return out;
  };
  if (op.name == "air.dma_memcpy_nd") {
    event.kind = Event::Kind::Copy;
    event.to = static_cast<std::size_t>(take(1)[0]);
    event.toPart = part(2);
    event.from = static_cast<std::size_t>(take(1)[0]);
    event.fromPart = part(6);
  } else if (op.name == "air.channel.put" || op.name == "air.channel.get") {
    event.kind = op.name == "air.channel.put" ? Event::Kind::Put : Event::Kind::Get;
    event.name = wordOf(op, "chan_name");
    event.indices = take(parts[1]);
    event.to = event.from = static_cast<std::size_t>(take(1)[0]);
    event.toPart = event.fromPart = part(3);
  } else if (op.name == "func.call_indirect") {
    event.kind = Event::Kind::Call;
    event.after = m_executeAfter;
    event.name = m_names.at(static_cast<std::size_t>(scope.at(op.operands[0])));
    for (std::size_t i = 1; i < op.operands.size(); ++i) {
      const long value = scope.at(op.operands[i]);
      if (op.types[i] == "index") {
        event.indices.push_back(value);
      } else {
        event.memories.push_back(static_cast<std::size_t>(value));
      }
    }
  } else if (op.name == "air.wait_all") {
    event.after = take(static_cast<long>(op.operands.size()));
  } else {
    return 0;
  }
  actor.events.push_back(std::move(event));
  return static_cast<long>(actor.events.size());
}

}  // namespace gridloom::test
