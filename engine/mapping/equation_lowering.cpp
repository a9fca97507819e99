// SPDX-License-Identifier: Apache-2.0
#include "mapping/equation_lowering.h"

#include <fmt/format.h>

#include <algorithm>

#include "mapping/equation_sums.h"

namespace gridloom::mapping {

namespace {

/// Replaces the equations of one text.
class EquationLowering {
 public:
  EquationLowering(const Directives& directives, const kernel::Kernel& kernel,
                   const kernel::TileNest& nest, const hardware::Topology& hw)
      : m_directives(directives), m_nest(nest), m_spaces(directives, kernel, nest, hw, m_errors) {}

  base::Result<Directives> run() {
    Directives out{{}, m_directives.source};
    for (const Directive& d : m_directives.list) {
      if (d.kind == Directive::Kind::Map) m_spaces.add(d, out.list);
    }
    if (!m_spaces.empty()) m_spaces.leaveUnused(out.list);
    for (const Directive& d : m_directives.list) {
      if (d.kind == Directive::Kind::Equation) {
        add(d);
      } else if (d.kind != Directive::Kind::Map) {
        out.list.push_back(d);
      }
    }
    if (m_errors.empty()) {
      for (auto& [name, input] : m_inputs) input.lower(out.list);
      for (auto& [name, output] : m_outputs) output.lower(out.list);
    }
    if (!m_errors.empty()) return m_errors;
    return out;
  }

 private:
  void add(const Directive& equation) {
    if (const auto* element = std::get_if<TensorElement>(&equation.equation->left))
      return addResult(equation, *element);
    const auto& left = std::get<PointValue>(equation.equation->left);
    const auto named = [&](const kernel::Operand& o) { return o.name == left.operand.text; };
    if (const auto in = std::ranges::find_if(m_nest.inputs, named); in != m_nest.inputs.end()) {
      m_inputs.try_emplace(left.operand.text, m_spaces, *in).first->second.add(equation);
      return;
    }
    const auto output = std::ranges::find_if(m_nest.outputs, named);
    if (output != m_nest.outputs.end()) return sumOf(*output).add(equation);
    m_spaces.fail(
        left.operand.span, fmt::format("the kernel moves no `{}`", left.operand.text),
        fmt::format("its operands are {}, {}", listed(m_nest.inputs), listed(m_nest.outputs)));
  }

  // C[i, j] = C(i, j, last)
  void addResult(const Directive& equation, const TensorElement& element) {
    const auto output =
        std::ranges::find(m_nest.outputs, element.tensor.text, &kernel::Operand::name);
    if (output == m_nest.outputs.end()) {
      return m_spaces.fail(element.span, "memory takes results of the kernel only",
                           fmt::format("the kernel writes {}", listed(m_nest.outputs)));
    }
    sumOf(*output).addResult(equation, element);
  }

  OutputEquations& sumOf(const kernel::Operand& output) {
    return m_outputs.try_emplace(output.name, m_spaces, output).first->second;
  }

  static std::string listed(const std::vector<kernel::Operand>& operands) {
    std::string text;
    for (const kernel::Operand& o : operands)
      text += fmt::format("{}`{}`", text.empty() ? "" : ", ", o.name);
    return text;
  }

  const Directives& m_directives;
  const kernel::TileNest& m_nest;
  base::Diagnostics m_errors;
  SpaceTable m_spaces;
  std::map<std::string, InputEquations> m_inputs;
  std::map<std::string, OutputEquations> m_outputs;
};

}  // namespace

base::Result<Directives> lowerEquations(const Directives& directives, const kernel::Kernel& kernel,
                                        const kernel::TileNest& nest,
                                        const hardware::Topology& hw) {
  return EquationLowering(directives, kernel, nest, hw).run();
}

}  // namespace gridloom::mapping
