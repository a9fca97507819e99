// SPDX-License-Identifier: Apache-2.0
//
// The unit of the cores that performs the products of a statement.
#include <algorithm>

#include "kernel/copies.h"
#include "mapping/directive_resolver.h"
#include "mapping/units.h"

namespace gridloom::mapping {

using kernel::UnitKind;

namespace {

constexpr std::string_view kScalar = "scalar";

void addOnce(std::vector<std::string>& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

UnitKind otherThan(UnitKind unit) {
  return unit == UnitKind::Matrix ? UnitKind::Vector : UnitKind::Matrix;
}

// Tensors whose statements have products, for a help text.
std::string productNames(const kernel::Kernel& kernel, const kernel::TileNest& nest) {
  std::vector<std::string> names;
  for (const kernel::TileOp& op : nest.ops) {
    if (op.unit == UnitKind::Matrix)
      addOnce(names, writtenName(kernel.tensor(targetOf(kernel, op))));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

kernel::TensorId targetOf(const kernel::Kernel& kernel, const kernel::TileOp& op) {
  const kernel::TensorId own = kernel.statements[op.statement.index()].target.tensor;
  const auto first = std::ranges::find_if(kernel.statements, [&](const kernel::Statement& each) {
    return writtenName(kernel.tensor(each.target.tensor)) == writtenName(kernel.tensor(own));
  });
  return first->target.tensor;
}

kernel::TileNest withUnits(kernel::TileNest nest, const kernel::Kernel& kernel,
                           const std::map<kernel::TensorId, UnitKind>& units) {
  for (kernel::TileOp& op : nest.ops) {
    if (op.unit != UnitKind::Matrix) continue;
    const auto pinned = units.find(targetOf(kernel, op));
    if (pinned != units.end()) op.pinned = pinned->second;
  }
  return nest;
}

std::map<std::string, UnitKind> pinnedUnits(const kernel::Kernel& kernel,
                                            const kernel::TileNest& nest) {
  std::map<std::string, UnitKind> units;
  for (const kernel::TileOp& op : nest.ops) {
    if (op.pinned) units.emplace(writtenName(kernel.tensor(targetOf(kernel, op))), *op.pinned);
  }
  return units;
}

bool DirectiveResolver::hasUnit(UnitKind unit) const {
  const auto units = m_hw.compute({}, kLaneBits);
  if (!units) return true;  // a machine of several modes says so elsewhere
  if (unit == UnitKind::Matrix) return units->matrixSustained > 0;
  return units->vectorRate("mul") > 0 && units->vectorRate("add") > 0;
}

void DirectiveResolver::unit(const Directive& d) {
  const auto tensor = computed(d.subject);
  if (!tensor) return;
  const Directive::Name& word = d.names.front();
  if (word.text == kScalar) {
    if (d.excluded) return;  // no mapping uses it
    return fail(
        word.span, "mappings use no scalar unit: `df.scalar` has a latency, no rate",
        fmt::format("write `unit({}, vector)`; cores that compute on a scalar unit describe "
                    "it as `df.vec {{ shape = [1], throughput = 1 elem/cycle }}`",
                    d.subject.text));
  }
  const auto known = std::ranges::find(kernel::kUnitNames, word.text);
  if (known == kernel::kUnitNames.end()) {
    return fail(word.span, fmt::format("there is no unit `{}`", word.text),
                "a unit is `matrix` or `vector`");
  }
  const auto named = static_cast<UnitKind>(known - kernel::kUnitNames.begin());
  if (!checkProducts(d, *tensor, named)) return;
  const UnitKind pinned = d.excluded ? otherThan(named) : named;
  if (!hasUnit(pinned)) {
    return fail(d.excluded ? d.span : word.span,
                fmt::format("the cores of `{}` have no {} unit{}", m_hw.name(), nameOf(pinned),
                            pinned == UnitKind::Vector ? " that multiplies and adds" : ""),
                d.excluded ? "leave the directive out"
                           : fmt::format("write `unit({}, {})`, or leave the directive out",
                                         d.subject.text, nameOf(otherThan(pinned))));
  }
  const auto [entry, fresh] = m_out.units.emplace(*tensor, pinned);
  const auto before = pinnedUnits(m_kernel, m_nest);
  const auto other = before.find(d.subject.text);
  const bool isNew = other == before.end() || other->second == pinned || d.excluded;
  if ((fresh || entry->second == pinned) && isNew) return;
  fail(d.span,
       fmt::format("contradicts an earlier directive about the unit of `{}`", d.subject.text),
       "keep one of the two");
}

bool DirectiveResolver::checkProducts(const Directive& d, kernel::TensorId tensor, UnitKind named) {
  const auto isOf = [&](const kernel::TileOp& op) { return targetOf(m_kernel, op) == tensor; };
  const bool hasProduct = std::ranges::any_of(m_nest.ops, [&](const kernel::TileOp& op) {
    return isOf(op) && op.unit == UnitKind::Matrix;
  });
  if (hasProduct || (named == UnitKind::Vector) != d.excluded) return true;
  const bool isStepped = std::ranges::any_of(
      m_nest.ops, [&](const kernel::TileOp& op) { return isOf(op) && !op.stepped.empty(); });
  const std::string others = productNames(m_kernel, m_nest);
  fail(d.span,
       fmt::format(
           "no operation of `{}` is a product of two matrices{}: they run on the vector unit",
           d.subject.text, isStepped ? ", as it advances index by index" : ""),
       others.empty() ? "leave the directive out: the kernel has no such product"
                      : fmt::format("leave it out, or name a tensor with products: {}", others));
  return false;
}

std::optional<kernel::TensorId> DirectiveResolver::computed(const Directive::Name& name) {
  std::vector<std::string> known;
  for (const kernel::Statement& statement : m_kernel.statements) {
    const std::string& target = writtenName(m_kernel.tensor(statement.target.tensor));
    if (target == name.text) return statement.target.tensor;
    addOnce(known, target);
  }
  fail(name.span,
       fmt::format("no statement of kernel `{}` computes `{}`", m_kernel.name, name.text),
       fmt::format("statements compute {}", fmt::join(known, ", ")));
  return std::nullopt;
}

}  // namespace gridloom::mapping
