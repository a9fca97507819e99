// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "service/workspace.h"

namespace gridloom::service {

/// One form of a kernel (kernel::Kernel::alternative) with the directives for it.
struct Form {
  KernelRef kernel;  ///< fitted, without another form
  mapping::Constraints constraints;
};

/// How the forms are searched, as in ExploreOptions.
struct FormSearch {
  std::string mode;
  int threads = 0;
};

/// The kernel without its other form; the other form, where it can be mapped.
KernelRef firstForm(const KernelRef& kernel);
std::optional<KernelRef> otherForm(const KernelRef& kernel, const Hardware& hardware);

/// Which of two forms is the faster.
struct FormChoice {
  bool isSecond = false;
  /// What ended the searches before it was clear that the other form has no faster mapping.
  search::Stop stopped = search::Stop::None;
  double margin = 0;  ///< the share of its cycles by which the other form may be faster
  /// What the faster mapping takes; none: neither form has a mapping, or none was searched for.
  std::optional<double> cycles = {};
};

/// The form for which a short search finds the faster mapping; the first where neither has one. The
/// searches take at most half of what `left` allows, and are subtracted from it. A cancel ends
/// them; the answer is then the first form.
FormChoice fasterForm(const Form& first, const Form& second, const Hardware& hardware,
                      const FormSearch& search, SearchLimits& left, base::Progress& progress);

}  // namespace gridloom::service
