// SPDX-License-Identifier: Apache-2.0
#include "syntax/schedule_domain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "syntax/lexer.h"

namespace gridloom::syntax {

namespace {

using affine::LinearExpr;
using kernel::Difference;
using kernel::LoopId;

std::string sum(const std::string& name, std::int64_t offset) {
  if (offset == 0) return name;
  return fmt::format("{} {} {}", name, offset < 0 ? "-" : "+", offset < 0 ? -offset : offset);
}

class DomainPrinter {
 public:
  explicit DomainPrinter(const kernel::Kernel& kernel) {
    for (const kernel::Loop& loop : kernel.loops) m_names.push_back(spelledName(loop.name));
  }

  std::string text(const kernel::GuardPart& part) const {
    std::string out;
    add(out, part.elements, "");
    add(out, part.tiles, "tile ");
    return out;
  }

  // A range from the first to the last element. `until` excludes its end, the first element of the
  // tile itself.
  std::string text(const kernel::RegionDim& dim) const {
    const auto at = [&](std::int64_t offset) {
      return toString(dim.index + LinearExpr::number(offset), m_names);
    };
    if (dim.behind) return at(dim.minOffset) + " until " + at(0);
    if (dim.minOffset == dim.maxOffset) return at(dim.minOffset);
    return at(dim.minOffset) + " to " + at(dim.maxOffset);
  }

 private:
  // A difference and its opposite print as an equation.
  void add(std::string& out, const std::vector<Difference>& differences, const char* what) const {
    for (auto d = differences.begin(); d != differences.end(); ++d) {
      const Difference opposite{d->b, d->a, -d->least};
      if (std::find(differences.begin(), d, opposite) != d) continue;
      const bool equal = std::find(d + 1, differences.end(), opposite) != differences.end();
      if (!out.empty()) out += " and ";
      out += text(*d, equal ? "==" : "", what);
    }
  }

  std::string text(const Difference& d, std::string_view equal, const char* what) const {
    const auto name = [&](LoopId loop) { return what + m_names[loop.index()]; };
    const auto relation = [&](std::string_view otherwise) {
      return equal.empty() ? otherwise : equal;
    };
    // Loops begin at 0.
    const std::string_view most = d.least == 0 ? "==" : "<=";
    if (!d.a.valid()) return fmt::format("{} {} {}", name(d.b), relation(most), -d.least);
    if (!d.b.valid()) return fmt::format("{} {} {}", name(d.a), relation(">="), d.least);
    return fmt::format("{} {} {}", name(d.a), relation(">="), sum(name(d.b), d.least));
  }

  std::vector<std::string> m_names;
};

LinearExpr bindLinear(const ScheduleText::Linear& text, ScheduleScope& scope) {
  LinearExpr out = LinearExpr::number(text.constant);
  for (const auto& [factor, name] : text.terms) {
    if (const auto loop = scope.loop(name)) out = out + LinearExpr::dim(*loop, factor);
  }
  return out;
}

}  // namespace

std::string commonDType(const kernel::Kernel& kernel) {
  std::string common;
  for (const kernel::Tensor& tensor : kernel.tensors) {
    if (tensor.role == kernel::TensorRole::Local) continue;
    const std::string_view dtype = kernel::nameOf(tensor.dtype);
    if (!common.empty() && common != dtype) return {};
    common = dtype;
  }
  return common;
}

std::string spelledName(const std::string& name) {
  const auto fits = [](char c) {
    const auto u = static_cast<unsigned char>(c);
    return std::isalnum(u) != 0 || c == '_';
  };
  const bool plain = !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
                     std::all_of(name.begin(), name.end(), fits);
  return plain ? name : quotedString(name);
}

std::string domainText(const kernel::TileGuard& guard, const kernel::Kernel& kernel) {
  const DomainPrinter printer(kernel);
  std::string out;
  for (const kernel::GuardPart& part : guard.parts) {
    out += (out.empty() ? "" : " or ") + printer.text(part);
  }
  return out;
}

std::string awaitedText(const kernel::Operand& operand, const kernel::Kernel& kernel) {
  const DomainPrinter printer(kernel);
  std::string out;
  for (const kernel::RegionDim& dim : operand.dims) {
    out += (out.empty() ? "" : ", ") + printer.text(dim);
  }
  return fmt::format("{}[{}]", spelledName(kernel.tensor(operand.tensor).name), out);
}

bool isSame(const kernel::TileGuard& a, const kernel::TileGuard& b) {
  return std::ranges::is_permutation(a.parts, b.parts,
                                     [](const kernel::GuardPart& x, const kernel::GuardPart& y) {
                                       return std::ranges::is_permutation(x.elements, y.elements) &&
                                              std::ranges::is_permutation(x.tiles, y.tiles);
                                     });
}

kernel::TileGuard bindDomain(const ScheduleText::Domain& text, ScheduleScope& scope) {
  kernel::TileGuard guard;
  const auto bind = [&](const ScheduleText::Name& name) {
    if (name.text.empty()) return LoopId{};
    const auto loop = scope.loop(name);
    return loop ? LoopId::of(*loop) : LoopId{};
  };
  for (const auto& part : text.parts) {
    kernel::GuardPart to;
    for (const ScheduleText::Difference& d : part) {
      (d.ofTiles ? to.tiles : to.elements).push_back({bind(d.a), bind(d.b), d.least});
    }
    addPart(guard, std::move(to), &part == &text.parts.front());
  }
  return guard;
}

bool isAwaited(const ScheduleText::Awaited& text, const kernel::Operand& operand,
               const kernel::Kernel& kernel, ScheduleScope& scope) {
  if (text.tensor.text != kernel.tensor(operand.tensor).name) return false;
  if (text.ranges.size() != operand.dims.size()) return false;
  bool same = true;
  for (std::size_t d = 0; d < operand.dims.size(); ++d) {
    const kernel::RegionDim& dim = operand.dims[d];
    const ScheduleText::Range& range = text.ranges[d];
    const std::int64_t last = dim.behind ? 0 : dim.maxOffset;
    const LinearExpr first = bindLinear(range.first, scope);
    same = same && range.until == dim.behind &&
           first == dim.index + LinearExpr::number(dim.minOffset) &&
           bindLinear(range.last, scope) == dim.index + LinearExpr::number(last);
  }
  return same;
}

}  // namespace gridloom::syntax
