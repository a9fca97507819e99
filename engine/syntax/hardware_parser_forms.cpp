// SPDX-License-Identifier: Apache-2.0
#include "syntax/hardware_parser_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/message_limit.h"
#include "syntax/hardware_parser_labels.h"
#include "syntax/hardware_parser_links.h"
#include "syntax/hardware_parser_op.h"
#include "syntax/spelling.h"

namespace gridloom::syntax {

namespace {

using Kind = HardwareValue::Kind;

bool isIdentity(const affine::AffineMap& map) {
  if (map.numDims != static_cast<std::int64_t>(map.results.size())) return false;
  for (std::size_t d = 0; d < map.results.size(); ++d) {
    if (map.results[d] != affine::AffineExpr::dim(static_cast<std::int64_t>(d))) return false;
  }
  return true;
}

bool joins(const HardwareOp& op) { return op.op == "mux" || op.op == "interconnects"; }

void dropAttribute(HardwareOp& op, std::string_view name) {
  std::erase_if(op.attributes, [&](const auto& attribute) { return attribute.name == name; });
}

class FormReader {
 public:
  FormReader(HardwareOps& ops, const base::SourceRef& source, base::Diagnostics& out)
      : m_ops(ops.ops), m_source(source), m_out(out) {}

  void run() {
    for (HardwareOp& op : m_ops) {
      if (op.op == kFormerCore) op.op = "core";
      if (op.op == "core" || op.op == "memory") renameDims(op);
    }
    keepLastCores();
    for (HardwareOp& op : m_ops) {
      if (op.op == "spatial_dim") takeSize(op);
      for (HardwareValue& operand : op.operands) followSymbol(operand);
      for (HardwareAttribute& attribute : op.attributes) {
        const bool refers = attribute.name == "scaleout" || attribute.name == "scalein";
        if (refers) followSymbol(attribute.value);
      }
    }
    for (HardwareOp& op : m_ops) {
      if (op.op == "core") takeUnitsFromOperands(op);
      if (op.op == "core" || op.op == "memory") takeDimsFromOperands(op);
    }
    connectCores(m_ops, m_source, m_out);
    for (HardwareOp& op : m_ops) {
      if (joins(op)) dropDims(op);
    }
    nameByLabels(m_ops);
    for (std::size_t i = 0; i < m_ops.size(); ++i) {
      if (m_ops[i].op == "mux") findMemory(i);
    }
  }

 private:
  void keepLastCores() {
    for (std::size_t i = 0; i < m_ops.size(); ++i) {
      if (m_ops[i].op != "core") continue;
      const auto later = std::find_if(
          m_ops.begin() + static_cast<std::ptrdiff_t>(i) + 1, m_ops.end(),
          [&](const HardwareOp& op) { return op.op == "core" && op.name == m_ops[i].name; });
      if (later == m_ops.end()) continue;
      base::report(m_out,
                   base::noteAt(m_source, later->nameSpan,
                                fmt::format("this `%{}` replaces the one before", later->name),
                                "keep one of them"));
      std::swap(m_ops[i], *later);
      m_ops.erase(later);
    }
  }

  const HardwareOp* named(const HardwareValue& operand) const {
    return componentOf(m_ops, operand);
  }
  bool isDim(const HardwareValue& operand) const { return isDimension(m_ops, operand); }
  bool isUnit(const HardwareValue& operand) const {
    const HardwareOp* op = named(operand);
    return op != nullptr && (op->op == "mat" || op->op == "vec" || op->op == "scalar");
  }

  /// `@x` is a label, or a name where no component has the label. A name without its `%`, as in
  /// `scalein = (mat, vec, [8, 1])`, is looked for the other way round.
  void followSymbol(HardwareValue& value) {
    for (HardwareValue& item : value.items) followSymbol(item);
    if (value.kind != Kind::Word) return;
    const auto name = std::ranges::find(m_ops, value.text, &HardwareOp::name);
    const auto label = std::ranges::find(m_ops, value.text, &HardwareOp::labelText);
    const bool isSymbol = m_source->text().substr(value.span.begin).starts_with('@');
    const bool takesLabel = label != m_ops.end() && (isSymbol || name == m_ops.end());
    if (takesLabel) checkOnlyLabel(value, label);
    const auto at = takesLabel ? label : name;
    if (at == m_ops.end()) return;
    value.kind = Kind::Name;
    value.text = at->name;
  }

  void checkOnlyLabel(const HardwareValue& value, std::vector<HardwareOp>::const_iterator first) {
    const auto other = std::find_if(
        first + 1, m_ops.cend(), [&](const HardwareOp& op) { return op.labelText == value.text; });
    if (other == m_ops.cend()) return;
    base::report(m_out, base::errorAt(m_source, value.span,
                                      fmt::format("two components have the label `{}`", value.text),
                                      fmt::format("give one of `%{}` and `%{}` another label",
                                                  first->name, other->name)));
  }

