// SPDX-License-Identifier: Apache-2.0
#include "service/fitting_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "search/search.h"

namespace gridloom::service {

namespace {

/// No size allows more halvings.
constexpr int kMostHalvings = 40;

bool isDerived(const kernel::Parameter& parameter) {
  return std::ranges::any_of(parameter.spelling,
                             [](unsigned char c) { return std::isalpha(c) != 0; });
}

}  // namespace

std::vector<kernel::Parameter> writtenSizes(const kernel::Kernel& kernel) {
  std::vector<kernel::Parameter> sizes = kernel.parameters;
  std::erase_if(sizes, isDerived);
  return sizes;
}

std::string settingsText(const KernelOptions& options) {
  std::string text;
  for (const auto& [name, size] : options.set) text += fmt::format(" --set {}={}", name, size);
  return text;
}

base::Diagnostics withFittingSizes(base::Diagnostics diagnostics, const Kernel& kernel,
                                   const Hardware& hardware) {
  if (diagnostics.empty() || search::tensorsFit(kernel.kernel, hardware.topology)) {
    return diagnostics;
  }
  for (int halvings = 1; halvings < kMostHalvings; ++halvings) {
    KernelOptions options{{}, kernel.dtype, kernel.kernel.name};
    for (const kernel::Parameter& parameter : writtenSizes(kernel.kernel)) {
      options.set.emplace_back(parameter.name,
                               std::max<std::int64_t>(1, parameter.value >> halvings));
    }
    const auto smaller = openKernel(kernel.source, options);
    if (!smaller || !search::tensorsFit((*smaller)->kernel, hardware.topology)) continue;
    diagnostics.front().hint += fmt::format(", such as{}", settingsText(options));
    return diagnostics;
  }
  return diagnostics;
}

}  // namespace gridloom::service
