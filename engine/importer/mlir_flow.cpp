// SPDX-License-Identifier: Apache-2.0
//
// Functions that write and read memory in ways of their own: every load and store is noted, and
// exact dataflow analysis says afterwards which store wrote what each load reads.
#include <mlir/Interfaces/ViewLikeInterface.h>

#include <algorithm>

#include "importer/flow.h"
#include "importer/forms.h"
#include "importer/mlir_reader.h"

namespace gridloom::importer {

Reader::Reader(mlir::func::FuncOp function, const Functions& functions, const Settings& settings,
               const ArgumentNames& names)
    : m_function(function), m_functions(functions), m_settings(settings), m_names(names) {}

Reader::~Reader() = default;

Program Reader::readByFlow(bool dividesLoops) {
  m_flow = std::make_unique<Flow>();
  m_flow->dividesLoops = dividesLoops;
  m_function.walk([&](mlir::Operation* op) {
    for (const mlir::Value value : writtenBy(*op))
      m_flow->written.insert(memoryOf(value).getAsOpaquePointer());
  });
  return read();
}

// Arguments that the function only reads, and constants, need no analysis.
bool Reader::isNoted(const Memory& memory) const {
  return m_flow && !memory.isConstant && (!memory.isArgument || memory.isWritten);
}

// The loops around what is read, then others that the indices name.
MemoryAccess Reader::accessAt(const MemoryRef& memory, const std::vector<Linear>& at) {
  if (memory->isFlat)
    refuse(m_at, "memory that is addressed by numbers is read and written in ways of its own",
           "give the argument a shape");
  MemoryAccess access;
  const auto known = std::ranges::find(m_flow->memories, memory);
  access.memory = static_cast<int>(known - m_flow->memories.begin());
  if (known == m_flow->memories.end()) m_flow->memories.push_back(memory);
  constexpr int most = 512;
  if (m_flow->accesses >= most)
    refuse(m_at, "more than 512 loads and stores, of which one reads what others write",
           "split the function");
  access.loops = m_scope;
  std::set<Loop> inScope;
  const int now = m_flow->accesses++;
  for (const Loop loop : m_scope) {
    access.time.push_back(Linear::of(m_flow->entered.try_emplace(loop, now).first->second));
    access.time.push_back(Linear::loop(loop));
    for (const auto& [part, c] : m_program.loops.normal(Linear::loop(loop)).terms)
      inScope.insert(part);
  }
  access.time.push_back(Linear::of(now));
  for (const Linear& form : at) {
    access.index.push_back(m_program.loops.normal(form));
    for (const auto& [loop, c] : access.index.back().terms)
      if (inScope.insert(loop).second) access.loops.push_back(loop);
  }
  // Memory without dimensions has one element.
  if (at.empty()) access.index.emplace_back();
  access.where = m_where;
  return access;
}

ExprRef Reader::notedLoad(const MemoryRef& memory, const std::vector<Linear>& at,
                          bool mayBeUnwritten) {
  Flow::Load load_{memory, accessAt(memory, at), static_cast<int>(m_program.buffers.size()),
                   placeOf(m_at), mayBeUnwritten};
  Buffer buffer{"", memory->dtype, {}, false, false};
  for (const Loop loop : load_.access.loops) buffer.shape.push_back(m_program.loops.extent(loop));
  m_program.buffers.push_back(std::move(buffer));
  m_replaced.insert(load_.buffer);
  m_flow->standIns[load_.buffer] = m_flow->loads.size();
  ExprRef value = load(load_.buffer, formsOf(load_.access.loops));
  m_flow->loads.push_back(std::move(load_));
  return value;
}

// The element as a value names it already, where no store came between; else one more load. What
// was not written before may be anything.
ExprRef Reader::notedAgain(const MemoryRef& memory, const std::vector<Linear>& at,
                           const ExprRef& value) {
  const ExprRef again = notedLoad(memory, at, true);
  const MemoryAccess& now = m_flow->loads.back().access;
  const auto stored =
      std::find_if(m_flow->stores.rbegin(), m_flow->stores.rend(),
                   [&](const Flow::Store& store) { return store.memory == memory; });
  ExprRef known;
  forLoads(*value, [&](const Expr& old) {
    const auto found = m_flow->standIns.find(old.buffer);
    if (found == m_flow->standIns.end()) return;
    const Flow::Load& load_ = m_flow->loads[found->second];
    const bool isSince = stored == m_flow->stores.rend() ||
                         stored->access.time.back().constant < load_.access.time.back().constant;
    if (load_.memory == memory && isSince && load_.access.index == now.index &&
        load_.access.loops == now.loops && load_.access.where == now.where &&
        old.index == formsOf(now.loops))
      known = load(old.buffer, old.index);
  });
  return known ? known : again;
}

void Reader::noteStore(const MemoryRef& memory, const std::vector<Linear>& at, ExprRef value,
                       std::vector<Linear> where) {
  Flow::Store store{
      memory, accessAt(memory, at), m_program.statements.size(), std::move(value), {}};
  store.access.where = std::move(where);
  m_flow->stores.push_back(std::move(store));
  addStatement({-1, {}, number(0), {}}, m_at);
}

bool Reader::wasStored(const Memory& memory) const {
  return std::ranges::any_of(m_flow->stores,
                             [&](const Flow::Store& s) { return s.memory.get() == &memory; });
}

std::vector<Loop> partsOf(const Loops& loops, const std::vector<Loop>& of) {
  std::vector<Loop> parts;
  for (const Loop loop : of) {
    std::vector<std::pair<std::int64_t, Loop>> sizes;
    for (const auto& [part, c] : loops.normal(Linear::loop(loop)).terms)
      sizes.emplace_back(c, part);
    std::ranges::sort(sizes, std::greater{});
    for (const auto& [size, part] : sizes) parts.push_back(part);
  }
  return parts;
}

namespace {

// Forms of loops that were divided since, as forms of their parts.
std::vector<Linear> inParts(Loops& loops, const std::vector<Loop>& of,
                            const std::vector<Linear>& forms) {
  std::vector<Linear> result;
  for (std::size_t n = 0; n < of.size(); ++n) {
    std::vector<std::int64_t> sizes;
    for (const auto& [part, c] : loops.normal(Linear::loop(of[n])).terms) sizes.push_back(c);
    std::ranges::sort(sizes, std::greater{});
    Linear rest = loops.normal(forms[n]);
    for (const std::int64_t size : sizes) {
      const auto parts = size == 1 ? std::pair{rest, Linear{}} : loops.divide(rest, size);
      if (!parts) throw Refusal{"a view of another shape starts inside of a row", "use its shape"};
      result.push_back(parts->first);
      rest = parts->second;
    }
  }
  return result;
}

void normaliseAccess(const Loops& loops, MemoryAccess& access) {
  access.loops = partsOf(loops, access.loops);
  for (auto* forms : {&access.index, &access.where, &access.time})
    for (Linear& form : *forms) form = loops.normal(form);
}

}  // namespace

// Loops are divided no more from here on.
void Reader::normaliseFlow() {
  const auto withParts = [&](const ExprRef& value) {
    return withLoads(value, [&](const Expr& old) -> ExprRef {
      const auto at = m_flow->standIns.find(old.buffer);
      if (at == m_flow->standIns.end()) return nullptr;
      if (!old.gathers.empty())
        refuse(m_function, "data index memory that the function writes", "gather from an argument");
      const std::vector<Loop>& loops = m_flow->loads[at->second].access.loops;
      return load(old.buffer, inParts(m_program.loops, loops, old.index));
    });
  };
  for (Statement& statement : m_program.statements) statement.value = withParts(statement.value);
  for (Flow::Store& store : m_flow->stores)
    store.value = normalised(withParts(store.value), m_program.loops);
  for (Flow::Store& store : m_flow->stores) {
    normaliseAccess(m_program.loops, store.access);
    store.value = withoutMasks(m_program.loops, store.value, store.access.where);
  }
  for (Flow::Load& load : m_flow->loads) normaliseAccess(m_program.loops, load.access);
}

// Loops that end by a bound, as those of a triangle, run over the whole dimension that they index:
// the bound says the same.
void Reader::widenLoops() {
  std::map<Loop, std::int64_t> longest;
  std::vector<const MemoryAccess*> all;
  for (const Flow::Store& store : m_flow->stores) all.push_back(&store.access);
  for (const Flow::Load& load : m_flow->loads) all.push_back(&load.access);
  for (const MemoryAccess* access : all) {
    const std::vector<std::int64_t>& shape =
        m_flow->memories[static_cast<std::size_t>(access->memory)]->shape;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (const auto loop = access->index[d].asLoop())
        longest[*loop] = std::max(longest[*loop], shape[d]);
    }
  }
  // Parts of loops that were divided stay as long as the step.
  for (const MemoryAccess* access : all) {
    if (!m_flow->dividesLoops) break;
    for (const Linear& form : access->index)
      if (!form.asLoop())
        for (const auto& [loop, c] : form.terms) longest.erase(loop);
  }
  for (const auto& [loop, size] : longest) {
    const std::int64_t extent = m_program.loops.extent(loop);
    if (size <= extent || isInStatement(loop)) continue;
    m_program.loops.setExtent(loop, size);
    const Linear beyond = Linear::loop(loop) - Linear::of(extent);
    const bool isBounded = std::ranges::all_of(all, [&](const MemoryAccess* access) {
      if (std::ranges::find(access->loops, loop) == access->loops.end()) return true;
      std::vector<Linear> where = access->where;
      where.push_back(beyond);
      return isEmpty(where);
    });
    if (!isBounded) m_program.loops.setExtent(loop, extent);
  }
}

