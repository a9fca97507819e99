// SPDX-License-Identifier: Apache-2.0
//
// Values that a loop carries from iteration to iteration.
#include <fmt/format.h>

#include <algorithm>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

namespace {

/// An integer that a loop carries.
struct CarriedInteger {
  mlir::BlockArgument argument;
  Loop stands;  ///< for its value in an iteration, until that is known
  Linear first;
  Linear next;
  bool isKnown = false;
};

Linear with(const Linear& form, Loop loop, const Linear& value) {
  const std::int64_t factor = form.coefficient(loop);
  return form - Linear::loop(loop) * factor + value * factor;
}

// What it is in an iteration of `loop`: it grows by a constant, or the iteration before says it.
std::optional<Linear> valueIn(const CarriedInteger& of, Loop loop,
                              const std::vector<CarriedInteger>& all) {
  for (const CarriedInteger& other : all) {
    if (!other.isKnown && other.stands != of.stands && of.next.coefficient(other.stands) != 0)
      return std::nullopt;
  }
  const Linear step = of.next - Linear::loop(of.stands);
  if (step.isConstant()) return of.first + Linear::loop(loop) * step.constant;
  if (of.next.coefficient(of.stands) != 0) return std::nullopt;
  const Linear value = with(of.next, loop, Linear::loop(loop) - Linear::of(1));
  return with(value, loop, {}) == of.first ? std::optional(value) : std::nullopt;
}

}  // namespace

void Reader::carryIntegers(std::vector<Carried>& carried, Loop loop) {
  std::vector<CarriedInteger> integers;
  std::vector<mlir::Value> yielded;
  for (const Carried& c : carried) {
    const auto* first = std::get_if<Integer>(&c.first);
    if (first == nullptr || !first->isExact()) continue;
    const Loop stands = m_program.loops.add(1);
    integers.push_back({c.argument, stands, m_program.loops.normal(first->forms[0]), {}});
    yielded.push_back(c.yielded);
    set(c.argument, Integer(Linear::loop(stands)));
  }
  for (std::size_t n = 0; n < integers.size(); ++n) {
    const auto next = invariant(yielded[n]);
    if (!next || !next->isExact()) refuseCarriedInteger();
    integers[n].next = m_program.loops.normal(next->forms[0]);
  }
  for (std::size_t known = 0; known < integers.size(); ++known) {
    const auto found = std::ranges::find_if(integers, [&](const CarriedInteger& integer) {
      return !integer.isKnown && valueIn(integer, loop, integers);
    });
    if (found == integers.end()) refuseCarriedInteger();
    const Linear value = *valueIn(*found, loop, integers);
    found->isKnown = true;
    set(found->argument, Integer(value));
    for (CarriedInteger& other : integers) other.next = with(other.next, found->stands, value);
  }
}

void Reader::refuseCarriedInteger() const {
  refuse(m_at, "an integer that a loop carries does not grow by a constant",
         "carry offsets that grow by a constant");
}

// Views that move on by a constant: the cast at the loop's end says where the next one lies.
void Reader::carryViews(std::vector<Carried>& carried, Loop loop) {
  for (Carried& c : carried) {
    const auto* first = std::get_if<View>(&c.first);
    if (first == nullptr) continue;
    auto cast = c.yielded.getDefiningOp<mlir::memref::ReinterpretCastOp>();
    const auto offset =
        cast ? llvm::dyn_cast<mlir::Value>(cast.getMixedOffsets()[0]) : mlir::Value();
    const auto next = offset ? invariant(offset) : std::nullopt;
    if (!next || !next->isExact() || !first->flat)
      refuse(m_at, "memory that a loop carries does not move on by a constant",
             "carry a memref.reinterpret_cast whose offset grows by a constant");
    View now = *first;
    const Linear after = m_program.loops.normal(next->forms[0]);
    now.offset = {after - Linear::of(after.coefficient(loop))};
    Linear atStart = now.offset[0];
    atStart.terms.erase(loop);
    if (!(m_program.loops.normal(first->offset[0]) == atStart))
      refuse(m_at, "memory that a loop carries starts elsewhere than its offset says",
             "start the offset where the memory starts");
    set(c.argument, now);
  }
}

// Numbers and tensors stand for themselves before an iteration: an element of their history over
// the loops around.
void Reader::carryData(CarryingLoop& of) {
  for (Carried& c : of.carried) {
    if (c.memory) continue;
    const auto shaped = llvm::dyn_cast<mlir::ShapedType>(c.argument.getType());
    if (shaped && !llvm::isa<mlir::RankedTensorType, mlir::VectorType>(shaped)) continue;
    if (!shaped && !llvm::isa<mlir::FloatType>(c.argument.getType())) continue;
    c.state = -1000 - m_states++;
    c.dtype = dtypeOf(shaped ? shaped.getElementType() : c.argument.getType());
    if (!shaped) {
      set(c.argument, load(c.state, stateIndex(of, {})));
      continue;
    }
    if (const auto* first = std::get_if<Tile>(&c.first)) {
      for (const Loop var : first->vars)
        c.vars.push_back(m_program.loops.add(m_program.loops.extent(var)));
    } else {
      c.vars = newVars(shaped.getShape());
    }
    set(c.argument, Tile{c.vars, load(c.state, stateIndex(of, formsOf(c.vars)))});
  }
}

