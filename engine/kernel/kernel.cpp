// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel.h"

#include <fmt/format.h>

#include <algorithm>

namespace gridloom::kernel {

namespace {

affine::IntegerSet boxOf(const Kernel& kernel, const std::vector<LoopId>& loops) {
  affine::IntegerSet set;
  set.extents.assign(kernel.loops.size(), 1);
  for (const LoopId loop : loops) {
    set.extents[loop.index()] = kernel.loop(loop).extent;
  }
  return set;
}

}  // namespace

std::int64_t elementCount(const Tensor& tensor) {
  std::int64_t count = 1;
  for (const std::int64_t extent : tensor.shape) {
    count *= extent;
  }
  return count;
}

affine::IntegerSet domainOf(const Kernel& kernel, const Statement& statement) {
  affine::IntegerSet set = boxOf(kernel, statement.loops);
  set.constraints = statement.constraints;
  return set;
}

affine::IntegerSet domainOver(const Kernel& kernel, const Statement& statement,
                              const std::vector<LoopId>& loops) {
  affine::IntegerSet set = boxOf(kernel, loops);
  for (const affine::Constraint& c : statement.constraints) {
    bool inside = true;
    for (std::size_t d = 0; d < c.expr.coefficients.size(); ++d) {
      inside = inside && (!c.expr.dependsOn(d) || contains(loops, LoopId::of(d)));
    }
    if (inside) {
      set.constraints.push_back(c);
    }
  }
  return set;
}

affine::IntegerSet targetDomainOf(const Kernel& kernel, const Statement& statement) {
  return domainOver(kernel, statement, targetLoops(statement));
}

affine::Image definedBy(const Kernel& kernel, const Statement& statement) {
  return {targetDomainOf(kernel, statement), statement.target.indices};
}

std::vector<affine::Image> definitionsOf(const Kernel& kernel, TensorId tensor) {
  std::vector<affine::Image> images;
  for (const Statement& statement : kernel.statements) {
    if (statement.target.tensor == tensor) images.push_back(definedBy(kernel, statement));
  }
  return images;
}

std::vector<LoopId> targetLoops(const Statement& statement) { return loopsOf(statement.target); }

std::vector<std::vector<LoopId>> enclosingReductions(const Statement& statement) {
  std::vector<std::vector<LoopId>> under(statement.expr.size());
  for (std::size_t n = statement.expr.size(); n-- > 0;) {
    const ExprNode& node = statement.expr[n];
    std::vector<LoopId> inside = under[n];
    inside.insert(inside.end(), node.loops.begin(), node.loops.end());
    for (const std::int32_t child : node.operands()) {
      if (child >= 0) {
        under[static_cast<std::size_t>(child)] = inside;
      }
    }
  }
  return under;
}

std::vector<affine::Constraint> domainInside(const Statement& statement,
                                             const std::vector<LoopId>& under) {
  std::vector<affine::Constraint> domain = statement.constraints;
  std::erase_if(domain, [&](const affine::Constraint& constraint) {
    return std::ranges::any_of(statement.reductions, [&](LoopId loop) {
      return !contains(under, loop) && constraint.expr.dependsOn(loop.index());
    });
  });
  return domain;
}

bool contains(const std::vector<LoopId>& loops, LoopId loop) {
  return std::ranges::find(loops, loop) != loops.end();
}

bool isBareLoop(const affine::LinearExpr& index) {
  std::size_t loops = 0;
  for (const std::int64_t c : index.coefficients) {
    if (c != 0 && c != 1) return false;
    loops += static_cast<std::size_t>(c);
  }
  return loops == 1 && index.constant == 0;
}

std::vector<LoopId> loopPerIndex(const Access& target) {
  std::vector<LoopId> loops;
  for (const affine::LinearExpr& index : target.indices) {
    if (!isBareLoop(index)) return {};
    const auto at = std::ranges::find(index.coefficients, 1) - index.coefficients.begin();
    const LoopId loop = LoopId::of(static_cast<std::size_t>(at));
    if (contains(loops, loop)) return {};
    loops.push_back(loop);
  }
  return loops;
}

bool hasLoopPerIndex(const Statement& statement) {
  return !loopPerIndex(statement.target).empty();
}

std::vector<LoopId> loopsOf(const Access& access) {
  std::vector<LoopId> loops;
  for (const affine::LinearExpr& index : access.indices) {
    for (std::size_t d = 0; d < index.coefficients.size(); ++d) {
      if (index.dependsOn(d) && !contains(loops, LoopId::of(d))) {
        loops.push_back(LoopId::of(d));
      }
    }
  }
  for (const IndexRead& gather : access.gathers) {
    for (const LoopId loop : loopsOf(gather.access)) {
      if (!contains(loops, loop)) loops.push_back(loop);
    }
  }
  return loops;
}

bool isIndexTensor(const Kernel& kernel, TensorId tensor) {
  const auto isIndex = [&](const Access& read) {
    return std::ranges::any_of(
        read.gathers, [&](const IndexRead& gather) { return gather.access.tensor == tensor; });
  };
  return std::ranges::any_of(kernel.statements, [&](const Statement& statement) {
    return std::ranges::any_of(statement.reads, isIndex);
  });
}

bool sameElement(const Access& a, const Access& b) {
  return a.tensor == b.tensor && a.indices == b.indices &&
         std::ranges::equal(a.gathers, b.gathers, [](const IndexRead& x, const IndexRead& y) {
           return x.dim == y.dim && sameElement(x.access, y.access);
         });
}

std::vector<std::string> loopNames(const Kernel& kernel) {
  std::vector<std::string> names;
  for (const Loop& loop : kernel.loops) {
    names.push_back(loop.name);
  }
  return names;
}

std::vector<std::string> spellingsOf(const Kernel& kernel, const Statement& statement) {
  if (!statement.constraintSpelling.empty()) return statement.constraintSpelling;
  const std::vector<std::string> names = loopNames(kernel);
  std::vector<std::string> spellings;
  for (const affine::Constraint& c : statement.constraints) {
    spellings.push_back(
        fmt::format("{} {} 0", affine::toString(c.expr, names), c.equality ? "==" : ">="));
  }
  return spellings;
}

std::int32_t addNode(std::vector<ExprNode>& nodes, ExprOp op, std::int32_t lhs, std::int32_t rhs,
                     std::int32_t other) {
  ExprNode& node = nodes.emplace_back();
  node.op = op;
  node.lhs = lhs;
  node.rhs = rhs;
  node.other = other;
  return static_cast<std::int32_t>(nodes.size()) - 1;
}

std::string toString(const Kernel& kernel, const Access& access) {
  const std::vector<std::string> names = loopNames(kernel);
  std::string out = kernel.tensor(access.tensor).name + "[";
  for (std::size_t d = 0; d < access.indices.size(); ++d) {
    const auto gather = std::ranges::find(access.gathers, d, &IndexRead::dim);
    out += d == 0 ? "" : ", ";
    out += gather != access.gathers.end() ? toString(kernel, gather->access)
           : access.spelling.empty()      ? affine::toString(access.indices[d], names)
                                          : access.spelling[d];
  }
  return out + "]";
}

std::string_view nameOf(LoopKind kind) {
  switch (kind) {
  case LoopKind::Parallel:
    return "parallel";
  case LoopKind::Reduction:
    return "reduction";
  case LoopKind::Sequential:
    return "sequential";
  }
  return {};
}

std::string_view nameOf(TensorRole role) {
  switch (role) {
  case TensorRole::Input:
    return "input";
  case TensorRole::Output:
    return "output";
  case TensorRole::Local:
    return "local";
  }
  return {};
}

}  // namespace gridloom::kernel
