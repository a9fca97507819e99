// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "base/large_vector.h"

namespace gridloom::traffic {

/// Busy cycles per byte of every resource: channels, then links, then cores' memory ports, then
/// instances of the shared buffers, innermost level first. A movement loads some of them, on a
/// wafer some of millions, so parts without load take no memory and no time.
class Load {
 public:
  Load() = default;
  explicit Load(std::size_t size) : m_size(size), m_parts((size + kPart - 1) / kPart) {}

  std::size_t size() const { return m_size; }
  double operator[](std::size_t resource) const {
    const Part& part = m_parts[resource / kPart];
    return part.empty() ? 0 : part[resource % kPart];
  }
  double& operator[](std::size_t resource) {
    Part& part = m_parts[resource / kPart];
    if (part.empty()) part.assign(partSize(resource / kPart), 0.0);
    return part[resource % kPart];
  }

  std::size_t parts() const { return m_parts.size(); }
  std::size_t partSize(std::size_t part) const {
    return part + 1 < m_parts.size() ? kPart : m_size - part * kPart;
  }
  /// The resources from part * kPart on; null: none of them has a load.
  const double* part(std::size_t part) const {
    return m_parts[part].empty() ? nullptr : m_parts[part].data();
  }

  double peak() const;  ///< of the most loaded resource
  void scale(double factor);
  void add(const Load& other);  ///< of the same resources

  static constexpr std::size_t kPart = std::size_t{1} << 18;

 private:
  using Part = base::LargeVector<double>;
  std::size_t m_size = 0;
  std::vector<Part> m_parts;
};

}  // namespace gridloom::traffic
