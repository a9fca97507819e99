// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace gridloom::base {

/// An index that does not convert to int or to another kind of index. -1 is "none".
template <class Tag> class StrongId {
 public:
  constexpr StrongId() = default;
  constexpr explicit StrongId(std::int32_t value) : m_value(value) {}
  static constexpr StrongId of(std::size_t index) {
    return StrongId(static_cast<std::int32_t>(index));
  }

  constexpr bool valid() const { return m_value >= 0; }
  constexpr std::int32_t value() const { return m_value; }
  /// For indexing arrays; requires a valid id.
  constexpr std::size_t index() const { return static_cast<std::size_t>(m_value); }
  friend constexpr auto operator<=>(StrongId, StrongId) = default;

 private:
  std::int32_t m_value = -1;
};

}  // namespace gridloom::base

template <class Tag> struct std::hash<gridloom::base::StrongId<Tag>> {
  std::size_t operator()(gridloom::base::StrongId<Tag> id) const noexcept {
    return std::hash<std::int32_t>{}(id.value());
  }
};
