// SPDX-License-Identifier: Apache-2.0
#include "kernel/parts.h"

#include <algorithm>
#include <limits>

#include "kernel/blocked_scan.h"
#include "kernel/dependences.h"
#include "kernel/diagonals.h"
#include "kernel/end_terms.h"
#include "kernel/kernel_checker.h"
#include "kernel/kernel_forms.h"
#include "kernel/read_copies.h"
#include "kernel/shared_values.h"
#include "kernel/statement_order.h"

namespace gridloom::kernel {

namespace {

/// Which statements write and read each tensor.
struct TensorUse {
  std::size_t firstWrite = std::numeric_limits<std::size_t>::max(), lastWrite = 0;
  std::size_t firstRead = std::numeric_limits<std::size_t>::max(), lastRead = 0;
  bool written = false, read = false;
  bool sums = false;  ///< its values come from a reduction, directly or through others

  bool isWrittenIn(std::size_t begin, std::size_t end) const {
    return written && firstWrite >= begin && lastWrite < end;
  }
  bool passes(std::size_t cut) const {
    return written && read && firstWrite < cut && lastRead >= cut;
  }
};

std::vector<TensorUse> usesOf(const Kernel& kernel) {
  std::vector<TensorUse> uses(kernel.tensors.size());
  for (std::size_t s = 0; s < kernel.statements.size(); ++s) {
    const Statement& statement = kernel.statements[s];
    TensorUse& target = uses[statement.target.tensor.index()];
    target.firstWrite = std::min(target.firstWrite, s);
    target.lastWrite = s;
    target.written = true;
    target.sums = target.sums || !statement.reductions.empty();
    for (const Access& access : statement.reads) {
      TensorUse& use = uses[access.tensor.index()];
      use.firstRead = std::min(use.firstRead, s);
      use.lastRead = s;
      use.read = true;
      target.sums = target.sums || use.sums;
    }
  }
  return uses;
}

bool mayCut(const Kernel& kernel, const std::vector<TensorUse>& uses, std::size_t cut) {
  for (std::size_t t = 0; t < uses.size(); ++t) {
    const TensorUse& use = uses[t];
    if (!use.written) continue;
    const bool split = use.firstWrite < cut && use.lastWrite >= cut;
    const bool early = use.read && use.firstRead < cut && use.lastWrite >= cut;
    const bool state = use.passes(cut) && kernel.tensors[t].initial;
    if (split || early || state) return false;
  }
  return true;
}

bool isChain(const Kernel& kernel, const std::vector<TensorUse>& uses, std::size_t cut) {
  for (std::size_t s = cut; s < kernel.statements.size(); ++s) {
    const Statement& statement = kernel.statements[s];
    for (const Access& read : statement.reads) {
      const TensorUse& use = uses[read.tensor.index()];
      if (!use.sums || !use.passes(cut)) continue;
      const std::vector<LoopId> loops = loopsOf(read);
      if (std::ranges::any_of(loops, [&](LoopId l) { return contains(statement.reductions, l); })) {
        return true;
      }
    }
  }
  return false;
}

/// Leaves out tensors and ranges of loops that no statement uses.
class UnusedParts {
 public:
  explicit UnusedParts(Kernel& kernel) : m_kernel(kernel) {}

  void drop() {
    std::vector<bool> used(m_kernel.tensors.size(), false);
    for (Statement& statement : m_kernel.statements) {
      forEachAccess(statement, [&](Access& access) { used[access.tensor.index()] = true; });
    }
    std::vector<TensorId> moved(used.size());
    std::vector<Tensor> kept;
    for (std::size_t t = 0; t < used.size(); ++t) {
      if (!used[t]) continue;
      moved[t] = TensorId::of(kept.size());
      kept.push_back(std::move(m_kernel.tensors[t]));
    }
    m_kernel.tensors = std::move(kept);
    for (Statement& statement : m_kernel.statements) {
      forEachAccess(statement,
                    [&](Access& access) { access.tensor = moved[access.tensor.index()]; });
    }
    for (std::size_t l = 0; l < m_kernel.loops.size(); ++l) {
      const auto runs = [&](const Statement& s) { return contains(s.loops, LoopId::of(l)); };
      if (std::ranges::none_of(m_kernel.statements, runs)) m_kernel.loops[l].declared = 0;
    }
  }

