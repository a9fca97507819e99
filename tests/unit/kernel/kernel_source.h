// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "kernel/interpreter.h"
#include "kernel/kernel.h"
#include "syntax/kernel_parser.h"

namespace gridloom::kernel {

inline std::string textOfFile(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

inline std::string shippedText(const std::string& name) {
  return textOfFile(std::filesystem::path(GRIDLOOM_SOURCE_DIR) / "kernels" / (name + ".rec"));
}

using Sizes = std::vector<syntax::ParameterOverride>;

inline KernelGraph graphOf(const std::string& text, const Sizes& sizes = {}) {
  auto graph = syntax::parseKernels(base::makeSource("test.rec", text), sizes);
  if (!graph) {
    ADD_FAILURE() << base::render(graph.diagnostics());
    return {};
  }
  return std::move(*graph);
}

inline Kernel kernelOf(const std::string& text, const Sizes& sizes = {}) {
  KernelGraph graph = graphOf(text, sizes);
  return graph.kernels.empty() ? Kernel{} : graph.kernels.front();
}

inline Kernel shipped(const std::string& name, const Sizes& sizes = {}) {
  return kernelOf(shippedText(name), sizes);
}

inline TensorValues valuesOf(const Kernel& kernel, const TensorValues& inputs) {
  auto values = interpret(kernel, inputs);
  if (!values) {
    ADD_FAILURE() << base::render(values.diagnostics());
    return {};
  }
  return std::move(*values);
}

inline LoopId loopNamed(const Kernel& kernel, const std::string& name) {
  for (std::size_t l = 0; l < kernel.loops.size(); ++l) {
    if (kernel.loops[l].name == name) return LoopId::of(l);
  }
  ADD_FAILURE() << "no loop " << name;
  return LoopId::of(0);
}

/// The names of loops, each followed by a space.
inline std::string namesOf(const Kernel& kernel, const std::vector<LoopId>& loops) {
  std::string names;
  for (const LoopId loop : loops) names += kernel.loop(loop).name + " ";
  return names;
}

}  // namespace gridloom::kernel