// Whether a statement that is not noted names a loop.
bool Reader::isInStatement(Loop loop) const {
  return std::ranges::any_of(m_program.statements, [&](const Statement& statement) {
    bool found = false;
    forForms(statement, [&](const Linear& form) { found = found || form.terms.contains(loop); });
    forReduced(*statement.value, [&](Loop reduced) { found = found || reduced == loop; });
    return found;
  });
}

// Loads that no statement uses need no source.
void Reader::dropUnusedLoads() {
  std::set<int> used;
  const auto note = [&](const ExprRef& value) {
    forLoads(*value, [&](const Expr& load) { used.insert(load.buffer); });
  };
  for (const Statement& statement : m_program.statements) note(statement.value);
  for (const Flow::Store& store : m_flow->stores) note(store.value);
  std::vector<Flow::Load>& loads = m_flow->loads;
  std::erase_if(loads, [&](const Flow::Load& load) { return !used.contains(load.buffer); });
  m_flow->standIns.clear();
  for (std::size_t r = 0; r < loads.size(); ++r) m_flow->standIns[loads[r].buffer] = r;
}

// What arguments hold when the function returns.
void Reader::loadFinals() {
  m_flow->firstFinal = m_flow->loads.size();
  m_scope.clear();
  m_where.clear();
  for (const MemoryRef& memory : m_arguments) {
    if (!wasStored(*memory)) continue;
    notedLoad(memory, formsOf(newVars(memory->shape)), false);
    for (const Flow::Store& store : m_flow->stores) {
      if (store.memory == memory)
        m_flow->loads.back().place = m_program.statements[store.statement].place;
    }
  }
}

}  // namespace gridloom::importer
