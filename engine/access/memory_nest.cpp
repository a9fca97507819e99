// SPDX-License-Identifier: Apache-2.0
#include "access/memory_nest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "access/nest_check.h"
#include "base/message_limit.h"
#include "base/units.h"

namespace gridloom::access {

namespace {

using Kind = NestDirective::Kind;
using Name = NestDirective::Name;

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "`" : ", `") + name + "`";
  return out.empty() ? "there are none" : "known are: " + out;
}

class NestResolver {
 public:
  NestResolver(const NestDirectives& directives, const kernel::Kernel& kernel,
               const hardware::HardwareSpec& hardware)
      : m_directives(directives),
        m_kernel(kernel),
        m_hardware(hardware),
        m_product(kernel.loops.size(), 1) {}

  base::Result<MemoryNest> run() {
    checkKernel();
    if (!m_errors.empty()) return m_errors;
    for (const NestDirective& directive : m_directives.list) apply(directive);
    if (m_nest.levels.empty() && m_errors.empty()) {
      fail({}, "a nest has at least one memory", "begin with `level(M)`, M a memory");
    }
    if (m_errors.empty()) checkFactors();
    if (!m_errors.empty()) return m_errors;
    auto misfits = checkNest(m_nest, m_kernel, m_hardware, {m_directives.source, m_levelSpans});
    if (!misfits.empty()) return misfits;
    return std::move(m_nest);
  }

 private:
  void checkKernel() {
    if (m_kernel.statements.size() != 1) {
      fail({},
           fmt::format("accesses are counted for kernels of one statement, `{}` has {}",
                       m_kernel.name, m_kernel.statements.size()),
           "name a kernel that is one statement");
      return;
    }
    const kernel::Statement& statement = m_kernel.statements.front();
    if (!statement.constraints.empty()) {
      m_errors.push_back(base::errorAt(m_kernel.source, statement.span,
                                       "accesses are counted over boxes, this domain is cut",
                                       "leave out `where`"));
    }
    const auto accesses = nestAccesses(m_kernel);
    for (std::size_t i = 0; i < accesses.size(); ++i) {
      if (accesses[i]->isGather()) {
        m_errors.push_back(base::errorAt(m_kernel.source, accesses[i]->span,
                                         "accesses are counted for affine indices only",
                                         "count a kernel that reads no index from a tensor"));
      }
      for (std::size_t j = 0; j < i; ++j) {
        if (accesses[i]->tensor != accesses[j]->tensor) continue;
        m_errors.push_back(
            base::errorAt(m_kernel.source, accesses[i]->span,
                          fmt::format("`{}` is accessed twice: tiles of one access are counted",
                                      m_kernel.tensor(accesses[i]->tensor).name)));
      }
    }
  }

  void apply(const NestDirective& directive) {
    if (directive.kind == Kind::Level) return level(directive);
    if (m_nest.levels.empty()) {
      return fail(directive.span, "this stands in no memory", "begin with `level(M)`, M a memory");
    }
    switch (directive.kind) {
    case Kind::Level:
      return;
    case Kind::Loop:
      return loop(directive);
    case Kind::Spatial:
      return spatial(directive);
    case Kind::Bypass:
      return bypass(directive);
    }
  }

  void level(const NestDirective& directive) {
    const Name& name = directive.names.front();
    std::vector<std::string> known;
    for (const hardware::Memory& memory : m_hardware.memories) known.push_back(memory.name);
    if (std::ranges::find(known, name.text) == known.end()) {
      fail(name.span, fmt::format("the hardware has no memory `{}`", name.text), listed(known));
    }
    if (std::ranges::find(m_nest.levels, name.text, &NestLevel::memory) != m_nest.levels.end()) {
      fail(name.span, fmt::format("memory `{}` stands twice in the nest", name.text),
           "write all its loops together");
    }
    m_nest.levels.push_back({name.text, {}, {}, {}});
    m_levelSpans.push_back(directive.span);
  }

  std::optional<kernel::LoopId> loopNamed(const Name& name) {
    for (std::size_t i = 0; i < m_kernel.loops.size(); ++i) {
      if (m_kernel.loops[i].name == name.text) return kernel::LoopId::of(i);
    }
    fail(name.span, fmt::format("kernel `{}` has no loop `{}`", m_kernel.name, name.text),
         listed(kernel::loopNames(m_kernel)));
    return std::nullopt;
  }

