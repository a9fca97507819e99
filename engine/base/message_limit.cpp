// SPDX-License-Identifier: Apache-2.0
#include "base/message_limit.h"

#include <algorithm>
#include <utility>

namespace gridloom::base {

namespace {

bool isError(const Diagnostic& finding) { return finding.severity == Severity::Error; }

std::size_t countOf(const Diagnostics& diagnostics, bool errors) {
  return static_cast<std::size_t>(std::ranges::count(diagnostics, errors, isError));
}

}  // namespace

void report(Diagnostics& out, Diagnostic finding) {
  if (countOf(out, isError(finding)) < kMostMessages) out.push_back(std::move(finding));
}

bool isFull(const Diagnostics& diagnostics) { return countOf(diagnostics, true) >= kMostMessages; }

}  // namespace gridloom::base
