// SPDX-License-Identifier: Apache-2.0
#include "kernel/value_error.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gridloom::kernel {

namespace {

constexpr double kNoAgreement = std::numeric_limits<double>::infinity();

double differenceOf(double got, double reference) {
  if (got == reference || (std::isnan(got) && std::isnan(reference))) return 0;
  const double difference = std::abs(got - reference);
  return std::isfinite(difference) ? difference : kNoAgreement;
}

double errorOf(const std::vector<double>& got, const std::vector<double>& reference) {
  if (got.size() != reference.size()) return kNoAgreement;
  double magnitude = 0;
  double difference = 0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    if (std::isfinite(reference[i])) magnitude = std::max(magnitude, std::abs(reference[i]));
    difference = std::max(difference, differenceOf(got[i], reference[i]));
  }
  return magnitude > 0 ? difference / magnitude : difference;
}

}  // namespace

double valueError(const kernel::Kernel& kernel, const kernel::TensorValues& got,
                  const kernel::TensorValues& reference) {
  const auto isWritten = [&](const kernel::Tensor& tensor) {
    const auto& tensors = kernel.asWritten().tensors;
    return std::ranges::find(tensors, tensor.name, &kernel::Tensor::name) != tensors.end();
  };
  double error = 0;
  for (const kernel::Tensor& tensor : kernel.tensors) {
    if (tensor.role != kernel::TensorRole::Output || !isWritten(tensor)) continue;
    const auto a = got.find(tensor.name);
    const auto b = reference.find(tensor.name);
    if (a == got.end() || b == reference.end()) return kNoAgreement;
    error = std::max(error, errorOf(a->second.data, b->second.data));
  }
  return error;
}

}  // namespace gridloom::kernel
