// SPDX-License-Identifier: Apache-2.0
#include "exchange/cpp_reference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "exchange/cpp_nest.h"
#include "kernel/interpreter.h"

namespace gridloom::exchange {

namespace {

using kernel::Tensor;
using kernel::TensorRole;

class ReferenceText {
 public:
  explicit ReferenceText(const kernel::Kernel& kernel) : m_kernel(kernel) {}

  std::string run() {
    add("\n// The kernel as it is written: every element by the statement that defines it.\n"
        "namespace reference {{\n");
    for (const Tensor& tensor : m_kernel.tensors) {
      if (tensor.role == TensorRole::Input) continue;
      add("Lazy lazy_{}({});\n", name(tensor), kernel::elementCount(tensor));
    }
    for (const Tensor& tensor : m_kernel.tensors) read(tensor);
    add("\nvoid define() {{\n");
    for (const kernel::Statement& statement : m_kernel.statements) define(statement);
    add("}}\n}}  // namespace reference\n");
    return std::move(m_text);
  }

 private:
  template <class... T> void add(fmt::format_string<T...> form, T&&... values) {
    fmt::format_to(std::back_inserter(m_text), form, std::forward<T>(values)...);
  }
  std::string name(const Tensor& tensor) const { return cppName(m_kernel, tensor); }

  void read(const Tensor& tensor) {
    std::vector<std::string> indices, parameters;
    for (std::size_t d = 0; d < tensor.shape.size(); ++d) {
      indices.push_back(fmt::format("d{}", d));
      parameters.push_back("long " + indices.back());
    }
    add("[[maybe_unused]] inline double {}({}) {{\n  const long e = number<{}>({});\n",
        name(tensor), fmt::join(parameters, ", "), fmt::join(tensor.shape, ", "),
        fmt::join(indices, ", "));
    if (tensor.initial) {
      add("  if (e < 0 || !lazy_{}.how[std::size_t(e)]) return {};\n", name(tensor),
          cppNumber(*tensor.initial));
    } else {
      add("  if (e < 0) fail(\"read outside of the tensor\", \"{}\", e);\n", tensor.name);
    }
    if (tensor.role == TensorRole::Input) {
      add("  return global.{}[std::size_t(e)];\n}}\n", name(tensor));
    } else {
      add("  return lazy_{}.get(e);\n}}\n", name(tensor));
    }
  }

  void define(const kernel::Statement& statement) {
    std::string indent = "  ";
    for (const kernel::LoopId loop : kernel::targetLoops(statement)) {
      add("{}{} {{\n", indent, cppLoop(m_kernel, loop, false));
      indent += "  ";
    }
    const std::string inside = cppConditions(m_kernel, targetConstraints(statement));
    if (!inside.empty()) add("{}if (!({})) continue;\n", indent, inside);
    const Tensor& tensor = m_kernel.tensor(statement.target.tensor);
    std::vector<std::string> indices;
    for (const affine::LinearExpr& i : statement.target.indices) {
      indices.push_back(cppIndex(m_kernel, i));
    }
    const bool hasLoops = indent.size() > 2;
    add("{0}lazy_{1}.how[std::size_t(number<{2}>({3}))] = [{4}] {{\n{0}  return {5};\n{0}}};\n",
        indent, name(tensor), fmt::join(tensor.shape, ", "), fmt::join(indices, ", "),
        hasLoops ? "=" : "", cppExpression(m_kernel, statement, {}));
    while (indent.size() > 2) {
      indent.resize(indent.size() - 2);
      add("{}}}\n", indent);
    }
  }

  const kernel::Kernel& m_kernel;
  std::string m_text;
};

}  // namespace

std::string cppReference(const kernel::Kernel& kernel) { return ReferenceText(kernel).run(); }

std::string cppInputs(const kernel::Kernel& kernel) {
  std::string text;
  const std::vector<kernel::SampleForm> forms = kernel::sampleForms(kernel);
  for (std::size_t t = 0; t < kernel.tensors.size(); ++t) {
    const Tensor& tensor = kernel.tensors[t];
    if (tensor.role != TensorRole::Input) continue;
    const std::string name = "global." + cppName(kernel, tensor);
    const kernel::SampleForm& form = forms[t];
    text += fmt::format("  fill({}, \"{}\", {});\n", name, tensor.name, form.positive);
    const std::size_t rank = tensor.shape.size();
    if (form.symmetric && tensor.shape[rank - 1] == tensor.shape[rank - 2]) {
      text += fmt::format("  mirror({}, {});\n", name, tensor.shape.back());
    }
    if (form.diagonal) {
      text += fmt::format("  addToDiagonal({}, {}, {});\n", name, tensor.shape[rank - 2],
                          tensor.shape[rank - 1]);
    }
    if (form.indices > 0) text += fmt::format("  makeIndices({}, {});\n", name, form.indices);
  }
  return text;
}

}  // namespace gridloom::exchange