  /// Number of iterations of the loop here: as written, or what earlier factors leave of it.
  std::optional<std::int64_t> countOf(const NestDirective& directive, kernel::LoopId loop) {
    const std::int64_t extent = m_kernel.loop(loop).extent;
    std::int64_t& taken = m_product[loop.index()];
    const std::int64_t count = directive.count.value_or(std::max<std::int64_t>(extent / taken, 1));
    if (base::saturatingMul(taken, count) > extent || extent % (taken * count) != 0) {
      fail(directive.span,
           fmt::format("loop `{}` has {} iterations, which {} x {} does not divide",
                       m_kernel.loop(loop).name, extent, taken, count),
           "the factors of a loop, over all memories, make up its extent");
      return std::nullopt;
    }
    taken *= count;
    return count;
  }

  void loop(const NestDirective& directive) {
    const auto id = loopNamed(directive.names.front());
    if (!id) return;
    if (const auto trips = countOf(directive, *id))
      m_nest.levels.back().loops.push_back({*id, *trips});
  }

  void spatial(const NestDirective& directive) {
    const auto id = loopNamed(directive.names.front());
    if (!id) return;
    const int axis = directive.names.size() > 1 && directive.names[1].text == "y" ? 1 : 0;
    if (const auto unroll = countOf(directive, *id)) {
      m_nest.levels.back().spatialLoops.push_back({*id, *unroll, axis});
    }
  }

  void bypass(const NestDirective& directive) {
    for (const Name& name : directive.names) {
      const auto accesses = nestAccesses(m_kernel);
      const auto found = std::ranges::find_if(accesses, [&](const kernel::Access* access) {
        return m_kernel.tensor(access->tensor).name == name.text;
      });
      if (found != accesses.end()) {
        m_nest.levels.back().bypassed.push_back((*found)->tensor);
        continue;
      }
      std::vector<std::string> known;
      for (const kernel::Access* a : accesses) known.push_back(m_kernel.tensor(a->tensor).name);
      fail(name.span, fmt::format("kernel `{}` has no tensor `{}`", m_kernel.name, name.text),
           listed(known));
    }
  }

  void checkFactors() {
    for (std::size_t i = 0; i < m_kernel.loops.size(); ++i) {
      const kernel::Loop& loop = m_kernel.loops[i];
      if (m_product[i] == loop.extent) continue;
      fail(m_levelSpans.back(),
           fmt::format("the factors of loop `{}` make {}, it has {} iterations", loop.name,
                       m_product[i], loop.extent),
           fmt::format("add `loop({})` for what is left", loop.name));
    }
  }

  void fail(base::Span span, std::string message, std::string hint = {}) {
    base::report(m_errors,
                 base::errorAt(m_directives.source, span, std::move(message), std::move(hint)));
  }

  const NestDirectives& m_directives;
  const kernel::Kernel& m_kernel;
  const hardware::HardwareSpec& m_hardware;
  std::vector<std::int64_t> m_product;  ///< per loop: its factors so far
  std::vector<base::Span> m_levelSpans;
  MemoryNest m_nest;
  base::Diagnostics m_errors;
};

}  // namespace

bool NestLevel::keeps(kernel::TensorId tensor) const {
  return std::ranges::find(bypassed, tensor) == bypassed.end();
}

base::Result<MemoryNest> resolve(const NestDirectives& directives, const kernel::Kernel& kernel,
                                 const hardware::HardwareSpec& hardware) {
  return NestResolver(directives, kernel, hardware).run();
}

std::vector<std::int64_t> tileExtents(const kernel::Kernel& kernel, const MemoryNest& nest,
                                      std::size_t firstLevel) {
  std::vector<std::int64_t> extents(kernel.loops.size(), 1);
  for (std::size_t level = firstLevel; level < nest.levels.size(); ++level) {
    for (const NestLoop& loop : nest.levels[level].loops) extents[loop.loop.index()] *= loop.trips;
    for (const SpatialLoop& spatial : nest.levels[level].spatialLoops) {
      extents[spatial.loop.index()] *= spatial.unroll;
    }
  }
  return extents;
}

std::vector<std::int64_t> boxOf(const kernel::Access& access,
                                const std::vector<std::int64_t>& extents) {
  std::vector<std::int64_t> box;
  for (const affine::LinearExpr& index : access.indices) {
    std::int64_t width = 1;
    for (std::size_t d = 0; d < extents.size(); ++d) {
      width += std::abs(index.coefficient(d)) * (extents[d] - 1);
    }
    box.push_back(width);
  }
  return box;
}

std::vector<const kernel::Access*> nestAccesses(const kernel::Kernel& kernel) {
  const kernel::Statement& statement = kernel.statements.front();
  std::vector<const kernel::Access*> accesses;
  for (const kernel::Access& read : statement.reads) accesses.push_back(&read);
  accesses.push_back(&statement.target);
  return accesses;
}

}  // namespace gridloom::access
