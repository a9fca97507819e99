// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "kernel/dependences.h"
#include "kernel/kernel.h"

namespace gridloom::kernel {

/// The checks of a kernel; they fill in what they derive.
class KernelChecker {
 public:
  explicit KernelChecker(Kernel& kernel) : m_kernel(kernel) {}

  base::Diagnostics run();
  /// What follows `run` where it found no error.
  base::Diagnostics finish();
  /// The same for a rewritten kernel, whose loops keep their extents.
  base::Diagnostics runAgain();

 private:
  void fail(base::Span span, std::string message, std::string hint);
  bool checkShape();
  void checkLimit(base::Span span, std::size_t count, std::size_t limit, std::string_view what);
  void checkRank(const Access& access);
  void checkLocalTargets();
  bool checkLocalTarget(const Statement& statement, bool mayGrow);
  void checkGathers(const Access& read);
  void checkAccesses();
  bool checkOnce(const Access& target);
  void checkBounds(const Statement& statement, const Access& access,
                   const affine::IntegerSet& domain);
  void checkSelfNeed();
  void checkCycles(const std::vector<FlowDependence>& flows);
  std::string earlierHint(Access read) const;

  Kernel& m_kernel;
  base::Diagnostics m_errors;
};

}  // namespace gridloom::kernel
