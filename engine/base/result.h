// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <optional>
#include <utility>

#include "base/diagnostic.h"

namespace gridloom::base {

/// Either a value (with warnings and notes) or the errors that prevented it.
template <class T> class [[nodiscard]] Result {
 public:
  Result(T value, Diagnostics remarks = {})  // NOLINT(google-explicit-constructor)
      : m_value(std::move(value)), m_diagnostics(std::move(remarks)) {}
  Result(Diagnostics errors) : m_diagnostics(std::move(errors)) {  // NOLINT
    assert(hasError(m_diagnostics) && "a failed Result carries at least one error");
  }
  Result(Diagnostic error) : Result(Diagnostics{std::move(error)}) {}  // NOLINT

  bool ok() const { return m_value.has_value(); }
  explicit operator bool() const { return ok(); }

  const T& value() const& {
    assert(ok());
    return *m_value;
  }
  T& value() & {
    assert(ok());
    return *m_value;
  }
  T&& value() && {
    assert(ok());
    return std::move(*m_value);
  }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

  /// Errors when !ok(); warnings and notes otherwise.
  const Diagnostics& diagnostics() const { return m_diagnostics; }
  Diagnostics takeDiagnostics() { return std::move(m_diagnostics); }

 private:
  std::optional<T> m_value;
  Diagnostics m_diagnostics;
};

}  // namespace gridloom::base
