// SPDX-License-Identifier: Apache-2.0
#include "exchange/hls_code.h"

#include "exchange/cpp_nest.h"
#include "kernel/interpreter.h"

namespace gridloom::exchange {

std::string HlsCode::loop(std::size_t l) const { return cppName(m_kernel.loops[l].name); }

std::string HlsCode::parameter(const kernel::Operand& operand) const {
  return cppName(m_kernel, m_kernel.tensor(operand.tensor));
}

std::string HlsCode::stem(const kernel::Operand& operand) const {
  std::string name = parameter(operand);
  if (name.back() == '_') name.pop_back();
  return name;
}

std::string HlsCode::functionOf(const kernel::Operand& operand, mapping::DataflowRole role) const {
  return fmt::format("{}_{}", stem(operand), nameOf(role));
}

kernel::ExprOp HlsCode::root() const { return kernel::rootReduction(m_kernel.statements.front()); }

std::string HlsCode::waves(int from, int to, const kernel::Operand* of, std::string& indent) const {
  std::string text;
  for (int p = from; p < to; ++p) {
    const kernel::LoopId id = m_mapping.order[static_cast<std::size_t>(p)];
    if (of != nullptr && !of->dependsOn(id)) continue;
    text += fmt::format("{0}for (w.{1} = 0; w.{1} < kWaves.{1}; ++w.{1}) {{\n", indent,
                        loop(id.index()));
    indent += "  ";
  }
  return text;
}

void HlsCode::close(std::string& text, std::string& indent, std::size_t to) {
  while (indent.size() > to) {
    indent.resize(indent.size() - 2);
    text += indent + "}\n";
  }
}

std::int64_t HlsCode::slots(const kernel::Operand& operand, int level) const {
  std::int64_t count = 1;
  for (int p = level; p < depth(); ++p) {
    const kernel::LoopId id = m_mapping.order[static_cast<std::size_t>(p)];
    if (operand.dependsOn(id)) count *= m_plan.tiling.loops[id.index()].trips;
  }
  return count;
}

std::string HlsCode::slot(const kernel::Operand& operand, int level) const {
  std::string text;
  for (int p = level; p < depth(); ++p) {
    const kernel::LoopId id = m_mapping.order[static_cast<std::size_t>(p)];
    if (!operand.dependsOn(id)) continue;
    const std::string name = loop(id.index());
    text = text.empty() ? "w." + name : fmt::format("({0}) * kWaves.{1} + w.{1}", text, name);
  }
  return text.empty() ? "0" : text;
}

}  // namespace gridloom::exchange