  /// `"df.core"(%x, %y, %mat, %vec) <{counts = [8, 1], ...}>`: the units stand behind the
  /// dimensions, and one of the attributes, whatever its name, has their numbers.
  void takeUnitsFromOperands(HardwareOp& op) {
    std::vector<HardwareValue> units;
    std::erase_if(op.operands, [&](const HardwareValue& operand) {
      if (!isUnit(operand)) return false;
      units.push_back(operand);
      return true;
    });
    dropAttribute(op, "operandSegmentSizes");
    dropAttribute(op, "operand_segment_sizes");
    if (units.empty()) return;
    const std::size_t count = units.size();
    const auto counts = unitCounts(op, count);
    HardwareValue list = listOf(std::move(units));
    if (counts != op.attributes.end()) {
      list.items.push_back(std::move(counts->value));
      op.attributes.erase(counts);
    }
    op.attributes.push_back({"scalein", list.span, std::move(list)});
  }

  /// The attribute with the units' numbers: the only one that fits, or the only one named for it.
  std::vector<HardwareAttribute>::iterator unitCounts(HardwareOp& op, std::size_t units) {
    const auto fits = [&](const HardwareAttribute& entry) {
      return entry.value.kind == Kind::List && entry.value.items.size() == units &&
             std::ranges::all_of(entry.value.items,
                                 [](const auto& item) { return item.kind == Kind::Number; });
    };
    const auto isNamed = [&](const HardwareAttribute& entry) {
      return fits(entry) && (entry.name == "counts" || entry.name.starts_with("scalein"));
    };
    const auto first = std::ranges::find_if(op.attributes, fits);
    if (std::ranges::count_if(op.attributes, fits) < 2) return first;
    if (std::ranges::count_if(op.attributes, isNamed) == 1) {
      return std::ranges::find_if(op.attributes, isNamed);
    }
    const auto second = std::find_if(first + 1, op.attributes.end(), fits);
    base::report(m_out, base::errorAt(m_source, second->nameSpan,
                                      fmt::format("both `{}` and `{}` may be the units' numbers",
                                                  first->name, second->name),
                                      "name the list of the numbers `counts`"));
    return first;
  }

  /// `"df.spatial_dim"() {size = 8}` has its size behind the operation.
  static void takeSize(HardwareOp& op) {
    if (!op.operands.empty()) return;
    for (HardwareAttribute& attribute : op.attributes) {
      if (attribute.name == "size") op.operands.push_back(std::move(attribute.value));
    }
    dropAttribute(op, "size");
  }

  void takeDimsFromOperands(HardwareOp& op) {
    const bool given = std::any_of(op.attributes.begin(), op.attributes.end(),
                                   [](const auto& entry) { return entry.name == "scaleout"; });
    const bool dims = std::all_of(op.operands.begin(), op.operands.end(),
                                  [&](const HardwareValue& value) { return isDim(value); });
    if (given || !dims || op.operands.empty()) return;
    for (const HardwareAttribute& attribute : op.attributes) {
      if (attribute.name == "map" && !isIdentity(attribute.value.map)) {
        base::report(m_out,
                     base::errorAt(m_source, attribute.value.span,
                                   fmt::format("`map` of a `df.{}` must be the identity", op.op),
                                   "its dimensions follow from its operands"));
      }
    }
    dropAttribute(op, "map");
    HardwareValue list = listOf(std::move(op.operands));
    op.operands.clear();
    op.attributes.push_back({"scaleout", list.span, std::move(list)});
  }

  /// `spatial_dims = [@x, @y]` of what has no ends: it is one for each point of them.
  static void renameDims(HardwareOp& op) {
    const auto isGiven = [&](std::string_view name) {
      return std::ranges::find(op.attributes, name, &HardwareAttribute::name) !=
             op.attributes.end();
    };
    if (isGiven("scaleout")) return;
    for (HardwareAttribute& attribute : op.attributes) {
      if (attribute.name == "spatial_dims") attribute.name = "scaleout";
    }
  }

  void dropDims(HardwareOp& op) {
    while (op.operands.size() > 2 && isDim(op.operands.back())) op.operands.pop_back();
    dropAttribute(op, "spatial_dims");
  }

  void findMemory(std::size_t index) {
    if (m_ops[index].operands.size() != 2) return;
    HardwareValue& operand = m_ops[index].operands[1];
    const auto isIt = [&](const HardwareOp& op) { return op.name == operand.text; };
    if (operand.kind != Kind::Name || std::any_of(m_ops.begin(), m_ops.end(), isIt)) return;
    const auto here = m_ops.begin() + static_cast<std::ptrdiff_t>(index);
    const auto isMemory = [](const HardwareOp& op) { return op.op == "memory"; };
    if (std::count_if(m_ops.begin(), here, isMemory) != 1) return;
    std::vector<std::string_view> names;
    for (const HardwareOp& op : m_ops) names.push_back(op.name);
    if (!nearest(operand.text, names).empty()) return;  // a slip of the pen
    const std::string_view only = std::find_if(m_ops.begin(), here, isMemory)->name;
    base::report(m_out, base::warningAt(m_source, operand.span,
                                        fmt::format("nothing is named `%{}`; assumed `%{}`, the "
                                                    "only memory above",
                                                    operand.text, only),
                                        fmt::format("write `%{}`", only)));
    operand.text = only;
  }

  std::vector<HardwareOp>& m_ops;
  const base::SourceRef& m_source;
  base::Diagnostics& m_out;
};

}  // namespace

void acceptOtherForms(HardwareOps& ops, const base::SourceRef& source, base::Diagnostics& out) {
  FormReader(ops, source, out).run();
}

}  // namespace gridloom::syntax
