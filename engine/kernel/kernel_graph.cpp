// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>
#include <string_view>

#include "base/message_limit.h"

namespace gridloom::kernel {

namespace {

/// Tensors that earlier kernels produce, by name.
using Made = std::map<std::string_view, std::pair<const Kernel*, const Tensor*>>;

void checkJoin(const Made& outputs, const Kernel& later, base::Diagnostics& errors) {
  for (const Tensor& used : later.tensors) {
    const auto found = outputs.find(used.name);
    if (found == outputs.end() || used.role == TensorRole::Local) {
      continue;
    }
    const auto& [earlier, made] = found->second;
    if (used.role == TensorRole::Output) {
      base::report(errors, base::errorAt(later.source, used.span,
                                         fmt::format("`{}` is an output of `{}` and of `{}`",
                                                     made->name, earlier->name, later.name),
                                         "rename one of them"));
    } else if (made->shape != used.shape || made->dtype != used.dtype) {
      base::report(
          errors,
          base::errorAt(
              later.source, used.span,
              fmt::format("`{}` is [{}] {} in `{}` but [{}] {} in `{}`", made->name,
                          fmt::join(made->shape, ", "), nameOf(made->dtype), earlier->name,
                          fmt::join(used.shape, ", "), nameOf(used.dtype), later.name),
              "an output of one kernel that a later one reads must keep its shape and dtype"));
    }
  }
}

}  // namespace

base::Result<KernelGraph> joinKernels(std::vector<Kernel> kernels) {
  base::Diagnostics errors;
  Made outputs;
  std::set<std::string_view> names;
  for (const Kernel& kernel : kernels) {
    if (!names.insert(kernel.name).second) {
      base::report(errors, base::errorAt(kernel.source, kernel.span,
                                         fmt::format("kernel `{}` is defined twice", kernel.name),
                                         "rename one of them"));
    }
    checkJoin(outputs, kernel, errors);
    for (const Tensor& tensor : kernel.tensors) {
      if (tensor.role == TensorRole::Output) {
        outputs.try_emplace(tensor.name, &kernel, &tensor);
      }
    }
  }
  if (!errors.empty()) {
    return errors;
  }
  return KernelGraph{std::move(kernels), {}};
}

}  // namespace gridloom::kernel
