// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "unit/kernel/kernel_source.h"

namespace gridloom::kernel {

/// Values of a built-in kernel at small sizes, to hold against loops written apart from it.
class Evaluated {
 public:
  using Index = std::vector<std::int64_t>;

  /// `name` with its folder, `llm/rope`. The sizes are those the text does not derive.
  Evaluated(const std::string& name, const Sizes& sizes) : m_kernel(shipped(name, sizes)) {
    m_values = sampleInputs(m_kernel, 7);
    const TensorValues inputs = m_values;
    m_values.merge(valuesOf(m_kernel, inputs));
  }
  /// With values of some inputs.
  Evaluated(const std::string& name, const Sizes& sizes,
            const std::map<std::string, double (*)(double)>& changed)
      : m_kernel(shipped(name, sizes)) {
    m_values = sampleInputs(m_kernel, 7);
    for (const auto& [tensor, change] : changed) {
      for (double& value : m_values.at(tensor).data) value = change(value);
    }
    const TensorValues inputs = m_values;
    m_values.merge(valuesOf(m_kernel, inputs));
  }

  /// The value of a parameter.
  std::int64_t size(const std::string& parameter) const {
    const auto found = std::ranges::find(m_kernel.parameters, parameter, &Parameter::name);
    return found == m_kernel.parameters.end() ? 0 : found->value;
  }
  std::int64_t extent(const std::string& tensor, std::size_t dim) const {
    return m_values.at(tensor).shape.at(dim);
  }

  template <class... At> double operator()(const std::string& tensor, At... at) const {
    return element(tensor, {static_cast<std::int64_t>(at)...});
  }
  /// 0 outside of the tensor.
  template <class... At> double padded(const std::string& tensor, At... at) const {
    const Index index{static_cast<std::int64_t>(at)...};
    for (std::size_t d = 0; d < index.size(); ++d) {
      if (index[d] < 0 || index[d] >= extent(tensor, d)) return 0;
    }
    return element(tensor, index);
  }

  /// Expects every element of a tensor.
  void expect(const std::string& tensor, const std::function<double(const Index&)>& value) const {
    const TensorValue& got = m_values.at(tensor);
    Index at(got.shape.size(), 0);
    for (std::size_t e = 0; e < got.data.size(); ++e) {
      const double want = value(at);
      ASSERT_NEAR(got.data[e], want, 1e-9 * std::max(1.0, std::abs(want)))
          << m_kernel.name << " " << tensor << " element " << e;
      for (std::size_t d = at.size(); d-- > 0;) {
        if (++at[d] < got.shape[d]) break;
        at[d] = 0;
      }
    }
  }

 private:
  double element(const std::string& tensor, const Index& index) const {
    const TensorValue& value = m_values.at(tensor);
    std::int64_t flat = 0;
    for (std::size_t d = 0; d < index.size(); ++d) flat = flat * value.shape.at(d) + index[d];
    return value.data.at(static_cast<std::size_t>(flat));
  }

  Kernel m_kernel;
  TensorValues m_values;
};

/// The sum of a value over 0 to `n` - 1.
inline double sumOf(std::int64_t n, const std::function<double(std::int64_t)>& value) {
  double sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum += value(i);
  return sum;
}

inline double maxOf(std::int64_t n, const std::function<double(std::int64_t)>& value) {
  double largest = value(0);
  for (std::int64_t i = 1; i < n; ++i) largest = std::max(largest, value(i));
  return largest;
}

}  // namespace gridloom::kernel
