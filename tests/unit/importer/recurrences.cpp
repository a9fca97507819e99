// SPDX-License-Identifier: Apache-2.0
#include "recurrences.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "kernel/interpreter.h"
#include "syntax/kernel_parser.h"

namespace gridloom::test {

namespace {

/// The sample values of an argument; what it holds beyond the program's own buffer is cut off.
kernel::TensorValue sampled(const kernel::Tensor& tensor, std::size_t number, std::int64_t below) {
  kernel::TensorValue value{tensor.shape, {}};
  std::int64_t all = 1;
  for (const std::int64_t size : tensor.shape) all *= size;
  for (std::int64_t n = 0; n < all; ++n) {
    value.data.push_back(below > 0 ? static_cast<double>(sampleIndex(n, number, below))
                                   : sampleValue(n, number));
  }
  return value;
}

/// Tensors that several functions of a file write have the function in their names.
std::string withoutFunction(std::string name, const Call& call) {
  if (name.ends_with("_" + call.function)) name.resize(name.size() - call.function.size() - 1);
  return name;
}

}  // namespace

std::map<std::string, std::int64_t> settingsOf(const Call& call) {
  std::map<std::string, std::int64_t> settings = call.settings;
  for (const Argument& argument : call.arguments) {
    if (argument.shape.empty() && argument.type[0] != 'f')
      settings[argument.name] = static_cast<std::int64_t>(argument.value);
  }
  for (std::size_t d = 0; d < call.grid.size(); ++d)
    settings[fmt::format("grid_{}", "xyz"[d])] = call.grid[d];
  return settings;
}

std::vector<double> computed(const Call& call, const std::string& kernels) {
  const auto graph = syntax::parseKernels(base::makeSource("imported.rec", kernels), {}, {});
  if (!graph) {
    ADD_FAILURE() << base::render(graph.diagnostics()) << kernels;
    return {};
  }
  kernel::TensorValues values;
  std::string last, result;
  for (const kernel::Kernel& k : graph->kernels) {
    if (k.name != call.function && !k.name.starts_with(call.function + "_")) continue;
    kernel::TensorValues inputs;
    for (const kernel::Tensor& tensor : k.tensors) {
      if (tensor.role == kernel::TensorRole::Output) last = tensor.name;
      if (tensor.role != kernel::TensorRole::Input) continue;
      if (const auto known = values.find(tensor.name); known != values.end()) {
        inputs[tensor.name] = known->second;
        continue;
      }
      std::string name = withoutFunction(tensor.name, call);
      if (name.ends_with("_in")) name.resize(name.size() - 3);
      const auto argument = std::ranges::find(call.arguments, name, &Argument::name);
      if (argument == call.arguments.end()) {
        ADD_FAILURE() << "no argument for " << tensor.name << "\n" << kernels;
        return {};
      }
      if (argument->shape.empty()) {
        inputs[tensor.name] = {{1}, {argument->value}};
        continue;
      }
      inputs[tensor.name] = sampled(
          tensor, static_cast<std::size_t>(argument - call.arguments.begin()), argument->below);
    }
    const auto results = kernel::interpret(k, inputs);
    if (!results) {
      ADD_FAILURE() << base::render(results.diagnostics()) << kernels;
      return {};
    }
    for (const auto& [name, value] : *results) {
      values[name] = value;
      if (withoutFunction(name, call) == call.result) result = name;
    }
  }
  return values.at(result.empty() ? last : result).data;
}

}  // namespace gridloom::test