 private:
  template <typename Visit> static void forEachAccess(Statement& statement, const Visit& visit) {
    visitAccess(statement.target, visit);
    for (Access& read : statement.reads) visitAccess(read, visit);
  }

  template <typename Visit> static void visitAccess(Access& access, const Visit& visit) {
    visit(access);
    for (IndexRead& index : access.gathers) visitAccess(index.access, visit);
  }

  Kernel& m_kernel;
};

TensorRole roleIn(const Tensor& tensor, const TensorUse& use, std::size_t begin, std::size_t end) {
  if (!use.isWrittenIn(begin, end)) return TensorRole::Input;
  const bool needed = use.read && use.lastRead >= end;
  return needed ? TensorRole::Output : tensor.role;
}

// As written, but for the order of statements.
Kernel sorted(const Kernel& kernel) {
  return withSortedStatements(kernel.asWritten()).value_or(kernel.asWritten());
}

bool readsBeforeTheFirst(const Kernel& kernel, const Statement& statement, std::size_t read) {
  const affine::IntegerSet domain = readDomain(kernel, statement, read);
  return std::ranges::any_of(statement.reads[read].indices, [&](const affine::LinearExpr& index) {
    const auto bounds = affine::boundsOf(domain, index);
    return bounds && bounds->min < 0;
  });
}

// A local with an initial value that nothing reads is no state: it may pass a cut.
void dropUnreadInitials(Kernel& kernel) {
  std::vector<bool> isRead(kernel.tensors.size(), false);
  for (const Statement& statement : kernel.statements) {
    for (std::size_t r = 0; r < statement.reads.size(); ++r) {
      const std::size_t tensor = statement.reads[r].tensor.index();
      if (kernel.tensors[tensor].initial && readsBeforeTheFirst(kernel, statement, r))
        isRead[tensor] = true;
    }
  }
  for (std::size_t t = 0; t < isRead.size(); ++t) {
    if (!isRead[t]) kernel.tensors[t].initial.reset();
  }
}

Kernel withLocals(const Kernel& kernel) {
  const auto holds = [](Kernel& form) { return KernelChecker(form).runAgain().empty(); };
  Kernel form = withBlockedScan(kernel).value_or(kernel);
  takeForm(form, withEndTerms(form), holds);
  takeForm(form, withDiagonalOutputs(form), holds);
  return withOwnReductions(withCopiesRead(form), holds);
}

}  // namespace

KernelParts::KernelParts(const Kernel& kernel) : m_whole(withLocals(sorted(kernel))) {
  dropUnreadInitials(m_whole);
  const std::vector<TensorUse> uses = usesOf(m_whole);
  for (std::size_t cut = 1; cut < m_whole.statements.size(); ++cut) {
    if (mayCut(m_whole, uses, cut)) m_cuts.push_back({cut, isChain(m_whole, uses, cut)});
  }
}

Kernel KernelParts::part(std::size_t begin, std::size_t end) const {
  Kernel part = m_whole;
  const std::vector<TensorUse> uses = usesOf(part);
  part.name = name(begin, end);
  for (std::size_t t = 0; t < uses.size(); ++t) {
    part.tensors[t].role = roleIn(part.tensors[t], uses[t], begin, end);
  }
  part.statements = {part.statements.begin() + static_cast<std::ptrdiff_t>(begin),
                     part.statements.begin() + static_cast<std::ptrdiff_t>(end)};
  UnusedParts(part).drop();
  return part;
}

std::string KernelParts::name(std::size_t begin, std::size_t end) const {
  std::string name = m_whole.name;
  const auto add = [&](std::size_t last) {
    name += "_" + m_whole.tensor(m_whole.statements[last].target.tensor).name;
  };
  for (const Cut& cut : m_cuts) {
    if (cut.before > begin && cut.before < end) add(cut.before - 1);
  }
  add(end - 1);
  return name;
}

}  // namespace gridloom::kernel