std::vector<Linear> Reader::stateIndex(const CarryingLoop& of,
                                       const std::vector<Linear>& element) const {
  std::vector<Linear> index = formsOf(of.outer);
  index.insert(index.end(), element.begin(), element.end());
  index.push_back(Linear::loop(of.loop) - Linear::of(1));
  return index;
}

// What an iteration makes of a carried value.
Tile Reader::lastTile(const Carried& carried) {
  if (const auto* elements = std::get_if<Tile>(&yielded(carried))) return *elements;
  return {{}, scalar(carried.yielded)};
}

// Whether an iteration adds to the value, or replaces it, and nothing else reads it.
bool Reader::isAccumulated(const CarryingLoop& of, const Carried& carried) {
  if (carried.memory) return false;
  const Value& last = yielded(carried);
  if (!std::holds_alternative<Tile>(last) && !std::holds_alternative<ExprRef>(last)) return true;
  const Tile tile = lastTile(carried);
  if (!tile.body) return true;
  const std::vector<Linear> own = stateIndex(of, formsOf(tile.vars));
  bool readsOld = false, readsOthers = false;
  forLoads(*tile.body, [&](const Expr& load) {
    if (load.buffer > -1000) return;
    const bool isCarried = std::ranges::count(of.carried, load.buffer, &Carried::state) > 0;
    const bool isOwn = load.buffer == carried.state && load.index == own;
    readsOld = readsOld || isOwn;
    readsOthers = readsOthers || (isCarried && !isOwn);
  });
  if (readsOthers) return false;
  const auto isOld = [&](const Expr& load) { return load.buffer == carried.state; };
  return !readsOld || std::ranges::any_of(reductions(), [&](const Reduction& how) {
    return without(tile.body, how.op, isOld).has_value();
  });
}

// A carried value behind the loop.
Value Reader::afterLoop(const CarryingLoop& of, const Carried& carried) {
  const Value& last = yielded(carried);
  if (std::holds_alternative<Integer>(last) || std::holds_alternative<View>(last)) return Value{};
  if (const auto* patch = std::get_if<Patch>(&last)) {
    if (!of.bounds.empty())
      refuse(m_at, "a loop that inserts slices has bounds that depend on other loops",
             "choose sizes that the blocks divide");
    Patch all = widened(*patch, of.loop);
    if (const auto* outer = std::get_if<Tile>(&carried.first);
        outer != nullptr && outer->body && outer->body->kind == Expr::Kind::Load)
      all.state = outer->body->buffer;
    return whole(all);
  }
  if (carried.after) return *carried.after;
  if (carried.state == -1) return last;
  Tile result = lastTile(carried);
  const auto isOld = [&](const Expr& load) { return load.buffer == carried.state; };
  bool readsOld = false;
  forLoads(*result.body, [&](const Expr& load) { readsOld = readsOld || isOld(load); });
  const auto first = [&]() -> ExprRef {
    if (const auto* elements = std::get_if<Tile>(&carried.first);
        elements != nullptr && elements->body)
      return applied(*elements, formsOf(result.vars));
    if (const auto* value = std::get_if<ExprRef>(&carried.first)) return *value;
    refuse(m_at, "a loop adds to a tensor before anything was written to it",
           "fill it with 0 first");
  };
  if (!readsOld) {
    if (!of.bounds.empty())
      refuse(m_at, "the last iteration of a loop, which leaves a value, depends on other loops",
             "choose sizes that the blocks divide");
    std::map<Loop, Linear> by;
    by[of.loop] = Linear::of(m_program.loops.extent(of.loop) - 1);
    result.body = substitute(result.body, by);
  } else {
    result.body = accumulation(result.body, {of.loop}, isOld, first, of.bounds);
  }
  if (llvm::isa<mlir::FloatType>(carried.argument.getType())) return result.body;
  return result;
}

// `value` is what one iteration makes of the old value: a sum, product, maximum or minimum.
ExprRef Reader::accumulation(const ExprRef& value, const std::vector<Loop>& loops,
                             const std::function<bool(const Expr&)>& isOld,
                             const std::function<ExprRef()>& old,
                             const std::vector<Linear>& bounds) const {
  for (const Reduction& how : reductions()) {
    auto rest = without(value, how.op, isOld);
    if (!rest) continue;
    for (const Linear& bound : bounds)
      rest = call("select", {call(">=", {indexValue(bound), number(0)}), *rest, number(how.start)});
    std::vector<Loop> parts;
    for (const Loop loop : loops) {
      for (const auto& [part, coefficient] : m_program.loops.normal(Linear::loop(loop)).terms)
        parts.push_back(part);
    }
    return accumulated(how, old(), std::move(parts), *rest);
  }
  refuse(m_at, "its loops reduce by something else than a sum, product, maximum or minimum",
         "write it as `old + x`, `old * x`, or the maximum or minimum of both");
}

}  // namespace gridloom::importer
