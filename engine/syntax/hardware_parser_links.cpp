// SPDX-License-Identifier: Apache-2.0
#include "syntax/hardware_parser_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/message_limit.h"

namespace gridloom::syntax {

namespace {

class CoreLinks {
 public:
  CoreLinks(std::vector<HardwareOp>& ops, const base::SourceRef& source, base::Diagnostics& out)
      : m_ops(ops), m_source(source), m_out(out) {}

  void run() {
    const auto joinsDims = [&](const HardwareOp& op) {
      return op.op == "interconnects" && !op.operands.empty() &&
             std::ranges::all_of(
                 op.operands, [&](const auto& operand) { return isDimension(m_ops, operand); });
    };
    const auto first = std::ranges::find_if(m_ops, joinsDims);
    if (first == m_ops.end()) return;
    const auto isCores = [](const HardwareOp& op) { return op.op == "core"; };
    if (std::ranges::none_of(m_ops, isCores)) m_ops.insert(first, assumedCores(*first));
    for (HardwareOp& op : m_ops) {
      if (!joinsDims(op)) continue;
      const auto cores = std::ranges::find_if(
          m_ops, [&](const HardwareOp& c) { return isCores(c) && hasDims(c, op.operands); });
      if (cores == m_ops.end()) reportOtherDims(op, *std::ranges::find_if(m_ops, isCores));
      HardwareValue end;
      end.kind = HardwareValue::Kind::Name;
      end.text = (cores != m_ops.end() ? cores : std::ranges::find_if(m_ops, isCores))->name;
      end.span = op.operands.front().span;
      op.operands = {end, end};
    }
  }

 private:
  /// The dimensions of cores: `scaleout = (%x, %y)`, or `%x` alone.
  static std::vector<HardwareValue> dimsOf(const HardwareOp& cores) {
    const auto at = std::ranges::find(cores.attributes, "scaleout", &HardwareAttribute::name);
    if (at == cores.attributes.end()) return {};
    if (at->value.kind == Kind::List) return at->value.items;
    return {at->value};
  }
  static bool hasDims(const HardwareOp& cores, const std::vector<HardwareValue>& dims) {
    return std::ranges::equal(dimsOf(cores), dims, {}, &HardwareValue::text, &HardwareValue::text);
  }
  static std::string listed(const std::vector<HardwareValue>& dims) {
    std::string text;
    for (const HardwareValue& dim : dims) {
      text += fmt::format("{}%{}", text.empty() ? "" : ", ", dim.text);
    }
    return "(" + text + ")";
  }
  void reportOtherDims(const HardwareOp& network, const HardwareOp& cores) {
    const std::string dims = listed(dimsOf(cores));
    base::report(
        m_out,
        base::errorAt(
            m_source, {network.operands.front().span.begin, network.operands.back().span.end},
            fmt::format("expected {}, the dimensions of `%{}`, got {}", dims, cores.name,
                        listed(network.operands)),
            "links over dimensions join cores: name all of the cores' dimensions, in their "
            "order"));
  }

  HardwareOp assumedCores(const HardwareOp& network) {
    HardwareOp cores;
    cores.name = "cores";
    cores.op = "core";
    cores.nameSpan = cores.opSpan = cores.span = network.span;
    cores.inModule = true;
    cores.attributes.push_back({"scaleout", network.span, listOf(network.operands)});
    base::report(m_out, base::warningAt(m_source, network.span,
                                        "no `df.core` declares the cores; assumed one for each "
                                        "point of these dimensions",
                                        fmt::format("write `%cores = df.core {{ scaleout = {} }}`",
                                                    listed(network.operands))));
    return cores;
  }

  std::vector<HardwareOp>& m_ops;
  const base::SourceRef& m_source;
  base::Diagnostics& m_out;
};

}  // namespace

const HardwareOp* componentOf(const std::vector<HardwareOp>& ops, const HardwareValue& operand) {
  const auto at = std::ranges::find(ops, operand.text, &HardwareOp::name);
  return operand.kind == HardwareValue::Kind::Name && at != ops.end() ? &*at : nullptr;
}

bool isDimension(const std::vector<HardwareOp>& ops, const HardwareValue& operand) {
  const HardwareOp* const op = componentOf(ops, operand);
  return op != nullptr && op->op == "spatial_dim";
}

HardwareValue listOf(std::vector<HardwareValue> items) {
  HardwareValue list;
  list.kind = HardwareValue::Kind::List;
  list.span = {items.front().span.begin, items.back().span.end};
  list.items = std::move(items);
  return list;
}

void connectCores(std::vector<HardwareOp>& ops, const base::SourceRef& source,
                  base::Diagnostics& out) {
  CoreLinks(ops, source, out).run();
}

}  // namespace gridloom::syntax
